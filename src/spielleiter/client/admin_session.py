"""Turn bytes into answers and events and requests into bytes, for an administrator's connection.

No I/O, no clock, no waiting. ``client.admin`` puts sockets around it.

Servers answer requests in their own time and mix the answers with what happens in the rooms. A
request that is answered is a Question here, and what comes back names it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

from spielleiter.client.events import (
    ErrorReceived,
    Event,
    MatchOver,
    PauseShown,
    RoomLeft,
    StateShown,
)
from spielleiter.client.recognition import recognise
from spielleiter.rules import AnyGame
from spielleiter.rules.frozen import frozen
from spielleiter.wire import messages, writer
from spielleiter.wire.codec import AnyCodec
from spielleiter.wire.dialects import BASE, Dialect
from spielleiter.wire.elements import Element, encode_element
from spielleiter.wire.errors import CodecError
from spielleiter.wire.limits import StreamLimits
from spielleiter.wire.messages import Slot
from spielleiter.wire.requests import encode_request
from spielleiter.wire.responses import decode_response
from spielleiter.wire.stream import MessageStream, StreamEnd

_KEPT_ERRORS = 100
_LOGIN = "authenticate"


class AdminError(Exception):
    """The server refused a request or went away. The message says which, and why."""


@frozen
class PreparedRoom:
    """A room that waits for its players.

    It has one code for each reserved seat, in the order of the seats.
    """

    room_id: str
    codes: tuple[str, ...]


@frozen(eq=False)
class Question:
    """A request that the server answers.

    ``data`` is what to send. ``room_id`` is set where the answer names it.
    """

    tag: str
    data: bytes
    room_id: str | None = None
    game: AnyGame | None = None


@frozen
class RoomPrepared:
    """The room that was asked for is there."""

    question: Question
    room: PreparedRoom


@frozen
class RoomObserved:
    """From now on the room that was asked for is shown."""

    question: Question


@frozen
class RequestRefused:
    """There is no good answer to this question. ``reason`` is a sentence for people."""

    question: Question
    reason: str


@frozen
class Happened:
    """Something happened in a room that is watched. The last event of a room is RoomLeft."""

    room_id: str
    event: Event


@frozen
class RoomTold:
    """Somebody has joined this room. Servers tell it of rooms that nobody prepared."""

    room_id: str


@frozen
class Ended:
    """The connection is over. ``orderly`` says whether the server said goodbye."""

    orderly: bool


AdminAnswer = RoomPrepared | RoomObserved | RequestRefused
AdminEvent = AdminAnswer | Happened | RoomTold | Ended
"""What bytes amount to. Ended is the last one."""


class AdminSession:
    """One connection of one administrator."""

    def __init__(self) -> None:
        self._stream = MessageStream(StreamLimits.for_client())
        self._waiting: list[Question] = []
        self._watched: dict[str, _WatchedRoom] = {}
        self._games: dict[str, AnyGame] = {}
        self._orderly: bool | None = None
        self.errors: deque[str] = deque(maxlen=_KEPT_ERRORS)
        """The latest complaints that belong to no request waiting for an answer."""

    @property
    def is_open(self) -> bool:
        """Whether something can still be asked and may still come."""
        return self._orderly is None

    # --- out --------------------------------------------------------------------------------------

    def opening(self, password: str) -> bytes:
        """Return the first bytes to send, which are the root and the password.

        A good password has no answer.
        """
        # Seasons name the attribute differently, and every server passes over the one it does not
        # know.
        login = Element(_LOGIN, {"password": password, "passphrase": password})
        return writer.OPEN.encode() + writer.frame(encode_element(login))

    def prepare(
        self,
        game: AnyGame,
        slots: Sequence[Slot],
        *,
        paused: bool = False,
        seed: int | None = None,
        revision: str | None = None,
    ) -> Question:
        """Ask for a room. Raises AdminError if the connection is over."""
        codec = game.codecs[revision] if revision else next(iter(game.codecs.values()))
        request = messages.Prepare(
            game.game_type, paused, tuple(slots), seed=seed, revision=revision, variant=game.id
        )
        return self._ask("prepare", request, codec.dialect, game=game)

    def observe(self, room_id: str) -> Question:
        """Ask to be shown a room. Raises AdminError if the connection is over."""
        question = self._ask("observe", messages.Observe(room_id), room_id=room_id)
        # The room may be shown before the answer comes, so it is watched from now on.
        self._watched[room_id] = _WatchedRoom(room_id, self._games.get(room_id))
        return question

    def tell(self, request: messages.Pause | messages.Step | messages.Cancel) -> bytes:
        """Return the bytes of a request without an answer. Raises AdminError if it is too late."""
        if not self.is_open:
            raise AdminError("the connection to the server is closed")
        return writer.frame(encode_request(request))

    def forget(self, question: Question) -> None:
        """Wait for the answer to this question no longer. Nothing happens if there was one."""
        if question not in self._waiting:
            return
        self._waiting.remove(question)
        if question.tag == "observe" and question.room_id is not None:
            self._watched.pop(question.room_id, None)

    def goodbye(self) -> bytes:
        """Return the last bytes to send."""
        return writer.CLOSE.encode() if self.is_open else b""

    def _ask(
        self,
        tag: str,
        request: messages.Request,
        dialect: Dialect = BASE,
        *,
        room_id: str | None = None,
        game: AnyGame | None = None,
    ) -> Question:
        if not self.is_open:
            raise AdminError(f"{tag}: the connection to the server is closed")
        question = Question(tag, writer.frame(encode_request(request, dialect)), room_id, game)
        self._waiting.append(question)
        return question

    # --- in ---------------------------------------------------------------------------------------

    def receive_data(self, data: bytes) -> list[AdminEvent]:
        """Take bytes as they came and return what they amount to. No bytes mean the end."""
        self._stream.receive_data(data)
        events: list[AdminEvent] = []
        orderly = False
        for received in self._stream.events_received():
            if isinstance(received, Element):
                events += self._take(decode_response(received))
            elif isinstance(received, StreamEnd):
                orderly = received.orderly
            else:
                self.errors.append(received.reason)
        if self._stream.is_open or not self.is_open:
            return events
        return events + self.end(orderly)

    def end(self, orderly: bool = False) -> list[AdminEvent]:
        """Say that the connection is over and return what that means to whoever still waits.

        It may be said again. How the connection really ended is remembered.
        """
        if self._orderly is None:
            self._orderly = orderly
        said = f" It said: {self.errors[-1]}" if self.errors else ""
        reason = f"the server closed the connection; is the password right?{said}"
        refusals = [
            RequestRefused(question, f"{question.tag}: {reason}") for question in self._waiting
        ]
        return [*refusals, Ended(self._orderly)]

    def _take(self, message: messages.Response) -> list[AdminEvent]:
        match message:
            case messages.Prepared(room_id, codes):
                return self._prepared(PreparedRoom(room_id, codes))
            case messages.Observed(room_id):
                question = self._answered("observe", room_id)
                return [] if question is None else [RoomObserved(question)]
            case messages.JoinedGameRoom(room_id):
                return [RoomTold(room_id)]
            case messages.ErrorPacket():
                return self._refused(message)
            case (
                messages.Memento(room_id)
                | messages.PausedNotice(room_id)
                | messages.RoomError(room_id)
                | messages.ResultMessage(room_id)
            ):
                return self._happened(room_id, message)
            case messages.Left(room_id):
                events = self._happened(room_id, message)
                self._watched.pop(room_id, None)
                self._games.pop(room_id, None)
                return events
        return []

    def _prepared(self, room: PreparedRoom) -> list[AdminEvent]:
        question = self._answered("prepare", None)
        if question is None:
            return []
        assert question.game is not None
        self._games[room.room_id] = question.game
        return [RoomPrepared(question, room)]

    def _happened(self, room_id: str, message: messages.Response) -> list[AdminEvent]:
        room = self._watched.get(room_id)
        return [] if room is None else [Happened(room_id, event) for event in room.take(message)]

    def _answered(self, tag: str, room_id: str | None) -> Question | None:
        """Take the oldest question that an answer may belong to."""
        for question in self._waiting:
            if question.tag == tag and room_id in (None, question.room_id):
                self._waiting.remove(question)
                return question
        return None

    def _refused(self, message: messages.ErrorPacket) -> list[AdminEvent]:
        """Find the request that an error is about, and refuse it."""
        # Answers carry no number. Some servers quote the request that they refuse, others do not.
        # Servers answer one after the other, so what names no request belongs to the oldest one.
        original = message.original
        tag = None if original is None else original.tag
        room_id = None if original is None else original.get("roomId")
        if tag == _LOGIN:  # some servers keep the connection open then, and answer nothing on it
            self.errors.append(message.message)
            return self.end()
        if tag is None and self._waiting:
            tag, room_id = self._waiting[0].tag, self._waiting[0].room_id
        question = None if tag is None else self._answered(tag, room_id)
        if question is not None:
            if question.tag == "observe" and question.room_id is not None:
                self._watched.pop(question.room_id, None)
            return [
                RequestRefused(question, f"{question.tag}: the server refused: {message.message}")
            ]
        self.errors.append(message.message)
        if room_id is None:
            return []
        return self._happened(room_id, messages.RoomError(room_id, message.message))


class _WatchedRoom:
    """What is known of a room that is watched."""

    def __init__(self, room_id: str, game: AnyGame | None) -> None:
        self._room_id = room_id
        self._expected = game
        self._codec: AnyCodec | None = None
        self._result_seen = False

    def take(self, message: messages.Response) -> list[Event]:
        match message:
            case messages.Memento(state=element):
                return [self._shown(element)]
            case messages.PausedNotice(paused=paused):
                return [PauseShown(paused)]
            case messages.RoomError(message=text):
                return [ErrorReceived(text)]
            case messages.ResultMessage(data=data):
                self._result_seen = True
                return [self._outcome(data)]
            case messages.Left():
                end = [] if self._result_seen else [MatchOver(None)]
                return [*end, RoomLeft(self._room_id)]
        return []

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
        if codec is None and self._expected is not None:
            # A match may end before any position was shown.
            codec = next(iter(self._expected.codecs.values()))
        if codec is None:
            return MatchOver(None)
        try:
            return MatchOver(codec.decode_outcome(data), codec.decode_names(data))
        except CodecError:
            return MatchOver(None)
