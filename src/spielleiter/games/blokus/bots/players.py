"""The house bots for Blokus, weakest first, and the code of the first two, which are small lessons.

``planner.py`` and ``searcher.py`` hold the stronger ones; docs/house-bots.md says how strong they
are.
"""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

from spielleiter.games.blokus.bots.planner import PlannerPlayer
from spielleiter.games.blokus.bots.searcher import SearcherPlayer
from spielleiter.games.blokus.rules.bitboard import (
    FORM_MASKS,
    diagonals,
    free_squares,
    indices,
    pick_placement,
)
from spielleiter.games.blokus.rules.moves import BlokusMove, SkipMove
from spielleiter.games.blokus.rules.pieces import ORIENTATIONS, SIZES
from spielleiter.games.blokus.rules.state import BlokusState, placed
from spielleiter.rules import Clock, PlayerFactory


class RandomPlayer:
    """Plays any placement, each as likely as any other. Skips only where nothing can be placed."""

    def __init__(self, seed: int) -> None:
        self._random = Random(seed)

    def choose(self, state: BlokusState, clock: Clock) -> BlokusMove:  # noqa: ARG002
        found = state.placements()
        if not found:
            return SkipMove(state.color)
        return placed(state.color, *pick_placement(found, self._random))


class GreedyPlayer:
    """Looks one move ahead and takes what looks best at once.

    Three thoughts, in this order:

    1. Every square placed is a point, and big pieces are hard to place later: so the biggest piece
       that fits goes first.
    2. A new piece can only start at a free corner of the own colour: so of two equally big moves,
       the one that leaves more such corners is better.
    3. Corners of the opponent are worth as much to them: so covering or spoiling them counts
       as well.

    It does not think about its partner colour, or about any later move. See ``planner.py``.
    """

    def __init__(self, seed: int) -> None:
        self._random = Random(seed)

    def choose(self, state: BlokusState, clock: Clock) -> BlokusMove:  # noqa: ARG002
        found = state.placements()
        if not found:
            return SkipMove(state.color)
        biggest = max(SIZES[ORIENTATIONS[form].piece] for form, _ in found)
        best: list[tuple[int, int]] = []
        best_value = -1000
        before = _Corners(state)
        for form, positions in found:
            if SIZES[ORIENTATIONS[form].piece] < biggest:
                continue
            for index in indices(positions):
                value = before.value_of(FORM_MASKS[form] << index)
                if value > best_value:
                    best, best_value = [], value
                if value == best_value:
                    best.append((form, index))
        # Equal moves are drawn by lot, or the bot would always crowd the top left.
        return placed(state.color, *self._random.choice(best))


class _Corners:
    """The free corners of both sides in a position, and how a move would change them."""

    def __init__(self, state: BlokusState) -> None:
        color = state.color
        self._own = state.boards[color]
        self._occupied = state.occupied_squares
        rivals = [other for other in state.valid_colors if other.seat != color.seat]
        self._rival_corners = 0
        for other in rivals:
            board = state.boards[other]
            self._rival_corners |= diagonals(board) & free_squares(board, self._occupied)

    def value_of(self, covered: int) -> int:
        """Return the own free corners after covering these squares, plus those the rivals lose."""
        own = self._own | covered
        corners = diagonals(own) & free_squares(own, self._occupied | covered)
        return corners.bit_count() + (self._rival_corners & covered).bit_count()


PLAYERS: Mapping[str, PlayerFactory] = {
    "random": RandomPlayer,
    "greedy": GreedyPlayer,
    "planner": PlannerPlayer,
    "searcher": SearcherPlayer,
}
