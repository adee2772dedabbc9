"""The Blokus codecs as a whole: encode∘decode = identity, the table of revisions, complaints, names
of seats.

That the bytes are those of the official servers is proved in ``test_recordings.py``.
"""

from __future__ import annotations

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.blokus.wire_samples import (
    CODEC_2027,
    EACH_2021,
    EACH_CODEC,
    GAME,
    NAMES,
    NEWEST,
    OLDEST,
    parse,
    position,
)
from spielleiter.games.blokus import (
    Blokus,
    BlokusMove,
    BlokusState,
    Color,
    Piece,
    Rotation,
    SetMove,
    SkipMove,
)
from spielleiter.games.blokus.wire.codec import codecs_for
from spielleiter.rules import Cause, Outcome, RuleViolation, SeatOutcome, Text, UnknownGame
from spielleiter.rules.frozen import replace
from spielleiter.wire.codec import Codec, ReceivedMove, ReceivedState
from spielleiter.wire.elements import Element
from spielleiter.wire.errors import CodecError

# -- encode∘decode = identity ----------------------------------------------------------------------

xml_text = st.text(
    st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="\ufffe\uffff")
    | st.sampled_from("\n\t\r")
)
set_moves = st.builds(
    SetMove,
    st.sampled_from(Color),
    st.sampled_from(Piece),
    st.sampled_from(Rotation),
    st.booleans(),
    st.integers(-(2**31) + 1, 2**31 - 1),
    st.integers(-(2**31) + 1, 2**31 - 1),
)
any_moves = set_moves | st.builds(SkipMove, st.sampled_from(Color))


@EACH_CODEC
@given(
    seed=st.integers(0, 10**6),
    moves=st.integers(0, 110),
    names=st.tuples(xml_text, xml_text),
    hints=st.lists(xml_text),
)
def test_states_come_back(
    game: Blokus,
    codec: Codec[BlokusState, BlokusMove],
    seed: int,
    moves: int,
    names: tuple[str, str],
    hints: list[str],
) -> None:
    state = position(game, seed, moves)
    text = codec.encode_state(state, names, hints)
    expected_names = ("", "") if codec is CODEC_2027 or codec.revision == "2027" else names
    expected_hints = tuple(hints) if state.last_move else ()
    assert codec.decode_state(parse(text)) == ReceivedState(state, expected_names, expected_hints)
    assert codec.encode_state(codec.decode_state(parse(text)).state, names, hints) == text


@EACH_CODEC
@given(
    move=any_moves,
    hints=st.lists(xml_text),
    tag=st.sampled_from(["data", "lastMove", "originalMessage"]),
)
def test_moves_come_back(
    game: Blokus,
    codec: Codec[BlokusState, BlokusMove],
    move: BlokusMove,
    hints: list[str],
    tag: str,
) -> None:
    element = parse(codec.encode_move(move, hints, tag))
    assert element.tag == tag
    if codec.revision == "2021-oldest" and isinstance(move, SkipMove):
        move = SkipMove(Color.BLUE)  # it names no colour, so it is for the one on turn (W21)
    assert codec.decode_move(element, game.start(0)) == ReceivedMove(move, tuple(hints))


points = st.integers(0, 218)
outcomes = st.one_of(
    st.builds(
        lambda one, two: Outcome(
            (
                SeatOutcome(2 if one > two else 0 if one < two else 1, (one,)),
                SeatOutcome(2 if two > one else 0 if two < one else 1, (two,)),
            ),
            None if one == two else int(two > one),
            "REGULAR",
            Text("", ""),
        ),
        points,
        points,
    ),
)
blames = st.tuples(
    st.integers(0, 1),
    st.sampled_from(
        [
            (Cause.LEFT, "x hat das Spiel verlassen: LOST_CONNECTION"),
            (Cause.RULE_VIOLATION, "Regelverletzung von x: <'&\">"),
            (
                Cause.SOFT_TIMEOUT,
                "x hat fuer die Antwort auf die Zugaufforderung laenger als 2 Sekunden gebraucht.",
            ),
            (
                Cause.HARD_TIMEOUT,
                "x hat innerhalb von 2 Sekunden nach Aufforderung keinen Zug gesendet.",
            ),
        ]
    ),
)


@EACH_CODEC
@given(standing=outcomes, blame=st.none() | blames, names=st.tuples(xml_text, xml_text))
def test_outcomes_come_back(
    game: Blokus,
    codec: Codec[BlokusState, BlokusMove],
    standing: Outcome,
    blame: tuple[int, tuple[Cause, str]] | None,
    names: tuple[str, str],
) -> None:
    sent = standing
    if blame is not None:
        seat, (cause, reason) = blame
        sent = standing.forfeit(seat, cause, Text(reason, reason))
    text = codec.encode_outcome(sent, game.start(0), names)
    back = codec.decode_outcome(parse(text))
    assert back.winner == sent.winner
    assert [line.points for line in back.seats] == [line.points for line in sent.seats]
    assert [line.cause for line in back.seats] == [line.cause for line in sent.seats]
    assert [line.reason for line in back.seats] == [line.reason for line in sent.seats]
    assert codec.encode_outcome(back, game.start(0), names) == text


