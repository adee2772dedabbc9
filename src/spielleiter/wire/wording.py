"""Word the referee's decisions as a season does, with the players' names in the sentences.

The sentences themselves stand in the codecs and dialects. Here they meet the names. It fits
``spielleiter.match.Wording`` without knowing it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from spielleiter.rules import AnyGame, Departure, RuleViolation, Text
from spielleiter.wire.codec import AnyCodec
from spielleiter.wire.dialects import BASE, Dialect


class PlainWording:
    """Words the decisions about a game that has no codec yet.

    What broke a rule is told as the rules tell it, and everything else in the base dialect.
    """

    def __init__(self, names: Sequence[str], dialect: Dialect = BASE) -> None:
        self._names = names
        self._dialect = dialect

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
        return self._dialect.out_of_turn(other, label, self._described(move))

    def soft_timeout(self, seat: int, seconds: float) -> Text:
        return self._dialect.soft_timeout_reason(self._called(seat), seconds)

    def hard_timeout(self, seat: int, seconds: float) -> Text:
        return self._dialect.hard_timeout_reason(self._called(seat), seconds)

    def violation(self, seat: int, violation: RuleViolation, move: Any) -> Text:  # noqa: ARG002
        return violation.text

    def _called(self, seat: int) -> str:
        return self._dialect.called(seat, self._names[seat])

    def _described(self, move: Any) -> str:
        return str(move)


class SeasonWording(PlainWording):
    """Words the decisions in one revision of one season. It knows names, not peers."""

    def __init__(self, codec: AnyCodec, names: Sequence[str]) -> None:
        super().__init__(names, codec.dialect)
        self._codec = codec

    def violation(self, seat: int, violation: RuleViolation, move: Any) -> Text:
        return self._codec.violation_reason(violation, move, self._called(seat))

    def complaint(
        self,
        seat: int,
        move: Any,
        *,
        violation: RuleViolation | None,
        how: Departure | None,
        expected: int,
        to_offender: bool,
    ) -> str:
        """Return what is said about a move that broke a rule, or else came unasked."""
        if violation is not None:
            name = self._names[seat]
            return self._codec.complaint(violation, move, name, to_offender=to_offender)
        assert how is not None
        return self.protest(seat, how, expected, move)

    def _described(self, move: Any) -> str:
        return self._codec.describe_move(move)


def wording_for(game: AnyGame, names: Sequence[str]) -> PlainWording:
    """Return the wording of the game's own season, or a plain one if it has no codec yet."""
    codec = next(iter(game.codecs.values()), None)
    return PlainWording(names) if codec is None else SeasonWording(codec, names)
