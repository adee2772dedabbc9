"""One test, at least, for every ruling H… in docs/rulings.md."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from games.hase_und_igel.positions import board, moves, place
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
from spielleiter.games.hase_und_igel.rules.seasons import SEASON_2018
from spielleiter.rules import Cause, RuleViolation, Text
from spielleiter.wire.elements import Element, indent
from spielleiter.wire.errors import CodecError
from spielleiter.wire.stream import parse_element

CODEC = HASE_UND_IGEL.codecs["2018"]
DOCUMENTED = HASE_UND_IGEL.codecs["2018-documented"]
TAKE, EAT, HURRY, BACK = Card
ROOT = Path(__file__).parents[3]


def play(state: HareState, text: str) -> HareState:
    return state.play(HASE_UND_IGEL.parse_move(text))


def broken(state: HareState, text: str) -> str:
    with pytest.raises(RuleViolation) as caught:
        play(state, text)
    return caught.value.rule


def test_every_ruling_has_a_test() -> None:
    rulings = set(
        re.findall(
            r"^\| (H[0-9]+) \|",
            (ROOT / "docs/rulings.md").read_text(encoding="utf-8"),
            re.MULTILINE,
        )
    )
    tested = {name.split("_")[1].upper() for name in globals() if re.match(r"test_h[0-9]+_", name)}
    assert rulings == tested


def test_every_ruling_the_code_cites_is_there() -> None:
    rulings = set(
        re.findall(
            r"^\| (H[0-9]+) \|",
            (ROOT / "docs/rulings.md").read_text(encoding="utf-8"),
            re.MULTILINE,
        )
    )
    folder = ROOT / "src/spielleiter/games/hase_und_igel"
    cited = {
        number
        for path in folder.rglob("*.py")
        for number in re.findall(r"\bH[0-9]+\b", path.read_text("utf-8"))
    }
    assert cited
    assert cited <= rulings


@pytest.mark.parametrize(("carrots", "legal"), [(11, True), (12, False)])
def test_h1_goal_takes_ten_carrots(carrots: int, legal: bool) -> None:
    state = place(Hare(63, carrots, 0), Hare(5))
    assert ("A1" in moves(state)) is legal
    if legal:
        assert play(state, "A1").hares[0].carrots == 10
    else:
        assert broken(state, "A1") == "TOO_MANY_CARROTS"


def test_h1_goal_takes_no_salad() -> None:
    state = place(Hare(63, 1, 1), Hare(5))
    assert "A1" not in moves(state)
    assert broken(state, "A1") == "SALADS_LEFT"


def test_h2_fields_are_numbered_from_0_to_64() -> None:
    state = HASE_UND_IGEL.start(1)
    assert len(state.board) == 65
    assert state.board.index(Field.START) == state.hares[0].position == 0
    assert state.board.index(Field.GOAL) == 64
    assert broken(place(Hare(63, 50, 0), Hare(5)), "A2") == "BEYOND_GOAL"


CONTENT = {
    (1, 2, 3, 4, 5, 6, 7, 8, 9): "HHHCCCC12",
    (12, 13, 14): "HCC",
    (16, 17, 18): "C12",
    (20, 21, 23): "CC2",
    (25, 26, 27, 28, 29): "HCCC2",
    (31, 32, 33, 34, 35, 36): "HHCC12",
    (38, 39, 40, 41): "HCC2",
    (44, 45, 46, 47, 48, 49): "HCCC12",
    (51, 52, 53, 54, 55): "HCCC2",
    (58, 59, 60, 61, 62, 63): "HHCCC1",
}


def test_h3_segments_keep_their_content_and_change_their_order() -> None:
    letters = {Field.HARE: "H", Field.CARROT: "C", Field.POSITION_1: "1", Field.POSITION_2: "2"}
    boards = [HASE_UND_IGEL.start(seed).board for seed in range(60)]
    for fields in boards:
        for indices, content in CONTENT.items():
            assert sorted(letters[fields[index]] for index in indices) == sorted(content)
        for index in (10, 22, 42, 57):
            assert fields[index] is Field.SALAD
        for index in (11, 15, 19, 24, 30, 37, 43, 50, 56):
            assert fields[index] is Field.HEDGEHOG
    assert {indices for indices, _ in SEASON_2018.segments} == set(CONTENT)
    for indices in CONTENT:
        assert len({tuple(fields[index] for index in indices) for fields in boards}) > 1


@pytest.mark.parametrize(
    ("hare", "expected"),
    [
        (Hare(15, 3, 5, (), FallBack()), ["A1", "A2", "F"]),
        (Hare(13, 3, 5, (), PlayCard(EAT)), ["A1", "F"]),
        (Hare(22, 1, 5, (), EatSalad()), ["A1", "F"]),
        (Hare(0, 1, 5, ()), ["A1"]),
    ],
)
def test_h4_where_one_must_move_on_there_is_nothing_else(hare: Hare, expected: list[str]) -> None:
    assert moves(place(hare, Hare(40), fields=board(HARE=13))) == expected


def test_h5_only_falling_back_enters_a_hedgehog_field() -> None:
    assert broken(place(Hare(10, 50, 4, (), EatSalad()), Hare(40)), "A1") == "HEDGEHOG_FIELD"
    ahead = place(Hare(5, 50), Hare(14), fields=board(HARE=7))
    assert broken(ahead, "A2 C:HURRY_AHEAD") == "HEDGEHOG_FIELD"
    behind = place(Hare(17, 50), Hare(16), fields=board(HARE=18))
    assert broken(behind, "A1 C:FALL_BACK") == "HEDGEHOG_FIELD"
    assert play(behind, "F").hares[0].position == 15


@pytest.mark.parametrize("opponent", [0, 1])
def test_h6_no_card_leads_back_to_the_start(opponent: int) -> None:
    state = place(Hare(4, 50), Hare(opponent), fields=board(HARE=7))
    assert broken(state, "A3 C:FALL_BACK") == "START_FIELD"
    assert "A3 C:FALL_BACK" not in moves(state)


def test_h6_field_1_is_allowed() -> None:
    assert (
        play(place(Hare(4, 50), Hare(2), fields=board(HARE=7)), "A3 C:FALL_BACK").hares[0].position
        == 1
    )


def test_h7_exchange_and_card_are_two_things() -> None:
    fields = board(HARE=7)
    on_carrot = place(Hare(5, 50), Hare(40), fields=fields)
    assert broken(on_carrot, "C:TAKE_OR_DROP_CARROTS:20") == "NO_HARE_FIELD_ENTERED"
    assert broken(on_carrot, "X+20") == "WRONG_VALUE"
    assert broken(on_carrot, "X+0") == "WRONG_VALUE"
    on_hare = place(Hare(7, 50, 5, (TAKE,), Advance(7)), Hare(40), fields=fields)
    assert broken(on_hare, "X+10") == "NOT_ON_CARROT_FIELD"
    assert broken(on_hare, "C:TAKE_OR_DROP_CARROTS:20") == "NO_HARE_FIELD_ENTERED"
    assert broken(on_carrot, "A2 C:TAKE_OR_DROP_CARROTS:10") == "WRONG_VALUE"
    for value in (20, 0, -20):
        assert (
            play(on_carrot, f"A2 C:TAKE_OR_DROP_CARROTS:{value}").hares[0].carrots == 50 - 3 + value
        )
    poor = place(Hare(5, 22), Hare(40), fields=fields)
    assert broken(poor, "A2 C:TAKE_OR_DROP_CARROTS:-20") == "TOO_FEW_CARROTS"


def test_h8_carrots_can_be_exchanged_round_after_round() -> None:
    state = place(Hare(5, 20), Hare(7), turn=0)
    for value in ("X+10", "X+10", "X-10", "X-10", "X-10", "X-10"):
        state = play(play(state, value), "X+10")
    assert state.hares[0].carrots == 0
    assert broken(state, "X-10") == "TOO_FEW_CARROTS"


def test_h9_thirty_rounds_are_sixty_turns() -> None:
    state = place(Hare(30, 50), Hare(20, 50), turn=59)
    assert not state.is_over
    assert state.round == 30
    end = play(state, "X+10")
    assert end.is_over
    assert end.legal_moves() == []
    assert end.outcome().code == "ROUND_LIMIT"
    assert end.outcome().winner == 0
    assert broken(end, "X+10") == "GAME_OVER"


def test_h9_goal_comes_before_the_round_limit() -> None:
    end = play(place(Hare(63, 0, 0), Hare(60, 10, 0), turn=59), "A4")
    assert end.turn == 60
    assert end.outcome().code == "GOAL"
    assert end.outcome().winner == 1


@pytest.mark.parametrize(
    ("red", "blue", "winner"),
    [
        ((64, 5), (64, 4), 1),
        ((64, 5), (64, 5), 0),
        ((64, 5), (64, 6), 0),
        ((63, 0), (64, 9), 1),
        ((64, 9), (63, 0), 0),
    ],
)
def test_h10_ties(red: tuple[int, int], blue: tuple[int, int], winner: int) -> None:
    outcome = place(Hare(*red, 0), Hare(*blue, 0), turn=40).outcome()
    assert outcome.winner == winner
    assert [line.points for line in outcome.seats] == [2 - 2 * winner, 2 * winner]
    assert outcome.scores == (red, blue)


def test_h11_blue_has_a_last_move_and_red_has_none() -> None:
    entered = play(place(Hare(63, 3, 0), Hare(62, 4, 0)), "A1")
    assert not entered.is_over
    assert entered.outcome().code == "RUNNING"
    end = play(entered, "A2")
    assert end.is_over
    assert end.outcome().winner == 1  # 1 carrot against 2
    assert play(place(Hare(62, 4, 0), Hare(63, 3, 0), turn=11), "A1").is_over


@pytest.mark.parametrize(
    ("kind", "other", "gain"),
    [("POSITION_1", 20, 10), ("POSITION_1", 40, 0), ("POSITION_2", 40, 30), ("POSITION_2", 20, 0)],
)
def test_h12_position_fields_pay_as_the_turn_comes_up(kind: str, other: int, gain: int) -> None:
    fields = board(**{kind: 31})
    after = play(place(Hare(other, 50), Hare(31, 7), fields=fields), "X+10")
    assert after.hares[1].carrots == 7 + gain
    assert play(after, "A1").hares[1].carrots == 7 + gain - 1  # not once more on leaving


def test_h12_position_fields_pay_again_and_after_the_last_move() -> None:
    fields = board(POSITION_2=31)
    end = play(place(Hare(31, 0, 5, ()), Hare(40, 0), turn=59, fields=fields), "X+10")
    assert end.is_over
    assert end.outcome().scores[0] == (31, 30)


def test_h13_a_move_is_taken_whole_or_not_at_all() -> None:
    state = place(Hare(5, 50), Hare(40), fields=board(HARE=7))
    copy = place(Hare(5, 50), Hare(40), fields=board(HARE=7))
    assert broken(state, "A2") == "CARD_REQUIRED"
    assert broken(state, "A2 C:EAT_SALAD C:EAT_SALAD") == "NO_HARE_FIELD_ENTERED"
    assert state == copy
    assert state.outcome().scores[0] == (5, 50)


@pytest.mark.parametrize(
    "last", [None, FallBack(), ExchangeCarrots(10), Advance(3), PlayCard(HURRY), PlayCard(TAKE)]
)
def test_h14_on_a_salad_field_one_eats_unless_one_just_has(last: object) -> None:
    assert moves(place(Hare(22, 50, 3, (), last), Hare(5))) == ["E"]
    assert broken(place(Hare(22, 50, 3, (), last), Hare(5)), "A1") == "MUST_EAT_SALAD"
    assert broken(place(Hare(22, 50, 3, (), last), Hare(5)), "F") == "MUST_EAT_SALAD"
    assert "A1" in moves(place(Hare(22, 50, 0, (), last), Hare(5)))


@pytest.mark.parametrize("last", [EatSalad(), PlayCard(EAT)])
def test_h14_after_eating_one_moves_on(last: object) -> None:
    state = place(Hare(22, 50, 3, (), last), Hare(5))
    assert "E" not in moves(state)
    assert broken(state, "E") == "SALAD_EATEN"


def test_h15_order_must_count_from_0() -> None:
    state = place(Hare(5, 50), Hare(40), fields=board(HARE=7))
    assert broken(state, "A2@1 C:EAT_SALAD@2") == "WRONG_ORDER"
    assert broken(state, "A2 C:EAT_SALAD@2") == "WRONG_ORDER"
    assert broken(state, "A2@0 C:EAT_SALAD@0") == "WRONG_ORDER"


def test_h15_an_idle_value_is_repeated() -> None:
    state = place(Hare(5, 50), Hare(40), fields=board(HARE=7))
    move = HareMove((Advance(2), PlayCard(EAT, 7)))
    assert move not in state.legal_moves()
    assert move.canonical in state.legal_moves()
    after = state.play(move)
    assert after.last_move == move
    assert after.hares[0].last_action == PlayCard(EAT, 7)
    assert (
        '<lastNonSkipAction class="card" order="1" type="EAT_SALAD" value="7"/>'
        in CODEC.encode_state(after, "ab")
    )


def test_h16_the_example_of_the_documents() -> None:
    """Jasper stands on 34 before a hare field, Johannes on 22 with HURRY_AHEAD alone: no hare field
    is open to him.
    """
    fields = board(HARE=(25, 35))
    state = place(Hare(22, 200, 2, (HURRY,), EatSalad()), Hare(34), fields=fields)
    assert broken(state, "A13 C:HURRY_AHEAD") == "NO_PLAYABLE_CARD"
    assert broken(state, "A3 C:HURRY_AHEAD") == "NO_PLAYABLE_CARD"
    assert not any("C:" in move for move in moves(state))
    another = place(Hare(22, 200, 2, (HURRY, EAT), EatSalad()), Hare(34), fields=fields)
    assert "A3 C:HURRY_AHEAD C:EAT_SALAD" in moves(another)
    assert "A13 C:EAT_SALAD" in moves(another)


def test_h16_the_longest_move() -> None:
    state = place(Hare(2, 50), Hare(6), fields=board(HARE=(5, 7)))
    text = "A3 C:HURRY_AHEAD C:FALL_BACK C:EAT_SALAD"
    assert text in moves(state)
    after = play(state, text)
    assert after.hares[0] == Hare(5, 50 - 6 + 30, 4, (TAKE,), PlayCard(EAT), 3)
    assert max(len(move.actions) for move in state.legal_moves()) == 4


def test_h17_no_condition_and_last_move_from_turn_1() -> None:
    start = HASE_UND_IGEL.start(1)
    end = play(place(Hare(30, 50), Hare(20, 50), turn=59), "X+10")
    assert "lastMove" not in CODEC.encode_state(start, "ab")
    assert "<lastMove>" in CODEC.encode_state(start.play(start.legal_moves()[0]), "ab")
    assert "condition" not in CODEC.encode_state(end, "ab")


def test_h18_colours() -> None:
    text = CODEC.encode_state(HASE_UND_IGEL.start(1), ("a", "b"))
    assert '<red displayName="a" color="RED"' in text
    assert '<blue displayName="b" color="BLUE"' in text
    assert 'startPlayer="RED" currentPlayer="RED"' in text
    assert [CODEC.seat_name(seat) for seat in (0, 1)] == ["red", "blue"]


def test_h19_names_of_parts() -> None:
    end = place(Hare(64, 5, 0), Hare(30, 20), turn=40)
    text = CODEC.encode_outcome(end.outcome(), end, "ab")
    assert re.findall('fragment name="([^"]*)"', text) == [
        "Gewinner",
        "\u2205 Feldnummer",
        "\u2205 Karotten",
    ]
    assert CODEC.fragments == ("Gewinner", "\u2205 Feldnummer", "\u2205 Karotten")


def test_h20_each_score_has_its_own_carrots() -> None:
    end = place(Hare(64, 5, 0), Hare(30, 20), turn=40)
    text = CODEC.encode_outcome(end.outcome(), end, "ab")
    assert re.findall("<part>([0-9]+)</part>", text) == ["2", "64", "5", "0", "30", "20"]


def test_h21_hints_follow_the_actions() -> None:
    state = HASE_UND_IGEL.start(1)
    after = state.play(HareMove((Advance(10),)))
    assert CODEC.echoes_hints
    assert (
        '<advance order="0" distance="10"/>\n    <hint content="a"/>\n    <hint content="b"/>\n  '
        "</lastMove>" in (CODEC.encode_state(after, "ab", ("a", "b")))
    )


def test_h22_turn_and_current_player_must_fit() -> None:
    with pytest.raises(CodecError, match="state@currentPlayer"):
        CODEC.decode_state(
            Element("state", {"turn": "1", "startPlayer": "RED", "currentPlayer": "RED"})
        )


def test_h23_the_condition_is_the_result_without_a_class() -> None:
    end = play(place(Hare(30, 50), Hare(20, 50), turn=59), "X+10")
    text = DOCUMENTED.encode_state(end, "ab")
    result = DOCUMENTED.encode_outcome(end.outcome(), end, "ab")
    inside = result.removeprefix('<data class="result">').removesuffix("</data>")
    assert indent(f"<condition>{inside}</condition>", 1) + "\n</state>" in text
    assert text.index("</lastMove>") < text.index("<condition>")
    for codec in (CODEC, DOCUMENTED):
        assert codec.decode_state(parse_element(text)).state == end
        assert codec.decode_state(parse_element(text)).discarded == ()


def test_h25_a_last_state_where_no_move_led_to_the_end() -> None:
    state = HASE_UND_IGEL.start(1)
    outcome = state.outcome().forfeit(0, Cause.LEFT, Text("weg", "gone"))
    last = DOCUMENTED.encode_last_state(state, "ab", (), outcome)
    assert 'cause="LEFT" reason="weg"' in last
    assert "condition" not in DOCUMENTED.encode_state(state, "ab")
    assert CODEC.encode_last_state(state, "ab", (), outcome) == CODEC.encode_state(state, "ab")


def test_h26_the_reason_of_who_did_nothing_wrong() -> None:
    state = HASE_UND_IGEL.start(1)
    outcome = state.outcome().forfeit(0, Cause.LEFT, Text("weg", "gone"))
    scores = re.findall("<score (.*)>", CODEC.encode_outcome(outcome, state, "ab"))
    assert scores == ['cause="LEFT" reason="weg"', 'cause="REGULAR"']
    scores = re.findall("<score (.*)>", DOCUMENTED.encode_outcome(outcome, state, "ab"))
    assert scores == ['cause="LEFT" reason="weg"', 'cause="REGULAR" reason="weg"']


def test_skipping_is_for_those_who_cannot_do_anything_else() -> None:
    # The opponent stands on the hedgehog field behind, and there is no carrot to walk with.
    stuck = place(Hare(13, 0, 5, (EAT,), PlayCard(TAKE, -20)), Hare(11), fields=board(HARE=13))
    assert moves(stuck) == ["S"]
    after = stuck.play(HareMove((Skip(),)))
    assert after.hares[0] == stuck.hares[0]
    assert after.last_move == HareMove((Skip(),))
    assert broken(place(Hare(13, 0, 5, (EAT,)), Hare(11)), "S") == "OTHER_MOVE_POSSIBLE"
