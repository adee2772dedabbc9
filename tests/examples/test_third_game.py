"""The rules of Vier gewinnt, tried by hand.

What holds for every game is in the contract test.
"""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import recorded
import third_game
from spielleiter import games
from spielleiter.rules import Cause, FreeClock, NotationError, RuleViolation, Text
from spielleiter.wire.elements import Element
from spielleiter.wire.errors import CodecError
from third_game import FOUR, FOUR_SCATTERED, GAMES, Drop, Position
from third_game.rules import LINES

FOLDER = Path(third_game.__file__).parent


def played(moves: str) -> Position:
    state = FOUR.start(0)
    for letter in moves:
        state = state.play(FOUR.parse_move(letter))
    return state


@pytest.mark.parametrize(
    ("moves", "winner"),
    [
        ("adbecfg", None),
        ("aabbccd", 0),
        ("abababa", 0),
        ("gababaga", 1),
        ("abbccdcddgd", 0),
        ("dccbbabaafa", 0),
    ],
    ids=["none", "across", "upwards", "upwards-yellow", "rising", "falling"],
)
def test_four_in_a_row_wins(moves: str, winner: int | None) -> None:
    assert not played(moves[:-1]).is_over
    state = played(moves)
    assert state.winner == winner
    assert state.is_over == (winner is not None)


def test_there_are_69_lines() -> None:
    assert len(set(LINES)) == len(LINES) == 69


def test_a_faster_win_is_worth_more() -> None:
    outcome = played("abababa").outcome()
    assert outcome.scores == ((42 - 7,), (0,))
    assert outcome.reason == Text("Rot hat vier in einer Reihe.", "Red has four in a row.")


def test_a_full_board_is_a_draw() -> None:
    state = FOUR.parse_position("RYRYRY/RYRYRY/YRYRYR/RYRYRY/RYRYRY/YRYRYR/RYRYR f")
    assert not state.is_over
    assert state.legal_moves() == [Drop(6)]
    end = state.play(Drop(6))
    assert end.is_over
    assert (end.outcome().winner, end.outcome().code) == (None, "BOARD_FULL")


@pytest.mark.parametrize(
    ("moves", "move", "rule"),
    [
        ("", Drop(7), "NO_SUCH_COLUMN"),
        ("", Drop(-1), "NO_SUCH_COLUMN"),
        ("aaaaaa", Drop(0), "COLUMN_FULL"),
    ],
)
def test_broken_rules_are_named(moves: str, move: Drop, rule: str) -> None:
    with pytest.raises(RuleViolation) as caught:
        played(moves).play(move)
    assert caught.value.rule == rule


def test_after_the_end_every_move_breaks_a_rule() -> None:
    with pytest.raises(RuleViolation, match="The game is over"):
        played("abababa").play(Drop(6))


def test_neutral_stones_come_from_the_seed_and_help_nobody() -> None:
    state = FOUR_SCATTERED.start(5)
    assert sorted(state.columns) == ["", "", "", "", "", "#", "#"]
    assert (state.turn, state.seat) == (0, 0)
    assert FOUR_SCATTERED.parse_position("#/#/RY/-/-/-/- c").winner is None


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("-/-/-/-/-/- -", "6 columns and not 7"),
        ("-/-/-/R/-/-/-", "after the columns"),
        ("-/-/-/B/-/-/- d", "'B' is not a stone"),
        ("-/-/-/RYRYRYR/-/-/- d", "1 to 6 stones"),
        ("-/-//R/-/-/- d", "1 to 6 stones"),
        ("-/-/-/YY/-/-/- d", "0 red stones against 2"),
        ("-/-/-/R/-/-/- -", "exactly if stones"),
        ("-/-/-/-/-/-/- a", "exactly if stones"),
        ("-/-/-/R/-/-/- a", "not on top"),
        ("-/-/-/#/-/-/- -", "0 neutral stones"),
        ("-/-/-/R/-/-/- z", "letter of a column"),
    ],
)
def test_impossible_positions_are_told_apart(text: str, reason: str) -> None:
    with pytest.raises(NotationError, match=reason):
        FOUR.parse_position(text)


def test_a_position_error_names_the_character() -> None:
    with pytest.raises(NotationError, match="at character 5: 'x' is not a stone"):
        FOUR.parse_position("-/-/x/-/-/-/- -")


def test_picture() -> None:
    assert FOUR.picture(played("dde")).splitlines() == [
        " a b c d e f g",
        *["|. . . . . . .|"] * 4,
        "|. . . Y . . .|",
        "|. . . R R . .|",
        "Yellow (Y) to move",
    ]


@pytest.mark.parametrize(
    ("moves", "best"), [("ababab", "a"), ("abacad", "a"), ("agaga", "a"), ("", "d")]
)
def test_greedy_wins_defends_and_likes_the_middle(moves: str, best: str) -> None:
    player = FOUR.players["greedy"](1)
    assert str(player.choose(played(moves), FreeClock())) == best


def test_greedy_beats_random() -> None:
    wins = 0
    for seed in range(20):
        greedy = seed % 2
        players = [
            FOUR.players["greedy" if seat == greedy else "random"](seed) for seat in range(2)
        ]
        state = FOUR_SCATTERED.start(seed)
        while not state.is_over:
            state = state.play(players[state.seat].choose(state, FreeClock()))
        wins += state.outcome().winner == greedy
    assert wins >= 18


CODEC = FOUR.codecs["1"]


def element(tag: str, *children: Element, text: str = "", **attributes: str) -> Element:
    return Element(tag, attributes, list(children), text)


def test_move_as_it_is_sent() -> None:
    assert CODEC.encode_move(Drop(3), ["so & so"]) == (
        '<data class="example.Drop">\n  <column>3</column>\n  <hint content="so &amp; so"/>\n'
        "</data>"
    )


