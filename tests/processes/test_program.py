"""Bots as processes are ended with everything they started, also when we are gone ourselves."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from children import PATIENCE, running, wait_until
from spielleiter.processes.guard import Guard
from spielleiter.processes.output import KEPT_BYTES
from spielleiter.processes.program import (
    BotProcess,
    DirectProcess,
    StartFailure,
    describe_exit,
)

posix = pytest.mark.skipif(sys.platform == "win32", reason="needs signals and process groups")
linux = pytest.mark.skipif(sys.platform != "linux", reason="only Linux can adopt orphans")
FOREVER = "import threading; threading.Event().wait()"


def python(code: str) -> list[str]:
    return [sys.executable, "-c", code]


@pytest.fixture
def lifeline() -> Iterator[socket.socket]:
    """Programs under test connect here, and their connection ends when they do."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(30)
        yield server


def holding_on(server: socket.socket, then: str = FOREVER) -> str:
    """A program that connects and then does something."""
    return (
        "import socket, os; s = socket.create_connection(('127.0.0.1', "
        f"{server.getsockname()[1]})); {then}"
    )


def accepted(server: socket.socket) -> socket.socket:
    connection, _ = server.accept()
    connection.settimeout(30)
    return connection


def test_what_it_says_and_how_it_ends() -> None:
    async def main() -> None:
        process = BotProcess.start(
            python(
                "import os, sys; print(os.getcwd()); print(os.environ['X'], file=sys.stderr); "
                "sys.exit(3)"
            ),
            folder=Path(__file__).parent,
            environment={**os.environ, "X": "y"},
        )
        assert await process.wait() == 3
        await process.end()
        assert Path(process.stdout.text().strip()) == Path(__file__).parent
        assert process.stderr.text().strip() == "y"
        assert (process.exit_code, process.was_ended, process.is_gone) == (3, False, True)

    asyncio.run(main())


def test_ten_megabytes_block_nobody_and_fill_nothing(tmp_path: Path) -> None:
    code = (
        "import sys; w = sys.stdout.buffer.write\nfor i in range(160): w(b'%065535d\\n' % i)\n"
        "sys.stdout.flush(); sys.stderr.write('done')"
    )

    async def main() -> None:
        process = BotProcess.start(python(code), log=tmp_path / "deep" / "bot.log")
        assert await process.wait() == 0
        await process.end()
        assert process.stdout.total == 160 * 65536
        kept = process.stdout.text()
        assert len(kept) == KEPT_BYTES
        assert kept.endswith(f"{159:065535d}\n")
        assert process.stderr.text() == "done"
        assert (tmp_path / "deep" / "bot.log").stat().st_size == 160 * 65536 + 4

    asyncio.run(main())


@posix
def test_everything_it_started_ends_with_it(lifeline: socket.socket) -> None:
    stubborn = "import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN); "
    child = stubborn + holding_on(lifeline)
    parent = (
        f"import subprocess, sys; subprocess.Popen([sys.executable, '-c', {child!r}]); " + FOREVER
    )

    async def main() -> None:
        process = BotProcess.start(python(parent))
        held = await asyncio.to_thread(accepted, lifeline)
        with held:
            assert not process.is_gone
            await process.end(grace=0.2)
            assert (process.exit_code, process.was_ended) == (-signal.SIGTERM, True)
            assert await asyncio.to_thread(held.recv, 1) == b""

    asyncio.run(main())


@posix
def test_who_does_not_hear_is_ended_by_force(lifeline: socket.socket) -> None:
    code = "import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN); " + holding_on(lifeline)

    async def main() -> None:
        process = BotProcess.start(python(code))
        with await asyncio.to_thread(accepted, lifeline):
            await process.end(grace=0.1)
        assert process.exit_code == -signal.SIGKILL

    asyncio.run(main())


