"""The material against the published figures and the documented transformations."""

from __future__ import annotations

import pytest

from games.blokus import slow_blokus
from spielleiter.games.blokus import GAMES, Color, Piece, Rotation, SetMove
from spielleiter.games.blokus.rules.bitboard import count_placements
from spielleiter.games.blokus.rules.pieces import ORIENTATIONS, PENTOMINOES, SIZES, transform

# Published with the official code: different orientations, and legal first moves of season 2027.
ORIENTATION_COUNTS = [1, 2, 4, 2, 1, 4, 2, 8, 4, 8, 4, 4, 8, 4, 2, 8, 4, 4, 8, 1, 8]
START_MOVES_2027 = dict(
    zip(PENTOMINOES, [544, 272, 272, 544, 272, 136, 560, 272, 280, 544, 68, 544], strict=True)
)


def test_there_are_21_pieces_with_89_squares_in_91_orientations():
    assert len(Piece) == 21
    assert sum(piece.size for piece in Piece) == 89
    assert len(ORIENTATIONS) == 91
    counts = [sum(form.piece is piece for form in ORIENTATIONS) for piece in Piece]
    assert counts == ORIENTATION_COUNTS


def test_pieces_are_named_numbered_and_shaped_as_published():
    assert [piece.name for piece in Piece] == list(slow_blokus.PIECES)
    for piece in Piece:
        assert set(piece.cells) == slow_blokus.squares_of(piece.name)
        assert piece.size == len(piece.cells) == SIZES[piece]


@pytest.mark.parametrize("piece", Piece)
def test_all_eight_spellings_cover_what_the_documents_say(piece):
    for rotation in Rotation:
        for flipped in (False, True):
            move = SetMove(Color.RED, piece, rotation, flipped, 3, 4)
            expected = slow_blokus.turned(
                slow_blokus.squares_of(piece.name), rotation.name, flipped
            )
            assert {(x - 3, y - 4) for x, y in move.cells} == expected


def test_the_documented_example_left_and_flipped():
    # PENTO_L, LEFT (x, y) => (y, -x), then flipped (x, y) => (-x, y), then to the top left.
    base = ((0, 0), (0, 1), (0, 2), (0, 3), (1, 3))
    assert transform(base, Rotation.LEFT, True) == ((0, 0), (0, 1), (1, 1), (2, 1), (3, 1))


def test_canonical_is_the_first_spelling_with_equal_cells():
    spellings = [(rotation, flipped) for rotation in Rotation for flipped in (False, True)]
    for piece in Piece:
        for rotation, flipped in spellings:
            move = SetMove(Color.BLUE, piece, rotation, flipped, 7, 2)
            first = next(
                other
                for turn, flip in spellings
                if (other := SetMove(Color.BLUE, piece, turn, flip, 7, 2)).cells == move.cells
            )
            assert move.canonical == first
            assert move.canonical.canonical == first


def test_published_first_spellings():
    def listed(piece: Piece) -> list[str]:
        return [
            form.rotation.name + ("+f" if form.flipped else "")
            for form in ORIENTATIONS
            if form.piece is piece
        ]

    assert listed(Piece.DOMINO) == ["NONE", "RIGHT"]
    assert listed(Piece.TRIO_L) == ["NONE", "NONE+f", "RIGHT", "RIGHT+f"]
    assert listed(Piece.TETRO_T) == ["NONE", "RIGHT", "RIGHT+f", "MIRROR"]
    assert listed(Piece.PENTO_U) == ["NONE", "RIGHT", "RIGHT+f", "MIRROR"]
    assert len(listed(Piece.PENTO_R)) == 8


@pytest.mark.parametrize("piece", PENTOMINOES)
def test_published_number_of_first_moves_2027(piece):
    state = GAMES[0].start(0, piece)
    assert len(state.legal_moves()) == START_MOVES_2027[piece]
    assert count_placements(state.placements()) == START_MOVES_2027[piece]


def test_short_names_are_unique():
    assert len({piece.short for piece in Piece}) == 21
    assert [Piece.MONO.short, Piece.DOMINO.short, Piece.TRIO_I.short, Piece.PENTO_L.short] == [
        "1",
        "2",
        "I3",
        "L5",
    ]
