"""The track of 65 fields: what lies where, how a board is drawn from a seed, and tables about one
board.

Nothing here knows whose turn it is or what a move may do.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from types import MappingProxyType


class Field(Enum):
    """What a field of the track is. The names are those of the wire."""

    START = "START"
    CARROT = "CARROT"
    HARE = "HARE"
    SALAD = "SALAD"
    HEDGEHOG = "HEDGEHOG"
    POSITION_1 = "POSITION_1"
    POSITION_2 = "POSITION_2"
    GOAL = "GOAL"

    # Members are singletons, so identity is a hash; Enum's own hashes the name in Python, 65 times
    # a board.
    __hash__ = object.__hash__


Board = tuple[Field, ...]

LENGTH = 65
GOAL_INDEX = LENGTH - 1  # H2

FIXED = MappingProxyType(
    {
        0: Field.START,
        **dict.fromkeys((10, 22, 42, 57), Field.SALAD),
        **dict.fromkeys((11, 15, 19, 24, 30, 37, 43, 50, 56), Field.HEDGEHOG),
        GOAL_INDEX: Field.GOAL,
    }
)

_C, _H, _1, _2 = Field.CARROT, Field.HARE, Field.POSITION_1, Field.POSITION_2

SEGMENTS: tuple[tuple[tuple[int, ...], tuple[Field, ...]], ...] = (
    ((1, 2, 3, 4, 5, 6, 7, 8, 9), (_H, _C, _H, _C, _C, _H, _1, _2, _C)),
    ((12, 13, 14), (_H, _C, _C)),
    ((16, 17, 18), (_1, _C, _2)),
    ((20, 21, 23), (_C, _2, _C)),
    ((25, 26, 27, 28, 29), (_C, _C, _2, _C, _H)),
    ((31, 32, 33, 34, 35, 36), (_1, _H, _C, _H, _2, _C)),
    ((38, 39, 40, 41), (_C, _2, _H, _C)),
    ((44, 45, 46, 47, 48, 49), (_1, _C, _H, _2, _C, _C)),
    ((51, 52, 53, 54, 55), (_C, _2, _C, _H, _C)),
    ((58, 59, 60, 61, 62, 63), (_H, _C, _1, _C, _H, _C)),
)
"""Indices that are shuffled among themselves, and what lies on them (H3)."""


def make_board(seed: int) -> Board:
    """The board of a seed: every segment in a uniformly random order."""
    dice = random.Random(seed)
    fields: list[Field] = [FIXED.get(index, Field.CARROT) for index in range(LENGTH)]
    for indices, content in SEGMENTS:
        shuffled = list(content)
        dice.shuffle(shuffled)
        for index, field in zip(indices, shuffled, strict=True):
            fields[index] = field
    return tuple(fields)


def board_fault(board: Board) -> str | None:
    """Why this cannot be a board, or None.

    Boards of other makers may arrange the inner fields differently.
    """
    if len(board) != LENGTH:
        return f"a board has {LENGTH} fields, not {len(board)}"
    if board[0] is not Field.START or board.count(Field.START) != 1:
        return "field 0, and no other, must be START"
    if board[GOAL_INDEX] is not Field.GOAL or board.count(Field.GOAL) != 1:
        return f"field {GOAL_INDEX}, and no other, must be GOAL"
    return None


COSTS: tuple[int, ...] = tuple(distance * (distance + 1) // 2 for distance in range(LENGTH))
"""Carrots an advance costs, by distance: 0 1 3 6 10 15 …"""

PLAIN, TO_SALAD, TO_HARE, TO_GOAL = range(4)
"""What entering a field asks for: nothing, a salad, a playable card, the goal conditions."""

_DEMANDS = {Field.SALAD: TO_SALAD, Field.HARE: TO_HARE, Field.GOAL: TO_GOAL}


@dataclass(frozen=True, slots=True, eq=False)
class Track:
    """What move generation asks about one board, looked up once per board."""

    board: Board
    demands: tuple[int, ...]
    """By index: PLAIN, TO_SALAD, TO_HARE or TO_GOAL; -1 for a hedgehog or the start, which nobody
    walks onto.
    """
    hedgehog_behind: tuple[int, ...]
    """By index: the nearest hedgehog field before it, -1 if there is none."""
    advances: tuple[tuple[tuple[int, int, int, int], ...], ...]
    """By index: (distance, cost, target, demand) of every field ahead that can be walked onto,
    nearest first.
    """


@lru_cache(maxsize=256)
def track_of(board: Board) -> Track:
    """The tables of a board."""
    demands = tuple(
        -1 if field in (Field.HEDGEHOG, Field.START) else _DEMANDS.get(field, PLAIN)
        for field in board
    )
    behind: list[int] = []
    nearest = -1
    for index, field in enumerate(board):
        behind.append(nearest)
        if field is Field.HEDGEHOG:
            nearest = index
    advances = tuple(
        tuple(
            (target - index, COSTS[target - index], target, demands[target])
            for target in range(index + 1, LENGTH)
            if demands[target] >= 0
        )
        for index in range(LENGTH)
    )
    return Track(board, demands, tuple(behind), advances)
