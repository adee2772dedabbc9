"""From one recorded position to the next by the rules.

Only computes; what it means is said by ``verifying``.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from spielleiter.rules import AnyState, Outcome, RuleViolation


def play_recorded(before: AnyState, after: AnyState) -> AnyState | RuleViolation | None:
    """Return where the move that is recorded with ``after`` leads from ``before``, or None if there
    is no move.
    """
    if after.last_move is None:
        return None
    try:
        return before.play(after.last_move)
    except RuleViolation as violation:
        return violation


def count_misfits(states: Sequence[AnyState], outcome: Outcome | None) -> int:
    """How many moves do not lead where the recording says, and whether it ended when it was not
    over.
    """
    misfits = sum(play_recorded(before, after) != after for before, after in pairwise(states))
    ended_early = outcome is not None and outcome.is_regular and not states[-1].is_over
    return misfits + ended_early
