"""The strongest house bot, which is there where the package ``spielleiter-engine`` is installed.

The engine searches, and here is decided for how long, and what to play if it fails.
"""

from __future__ import annotations

from spielleiter.games.blokus.bots.planner import PlannerPlayer
from spielleiter.games.blokus.engine import BlokusEngine
from spielleiter.games.blokus.rules.moves import BlokusMove, SkipMove
from spielleiter.games.blokus.rules.state import BlokusState
from spielleiter.games.budget import Budget
from spielleiter.rules import Clock, PositionError

SIMULATIONS = 2000
"""How often the engine looks at a position where the clock stands still, so that it plays the same
game again.
"""
PATIENCE = 60.0
"""Seconds after which it answers there, too."""
LEAST_SECONDS = 0.001


class MasterPlayer:
    """Plays what the engine thinks is best, and keeps its search from move to move.

    Where the engine refuses a position or answers with a move that is not legal, ``planner``
    chooses, which needs a few milliseconds.
    """

    def __init__(self, seed: int) -> None:
        self._engine = BlokusEngine(seed=seed)
        self._planner = PlannerPlayer(seed)
        self._budget = Budget(uses_all=True)

    def choose(self, state: BlokusState, clock: Clock) -> BlokusMove:
        if not state.can_place(state.color):
            return SkipMove(state.color)
        self._budget.start(clock)
        stands_still = clock.elapsed <= 0
        seconds = PATIENCE if stands_still else self._budget.stop - clock.elapsed
        try:
            lines = self._engine.think(
                state,
                max(LEAST_SECONDS, seconds),
                lines=1,
                simulations=SIMULATIONS if stands_still else None,
            )
        except PositionError:
            lines = []
        # An answer that came late says how long others ran meanwhile. Later moves take less time.
        self._budget.note_gap(clock.elapsed - self._budget.stop)
        if lines and state.is_legal(lines[0].move):
            move: BlokusMove = lines[0].move
            return move
        return self._planner.choose(state, clock)
