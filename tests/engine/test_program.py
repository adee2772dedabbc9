"""A match is judged in a process of its own, which gives way and does not outlive its parent."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from typing import Any

import pytest

import children
import wheels
from judging import ToldThinker, first_move, random_match
from spielleiter.engine.program import format_order, review_order
from spielleiter.games.blokus import GAMES
from spielleiter.rules import Cause, Text
from spielleiter.rules.engine import Line
from third_game import FOUR

GAME = GAMES[0]
STATES = random_match(GAME, 1)
COMMAND = [sys.executable, "-P", "-m", "spielleiter.engine.program"]


def order_of(states: list[Any], **options: Any) -> str:
    values = {"seconds": 0.1, "names": ["Ida", "Bob"], "outcome": None, **options}
    return "".join(f"{line}\n" for line in format_order(states, **values))


def run(order: str, environment: Any = None) -> list[dict[str, Any]]:
    """Return what the process says. Its input stays open, because its end means that we left."""
    variables = wheels.environment_with_wheel() if environment is None else environment
    process = subprocess.Popen(
        COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=variables
    )
    assert process.stdin is not None
    assert process.stdout is not None
    with process:
        process.stdin.write(order)
        process.stdin.flush()
        said = [json.loads(line) for line in process.stdout]
        assert process.wait(children.PATIENCE) == 0
    return said


def test_a_line_for_each_position_and_then_the_sentences() -> None:
    said: list[Any] = []
    thinker = ToldThinker(lambda state: Line(first_move(state), 0.5, 0.0, 1))
    outcome = STATES[-1].outcome()
    review_order(io.StringIO(order_of(STATES, outcome=outcome)), said.append, thinker)
    head, *steps, end = said
    assert head == {"total": len(STATES), "slips": [3.0, 7.0, 14.0]}
    assert [step["index"] for step in steps] == list(range(len(STATES)))
    assert steps[0]["move"] is None
    assert [step["move"]["turn"] for step in steps[1:]] == [state.turn for state in STATES[:-1]]
    assert GAME.describe_result(outcome).en in end["sentences"][0]["en"]
    assert end["problems"] == []


def test_an_irregular_end_is_told() -> None:
    said: list[Any] = []
    thinker = ToldThinker(lambda state: Line(first_move(state), 0.5, 0.0, 1))
    outcome = STATES[5].outcome().forfeit(1, Cause.LEFT, Text("weg", "gone"))
    review_order(io.StringIO(order_of(STATES[:6], outcome=outcome)), said.append, thinker)
    assert said[-1]["sentences"][0]["en"].startswith("Bob left the match, so it was over at turn 5")


def test_the_process_does_the_same() -> None:
    head, *steps, end = run(order_of(STATES[:6]))
    assert head["total"] == len(steps) == 6
    assert len(end["sentences"]) == 3


@pytest.mark.parametrize(
    ("order", "words"),
    [
        (order_of(random_match(FOUR, 1)), "no game 'vier-gewinnt'"),
        (order_of(STATES[:3], seconds=-1), "more than 0 and at most"),
        (order_of(STATES[:1]).replace("20/20", "20/21"), "cannot read"),
    ],
    ids=["unknown game", "wrong time", "broken position"],
)
def test_what_cannot_be_done_is_said(order: str, words: str) -> None:
    (said,) = run(order)
    assert words in said["error"]["en"]
    assert said["error"]["de"]


def test_a_missing_engine_is_said_with_what_to_do() -> None:
    if wheels.IS_THERE:
        pytest.skip("the engine is installed, so it is not missing")
    (said,) = run(order_of(STATES[:3]), dict(os.environ))
    assert "not installed" in said["error"]["en"]
    assert "make engine" in said["error"]["de"]


def test_it_ends_when_nobody_listens(tmp_path) -> None:
    # A stand-in that thinks for ever, until somebody ends it.
    text = (wheels.FOLDER / "spielleiter_engine.py").read_text(encoding="utf-8")
    endless = text.replace('raise ValueError("the game is over")', "pass").replace(
        "        state = position.state\n", "        import time\n        time.sleep(3600)\n", 1
    )
    (tmp_path / "spielleiter_engine.py").write_text(endless, encoding="utf-8")
    environment = os.environ | {"PYTHONPATH": str(tmp_path)}
    process = subprocess.Popen(
        COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment
    )
    assert process.stdin is not None
    assert process.stdout is not None
    with process:
        process.stdin.write(order_of(STATES[:3]))
        process.stdin.flush()
        assert "total" in process.stdout.readline()
        process.stdin.close()
        assert process.wait(children.PATIENCE) == 0


@pytest.mark.skipif(sys.platform != "linux", reason="asks Linux about its processes")
def test_it_gives_way() -> None:
    code = "from spielleiter.engine.program import give_way; import os; give_way(); print("
    code += "os.nice(0), os.sched_getscheduler(0) == os.SCHED_IDLE)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["19", "True"]
