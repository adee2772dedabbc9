"""Show what another server lets an administrator observe, ours or an official one of any season.

Servers tell administrators of rooms that players join. Prepared ones have to be named. When the
connection is lost, it is tried again.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, replace

from spielleiter.client.admin import AdminClient, AdminError, Watching
from spielleiter.client.events import (
    Closed,
    ErrorReceived,
    Event,
    MatchOver,
    PauseShown,
    StateShown,
)
from spielleiter.replays import MatchRecord, RecordedPosition
from spielleiter.rules import AnyGame, Outcome, Text, one_line
from spielleiter.server.logs import log_event
from spielleiter.web.endings import make_ending
from spielleiter.web.gallery import Gallery
from spielleiter.web.story import MatchStory, Source, StoryPhase, StorySeat, shown_name

logger = logging.getLogger("spielleiter.web")

WAITS = (1.0, 2.0, 5.0, 10.0)
"""Seconds before each attempt to connect again. The last one is repeated."""
MOST_ROOMS = 500
"""Rooms that are observed at once."""


@dataclass(frozen=True, slots=True)
class RemotePlace:
    """Where the other server is, and what is to be seen there."""

    host: str
    port: int
    password: str
    rooms: tuple[str, ...] = ()
    """Rooms to observe besides those that the server tells of."""

    @property
    def address(self) -> str:
        return f"{self.host}:{self.port}"


class RemoteReader:
    """Turns what an administrator is shown into stories of a gallery."""

    def __init__(
        self,
        gallery: Gallery,
        place: RemotePlace,
        say: Callable[[str], None] = lambda _: None,
        is_away: Callable[[bool], None] = lambda _: None,
    ) -> None:
        """Show the rooms of ``place``.

        ``say`` is told what goes wrong, in a sentence, and ``is_away`` when the server has gone
        and when it is back.
        """
        self._gallery = gallery
        self._place = place
        self._say = say
        self._is_away = is_away
        self._tasks: dict[str, asyncio.Task[None]] = {}

    async def run(self) -> None:
        """Observe until the task is cancelled. Raises AdminError if it fails at the beginning."""
        admin = await self._connect()
        is_first, tries = True, 0
        while True:
            try:
                async with admin:
                    async for _ in self._observe_all(admin):
                        is_first, tries = False, 0
            finally:
                await self._end_tasks()
            if is_first and admin.errors:  # as after a wrong password, which has no other answer
                raise AdminError(_last_words(admin))
            self._say(f"the server {self._place.address} went away, trying again")
            self._is_away(True)
            admin = await self._connect_again(tries)
            tries += 1

    async def _connect_again(self, tries: int) -> AdminClient:
        while True:
            await asyncio.sleep(WAITS[min(tries, len(WAITS) - 1)])
            tries += 1
            with contextlib.suppress(AdminError):
                admin = await self._connect()
                self._say(f"connected to {self._place.address} again")
                self._is_away(False)
                return admin

    async def _connect(self) -> AdminClient:
        place = self._place
        return await AdminClient.connect(place.host, place.port, place.password)

    async def _observe_all(self, admin: AdminClient) -> AsyncIterator[str]:
        """Yield each room that is observed from now on, until the connection is over."""
        for room_id in self._place.rooms:
            self._observe(admin, room_id)
            yield room_id
        async for room_id in admin.rooms():
            self._observe(admin, room_id)
            yield room_id

    def _observe(self, admin: AdminClient, room_id: str) -> None:
        if room_id in self._tasks or len(self._tasks) >= MOST_ROOMS:
            return
        task = asyncio.get_running_loop().create_task(self._watch(admin, room_id))
        self._tasks[room_id] = task
        task.add_done_callback(lambda _: self._tasks.pop(room_id, None))

    async def _watch(self, admin: AdminClient, room_id: str) -> None:
        try:
            watching = await admin.observe(room_id)
        except AdminError as error:
            self._say(f"room {one_line(room_id)} cannot be observed: {error}")
            return
        try:
            await ObservedRoom(self._gallery, watching).follow()
        except Exception as error:
            log_event(logger, "observing failed", level=logging.ERROR, room=room_id, error=error)

    async def _end_tasks(self) -> None:
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def _last_words(admin: AdminClient) -> str:
    said = one_line(admin.errors[-1], 300)
    return f"the server closed the connection; is the password right? It said: {said}"


class ObservedRoom:
    """One room of another server, from when it is observed."""

    def __init__(self, gallery: Gallery, watching: Watching) -> None:
        self._gallery = gallery
        self._watching = watching
        self._story: MatchStory | None = None

    async def follow(self) -> None:
        """Take in what happens until the match or the connection is over."""
        async for event in self._watching:
            self._take(event)
        story = self._story
        if story is not None and story.phase is not StoryPhase.ENDED:
            story.finish(None)

    def _take(self, event: Event) -> None:
        match event:
            case StateShown():
                self._show(event)
            case PauseShown(paused) if self._story is not None:
                self._story.pause(paused)
            case ErrorReceived(text) if self._story is not None:
                said = one_line(text, 300)
                self._story.notes = (*self._story.notes, Text(said, said))[-20:]
            case MatchOver(outcome, names) if self._story is not None:
                self._name(self._story, names)
                self._finish(self._story, outcome)
            case Closed():
                pass

    def _show(self, event: StateShown) -> None:
        story = self._story
        if story is None:
            story = self._story = self._open(event.state.game)
        self._name(story, event.names)
        if story.newest == event.state:  # a paused match that goes on shows its position again
            return
        story.add_position(event.state)
        if story.moves:
            story.moves[-1] = replace(story.moves[-1], hints=event.hints)
        assert isinstance(story.record, MatchRecord)
        story.record.shown.append(RecordedPosition(event.state, event.hints))
        story.record.names = story.names
        if not event.state.is_over:
            story.ask(event.state.seat)

    @staticmethod
    def _name(story: MatchStory, names: Sequence[str]) -> None:
        """Call the players by their names where the server has told them."""
        for place, name in zip(story.seats, names, strict=False):
            place.name = shown_name(name) or place.name

    def _open(self, game: AnyGame) -> MatchStory:
        room_id = self._watching.room_id
        known = self._gallery.get(room_id)
        if known is not None:  # the connection was lost for a while
            self._gallery.remove(known)
        codec = next(iter(game.codecs.values()))
        story = MatchStory(
            room_id,
            game,
            # What the server itself calls them is the same in every language.
            [StorySeat(codec.seat_name(seat), joined=True) for seat in range(game.seats)],
            Source.LIVE,
            self._gallery.now,
            phase=StoryPhase.RUNNING,
            record=MatchRecord(codec, room_id),
        )
        self._gallery.add(story)
        return story

    def _finish(self, story: MatchStory, outcome: Outcome | None) -> None:
        record = story.record
        assert isinstance(record, MatchRecord)
        record.outcome, record.final = outcome, story.newest
        story.finish(None if outcome is None else make_ending(story, outcome))
