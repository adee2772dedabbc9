"""Prepare, watch, pause, step and cancel matches as an administrator of a server.

One connection serves many rooms. It uses asyncio, because whoever watches matches watches several.
Players have ``run`` instead. ``admin_session`` knows what the bytes mean. In use::

    async with await AdminClient.connect("localhost", 13050, "examplepassword") as admin:
        room = await admin.prepare(game, [Slot("A"), Slot("B")])
        watching = await admin.observe(room.room_id)  # then start two players with room.codes
        async for event in watching:
            ...
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import deque
from collections.abc import AsyncIterator, Iterable, Sequence
from types import TracebackType
from typing import Self

from spielleiter.client.admin_session import (
    AdminAnswer,
    AdminError,
    AdminEvent,
    AdminSession,
    Ended,
    Happened,
    PreparedRoom,
    Question,
    RequestRefused,
    RoomObserved,
    RoomPrepared,
    RoomTold,
)
from spielleiter.client.connection import DEAD_SERVER_SECONDS
from spielleiter.client.events import Closed, Event, MatchOver, RoomLeft, StateShown
from spielleiter.keepalive import notice_dead_peer
from spielleiter.rules import AnyGame
from spielleiter.wire import messages
from spielleiter.wire.messages import Slot

__all__ = [
    "ANSWER_SECONDS",
    "CONNECT_SECONDS",
    "MOST_EVENTS",
    "MOST_ROOMS",
    "AdminClient",
    "AdminError",
    "PreparedRoom",
    "Slot",
    "Watching",
]

_CHUNK = 1 << 16
MOST_EVENTS = 10_000
"""How many events of one room may wait to be taken. A whole match has about a hundred."""
MOST_ROOMS = 1_000
"""How many rooms are remembered that the server told of. Older ones are forgotten."""
CONNECT_SECONDS = 10.0
"""How long to wait for a connection."""
ANSWER_SECONDS = 10.0
"""How long to wait for the answer to a request."""


class Watching:
    """Give the events of one room as they come.

    These are StateShown, PauseShown, ErrorReceived and MatchOver, then the end.

    Iterate once. The iteration ends after the server has left the room, or with Closed if the
    connection ends.
    """

    def __init__(self, room_id: str) -> None:
        self.room_id = room_id
        self._game: AnyGame | None = None
        self._queue: asyncio.Queue[Event] = asyncio.Queue()

    @property
    def game(self) -> AnyGame | None:
        """The game that is played, known from the first position on."""
        return self._game

    async def __aiter__(self) -> AsyncIterator[Event]:
        while True:
            event = await self._queue.get()
            if isinstance(event, RoomLeft):
                return
            yield event
            if isinstance(event, Closed):
                return

    async def result(self) -> MatchOver:
        """Wait for the end of the match and pass over everything before it.

        Raises AdminError if none comes.
        """
        async for event in self:
            if isinstance(event, MatchOver):
                return event
        raise AdminError(f"the server went away before the game in room {self.room_id} was over")

    def take(self, event: Event) -> None:
        """Take what happened in this room. Raises AdminError if too much waits already."""
        if self._queue.qsize() >= MOST_EVENTS:
            raise AdminError(
                f"{MOST_EVENTS} events of room {self.room_id} wait to be taken, and more come"
            )
        if isinstance(event, StateShown):
            self._game = event.state.game
        self._queue.put_nowait(event)

    def end(self, orderly: bool) -> None:
        """Let the iteration end, because the connection is over."""
        self._queue.put_nowait(Closed(orderly))


class AdminClient:
    """One authenticated connection. Make it with ``connect``."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer
        self._session = AdminSession()
        self._answers: dict[Question, asyncio.Future[AdminAnswer]] = {}
        self._watched: dict[str, Watching] = {}
        self._rooms: deque[str] = deque(maxlen=MOST_ROOMS)
        self._told = asyncio.Event()
        self._task = asyncio.get_running_loop().create_task(self._listen())

    @classmethod
    async def connect(cls, host: str, port: int, password: str) -> Self:
        """Connect and authenticate.

        A wrong password shows with the first request that wants an answer.
        """
        try:
            async with asyncio.timeout(CONNECT_SECONDS):
                reader, stream = await asyncio.open_connection(host, port)
        except TimeoutError:
            raise AdminError(
                f"no server answers at {host}:{port} within {CONNECT_SECONDS:g} s"
            ) from None
        except OSError as error:
            raise AdminError(
                f"no server answers at {host}:{port} ({error.strerror or error})"
            ) from None
        notice_dead_peer(stream.get_extra_info("socket"), DEAD_SERVER_SECONDS)
        client = cls(reader, stream)
        stream.write(client._session.opening(password))
        return client

    @property
    def errors(self) -> deque[str]:
        """The latest complaints that belong to no request waiting for an answer."""
        return self._session.errors

    # --- requests ---------------------------------------------------------------------------------

    async def prepare(
        self,
        game: AnyGame,
        slots: Sequence[Slot] = (Slot(), Slot()),
        *,
        paused: bool = False,
        seed: int | None = None,
        revision: str | None = None,
    ) -> PreparedRoom:
        """Make a room.

        Official servers pass over ``seed``, ``revision``, and which variant of its game type
        ``game`` is. Raises AdminError.
        """
        answer = await self._ask(
            self._session.prepare(game, slots, paused=paused, seed=seed, revision=revision)
        )
        assert isinstance(answer, RoomPrepared)
        return answer.room

    async def observe(self, room_id: str) -> Watching:
        """Watch a room from now on. Raises AdminError."""
        # It is watched before the server answers. Positions that overtake the answer would be lost
        # otherwise.
        question = self._session.observe(room_id)
        watching = self._watched[room_id] = Watching(room_id)
        try:
            await self._ask(question)
        except AdminError:
            self._watched.pop(room_id, None)
            raise
        return watching

    async def rooms(self) -> AsyncIterator[str]:
        """Give the id of each room that somebody joins, once for each who does.

        Servers do not tell of prepared rooms, nor of what was before. The iteration ends when the
        connection does.
        """
        while True:
            while self._rooms:
                yield self._rooms.popleft()
            if not self._session.is_open:
                return
            self._told.clear()
            await self._told.wait()

    def pause(self, room_id: str, pause: bool = True) -> None:
        """Stop a match before its next request, or let it go on. There is no answer."""
        self._writer.write(self._session.tell(messages.Pause(room_id, pause)))

    def step(self, room_id: str, *, forced: bool = False) -> None:
        """Play one turn of a paused match. There is no answer."""
        self._writer.write(self._session.tell(messages.Step(room_id, forced)))

    def cancel(self, room_id: str) -> None:
        """End a match now. There is no answer."""
        self._writer.write(self._session.tell(messages.Cancel(room_id)))

    async def close(self) -> None:
        """Say goodbye and close."""
        self._writer.write(self._session.goodbye())
        self._writer.close()
        self._task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await self._task
        with contextlib.suppress(OSError):
            await self._writer.wait_closed()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close()

    # --- pieces -----------------------------------------------------------------------------------

    async def _ask(self, question: Question) -> RoomPrepared | RoomObserved:
        answer: asyncio.Future[AdminAnswer] = asyncio.get_running_loop().create_future()
        self._answers[question] = answer
        self._writer.write(question.data)
        try:
            async with asyncio.timeout(ANSWER_SECONDS):
                event = await answer
        except TimeoutError:
            raise AdminError(
                f"{question.tag}: the server did not answer within {ANSWER_SECONDS:g} s"
            ) from None
        finally:
            del self._answers[question]
            self._session.forget(question)
        if isinstance(event, RequestRefused):
            raise AdminError(event.reason)
        return event

    async def _listen(self) -> None:
        try:
            while self._session.is_open:
                try:
                    data = await self._reader.read(_CHUNK)
                except OSError:
                    data = b""
                self._take(self._session.receive_data(data))
        except Exception as error:
            self.errors.append(
                f"what the server sent could not be taken: {type(error).__name__}: {error}"
            )
        finally:
            # Whatever ended the loop, a cancelled task too, those who wait for an answer or an
            # event have to be woken here. Nobody else would do it.
            self._take(self._session.end())
            self._writer.close()

    def _take(self, events: Iterable[AdminEvent]) -> None:
        for event in events:
            match event:
                case RoomPrepared(question) | RoomObserved(question) | RequestRefused(question):
                    answer = self._answers.get(question)
                    if answer is not None and not answer.done():
                        answer.set_result(event)
                case Happened(room_id, happened):
                    if room_id in self._watched:
                        self._watched[room_id].take(happened)
                    if isinstance(happened, RoomLeft):
                        self._watched.pop(room_id, None)
                case RoomTold(room_id):
                    self._rooms.append(room_id)
                    self._told.set()
                case Ended(orderly):
                    self._told.set()
                    for watching in self._watched.values():
                        watching.end(orderly)
                    self._watched.clear()
