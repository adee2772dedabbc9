"""What bots print in a worker: lines, limits, and streams that are bots' own."""

from __future__ import annotations

import contextlib
import subprocess
import sys

import pytest

from spielleiter.arena.store.limits import LONGEST_TEXT
from spielleiter.arena.workers.output import KEPT_AT_ONCE, SeatOutput, SeatStream


class Told:
    def __init__(self) -> None:
        self.lines: list[tuple[str, int | None, str]] = []
        self.output = SeatOutput(lambda stream, _, turn, text: self.add(stream, turn, text))

    def add(self, stream: str, turn: int | None, text: str) -> None:
        self.lines.append((stream, turn, text))


@pytest.fixture
def told() -> Told:
    return Told()


def test_lines_come_whole_with_stream_and_turn(told: Told) -> None:
    out, err = SeatStream(told.output, "stdout"), SeatStream(told.output, "stderr")
    print("a", "b", file=out)
    out.write("half")
    told.output.turn = 7
    err.write("x\r\n\n")
    out.buffer.write(b" and \xff half\nlast")
    assert told.lines == [
        ("stdout", None, "a b"),
        ("stderr", 7, "x"),
        ("stderr", 7, ""),
        ("stdout", 7, "half and \ufffd half"),
    ]
    told.output.close()
    assert told.lines[-1] == ("stdout", 7, "last")
    print("too late", file=out)
    assert len(told.lines) == 5


def test_a_long_line_is_cut(told: Told) -> None:
    for _ in range(100):
        told.output.add("stdout", "x" * 1000)
    told.output.add("stdout", "\n")
    ((_, _, text),) = told.lines
    assert text == "x" * LONGEST_TEXT + f"... (cut at {LONGEST_TEXT} characters)"


def test_of_a_flood_the_beginning_and_the_end_are_kept(told: Told) -> None:
    for number in range(20_000):
        told.output.add("stdout", f"line {number}\n")
    before = len(told.lines)
    assert sum(len(text) + 32 for *_, text in told.lines) <= KEPT_AT_ONCE
    told.output.close()
    texts = [text for *_, text in told.lines]
    assert texts[0] == "line 0"
    assert texts[-1] == "line 19999"
    left_out = 20_000 - (len(texts) - 1)
    assert (told.lines[before][0], texts[before]) == ("cut", f"... ({left_out} lines are left out)")


def test_streams_behave_as_those_of_a_program(told: Told) -> None:
    out = SeatStream(told.output, "stdout")
    assert (out.fileno(), out.isatty(), out.encoding) == (1, False, "utf-8")
    out.reconfigure(line_buffering=True)
    with pytest.raises(TypeError, match="must be str"):
        out.write(b"bytes")  # type: ignore[arg-type]
    out.close()
    with pytest.raises(ValueError, match="closed"):
        out.write("x")
    with contextlib.redirect_stdout(SeatStream(told.output, "stderr")):
        print("redirected")
    assert told.lines == [("stderr", None, "redirected")]


CLOSES = """
import os, threading, time
from spielleiter.arena.workers.output import RawOutput, SeatOutput
kept = os.dup(1)
raw = RawOutput()
lines = []
raw.owner = SeatOutput(lambda stream, at, turn, text: lines.append(text))
os.write(1, b"first\\n")
os.write(2, b"second\\n")
raw.flush()
assert raw.is_intact
for number in (1, 2):
    os.close(number)
assert not raw.is_intact
for thread in threading.enumerate():
    if thread is not threading.current_thread():
        thread.join(60)
        assert not thread.is_alive()
raw.flush()
os.write(kept, repr(lines).encode())
"""


@pytest.mark.skipif(sys.platform == "win32", reason="nobody can look into a pipe there")
def test_who_closes_standard_output_keeps_nobody_busy() -> None:
    found = subprocess.run(
        [sys.executable, "-c", CLOSES], capture_output=True, text=True, timeout=60, check=False
    )
    assert found.stdout == "['first', 'second']", found.stderr
