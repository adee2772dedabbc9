"""From one recorded position to the next by the rules.

It only computes. What a difference means is said by ``verification``.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from spielleiter.rules import AnyState, Outcome, RuleViolation


def play_recorded(before: AnyState, after: AnyState) -> AnyState | RuleViolation | None:
    """Return where the move that is recorded with ``after`` leads from ``before``.

    Return None if no move is recorded, and the violation if the move is not legal.
    """
    if after.last_move is None:
        return None
    try:
        return before.play(after.last_move)
    except RuleViolation as violation:
        return violation


def count_misfits(states: Sequence[AnyState], outcome: Outcome | None) -> int:
    """Return how many moves do not lead where the recording says.

    A regular result before the end of the game counts as one more.
    """
    misfits = sum(play_recorded(before, after) != after for before, after in pairwise(states))
    ended_early = outcome is not None and outcome.is_regular and not states[-1].is_over
    return misfits + ended_early
