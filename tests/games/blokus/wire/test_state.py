"""Blokus states on the wire: the documents' example, every layout that is read, every refusal with
its place.
"""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from games.blokus.wire_samples import (
    CODEC_2027,
    EACH_CODEC,
    GAME,
    NAMES,
    NEWEST,
    OLDER,
    OLDEST,
    finished,
    parse,
    position,
)
from spielleiter.games import get_game
from spielleiter.games.blokus import Blokus, BlokusMove, BlokusState, Color, Piece, SkipMove
from spielleiter.wire.codec import Codec, ReceivedState
from spielleiter.wire.elements import Element
from spielleiter.wire.errors import CodecError
from spielleiter.wire.stream import parse_element

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
    assert NEWEST.encode_state(state, ("", "")) == DOCUMENTED.replace(
        "<state ", '<state class="state" '
    )


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
            assert reader.decode_state(parse(writer.encode_state(state, NAMES))) == ReceivedState(
                state, NAMES
            )


@pytest.mark.parametrize("codec", [OLDER, OLDEST], ids=lambda codec: codec.revision)
def test_the_older_revisions_count_colours_from_0_among_those_in_play(
    codec: Codec[BlokusState, BlokusMove],
) -> None:
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
        (
            "66",
            "18",
            "1",
            ["YELLOW", "GREEN"],
            71,
        ),  # 21.1.0: 66 moves made, but the 18th round is GREEN's slot 71
        ("69", "20", "0", ["GREEN"], 79),
        (
            "58",
            "15",
            "0",
            ["YELLOW"],
            61,
        ),  # 21.0.0 forgot to count a round: the slot cannot be before the turn
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
    element.children.append(
        Element("orderedColors", {}, [Element("color", text=name) for name in colors])
    )
    element.attributes = {"turn": turn, "currentColorIndex": index, "startPiece": "PENTO_L"}
    element.attributes |= {} if round_ is None else {"round": round_}
    assert OLDER.decode_state(element).state.turn == slot


@pytest.mark.parametrize("seed", range(4))
def test_the_oldest_revision_writes_a_bare_skip_and_its_colour_is_found(seed: int) -> None:  # W21
    dice = random.Random(seed)
    game = get_game("blokus-2021")
    codec, older = game.codecs["2021-oldest"], game.codecs["2021-older"]
    state, skips = game.start(seed), 0
    while not state.is_over:
        skip = SkipMove(state.color)
        eager = dice.random() < 0.4 and state.is_legal(skip)
        state = state.play(skip if eager else dice.choice(state.legal_moves()))
        text = codec.encode_state(state, ("A", "B"))
        assert codec.decode_state(parse_element(text)).state == state
        if isinstance(state.last_move, SkipMove):
            skips += 1
            assert '<lastMove class="sc.plugin2021.SkipMove"/>' in text
            assert "<color>" in older.encode_move(state.last_move)
            hinted = codec.encode_state(state, ("A", "B"), ("why",))
            assert codec.decode_state(parse_element(hinted)).hints == ("why",)
        else:
            assert text == older.encode_state(state, ("A", "B"))
    assert skips > 5


@EACH_CODEC
def test_finished_colours_are_listed_in_the_order_of_play(
    game: Blokus, codec: Codec[BlokusState, BlokusMove]
) -> None:
    """W25."""
    text = codec.encode_state(finished(game, 0b1000), NAMES)
    start, end = text.index("<lastMoveMono"), text.index("</lastMoveMono>")
    entries = parse(text[start:end] + "</lastMoveMono>").children
    assert [[child.text for child in entry.children] for entry in entries] == [
        ["BLUE", "false"],
        ["GREEN", "true"],
    ]
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
    "turn": (
        'turn="70"',
        'turn="x"',
        "state@turn",
        "'x' found, expected a whole number from 0 to 9999",
    ),
    "long turn": ('turn="70"', f'turn="{"9" * 5000}"', "state@turn", "999..."),
    "no turn": (' turn="70"', "", "state@turn", "missing, expected"),
    "start piece": ("PENTO_L", "PENTO_Q", "state@startPiece", "expected one of MONO, DOMINO"),
    "cross": ("PENTO_L", "PENTO_X", "state", "PENTO_X is not a start piece"),
    "field": ('x="1" y="3"', 'x="20" y="3"', "state/board/field[2]@x", "from 0 to 19"),
    "content": ('"GREEN"', '"PINK"', "state/board/field[2]@content", "BLUE, YELLOW, RED, GREEN"),
    "twice": ('x="1" y="3"', 'x="0" y="0"', "state/board/field[2]", "(0, 0) is listed twice"),
    "shape": ("<shape>TRIO_L", "<shape>TRIO L", "state/greenShapes/shape", "'TRIO L' found"),
    "colour": ("<color>RED", "<color>ROT", "state/validColors/color", "'ROT' found"),
    "team": (">ONE</startTeam>", ">TWO</startTeam>", "state/startTeam", "expected one of ONE"),
    "mono": (
        "<boolean>true",
        "<boolean>ja",
        "state/lastMoveMono/entry/boolean",
        "expected one of true, false",
    ),
    "mono too early": (
        "<blueShapes/>",
        "<blueShapes><shape>MONO</shape></blueShapes>",
        "state",
        "still has pieces",
    ),
    "last move": (
        "plugin2021.SetMove",
        "plugin2020.SetMove",
        "state/lastMove@class",
        "sc.plugin2021.SetMove",
    ),
    "not on turn": (
        "    <color>RED</color>\n",
        "",
        "state",
        "turn 70 is RED's, but only YELLOW, GREEN",
    ),
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
    with pytest.raises(
        CodecError, match=r"state@currentColorIndex: '4' found, expected a whole number from 0 to 3"
    ):
        OLDER.decode_state(parse(text.replace('currentColorIndex="3"', 'currentColorIndex="4"')))
    with pytest.raises(CodecError, match=r"state/startColor: 'RED' found, expected one of BLUE"):
        OLDER.decode_state(parse(text.replace("<startColor>BLUE", "<startColor>RED")))