def test_unknown_children_of_a_move_are_named() -> None:
    data = Element(
        "data", {"class": "example.Drop"}, [element("column", text=" 3 "), element("row", text="1")]
    )
    received = CODEC.decode_move(data, FOUR.start(0))
    assert (received.move, received.discarded) == (Drop(3), ("row",))


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (
            Element("data", {"class": "sc.SetMove"}),
            "data@class: 'sc.SetMove' is not a move of this game",
        ),
        (Element("data", {"class": "example.Drop"}), "data: there is no <column> in it"),
        (
            Element("data", {"class": "example.Drop"}, [element("column", text="-1")]),
            "data/column: '-1' is not a number",
        ),
        (
            Element("data", {"class": "example.Drop"}, [element("column", text="²")]),
            "data/column: '²' is not a number",
        ),
    ],
)
def test_moves_that_cannot_be_read(data: Element, message: str) -> None:
    with pytest.raises(CodecError) as caught:
        CODEC.decode_move(data, FOUR.start(0))
    assert message in str(caught.value)


def test_a_column_that_is_not_there_is_for_the_rules_to_judge() -> None:
    data = Element("data", {"class": "example.Drop"}, [element("column", text="9")])
    move = CODEC.decode_move(data, FOUR.start(0)).move
    with pytest.raises(RuleViolation, match="NO_SUCH_COLUMN") as caught:
        FOUR.start(0).play(move)
    assert CODEC.complaint(caught.value, move, "A", to_offender=False) == (
        "A: Zug 'Stein in Spalte column 9' ist ungültig: Diese Spalte gibt es nicht"
    )


def test_impossible_states_cannot_be_read() -> None:
    board = element("board", *(element("column", text="Y") for _ in range(7)))
    with pytest.raises(CodecError, match="state/board: 0 red stones"):
        CODEC.decode_state(element("state", board))


@pytest.mark.parametrize(
    ("result", "where"),
    [
        (element("data"), "data: there is no <scores>"),
        (element("data", element("scores")), "data/scores: 0 entries"),
        (
            element(
                "data",
                element("scores", element("entry"), element("entry")),
                element("winner", team="X"),
            ),
            "data/winner@team",
        ),
        (
            element(
                "data", element("scores", element("entry"), element("entry")), element("winner")
            ),
            "data/scores/entry: there is no <score>",
        ),
        (
            element(
                "data",
                element("scores", *[element("entry", element("score", cause="BORED"))] * 2),
                element("winner"),
            ),
            "data/scores/entry/score: 0 parts",
        ),
        (
            element(
                "data",
                element(
                    "scores",
                    *[
                        element(
                            "entry",
                            element("score", *[element("part", text="1")] * 2, cause="BORED"),
                        )
                    ]
                    * 2,
                ),
                element("winner"),
            ),
            "score@cause: 'BORED' is none of",
        ),
    ],
)
def test_results_that_cannot_be_read(result: Element, where: str) -> None:
    with pytest.raises(CodecError) as caught:
        CODEC.decode_outcome(result)
    assert where in str(caught.value)


def test_a_forfeit_keeps_its_cause_on_the_wire() -> None:
    state = played("d")
    lost = state.outcome().forfeit(1, Cause.SOFT_TIMEOUT, Text("zu langsam", "too slow"))
    text = CODEC.encode_outcome(lost, state, ("A", "B"))
    (data,) = recorded.elements(f"<protocol>{text}</protocol>")
    back = CODEC.decode_outcome(data)
    assert [line.cause for line in back.seats] == [Cause.REGULAR, Cause.SOFT_TIMEOUT]
    assert (back.winner, back.code, back.reason.de) == (0, "SOFT_TIMEOUT", "zu langsam")


def test_registering_makes_it_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(games, "_HOUSE", ())
    monkeypatch.setattr(games, "_installed", lambda: ())
    monkeypatch.setattr(games, "_registered", [])
    games.register(*GAMES)
    assert games.get_game("vier-gewinnt-scattered") is FOUR_SCATTERED
    assert games.find_game_type("example_vier_gewinnt") is FOUR
    with pytest.raises(ValueError, match="'vier-gewinnt' is there already"):
        games.register(FOUR)


def test_it_needs_the_contract_and_nothing_else() -> None:
    for path in FOLDER.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if (
                isinstance(node, ast.ImportFrom)
                and node.level == 0
                and "spielleiter" in (node.module or "")
            ):
                assert node.module is not None
                package = ".".join(node.module.split(".")[:2])
                names = {name.name for name in node.names}
                # Of the package of games only the shapes, which belong to no game.
                assert package in ("spielleiter.rules", "spielleiter.wire") or (
                    node.module == "spielleiter.games" and names == {"drawing"}
                ), f"{path.name} imports {node.module}"


def test_the_readme_program_runs(tmp_path: Path) -> None:
    readme = (FOLDER / "README.md").read_text(encoding="utf-8")
    program = tmp_path / "try_it.py"
    program.write_text(readme.split("```python\n")[1].split("```")[0], encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": str(FOLDER.parent)}
    command = [sys.executable, str(program)]
    result = subprocess.run(
        command,
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert result.returncode == 0, result.stderr
    assert "has four in a row." in result.stdout or "The board is full." in result.stdout


def test_the_page_finds_the_module_of_the_game() -> None:
    module = FOUR.page / "view.js"
    exported = re.findall(
        r"^export (?:const|function) (\w+)", module.read_text(encoding="utf-8"), re.MULTILINE
    )
    assert {"words", "styles", "board", "chip", "describe", "hand"} <= set(exported)
    assert (FOUR.page / "view.css").is_file()
