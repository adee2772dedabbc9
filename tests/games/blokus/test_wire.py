"""How Blokus is read and written: every accepted form, every refusal with its place, and encode∘decode = identity.

That the bytes are those of the official servers is proved in ``test_recordings.py``.
"""

from __future__ import annotations

import contextlib
from dataclasses import replace
from functools import cache
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

import recorded
from spielleiter.games.blokus import GAMES, Blokus, BlokusMove, BlokusState, Color, Piece, Rotation, SetMove, SkipMove
from spielleiter.games.blokus.rules.bitboard import pick_placement
from spielleiter.games.blokus.rules.state import placed
from spielleiter.games.blokus.wire import codecs_for
from spielleiter.protocol.dialects import DIALECTS
from spielleiter.rules import (
    Cause,
    Codec,
    CodecError,
    Element,
    Outcome,
    ReceivedMove,
    ReceivedState,
    RuleViolation,
    SeatOutcome,
    Text,
    UnknownGame,
)

GAME = {game.id: game for game in GAMES}
CODECS = [(game, codec) for game in GAMES for codec in game.codecs.values()]
EACH_CODEC = pytest.mark.parametrize(
    ("game", "codec"), CODECS, ids=[f"{game.id}-{codec.revision}" for game, codec in CODECS]
)
NEWEST, OLDER, OLDEST = GAME["blokus-2021"].codecs.values()
(CODEC_2027,) = GAME["blokus-2027"].codecs.values()
EACH_2021 = pytest.mark.parametrize("codec", [NEWEST, OLDER, OLDEST], ids=lambda codec: codec.revision)
NAMES = ("Häschen & <Co>", "Zwei \"'")


def parse(text: str) -> Element:
    (found,) = recorded.elements(f"<protocol>{text}</protocol>")
    return found


@cache
def position(game: Blokus, seed: int, moves: int) -> BlokusState:
    """Where a random game stands after some moves, now and then a skip among them; its end if it is over before."""
    random = Random(seed)
    state = game.start(seed)
    for _ in range(moves):
        if state.is_over:
            break
        color = state.color
        skip = not state.is_first_move(color) and random.random() < 0.05
        state = state.play(SkipMove(color) if skip else placed(color, *pick_placement(state.placements(), random)))
    return state


def finished(game: Blokus, mono: int) -> BlokusState:
    """A position in which BLUE and GREEN have placed everything."""
    state = replace(position(game, 1, 40), hands=(0, 7, 1, 0), mono_last=mono)
    return replace(state, turn=41, valid=0b0110, last_move=SkipMove(Color.BLUE))


# -- encode∘decode = identity -----------------------------------------------------------------------

xml_text = st.text(
    st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="\ufffe\uffff") | st.sampled_from("\n\t\r")
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
    seed=st.integers(0, 10**6), moves=st.integers(0, 110), names=st.tuples(xml_text, xml_text), hints=st.lists(xml_text)
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
@given(move=any_moves, hints=st.lists(xml_text), tag=st.sampled_from(["data", "lastMove", "originalMessage"]))
def test_moves_come_back(
    game: Blokus, codec: Codec[BlokusState, BlokusMove], move: BlokusMove, hints: list[str], tag: str
) -> None:
    element = parse(codec.encode_move(move, hints, tag))
    assert element.tag == tag
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
            (Cause.SOFT_TIMEOUT, "x hat fuer die Antwort auf die Zugaufforderung laenger als 2 Sekunden gebraucht."),
            (Cause.HARD_TIMEOUT, "x hat innerhalb von 2 Sekunden nach Aufforderung keinen Zug gesendet."),
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


