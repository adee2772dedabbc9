"""What must hold for every position, the documented order of moves, and the words for what is
forbidden.
"""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.hase_und_igel.positions import actions, board, moves, place, states
from spielleiter.games.hase_und_igel import (
    HASE_UND_IGEL,
    Advance,
    Card,
    EatSalad,
    ExchangeCarrots,
    FallBack,
    Field,
    Hare,
    HareMove,
    HareState,
    PlayCard,
    Skip,
)
from spielleiter.games.hase_und_igel.rules import judge
from spielleiter.games.hase_und_igel.rules.seasons import SEASON_2018
from spielleiter.games.hase_und_igel.rules.state import check_position
from spielleiter.rules import PositionError, RuleViolation

TAKE, EAT, HURRY, BACK = Card


@pytest.mark.parametrize("seed", range(40))
def test_red_always_has_nineteen_first_moves(seed: int) -> None:
    assert len(HASE_UND_IGEL.start(seed).legal_moves()) == 19


def test_start() -> None:
    state = HASE_UND_IGEL.start(7)
    hare = Hare(0, 68, 5, (TAKE, EAT, HURRY, BACK), None)
    assert state.hares == (hare, hare)
    assert (state.turn, state.round, state.seat, state.last_move, state.is_over) == (
        0,
        1,
        0,
        None,
        False,
    )
    assert state.me is state.hares[0]
    assert state.opponent is state.hares[1]


def test_a_seed_means_this_board_for_ever() -> None:
    text = HASE_UND_IGEL.format_position(HASE_UND_IGEL.start(1))
    assert text.split()[0] == "SH12CCHCCHLICCHI21CICCL2ICC2CHICH21HCI2HCCLIC1HCC2ICCH2CILCCH1CHG"


def test_moves_come_in_the_documented_order() -> None:
    state = place(Hare(16, 40, 3), Hare(20, 9), fields=board(HARE=(18, 21)))
    expected = ["A1"]
    expected += [
        "A2 C:TAKE_OR_DROP_CARROTS:20",
        "A2 C:TAKE_OR_DROP_CARROTS:0",
        "A2 C:TAKE_OR_DROP_CARROTS:-20",
    ]
    expected += ["A2 C:EAT_SALAD"]
    expected += [f"A2 C:HURRY_AHEAD C:TAKE_OR_DROP_CARROTS:{value}" for value in (20, 0, -20)]
    expected += [
        "A2 C:HURRY_AHEAD C:EAT_SALAD"
    ]  # and not FALL_BACK: that leads to the hedgehog on 19
    expected += [f"A5 C:TAKE_OR_DROP_CARROTS:{value}" for value in (20, 0, -20)]
    expected += ["A5 C:EAT_SALAD", "A6", "A7", "X+10", "X-10", "F"]
    assert moves(state) == expected