@posix
def test_a_launcher_that_leaves_its_child_behind_is_not_gone(lifeline: socket.socket) -> None:
    child = holding_on(lifeline, "s.recv(1)")
    parent = f"import subprocess, sys; subprocess.Popen([sys.executable, '-c', {child!r}])"

    async def main() -> None:
        process = BotProcess.start(python(parent))
        with await asyncio.to_thread(accepted, lifeline):
            assert await process.wait() == 0
            assert not process.is_gone
            await process.end()
        assert (process.exit_code, process.was_ended) == (0, False)

    asyncio.run(main())


OURS = """
import asyncio
from spielleiter.processes.guard import temporary_folder
from spielleiter.processes.program import BotProcess
async def main():
    with temporary_folder() as folder:
        (folder / "file").write_text("")
        BotProcess.start(ARGV)
        print(folder, flush=True)
        await asyncio.Event().wait()
asyncio.run(main())
"""


@posix
@pytest.mark.parametrize("escapes", [False, pytest.param(True, marks=linux)])
def test_no_orphan_survives_us(lifeline: socket.socket, escapes: bool) -> None:
    argv = python(escaping(lifeline, FOREVER) if escapes else holding_on(lifeline))
    with running(python(OURS.replace("ARGV", repr(argv)))) as ours, accepted(lifeline) as held:
        ours.kill()
        assert held.recv(1) == b""


@posix
def test_no_folder_survives_us(lifeline: socket.socket) -> None:
    with running(
        python(OURS.replace("ARGV", repr(python(holding_on(lifeline))))), stdout=subprocess.PIPE
    ) as ours:
        with accepted(lifeline):
            assert ours.stdout is not None
            folder = Path(os.fsdecode(ours.stdout.readline().rstrip()))
            assert folder.is_dir()
            ours.kill()
        wait_until(lambda: not folder.exists())


def escaping(server: socket.socket, then: str = "") -> str:
    """A program whose grandchild, in a session and an environment of its own, does not hear
    SIGTERM.
    """
    stays = "import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN); " + holding_on(server)
    return f"""
import os, sys, threading
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        os.closerange(0, 3)
        os.execve(sys.executable, [sys.executable, "-c", {stays!r}], {{}})
    os._exit(0)
os.wait()
{then}
"""


@linux
@pytest.mark.parametrize("then", [FOREVER, "sys.exit(0)"])
def test_nobody_escapes_by_a_double_fork(lifeline: socket.socket, then: str) -> None:
    async def main() -> None:
        process = BotProcess.start(python(escaping(lifeline, then)))
        with await asyncio.to_thread(accepted, lifeline) as held:
            if then != FOREVER:
                assert await process.wait() == 0
            await process.end()
            assert await asyncio.to_thread(held.recv, 1) == b""

    asyncio.run(main())


@linux
def test_the_end_of_one_leaves_the_others_alone(lifeline: socket.socket) -> None:
    async def main() -> None:
        first = BotProcess.start(python(escaping(lifeline, FOREVER)))
        with await asyncio.to_thread(accepted, lifeline) as held:
            second = BotProcess.start(python(escaping(lifeline, FOREVER)))
            with await asyncio.to_thread(accepted, lifeline) as other:
                await second.end()
                assert await asyncio.to_thread(other.recv, 1) == b""
                assert first.exit_code is None
                held.settimeout(0)
                with pytest.raises(BlockingIOError):  # still connected
                    held.recv(1)
                held.settimeout(30)
                await first.end()
                assert await asyncio.to_thread(held.recv, 1) == b""

    asyncio.run(main())


@linux
def test_a_program_whose_keeper_was_killed_is_ended_all_the_same(lifeline: socket.socket) -> None:
    async def main() -> None:
        process = BotProcess.start(python(holding_on(lifeline)))
        with accepted(lifeline) as connection:
            os.kill(keeper_of(process.pid), signal.SIGKILL)
            assert await process.wait() == -9
            assert not process.is_gone  # it goes on, and nobody knows how it will end
            await process.end()
            assert connection.recv(1) == b""
        assert not process.was_ended

    asyncio.run(main())


