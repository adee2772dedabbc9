"""Prepare, watch, pause, step and cancel games as an administrator of a server.

One connection, many rooms.

asyncio, because whoever watches games watches several; players have ``run``. In use::

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
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Self

from spielleiter.client.connection import DEAD_SERVER_SECONDS
from spielleiter.client.events import (
    Closed,
    ErrorReceived,
    Event,
    MatchOver,
    PauseShown,
    RoomLeft,
    StateShown,
)
from spielleiter.client.recognition import recognise
from spielleiter.keepalive import notice_dead_peer
from spielleiter.rules import AnyGame
from spielleiter.wire import messages, writer
from spielleiter.wire.codec import AnyCodec
from spielleiter.wire.dialects import BASE, Dialect
from spielleiter.wire.elements import Element, encode_element
from spielleiter.wire.errors import CodecError, ProtocolError
from spielleiter.wire.limits import StreamLimits
from spielleiter.wire.messages import Slot
from spielleiter.wire.requests import encode_request
from spielleiter.wire.responses import decode_response
from spielleiter.wire.stream import MessageStream, StreamEnd

_CHUNK = 1 << 16
_KEPT_ERRORS = 100
MOST_EVENTS = 10_000
"""Of one room that wait to be taken; a whole game has about a hundred."""
CONNECT_SECONDS = 10.0
"""How long to wait for a connection."""
ANSWER_SECONDS = 10.0
"""How long to wait for the answer to a request."""


class AdminError(Exception):
    """The server refused a request or went away. The message says which, and why."""


@dataclass(frozen=True, slots=True)
class PreparedRoom:
    """A room that waits for its players.

    It has one code for each reserved seat, in the order of the seats.
    """

    room_id: str
    codes: tuple[str, ...]


class Watching:
    """Give the events of one room as they come.

    These are StateShown, PauseShown, ErrorReceived and MatchOver, then the end.

    Iterate once. The iteration ends after the server has left the room, or with Closed if the
    connection ends.
    """

    def __init__(self, room_id: str, game: AnyGame | None) -> None:
        self.room_id = room_id
        self._expected = game
        self._codec: AnyCodec | None = None
        self._queue: asyncio.Queue[Event] = asyncio.Queue()
        self._result_seen = False

    @property
    def game(self) -> AnyGame | None:
        """The game that is played, known from the first position on."""
        return None if self._codec is None else self._codec.game

    async def __aiter__(self) -> AsyncIterator[Event]:
        while True:
            event = await self._queue.get()
            if isinstance(event, RoomLeft):
                return
            yield event
            if isinstance(event, Closed):
                return

    async def result(self) -> MatchOver:
        """Wait for the end of the game and pass over everything before it.

        Raises AdminError if none comes.
        """
        async for event in self:
            if isinstance(event, MatchOver):
                return event
        raise AdminError(f"the server went away before the game in room {self.room_id} was over")

    def take(self, message: messages.Response) -> None:
        """Take a message about this room. Raises AdminError if too much waits already."""
        if self._queue.qsize() >= MOST_EVENTS:
            raise AdminError(
                f"{MOST_EVENTS} events of room {self.room_id} wait to be taken, and more come"
            )
        match message:
            case messages.Memento(state=element):
                self._put(self._shown(element))
            case messages.PausedNotice(paused=paused):
                self._put(PauseShown(paused))
            case messages.RoomError(message=text):
                self._put(ErrorReceived(text))
            case messages.ResultMessage(data=data):
                self._result_seen = True
                self._put(self._outcome(data))
            case messages.Left(room_id):
                if not self._result_seen:
                    self._put(MatchOver(None))
                self._put(RoomLeft(room_id))

    def end(self, orderly: bool) -> None:
        """The connection is over."""
        self._put(Closed(orderly))

    def _put(self, event: Event) -> None:
        self._queue.put_nowait(event)

    def _shown(self, element: Element) -> Event:
        if self._codec is None:
            self._codec = recognise(element, self._expected)
        if self._codec is None:
            return ErrorReceived("the server shows a position of a game that nobody here knows")
        try:
            received = self._codec.decode_state(element)
        except CodecError as error:
            return ErrorReceived(f"the server sent a position that cannot be read: {error}")
        return StateShown(received.state, received.names, received.hints)

    def _outcome(self, data: Element) -> Event:
        codec = self._codec
        if (
            codec is None and self._expected is not None
        ):  # a game may end before any position was shown
            codec = next(iter(self._expected.codecs.values()))
        try:
            return MatchOver(None if codec is None else codec.decode_outcome(data))
        except CodecError:
            return MatchOver(None)


@dataclass(slots=True)
class _Waiting:
    """A request whose answer is still to come. ``room_id`` is set where the answer names it."""

    tag: str
    room_id: str | None
    answer: asyncio.Future[messages.Response]


class AdminClient:
    """One authenticated connection. Make it with ``connect``."""

    def __init__(self, reader: asyncio.StreamReader, writer_: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer_
        self._waiting: deque[_Waiting] = deque()
        self._watched: dict[str, Watching] = {}
        self._games: dict[str, AnyGame] = {}
        self._closed = False
        self._task = asyncio.get_running_loop().create_task(self._listen())
        self.errors: deque[str] = deque(maxlen=_KEPT_ERRORS)
        """The latest complaints that belong to no request waiting for an answer."""

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
        # Seasons name the attribute differently, and every server passes over the one it does not
        # know.
        login = Element("authenticate", {"password": password, "passphrase": password})
        client._send(writer.OPEN.encode() + writer.frame(encode_element(login)))
        return client

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

        ``seed`` and ``revision`` only mean something to a Spielleiter; so does a game that is not
        the default of its game type. Raises AdminError.
        """
        codec = game.codecs[revision] if revision else next(iter(game.codecs.values()))
        request = messages.Prepare(
            game.game_type, paused, tuple(slots), seed=seed, revision=revision, variant=game.id
        )
        answer = await self._ask(request, "prepare", None, codec.dialect)
        assert isinstance(answer, messages.Prepared)
        self._games[answer.room_id] = game
        return PreparedRoom(answer.room_id, answer.reservations)

    async def observe(self, room_id: str) -> Watching:
        """Watch a room from now on. Raises AdminError."""
        watching = Watching(room_id, self._games.get(room_id))
        self._watched[room_id] = watching
        try:
            await self._ask(messages.Observe(room_id), "observe", room_id)
        except AdminError:
            del self._watched[room_id]
            raise
        return watching

    def pause(self, room_id: str, pause: bool = True) -> None:
        """Stop a game before its next request, or let it go on. There is no answer."""
        self._tell(messages.Pause(room_id, pause))

    def step(self, room_id: str, *, forced: bool = False) -> None:
        """Play one turn of a paused game. There is no answer."""
        self._tell(messages.Step(room_id, forced))

    def cancel(self, room_id: str) -> None:
        """End a game now. There is no answer."""
        self._tell(messages.Cancel(room_id))

    async def close(self) -> None:
        """Say goodbye and close."""
        if not self._closed:
            self._send(writer.CLOSE.encode())
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

    def _tell(self, request: messages.Request) -> None:
        if self._closed:
            raise AdminError("the connection to the server is closed")
        self._send(writer.frame(encode_request(request)))

    async def _ask(
        self, request: messages.Request, tag: str, room_id: str | None, dialect: Dialect = BASE
    ) -> messages.Response:
        if self._closed:
            raise AdminError(f"{tag}: the connection to the server is closed")
        waiting = _Waiting(tag, room_id, asyncio.get_running_loop().create_future())
        self._waiting.append(waiting)
        self._send(writer.frame(encode_request(request, dialect)))
        try:
            async with asyncio.timeout(ANSWER_SECONDS):
                answer = await waiting.answer
        except TimeoutError:
            raise AdminError(
                f"{tag}: the server did not answer within {ANSWER_SECONDS:g} s"
            ) from None
        finally:
            with contextlib.suppress(ValueError):
                self._waiting.remove(waiting)
        if isinstance(answer, messages.ErrorPacket):
            raise AdminError(f"{tag}: the server refused: {answer.message}")
        if isinstance(answer, messages.ServerClose):
            raise AdminError(
                f"{tag}: the server closed the connection; is the password right? "
                f"{self._latest_error()}"
            )
        return answer

    def _latest_error(self) -> str:
        return f"It said: {self.errors[-1]}" if self.errors else ""

    def _send(self, data: bytes) -> None:
        self._writer.write(data)

    async def _listen(self) -> None:
        orderly = False
        try:
            orderly = await self._take_all()
        except Exception as error:
            self.errors.append(
                f"what the server sent could not be taken: {type(error).__name__}: {error}"
            )
        finally:
            self._end(orderly)  # whatever happened, nobody may wait for more

    async def _take_all(self) -> bool:
        """Take messages until the connection ends. Return whether the server said goodbye."""
        stream = MessageStream(StreamLimits.for_client())
        orderly = False
        while stream.is_open:
            try:
                data = await self._reader.read(_CHUNK)
            except OSError:
                data = b""
            stream.receive_data(data)
            for event in stream.events_received():
                if isinstance(event, Element):
                    self._take(decode_response(event))
                elif isinstance(event, StreamEnd):
                    orderly = event.orderly
                else:
                    assert isinstance(event, ProtocolError)
                    self.errors.append(event.reason)
        return orderly

    def _end(self, orderly: bool) -> None:
        self._closed = True
        for waiting in self._waiting:
            if not waiting.answer.done():
                waiting.answer.set_result(messages.ServerClose())
        for watching in self._watched.values():
            watching.end(orderly)
        self._writer.close()

    def _take(self, message: messages.Response) -> None:
        match message:
            case messages.Prepared():
                self._answer("prepare", None, message)
            case messages.Observed(room_id):
                self._answer("observe", room_id, message)
            case messages.ErrorPacket():
                self._refuse(message)
            case (
                messages.Memento(room_id)
                | messages.PausedNotice(room_id)
                | messages.RoomError(room_id)
                | messages.ResultMessage(room_id)
                | messages.Left(room_id)
            ):
                watching = self._watched.get(room_id)
                if watching is not None:
                    watching.take(message)
                if isinstance(message, messages.Left):
                    self._watched.pop(room_id, None)
                    self._games.pop(room_id, None)

    def _answer(self, tag: str, room_id: str | None, message: messages.Response) -> bool:
        """Give the answer to the oldest request it may belong to."""
        for waiting in self._waiting:
            if (
                waiting.tag == tag
                and room_id in (None, waiting.room_id)
                and not waiting.answer.done()
            ):
                waiting.answer.set_result(message)
                return True
        return False

    def _refuse(self, message: messages.ErrorPacket) -> None:
        """Find the request that an error is about.

        An error that names none belongs to the oldest that waits.
        """
        original = message.original
        tag = None if original is None else original.tag
        room_id = None if original is None else original.get("roomId")
        if tag is None and self._waiting:
            tag, room_id = self._waiting[0].tag, self._waiting[0].room_id
        if tag is not None and self._answer(tag, room_id, message):
            return
        self.errors.append(message.message)
        watching = None if room_id is None else self._watched.get(room_id)
        if watching is not None:
            watching.take(messages.RoomError(watching.room_id, message.message))
