"""The third house bot, which looks one move ahead like ``greedy``, but estimates the end."""

from __future__ import annotations

from random import Random

from spielleiter.games.blokus.bots.evaluation import RatedPosition
from spielleiter.games.blokus.rules.moves import BlokusMove, SkipMove
from spielleiter.games.blokus.rules.state import BlokusState, placed
from spielleiter.rules import Clock


class PlannerPlayer:
    """Tries every placement and takes the one from which the game is likely to end best.

    What ``greedy`` cannot see, the estimate in ``evaluation.py`` does:

    1. A corner is worth what lies behind it. Not corners are counted but the squares they open.
    2. There are four colours and two sides: the bot's second colour counts as much as the one on
       turn, and what either rival can no longer reach is won.
    3. A big piece is placed while there is room, but not at any price; the smallest ones are kept
       for last.

    It does not ask what the opponent will answer. See ``searcher.py``.
    """

    def __init__(self, seed: int) -> None:
        self._random = Random(seed)

    def choose(self, state: BlokusState, clock: Clock) -> BlokusMove:  # noqa: ARG002
        found = state.placements()
        if not found:
            return SkipMove(state.color)
        rated = RatedPosition(state).rate_moves(found)
        best_value, _, _ = max(rated)
        _, form, index = self._random.choice([move for move in rated if move[0] == best_value])
        return placed(state.color, form, index)