def keeper_of(pid: int) -> int:
    return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])


def has_ended(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] in "ZX"
    except OSError:
        return True


async def keeper_of_next(guard: Guard, lifeline: socket.socket) -> int:
    """Start a program that leaves another one behind, end both, and return who kept them."""
    code = escaping(lifeline, FOREVER)
    process = BotProcess(guard.start(python(code), None, os.environ), None)
    with await asyncio.to_thread(accepted, lifeline) as held:
        found = keeper_of(process.pid)
        await process.end()
        assert await asyncio.to_thread(held.recv, 1) == b""
    assert process.is_gone
    return found


@linux
def test_a_keeper_that_has_nobody_left_takes_the_next_program(lifeline: socket.socket) -> None:
    async def main() -> None:
        guard = Guard()
        keepers = [await keeper_of_next(guard, lifeline) for _ in range(3)]
        assert len(set(keepers)) == 1
        with pytest.raises(FileNotFoundError):
            guard.start(["/no/such/program"], None, os.environ)
        await keeper_of_next(guard, lifeline)
        guard.close()
        wait_until(lambda: has_ended(keepers[0]))

    asyncio.run(main())


@linux
def test_programs_at_the_same_time_have_keepers_of_their_own(lifeline: socket.socket) -> None:
    async def main() -> None:
        guard = Guard()
        first = BotProcess(guard.start(python(FOREVER), None, os.environ), None)
        second = BotProcess(guard.start(python(FOREVER), None, os.environ), None)
        kept = {keeper_of(process.pid) for process in (first, second)}
        assert len(kept) == 2
        for process in (first, second):
            await process.end()
        assert await keeper_of_next(guard, lifeline) in kept
        guard.close()

    asyncio.run(main())


@linux
def test_a_free_keeper_that_was_killed_is_not_missed(lifeline: socket.socket) -> None:
    async def main() -> None:
        guard = Guard()
        keeper = await keeper_of_next(guard, lifeline)
        os.kill(keeper, signal.SIGKILL)
        wait_until(lambda: has_ended(keeper))
        assert await keeper_of_next(guard, lifeline) != keeper
        guard.close()

    asyncio.run(main())


@linux
def test_free_keepers_end_with_the_program_beside_us(lifeline: socket.socket) -> None:
    async def main() -> None:
        guard = Guard()
        keeper = await keeper_of_next(guard, lifeline)
        assert guard._process is not None
        guard._process.kill()
        guard._process.wait(PATIENCE)
        wait_until(lambda: has_ended(keeper))
        guard.close()

    asyncio.run(main())


@linux
def test_the_program_beside_us_is_replaced_when_it_is_killed() -> None:
    async def main() -> None:
        guard = Guard()
        first = BotProcess(guard.start(python(FOREVER), None, os.environ), None)
        assert guard._process is not None
        guard._process.kill()
        guard._process.wait(30)
        second = BotProcess(guard.start(python("import sys; sys.exit(3)"), None, os.environ), None)
        assert await second.wait() == 3
        for process in (first, second):
            await process.end()
            assert process.is_gone
        guard.close()

    asyncio.run(main())


FORKING = """
import asyncio, os, sys
from spielleiter.processes.guard import GUARD
from spielleiter.processes.program import BotProcess
async def play():
    process = BotProcess.start([sys.executable, "-c", "print(1)"])
    assert await process.wait() == 0
    await process.end()
    return GUARD._process.pid
ours = asyncio.run(play())
if os.fork() == 0:
    theirs = asyncio.run(play())
    GUARD.close()
    os._exit(theirs == ours)
assert os.wait()[1] == 0
assert asyncio.run(play()) == ours
"""


@posix
def test_a_forked_process_has_a_program_of_its_own_beside_it() -> None:
    """The end of one process in a pool must not cost another one its bots."""
    with running(python(FORKING)) as forking:
        assert forking.wait(PATIENCE) == 0


