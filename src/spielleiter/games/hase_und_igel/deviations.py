"""Where the official server of Hase und Igel is known to differ from the rules.

Each entry names its ruling (docs/rulings.md). What is not listed here is a difference.
"""

from __future__ import annotations

from spielleiter.rules import Cause, Deviations, Outcome

HALF_A_MOVE = "18.2.6 counts what an illegal move did before it was found illegal (W83)"


class HareDeviations(Deviations):
    """The known faults of the server of 2018."""

    def explain_outcome(
        self,
        revision: str,
        expected: Outcome,
        found: Outcome,
        *,
        over: bool,  # noqa: ARG002
    ) -> str | None:
        """Explain a result in which only the offender's own numbers differ."""
        offenders = [
            seat for seat, line in enumerate(found.seats) if line.cause is Cause.RULE_VIOLATION
        ]
        if revision != "2018" or len(offenders) != 1:
            return None
        others = [seat for seat in range(len(found.seats)) if seat not in offenders]
        same_points = [line.points for line in found.seats] == [
            line.points for line in expected.seats
        ]
        same_scores = all(found.scores[seat] == expected.scores[seat] for seat in others)
        return HALF_A_MOVE if same_points and same_scores else None
