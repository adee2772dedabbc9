"""Output of bots with time and turn, and never too much of it."""

from __future__ import annotations

from itertools import count

from spielleiter.arena.runs.capture import OutputCapture
from spielleiter.arena.store.limits import LONGEST_TEXT, MOST_OUTPUT, cost, limit_outputs
from spielleiter.arena.store.values import StoredOutput


def capture() -> OutputCapture:
    ticks = count(1)
    return OutputCapture(1, lambda: float(next(ticks)))


def texts(lines: OutputCapture) -> list[str]:
    return [line.text for line in lines.lines()]


def test_lines_have_the_time_and_the_turn_at_which_they_began() -> None:
    lines = capture()
    lines.add("stdout", b"first")
    lines.turn = 4
    lines.add("stderr", b"beside\n")
    lines.add("stdout", b" line\r\nsecond\n")
    lines.add("stdout", b"\nlast")
    lines.close()
    assert lines.lines() == [
        StoredOutput(1, "stderr", "beside", 2.0, 4),
        StoredOutput(1, "stdout", "first line", 1.0, None),
        StoredOutput(1, "stdout", "second", 3.0, 4),
        StoredOutput(1, "stdout", "", 4.0, 4),
        StoredOutput(1, "stdout", "last", 5.0, 4),
    ]


def test_bytes_that_are_no_text_are_replaced_and_characters_may_come_in_pieces() -> None:
    lines = capture()
    for piece in (b"\xc3", b"\xbc\n", b"\xff\n"):
        lines.add("stdout", piece)
    assert texts(lines) == ["ü", "\ufffd"]


def test_beginning_and_end_of_a_flood_are_kept_and_the_gap_is_marked() -> None:
    lines = capture()
    for number in range(100_000):
        lines.add("stdout", f"line {number}\n".encode())
    kept = lines.lines()
    (mark,) = [line for line in kept if line.stream == "cut"]
    assert kept[0].text == "line 0"
    assert kept[-1].text == "line 99999"
    assert mark.text == f"... ({100_000 - len(kept) + 1} lines are left out)"
    assert MOST_OUTPUT // 2 < sum(cost(line) for line in kept) <= MOST_OUTPUT
    assert limit_outputs(kept) == kept  # the store has nothing left to cut


def test_a_line_without_an_end_is_cut() -> None:
    lines = capture()
    for _ in range(200):
        lines.add("stdout", "ü".encode() * 1000)
    lines.add("stdout", b"\nnext\n")
    assert texts(lines) == [
        "ü" * LONGEST_TEXT + f"... (cut at {LONGEST_TEXT} characters)",
        "next",
    ]
    assert limit_outputs(lines.lines()) == lines.lines()
