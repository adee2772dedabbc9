"""What ``run`` keeps beside the moves."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from client.scripts import (
    ENDING,
    ILLEGAL,
    ONE_MOVE,
    START,
    First,
    WithFallback,
    broken,
    lines,
    played,
)
from spielleiter.client import Bot

pytestmark = pytest.mark.usefixtures("own_environment")


class Talkative(First):
    def on_start(self, state):
        self.debug.note("hello")

    def choose(self, state, clock):
        self.debug.note("best of 3")
        self.debug.mark(3, 4, "here", "red")
        self.hint("a hint")
        return super().choose(state, clock)

    def on_result(self, outcome):
        self.debug.note("well played")


def test_notes_are_kept_beside_the_move(tmp_path, monkeypatch):
    file = tmp_path / "notes.jsonl"
    monkeypatch.setenv("SPIELLEITER_NOTES", str(file))
    code, server = played(Talkative, [*ONE_MOVE, *ENDING])
    assert code == 0
    move, end = [json.loads(line) for line in file.read_text().splitlines()]
    assert 0 <= move.pop("seconds") < 60
    assert move == {
        "turn": 0,
        "seat": 0,
        "move": str(START.legal_moves()[0]),
        "notes": ["hello", "best of 3"],
        "marks": [{"x": 3, "y": 4, "text": "here", "color": "red"}],
        "hints": ["a hint"],
    }
    assert (end["turn"], end["move"], end["notes"]) == (1, None, ["well played"])
    assert server.received[1].find("data").find("hint") is None  # 2027 drops who sends one


def kept(tmp_path, monkeypatch, bot, script) -> list:
    file = tmp_path / "notes.jsonl"
    monkeypatch.setenv("SPIELLEITER_NOTES", str(file))
    played(bot, script)
    return [json.loads(line) for line in file.read_text().splitlines()]


def place(mark: str) -> str:
    """Return the line of this file that ends with a comment, as problems name it."""
    file = Path(__file__)
    texts = enumerate(file.read_text().splitlines(), 1)
    return next(f"({file.name}, line {n})" for n, text in texts if text.endswith(f"# {mark}"))


def test_a_fallback_is_kept_with_its_reason_and_place(tmp_path, monkeypatch):
    class Helpless(WithFallback):
        def choose(self, state, clock):
            raise ValueError("no idea")  # raised here

    (move,) = kept(tmp_path, monkeypatch, Helpless, [*ONE_MOVE, *ENDING])
    problem = f"ValueError: no idea {place('raised here')}"
    assert (move["fallback"], move["problem"]) == (True, problem)


def test_the_place_is_the_authors_own_even_if_the_error_is_raised_by_what_he_called(
    tmp_path, monkeypatch
):
    class Deep(WithFallback):
        def choose(self, state, clock):
            state.play(ILLEGAL)  # called here
            return json.loads("{")

    (move,) = kept(tmp_path, monkeypatch, Deep, [*ONE_MOVE, *ENDING])
    assert move["problem"].startswith("RuleViolation: ")
    assert move["problem"].endswith(f" {place('called here')}")


def test_an_illegal_move_that_is_sent_is_no_fallback(tmp_path, monkeypatch):
    (move,) = kept(tmp_path, monkeypatch, broken(Bot, value=ILLEGAL), [*ONE_MOVE, *ENDING])
    assert move["fallback"] is False
    assert move["problem"].startswith("choose returned what cannot be played: ")


def test_hooks_that_failed_are_kept(tmp_path, monkeypatch):
    class Hooked(First):
        def on_start(self, state):
            raise ValueError("early")

        def on_result(self, outcome):
            return 1 / 0

    move, end = kept(tmp_path, monkeypatch, Hooked, [*ONE_MOVE, *ENDING])
    assert "problem" not in move
    (early,), (late,) = move["failed_hooks"], end["failed_hooks"]
    assert re.fullmatch(r"on_start: ValueError: early \(test_runner_notes.py, line \d+\)", early)
    assert re.fullmatch(
        r"on_result: ZeroDivisionError: division by zero \(test_runner_notes.py, line \d+\)", late
    )


def test_where_notes_cannot_be_written_the_game_goes_on(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("SPIELLEITER_NOTES", str(tmp_path / "no" / "folder"))
    assert played(Talkative, [*ONE_MOVE, *ENDING])[0] == 0
    assert "notes cannot be written" in lines(capsys)


def test_debug_shows_notes_and_moves(capsys):
    assert played(Talkative, [*ONE_MOVE, *ENDING], "--debug")[0] == 0
    said = lines(capsys)
    assert f"turn 0: {START.legal_moves()[0]} after" in said
    assert "turn 0: best of 3" in said
    assert "turn 0: hint: a hint" in said
