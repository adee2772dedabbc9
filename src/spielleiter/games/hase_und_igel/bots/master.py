"""The strongest house bot, which is there where the package ``spielleiter-engine`` is installed."""

from __future__ import annotations

from spielleiter.games.engines import EnginePlayer
from spielleiter.games.hase_und_igel.bots.planner import PlannerPlayer
from spielleiter.games.hase_und_igel.engine import HareEngine
from spielleiter.games.hase_und_igel.rules.moves import HareMove
from spielleiter.games.hase_und_igel.rules.state import HareState
from spielleiter.rules import Clock

SIMULATIONS = 20_000


class MasterPlayer(EnginePlayer):
    """Plays what the engine thinks is best, and as ``planner`` does where that fails."""

    simulations = SIMULATIONS

    def __init__(self, seed: int) -> None:
        self._hare_engine = HareEngine(seed=seed)
        super().__init__(self._hare_engine, PlannerPlayer(seed))

    def on_start(self, state: HareState) -> None:
        """Make the tables of this board, before a move is asked for where there is time."""
        self._hare_engine.prepare(state)

    def choose(self, state: HareState, clock: Clock) -> HareMove:
        legal = state.legal_moves()
        if len(legal) == 1:
            return legal[0]
        move: HareMove = super().choose(state, clock)
        return move
