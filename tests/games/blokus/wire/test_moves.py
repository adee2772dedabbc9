"""Blokus moves on the wire: every accepted form, every refusal with its place, and the official
words.
"""

from __future__ import annotations

import pytest

from games.blokus.wire_samples import (
    CODEC_2027,
    EACH_2021,
    EACH_CODEC,
    GAME,
    NEWEST,
    parse,
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
from spielleiter.rules import RuleViolation
from spielleiter.wire.codec import Codec, ReceivedMove
from spielleiter.wire.errors import CodecError

P = (
    '<piece color="RED" kind="PENTO_V" rotation="LEFT" isFlipped="true"><position x="3" '
    'y="4"/></piece>'
)
RED_V = SetMove(Color.RED, Piece.PENTO_V, Rotation.LEFT, True, 3, 4)
SHUFFLED = (
    '<piece z="1" isFlipped="TRUE" kind="PENTO_V" rotation="LEFT" color="RED"><position '
    'y="4" x=" +3 "/></piece>'
)
PLAIN_V = SetMove(Color.RED, Piece.PENTO_V, Rotation.NONE, False, 3, 4)
COORDINATES = '<__shape class="linked-hash-set"><coordinates x="0" y="0"/></__shape>'
WITH_COORDINATES = (
    '<data class="{}.SetMove">'
    + P.replace("</piece>", COORDINATES + "<__coordinates/></piece>")
    + "</data>"
)

GOOD_MOVES: dict[str, tuple[str, ReceivedMove[BlokusMove]]] = {
    "plain": (f'<data class="{{}}.SetMove">{P}</data>', ReceivedMove(RED_V)),
    "short name": (f'<data class="setmove">{P}</data>', ReceivedMove(RED_V)),
    "short skip": (
        '<data class="skipmove"><color>RED</color></data>',
        ReceivedMove(SkipMove(Color.RED)),
    ),
    "attributes in any order, strangers among them": (
        f'<data why="not" class="{{}}.SetMove">{SHUFFLED}</data>',
        ReceivedMove(RED_V),
    ),
    "neither rotation nor flip": (
        (
            '<data class="{}.SetMove"><piece color="RED" kind="PENTO_V"><position x="3" '
            'y="4"/></piece></data>'
        ),
        ReceivedMove(PLAIN_V),
    ),
    "the inner fields of client 21.2.1": (
        WITH_COORDINATES,
        ReceivedMove(RED_V, (), ("data/piece/__shape", "data/piece/__coordinates")),
    ),
    "hints and strangers": (
        f'<data class="{{}}.SetMove">{P}<hint content=" a &amp; b"/><mood/><hint>c</hint></data>',
        ReceivedMove(RED_V, (" a & b", "c"), ("data/mood",)),
    ),
    "skip": (
        '<data class="{}.SkipMove">\n <color> GREEN </color>\n</data>',
        ReceivedMove(SkipMove(Color.GREEN)),
    ),
    "skip without colour": ('<data class="{}.SkipMove"/>', ReceivedMove(SkipMove(Color.BLUE))),
    "skip with the colour as attribute": (
        '<data class="{}.SkipMove" color="RED"/>',
        ReceivedMove(SkipMove(Color.RED)),
    ),
    "skip with hints": (
        '<data class="{}.SkipMove"><hint content="x"/></data>',
        ReceivedMove(SkipMove(Color.BLUE), ("x",)),
    ),
    "pass": (
        '<data class="{}.PassMove"><color>YELLOW</color></data>',
        ReceivedMove(SkipMove(Color.YELLOW)),
    ),
    "pass without colour": ('<data class="passmove"/>', ReceivedMove(SkipMove(Color.BLUE))),
}


@EACH_CODEC
@pytest.mark.parametrize("name", GOOD_MOVES)
def test_every_form_of_a_move_is_read_in_every_revision(
    game: Blokus, codec: Codec[BlokusState, BlokusMove], name: str
) -> None:
    """W20, W21, W22, W23, W35."""
    text, expected = GOOD_MOVES[name]
    assert (
        codec.decode_move(parse(text.format(f"sc.plugin{game.season.id[7:11]}")), game.start(0))
        == expected
    )


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
    "skipped colour": (
        SET,
        '<data class="skipmove"><color>ROT</color></data>',
        "data/color",
        "'ROT' found",
    ),
    "two colours": (
        SET,
        '<data class="skipmove"><color>RED</color><color/></data>',
        "data/color",
        "2 of them",
    ),
}


@EACH_2021
@pytest.mark.parametrize("name", BAD_MOVES)
def test_a_bad_move_is_refused_with_its_place(
    codec: Codec[BlokusState, BlokusMove], name: str
) -> None:
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
        (
            SetMove(Color.RED, Piece.MONO, Rotation.LEFT, False, 0, 1),
            "Setze MONO(Farbe Rot, gedreht um 270°)[0,1]",
        ),
        (
            SetMove(Color.YELLOW, Piece.MONO, Rotation.NONE, False, 0, -1),
            "Setze MONO(Farbe Gelb)[0,-1]",
        ),
        (SkipMove(Color.GREEN), "Farbe Grün setzt aus"),
    ],
)
def test_moves_in_words(move: BlokusMove, words: str) -> None:
    assert NEWEST.describe_move(move) == CODEC_2027.describe_move(move) == words