def test_turns_alternate() -> None:
    state = HASE_UND_IGEL.start(3)
    dice = Random(3)
    for turn in range(20):
        assert (state.turn, state.seat, state.round) == (turn, turn % 2, turn // 2 + 1)
        waiting = state.opponent
        state = state.play(dice.choice(state.legal_moves()))
        assert state.me.position == waiting.position


GERMAN = [
    (HareMove((Advance(12),)), "Vorwärtszug um 12 Felder ist nicht möglich"),
    (HareMove((Advance(-3),)), "Vorwärtszug um -3 Felder ist nicht möglich"),
    (HareMove((FallBack(),)), "Es kann gerade kein Rückzug gemacht werden."),
    (HareMove((ExchangeCarrots(-10),)), "Es können nicht -10 Karotten aufgenommen werden."),
    (HareMove((EatSalad(),)), "Es kann gerade kein Salat (mehr) gegessen werden."),
    (HareMove((PlayCard(HURRY),)), "Das Ausspielen der HURRY_AHEAD Karte ist nicht möglich."),
    (
        HareMove((Advance(2), PlayCard(BACK))),
        "Das Ausspielen der FALL_BACK Karte ist nicht möglich.",
    ),
    (HareMove((Advance(2),)), "Es muss eine Karte ausgespielt werden."),
    (
        HareMove((Skip(),)),
        "Spieler kann noch einen anderen Zug ausführen, aussetzen ist nicht erlaubt.",
    ),
    (HareMove((Advance(1), Advance(1))), "Nach der ersten Aktion können nur noch Karten folgen."),
    (HareMove((Advance(1), EatSalad())), "Nach der ersten Aktion können nur noch Karten folgen."),
    (HareMove((Advance(1),), (3,)), "Das order Attribut wurde nicht richtig gesetzt."),
    (HareMove(()), "Aktionen sind null"),
]


@pytest.mark.parametrize(("move", "text"), GERMAN, ids=[str(move) for move, _ in GERMAN])
def test_german_words_are_those_of_the_official_server(move: HareMove, text: str) -> None:
    state = place(Hare(3, 50), Hare(0), fields=board(HARE=(5,), POSITION_1=3))
    with pytest.raises(RuleViolation) as caught:
        state.play(move)
    assert caught.value.text.de == text
    assert caught.value.text.en.endswith(".")
    assert "{" not in caught.value.text.en


def test_faults_are_looked_for_in_the_order_of_the_official_server() -> None:
    """Per action: its number, whether it may follow at all, its own rule; at the end the missing
    card.
    """
    state = place(Hare(3, 50), Hare(0), fields=board(HARE=(5,)))
    for text, rule in {
        "A60@1 A1@2": "WRONG_ORDER",
        "A60 A1": "TOO_FEW_CARROTS",
        "A1 A60": "ONLY_CARDS_FOLLOW",
        "A1 A60@5": "WRONG_ORDER",
        "A2 C:FALL_BACK": "START_FIELD",
        "A2 C:EAT_SALAD S": "ONLY_CARDS_FOLLOW",
        "A1 C:EAT_SALAD": "NO_HARE_FIELD_ENTERED",
        "A2": "CARD_REQUIRED",
    }.items():
        with pytest.raises(RuleViolation) as caught:
            state.play(HASE_UND_IGEL.parse_move(text))
        assert caught.value.rule == rule, text


FAULTS = [
    ("DISTANCE_TOO_SMALL", Hare(3, 50), Hare(1), "A0"),
    ("TOO_FEW_CARROTS", Hare(3, 2), Hare(1), "A2"),
    ("FIELD_OCCUPIED", Hare(3, 50), Hare(6), "A3"),
    ("FIELD_OCCUPIED", Hare(17, 50), Hare(15), "F"),
    ("NO_SALAD_LEFT", Hare(9, 50, 0), Hare(1), "A1"),
    ("NO_SALAD_LEFT", Hare(10, 50, 0, (), EatSalad()), Hare(1), "E"),
    ("NO_SALAD_LEFT", Hare(3, 50, 0), Hare(1), "A2 C:EAT_SALAD"),
    ("NO_PLAYABLE_CARD", Hare(3, 50, 0, ()), Hare(1), "A2 C:EAT_SALAD"),
    ("CARD_NOT_OWNED", Hare(3, 50, 5, (TAKE,)), Hare(1), "A2 C:EAT_SALAD"),
    ("NOT_BEHIND", Hare(3, 50), Hare(1), "A2 C:HURRY_AHEAD"),
    ("NOT_AHEAD", Hare(3, 50), Hare(20), "A2 C:FALL_BACK"),
    ("BEYOND_GOAL", Hare(3, 50), Hare(64), "A2 C:HURRY_AHEAD"),
    ("SALADS_LEFT", Hare(3, 50), Hare(63), "A2 C:HURRY_AHEAD"),
    ("TOO_MANY_CARROTS", Hare(3, 14, 0), Hare(63), "A2 C:HURRY_AHEAD"),
    ("NOT_ON_SALAD_FIELD", Hare(3, 50), Hare(1), "E"),
    ("NO_HEDGEHOG_BEHIND", Hare(11, 50), Hare(1), "F"),
]


@pytest.mark.parametrize(
    ("rule", "me", "other", "text"), FAULTS, ids=[f"{row[0]} {row[3]}" for row in FAULTS]
)
def test_each_fault_is_named(rule: str, me: Hare, other: Hare, text: str) -> None:
    # Blue is to move, so that the match is not over with the other hare in the goal.
    state = place(other, me, turn=11, fields=board(HARE=5))
    with pytest.raises(RuleViolation) as caught:
        state.play(HASE_UND_IGEL.parse_move(text))
    assert caught.value.rule == rule


def test_every_rule_in_the_table_can_be_broken() -> None:
    named = {row[0] for row in FAULTS}
    elsewhere = {
        "BEYOND_GOAL",
        "MUST_EAT_SALAD",
        "HEDGEHOG_FIELD",
        "START_FIELD",
        "NOT_ON_CARROT_FIELD",
    }
    elsewhere |= {
        "WRONG_VALUE",
        "SALAD_EATEN",
        "NO_HARE_FIELD_ENTERED",
        "OTHER_MOVE_POSSIBLE",
    }  # test_rulings
    assert named | elsewhere == set(judge._ENGLISH)


def test_hurrying_into_the_goal() -> None:
    state = place(Hare(3, 13, 0), Hare(63), fields=board(HARE=5))
    after = state.play(HASE_UND_IGEL.parse_move("A2 C:HURRY_AHEAD"))
    assert after.in_goal(after.hares[0])


@given(states(), st.lists(st.one_of(actions, st.just(Skip())), max_size=4))
def test_any_move_is_taken_exactly_if_it_is_listed(
    state: HareState, sequence: list[object]
) -> None:
    move = HareMove(tuple(sequence))
    listed = move.canonical in state.legal_moves()
    assert state.is_legal(move) == listed


@given(states())
def test_what_holds_after_every_move(state: HareState) -> None:
    for move in state.legal_moves():
        after = state.play(move)
        assert after.turn == state.turn + 1
        check_position(SEASON_2018, after.board, after.hares, after.turn)
        mine, before = after.hares[state.seat], state.me
        assert 0 <= before.salads - mine.salads <= 1
        assert set(mine.cards) <= set(before.cards)
        cards = [action for action in move.actions if isinstance(action, PlayCard)]
        assert len(before.cards) - len(mine.cards) == len(cards)
        if after.in_goal(mine) and not state.in_goal(before):
            assert mine.carrots <= 10
            assert mine.salads == 0
        if mine.position != before.position and state.board[mine.position] is Field.HARE:
            assert cards


@given(states())
def test_states_are_values(state: HareState) -> None:
    twin = HASE_UND_IGEL.parse_position(HASE_UND_IGEL.format_position(state))
    assert twin == state
    assert hash(twin) == hash(state)
    assert twin.legal_moves() == state.legal_moves()


@pytest.mark.parametrize(
    ("red", "blue", "turn", "fields", "words"),
    [
        (Hare(3), Hare(3), 2, board(), "both hares stand on field 3"),
        (Hare(65), Hare(3), 2, board(), "red must stand"),
        (Hare(3), Hare(4, -1), 2, board(), "blue cannot have fewer"),
        (Hare(3), Hare(4, 5, 5, (EAT, EAT)), 2, board(), "blue has a card twice"),
        (Hare(3), Hare(4), 61, board(), "turn must be 0 to 60"),
        (Hare(3), Hare(4), 2, board()[:-1], "65 fields, not 64"),
        (Hare(3), Hare(4), 2, board(START=5), "must be START"),
        (Hare(3), Hare(4), 2, board(GOAL=5), "must be GOAL"),
    ],
)
def test_impossible_positions_are_named(
    red: Hare, blue: Hare, turn: int, fields: tuple[Field, ...], words: str
) -> None:
    with pytest.raises(PositionError, match=words):
        check_position(SEASON_2018, fields, (red, blue), turn)


def test_start_and_goal_are_shared() -> None:
    check_position(SEASON_2018, board(), (Hare(0), Hare(0)), 0)
    check_position(SEASON_2018, board(), (Hare(64), Hare(64)), 10)
