"""Sets of squares: the layout, the wall between the rows, and the short cuts against the
long way.
"""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spielleiter.games.blokus.rules.bitboard import (
    BOARD,
    BORDER,
    CORNERS,
    FORM_MASKS,
    STRIDE,
    cells_of,
    count_placements,
    diagonals,
    find_placements,
    free_squares,
    has_placement,
    indices,
    pick_placement,
    sides,
    square,
    squares,
)
from spielleiter.games.blokus.rules.pieces import FULL_HAND, ORIENTATIONS

coordinates = st.tuples(st.integers(0, 19), st.integers(0, 19))
cell_sets = st.sets(coordinates, max_size=60)
hands = st.integers(0, FULL_HAND)


def test_sizes():
    assert (BOARD.bit_count(), BORDER.bit_count(), CORNERS.bit_count()) == (400, 76, 4)
    assert square(0, 0) == 1
    assert square(3, 2) == 1 << 45


@given(cell_sets)
def test_squares_and_cells_are_inverse_and_row_by_row(cells):
    assert list(cells_of(squares(cells))) == sorted(cells, key=lambda cell: (cell[1], cell[0]))


@given(cell_sets)
def test_neighbours_do_not_run_round_the_edge(cells):
    def around(steps):
        found = {(x + dx, y + dy) for x, y in cells for dx, dy in steps}
        return {(x, y) for x, y in found if 0 <= x < 20 and 0 <= y < 20}

    bits = squares(cells)
    assert set(cells_of(sides(bits) & BOARD)) == around([(0, 1), (1, 0), (0, -1), (-1, 0)])
    assert set(cells_of(diagonals(bits) & BOARD)) == around([(1, 1), (1, -1), (-1, 1), (-1, -1)])


@given(cell_sets, cell_sets, hands)
def test_placements_are_exactly_those_on_free_squares_that_touch(free_cells, touch_cells, hand):
    free = squares(free_cells) | squares((x, y) for x, y in touch_cells)
    touch = squares(touch_cells)
    found = find_placements(free, touch, hand)
    expected = []
    for form in ORIENTATIONS:
        positions = [
            y * STRIDE + x
            for y in range(20 - form.height + 1)
            for x in range(20 - form.width + 1)
            if (mask := FORM_MASKS[form.index] << (y * STRIDE + x)) & free == mask and mask & touch
        ]
        if positions and hand >> form.piece & 1:
            expected.append((form.index, positions))
    assert [(form, list(indices(bits))) for form, bits in found] == expected
    assert count_placements(found) == sum(len(positions) for _, positions in expected)
    assert has_placement(free, touch, hand) == bool(found)


@given(cell_sets, cell_sets)
def test_free_squares_are_empty_and_not_beside_the_own_colour(own, others):
    own_bits, all_bits = squares(own), squares(own | others)
    free = set(cells_of(free_squares(own_bits, all_bits)))
    for x in range(20):
        for y in range(20):
            beside = {(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)}
            assert ((x, y) in free) == ((x, y) not in own | others and not beside & own)


def test_picking_from_nothing_is_an_error():
    with pytest.raises(ValueError, match="no placement to pick from"):
        pick_placement([], Random(1))


def test_picking_reaches_every_placement():
    found = find_placements(BOARD, CORNERS, 0b111)
    drawn = {pick_placement(found, random) for random in [Random(1)] for _ in range(2000)}
    assert drawn == {(form, index) for form, bits in found for index in indices(bits)}