@posix
def test_without_adopting_the_group_ends(lifeline: socket.socket) -> None:
    """As on macOS, where nothing better is known."""
    child = holding_on(lifeline)
    parent = (
        f"import subprocess, sys; subprocess.Popen([sys.executable, '-c', {child!r}]); " + FOREVER
    )

    async def main() -> None:
        guard = Guard("--no-adopting")
        process = BotProcess(guard.start(python(parent), None, os.environ), None)
        with await asyncio.to_thread(accepted, lifeline) as held:
            await process.end()
            assert (process.exit_code, process.was_ended) == (-signal.SIGTERM, True)
            assert await asyncio.to_thread(held.recv, 1) == b""
        guard.close()

    asyncio.run(main())


def test_a_program_started_directly_as_on_windows() -> None:
    async def main() -> None:
        process = BotProcess(
            DirectProcess(python("print(1); raise SystemExit(3)"), None, os.environ), None
        )
        assert await process.wait() == 3
        await process.end()
        assert (process.stdout.text().strip(), process.was_ended) == ("1", False)

    asyncio.run(main())


@posix
def test_words_and_variables_that_are_no_text(tmp_path: Path) -> None:
    """File names are bytes, and what is not UTF-8 in them comes through."""
    odd = os.fsdecode(b"\xff\xe4")
    folder = tmp_path / odd
    try:
        folder.mkdir()
    except OSError:
        pytest.skip("this file system wants text")
    show = (
        "import os, sys; print([os.fsencode(x) for x in (sys.argv[1], os.environ['X'], "
        "os.getcwd())])"
    )

    async def main() -> None:
        process = BotProcess.start(
            [*python(show), odd], folder=folder, environment={**os.environ, "X": odd}
        )
        assert await process.wait() == 0
        await process.end()
        assert process.stdout.text().count("\\xff\\xe4") == 3

    asyncio.run(main())


def test_who_gives_up_waiting_can_wait_again() -> None:
    async def main() -> None:
        process = BotProcess.start(python(FOREVER))
        assert not await process.wait_within(0.01)
        assert process.exit_code is None
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(0.01):
                await process.wait()
        await process.end()
        assert process.is_gone
        assert process.exit_code is not None

    asyncio.run(main())


@pytest.mark.parametrize("argv", [["/no/such/program"], ["a\0b"]])
def test_what_cannot_be_started(argv: list[str], tmp_path: Path) -> None:
    with pytest.raises(StartFailure, match="cannot be started"):
        BotProcess.start(argv, log=tmp_path / "log")


@posix
def test_a_script_without_its_first_line(tmp_path: Path) -> None:
    script = tmp_path / "start.sh"
    script.write_text("echo hello\n")
    script.chmod(0o755)
    with pytest.raises(StartFailure, match="#!/bin/sh"):
        BotProcess.start([str(script)])


def test_a_log_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StartFailure, match="cannot be written"):
        BotProcess.start(python(""), log=tmp_path / "file" / "bot.log")


def test_exit_codes_in_words() -> None:
    assert describe_exit(3) == "exit code 3"
    if sys.platform != "win32":
        assert describe_exit(-signal.SIGSEGV) == "killed by SIGSEGV"
    assert describe_exit(-1000) == "killed by signal 1000"


INTERRUPTED_AT_EXIT = """
import sys
from spielleiter.processes.guard import GUARD
from spielleiter.processes.program import BotProcess

program = BotProcess.start([sys.executable, "-c", "pass"])

def interrupt(seconds):
    raise KeyboardInterrupt

if GUARD._process is not None:
    GUARD._process.wait = interrupt
"""


def test_ctrl_c_at_the_very_end_shows_no_traceback() -> None:
    done = subprocess.run(
        [sys.executable, "-c", INTERRUPTED_AT_EXIT],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
