"""A program is talked to line by line, and answers, says too much, says nothing, or is gone.

It covers ``dialogue`` and ``promises``.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import sys
from collections.abc import AsyncIterator

import pytest

from spielleiter.processes import dialogue as talking
from spielleiter.processes.dialogue import (
    Dialogue,
    LineBuffer,
    NoAnswer,
    ProgramDeaf,
    ProgramSilent,
    TooMuchSaid,
)
from spielleiter.processes.program import BotProcess, DirectProcess

PATIENCE = 60.0
"""Seconds that are never waited unless something is broken."""
SOON = 0.05
"""Seconds for what never comes."""
posix = pytest.mark.skipif(sys.platform == "win32", reason="needs a fork")

ECHO = """
import sys
for line in sys.stdin:
    print("you said", line.strip(), flush=True)
print("that was all", end="", flush=True)
"""
FOREVER = "import threading; threading.Event().wait()"


@contextlib.asynccontextmanager
async def program(code: str) -> AsyncIterator[tuple[BotProcess, Dialogue]]:
    process = BotProcess.start([sys.executable, "-c", code], talks=True)
    try:
        assert process.dialogue is not None
        yield process, process.dialogue
    finally:
        await process.end()
    assert process.is_gone


def test_lines_go_there_and_back() -> None:
    async def main() -> None:
        async with program(ECHO) as (process, talk):
            for word in ("hello", "", "x" * 10_000):
                await talk.write_line(word, PATIENCE)
                assert await talk.read_line(PATIENCE) == f"you said {word}"
            talk.close_input()
            assert await talk.read_line(PATIENCE) == "that was all"
            with pytest.raises(ProgramSilent):
                await talk.read_line(PATIENCE)
            assert await process.wait() == 0
            with pytest.raises(ProgramDeaf, match="has been closed"):
                await talk.write_line("still there?", PATIENCE)
        assert process.stdout.text().startswith("you said hello")

    asyncio.run(main())


def test_a_line_need_not_be_waited_for() -> None:
    async def main() -> None:
        async with program(ECHO) as (_, talk):
            for word in ("hello", "x" * 10_000):
                written = talk.post_line(word)
                assert await talk.read_line(PATIENCE) == f"you said {word}"
                assert written.result(PATIENCE)

    asyncio.run(main())


def test_a_program_without_a_keeper_can_be_talked_to_as_well() -> None:
    async def main() -> None:
        started = DirectProcess([sys.executable, "-c", ECHO], None, os.environ, talks=True)
        process = BotProcess(started, None)
        talk = process.dialogue
        assert talk is not None
        await talk.write_line("hello", PATIENCE)
        assert await talk.read_line(PATIENCE) == "you said hello"
        talk.close_input()
        assert await process.wait() == 0
        await process.end()

    asyncio.run(main())


def test_without_talks_the_input_is_empty() -> None:
    async def main() -> None:
        process = BotProcess.start([sys.executable, "-c", ECHO])
        assert process.dialogue is None
        assert await process.wait() == 0
        await process.end()
        assert process.stdout.text() == "that was all"

    asyncio.run(main())


def test_more_than_one_line_is_refused() -> None:
    async def main() -> None:
        async with program(ECHO) as (_, talk):
            for text in ("one\ntwo", "one\r"):
                with pytest.raises(ValueError, match="more than one line"):
                    await talk.write_line(text, PATIENCE)

    asyncio.run(main())


def test_who_says_nothing_is_not_waited_for() -> None:
    async def main() -> None:
        async with program(FOREVER) as (process, talk):
            with pytest.raises(NoAnswer, match="it said nothing for"):
                await talk.read_line(SOON)
            assert process.exit_code is None
        assert process.was_ended

    asyncio.run(main())


def test_an_answer_may_come_after_the_time() -> None:
    async def main() -> None:
        async with program(ECHO) as (_, talk):
            with pytest.raises(NoAnswer):
                await talk.read_line(0)
            await talk.write_line("late", PATIENCE)
            assert await talk.read_line(PATIENCE) == "you said late"

    asyncio.run(main())


def test_who_never_reads_makes_nobody_wait() -> None:
    async def main() -> None:
        async with program(FOREVER) as (_, talk):
            with pytest.raises(NoAnswer, match="did not read"):
                await talk.write_line("x" * 1_000_000, SOON)  # more than any pipe holds
            with pytest.raises(NoAnswer, match="the line before"):
                await talk.write_line("y", PATIENCE)

    asyncio.run(main())


async def read_everything(talk: Dialogue) -> None:
    while True:
        await talk.read_line(PATIENCE)


def test_a_flood_is_read_to_its_end_and_ends_the_dialogue() -> None:
    flood = (
        "import sys\nfor number in range(300_000): print('line', number)\n"
        "sys.stdout.flush(); sys.stdin.readline()"
    )

    async def main() -> None:
        async with program(flood) as (process, talk):
            await talk.write_line("enough", PATIENCE)
            assert await process.wait() == 0  # it was never blocked
            assert await talk.read_line(PATIENCE) == "line 0"
            with pytest.raises(TooMuchSaid, match="before anybody read"):
                await read_everything(talk)
            with pytest.raises(TooMuchSaid):
                await talk.read_line(PATIENCE)

    asyncio.run(main())


def test_a_line_without_end_ends_the_dialogue() -> None:
    async def main() -> None:
        async with program("print('first'); print('x' * 1_000_000, flush=True); input()") as (
            _,
            talk,
        ):
            assert await talk.read_line(PATIENCE) == "first"
            with pytest.raises(TooMuchSaid, match="a line of more than"):
                await talk.read_line(PATIENCE)

    asyncio.run(main())


def test_a_program_that_dies_is_noticed_on_both_sides() -> None:
    async def main() -> None:
        async with program("import os; input(); print('bye', flush=True); os._exit(3)") as (
            process,
            talk,
        ):
            await talk.write_line("die", PATIENCE)
            assert await talk.read_line(PATIENCE) == "bye"
            with pytest.raises(ProgramSilent):
                await talk.read_line(PATIENCE)
            assert await process.wait() == 3
            with pytest.raises(ProgramDeaf, match="does not listen"):
                await talk.write_line("hello?", PATIENCE)

    asyncio.run(main())


def test_a_program_that_closes_its_input_is_noticed() -> None:
    code = "import os, sys; os.close(0); print('closed', flush=True); " + FOREVER

    async def main() -> None:
        async with program(code) as (process, talk):
            assert await talk.read_line(PATIENCE) == "closed"
            with pytest.raises(ProgramDeaf):
                await talk.write_line("hello?", PATIENCE)
            assert process.exit_code is None

    asyncio.run(main())


def test_a_program_that_closes_its_output_is_noticed() -> None:
    async def main() -> None:
        async with program("import os; os.close(1); " + FOREVER) as (process, talk):
            with pytest.raises(ProgramSilent):
                await talk.read_line(PATIENCE)
            assert process.exit_code is None

    asyncio.run(main())


@posix
def test_a_dead_program_whose_child_holds_the_output_is_noticed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(talking, "REST_SECONDS", SOON)
    code = "import os\nif os.fork(): os._exit(0)\n" + FOREVER

    async def main() -> None:
        async with program(code) as (process, talk):
            with pytest.raises(ProgramSilent):
                await talk.read_line(PATIENCE)
            assert process.exit_code == 0

    asyncio.run(main())


# The buffer alone


def lines_of(buffer: LineBuffer) -> list[str]:
    lines = []
    while isinstance(line := buffer.take(), str):
        lines.append(line)
    return lines


def test_lines_are_the_same_however_they_were_cut() -> None:
    data = "eins\r\nzwei ü\n\ndrei\n".encode()
    for size in range(1, len(data) + 1):
        buffer = LineBuffer()
        for at in range(0, len(data), size):
            buffer.add(data[at : at + size])
        assert lines_of(buffer) == ["eins", "zwei ü", "", "drei"]


def test_limits_hold_to_the_byte() -> None:
    buffer = LineBuffer(line_limit=4, unread_limit=10)
    buffer.add(b"1234\n5678\n")
    assert lines_of(buffer) == ["1234", "5678"]
    buffer.add(b"12345")
    with pytest.raises(TooMuchSaid, match="more than 4 bytes"):
        buffer.take()
    full = LineBuffer(line_limit=4, unread_limit=10)
    full.add(b"1234\n5678\n9")
    assert full.take() == "1234"
    assert full.take() == "5678"
    with pytest.raises(TooMuchSaid, match="more than 10 bytes"):
        full.take()


def test_what_has_no_end_of_line_is_the_last_line() -> None:
    buffer = LineBuffer()
    buffer.add(b"last")
    assert buffer.take() is None
    buffer.close()
    assert buffer.take() == "last"
    with pytest.raises(ProgramSilent):
        buffer.take()


def test_news_wake_whoever_waits_once() -> None:
    buffer = LineBuffer()
    woken: list[int] = []
    for number in (1, 2):
        assert buffer.take(lambda number=number: woken.append(number)) is None
    buffer.add(b"x\n")
    buffer.add(b"y\n")
    assert woken == [2]  # the first one has waited no longer
    assert [buffer.take(), buffer.take()] == ["x", "y"]
