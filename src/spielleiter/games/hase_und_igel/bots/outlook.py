"""What the hare to move can do and what each move is worth at first sight.

This is the inner form in which ``planner`` and ``searcher`` think. Worth is counted in twelfths of
a turn ahead in the race, or says that the game is won or lost. Nothing is searched here.
"""

from __future__ import annotations

from spielleiter.games.hase_und_igel.bots.race import race_of
from spielleiter.games.hase_und_igel.rules.state import BLUE, HareState
from spielleiter.games.hase_und_igel.rules.steps import Runner, Step, steps, turn_bonus
from spielleiter.rules.frozen import replace

Position = tuple[Runner, Runner, int]
"""The hare to move with its bonus paid, the other before its bonus, and the turn."""

Option = tuple[int, int, Step]
"""What it is worth to the hare that moves, its place among the legal moves, counted down from 0,
and the step.
"""

WON = 100_000
DECIDED = WON - 10_000
"""Worth at least this, or at most its negative, means that the game is over.

A win is worth more if it comes sooner, by one for each turn. No season is 10,000 turns long.
"""


def position_of(state: HareState) -> Position:
    """Return a state in this form. More salads than a match has count as all of them."""
    most = state.game.season.start_salads
    me, other = (replace(state, turn=turn).runner() for turn in (state.turn, state.turn + 1))
    return _within_tables(me, most), _within_tables(other, most), state.turn


def _within_tables(runner: Runner, most: int) -> Runner:
    position, carrots, salads, cards, must_eat = runner
    return position, carrots, min(salads, most), cards, must_eat


class Outlook:
    """All that looking ahead on one board needs.

    Making one for a new board takes a tenth of a second.
    """

    def __init__(self, state: HareState) -> None:
        season = state.game.season
        self.last_turn, self.goal = season.last_turn, season.goal
        self._season = season
        self._board = state.board
        self._track = state.game.track_of(state.board)
        self._race = race_of(season, state.board)

    def options(self, position: Position) -> list[Option]:
        """Return every legal move, best first by what the race says."""
        me, other, turn = position
        found = steps(self._track, me, other[0])
        worths = self._race.leads(found, other)
        if turn % 2 == BLUE:
            # Only after blue's move the game can be over: in the goal (H11), or at the round limit
            # (H9).
            is_last = turn == self.last_turn - 1 or other[0] == self.goal
            for number, step in enumerate(found):
                if is_last or step[1] == self.goal:
                    # Where equal hares are a draw, that counts as lost: it is not a win either.
                    wins = (step[1], -step[2]) > (other[0], -other[1])  # H10
                    worths[number] = WON - turn if wins else turn - WON
        options = [
            (worth, -number, step)
            for number, (worth, step) in enumerate(zip(worths, found, strict=True))
        ]
        options.sort(reverse=True)
        return options

    def after(self, position: Position, step: Step) -> Position:
        """Return the position after one of the options, seen by the other hare.

        The option must not be one that ends the game.
        """
        _, other, turn = position
        field = other[0]
        bonus = turn_bonus(self._season, self._board[field], field, step[1])
        if bonus:
            other = (field, other[1] + bonus, other[2], other[3], other[4])
        return other, step[1:], turn + 1
