"""The strongest house bot, which looks as many moves ahead as the time allows.

Estimates come from ``evaluation.py``.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from spielleiter.games.blokus.bots.evaluation import FORM_SIZES, RatedMove, RatedPosition
from spielleiter.games.blokus.rules.bitboard import Placements, count_placements
from spielleiter.games.blokus.rules.moves import BlokusMove, SkipMove
from spielleiter.games.blokus.rules.state import BlokusState, placed
from spielleiter.games.budget import Budget, OutOfTime
from spielleiter.rules import Clock

BUDGET = 600
"""How many moves the bot rates before it answers where the clock stands still.

A rated move costs some 10 µs.
"""

ROOT_WIDTH, ROOT_MINIMUM = 16, 4
"""Moves looked at in the first round, and at least in every later one.

Each round drops the worst third.
"""
WIDTHS = (4, 4, 10, 8, 6, 5, 4)
"""Replies looked at, by the number of moves still to look ahead.

Beyond the table it is the last of them.

One estimate costs so little and a position has so many moves (400 in the middle of a game) that
looking at the best few of each position four to six moves deep beats looking at all of them two
deep. It also beats playing the games to the end at random: there is time for a few hundred games,
and chance says little about who shuts in whom.
"""
PLENTY = 60
"""Where the biggest pieces have so many places, replies with smaller ones are not looked at."""
REFUTATIONS = 2
"""How many moves that refuted another are remembered for each turn.

