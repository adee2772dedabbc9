"""All matches that the page knows, live ones and those that were opened.

It hears the server's feed and keeps a bounded number of stories. Nothing here waits or sends.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from spielleiter.replays import MatchRecord
from spielleiter.server import Server
from spielleiter.server.feed import (
    Feed,
    MatchEnded,
    MatchPaused,
    MatchStarted,
    MoveRequested,
    PlayerLeft,
    PlayerSeated,
    PositionShown,
    RoomClosed,
    RoomEvent,
    RoomOpened,
)
from spielleiter.web.endings import end_of_record
from spielleiter.web.story import (
    Change,
    ChangeKind,
    Hearer,
    MatchStory,
    Source,
    StoryPhase,
    StorySeat,
    shown_name,
)

MOST_ENDED = 200
"""Matches that are over and still shown."""
MOST_LIVE = 2000
"""Matches that are on or wait for players. Those that come later are played without the page."""


class Gallery:
    """The stories there are, the newest last. Used from the loop's thread."""

    def __init__(
        self,
        *,
        now: Callable[[], float] = time.monotonic,
        limit: float | None = None,
        most_ended: int = MOST_ENDED,
        most_live: int = MOST_LIVE,
    ) -> None:
        self.stories: dict[str, MatchStory] = {}
        self.hearers: list[Hearer] = []
        self.now = now
        self.limit = limit
        self._most_ended = most_ended
        self._most_live = most_live

    def add(self, story: MatchStory) -> None:
        """Show one more match, and part with the oldest that is over if there are too many."""
        story.hearers.append(self._hear)
        self.stories[story.id] = story
        self._tell(story, Change(ChangeKind.SEATS))
        if story.phase is StoryPhase.ENDED:
            self._make_room()

    def get(self, story_id: str) -> MatchStory | None:
        """Return the match with this id, or None."""
        return self.stories.get(story_id)

    def remove(self, story: MatchStory) -> None:
        """Show this match no longer."""
        if self.stories.pop(story.id, None) is not None:
            story.leave()

    def _hear(self, story: MatchStory, change: Change) -> None:
        self._tell(story, change)
        if change.kind is ChangeKind.ENDED:
            self._make_room()

    def _tell(self, story: MatchStory, change: Change) -> None:
        for hear in self.hearers:
            hear(story, change)

    def _make_room(self) -> None:
        ended = [one for one in self.stories.values() if one.phase is StoryPhase.ENDED]
        for story in ended[: max(0, len(ended) - self._most_ended)]:
            self.remove(story)


class FeedReader:
    """Turns what a server's feed tells into stories of a gallery."""

    def __init__(self, gallery: Gallery, server: Server) -> None:
        self._gallery = gallery
        self._server = server
        self._live = 0
        for summary in server.lobby.list_rooms():
            self._open(summary.room_id, summary.game, summary.names)
        self._unsubscribe = server.feed.subscribe(self.hear)

    @property
    def feed(self) -> Feed:
        return self._server.feed

    def close(self) -> None:
        """Hear no more."""
        self._unsubscribe()

    def hear(self, event: RoomEvent) -> None:
        """Take one event of the feed in."""
        if isinstance(event, RoomOpened):
            self._open(event.room_id, event.game, event.names)
            return
        story = self._gallery.get(event.room_id)
        if story is None:
            return
        match event:
            case PositionShown():  # these two first, because they come with every move
                story.add_position(event.state, event.move)
            case MoveRequested(seat=seat):
                story.ask(seat)
            case PlayerSeated(seat=seat):
                story.seat(seat)
            case PlayerLeft(seat=seat):
                story.seat(seat, joined=False)
            case MatchStarted(names=names):
                story.begin(names)
            case MatchPaused(is_paused=is_paused):
                story.pause(is_paused)
            case MatchEnded(record=record):
                self._finish(story, record)
            case RoomClosed():
                self._close_room(story)

    def _open(self, room_id: str, game: Any, names: tuple[str, ...]) -> None:
        if self._live >= self._gallery._most_live:
            return
        self._live += 1
        room = self._server.lobby.rooms.get(room_id)
        timed = room is not None and any(seat.can_timeout for seat in room.seats)
        story = MatchStory(
            room_id,
            game,
            [StorySeat(shown_name(name)) for name in names],
            Source.LIVE,
            self._gallery.now,
            limit=self._gallery.limit if timed else None,
        )
        if room is not None:
            story.record = room.record
            story.reservations = tuple(seat.code for seat in room.seats)
            for place, seat in zip(story.seats, room.seats, strict=True):
                place.joined = seat.peer is not None
            for shown, move in zip(room.record.shown, [None, *room.referee.records], strict=False):
                story.add_position(shown.state, move)
            if story.positions:
                story.phase = StoryPhase.RUNNING
            if room.referee.paused:
                story.phase = StoryPhase.PAUSED
        self._gallery.add(story)

    def _finish(self, story: MatchStory, record: MatchRecord) -> None:
        story.record = record
        story.finish(end_of_record(story, record))

    def _close_room(self, story: MatchStory) -> None:
        self._live -= 1
        if story.phase is StoryPhase.ENDED:
            return
        # It was given up before it began, so there is nothing to look at.
        self._gallery.remove(story)
