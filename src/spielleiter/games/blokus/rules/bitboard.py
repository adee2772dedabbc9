"""Sets of squares as integers, and every placement of every piece as a few operations on them.

Square (x, y) is bit ``y * 21 + x``. Column 20 is never set: it is a wall between the rows, so that
a shift to the left or right cannot carry a square round the edge. Why and how fast: see
docs/decisions/blokus-bitboards.md. Nothing here knows whose turn it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from random import Random

from spielleiter.games.blokus.rules.pieces import (
    ORIENTATIONS,
    SIZE,
    SIZES,
    Cell,
    Orientation,
    Piece,
)

STRIDE = SIZE + 1


def square(x: int, y: int) -> int:
    """Return the bit of one square of the board."""
    return 1 << (y * STRIDE + x)


def squares(cells: Iterable[Cell]) -> int:
    """Return the set of these squares. Each must be on the board."""
    bits = 0
    for x, y in cells:
        bits |= square(x, y)
    return bits


def indices(bits: int) -> Iterator[int]:
    """Yield the numbers of the bits set, smallest first, which is row by row."""
    while bits:
        lowest = bits & -bits
        yield lowest.bit_length() - 1
        bits ^= lowest


def cells_of(bits: int) -> Iterator[Cell]:
    """Yield the squares of a set, row by row."""
    for index in indices(bits):
        yield index % STRIDE, index // STRIDE


BOARD = squares((x, y) for y in range(SIZE) for x in range(SIZE))
CORNERS = squares((x, y) for x in (0, SIZE - 1) for y in (0, SIZE - 1))
BORDER = squares((x, y) for y in range(SIZE) for x in range(SIZE) if {x, y} & {0, SIZE - 1})

FORM_MASKS = tuple(squares(form.cells) for form in ORIENTATIONS)
"""Each orientation at position (0, 0). Shift it left by ``y * STRIDE + x`` to place it."""


def sides(own: int) -> int:
    """Return the squares that share an edge with the set.

    They may spill over the edge of the board.
    """
    return own << 1 | own >> 1 | own << STRIDE | own >> STRIDE


def diagonals(own: int) -> int:
    """Return the squares that share a corner with the set.

    They may spill over the edge of the board.
    """
    return own << STRIDE + 1 | own << STRIDE - 1 | own >> STRIDE - 1 | own >> STRIDE + 1


def free_squares(own: int, occupied: int) -> int:
    """Return the squares this colour may cover, which are empty and not beside its own."""
    blocked = occupied | sides(own)
    # The same as BOARD & ~blocked, without a negative number in between.
    return (BOARD | blocked) ^ blocked


# The tree of forms. Every form of n squares is some form of n - 1 squares plus one: so where it
# fits follows from where the smaller one fits with one AND, and which squares it would touch with
# one OR. For that, child and parent must mean the same square by "here": each form has an anchor,
# the square it inherited from the single square at the root. A fit set holds positions of the
# anchor.
#
# No wrap-around: a new square lies beside a square known to be on the board, so the worst it can do
# is to hit the wall column or leave at the top or bottom, where no bit is ever set.


def _grow_tree() -> tuple[list[int], list[int], list[int]]:
    by_cells = {form.cells: form for form in ORIENTATIONS}
    anchors: dict[int, Cell] = {0: (0, 0)}
    parents, shifts = [0], [0]

    def branches(form: Orientation) -> Iterator[tuple[int, int, int, Cell]]:
        for cell in form.cells:
            rest = [other for other in form.cells if other != cell]
            left, top = min(x for x, _ in rest), min(y for _, y in rest)
            parent = by_cells.get(tuple((x - left, y - top) for x, y in rest))
            if parent is not None:
                anchor = anchors[parent.index][0] + left, anchors[parent.index][1] + top
                shift = (cell[1] - anchor[1]) * STRIDE + cell[0] - anchor[0]
                yield abs(shift), shift, parent.index, anchor

    for form in ORIENTATIONS[1:]:
        # The nearest square first: so few different shifts occur, and each is computed once per
        # position.
        _, shift, parent, anchors[form.index] = min(branches(form))
        parents.append(parent)
        shifts.append(shift)
    backs = [anchors[form.index][1] * STRIDE + anchors[form.index][0] for form in ORIENTATIONS]
    return parents, shifts, backs


_PARENTS, _SHIFTS, _BACKS = _grow_tree()
_RIGHT = tuple(sorted({shift for shift in _SHIFTS[1:] if shift > 0}))
_LEFT = tuple(sorted({-shift for shift in _SHIFTS[1:] if shift < 0}))
_SLOTS = {shift: slot for slot, shift in enumerate((*_RIGHT, *(-shift for shift in _LEFT)))}

_SMALL_FORMS = sum(SIZES[form.piece] < 5 for form in ORIENTATIONS)
_SMALL_GROWTH = tuple((_PARENTS[index], _SLOTS[_SHIFTS[index]]) for index in range(1, _SMALL_FORMS))
_SMALL = tuple(
    (
        piece.bit,
        tuple((form.index, _BACKS[form.index]) for form in ORIENTATIONS if form.piece is piece),
    )
    for piece in Piece
    if SIZES[piece] < 5
)
_LARGE = tuple(
    (
        piece.bit,
        tuple(
            (form.index, _PARENTS[form.index], _SLOTS[_SHIFTS[form.index]], _BACKS[form.index])
            for form in ORIENTATIONS
            if form.piece is piece
        ),
    )
    for piece in Piece
    if SIZES[piece] == 5
)
_LARGE_PIECES = sum(bit for bit, _ in _LARGE)

Placements = list[tuple[int, int]]
"""Every form that fits, in order, as (index of an orientation, set of positions for it).

