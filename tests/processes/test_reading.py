"""What a program writes is read to its end, by a thread or by the event loop."""

from __future__ import annotations

import asyncio
import os
import sys
import threading

import pytest

from spielleiter.processes.dialogue import UNREAD_BYTES, ProgramSilent, TooMuchSaid
from spielleiter.processes.output import OutputPipe
from spielleiter.processes.program import BotProcess
from spielleiter.processes.reading import LoopReader, read_to_end

PATIENCE = 60.0
posix = pytest.mark.skipif(sys.platform == "win32", reason="no loop of Windows reads pipes")

ECHO = """
import sys
for line in sys.stdin:
    print("you said", line.strip(), flush=True)
print("that was all", end="", flush=True)
print("x" * 200_000, file=sys.stderr)
"""


def test_a_thread_reads_to_the_end() -> None:
    read, write = os.pipe()
    heard: list[bytes | None] = []
    os.write(write, b"one\ntwo")
    os.close(write)
    read_to_end(OutputPipe(read), heard.append, lambda: heard.append(None))
    assert heard == [b"one\ntwo", None]
    with pytest.raises(OSError, match=r"."):
        os.fstat(read)


@posix
def test_the_loop_reads_to_the_end_or_until_nobody_wants_more() -> None:
    async def main() -> None:
        read, write = os.pipe()
        heard: list[bytes | None] = []
        news = asyncio.Event()

        def take(data: bytes) -> None:
            heard.append(data)
            news.set()

        reader = LoopReader(OutputPipe(read), take, lambda: heard.append(None))
        for data in (b"one", b"two\n"):
            os.write(write, data)
            await news.wait()
            news.clear()
        assert heard == [b"one", b"two\n"]
        assert reader.is_alive()
        reader.close()
        reader.close()
        assert heard[2:] == [None]
        assert not reader.is_alive()
        with pytest.raises(BrokenPipeError):
            os.write(write, b"three")
        os.close(write)

    asyncio.run(main())


@posix
def test_a_program_can_be_talked_to_without_threads_that_read() -> None:
    async def main() -> None:
        before = threading.active_count()
        process = BotProcess.start([sys.executable, "-c", ECHO], talks=True, in_loop=True)
        talk = process.dialogue
        assert talk is not None
        try:
            assert threading.active_count() == before + 2  # one writes, one waits for its end
            for word in ("hello", "", "x" * 10_000):
                talk.post_line(word)
                assert await talk.read_line(PATIENCE) == f"you said {word}"
            talk.close_input()
            assert await talk.read_line(PATIENCE) == "that was all"
            with pytest.raises(ProgramSilent):
                await talk.read_line(PATIENCE)
            assert await process.wait() == 0
        finally:
            await process.end()
        assert process.is_gone
        assert process.stderr.total == 200_001

    asyncio.run(main())


@posix
def test_a_flood_ends_the_dialogue_and_holds_up_nobody() -> None:
    async def main() -> None:
        code = "while True: print('x' * 9999)"
        process = BotProcess.start([sys.executable, "-c", code], talks=True, in_loop=True)
        talk = process.dialogue
        assert talk is not None

        async def read_on() -> None:
            while True:
                await talk.read_line(PATIENCE)

        try:
            while process.stdout.total < 2 * UNREAD_BYTES:
                await asyncio.sleep(0)
            with pytest.raises(TooMuchSaid):
                await read_on()
        finally:
            await process.end()
        assert process.is_gone

    asyncio.run(main())


@posix
def test_what_a_child_holds_open_is_not_waited_for() -> None:
    code = (
        "import os, threading\nif os.fork() == 0:\n    os.setsid()\n    threading.Event().wait()\n"
    )

    async def main() -> None:
        process = BotProcess.start([sys.executable, "-c", code], talks=True, in_loop=True)
        assert await process.wait() == 0
        await process.end()
        assert process.is_gone

    asyncio.run(main())
