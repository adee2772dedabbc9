"""Programs that tests start: none of them outlives its test, nor a test run that is killed."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import threading
import time
import uuid
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from spielleiter.processes import keeper

PATIENCE = 60.0
"""Seconds after which whoever waits for a program gives up; nothing should take a tenth of it."""
MARK = "TEST_RUN"
"""The variable by which everything that a test run has started is known."""

KEPT_MARK = "TEST_KEPT"
"""The variable by which programs are known that many tests share."""

_WARDEN = """
import os, select, sys, time
mark, kept = sys.argv[1].encode(), sys.argv[2].encode()
sys.stdin.buffer.read()  # ends with the test run, however that ends
def read(pid, name):
    try:
        with open(f"/proc/{pid}/{name}", "rb") as file:
            return file.read().split(b"\\0")
    except OSError:
        return []
deadline = time.monotonic() + 30
while time.monotonic() < deadline:
    # Keepers end by themselves, with bots that nobody else would find.
    pids = [pid for pid in os.listdir("/proc") if pid.isdecimal()]
    found = [int(pid) for pid in pids if mark in read(pid, "environ")]
    for pid in found:
        if kept not in read(pid, "cmdline"):
            try:
                os.kill(pid, 9)
            except OSError:
                pass
    if not found:
        break
    time.sleep(0.02)
"""


@contextlib.contextmanager
def running(argv: Sequence[str], **options: Any) -> Iterator[subprocess.Popen[Any]]:
    """Start a program that is gone when the block ends, whatever happens in it."""
    process = subprocess.Popen(argv, **options)
    try:
        yield process
    finally:
        process.kill()
        process.wait(PATIENCE)
        for stream in (process.stdin, process.stdout, process.stderr):
            if stream is not None:
                with contextlib.suppress(
                    OSError
                ):  # what waits to be written has no reader any more
                    stream.close()


def wait_until(condition: Callable[[], bool], seconds: float = PATIENCE) -> None:
    """Wait for what nothing announces; fail if it does not come."""
    deadline = time.monotonic() + seconds
    pause = threading.Event()
    while not condition():
        assert time.monotonic() < deadline, "it never came"
        pause.wait(0.01)


def hear_signals() -> None:
    """Let programs that tests start hear every signal, even if we were started with some ignored.

    ``nohup`` and ``&`` in a script make programs ignore signals, and whatever they start does the
    same. We go on ignoring them ourselves, with a handler, which is not inherited.
    """
    if sys.platform == "win32":
        return
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT):
        if signal.getsignal(number) is signal.SIG_IGN:
            signal.signal(number, lambda *_: None)
    signal.pthread_sigmask(signal.SIG_SETMASK, ())


def watch_over() -> None:
    """Let nothing that we start outlive us, even if we are killed. Only Linux can do this."""
    if sys.platform != "linux":
        return
    mark = os.environ[MARK] = uuid.uuid4().hex
    adopt = keeper.find_adopt()
    if adopt is not None:
        adopt()
    warden = subprocess.Popen(
        [sys.executable, "-I", "-S", "-c", _WARDEN, f"{MARK}={mark}", keeper.__file__],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env={},  # unmarked, also with the mark of who started us
        start_new_session=True,
    )
    warden.returncode = 0  # nobody waits for it: it waits for us
    assert warden.stdin is not None
    os.register_at_fork(after_in_child=warden.stdin.raw.close)  # type: ignore[attr-defined]
    _HELPERS.append(warden)


_HELPERS: list[subprocess.Popen[Any]] = []
_KEPT: set[int] = set()


@contextlib.contextmanager
def kept() -> Iterator[None]:
    """Let what is started in the block, and all that it starts, run on between tests.

    It is for what many tests share. Whoever starts it ends it.
    """
    before = _children()
    os.environ[KEPT_MARK] = "yes"
    try:
        yield
    finally:
        del os.environ[KEPT_MARK]
        _KEPT.update(_children() - before)


def left_behind() -> list[str]:
    """Name the programs started by us, or by those, that still run, and end them."""
    if not _has_children():
        return []
    deadline = time.monotonic() + PATIENCE / 4
    pause = threading.Event()
    while (found := _running()) and time.monotonic() < deadline:
        pause.wait(0.01)  # it may be on its way out
    for pid in found:
        with contextlib.suppress(OSError):
            os.kill(pid, signal.SIGKILL)
    return [f"{pid}: {command}" for pid, command in found.items()]


def _has_children() -> bool:
    """Whether we have any besides our helpers: quick, since nearly no test has."""
    try:
        children = _children()
    except OSError:  # a thread has just ended
        return True
    return bool(children - {helper.pid for helper in _HELPERS} - _KEPT)


def _children() -> set[int]:
    """Return the programs that we have started ourselves, as far as the system tells."""
    tasks = Path("/proc/self/task").glob("*/children")
    return set(map(int, " ".join(path.read_text() for path in tasks).split()))


def _running() -> dict[int, str]:
    """All descendants with their command lines, without the dead, our helpers, keepers of bots,
    and what is kept.
    """
    found = {}
    kept = {pid for root in _KEPT for pid in (root, *keeper.descendants(root))}
    for pid in set(keeper.descendants(os.getpid())) - kept:
        with contextlib.suppress(OSError):
            command = Path(f"/proc/{pid}/cmdline").read_bytes().decode(errors="replace").split("\0")
            if (
                any(command)
                and KEPT_MARK.encode() not in Path(f"/proc/{pid}/environ").read_bytes()
                and keeper.__file__ not in command
                and all(pid != helper.pid for helper in _HELPERS)
            ):
                found[pid] = " ".join(command)
    return found
