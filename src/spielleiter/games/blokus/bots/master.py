"""The strongest house bot, which is there where the package ``spielleiter-engine`` is installed."""

from __future__ import annotations

from spielleiter.games.blokus.bots.planner import PlannerPlayer
from spielleiter.games.blokus.engine import BlokusEngine
from spielleiter.games.blokus.rules.moves import BlokusMove, SkipMove
from spielleiter.games.blokus.rules.state import BlokusState
from spielleiter.games.engines import EnginePlayer
from spielleiter.rules import Clock

SIMULATIONS = 2000


class MasterPlayer(EnginePlayer):
    """Plays what the engine thinks is best, and as ``planner`` does where that fails."""

    simulations = SIMULATIONS

    def __init__(self, seed: int) -> None:
        super().__init__(BlokusEngine(seed=seed), PlannerPlayer(seed))

    def choose(self, state: BlokusState, clock: Clock) -> BlokusMove:
        if not state.can_place(state.color):
            return SkipMove(state.color)
        move: BlokusMove = super().choose(state, clock)
        return move
