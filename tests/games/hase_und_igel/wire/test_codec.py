"""The codec beyond the recordings: round trips, generous reading, and errors with a path."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.hase_und_igel.positions import actions, place, states
from spielleiter.games.hase_und_igel import (
    HASE_UND_IGEL,
    HASE_UND_IGEL_DOCUMENTED,
    Advance,
    Card,
    ExchangeCarrots,
    FallBack,
    Hare,
    HareMove,
    HareState,
    PlayCard,
    Skip,
)
from spielleiter.rules import Cause, RuleViolation, Text
from spielleiter.wire.codec import ReceivedMove
from spielleiter.wire.elements import Element
from spielleiter.wire.errors import CodecError

CODEC = HASE_UND_IGEL.codecs["2018"]
START = HASE_UND_IGEL.start(1)

names = st.text(
    st.characters(blacklist_categories=("Cs", "Cc"), blacklist_characters="\ufffe\uffff"),
    max_size=8,
)


def element(text: str) -> Element:
    def convert(node: ElementTree.Element) -> Element:
        return Element(
            node.tag, dict(node.attrib), [convert(child) for child in node], node.text or ""
        )

    return convert(ElementTree.fromstring(text))


def move(inner: str, name: str = "move") -> ReceivedMove[HareMove]:
    return CODEC.decode_move(element(f'<data class="{name}">{inner}</data>'), START)


def test_the_revision_that_clients_read_comes_first() -> None:
    assert list(HASE_UND_IGEL.codecs) == ["2018", "2018-documented"]
    assert list(HASE_UND_IGEL_DOCUMENTED.codecs) == ["2018-documented", "2018"]
    assert (CODEC.revision, CODEC.hints_allowed) == ("2018", True)
    assert CODEC.game is HASE_UND_IGEL


@given(states(), st.tuples(names, names), st.lists(names, max_size=2))
def test_states_round_trip(state: HareState, who: tuple[str, str], hints: list[str]) -> None:
    for one in [state, *(state.play(legal) for legal in state.legal_moves()[:3])]:
        said = tuple(hints) if one.last_move else ()
        received = CODEC.decode_state(element(CODEC.encode_state(one, who, said)))
        assert (received.state, received.names, received.hints, received.discarded) == (
            one,
            who,
            said,
            (),
        )


@given(st.lists(st.one_of(actions, st.just(Skip())), max_size=4), st.lists(names, max_size=2))
def test_moves_round_trip(sequence: list[Advance], hints: list[str]) -> None:
    sent = HareMove(tuple(sequence))
    for tag in ("data", "originalRequest"):
        received = CODEC.decode_move(element(CODEC.encode_move(sent, hints, tag)), START)
        assert received == ReceivedMove(sent, tuple(hints))


@given(states())
def test_outcomes_round_trip(state: HareState) -> None:
    outcome = state.outcome()
    if state.is_over:
        assert CODEC.decode_outcome(element(CODEC.encode_outcome(outcome, state, "ab"))) == outcome
    lost = outcome.forfeit(1, Cause.LEFT, Text("weg", "weg"))
    assert CODEC.decode_outcome(element(CODEC.encode_outcome(lost, state, "ab"))) == lost


def test_all_six_actions_as_text() -> None:
    sent = HareMove(
        (
            Advance(2),
            PlayCard(Card.TAKE_OR_DROP_CARROTS, -20),
            ExchangeCarrots(10),
            FallBack(),
            Skip(),
        )
    )
    assert CODEC.encode_move(sent, ["a<b"]).splitlines() == [
        '<data class="move">',
        '  <advance order="0" distance="2"/>',
        '  <card order="1" type="TAKE_OR_DROP_CARROTS" value="-20"/>',
        '  <exchangeCarrots order="2" value="10"/>',
        '  <fallBack order="3"/>',
        '  <skip order="4"/>',
        '  <hint content="a&lt;b"/>',
        "</data>",
    ]
    assert CODEC.encode_move(HareMove(())) == '<data class="move"/>'


def test_actions_are_sorted_by_order() -> None:
    received = move('<card order="1" type="EAT_SALAD"/><hint/><advance order="0" distance="5"/>')
    assert received.move == HareMove((Advance(5), PlayCard(Card.EAT_SALAD)))
    assert received.hints == ("",)


def test_missing_numbers_are_0() -> None:
    assert move('<advance distance="5"/>').move == HareMove((Advance(5),))
    assert move("<advance/>").move == HareMove((Advance(0),))
    assert move('<card type="EAT_SALAD"/><card type="FALL_BACK"/>').move.orders == (0, 0)


def test_java_class_name_is_a_move_too() -> None:
    assert move("<skip/>", "sc.plugin2018.Move").move == HareMove((Skip(),))


def test_unknown_children_are_named() -> None:
    received = move('<skip/><dance steps="3"/>')
    assert (received.move, received.discarded) == (HareMove((Skip(),)), ("dance",))


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ("<data><skip/></data>", "data@class"),
        ('<data class="result"/>', "data@class"),
        ('<data class="move"><advance distance="x"/></data>', "data/advance@distance"),
        ('<data class="move"><advance distance="9999999999"/></data>', "data/advance@distance"),
        ('<data class="move"><advance distance="1" order="1.5"/></data>', "data/advance@order"),
        ('<data class="move"><card type="JUMP"/></data>', "data/card@type"),
        ('<data class="move"><card/></data>', "data/card@type"),
        ('<data class="move"><exchangeCarrots value=""/></data>', "data/exchangeCarrots@value"),
        ('<data class="move"><advance distance="٣"/></data>', "data/advance@distance"),
    ],
)
def test_bad_moves(text: str, where: str) -> None:
    with pytest.raises(CodecError) as caught:
        CODEC.decode_move(element(text), START)
    assert caught.value.where == where


STATE = CODEC.encode_state(START, ("a", "b"))


@pytest.mark.parametrize(
    ("old", "new", "where"),
    [
        ('turn="0"', 'turn="-1"', "state@turn"),
        ('turn="0"', "", "state@turn"),
        ('turn="0"', 'turn="1"', "state@currentPlayer"),
        ("red ", "green ", "state"),
        ('index="0" carrots', 'index="65" carrots', "state/red@index"),
        ('carrots="68"', 'carrots="-1"', "state/red@carrots"),
        ('carrots="68"', 'carrots="99999999"', "state/red@carrots"),
        ('salads="5"', 'salads="many"', "state/red@salads"),
        ("<type>EAT_SALAD</type>", "<type>EAT</type>", "state/red/cards/type"),
        ("<type>EAT_SALAD</type>", "<type>FALL_BACK</type>", "state"),
        (
            "</cards>",
            '</cards><lastNonSkipAction class="skip"/>',
            "state/red/lastNonSkipAction@class",
        ),
        ('<fields index="5"', '<fields index="4"', "state/board/fields@index"),
        ('<fields index="5"', '<fieldz index="5"', "state/board/fields"),
        ('type="GOAL"', 'type="GAOL"', "state/board/fields[64]@type"),
        ('type="GOAL"', 'type="HARE"', "state"),
        ("board>", "bord>", "state"),
    ],
)
def test_bad_states(old: str, new: str, where: str) -> None:
    assert old in STATE
    text = STATE.replace(old, new) if old in ("red ", "board>") else STATE.replace(old, new, 1)
    text = text.replace("</red>", "</green>") if old == "red " else text
    with pytest.raises(CodecError) as caught:
        CODEC.decode_state(element(text))
    assert caught.value.where == where


def test_unknown_parts_of_a_state_are_named() -> None:
    text = STATE.replace("</cards>", "</cards><mood/>", 1).replace("</board>", "</board><climate/>")
    received = CODEC.decode_state(element(text.replace("<state", '<state weather="fine"')))
    assert received.state == START
    assert received.discarded == ("climate", "mood")


def test_a_state_to_load_comes_under_another_tag() -> None:
    text = STATE.replace("<state ", "<loadGameInfo ").replace("</state>", "</loadGameInfo>")
    assert CODEC.decode_state(element(text)).state == START
    with pytest.raises(CodecError, match="loadGameInfo@turn"):
        CODEC.decode_state(element(text.replace('turn="0"', "")))


def test_cards_keep_their_order_on_the_wire() -> None:
    state = place(Hare(5, 10, 2, (Card.FALL_BACK, Card.EAT_SALAD)), Hare(8, 10, 2, ()))
    text = CODEC.encode_state(state, "ab")
    assert "<cards/>" in text
    assert CODEC.encode_state(CODEC.decode_state(element(text)).state, "ab") == text


RESULT = CODEC.encode_outcome(START.outcome(), START, "ab")


@pytest.mark.parametrize(
    ("old", "new", "where"),
    [
        ('class="result"', 'class="move"', "data@class"),
        ('cause="REGULAR"', 'cause="BORED"', "data/score@cause"),
        ("<part>68</part>", "<part>x</part>", "data/score/part"),
        ("<part>68</part>", "", "data/score/part"),
        ("score", "scores", "data/score"),
    ],
)
def test_bad_results(old: str, new: str, where: str) -> None:
    assert old in RESULT
    with pytest.raises(CodecError) as caught:
        CODEC.decode_outcome(element(RESULT.replace(old, new)))
    assert caught.value.where == where


def test_a_result_without_winner() -> None:
    first, second = "<part>2</part>", "<part>0</part>\n    <part>0"
    drawn = element(
        RESULT.replace(first, "<part>1</part>").replace(second, "<part>1</part>\n    <part>0")
    )
    outcome = CODEC.decode_outcome(drawn)
    assert outcome.winner is None
    assert "<winner" not in CODEC.encode_outcome(outcome, START, "ab")


def test_complaints() -> None:
    violation = RuleViolation("ANY", Text("So nicht.", "Not like this."))
    assert (
        CODEC.complaint(violation, None, "Anna", to_offender=True)
        == "Ungueltiger Zug von 'Anna'.\nSo nicht."
    )
    assert CODEC.complaint(violation, None, "Anna", to_offender=False) == "So nicht."
    assert CODEC.violation_reason(violation, None, "Anna") == violation.text
    assert CODEC.describe_move(HareMove((Advance(5),))) == "A5"