# Any element is a value or a CodecError, never another error. Tags and values are mostly ones that
# mean something. fmt: off
words = st.sampled_from(
    [
        "ONE",
        "TWO",
        "BLUE",
        "RED",
        "MONO",
        "PENTO_L",
        "NONE",
        "LEFT",
        "true",
        "0",
        "1",
        "19",
        "70",
        "-1",
        "state",
        "REGULAR",
        "sc.plugin2021.SetMove",
        "skipmove",
    ]
) | st.text(max_size=5)
tags = st.sampled_from(
    [
        "state",
        "data",
        "piece",
        "position",
        "color",
        "hint",
        "board",
        "fields",
        "field",
        "blueShapes",
        "shape",
        "validColors",
        "orderedColors",
        "first",
        "lastMove",
        "lastMoveMono",
        "entry",
        "boolean",
        "startTeam",
        "startColor",
        "score",
        "part",
        "winner",
        "scores",
        "player",
    ]
)
attribute_names = st.sampled_from(
    [
        "class",
        "turn",
        "round",
        "startPiece",
        "currentColorIndex",
        "x",
        "y",
        "content",
        "color",
        "kind",
        "rotation",
        "isFlipped",
        "cause",
        "reason",
        "team",
    ]
)
# fmt: on
elements = st.recursive(
    st.builds(Element, tags, st.dictionaries(attribute_names, words), st.just([]), words),
    lambda inner: st.builds(
        Element, tags, st.dictionaries(attribute_names, words), st.lists(inner, max_size=5), words
    ),
    max_leaves=12,
)


@EACH_CODEC
@given(element=elements, data=st.data())
def test_rubbish_is_a_value_or_a_codec_error(
    game: Blokus, codec: Codec[BlokusState, BlokusMove], element: Element, data: st.DataObject
) -> None:
    whole = parse(codec.encode_state(position(game, 4, 20), NAMES))
    place = data.draw(st.integers(0, len(whole.children) - 1))
    whole.children[place] = replace(element, tag=whole.children[place].tag)
    for read in (
        lambda: codec.decode_move(element, game.start(0)),
        lambda: codec.decode_state(element),
        lambda: codec.decode_state(whole),
        lambda: codec.decode_outcome(element),
    ):
        with contextlib.suppress(CodecError):
            read()


# -- the table of codecs ---------------------------------------------------------------------------


def test_the_newest_documents_are_the_default() -> None:
    assert list(codecs_for(GAME["blokus-2021"])) == ["2021-newest", "2021-older", "2021-oldest"]
    assert list(codecs_for(GAME["blokus-2027"])) == ["2027"]
    assert [codec.game.id for codec in codecs_for(GAME["blokus-2021-official"]).values()] == [
        "blokus-2021-official"
    ] * 3


def test_a_season_without_a_wire_is_refused() -> None:
    game = Blokus(replace(GAME["blokus-2027"].season, game_type="swc_1999_blokus"))
    with pytest.raises(UnknownGame, match="swc_2021_blokus, swc_2027_blokus"):
        codecs_for(game)


# -- complaints and seats --------------------------------------------------------------------------


def violation(rule: str) -> RuleViolation:
    return RuleViolation(rule, Text("So nicht", "Not so"))


MONO = SetMove(Color.BLUE, Piece.MONO, Rotation.NONE, False, 1, 2)


@EACH_2021
def test_reasons_and_complaints_of_2021(codec: Codec[BlokusState, BlokusMove]) -> None:
    """W29: in the words of the newest server in every revision, and the same to everybody."""
    assert (
        codec.violation_reason(violation("OBSTRUCTED"), MONO, "p1").de
        == "So nicht bei Zug 'Setze MONO(Farbe Blau)[1,2]'"
    )
    assert codec.violation_reason(violation("DUPLICATE_SHAPE"), MONO, "p1") == Text(
        "So nicht", "Not so"
    )
    assert codec.violation_reason(violation("OBSTRUCTED"), None, "p1") == Text("So nicht", "Not so")
    expected = (
        "Ungueltiger Zug von 'p1'.\nInvalidMoveException(mistake=So nicht, move=Setze "
        "MONO(Farbe Blau)[1,2])"
    )
    for to_offender in (True, False):
        assert (
            codec.complaint(violation("OBSTRUCTED"), MONO, "p1", to_offender=to_offender)
            == expected
        )
    assert codec.complaint(violation("WRONG_SHAPE"), MONO, "p1", to_offender=True).endswith(
        "(mistake=So nicht, move=null)"
    )


def test_reasons_of_2027_name_the_player_whatever_he_is_called() -> None:
    reason = CODEC_2027.violation_reason(violation("OBSTRUCTED"), MONO, "{x} %s")
    assert reason.de == "Regelverletzung von {x} %s: So nicht bei 'Setze MONO(Farbe Blau)[1,2]'"
    assert reason.en == "Not so (move B:MONO@1,2)"
    assert (
        CODEC_2027.violation_reason(violation("WRONG_SHAPE"), MONO, "p").de
        == "Regelverletzung von p: So nicht"
    )


def test_the_welcome_is_lower_case_in_2021_and_upper_case_in_2027() -> None:
    """W28."""
    assert [NEWEST.seat_name(seat) for seat in (0, 1)] == ["one", "two"]
    assert [OLDEST.seat_name(seat) for seat in (0, 1)] == ["one", "two"]
    assert [CODEC_2027.seat_name(seat) for seat in (0, 1)] == ["ONE", "TWO"]
