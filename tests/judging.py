"""Matches to be judged, and somebody who judges them as a test wants."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Any

from spielleiter.rules import AnyGame, AnyState
from spielleiter.rules.engine import Line


def random_match(game: AnyGame, seed: int) -> list[Any]:
    """Return all positions of a match in which every move is equally likely, skips left out."""
    random = Random(seed)
    states: list[Any] = [game.start(seed)]
    while not states[-1].is_over:
        moves = list(states[-1].legal_moves())
        placed = [move for move in moves if not str(move).endswith("skip")]
        states.append(states[-1].play(random.choice(placed or moves)))
    return states


class ToldThinker:
    """Judges as it is told, and notes which positions it was asked about."""

    def __init__(
        self,
        judge: Callable[[AnyState], Line],
        slips: tuple[float, float, float] = (3.0, 7.0, 14.0),
    ) -> None:
        self._judge = judge
        self._slips = slips
        self.asked: list[AnyState] = []

    def slips(self, game: AnyGame) -> tuple[float, float, float]:
        return self._slips

    def analyse(self, state: AnyState, seconds: float, *, lines: int = 5) -> Sequence[Line]:
        self.asked.append(state)
        return [self._judge(state)]


def first_move(state: AnyState) -> Any:
    """Return the first of the legal moves."""
    return state.legal_moves()[0]
