"""What bots keep beside their moves is read as it grows, whatever a bot writes there."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spielleiter.arena import thoughts
from spielleiter.arena.thoughts import (
    MOST_COLUMNS,
    MOST_LINES,
    PlacedMark,
    ThoughtFile,
    Thoughts,
    is_worth_storing,
    parse_thoughts,
    turn_of,
)
from spielleiter.client.bot import Mark
from spielleiter.client.notes import NoteFile
from spielleiter.client.thinker import Decision
from spielleiter.rules import one_line

posix = pytest.mark.skipif(sys.platform == "win32", reason="needs pipes and links")


def test_what_the_sdk_writes_is_read_as_it_grows(tmp_path: Path) -> None:
    path = tmp_path / "n"
    file = ThoughtFile(path)
    assert file.find(0) is None
    notes = NoteFile(path)
    notes.write(
        0, 0, "a", Decision(None, 0.1, ("h",), ("n",), (Mark(1, 2, "t", "red"), Mark(3, 4)))
    )
    places = (PlacedMark(1, 2, "t", "red"), PlacedMark(3, 4))
    assert file.find(0) == Thoughts(0, ("n",), ("1,2: t (red)", "3,4"), ("h",), places=places)
    assert file.find(0) is None
    notes.write(
        2,
        0,
        "b",
        Decision(None, 0.1, problem="why", is_fallback=True, failed_hooks=("on_state: x",)),
    )
    notes.write(4, 0, "c", Decision(None, 0.1))
    notes.write(5, 0, None, Decision(None, 0.0, (), ("bye",)))
    assert file.find(2) == Thoughts(
        2, is_fallback=True, problem="why", failed_hooks=("on_state: x",)
    )
    assert file.find(4) == Thoughts(4)
    assert file.find(5) is None
    notes.close()
    assert parse_thoughts(file.records[-1]) == Thoughts(5, ("bye",), after_the_end=True)


def test_half_a_line_waits_for_its_other_half(tmp_path: Path) -> None:
    path = tmp_path / "n"
    whole = (
        json.dumps({"turn": 1, "move": "a", "notes": ["ä"]}, ensure_ascii=False).encode() + b"\n"
    )
    cut = whole.index("ä".encode()) + 1  # in the middle of a character
    file = ThoughtFile(path)
    path.write_bytes(whole[:cut])
    assert file.find(1) is None
    with path.open("ab") as more:
        more.write(whole[cut:])
    assert file.find(1) == Thoughts(1, ("ä",))


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"{",
        b"[]",
        b"5",
        b"\xff\xfe",
        b"[" * 100_000,
        b'{"turn": "1"}',
        b"9" * 10_000,
        b'{"turn": null}',
    ],
)
def test_nonsense_is_passed_over(line: bytes, tmp_path: Path) -> None:
    path = tmp_path / "n"
    path.write_bytes(line + b'\n{"turn": 3, "move": "a"}\n')
    assert ThoughtFile(path).find(3) == Thoughts(3)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=5,
)
fields = ("turn", "move", "notes", "marks", "hints", "fallback", "problem", "failed_hooks")


@given(st.fixed_dictionaries({}, optional=dict.fromkeys(fields, json_values)))
def test_any_object_can_be_shown(record: dict[str, Any]) -> None:
    found = parse_thoughts(record)
    lines = [] if found is None else found.lines()
    assert len(lines) <= MOST_LINES
    assert all(line == one_line(line) and len(line) <= MOST_COLUMNS + 30 for line in lines)


def test_the_file_has_an_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(thoughts, "MOST_BYTES", 60)
    path = tmp_path / "n"
    path.write_text('{"turn": 1, "move": "a"}\n' * 100)
    file = ThoughtFile(path)
    file.update()
    file.update()
    assert len(file.records) == 2


@posix
def test_what_is_no_file_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "folder").mkdir()
    (tmp_path / "zero").symlink_to("/dev/zero")
    for name in ("pipe", "folder", "zero"):
        assert ThoughtFile(tmp_path / name).find(0) is None


def test_lines_are_clean_and_limited() -> None:
    kept = Thoughts(
        1,
        ("a\x1b[31mb\x07\nc", "x" * 1000),
        ("1,2: m",),
        ("h",),
        is_fallback=True,
        problem="P",
        failed_hooks=("o", "o"),
    )
    lines = kept.lines()
    cut = "x" * MOST_COLUMNS + f"... (cut at {MOST_COLUMNS} characters)"
    assert lines == ["!!! P", "!!! o", "ab\ufffd", "c", cut, "mark 1,2: m", "hint: h"]
    assert kept.lines(3) == ["!!! P", "!!! o", "... and 5 more lines"]
    assert kept.lines(7) == lines
    assert Thoughts(1).lines() == []


@pytest.mark.parametrize(
    ("more", "with_hints", "without"),
    [
        ({}, False, False),
        ({"hints": ["h"]}, False, True),
        ({"notes": ["n"]}, True, True),
        ({"notes": [], "marks": []}, False, False),
        ({"problem": "why", "fallback": False}, True, True),
        ({"of the bot's own": 1}, True, True),
    ],
)
def test_what_is_stored_with_the_move_is_not_stored_twice(
    more: dict[str, Any], with_hints: bool, without: bool
) -> None:
    record = {"turn": 3, "seat": 0, "move": "a", "seconds": 0.1, **more}
    assert is_worth_storing(record, sends_hints=True) is with_hints
    assert is_worth_storing(record, sends_hints=False) is without
    assert turn_of(record) == 3
    assert turn_of({**more, "turn": True}) is None
