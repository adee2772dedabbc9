"""The fields of the track, how a board is drawn from a seed, and tables about one board.

Nothing here knows whose turn it is or what a move may do.
"""

from __future__ import annotations

import random
from enum import Enum
from typing import TYPE_CHECKING

from spielleiter.games.hase_und_igel.rules.table import Table, table_of
from spielleiter.rules import PositionError
from spielleiter.rules.frozen import frozen

if TYPE_CHECKING:
    from spielleiter.games.hase_und_igel.rules.seasons import Season


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


def make_board(season: Season, seed: int) -> Board:
    """Return the board of a seed, every segment in a uniformly random order."""
    random_ = random.Random(seed)
    fields = dict(season.fixed)
    for indices, content in season.segments:
        shuffled = list(content)
        random_.shuffle(shuffled)
        fields |= zip(indices, shuffled, strict=True)
    return tuple(fields[index] for index in range(season.length))


def check_board(season: Season, board: Board) -> None:
    """Raise PositionError if this cannot be a board of the season.

    Boards of other makers may arrange the inner fields differently.
    """
    if len(board) != season.length:
        raise PositionError(f"a board has {season.length} fields, not {len(board)}")
    if board[0] is not Field.START or board.count(Field.START) != 1:
        raise PositionError("field 0, and no other, must be START")
    if board[-1] is not Field.GOAL or board.count(Field.GOAL) != 1:
        raise PositionError(f"field {season.goal}, and no other, must be GOAL")


def advance_cost(distance: int) -> int:
    """Return how many carrots an advance costs.

    They are 1, 3, 6, 10, 15, … for 1, 2, 3, 4, 5, … fields.
    """
    return distance * (distance + 1) // 2


# Plain numbers and not an Enum, because the loop over the fields ahead compares them for every move
# that a search looks at, and reading a member of an Enum takes longer than the comparison.
PLAIN, TO_SALAD, TO_HARE, TO_GOAL = range(4)
"""What entering a field asks for, which is nothing, a salad, a playable card or what the goal asks.
"""

_DEMANDS = {Field.SALAD: TO_SALAD, Field.HARE: TO_HARE, Field.GOAL: TO_GOAL}


@frozen(eq=False)
class Track:
    """What move generation asks about one board, looked up once per board."""

    season: Season
    table: Table
    board: Board
    demands: tuple[int, ...]
    """PLAIN, TO_SALAD, TO_HARE or TO_GOAL by index.

    It is -1 for a hedgehog or the start, which nobody walks onto.
    """
    hedgehog_behind: tuple[int, ...]
    """The nearest hedgehog field before each index, -1 if there is none."""
    advances: tuple[tuple[tuple[int, int, int, int], ...], ...]
    """(distance, cost, target, demand) of every field ahead that can be walked onto, by index.

    The nearest comes first.
    """


def make_track(season: Season, board: Board) -> Track:
    """Return the tables of a board, made anew. ``HaseUndIgel.track_of`` keeps them."""
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
            (target - index, advance_cost(target - index), target, demands[target])
            for target in range(index + 1, season.length)
            if demands[target] >= 0
        )
        for index in range(season.length)
    )
    return Track(season, table_of(season), board, demands, tuple(behind), advances)