No set is empty.
"""


def find_placements(free: int, touch: int, hand: int) -> Placements:
    """Return every way to lay a piece of ``hand`` on ``free`` squares that covers one of ``touch``.

    A position is the top left corner of the bounding box, as in a move. ``touch`` must lie in
    ``free``.
    """
    found: Placements = []
    if not touch:
        return found
    # Every shift that any form needs is made once here, 22 of them for 91 forms. The forms then
    # only look it up by slot. Straight-line code written by a generator would save another third,
    # and nobody could read it (see docs/decisions/blokus-bitboards.md).
    frees = [free >> shift for shift in _RIGHT]
    frees += [free << shift for shift in _LEFT]
    touching = [touch >> shift for shift in _RIGHT]
    touching += [touch << shift for shift in _LEFT]
    fits, touches = [free], [touch]
    for parent, slot in _SMALL_GROWTH:
        fits.append(fits[parent] & frees[slot])
        touches.append(touches[parent] | touching[slot])
    for bit, forms in _SMALL:
        if hand & bit:
            for index, back in forms:
                legal = fits[index] & touches[index]
                if legal:
                    found.append((index, legal >> back))
    # No form grows out of a piece of five, so their sets need not be kept, and a piece that is not
    # in the hand can be left out altogether.
    if hand & _LARGE_PIECES:
        for bit, grown in _LARGE:
            if hand & bit:
                for index, parent, slot, back in grown:
                    legal = fits[parent] & frees[slot] & (touches[parent] | touching[slot])
                    if legal:
                        found.append((index, legal >> back))
    return found


def has_placement(free: int, touch: int, hand: int) -> bool:
    """Return whether ``find_placements`` would find anything, as early as that is known."""
    # This is asked after every move, and many hands still have one of the two smallest pieces, so
    # the whole search below is often not needed.
    if not touch or not hand:
        return False
    if hand & 1:
        return True  # the single square goes wherever a corner is free
    beside = free << 1 | free >> 1 | free << STRIDE | free >> STRIDE
    if not touch & beside:
        return False  # every free corner is walled in, and nothing left is smaller than two squares
    if hand & 2:
        return True
    return bool(find_placements(free, touch, hand))


def count_placements(found: Placements) -> int:
    """Return how many placements there are."""
    return sum(bits.bit_count() for _, bits in found)


def pick_placement(found: Placements, random: Random) -> tuple[int, int]:
    """Return one placement, each as likely as any other.

    It is the number of its orientation and the number of its position's bit.
    """
    counts = [bits.bit_count() for _, bits in found]
    left = int(random.random() * sum(counts))
    for (form, bits), count in zip(found, counts, strict=True):
        if left < count:
            # Clear the lowest bit ``left`` times, so that the one wanted becomes the lowest.
            for _ in range(left):
                bits &= bits - 1
            return form, (bits & -bits).bit_length() - 1
        left -= count
    raise ValueError("there is no placement to pick from")