# Any element is a value or a CodecError, never another error. Tags and values are mostly ones that mean something.
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
elements = st.recursive(
    st.builds(Element, tags, st.dictionaries(attribute_names, words), st.just([]), words),
    lambda inner: st.builds(Element, tags, st.dictionaries(attribute_names, words), st.lists(inner, max_size=5), words),
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


# -- the table of codecs ----------------------------------------------------------------------------


def test_the_newest_documents_are_the_default() -> None:
    assert list(codecs_for(GAME["blokus-2021"])) == ["2021-newest", "2021-older", "2021-oldest"]
    assert list(codecs_for(GAME["blokus-2027"])) == ["2027"]
    assert [codec.game.id for codec in codecs_for(GAME["blokus-2021-official"]).values()] == [
        "blokus-2021-official"
    ] * 3


@EACH_CODEC
def test_every_dialect_is_known_to_the_protocol(game: Blokus, codec: Codec[BlokusState, BlokusMove]) -> None:
    assert codec.dialect in DIALECTS


def test_a_season_without_a_wire_is_refused() -> None:
    game = Blokus(replace(GAME["blokus-2027"].season, game_type="swc_1999_blokus"))
    with pytest.raises(UnknownGame, match="swc_2021_blokus, swc_2027_blokus"):
        codecs_for(game)


# -- states -----------------------------------------------------------------------------------------

DOCUMENTED = """\
<state turn="70" round="18" startPiece="PENTO_L">
  <startTeam class="team">ONE</startTeam>
  <blueShapes/>
  <yellowShapes>
    <shape>MONO</shape>
  </yellowShapes>
  <redShapes>
    <shape>MONO</shape>
    <shape>DOMINO</shape>
  </redShapes>
  <greenShapes>
    <shape>MONO</shape>
    <shape>DOMINO</shape>
    <shape>TRIO_L</shape>
    <shape>TRIO_I</shape>
  </greenShapes>
  <validColors>
    <color>YELLOW</color>
    <color>RED</color>
    <color>GREEN</color>
  </validColors>
  <first displayName="">
    <color class="team">ONE</color>
  </first>
  <second displayName="">
    <color class="team">TWO</color>
  </second>
  <board>
    <field x="0" y="0" content="RED"/>
    <field x="1" y="3" content="GREEN"/>
    <field x="8" y="6" content="YELLOW"/>
    <field x="5" y="9" content="BLUE"/>
  </board>
  <lastMove class="sc.plugin2021.SetMove">
    <piece color="BLUE" kind="MONO" rotation="NONE" isFlipped="false">
      <position x="0" y="0"/>
    </piece>
  </lastMove>
  <lastMoveMono>
    <entry>
      <color>BLUE</color>
      <boolean>true</boolean>
    </entry>
  </lastMoveMono>
</state>"""
"""The example of the newest documents of 2021, character by character."""


def documented_state() -> Element:
    return parse(DOCUMENTED)


def test_the_documented_example_is_read_and_written() -> None:
    state = NEWEST.decode_state(documented_state()).state
    assert {(x, y): color for x, y, color in state.occupied()} == {
        (0, 0): Color.RED,
        (1, 3): Color.GREEN,
        (8, 6): Color.YELLOW,
        (5, 9): Color.BLUE,
    }
    assert state.hand(Color.BLUE) == ()
    assert state.hand(Color.RED) == (Piece.MONO, Piece.DOMINO)
    assert (state.turn, state.color, state.mono_last) == (70, Color.RED, 1)
    assert NEWEST.encode_state(state, ("", "")) == DOCUMENTED.replace("<state ", '<state class="state" ')


def test_lists_of_any_layout_are_read_and_strangers_named() -> None:
    """W35, W36: wrapped fields, classes on lists, any order of children, one stranger."""
    element = documented_state()
    board = element.find("board")
    assert board is not None
    board.children = [Element("fields", {}, board.children)]
    shapes = element.find("redShapes")
    assert shapes is not None
    shapes.attributes = {"class": "linked-hash-set"}
    element.children.reverse()
    element.children.append(Element("weather"))
    received = NEWEST.decode_state(element)
    assert received.state == NEWEST.decode_state(documented_state()).state
    assert received.discarded == ("state/weather",)


def test_a_state_of_any_revision_is_read_by_any_codec_of_the_season() -> None:
    """W36."""
    state = position(GAME["blokus-2021"], 5, 50)
    for writer in (NEWEST, OLDER, OLDEST):
        for reader in (NEWEST, OLDER, OLDEST):
            assert reader.decode_state(parse(writer.encode_state(state, NAMES))) == ReceivedState(state, NAMES)


@pytest.mark.parametrize("codec", [OLDER, OLDEST], ids=lambda codec: codec.revision)
def test_the_older_revisions_count_colours_from_0_among_those_in_play(codec: Codec[BlokusState, BlokusMove]) -> None:
    """W24: ``turn`` counts slots there too."""
    state = finished(GAME["blokus-2021-official"], 0)
    for turn, index in ((41, "0"), (42, "1")):
        element = parse(codec.encode_state(replace(state, turn=turn), NAMES))
        assert element.get("currentColorIndex") == index
        assert (element.get("turn"), element.get("round")) == (str(turn), "11")
    over = parse(codec.encode_state(replace(state, valid=0), NAMES))
    assert over.get("currentColorIndex") == "0"


@pytest.mark.parametrize(
    ("turn", "round_", "index", "colors", "slot"),
    [
        ("66", "18", "1", ["YELLOW", "GREEN"], 71),  # 21.1.0: 66 moves made, but the 18th round is GREEN's slot 71
        ("69", "20", "0", ["GREEN"], 79),
        ("58", "15", "0", ["YELLOW"], 61),  # 21.0.0 forgot to count a round: the slot cannot be before the turn
        ("58", None, "0", ["RED"], 58),
        ("72", "23", "0", [], 88),  # nobody left: the last to fall out is who moved last, here BLUE
        ("70", "18", "0", [], 70),
    ],
)
def test_the_slot_is_found_in_states_that_count_moves(
    turn: str, round_: str | None, index: str, colors: list[str], slot: int
) -> None:
    """W24."""
    element = documented_state()
    element.children = [child for child in element.children if child.tag != "validColors"]
    element.children.append(Element("orderedColors", {}, [Element("color", text=name) for name in colors]))
    element.attributes = {"turn": turn, "currentColorIndex": index, "startPiece": "PENTO_L"}
    element.attributes |= {} if round_ is None else {"round": round_}
    assert OLDER.decode_state(element).state.turn == slot


@EACH_CODEC
def test_finished_colours_are_listed_in_the_order_of_play(game: Blokus, codec: Codec[BlokusState, BlokusMove]) -> None:
    """W25."""
    text = codec.encode_state(finished(game, 0b1000), NAMES)
    start, end = text.index("<lastMoveMono"), text.index("</lastMoveMono>")
    entries = parse(text[start:end] + "</lastMoveMono>").children
    assert [[child.text for child in entry.children] for entry in entries] == [["BLUE", "false"], ["GREEN", "true"]]
    assert codec.decode_state(parse(text)).state == finished(game, 0b1000)


def test_the_round_of_a_replay_of_2027_is_not_believed() -> None:
    """W31."""
    state = position(GAME["blokus-2027"], 3, 30)
    text = CODEC_2027.encode_state(state, NAMES).replace(f'round="{state.round}"', 'round="1"')
    assert CODEC_2027.decode_state(parse(text)).state == state


BAD_STATES = {
    "no board": ("board>", "bord>", "state", "has no <board>"),
    "no hand": ("redShapes", "roseShapes", "state", "has no <redShapes>"),
    "no colours": ("validColors", "colors", "state", "neither <validColors> nor <orderedColors>"),
    "turn": ('turn="70"', 'turn="x"', "state@turn", "'x' found, expected a whole number from 0 to 9999"),
    "long turn": ('turn="70"', f'turn="{"9" * 5000}"', "state@turn", "999..."),
    "no turn": (' turn="70"', "", "state@turn", "missing, expected"),
    "start piece": ("PENTO_L", "PENTO_Q", "state@startPiece", "expected one of MONO, DOMINO"),
    "cross": ("PENTO_L", "PENTO_X", "state", "PENTO_X is no start piece"),
    "field": ('x="1" y="3"', 'x="20" y="3"', "state/board/field[2]@x", "from 0 to 19"),
    "content": ('"GREEN"', '"PINK"', "state/board/field[2]@content", "BLUE, YELLOW, RED, GREEN"),
    "twice": ('x="1" y="3"', 'x="0" y="0"', "state/board/field[2]", "(0, 0) is listed twice"),
    "shape": ("<shape>TRIO_L", "<shape>TRIO L", "state/greenShapes/shape", "'TRIO L' found"),
    "colour": ("<color>RED", "<color>ROT", "state/validColors/color", "'ROT' found"),
    "team": (">ONE</startTeam>", ">TWO</startTeam>", "state/startTeam", "expected one of ONE"),
    "mono": ("<boolean>true", "<boolean>ja", "state/lastMoveMono/entry/boolean", "expected one of true, false"),
    "mono too early": (
        "<blueShapes/>",
        "<blueShapes><shape>MONO</shape></blueShapes>",
        "state",
        "still has pieces",
    ),
    "last move": ("plugin2021.SetMove", "plugin2020.SetMove", "state/lastMove@class", "sc.plugin2021.SetMove"),
    "not on turn": ("    <color>RED</color>\n", "", "state", "turn 70 is RED's, but only YELLOW, GREEN"),
    "two boards": ("<startTeam", "<board/><startTeam", "state/board", "more than one"),
}


@pytest.mark.parametrize("name", BAD_STATES)
def test_a_bad_state_is_refused_with_its_place(name: str) -> None:
    old, new, where, reason = BAD_STATES[name]
    text = DOCUMENTED.replace(old, new)
    assert text != DOCUMENTED
    with pytest.raises(CodecError) as caught:
        NEWEST.decode_state(parse(text))
    assert caught.value.where == where
    assert reason in caught.value.reason
    assert len(str(caught.value)) < 500


def test_a_bad_index_or_start_colour_of_the_older_revisions_is_refused() -> None:
    text = OLDER.encode_state(position(GAME["blokus-2021"], 1, 3), NAMES)
    with pytest.raises(CodecError, match=r"state@currentColorIndex: '4' found, expected a whole number from 0 to 3"):
        OLDER.decode_state(parse(text.replace('currentColorIndex="3"', 'currentColorIndex="4"')))
    with pytest.raises(CodecError, match=r"state/startColor: 'RED' found, expected one of BLUE"):
        OLDER.decode_state(parse(text.replace("<startColor>BLUE", "<startColor>RED")))


# -- moves ------------------------------------------------------------------------------------------

P = '<piece color="RED" kind="PENTO_V" rotation="LEFT" isFlipped="true"><position x="3" y="4"/></piece>'
RED_V = SetMove(Color.RED, Piece.PENTO_V, Rotation.LEFT, True, 3, 4)
SHUFFLED = '<piece z="1" isFlipped="TRUE" kind="PENTO_V" rotation="LEFT" color="RED"><position y="4" x=" +3 "/></piece>'
PLAIN_V = SetMove(Color.RED, Piece.PENTO_V, Rotation.NONE, False, 3, 4)
COORDINATES = '<__shape class="linked-hash-set"><coordinates x="0" y="0"/></__shape>'

GOOD_MOVES: dict[str, tuple[str, ReceivedMove[BlokusMove]]] = {
    "plain": (f'<data class="{{}}.SetMove">{P}</data>', ReceivedMove(RED_V)),
    "short name": (f'<data class="setmove">{P}</data>', ReceivedMove(RED_V)),
    "short skip": ('<data class="skipmove"><color>RED</color></data>', ReceivedMove(SkipMove(Color.RED))),
    "attributes in any order, strangers among them": (
        f'<data why="not" class="{{}}.SetMove">{SHUFFLED}</data>',
        ReceivedMove(RED_V),
    ),
    "neither rotation nor flip": (
        '<data class="{}.SetMove"><piece color="RED" kind="PENTO_V"><position x="3" y="4"/></piece></data>',
        ReceivedMove(PLAIN_V),
    ),
    "the inner fields of client 21.2.1": (
        f'<data class="{{}}.SetMove">{P.replace("</piece>", COORDINATES + "<__coordinates/></piece>")}</data>',
        ReceivedMove(RED_V, (), ("data/piece/__shape", "data/piece/__coordinates")),
    ),
    "hints and strangers": (
        f'<data class="{{}}.SetMove">{P}<hint content=" a &amp; b"/><mood/><hint>c</hint></data>',
        ReceivedMove(RED_V, (" a & b", "c"), ("data/mood",)),
    ),
    "skip": ('<data class="{}.SkipMove">\n <color> GREEN </color>\n</data>', ReceivedMove(SkipMove(Color.GREEN))),
    "skip without colour": ('<data class="{}.SkipMove"/>', ReceivedMove(SkipMove(Color.BLUE))),
    "skip with the colour as attribute": ('<data class="{}.SkipMove" color="RED"/>', ReceivedMove(SkipMove(Color.RED))),
    "skip with hints": (
        '<data class="{}.SkipMove"><hint content="x"/></data>',
        ReceivedMove(SkipMove(Color.BLUE), ("x",)),
    ),
    "pass": ('<data class="{}.PassMove"><color>YELLOW</color></data>', ReceivedMove(SkipMove(Color.YELLOW))),
    "pass without colour": ('<data class="passmove"/>', ReceivedMove(SkipMove(Color.BLUE))),
}


@EACH_CODEC
@pytest.mark.parametrize("name", GOOD_MOVES)
def test_every_form_of_a_move_is_read_in_every_revision(
    game: Blokus, codec: Codec[BlokusState, BlokusMove], name: str
) -> None:
    """W20, W21, W22, W23, W35."""
    text, expected = GOOD_MOVES[name]
    assert codec.decode_move(parse(text.format(f"sc.plugin{game.season.year}")), game.start(0)) == expected


SET = f'<data class="sc.plugin2021.SetMove">{P}</data>'
BAD_MOVES = {
    "no class": (
        SET,
        "<data/>",
        "data@class",
        "missing, expected one of sc.plugin2021.SetMove, sc.plugin2021.SkipMove",
    ),
    "another season": ("2021", "2027", "data@class", "expected one of sc.plugin2021"),
    "no piece": (P, "", "data", "has no <piece>"),
    "two pieces": (P, P + P, "data/piece", "there are 2 of them"),
    "no position": ('<position x="3" y="4"/>', "", "data/piece", "has no <position>"),
    "no colour": ('color="RED"', "", "data/piece@color", "missing, expected one of BLUE"),
    "colour": ("RED", "red", "data/piece@color", "'red' found"),
    "no kind": ('kind="PENTO_V"', "", "data/piece@kind", "missing"),
    "kind": ("PENTO_V", "HEXO_A", "data/piece@kind", "PENTO_X, PENTO_Y"),
    "rotation": ("LEFT", "90", "data/piece@rotation", "NONE, RIGHT, MIRROR, LEFT"),
    "flip": ("true", "yes", "data/piece@isFlipped", "expected one of true, false"),
    "no x": ('x="3"', "", "data/piece/position@x", "missing"),
    "x": ('"3"', '"3.0"', "data/piece/position@x", "'3.0' found"),
    "far x": ('"3"', '"2147483648"', "data/piece/position@x", "from -2147483647"),
    "endless y": ('"4"', f'"{"1" * 9999}"', "data/piece/position@y", "111..."),
    "other digits": ('"4"', '"٤"', "data/piece/position@y", "expected a whole number"),
    "skipped colour": (SET, '<data class="skipmove"><color>ROT</color></data>', "data/color", "'ROT' found"),
    "two colours": (SET, '<data class="skipmove"><color>RED</color><color/></data>', "data/color", "2 of them"),
}


@EACH_2021
@pytest.mark.parametrize("name", BAD_MOVES)
def test_a_bad_move_is_refused_with_its_place(codec: Codec[BlokusState, BlokusMove], name: str) -> None:
    old, new, where, reason = BAD_MOVES[name]
    with pytest.raises(CodecError) as caught:
        codec.decode_move(parse(SET.replace(old, new)), GAME["blokus-2021"].start(0))
    assert caught.value.where == where
    assert reason in caught.value.reason
    assert len(str(caught.value)) < 400


def test_a_position_far_off_the_board_is_a_matter_of_the_rules() -> None:
    state = GAME["blokus-2021"].start(0, Piece.PENTO_V)
    text = SET.replace("RED", "BLUE").replace('"3"', '"-2000000000"')
    with pytest.raises(RuleViolation) as caught:
        state.play(NEWEST.decode_move(parse(text), state).move)
    assert caught.value.rule == "OUT_OF_BOUNDS"


@pytest.mark.parametrize(
    ("move", "words"),
    [
        (
            SetMove(Color.BLUE, Piece.PENTO_P, Rotation.RIGHT, True, 7, 7),
            "Setze PENTO_P(Farbe Blau, gedreht um 90°, gespiegelt)[7,7]",
        ),
        (
            SetMove(Color.GREEN, Piece.MONO, Rotation.MIRROR, False, 0, 1),
            "Setze MONO(Farbe Grün, gedreht um 180°)[0,1]",
        ),
        (SetMove(Color.RED, Piece.MONO, Rotation.LEFT, False, 0, 1), "Setze MONO(Farbe Rot, gedreht um 270°)[0,1]"),
        (SetMove(Color.YELLOW, Piece.MONO, Rotation.NONE, False, 0, -1), "Setze MONO(Farbe Gelb)[0,-1]"),
        (SkipMove(Color.GREEN), "Farbe Grün setzt aus"),
    ],
)
def test_moves_in_words(move: BlokusMove, words: str) -> None:
    assert NEWEST.describe_move(move) == CODEC_2027.describe_move(move) == words


# -- results and complaints -------------------------------------------------------------------------


def test_a_draw_of_2021_has_two_winners_and_a_lost_game_one() -> None:
    """W26."""
    start = GAME["blokus-2021"].start(0)
    draw = start.outcome()
    text = NEWEST.encode_outcome(draw, start, NAMES)
    winners = [winner.get("displayName") for winner in parse(text).all("winner")]
    assert winners == list(NAMES)
    assert NEWEST.decode_outcome(parse(text)).winner is None
    lost = draw.forfeit(0, Cause.HARD_TIMEOUT, Text("zu spät", "late"))
    text = NEWEST.encode_outcome(lost, start, NAMES)
    assert [winner.get("displayName") for winner in parse(text).all("winner")] == [NAMES[1]]


def test_the_winner_of_2021_is_who_has_the_victory_points() -> None:
    """W26, W27: official servers crown offenders after a timeout, and somebody without points on a cancel."""
    start = GAME["blokus-2021"].start(0)
    lost = start.outcome().forfeit(0, Cause.SOFT_TIMEOUT, Text("x", "x"))
    crowned = NEWEST.encode_outcome(lost, start, NAMES).replace(">TWO<", ">ONE<")
    assert NEWEST.decode_outcome(parse(crowned)).winner == 1
    cancelled = crowned.replace("<part>2</part>", "<part>0</part>")
    assert NEWEST.decode_outcome(parse(cancelled)).winner == 0


def test_nobody_wins_if_both_left() -> None:
    gone = SeatOutcome(0, (5,), Cause.LEFT, Text("weg", "gone"))
    both = Outcome((gone, gone), None, "LEFT", Text("Alle Spieler hat das Spiel verlassen: NOT_CONNECTED", "all gone"))
    start = GAME["blokus-2021"].start(0)
    assert "<winner" not in NEWEST.encode_outcome(both, start, NAMES)
    text = CODEC_2027.encode_outcome(both, start, NAMES)
    assert '<winner regular="false" reason="Alle Spieler hat das Spiel verlassen: NOT_CONNECTED"/>' in text
    read = CODEC_2027.decode_outcome(parse(text))
    assert [line.cause for line in read.seats] == [Cause.LEFT, Cause.LEFT]
    assert read.winner is None


def test_who_breaks_off_in_2027_loses_the_points_of_the_game() -> None:
    """W33."""
    state = position(GAME["blokus-2027"], 2, 30)
    lost = state.outcome().forfeit(0, Cause.LEFT, Text("weg", "gone"))
    read = CODEC_2027.decode_outcome(parse(CODEC_2027.encode_outcome(lost, state, NAMES)))
    assert read.scores == ((0,), state.outcome().scores[1])
    assert lost.scores == state.outcome().scores


@pytest.mark.parametrize(
    ("names", "player", "reason"),
    [
        (("", "B"), '<player team="ONE"/>', "B hat am meisten Punkte erzielt."),
        (("A", "  "), '<player name="A" team="ONE"/>', "TWO hat am meisten Punkte erzielt."),
    ],
)
def test_blank_names_of_2027(names: tuple[str, str], player: str, reason: str) -> None:
    won = Outcome((SeatOutcome(0, (5,)), SeatOutcome(2, (9,))), 1, "NO_MOVES", Text("", ""))
    text = CODEC_2027.encode_outcome(won, GAME["blokus-2027"].start(0), names)
    assert player in text
    assert f'<winner team="TWO" regular="true" reason="{reason}"/>' in text


@pytest.mark.parametrize(
    ("reason", "cause"),
    [
        ("Regelverletzung von p2: so nicht", Cause.RULE_VIOLATION),
        ("p2 hat fuer die Antwort auf die Zugaufforderung laenger als 2 Sekunden gebraucht.", Cause.SOFT_TIMEOUT),
        ("p2 hat innerhalb von 2 Sekunden nach Aufforderung keinen Zug gesendet.", Cause.HARD_TIMEOUT),
        ("p2 hat das Spiel verlassen: LOST_CONNECTION", Cause.LEFT),
        ("Missachtung des Spielablaufs von p2: Move from TWO(p2) has not been requested.", Cause.LEFT),
    ],
)
def test_the_cause_of_2027_is_read_from_its_reason(reason: str, cause: Cause) -> None:
    """W34."""
    start = GAME["blokus-2027"].start(0)
    text = CODEC_2027.encode_outcome(start.outcome().forfeit(1, Cause.LEFT, Text(reason, reason)), start, ("p1", "p2"))
    read = CODEC_2027.decode_outcome(parse(text))
    assert [line.cause for line in read.seats] == [Cause.REGULAR, cause]
    assert read.seats[1].reason.de == reason


def test_a_result_of_2027_with_one_player_leaves_the_other_seat_empty() -> None:
    start = GAME["blokus-2027"].start(0)
    gone = start.outcome().forfeit(1, Cause.LEFT, Text("weg", "gone"))
    element = parse(CODEC_2027.encode_outcome(gone, start, NAMES))
    scores = element.find("scores")
    assert scores is not None
    del scores.children[1]
    read = CODEC_2027.decode_outcome(element)
    assert [line.points for line in read.seats] == [2, 0]
    assert read.seats[1].cause is Cause.LEFT


BAD_RESULTS = {
    "one score": (
        "</definition>",
        '</definition><score cause="REGULAR"><part>1</part><part>2</part></score>',
        "data/score",
        "3",
    ),
    "cause": ('cause="REGULAR"', 'cause="BOREDOM"', "data/score[1]@cause", "SOFT_TIMEOUT, HARD_TIMEOUT"),
    "three parts": ("<part>1</part>", "<part>1</part><part>1</part>", "data/score[1]/part", "there are 3 of them"),
    "part": ("<part>1</part>", "<part>eins</part>", "data/score[1]/part", "'eins' found"),
    "team": (">ONE</color>", ">RED</color>", "data/winner/color", "expected one of ONE, TWO"),
}


@pytest.mark.parametrize("name", BAD_RESULTS)
def test_a_bad_result_is_refused_with_its_place(name: str) -> None:
    old, new, where, reason = BAD_RESULTS[name]
    start = GAME["blokus-2021"].start(0)
    text = NEWEST.encode_outcome(start.outcome(), start, NAMES).replace(old, new)
    with pytest.raises(CodecError) as caught:
        NEWEST.decode_outcome(parse(text))
    assert caught.value.where == where
    assert reason in caught.value.reason


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
    assert codec.violation_reason(violation("DUPLICATE_SHAPE"), MONO, "p1") == Text("So nicht", "Not so")
    assert codec.violation_reason(violation("OBSTRUCTED"), None, "p1") == Text("So nicht", "Not so")
    expected = "Ungueltiger Zug von 'p1'.\nInvalidMoveException(mistake=So nicht, move=Setze MONO(Farbe Blau)[1,2])"
    for to_offender in (True, False):
        assert codec.complaint(violation("OBSTRUCTED"), MONO, "p1", to_offender=to_offender) == expected
    assert codec.complaint(violation("WRONG_SHAPE"), MONO, "p1", to_offender=True).endswith(
        "(mistake=So nicht, move=null)"
    )


def test_reasons_of_2027_name_the_player_whatever_he_is_called() -> None:
    reason = CODEC_2027.violation_reason(violation("OBSTRUCTED"), MONO, "{x} %s")
    assert reason.de == "Regelverletzung von {x} %s: So nicht bei 'Setze MONO(Farbe Blau)[1,2]'"
    assert reason.en.startswith("{x} %s broke a rule: Not so (move ")
    assert CODEC_2027.violation_reason(violation("WRONG_SHAPE"), MONO, "p").de == "Regelverletzung von p: So nicht"


def test_the_welcome_is_lower_case_in_2021_and_upper_case_in_2027() -> None:
    """W28."""
    assert [NEWEST.seat_name(seat) for seat in (0, 1)] == ["one", "two"]
    assert [OLDEST.seat_name(seat) for seat in (0, 1)] == ["one", "two"]
    assert [CODEC_2027.seat_name(seat) for seat in (0, 1)] == ["ONE", "TWO"]
