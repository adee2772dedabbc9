"""The four colours of Blokus, its 21 pieces, and the 91 forms they take when turned and flipped.

Geometry only. Where a piece may lie is decided in ``state.py``.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum

from spielleiter.rules.frozen import frozen

SIZE = 20
"""The board is 20 x 20. (0, 0) is the top left corner, x grows to the right, y downwards."""

Cell = tuple[int, int]


class Color(IntEnum):
    """The colours in the order of play. Seat 0 moves BLUE and RED, seat 1 YELLOW and GREEN."""

    BLUE = 0
    YELLOW = 1
    RED = 2
    GREEN = 3

    @property
    def seat(self) -> int:
        """The player who moves this colour."""
        return self.value % 2

    @property
    def letter(self) -> str:
        """The letter of the colour in notation and pictures, which is B, Y, R or G."""
        return self.name[0]


class Rotation(IntEnum):
    """Quarter turns clockwise. MIRROR is the contest's word for a half turn."""

    NONE = 0
    RIGHT = 1
    MIRROR = 2
    LEFT = 3


class Piece(IntEnum):
    """The 21 pieces, numbered and named as on the wire."""

    MONO = 0
    DOMINO = 1
    TRIO_L = 2
    TRIO_I = 3
    TETRO_O = 4
    TETRO_T = 5
    TETRO_I = 6
    TETRO_L = 7
    TETRO_Z = 8
    PENTO_L = 9
    PENTO_T = 10
    PENTO_V = 11
    PENTO_S = 12
    PENTO_Z = 13
    PENTO_I = 14
    PENTO_P = 15
    PENTO_W = 16
    PENTO_U = 17
    PENTO_R = 18
    PENTO_X = 19
    PENTO_Y = 20

    @property
    def cells(self) -> tuple[Cell, ...]:
        """Its squares as documented, neither turned nor flipped, row by row."""
        return ORIENTATIONS[SPELLINGS[self][Rotation.NONE][False]].cells

    @property
    def size(self) -> int:
        """How many squares it has, which is what it scores."""
        return SIZES[self]

    @property
    def bit(self) -> int:
        """The bit of the piece in a hand. A hand is a bit mask of the pieces not yet placed."""
        return 1 << self.value

    @property
    def short(self) -> str:
        """Letter and size, as a position writes hands, such as ``L5``, ``I3``, ``1`` or ``2``."""
        return self.name[-1] + str(self.size) if "_" in self.name else str(self.size)


# One drawing a piece, rows separated by "/", as the official tables list them.
_DRAWINGS = {
    Piece.MONO: "#",
    Piece.DOMINO: "##",
    Piece.TRIO_L: "#./##",
    Piece.TRIO_I: "#/#/#",
    Piece.TETRO_O: "##/##",
    Piece.TETRO_T: "###/.#.",
    Piece.TETRO_I: "#/#/#/#",
    Piece.TETRO_L: "#./#./##",
    Piece.TETRO_Z: "##./.##",
    Piece.PENTO_L: "#./#./#./##",
    Piece.PENTO_T: "###/.#./.#.",
    Piece.PENTO_V: "#../#../###",
    Piece.PENTO_S: ".###/##..",
    Piece.PENTO_Z: "##./.#./.##",
    Piece.PENTO_I: "#/#/#/#/#",
    Piece.PENTO_P: "##/##/#.",
    Piece.PENTO_W: "#../##./.##",
    Piece.PENTO_U: "#.#/###",
    Piece.PENTO_R: "..#/###/.#.",
    Piece.PENTO_X: ".#./###/.#.",
    Piece.PENTO_Y: ".#/##/.#/.#",
}

_TURNS = {
    Rotation.NONE: lambda x, y: (x, y),
    Rotation.RIGHT: lambda x, y: (-y, x),
    Rotation.MIRROR: lambda x, y: (-x, -y),
    Rotation.LEFT: lambda x, y: (y, -x),
}


def row_by_row(cells: Iterable[Cell]) -> tuple[Cell, ...]:
    """Return the cells from left to right, the top row first."""
    return tuple(sorted(cells, key=lambda cell: (cell[1], cell[0])))


def transform(cells: Iterable[Cell], rotation: Rotation, flipped: bool) -> tuple[Cell, ...]:
    """Turn, then flip left to right, then push into the top left corner, as it is documented."""
    turned = [_TURNS[rotation](x, y) for x, y in cells]
    if flipped:
        turned = [(-x, y) for x, y in turned]
    left, top = min(x for x, _ in turned), min(y for _, y in turned)
    return row_by_row((x - left, y - top) for x, y in turned)


@frozen
class Orientation:
    """One of the 91 different forms, with the first spelling that gives it.

    ``cells`` touch x = 0 and y = 0, so a move's position is the top left corner of the bounding
    box.
    """

    index: int
    piece: Piece
    rotation: Rotation
    flipped: bool
    cells: tuple[Cell, ...]
    width: int
    height: int


def _read_drawing(drawing: str) -> list[Cell]:
    return [
        (x, y)
        for y, row in enumerate(drawing.split("/"))
        for x, mark in enumerate(row)
        if mark == "#"
    ]


def _tabulate() -> tuple[tuple[Orientation, ...], tuple[tuple[tuple[int, int], ...], ...]]:
    orientations: list[Orientation] = []
    spellings: list[tuple[tuple[int, int], ...]] = []
    for piece in Piece:
        base = _read_drawing(_DRAWINGS[piece])
        known: dict[tuple[Cell, ...], int] = {}
        rows: list[tuple[int, int]] = []
        for rotation in Rotation:
            pair: list[int] = []
            for flipped in (False, True):
                cells = transform(base, rotation, flipped)
                if cells not in known:
                    known[cells] = len(orientations)
                    width, height = 1 + max(x for x, _ in cells), 1 + max(y for _, y in cells)
                    orientations.append(
                        Orientation(
                            len(orientations), piece, rotation, flipped, cells, width, height
                        )
                    )
                pair.append(known[cells])
            rows.append((pair[0], pair[1]))
        spellings.append(tuple(rows))
    return tuple(orientations), tuple(spellings)


SIZES = tuple(_DRAWINGS[piece].count("#") for piece in Piece)
ORIENTATIONS, SPELLINGS = _tabulate()
"""All forms by piece, then rotation, then flip.

``SPELLINGS[piece][rotation][flipped]`` is the index of a form.
"""

FULL_HAND = (1 << len(Piece)) - 1
SQUARES = sum(SIZES)
"""How many squares all pieces of one colour have together, which is 89."""
_OF_SIZE = tuple(
    (size, sum(piece.bit for piece in Piece if SIZES[piece] == size)) for size in sorted({*SIZES})
)
"""Every size with the pieces that have it, as a hand."""
PENTOMINOES = tuple(piece for piece in Piece if SIZES[piece] == 5)


def hand_pieces(hand: int) -> tuple[Piece, ...]:
    """Return the pieces of a hand mask, in order."""
    return tuple(piece for piece in Piece if hand >> piece & 1)


def hand_squares(hand: int) -> int:
    """Return how many squares the pieces of a hand have together."""
    return sum([size * (hand & pieces).bit_count() for size, pieces in _OF_SIZE])
