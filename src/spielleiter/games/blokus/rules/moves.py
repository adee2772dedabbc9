"""The two moves of Blokus.

A move is what somebody wants to do. Whether it is legal only a state can say. ``str()`` of a move
is its notation, which ``notation.py`` reads back.
"""

from __future__ import annotations

from spielleiter.games.blokus.rules.pieces import (
    ORIENTATIONS,
    SIZES,
    SPELLINGS,
    Cell,
    Color,
    Orientation,
    Piece,
    Rotation,
)
from spielleiter.rules.frozen import frozen

# Every move of a run is written, and the name of a member takes longer to find than these.
_LETTERS = tuple(color.letter for color in Color)
_NAMES = tuple(piece.name for piece in Piece)
_TURNED = ("", *(f"/{rotation.name}" for rotation in Rotation if rotation))


@frozen
class SetMove:
    """Place a piece, first turned, then flipped.

    The top left corner of its bounding box comes to (x, y).

    Moves compare as they are spelled. A symmetric piece has several spellings for the same squares;
    ``canonical`` picks one, and every spelling is as legal as any other (ruling B3).
    """

    color: Color
    piece: Piece
    rotation: Rotation
    flipped: bool
    x: int
    y: int

    @property
    def orientation(self) -> Orientation:
        """The form the piece takes."""
        return ORIENTATIONS[SPELLINGS[self.piece][self.rotation][self.flipped]]

    @property
    def cells(self) -> tuple[Cell, ...]:
        """The squares it covers, row by row. Some may lie off the board."""
        return tuple((self.x + dx, self.y + dy) for dx, dy in self.orientation.cells)

    @property
    def size(self) -> int:
        """How many squares it covers, which is what it scores."""
        return SIZES[self.piece]

    @property
    def canonical(self) -> SetMove:
        """The same squares, with the first rotation and flip that give them."""
        form = self.orientation
        if form.rotation is self.rotation and form.flipped == self.flipped:
            return self
        return SetMove(self.color, self.piece, form.rotation, form.flipped, self.x, self.y)

    def __str__(self) -> str:
        turned, flipped = _TURNED[self.rotation], "+f" if self.flipped else ""
        return f"{_LETTERS[self.color]}:{_NAMES[self.piece]}@{self.x},{self.y}{turned}{flipped}"


@frozen
class SkipMove:
    """Place nothing this time. The colour stays in play."""

    color: Color

    @property
    def size(self) -> int:
        """A skip covers nothing, so that moves can be compared by size."""
        return 0

    @property
    def canonical(self) -> SkipMove:
        """The move itself, since it has only one spelling."""
        return self

    def __str__(self) -> str:
        return f"{_LETTERS[self.color]}:skip"


BlokusMove = SetMove | SkipMove
