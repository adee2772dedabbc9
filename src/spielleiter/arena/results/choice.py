"""Choose matches of a collection, by bot, result, seat and cause."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from spielleiter.arena.results.collection import SEATS, CollectedMatch
from spielleiter.rules import Cause

TROUBLE: Mapping[str, frozenset[Cause]] = {
    "time": frozenset({Cause.SOFT_TIMEOUT, Cause.HARD_TIMEOUT}),
    "crash": frozenset({Cause.LEFT}),
    "rule": frozenset({Cause.RULE_VIOLATION}),
}
"""What people call the causes. Who crashes has left."""


@dataclass(frozen=True, slots=True)
class Choice:
    """Which matches somebody wants to see. None asks for nothing."""

    bot: int | None = None
    opponent: int | None = None
    points: int | None = None
    """Of the bot."""
    seat: int | None = None
    """Of the bot."""
    causes: frozenset[Cause] | None = None
    """One of them ended the match, and it was the bot's if there is one."""
    numbers: frozenset[int] = frozenset()

    def __contains__(self, match: CollectedMatch) -> bool:
        if self.numbers and match.number not in self.numbers:
            return False
        seats = [seat for seat in range(SEATS) if self.bot is None or match.bots[seat] == self.bot]
        return any(self._fits(match, seat) for seat in seats)

    def _fits(self, match: CollectedMatch, seat: int) -> bool:
        return (
            (self.opponent is None or match.bots[1 - seat] == self.opponent)
            and (self.points is None or match.points[seat] == self.points)
            and (self.seat is None or seat == self.seat)
            and (self.causes is None or match.causes[seat] in self.causes)
        )
