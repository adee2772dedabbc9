"""Text for moves and positions: round trips, and errors that say what and where. Pictures, too."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.hase_und_igel.positions import actions, states
from spielleiter.games.hase_und_igel import (
    HASE_UND_IGEL,
    Advance,
    Card,
    EatSalad,
    ExchangeCarrots,
    HareMove,
    HareState,
    PlayCard,
    Skip,
)
from spielleiter.rules import NotationError

EXAMPLES = {
    "A5": HareMove((Advance(5),)),
    "A2 C:HURRY_AHEAD C:EAT_SALAD": HareMove(
        (Advance(2), PlayCard(Card.HURRY_AHEAD), PlayCard(Card.EAT_SALAD))
    ),
    "A1 C:TAKE_OR_DROP_CARROTS:-20": HareMove(
        (Advance(1), PlayCard(Card.TAKE_OR_DROP_CARROTS, -20))
    ),
    "A1 C:TAKE_OR_DROP_CARROTS:0": HareMove((Advance(1), PlayCard(Card.TAKE_OR_DROP_CARROTS, 0))),
    "A1 C:EAT_SALAD:7": HareMove((Advance(1), PlayCard(Card.EAT_SALAD, 7))),
    "X-10": HareMove((ExchangeCarrots(-10),)),
    "X+10": HareMove((ExchangeCarrots(10),)),
    "E": HareMove((EatSalad(),)),
    "S": HareMove((Skip(),)),
    "-": HareMove(()),
    "A1@3": HareMove((Advance(1),), (3,)),
    "A1 C:EAT_SALAD@0": HareMove((Advance(1), PlayCard(Card.EAT_SALAD)), (0, 0)),
}


@pytest.mark.parametrize(("text", "move"), EXAMPLES.items())
def test_examples(text: str, move: HareMove) -> None:
    assert str(move) == HASE_UND_IGEL.format_move(move) == text
    assert HASE_UND_IGEL.parse_move(text) == move


def test_reading_is_generous_with_space_and_sign() -> None:
    assert HASE_UND_IGEL.parse_move("  A1   C:EAT_SALAD ") == HASE_UND_IGEL.parse_move(
        "A1 C:EAT_SALAD"
    )
    assert HASE_UND_IGEL.parse_move("X10") == HASE_UND_IGEL.parse_move("X+10")


@given(st.lists(st.one_of(actions, st.just(Skip())), min_size=1, max_size=5), st.data())
def test_moves_round_trip(sequence: list[Advance], data: st.DataObject) -> None:
    numbers = st.lists(st.integers(-5, 9), min_size=len(sequence), max_size=len(sequence))
    orders = tuple(data.draw(numbers))
    if orders == tuple(range(len(sequence))):
        orders = ()
    move = HareMove(tuple(sequence), orders)
    assert HASE_UND_IGEL.parse_move(str(move)) == move


@given(states())
def test_positions_round_trip(state: HareState) -> None:
    for one in [state, *(state.play(move) for move in state.legal_moves()[:3])]:
        assert HASE_UND_IGEL.parse_position(HASE_UND_IGEL.format_position(one)) == one


@pytest.mark.parametrize(
    ("text", "at", "words"),
    [
        ("", 0, "no action in it"),
        ("A", 0, "'A' is not an action"),
        ("A2 Q", 3, "'Q' is not an action"),
        ("A2 C:JUMP", 5, "'JUMP' is not a card"),
        ("a5", 0, "is not an action"),
        ("A5x", 0, "is not an action"),
        ("A99999999999999999999", 0, "is not an action"),
        ("A٣", 0, "is not an action"),
    ],
)
def test_bad_moves(text: str, at: int, words: str) -> None:
    with pytest.raises(NotationError) as caught:
        HASE_UND_IGEL.parse_move(text)
    assert caught.value.at == at
    assert words in caught.value.reason
    assert "as a move" in str(caught.value)


GOOD = HASE_UND_IGEL.format_position(HASE_UND_IGEL.start(1))
BOARD = GOOD.split()[0]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "five parts"),
        (BOARD, "five parts"),
        (GOOD.replace("S", "Z", 1), "'Z' is not a field"),
        (GOOD[1:], "needs 65 fields and has 64"),
        (GOOD.replace(" 0 ", " x ", 1), "turn must be a number"),
        (GOOD.replace(" 0 ", " 61 ", 1), "turn must be 0 to 60"),
        (GOOD.replace("0,68,5,TEHF,-", "0,68,5,TEHF", 1), "has 4 parts"),
        (GOOD.replace("0,68", "x,68", 1), "field must be a number"),
        (GOOD.replace("0,68", "0,-1", 1), "carrots must be a number"),
        (GOOD.replace("TEHF", "TEHQ", 1), "'Q' is not a card"),
        (GOOD.replace("TEHF", "TEHH", 1), "card twice"),
        (GOOD.replace("TEHF,-", "TEHF,S", 1), "not a skip"),
        (GOOD.replace("TEHF,-", "TEHF,Q", 1), "'Q' is not an action"),
        (GOOD.replace("0,68", "70,68", 1), "red must stand"),
        (GOOD.replace("0,68", "5,68"), "both hares"),
        (GOOD[:-1] + "Q", "'Q' is not an action"),
    ],
)
def test_bad_positions(text: str, words: str) -> None:
    with pytest.raises(NotationError) as caught:
        HASE_UND_IGEL.parse_position(text)
    assert words in caught.value.reason


def test_where_in_a_position() -> None:
    text = GOOD.replace("TEHF", "TEHQ", 1)
    with pytest.raises(NotationError) as caught:
        HASE_UND_IGEL.parse_position(text)
    assert caught.value.at == text.index("Q")


def test_picture() -> None:
    state = HASE_UND_IGEL.start(1).play(HASE_UND_IGEL.parse_move("A10"))
    plain = HASE_UND_IGEL.picture(state)
    lines = plain.splitlines()
    assert lines[0] == "Round 1, turn 1, after Red's A10: Blue to move"
    assert lines[2].split() == [str(number) for number in range(13)]
    assert lines[3].split() == ["S", "B", *"H12CCHCCHL", "R", "I", "C"]
    assert "> Blue  field  0  carrots  68  salads 5" in plain
    assert "  Red   field 10  carrots  13  salads 5" in plain
    assert all(len(line) <= 100 for line in lines)
    painted = HASE_UND_IGEL.picture(state, color=True)
    assert re.sub("\x1b\\[[0-9;]*m", "", painted) == plain


def test_picture_of_the_end() -> None:
    text = GOOD.replace(" 0 ", " 40 ", 1).replace("0,68,5,TEHF", "64,3,0,-", 1)
    lines = HASE_UND_IGEL.picture(HASE_UND_IGEL.parse_position(text)).splitlines()
    assert lines[0] == "Turn 40: The game is over: a player has reached the goal. Red wins."
    assert "cards: none" in lines[-3]
