"""The picture shows the board, the hands, the scores and whose turn it is; paint changes nothing
but the paint.
"""

from __future__ import annotations

import re

from spielleiter.games.blokus import GAMES, Piece
from spielleiter.games.blokus.bots.players import PLAYERS
from spielleiter.rules import FreeClock

GAME = GAMES[0]


def played(turns: int):
    state, player = GAME.start(3, Piece.PENTO_L), PLAYERS["random"](3)
    while not state.is_over and state.turn < turns:
        state = state.play(player.choose(state, FreeClock()))
    return state


def test_every_square_is_in_its_row_and_column():
    state = played(30)
    lines = GAME.picture(state).splitlines()
    assert lines[2].split() == ["1"] * 10
    assert lines[3].split() == [str(x % 10) for x in range(20)]
    for y in range(20):
        number, *letters = lines[4 + y].split()
        assert number == str(y)
        assert letters == [
            color.letter if (color := state.cell(x, y)) is not None else "." for x in range(20)
        ]


def test_scores_hands_and_turn_are_shown():
    state = played(30)
    lines = GAME.picture(state).splitlines()
    assert "round 8, turn 30" in lines[0]
    assert lines[0].endswith("RED to move")
    for color, line in zip(("BLUE", "YELLOW", "RED", "GREEN"), lines[-4:], strict=True):
        assert color in line
        assert line.startswith(">") == (color == "RED")
    assert f"{state.score(state.color)} points" in lines[-2]
    assert lines[-2].endswith(" ".join(piece.short for piece in state.hand(state.color)))


def test_paint_is_only_paint():
    state = played(30)
    painted = GAME.picture(state, color=True)
    assert painted != GAME.picture(state)
    assert re.sub(r"\x1b\[[0-9;]*m", "", painted) == GAME.picture(state)


def test_the_end_names_the_winner():
    greedy, random = PLAYERS["greedy"](1), PLAYERS["random"](1)
    state = GAME.start(1)
    while not state.is_over:
        state = state.play((greedy, random)[state.seat].choose(state, FreeClock()))
    assert state.outcome().winner == 0
    assert "over, Blue and Red win. No colour can place another piece." in GAME.picture(state)
    assert "(out)" in GAME.picture(state)


def test_the_end_may_be_a_draw():
    empty = "/".join(["20"] * 20)
    state = GAME.parse_position(f"{empty} 96 PENTO_L all;all;all;all BYRG - -")
    assert "over, draw. The last round has been played." in GAME.picture(state)
