"""The sentences of a season about what happened in a match, with the players' names in them."""

from __future__ import annotations

from typing import Any

from spielleiter.rules import Departure, RuleViolation, Text
from spielleiter.wire.codec import AnyCodec


class SeasonWording:
    """What the referee's decisions are called, in one revision of one season.

    Knows names, not peers.
    """

    def __init__(self, codec: AnyCodec, names: tuple[str, ...]) -> None:
        self._codec = codec
        self._dialect = codec.dialect
        self._names = names

    def left(self, seat: int, how: Departure, expected: int, move: Any) -> Text:
        called = self._called(seat)
        if how in (Departure.OUT_OF_TURN, Departure.UNREQUESTED):
            return self._dialect.disorder_reason(called, self.protest(seat, how, expected, move))
        return self._dialect.left_reason(called, how)

    def protest(self, seat: int, how: Departure, expected: int, move: Any) -> str:
        """Return what is said about a move that nobody asked for."""
        label = self._dialect.label(seat, self._names[seat])
        if how is Departure.UNREQUESTED:
            return self._dialect.unrequested(label)
        other = self._dialect.label(expected, self._names[expected])
        return self._dialect.out_of_turn(other, label, self._codec.describe_move(move))

    def soft_timeout(self, seat: int, seconds: float) -> Text:
        return self._dialect.soft_timeout_reason(self._called(seat), seconds)

    def hard_timeout(self, seat: int, seconds: float) -> Text:
        return self._dialect.hard_timeout_reason(self._called(seat), seconds)

    def violation(self, seat: int, violation: RuleViolation, move: Any) -> Text:
        return self._codec.violation_reason(violation, move, self._called(seat))

    def _called(self, seat: int) -> str:
        return self._dialect.called(seat, self._names[seat])
