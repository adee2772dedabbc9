"""A house bot that knows the shortest way to the goal and looks at every answer to every move.

What it knows about the race is in ``race.py``. It thinks two turns ahead, and
``searcher`` thinks further.
"""

from __future__ import annotations

import random

from spielleiter.games.hase_und_igel.bots.outlook import DECIDED, Option, Outlook, position_of
from spielleiter.games.hase_und_igel.bots.race import race_of
from spielleiter.games.hase_und_igel.rules.moves import HareMove
from spielleiter.games.hase_und_igel.rules.state import HareState
from spielleiter.rules import Clock


class PlannerPlayer:
    """Plays the move after which the opponent's best answer does the least harm."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)

    def on_start(self, state: HareState) -> None:
        """Make the tables of this board, before a move is asked for where there is time."""
        race_of(state.game.season, state.board)

    def choose(self, state: HareState, clock: Clock) -> HareMove:  # noqa: ARG002 - a few milliseconds, always
        outlook = Outlook(state)
        position = position_of(state)

        def worth(option: Option) -> float:
            at_sight, _, step = option
            if abs(at_sight) >= DECIDED:
                return at_sight
            answers = outlook.options(outlook.after(position, step))
            # The random part is less than any difference there is: it decides between equals only.
            return self._random.random() - answers[0][0]

        return max(outlook.options(position), key=worth)[2][0]