Tried first, they often refute the next one too.
"""
MARGIN = 0.01
"""Less than this makes no move better than another."""
SLICE = 8
"""Forms rated between two looks at the clock."""
INFINITY = 1e9


class SearcherPlayer:
    """Searches with alpha-beta over the four colours as two sides, one move deeper each round.

    A round looks at the most promising moves of the round before, one move deeper. So there is an
    answer at any time, and the best move of one round, looked at first in the next, cuts most of
    the others short. When a round has seen every line to the end of the game, the next looks at
    twice as many replies; when it left nothing out either, the game is solved and it answers at
    once.
    """

    def __init__(self, seed: int, budget: int = BUDGET) -> None:
        self._random = Random(seed)
        self._budget = budget
        self._time = Budget()

    def choose(self, state: BlokusState, clock: Clock) -> BlokusMove:
        found = state.placements()
        if not found:
            return SkipMove(state.color)
        position = RatedPosition(state)
        moves = position.rate_moves(found)
        self._random.shuffle(moves)  # the sort keeps the order of equal moves
        moves.sort(key=_value, reverse=True)
        if len(moves) > 1:
            self._time.start(clock)
            moves = [_Search(position, self._time, self._budget).best(moves)]
        _, form, index = moves[0]
        return placed(state.color, form, index)


def _value(move: RatedMove) -> float:
    return move[0]


def _promising(found: Placements) -> Placements:
    """Return the placements of the biggest pieces only, as long as there are plenty of them.

    Early in a game the best move is one of theirs.
    """
    biggest = max(FORM_SIZES[form] for form, _ in found)
    big = [choice for choice in found if FORM_SIZES[choice[0]] == biggest]
    return big if count_placements(big) >= PLENTY else found


class _Search:
    """One search, with the position it starts from, what it may spend and what it left out.

    What was left out is known for the current round only.
    """

    def __init__(self, position: RatedPosition, time: Budget, budget: int) -> None:
        self._start = position
        self._time = time
        self._budget = budget
        self._spent = 0
        self._refutations: dict[int, list[tuple[int, int]]] = {}
        self._widening = 1
        self._saw_horizon = False
        """Whether a line of this round was estimated instead of played to the end."""
        self._left_out = False
        """Whether a reply was not looked at in this round for lack of width."""

    def best(self, moves: list[RatedMove]) -> RatedMove:
        """Return the best of these moves, as far as the time allows to tell.

        The moves come sorted by their estimates.
        """
        best = moves[0]
        candidates, depth = moves[:ROOT_WIDTH], 1
        try:
            while True:
                self._saw_horizon, self._left_out = False, len(candidates) < len(moves)
                alpha, seen = -INFINITY, []
                for _, form, index in candidates:
                    value = self._value_above(alpha, form, index, depth)
                    seen.append((value, form, index))
                    if value > alpha:
                        alpha, best = value, seen[-1]
                # Moves that were cut short have at most the best one's value; the sort keeps it in
                # front of them.
                seen.sort(key=_value, reverse=True)
                if self._saw_horizon:
                    depth += 1
                    candidates = seen[: max(ROOT_MINIMUM, len(seen) * 2 // 3)]
                elif self._left_out:
                    self._widening *= 2
                    known = {move[1:] for move in seen}
                    rest = [move for move in moves if move[1:] not in known]
                    candidates = (seen + rest)[: ROOT_WIDTH * self._widening]
                else:
                    break
        except OutOfTime:
            pass
        return best

    def _value_above(self, alpha: float, form: int, index: int, depth: int) -> float:
        """Return what a first move is worth if that is more than ``alpha``.

        Otherwise return something up to ``alpha``.

        Most moves are not better than the best so far, and to show just that is much cheaper than
        to find out how bad they are. Only the few that turn out better are looked at again.
        """
        if alpha > -INFINITY:
            value = self._value_after(self._start, form, index, depth, alpha, alpha + MARGIN)
            if value < alpha + MARGIN:
                return min(value, alpha)
        return self._value_after(self._start, form, index, depth, alpha, INFINITY)

    def _value_after(
        self, position: RatedPosition, form: int, index: int, depth: int, alpha: float, beta: float
    ) -> float:
        """Return what a move is worth to the side making it, looking ``depth`` moves further."""
        after = position.after(form, index)
        # Where a rival is stuck, the same side moves again: then the bounds stay as they are.
        if after.seat == position.seat:
            return self._look(after, depth, alpha, beta)
        return -self._look(after, depth, -beta, -alpha)

    def _look(self, position: RatedPosition, depth: int, alpha: float, beta: float) -> float:
        """Return what a position is worth to the side on turn, looking ``depth`` moves ahead."""
        if not position.live:
            return position.lead
        self._check_time()
        found = position.placements()
        refutations = self._known_refutations(position.turn, found)
        if depth == 1:
            self._saw_horizon = True
            first = [(form, 1 << index) for form, index in refutations]
            value, form, index = max(self._rate(position, first + _promising(found), beta))
            if value >= beta:
                self._remember(position.turn, (form, index))
            return value
        best = -INFINITY
        for form, index in self._replies(position, found, refutations, depth):
            value = self._value_after(position, form, index, depth - 1, max(alpha, best), beta)
            if value > best:
                best = value
            if best >= beta:
                self._remember(position.turn, (form, index))
                break
        return best

    def _replies(
        self,
        position: RatedPosition,
        found: Placements,
        refutations: list[tuple[int, int]],
        depth: int,
    ) -> Iterator[tuple[int, int]]:
        """Yield the moves to look at, most promising first.

        The others are only rated if these do not suffice.
        """
        yield from refutations
        promising = _promising(found)
        moves = self._rate(position, promising)
        moves.sort(reverse=True)
        width = self._widening * WIDTHS[min(depth, len(WIDTHS) - 1)]
        if len(moves) > width or len(promising) < len(found):
            self._left_out = True
        for _, form, index in moves[:width]:
            if (form, index) not in refutations:
                yield form, index

    def _known_refutations(self, turn: int, found: Placements) -> list[tuple[int, int]]:
        """Return moves that refuted something in this turn before and are legal here."""
        known = self._refutations.get(turn)
        if not known:
            return []
        places = dict(found)
        return [(form, index) for form, index in known if places.get(form, 0) >> index & 1]

    def _remember(self, turn: int, move: tuple[int, int]) -> None:
        known = self._refutations.setdefault(turn, [])
        if move in known:
            known.remove(move)
        known.insert(0, move)
        del known[REFUTATIONS:]

    def _rate(
        self, position: RatedPosition, found: Placements, enough: float = INFINITY
    ) -> list[RatedMove]:
        """Return the estimates of these placements.

        They are made a few forms at a time, so that the clock is read every millisecond or so.
        """
        moves: list[RatedMove] = []
        for start in range(0, len(found), SLICE):
            self._check_time()
            rated = position.rate_moves(found[start : start + SLICE], enough)
            moves += rated
            self._spent += len(rated)
            if rated[-1][0] >= enough:
                break
        return moves

    def _check_time(self) -> None:
        """Raise OutOfTime once the bot has to answer."""
        now = self._time.look()
        if now >= self._time.stop or (now <= 0 and self._spent >= self._budget):
            raise OutOfTime
        self._spent += 1
