"""Run bots as processes.

They are started apart from us, heard but never waited for, and ended with everything they started.

Nothing here knows about games. It works on Linux, macOS and Windows. Threads read and wait, because
that is what all three have. What "everything they started" means on each of them is in docs/cli.md.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from pathlib import Path
from typing import Protocol

from spielleiter.processes.dialogue import Dialogue, LineBuffer
from spielleiter.processes.guard import GUARD, Guard
from spielleiter.processes.output import LogFile, OutputPipe, Tail
from spielleiter.processes.promises import done_within, promise
from spielleiter.processes.reading import LoopReader, read_to_end

TERM_SECONDS = 1.0
"""Seconds that a bot has to end by itself once it is told to."""
DRAIN_SECONDS = 1.0
"""Seconds that the last output of a bot that has ended may take.

Something that the bot has started may hold the pipe open for ever.
"""


class StartFailure(Exception):
    """The system does not start this program. The message says why."""


class RunningProcess(Protocol):
    """A program that runs.

    How one waits for it and ends it differs between systems.
    """

    pid: int
    stdout: int
    stderr: int
    stdin: int | None
    """Where to write, if its standard input is not empty."""

    def wait(self) -> int: ...
    def wait_for_rest(self) -> None: ...
    def terminate(self) -> None: ...
    def kill(self) -> None: ...


class DirectProcess:
    """A program started without a guard, as on Windows, whose own tool knows who started whom."""

    def __init__(
        self,
        argv: Sequence[str],
        folder: Path | None,
        environment: Mapping[str, str],
        *,
        talks: bool = False,
    ) -> None:
        self._process = subprocess.Popen(  # noqa: S603 - what somebody named
            list(argv),
            cwd=folder,
            env=dict(environment),
            stdin=subprocess.PIPE if talks else subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),  # Ctrl+C is for us
        )
        self.pid = self._process.pid
        assert self._process.stdout is not None
        assert self._process.stderr is not None
        # Copies, which belong to the threads that read. Popen would close its own files when it is
        # freed, maybe under a thread that reads from them.
        self.stdout = os.dup(self._process.stdout.fileno())
        self.stderr = os.dup(self._process.stderr.fileno())
        self._process.stdout.close()
        self._process.stderr.close()
        self.stdin = None
        if self._process.stdin is not None:
            self.stdin = os.dup(self._process.stdin.fileno())
            self._process.stdin.close()

    def wait(self) -> int:
        return self._process.wait()

    def wait_for_rest(self) -> None:
        """Return at once, because what the program left behind cannot be found."""

    def terminate(self) -> None:
        """End it by force, because there is no signal that asks."""
        self.kill()

    def kill(self) -> None:
        if self._process.poll() is None:
            _kill_tree(self.pid)


class BotProcess:
    """One bot, running since ``start``. End it with ``end``, in any case."""

    def __init__(
        self,
        process: RunningProcess,
        log: LogFile | None,
        hear: Callable[[str, bytes], None] | None = None,
        *,
        in_loop: bool = False,
    ) -> None:
        self.pid = process.pid
        self.was_ended = False
        """It did not end by itself."""
        self._process = process
        self._log = log
        self._hear = hear
        self._exit: Future[int] = promise()
        self._rest: Future[bool] = promise()
        """Done when everything the bot started has ended, after it was told to."""
        self.dialogue: Dialogue | None = None
        """To talk to it line by line, if it was started for that."""
        if process.stdin is not None:
            self.dialogue = Dialogue(process.stdin, self._exit)
        said = None if self.dialogue is None else self.dialogue.said
        pipes = {"stdout": process.stdout, "stderr": process.stderr}
        self._outputs = {name: OutputPipe(pipe) for name, pipe in pipes.items()}
        self._in_loop = in_loop and sys.platform != "win32"
        self._readers = [
            self._reader("stdout", said),
            self._reader("stderr", None),
        ]
        self._spawn(self._wait)

    @classmethod
    def start(
        cls,
        argv: Sequence[str],
        *,
        folder: Path | None = None,
        environment: Mapping[str, str] | None = None,
        log: Path | None = None,
        talks: bool = False,
        hear: Callable[[str, bytes], None] | None = None,
        guard: Guard = GUARD,
        in_loop: bool = False,
    ) -> BotProcess:
        """Start a program in a session of its own. Raises StartFailure.

        With ``talks`` its standard input is ours to write, and ``dialogue`` is there. Otherwise
        its input is empty. With ``in_loop`` the running event loop reads what it says, on systems
        where it can, and no thread. ``hear`` is called by whoever reads, with ``stdout`` or
        ``stderr`` and what the program wrote there.
        """
        try:
            log_file = None if log is None else LogFile(log)
        except OSError as error:
            raise StartFailure(
                f"the log {log} cannot be written: {error.strerror or error}"
            ) from None
        try:
            # In a session of its own: Ctrl+C is for us, and we tell the bots.
            start: Callable[..., RunningProcess] = (
                DirectProcess if sys.platform == "win32" else guard.start
            )
            process = start(
                argv, folder, os.environ if environment is None else environment, talks=talks
            )
        except (OSError, ValueError) as error:
            if log_file is not None:
                log_file.close()
            raise StartFailure(_why_not(argv[0], error)) from None
        return cls(process, log_file, hear, in_loop=in_loop)

    @property
    def stdout(self) -> Tail:
        return self._outputs["stdout"].tail

    @property
    def stderr(self) -> Tail:
        return self._outputs["stderr"].tail

    def count_written(self) -> dict[str, int]:
        """Return for each output the bytes that the bot has written so far, read or not."""
        return {name: output.count_written() for name, output in self._outputs.items()}

    def count_printed(self, name: str) -> int:
        """Return the lines that the bot itself printed.

        The SDK's own, which begin with the bot's name, do not count.
        """
        ours = sum(line.startswith(f"{name}: ") for line in self.stderr.text().splitlines())
        return self.stdout.lines + max(0, self.stderr.lines - ours)

    # Threads

    def _spawn(self, target: Callable[..., None], *args: object) -> threading.Thread:
        thread = threading.Thread(target=target, args=args, name=f"bot {self.pid}", daemon=True)
        thread.start()
        return thread

    def _reader(self, name: str, lines: LineBuffer | None) -> threading.Thread | LoopReader:
        """Read one of its outputs until its end."""
        output = self._outputs[name]

        def take(data: bytes) -> None:
            if self._hear is not None:
                self._hear(name, data)
            if self._log is not None:
                self._log.add(data)
            if lines is not None:
                lines.add(data)

        def end() -> None:
            if lines is not None:
                lines.close()

        if self._in_loop:
            return LoopReader(output, take, end)
        return self._spawn(read_to_end, output, take, end)

    def _wait(self) -> None:
        self._exit.set_result(self._process.wait())
        self._process.wait_for_rest()
        self._rest.set_result(True)

    # Life and death

    @property
    def exit_code(self) -> int | None:
        """Return the exit code, None while it runs, below 0 the signal that ended it."""
        return self._exit.result() if self._exit.done() else None

    @property
    def is_gone(self) -> bool:
        """Return whether it has ended, and everything it started and left behind, too."""
        return self._exit.done() and not self._group_lives()

    async def wait(self) -> int:
        """Wait until it ends, and return its exit code."""
        return await asyncio.wrap_future(self._exit)

    async def wait_within(self, seconds: float) -> bool:
        """Return whether it ends in time."""
        return await done_within(self._exit, seconds)

    async def end(self, grace: float = TERM_SECONDS) -> None:
        """End it and everything it started, first by asking, then by force.

        Returns when its output is read.
        """
        if self.dialogue is not None:
            self.dialogue.close_input()
        if not self._exit.done():
            self.was_ended = True
            self._process.terminate()
            await self.wait_within(grace)
        # In any case, because a bot that has ended may have left others behind. A process that even
        # this cannot end hangs in the system, and nobody waits for it here.
        self._process.kill()
        await done_within(self._rest, grace + DRAIN_SECONDS)
        await self._drain()

    async def _drain(self) -> None:
        loop = asyncio.get_running_loop()
        deadline = loop.time() + DRAIN_SECONDS
        while any(reader.is_alive() for reader in self._readers) and loop.time() < deadline:
            await asyncio.sleep(0.005)
        for reader in self._readers:
            if isinstance(reader, LoopReader):
                reader.close()
        if self._log is not None:
            self._log.close()

    def _group_lives(self) -> bool:
        if sys.platform == "win32":
            return False
        try:
            os.killpg(self.pid, 0)
        except OSError:
            return False
        return True


def _kill_tree(pid: int) -> None:
    """Let Windows' own tool end the program and what it started.

    Windows has no groups of processes to signal.
    """
    with contextlib.suppress(OSError, subprocess.TimeoutExpired):
        subprocess.run(  # noqa: S603
            ["taskkill", "/T", "/F", "/PID", str(pid)],  # noqa: S607
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=5,
            check=False,
        )


def _why_not(program: str, error: OSError | ValueError) -> str:
    if isinstance(error, OSError) and error.errno is not None:
        # The most common one is "Exec format error", for a script without its first line.
        reason = error.strerror or str(error)
        advice = (
            "; does its first line say what runs it, like #!/bin/sh?"
            if "xec format" in reason
            else ""
        )
        return f"{program} cannot be started: {reason}{advice}"
    return f"{program} cannot be started: {error}"


def describe_exit(code: int) -> str:
    """Put an exit code into words, such as ``exit code 1`` or ``killed by SIGSEGV``."""
    if code >= 0:
        return f"exit code {code}"
    try:
        return f"killed by {signal.Signals(-code).name}"
    except ValueError:
        return f"killed by signal {-code}"
