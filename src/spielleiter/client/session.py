"""Turn bytes into events and moves into bytes, for a player's side of one connection.

It does no I/O, reads no clock and chooses no moves. As the documents ask of clients it is tolerant
and passes over unknown messages, elements and attributes. Which game and season is played follows
from the first position, so a reservation code is all a player needs.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from spielleiter.client.events import (
    Closed,
    ErrorReceived,
    Event,
    Ignored,
    MatchOver,
    MoveAsked,
    OtherGame,
    PauseShown,
    RoomLeft,
    SeatTaken,
    Started,
    StateShown,
    Unreadable,
)
from spielleiter.client.foresight import Foresight
from spielleiter.client.recognition import recognise
from spielleiter.games.recognition import variants
from spielleiter.rules import AnyGame, AnyState
from spielleiter.rules.frozen import frozen
from spielleiter.wire import messages, writer
from spielleiter.wire.codec import AnyCodec, ReceivedState
from spielleiter.wire.elements import Element
from spielleiter.wire.errors import CodecError, ProtocolError
from spielleiter.wire.limits import StreamLimits
from spielleiter.wire.requests import encode_request
from spielleiter.wire.responses import decode_response
from spielleiter.wire.stream import MessageStream, StreamEnd, parse_element

JoinMessage = messages.Join | messages.JoinPrepared | messages.JoinRoom

MOST_HINTS = 20
"""Sent with a move.

A server that is sent too much takes the player for a flood, and the game is lost.
"""
LONGEST_HINT = 500
"""Characters of one hint.

