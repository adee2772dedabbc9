"""Foresee what a server says next, so that it need not be parsed.

A position that a server shows is nearly always the one before with a move played, and our codecs
write positions as the servers do. So the move alone is read, played and the position written, and
if that is byte for byte what came, then that is the position. Whatever differs in any way is for
the parser and the codec. Whether it would come out the same there is what the contract of games
says of their codecs.
"""

from __future__ import annotations

from spielleiter.rules import AnyState
from spielleiter.rules.frozen import frozen
from spielleiter.wire import messages, writer
from spielleiter.wire.codec import AnyCodec
from spielleiter.wire.elements import Element
from spielleiter.wire.responses import encode_response
from spielleiter.wire.stream import MessageStream

MOST_MISSES = 3
"""One after the other. A server that writes in another way will do so to the end."""
_MOVE_BEGINS = (b"<lastMove ", b"<lastMove>")
_MOVE_ENDS = b"</lastMove>"
_LONGEST_MOVE = 4096
"""Bytes. Moves have 100 to 400."""


@frozen
class Foreseen:
    """A position that is expected."""

    state: AnyState
    text: str
    """Its XML."""
    message: bytes
    """How the server shows it."""


class Foresight:
    """What can be foreseen in one room."""

    def __init__(self, codec: AnyCodec, room_id: str) -> None:
        self.codec = codec
        self.room_id = room_id
        request = messages.MoveRequest(room_id)
        self.request = writer.frame(encode_response(request, codec.dialect))
        """How the server asks for a move."""
        self._head, self._tail = writer.state_frame(room_id)
        self._expected: Foreseen | None = None
        self._misses = 0
        self._moves = MessageStream()
        self._moves.receive_data(writer.OPEN.encode())

    def expect(self, after: AnyState, names: tuple[str, ...]) -> None:
        """Expect this position next. Without that it is found when it comes."""
        self._expected = self._foreseen(after, names)

    def find_position(
        self, data: bytes, before: AnyState, names: tuple[str, ...]
    ) -> Foreseen | None:
        """Return the position that these bytes begin with, if it was foreseen."""
        expected, self._expected = self._expected, None
        if expected is not None and data.startswith(expected.message):
            self._misses = 0
            return expected
        if self._misses >= MOST_MISSES or not data.startswith(self._head):
            return None
        after = self._play(data, before)
        expected = None if after is None else self._foreseen(after, names)
        if expected is None:
            return None
        if data.startswith(expected.message):
            self._misses = 0
            return expected
        if not expected.message.startswith(data):  # else the rest is still on its way
            self._misses += 1
        return None

    def _foreseen(self, state: AnyState, names: tuple[str, ...]) -> Foreseen | None:
        if self._misses >= MOST_MISSES:
            return None
        try:
            text = self.codec.encode_state(state, names)
        except Exception:  # whatever it is, the parser will do without
            self._misses = MOST_MISSES
            return None
        return Foreseen(state, text, self._head + writer.shift_state(text) + self._tail)

    def _play(self, data: bytes, before: AnyState) -> AnyState | None:
        """Return the position after the move that is told in these bytes, if there is one."""
        begins = max(data.find(tag) for tag in _MOVE_BEGINS)
        ends = data.find(_MOVE_ENDS, begins, begins + _LONGEST_MOVE)
        if begins < 0 or ends < 0:
            return None
        try:
            self._moves.receive_data(data[begins : ends + len(_MOVE_ENDS)])
            (element,) = self._moves.events_received()
            assert isinstance(element, Element)
            move = self.codec.decode_last_move(element, before)
            # The contract does not say that hints come back with a position.
            return None if move.hints or move.discarded else before.play(move.move)
        except Exception:  # whatever it is, the parser and the codec will say it in words
            self._misses += 1
            return None
