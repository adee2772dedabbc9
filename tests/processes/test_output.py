"""What programs write: the last bytes, how much it was, and a log that has an end."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from spielleiter.processes.output import LogFile, OutputPipe, Tail


def test_a_log_file_has_an_end(tmp_path: Path) -> None:
    log = LogFile(tmp_path / "log", limit=10)
    for _ in range(5):
        log.add(b"abcd")
    log.close()
    assert (
        tmp_path / "log"
    ).read_bytes() == b"abcdabcdab\n[the log ends here: the bot says too much]\n"


def test_a_tail_keeps_the_last_bytes() -> None:
    tail = Tail(limit=5)
    for part in (b"abc", b"def", b"g\xff"):
        tail.add(part)
    assert (tail.text(), tail.total) == ("defg�", 8)
    tail.add(b"0123456789")
    assert tail.text() == "56789"


def test_a_tail_counts_all_lines() -> None:
    tail = Tail(limit=5)
    assert tail.lines == 0
    for part, lines in ((b"a", 1), (b"b\n", 1), (b"\n\nc", 4), (b"\r\n", 4), (b"x" * 99, 5)):
        tail.add(part)
        assert tail.lines == lines


@pytest.mark.skipif(sys.platform == "win32", reason="what waits in a pipe is not told there")
def test_what_nobody_has_read_yet_counts_as_written() -> None:
    reading, writing = os.pipe()
    output = OutputPipe(reading)
    os.write(writing, b"one\n")
    assert (output.count_written(), output.tail.total) == (4, 0)
    assert output.read() == b"one\n"
    os.write(writing, b"two")
    assert (output.count_written(), output.tail.total) == (7, 4)
    os.close(writing)
    assert [output.read(), output.read()] == [b"two", b""]
    assert output.count_written() == 7


def test_an_output_that_was_closed_stays_readable_as_empty() -> None:
    reading, writing = os.pipe()
    os.close(writing)
    output = OutputPipe(reading)
    assert [output.read(), output.read()] == [b"", b""]
    assert output.count_written() == 0
