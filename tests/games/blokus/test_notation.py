"""Moves and positions as text: round trips, and errors that say what and where."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spielleiter.games.blokus import GAMES, Color, Piece, Rotation, SetMove, SkipMove
from spielleiter.games.blokus.notation import MOVE_LIMIT, POSITION_LIMIT, format_move, parse_move
from spielleiter.rules import NotationError

GAME = GAMES[0]
EMPTY = GAME.format_position(GAME.start(0, Piece.PENTO_L))

numbers = st.integers(-(2**31), 2**31 - 1)
set_moves = st.builds(
    SetMove,
    st.sampled_from(Color),
    st.sampled_from(Piece),
    st.sampled_from(Rotation),
    st.booleans(),
    numbers,
    numbers,
)
moves = set_moves | st.builds(SkipMove, st.sampled_from(Color))


@given(moves)
def test_moves_round_trip(move):
    assert parse_move(format_move(move)) == move
    assert str(move) == format_move(move)
    assert len(str(move)) <= MOVE_LIMIT


def test_moves_look_like_this():
    assert (
        str(SetMove(Color.BLUE, Piece.PENTO_L, Rotation.RIGHT, True, 3, 4))
        == "B:PENTO_L@3,4/RIGHT+f"
    )
    assert str(SetMove(Color.GREEN, Piece.MONO, Rotation.NONE, False, 0, 19)) == "G:MONO@0,19"
    assert str(SetMove(Color.RED, Piece.PENTO_P, Rotation.NONE, True, 0, 1)) == "R:PENTO_P@0,1+f"
    assert str(SkipMove(Color.YELLOW)) == "Y:skip"
    assert parse_move("y:SKIP") == SkipMove(Color.YELLOW)
    assert parse_move("b:pento_l@3,4/right+F") == parse_move("B:PENTO_L@3,4/RIGHT+f")


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
@given(seed=st.integers(0, 10**6), length=st.integers(0, 60))
def test_positions_round_trip(game, seed, length):
    random = Random(seed)
    state = game.start(seed)
    for _ in range(length):
        if state.is_over:
            break
        state = state.play(random.choice(state.legal_moves()))
    text = game.format_position(state)
    assert "\n" not in text
    assert len(text) < POSITION_LIMIT
    assert game.parse_position(text) == state


@given(st.text(max_size=80))
def test_any_text_is_a_move_or_a_notation_error(text):
    try:
        move = parse_move(text)
    except NotationError:
        return
    assert parse_move(str(move)) == move


@given(st.text(alphabet="0129/BYRGbyrg;,-al LXmono_PENTO@:", max_size=120))
def test_any_text_is_a_position_or_a_notation_error(text):
    with pytest.raises(NotationError, match="as a Blokus position"):
        GAME.parse_position(text)


@given(st.data())
def test_a_damaged_position_never_fails_otherwise(data):
    place = data.draw(st.integers(0, len(EMPTY) - 1))
    text = EMPTY[:place] + data.draw(st.text(max_size=3)) + EMPTY[place + 1 :]
    try:
        state = GAME.parse_position(text)
    except NotationError:
        return
    assert GAME.parse_position(GAME.format_position(state)) == state


@pytest.mark.parametrize(
    ("text", "at", "reason"),
    [
        ("", None, "should look like"),
        ("PENTO_L", None, "should look like"),
        ("Q:skip", 0, "'Q' is not a colour"),
        (":skip", 0, "'' is not a colour"),
        ("B:HEXO@1,2", 2, "'HEXO' is not a piece"),
        ("B:MONO@x,2", 7, "'X' is not a whole number"),
        ("B:MONO@1,", 9, "'' is not a whole number"),
        ("B:MONO@1,99999999999", 9, "not a whole number of at most ten digits"),
        ("B:MONO@1,2/UP", 11, "'UP' is not a rotation"),
        ("B:MONO@1,²", 9, "is not a whole number"),
        ("B:MONO@1,2+f+f", None, "should look like"),
        ("B:MONO@1,2" + " " * 99, None, "more than 64"),
    ],
)
def test_unreadable_moves_say_what_and_where(text, at, reason):
    with pytest.raises(NotationError) as caught:
        parse_move(text)
    assert caught.value.at == at
    assert reason in caught.value.reason


def change(part: int, value: str) -> str:
    parts = EMPTY.split()
    parts[part] = value
    return " ".join(parts)


ROWS = ["20"] * 20


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("x" * 3000, "more than 2000"),
        ("only three parts", "it has 3 parts"),
        (change(0, "/".join(ROWS[:19])), "has 19 rows"),
        (change(0, "/".join(["19", *ROWS[1:]])), "row 0 has fewer"),
        (change(0, "/".join([*ROWS[:7], "20B", *ROWS[8:]])), "row 7 has more"),
        (change(0, "/".join([*ROWS[:7], "Q19", *ROWS[8:]])), "'Q' in row 7"),
        (change(1, "-1"), "the turn '-1'"),
        (change(1, "1e3"), "the turn '1e3'"),
        (change(2, "PENTO_Q"), "the start piece 'PENTO_Q'"),
        (change(2, "MONO"), "MONO is not a start piece"),
        (change(3, "all;all;all"), "there are 3 hands"),
        (change(3, "all;all;all;Q5"), "'Q5' in a hand"),
        (change(3, "all;all;all;L5,L5"), "twice in one hand"),
        (change(4, "BB"), "there twice"),
        (change(4, "BX"), "'X' is not a colour"),
        (change(4, "YRG"), "BLUE's, but only YELLOW, RED, GREEN are still in play"),
        (change(5, "B"), "BLUE cannot have placed MONO last"),
        (change(6, "B:HEXO@1,2"), "the last move: 'HEXO'"),
    ],
)
def test_unreadable_positions_say_what(text, reason):
    with pytest.raises(NotationError) as caught:
        GAME.parse_position(text)
    assert reason in caught.value.reason


def test_the_place_in_a_position_points_at_the_fault():
    text = change(3, "all;all;all;1,Q5")
    with pytest.raises(NotationError) as caught:
        GAME.parse_position(text)
    assert caught.value.at == text.index("Q5")
