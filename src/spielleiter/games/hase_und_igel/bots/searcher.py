"""The strongest house bot, which looks as many turns ahead as its time allows.

It is an alpha-beta search with iterative deepening, and judges what it sees by the race. What a
position is worth at the end of a line is in ``race.py``.
"""

from __future__ import annotations

import random

from spielleiter.games.budget import Budget, OutOfTime
from spielleiter.games.hase_und_igel.bots.outlook import (
    DECIDED,
    WON,
    Option,
    Outlook,
    Position,
    position_of,
)
from spielleiter.games.hase_und_igel.bots.race import race_of
from spielleiter.games.hase_und_igel.rules.moves import HareMove
from spielleiter.games.hase_und_igel.rules.state import RED, HareState
from spielleiter.rules import Clock

NODES_BETWEEN_LOOKS = 32
"""Positions between two looks at the clock, less than a millisecond even on a slow machine."""
BUDGET = 2_000
"""How many positions to look at where the clock stands still.

There the same seed plays the same game.
"""

FULL_DEPTH_OPTIONS = 4
"""Moves that the race puts after so many better ones are first tried one turn less deep."""

_EXACT, _AT_LEAST, _AT_MOST = range(3)


class SearcherPlayer:
    """Plays the move that is best against the best answers, as far as it can see."""

    def __init__(self, seed: int, budget: int = BUDGET) -> None:
        self._random = random.Random(seed)
        self._budget = budget
        self._time = Budget()

    def on_start(self, state: HareState) -> None:
        """Make the tables of this board.

        A player who moves second, or waits for a paused match, has them before the first request.
        """
        race_of(state.game.season, state.board)

    def choose(self, state: HareState, clock: Clock) -> HareMove:
        outlook = Outlook(state)
        position = position_of(state)
        options = outlook.options(position)
        # The first of equals is played: let it be any of them.
        self._random.shuffle(options)
        options.sort(key=lambda option: -option[0])
        if len(options) > 1:
            self._time.start(clock)
            Search(outlook, self._time, self._budget).put_best_first(position, options)
        return options[0][2][0]


class Search:
    """One search for one move. ``depth`` and ``nodes`` tell afterwards how far it came."""

    def __init__(self, outlook: Outlook, time: Budget, budget: int) -> None:
        self._outlook = outlook
        self._time = time
        self._budget = budget
        # No limit is needed, since a search lasts two seconds at most and the next one begins with
        # an empty table.
        self._known: dict[Position, tuple[int, int, int, int]] = {}
        """Positions already searched.

        Each has how deep, the worth, whether it is a bound, and the place of the best move.
        """
        self.nodes = 0
        self.depth = 1

    def put_best_first(self, position: Position, options: list[Option]) -> None:
        """Search one turn deeper again and again, until time is up or the game is decided."""
        try:
            for depth in range(2, self._outlook.last_turn - position[2] + 1):
                worth = self._deepen(position, options, depth)
                self.depth = depth
                if abs(worth) >= DECIDED:
                    break
        except OutOfTime:
            pass

    def _deepen(self, position: Position, options: list[Option], depth: int) -> int:
        """Search every option, and put the best one first as soon as it is known to be better.

        So a search that time cuts short has not been for nothing.
        """
        best = -WON
        for number, option in enumerate(tuple(options)):
            worth = self._option_worth(position, option, number, depth, best, WON)
            if worth > best:
                best = worth
                options.remove(option)
                options.insert(0, option)
        return best

    def _worth(self, position: Position, depth: int, low: int, high: int) -> int:
        """Return what the position is worth to the hare to move.

        It is exact between ``low`` and ``high``, and a bound outside.
        """
        self.nodes += 1
        if self.nodes % NODES_BETWEEN_LOOKS == 0:
            self._look_at_clock()
        if depth == 1:
            return self._worth_at_sight(position, low, high)
        known = self._known.get(position)
        if known is not None:
            known_depth, worth, bound, _ = known
            if known_depth >= depth and (
                bound == _EXACT
                or (bound == _AT_LEAST and worth >= high)
                or (bound == _AT_MOST and worth <= low)
            ):
                return worth

        options = self._outlook.options(position)
        if known is not None:
            favourite = known[3]
            options.sort(
                key=lambda option: option[1] != favourite
            )  # stable: the others keep their order
        best, bound, place = -WON, _AT_MOST, options[0][1]
        for number, option in enumerate(options):
            worth = self._option_worth(position, option, number, depth, low, high)
            if worth > best:
                best, place = worth, option[1]
                if worth >= high:
                    bound = _AT_LEAST
                    break
                if worth > low:
                    low, bound = worth, _EXACT
        self._known[position] = depth, best, bound, place
        return best

    def _worth_at_sight(self, position: Position, low: int, high: int) -> int:
        """Return the worth of the best option as the race sees it."""
        options = self._outlook.options(position)
        best = options[0]
        if best[2][1] == self._outlook.goal and position[2] % 2 == RED:
            # Red in the goal has not won yet: blue has one more move, and the race knows nothing of
            # that (H11).
            worth = -self._worth(self._outlook.after(position, best[2]), 1, -high, -low)
            return max(worth, options[1][0]) if len(options) > 1 else worth
        return best[0]

    def _option_worth(
        self, position: Position, option: Option, number: int, depth: int, low: int, high: int
    ) -> int:
        """Return the same for one option, which is the ``number``-th that is tried."""
        worth, _, step = option
        if abs(worth) >= DECIDED:
            return worth
        after = self._outlook.after(position, step)
        if number > 0:
            # The first was probably the best. Ask of the others only whether they are better at
            # all, which is quickly answered, and of those that do not look like it, ask with less
            # depth first.
            if number >= FULL_DEPTH_OPTIONS and depth > 2:
                worth = -self._worth(after, depth - 2, -low - 1, -low)
                if worth <= low:
                    return worth
            worth = -self._worth(after, depth - 1, -low - 1, -low)
            if not low < worth < high:
                return worth
        return -self._worth(after, depth - 1, -high, -low)

    def _look_at_clock(self) -> None:
        now = self._time.look()
        if now >= self._time.stop or (now <= 0 and self.nodes >= self._budget):
            raise OutOfTime
