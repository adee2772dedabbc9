"""The JSON view and the SVG picture of Blokus show what is on the board."""

from __future__ import annotations

from spielleiter.games import get_game
from spielleiter.games.blokus import BlokusState, Color, Piece, Rotation, SetMove
from spielleiter.games.blokus.svg import FILLS

GAME = get_game("blokus-2021")


def played() -> BlokusState:
    state: BlokusState = GAME.start(seed=1, start_piece=Piece.PENTO_L)
    return state.play(SetMove(Color.BLUE, Piece.PENTO_L, Rotation.NONE, False, 0, 0))


def test_view_after_one_move() -> None:
    view = GAME.view(played())
    assert view["board"][0] == "B" + "." * 19
    assert view["board"][3] == "BB" + "." * 18
    assert view["last_move"] == "B:PENTO_L@0,0"
    assert view["last_cells"] == [[0, 0], [0, 1], [0, 2], [0, 3], [1, 3]]
    assert (view["color"], view["seat"], view["outcome"]) == ("YELLOW", 1, None)
    blue, yellow = view["colors"][:2]
    assert (blue["score"], len(blue["hand"]), "PENTO_L" in blue["hand"]) == (5, 20, False)
    assert (yellow["score"], yellow["seat"], yellow["in_play"]) == (0, 1, True)


def test_view_says_where_first_pieces_go() -> None:
    assert GAME.view(GAME.start(1))["start_rule"] == "NOT_IN_CORNER"
    border = get_game("blokus-2027")
    assert border.view(border.start(1))["start_rule"] == "NOT_ON_BORDER"


def test_picture_shows_the_squares_and_the_points() -> None:
    before, after = GAME.svg(GAME.start(1, start_piece=Piece.PENTO_L)), GAME.svg(played())
    assert "BLUE: 0 points" in before
    assert "BLUE: 5 points" in after
    assert "YELLOW to move" in after
    # The squares of a colour are one path; the first begins in the corner of the board.
    assert 'd="M36 64h20v20h-20z' in after
    assert 'd="M36 64h20v20h-20z' not in before
    assert FILLS[Color.BLUE] in after
