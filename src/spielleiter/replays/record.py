"""What remains of a match, which is positions, moves with their times, a complaint and the result.

These are values only. Files are written in ``saves.py``.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from spielleiter.match import MoveRecord
from spielleiter.rules import AnyGame, AnyState, Outcome, RuleViolation
from spielleiter.wire import writer
from spielleiter.wire.codec import AnyCodec
from spielleiter.wire.messages import Memento, ResultMessage, RoomError
from spielleiter.wire.responses import encode_response


@dataclass(frozen=True, slots=True)
class RecordedPosition:
    """A position of a match, with the hints of the move that led to it.

    ``seconds`` is the time that move took, None where it is not known.
    """

    state: AnyState
    hints: tuple[str, ...] = ()
    seconds: float | None = None


@dataclass(frozen=True, slots=True)
class RecordedComplaint:
    """The move of a seat that broke a rule and so ended a match."""

    seat: int
    violation: RuleViolation
    move: Any


@dataclass(slots=True)
class MatchRecord:
    """One match from first to last. Filled while it is played, then left alone."""

    codec: AnyCodec
    room_id: str
    names: tuple[str, ...] = ()
    shown: list[RecordedPosition] = field(default_factory=list)
    moves: list[MoveRecord] = field(default_factory=list)
    complaint: RecordedComplaint | None = None
    """The illegal move that ended it, if one did."""
    outcome: Outcome | None = None
    final: AnyState | None = None
    late: float | None = None
    """Seconds that the move took that came too late and ended it, if one did."""

    @property
    def game(self) -> AnyGame:
        return self.codec.game

    def format_replay(self) -> str:
        """Return the record as a replay file that the official tools of its season load too.

        Positions are rendered here, not kept as text: a match is some hundred kilobytes of XML.
        """
        room, dialect = self.room_id, self.codec.dialect
        packets = [
            encode_response(Memento(room, self._state(one), one.seconds), dialect)
            for one in self.shown
        ]
        if self.complaint is not None and dialect.replays_hold_errors:
            packets.append(self._error(self.complaint))
        if self.outcome is not None:
            assert self.final is not None
            text = self.codec.encode_outcome(self.outcome, self.final, self.names)
            packets.append(encode_response(ResultMessage(room, text), dialect))
        return writer.replay_text(packets)

    def _error(self, complaint: RecordedComplaint) -> str:
        codec, dialect = self.codec, self.codec.dialect
        name, move = self.names[complaint.seat], complaint.move
        message = codec.complaint(complaint.violation, move, name, to_offender=False)
        original = codec.encode_move(move, tag=dialect.original_tag)
        return encode_response(RoomError(self.room_id, message, original), dialect)

    def _state(self, shown: RecordedPosition) -> str:
        if self.outcome is not None and shown is self.shown[-1]:
            return self.codec.encode_last_state(shown.state, self.names, shown.hints, self.outcome)
        return self.codec.encode_state(shown.state, self.names, shown.hints)
