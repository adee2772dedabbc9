"""The strongest house bot, which is there where the package ``spielleiter-engine`` is installed.

The engine searches, and here is decided for how long, and what to play if it fails.
"""

from __future__ import annotations

from spielleiter.games.budget import Budget
from spielleiter.games.hase_und_igel.bots.planner import PlannerPlayer
from spielleiter.games.hase_und_igel.engine import HareEngine
from spielleiter.games.hase_und_igel.rules.moves import HareMove
from spielleiter.games.hase_und_igel.rules.state import HareState
from spielleiter.rules import Clock, PositionError

SIMULATIONS = 20_000
"""How many positions the engine looks at where the clock stands still, so that it plays the same
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
        self._engine = HareEngine(seed=seed)
        self._planner = PlannerPlayer(seed)
        self._budget = Budget(uses_all=True)

    def on_start(self, state: HareState) -> None:
        """Make the tables of this board, before a move is asked for where there is time."""
        self._engine.prepare(state)

    def choose(self, state: HareState, clock: Clock) -> HareMove:
        legal = state.legal_moves()
        if len(legal) == 1:
            return legal[0]
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
        if lines and lines[0].move in legal:
            move: HareMove = lines[0].move
            return move
        return self._planner.choose(state, clock)
