"""The parts of one page, which are handed to whoever answers requests."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from pathlib import Path

from spielleiter.server import Server
from spielleiter.web.access import Access
from spielleiter.web.analysis import AnalysisDesk
from spielleiter.web.answers import NO_MATCH, Mistake
from spielleiter.web.desk import MatchDesk
from spielleiter.web.files import FileServer
from spielleiter.web.gallery import FeedReader, Gallery
from spielleiter.web.results import RunShelf
from spielleiter.web.roster import Roster
from spielleiter.web.spectators import Spectators
from spielleiter.web.story import MatchStory
from spielleiter.web.telling import Teller


@dataclass(slots=True, eq=False)
class Site:
    """Everything that one page consists of. ``server`` is None where it only shows."""

    server: Server | None = None
    folder: Path = field(default_factory=Path)
    """Where the bots are that may be started besides those of the house."""
    access: Access = field(default_factory=Access)
    gallery: Gallery = field(init=False)
    teller: Teller = field(default_factory=Teller)
    files: FileServer = field(default_factory=FileServer)
    spectators: Spectators = field(init=False)
    reader: FeedReader | None = None
    roster: Roster = field(default_factory=Roster)
    desk: MatchDesk | None = None
    shelf: RunShelf = field(default_factory=RunShelf)
    analysis: AnalysisDesk = field(default_factory=AnalysisDesk)
    remote: str | None = None
    """The other server whose matches are shown, if it is one."""
    is_remote_away: bool = False
    """Whether that server cannot be reached now."""

    def __post_init__(self) -> None:
        server = self.server
        if server is None:
            self.gallery = Gallery(now=time.monotonic)
        else:
            settings = server.settings
            limit = None if settings.no_timeout else settings.soft_timeout
            self.gallery = Gallery(now=server.services.clock.now, limit=limit)
            self.reader = FeedReader(self.gallery, server)
            self.desk = MatchDesk(server, self.gallery, self.teller, self.roster)
        self.spectators = Spectators(self.gallery, self.teller, self.access.is_key)

    async def find_story(self, story_id: str) -> MatchStory:
        """Return the match with this id, also one of a run. Raises Mistake."""
        story = self.gallery.get(story_id)
        if story is not None:
            return story
        if story_id.startswith("run-"):
            return await self.shelf.story(story_id, self.gallery.now)
        raise Mistake(404, NO_MATCH)

    async def close(self) -> None:
        """End what was started here, and hear the server no more."""
        await self.analysis.close()
        if self.desk is not None:
            await self.desk.close()
        if self.reader is not None:
            self.reader.close()
