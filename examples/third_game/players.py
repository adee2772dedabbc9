"""The house bots of Vier gewinnt, weakest first.

They choose by looking at states. Nothing here knows the rules.
"""

from __future__ import annotations

import random

from spielleiter.rules import Clock, PlayerFactory

from .rules import WIDTH, Drop, Position


class RandomPlayer:
    """A player to whom any legal move is as good as any other."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)

    def choose(self, state: Position, clock: Clock) -> Drop:  # noqa: ARG002  time does not matter to it
        return self._random.choice(state.legal_moves())


class GreedyPlayer:
    """Looks one move ahead for itself and one for the opponent, then likes the middle.

    Ties are drawn by lot.
    """

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)

    def choose(self, state: Position, clock: Clock) -> Drop:  # noqa: ARG002  it needs no time worth counting
        moves = state.legal_moves()
        return max(moves, key=lambda move: (_value(state, move), self._random.random()))


def _value(state: Position, move: Drop) -> float:
    """Return how good a move is.

    One that wins has 1000, one that lets the opponent win about -100. Of the others those near the
    middle are better.
    """
    after = state.play(move)
    if after.winner == state.seat:
        return 1000
    danger = any(after.play(reply).winner is not None for reply in after.legal_moves())
    return (-100 if danger else 0) - abs(move.column - WIDTH // 2)


PLAYERS: dict[str, PlayerFactory] = {"random": RandomPlayer, "greedy": GreedyPlayer}