Each may become six bytes, and our own server takes 8192 for an element, 65536 for a move.
"""


@frozen
class Seen:
    """The latest position, both as read and as it came, parsed or as text."""

    state: AnyState
    names: tuple[str, ...]
    source: Element | str


def cut_hints(hints: Sequence[str]) -> list[str]:
    """Return as many and as much of them as may be sent with a move."""
    return [
        hint if len(hint) <= LONGEST_HINT else hint[: LONGEST_HINT - 3] + "..."
        for hint in hints[:MOST_HINTS]
    ]


class PlayerSession:
    """One connection of one player.

    ``game`` is what the player came for, or None to play whatever the room plays.
    """

    def __init__(
        self, join: JoinMessage, game: AnyGame | None = None, *, own_server: bool = False
    ) -> None:
        self._join = join
        self._expected = game
        self._own_server = own_server
        self._stream = MessageStream(StreamLimits.for_client())
        self._codec: AnyCodec | None = None
        self._color: str | None = None
        self._seen: Seen | None = None
        self._foresight: Foresight | None = None
        self._asked: AnyState | None = None
        self._latest_unreadable = False
        self._over = False
        self.room_id: str | None = None
        """The room we sit in, once the server has said."""
        self.seat: int | None = None
        """Our seat, once the server has said."""

    @property
    def codec(self) -> AnyCodec | None:
        """How this game is written, known from the first position on."""
        return self._codec

    @property
    def game(self) -> AnyGame | None:
        """The game that is really played, known from the first position on.

        Before that it is the one we came for.
        """
        return self._expected if self._codec is None else self._codec.game

    @property
    def state(self) -> AnyState | None:
        """The latest position."""
        return None if self._seen is None else self._seen.state

    @property
    def sends_hints(self) -> bool:
        """Whether hints go with a move.

        They do only where the server takes them, because other servers drop the player.
        """
        if self._codec is None:
            return False
        return self._codec.hints_allowed or (
            self._own_server and self._codec.dialect.hints_documented
        )

    # --- out --------------------------------------------------------------------------------------

    def opening(self) -> bytes:
        """Return the first bytes to send, which are the root and the request for a seat."""
        return writer.OPEN.encode() + writer.frame(encode_request(self._join))

    def move(self, move: Any, hints: Sequence[str] = ()) -> bytes:
        """Return the bytes of a move for the position that was asked about.

        Hints are left out where the server takes none.
        """
        if self._codec is None or self.room_id is None:
            raise RuntimeError("no move can be sent before the first position has come")
        sent = cut_hints(hints) if self.sends_hints else []
        return writer.frame(writer.room(self.room_id, self._codec.encode_move(move, sent)))

    def look_ahead(self, after: AnyState) -> None:
        """Expect the position after our move.

        Call it when the move is sent, while its author has nothing else to do. Then the position
        costs hardly anything when it comes.
        """
        if self._foresight is not None and self._seen is not None:
            self._foresight.expect(after, self._seen.names)

    def goodbye(self) -> bytes:
        """Return the last bytes to send.

        Closing the root is understood everywhere; some seasons want a word before it.
        """
        if self._codec is None or not self._codec.dialect.client_says_close:
            return writer.CLOSE.encode()
        closing = encode_request(messages.CloseRequest(), self._codec.dialect)
        return writer.frame(closing) + writer.CLOSE.encode()

    # --- in ---------------------------------------------------------------------------------------

    def receive_data(self, data: bytes) -> list[Event]:
        """Take bytes as they came and return the events they amount to. Never raises.

        No bytes mean that the server has closed the connection, or that it broke.
        """
        events: list[Event] = []
        while data:
            size = self._foresee(data, events)
            if not size:
                break
            if size == len(data):
                return events
            data = data[size:]
        self._stream.receive_data(data)
        return events + self._events()

    def receive_eof(self) -> list[Event]:
        """Note that the connection has ended, as ``receive_data(b"")`` does."""
        return self.receive_data(b"")

    def _events(self) -> list[Event]:
        events: list[Event] = []
        for received in self._stream.events_received():
            if isinstance(received, Element):
                message = decode_response(received)
                handle = _HANDLERS.get(type(message), PlayerSession._ignore)
                events += handle(self, message)
            elif isinstance(received, StreamEnd):
                events.append(Closed(received.orderly))
            else:
                assert isinstance(received, ProtocolError)
                events += [
                    Unreadable(f"the server sent something unreadable: {received.reason}"),
                    Closed(False),
                ]
        return events

    def _foresee(self, data: bytes, events: list[Event]) -> int:
        """Take the message that these bytes begin with if it is known what it must be.

        Return its size, or 0 if it has to be parsed.
        """
        seen, foresight = self._seen, self._foresight
        if seen is None or foresight is None:
            return 0
        if data.startswith(foresight.request):
            if not self._stream.pass_over(foresight.request):
                return 0
            events += self._move_request(messages.MoveRequest(foresight.room_id))
            return len(foresight.request)
        found = foresight.find_position(data, seen.state, seen.names)
        if found is None or not self._stream.pass_over(found.message):
            return 0
        self.room_id = foresight.room_id
        events.append(self._see(ReceivedState(found.state, seen.names), found.text))
        return len(found.message)

    def _see(self, received: ReceivedState[Any], source: Element | str) -> StateShown:
        """Note the latest position."""
        assert self._codec is not None
        assert self.room_id is not None
        self._latest_unreadable = False
        self._seen = Seen(received.state, received.names, source)
        known = self._foresight
        if known is None or known.codec is not self._codec or known.room_id != self.room_id:
            self._foresight = Foresight(self._codec, self.room_id)
        return StateShown(received.state, received.names, received.hints)

    def _joined(self, message: messages.Joined) -> list[Event]:
        self.room_id = message.room_id
        return [SeatTaken(message.room_id)]

    def _welcome(self, message: messages.Welcome) -> list[Event]:
        self._color = message.color
        # Some servers have been seen to leave out ``joined``; any room message names the room as
        # well.
        self.room_id = message.room_id
        self._find_seat()
        return []

    def _find_seat(self) -> None:
        """Set our seat once it is known.

        The welcome names a colour, and only the game knows which seat that is.
        """
        if self._codec is None or self._color is None:
            return
        names = [self._codec.seat_name(seat).lower() for seat in range(self._codec.game.seats)]
        color = self._color.strip().lower()
        if color in names:
            self.seat = names.index(color)

    def _memento(self, message: messages.Memento[Element]) -> list[Event]:
        self.room_id = message.room_id
        events: list[Event] = []
        is_first = self._codec is None
        if self._codec is None:
            self._codec = recognise(message.state, self._expected)
            if self._codec is None:
                kind = message.state.get("class")
                named = f" ({kind})" if kind else ""
                return [
                    Unreadable(
                        f"this room plays a game that nobody here knows{named}", must_leave=True
                    )
                ]
            self._find_seat()
            found, expected = self._codec.game, self._expected
            if expected is not None and found.game_type != expected.game_type:
                events.append(OtherGame(found, expected))
        try:
            received = self._codec.decode_state(message.state)
        except CodecError as error:
            self._latest_unreadable = True
            return [Unreadable(f"the server sent a position that cannot be read: {error}")]
        shown = self._see(received, message.state)
        if is_first:
            events.append(Started(self.seat, received.state))
        return [*events, shown]

    def _move_request(self, message: messages.MoveRequest) -> list[Event]:
        if self._seen is None or self._codec is None:
            return [
                Unreadable(
                    "the server asks for a move before any position that we can read",
                    must_leave=True,
                )
            ]
        if message.room_id != self.room_id:
            return [
                Ignored(f"a request for a move in room {message.room_id}, in which we do not sit")
            ]
        if self._latest_unreadable:
            return [
                Unreadable(
                    "the server asks for a move in a position that we cannot read", must_leave=True
                )
            ]
        if self._seen.state.is_over:
            self._seen = self._going_on(self._seen)
        state = self._seen.state
        if state == self._asked:
            # Official servers ask again when a paused game goes on; a second answer would be out of
            # turn.
            return [Ignored("a second request for the same move")]
        self._asked = state
        if self.seat is None:
            self.seat = state.seat
        return [MoveAsked(state)]

    def _going_on(self, seen: Seen) -> Seen:
        """Find another variant that goes on where the server plays on after an end that we know."""
        # The wire does not say which variant a room plays. The end is where variants differ, so
        # there is the first place where it shows.
        assert self._codec is not None
        source = seen.source
        element = parse_element(source) if isinstance(source, str) else source
        for codec in variants(self._codec):
            try:
                state = codec.decode_state(element).state
            except CodecError:
                continue
            if not state.is_over:
                self._codec = codec
                self._foresight = None
                return Seen(state, seen.names, element)
        return seen

    def _result(self, message: messages.ResultMessage[Element]) -> list[Event]:
        self._over = True
        if self._codec is None:
            # Until 2021 joined comes when all are there (W42): if the opponent never comes, the
            # result is the first thing we hear.
            came = (
                [] if self.room_id is not None else self._joined(messages.Joined(message.room_id))
            )
            return [*came, Unreadable("a result came before any position"), MatchOver(None)]
        try:
            return [MatchOver(self._codec.decode_outcome(message.data))]
        except CodecError as error:
            return [
                Unreadable(f"the server sent a result that cannot be read: {error}"),
                MatchOver(None),
            ]

    def _left(self, message: messages.Left) -> list[Event]:
        events: list[Event] = [RoomLeft(message.room_id)]
        if not self._over:
            self._over = True
            events.insert(0, MatchOver(None))
        return events

    def _error(self, message: messages.RoomError[Element] | messages.ErrorPacket) -> list[Event]:
        return [ErrorReceived(message.message or "the server complains without saying about what")]

    def _paused(self, message: messages.PausedNotice) -> list[Event]:
        return [PauseShown(message.paused)]

    def _ignore(self, message: messages.Response) -> list[Event]:
        if isinstance(message, messages.UnknownServerMessage):
            return [Ignored(message.reason)]
        return [Ignored(f"{type(message).__name__} is nothing for a player")]

    def _closing(self, message: messages.ServerClose) -> list[Event]:  # noqa: ARG002
        return []  # the end of the stream follows


_HANDLERS: Mapping[type, Callable[[PlayerSession, Any], list[Event]]] = {
    messages.Joined: PlayerSession._joined,
    messages.Welcome: PlayerSession._welcome,
    messages.Memento: PlayerSession._memento,
    messages.MoveRequest: PlayerSession._move_request,
    messages.ResultMessage: PlayerSession._result,
    messages.Left: PlayerSession._left,
    messages.RoomError: PlayerSession._error,
    messages.ErrorPacket: PlayerSession._error,
    messages.PausedNotice: PlayerSession._paused,
    messages.ServerClose: PlayerSession._closing,
}
