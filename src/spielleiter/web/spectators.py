"""Tell everybody who watches what changes, without keeping players waiting.

What has changed is written once for all who have seen the same. It is sent to a few at a time,
and between two such slices the loop serves the players. Whoever is slow gets everything that
has gathered in one go, and a whole match instead of many single positions.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

from starlette.websockets import WebSocket, WebSocketDisconnect

from spielleiter.web.gallery import Gallery
from spielleiter.web.slices import write_match
from spielleiter.web.story import Change, ChangeKind, MatchStory, StoryPhase
from spielleiter.web.telling import Teller, dump, tell_asked, tell_ending, tell_output

SLICE = 4
"""Spectators who are sent something in one turn of the loop, some 0.3 ms."""
REST = 0.002
"""Seconds between two slices, so that watching takes a fifth of the loop at most."""
MOST_SPECTATORS = 1000
MOST_BEHIND = 24
"""Positions that are sent one by one. Whoever lacks more gets the whole match."""
MOST_LINES = 200
"""Lines of output in one message."""
MOST_WORDS = 20
"""Messages that a spectator may send. They need one at most."""
SUMMARIES = 2
"""Matches in one message about many. Writing the position of one takes up to a millisecond."""
MOST_CHANGED = 3000
"""Matches of which it is known when they changed."""
HOME_PAUSE = 0.1
"""Seconds between two messages about many matches."""
UNSEEN = -1
"""The version that somebody has seen who has just come."""
TRY_LATER = 1013
POLICY_VIOLATED = 1008


class SeenSoFar(NamedTuple):
    """What a spectator has seen of a match."""

    positions: int
    lines: int
    version: int


class Watcher(Protocol):
    """Somebody who is woken when there is something to send to them."""

    def wake(self) -> None: ...


@dataclass(slots=True, eq=False)
class Channel:
    """One match that somebody watches."""

    story: MatchStory
    spectators: dict[Watcher, None] = field(default_factory=dict)
    version: int = 0
    news: dict[str, int] = field(default_factory=dict)
    """In which version the clock, the pause, the seats or the end changed last."""
    mended: dict[int, int] = field(default_factory=dict)
    """Moves that got their thoughts, with the version in which they did."""
    written: dict[SeenSoFar, str] = field(default_factory=dict)
    is_gone: bool = False

    def note(self, change: Change) -> None:
        """Take in that something has changed."""
        self.version += 1
        self.written.clear()
        match change.kind:
            case ChangeKind.THOUGHTS:
                self.mended[change.index + 1] = self.version
                if len(self.mended) > MOST_BEHIND:
                    self.mended.pop(next(iter(self.mended)))
            case ChangeKind.ASKED | ChangeKind.PAUSED | ChangeKind.SEATS | ChangeKind.ENDED:
                self.news[change.kind.value] = self.version
            case ChangeKind.GONE:
                self.is_gone = True

    @property
    def newest(self) -> SeenSoFar:
        return SeenSoFar(len(self.story.positions), self.story.printed, self.version)

    def compose(self, seen: SeenSoFar, teller: Teller) -> str:
        """Return everything that is new to somebody who has seen this, as one JSON array."""
        text = self.written.get(seen)
        if text is None:
            text = self.written[seen] = f"[{','.join(self._messages(seen, teller))}]"
        return text

    def _messages(self, seen: SeenSoFar, teller: Teller) -> list[str]:
        story = self.story
        if self.is_gone:
            return [dump({"type": "gone", "next": story.successor or None})]
        if not seen.positions or len(story.positions) - seen.positions > MOST_BEHIND:
            return [teller.match_message(story)]
        again = [
            index
            for index, version in self.mended.items()
            if version > seen.version and index < seen.positions
        ]
        told = [
            teller.position_message(story, index)
            for index in (*again, *range(seen.positions, len(story.positions)))
        ]
        new = min(story.printed - seen.lines, len(story.output), MOST_LINES)
        if new > 0:
            told.append(dump(tell_output(story, new)))
        return told + [dump(message) for message in self._events(seen.version)]

    def _events(self, version: int) -> list[dict[str, object]]:
        story = self.story
        fresh = {kind for kind, changed in self.news.items() if changed > version}
        if version < 0:
            fresh |= self._standing()
        told: list[dict[str, object]] = []
        if ChangeKind.SEATS.value in fresh:
            seats = [
                {"name": seat.name, "joined": seat.joined, "person": seat.person}
                for seat in story.seats
            ]
            told.append({"type": "seats", "seats": seats, "phase": story.phase.value})
        if ChangeKind.PAUSED.value in fresh:
            told.append({"type": "paused", "is_paused": story.phase is StoryPhase.PAUSED})
        asked = tell_asked(story)
        if ChangeKind.ASKED.value in fresh and asked is not None:
            told.append({"type": "asked", **asked})
        if ChangeKind.ENDED.value in fresh:
            ending = story.ending
            result = None if ending is None else tell_ending(ending)
            told.append({"type": "ended", "result": result})
        return told

    def _standing(self) -> set[str]:
        """Return what holds already for somebody who has just come.

        It may have happened after they loaded the match, when nobody watched yet.
        """
        kinds = {StoryPhase.PAUSED: ChangeKind.PAUSED, StoryPhase.ENDED: ChangeKind.ENDED}
        kind = kinds.get(self.story.phase)
        return {ChangeKind.ASKED.value, *([] if kind is None else [kind.value])}


class Spectators:
    """Everybody who watches, and the one task that wakes them."""

    def __init__(self, gallery: Gallery, teller: Teller, is_key: Callable[[object], bool]) -> None:
        self.gallery = gallery
        self.teller = teller
        self._is_key = is_key
        self._channels: dict[MatchStory, Channel] = {}
        self.board = Board(gallery, teller)
        self._home: dict[Watcher, None] = {}
        self._idle: dict[Watcher, None] = {}
        """Who watch all matches and have seen everything."""
        self._ready: dict[Watcher, None] = {}
        self._something = asyncio.Event()
        self._count = 0
        gallery.hearers.append(self.hear)

    def hear(self, story: MatchStory, change: Change) -> None:
        """Note what has changed and who is to be told. Sends nothing yet."""
        channel = self._channels.get(story)
        if channel is not None:
            channel.note(change)
            self._ready.update(channel.spectators)
            self._something.set()
        if self._home and change.kind not in (
            ChangeKind.OUTPUT,
            ChangeKind.THOUGHTS,
            ChangeKind.ASKED,
        ):
            self.board.note(story.id)
            if self._idle:
                self._ready.update(self._idle)
                self._idle.clear()
                self._something.set()

    def wait_for_change(self, spectator: HomeSpectator) -> None:
        """Wake this spectator when a match has changed since what they have seen."""
        if spectator.seen == self.board.changes:
            self._idle[spectator] = None
        else:
            self._ready[spectator] = None
            self._something.set()

    async def run(self) -> None:
        """Wake a few spectators at a time, until the task is cancelled."""
        while True:
            await self._something.wait()
            self._something.clear()
            while self._ready:
                for _ in range(min(SLICE, len(self._ready))):
                    watcher = next(iter(self._ready))
                    del self._ready[watcher]
                    watcher.wake()
                await asyncio.sleep(REST)

    # Sockets

    async def watch(
        self, socket: WebSocket, story: MatchStory, since: int, lines: int | None = None
    ) -> None:
        """Tell a socket about one match until it goes.

        ``since`` and ``lines`` say how many positions and printed lines the browser has loaded.
        """
        await write_match(self.teller, story.positions)
        channel = self._channels.setdefault(story, Channel(story))
        seen = channel.newest
        if not 0 < since <= seen.positions:
            since = 0
        lines = seen.lines if lines is None else min(lines, seen.lines)
        spectator = Spectator(channel, self.teller, socket, SeenSoFar(since, lines, UNSEEN))
        channel.spectators[spectator] = None
        self._ready[spectator] = None
        self._something.set()
        try:
            await self._serve(socket, spectator.send_all)
        finally:
            channel.spectators.pop(spectator, None)
            self._ready.pop(spectator, None)
            if not channel.spectators:
                self._channels.pop(story, None)

    async def watch_all(self, socket: WebSocket) -> None:
        """Tell a socket about all matches until it goes."""
        spectator = HomeSpectator(self, socket)
        self._home[spectator] = None
        self.wait_for_change(spectator)
        try:
            await self._serve(socket, spectator.send_all, spectator.hear)
        finally:
            for watchers in (self._home, self._idle, self._ready):
                watchers.pop(spectator, None)

    def is_key(self, given: object) -> bool:
        return self._is_key(given)

    async def _serve(
        self,
        socket: WebSocket,
        send_all: Callable[[], Awaitable[None]],
        hear: Callable[[object], None] | None = None,
    ) -> None:
        await socket.accept()
        if self._count >= MOST_SPECTATORS:
            await socket.close(TRY_LATER, "too many watch already")
            return
        self._count += 1
        sending = asyncio.ensure_future(send_all())
        listening = asyncio.ensure_future(_listen(socket, hear))
        try:
            done, _ = await asyncio.wait({sending, listening}, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                task.result()
        except (WebSocketDisconnect, RuntimeError, OSError):
            pass  # it went while we wrote
        finally:
            self._count -= 1
            for task in (sending, listening):
                task.cancel()
            await asyncio.gather(sending, listening, return_exceptions=True)


async def _listen(socket: WebSocket, hear: Callable[[object], None] | None) -> None:
    """Wait until the socket goes. What it says is rubbish, but for a key in its first words."""
    for _ in range(MOST_WORDS):
        message = await socket.receive()
        if message["type"] == "websocket.disconnect":
            return
        if hear is not None:
            with contextlib.suppress(ValueError, RecursionError):
                hear(json.loads(message.get("text") or "null"))
    await socket.close(POLICY_VIOLATED, "nothing is to be said here")


class Spectator:
    """One socket that watches one match."""

    def __init__(
        self, channel: Channel, teller: Teller, socket: WebSocket, seen: SeenSoFar
    ) -> None:
        self._channel = channel
        self._teller = teller
        self._socket = socket
        self._seen = seen
        self._woken = asyncio.Event()

    def wake(self) -> None:
        self._woken.set()

    async def send_all(self) -> None:
        """Send what is new whenever there is something, until the match is gone."""
        channel = self._channel
        while True:
            await self._woken.wait()
            self._woken.clear()
            seen, self._seen = self._seen, channel.newest
            if seen != self._seen:
                text = channel.compose(seen, self._teller)
                if text != "[]":
                    await self._socket.send_text(text)
            if channel.is_gone:
                await self._socket.close()
                return


class Board:
    """Which matches have changed in which order, for all who watch all of them."""

    def __init__(self, gallery: Gallery, teller: Teller) -> None:
        self.changes = 0
        self._gallery = gallery
        self._teller = teller
        self._changed: OrderedDict[str, int] = OrderedDict()
        self._written: dict[tuple[int, bool], tuple[str, int]] = {}

    def note(self, story_id: str) -> None:
        """Take in that a match has changed."""
        self.changes += 1
        self._changed[story_id] = self.changes
        self._changed.move_to_end(story_id)
        self._written.clear()
        if len(self._changed) > MOST_CHANGED:
            self._changed.popitem(last=False)

    def compose(self, seen: int, *, may_do: bool) -> tuple[str, int]:
        """Return the next few matches that have changed since, and what has been seen then."""
        found = self._written.get((seen, may_do))
        if found is None:
            found = self._written[seen, may_do] = self._compose(seen, may_do=may_do)
        return found

    def _compose(self, seen: int, *, may_do: bool) -> tuple[str, int]:
        new: list[tuple[str, int]] = []
        for story_id, change in reversed(self._changed.items()):
            if change <= seen:
                break
            new.append((story_id, change))
        # The oldest first, so that each has its turn where more change than can be told.
        chosen = new[::-1][:SUMMARIES]
        told = [self._message(story_id, may_do=may_do) for story_id, _ in chosen]
        return f"[{','.join(told)}]", chosen[-1][1] if chosen else self.changes

    def _message(self, story_id: str, *, may_do: bool) -> str:
        story = self._gallery.get(story_id)
        if story is None:
            return dump({"type": "gone", "id": story_id})
        return self._teller.summary_message(story, may_do=may_do)


class HomeSpectator:
    """One socket that watches all matches as small boards."""

    def __init__(self, spectators: Spectators, socket: WebSocket) -> None:
        self.seen = spectators.board.changes
        self._spectators = spectators
        self._socket = socket
        self._woken = asyncio.Event()
        self._may_do = False

    def wake(self) -> None:
        self._woken.set()

    def hear(self, said: object) -> None:
        """Take the key from what the socket said."""
        if isinstance(said, dict) and self._spectators.is_key(said.get("key")):
            self._may_do = True

    async def send_all(self) -> None:
        """Send the matches that have changed, a few at a time and not too often."""
        while True:
            await self._woken.wait()
            self._woken.clear()
            text, self.seen = self._spectators.board.compose(self.seen, may_do=self._may_do)
            if text != "[]":
                await self._socket.send_text(text)
                await asyncio.sleep(HOME_PAUSE)
            self._spectators.wait_for_change(self)
