"""Ends bots whose starter is gone, however it went: a small process that outlives us and cleans up.

It is told the process groups there are, and when its input ends, because we closed it or were killed, it kills
those that are left. Unlike a signal on the death of the parent this works on macOS too, and reaches what the
bots started themselves. Windows has no process groups to kill; there bots end when their connection does.
"""

from __future__ import annotations

import atexit
import contextlib
import subprocess
import sys
import threading
from typing import IO

_PROGRAM = """
import os, sys
groups = set()
for line in sys.stdin:
    group = int(line)
    groups.add(group) if group > 0 else groups.discard(-group)
for group in groups:
    try:
        os.killpg(group, 9)
    except OSError:
        pass
"""


class Guard:
    """One for the whole process, started with the first bot."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._process: subprocess.Popen[str] | None = None

    def watch(self, group: int) -> None:
        """End this group if we are gone."""
        self._tell(group, start=True)

    def forget(self, group: int) -> None:
        """This group is gone; its number may soon be somebody else's."""
        self._tell(-group, start=False)

    def _tell(self, number: int, *, start: bool) -> None:
        if sys.platform == "win32":
            return
        with self._lock, contextlib.suppress(OSError):  # without a guard bots still play
            if self._process is None and start:
                self._process = self._start()
            if self._process is not None:
                pipe = self._pipe()
                pipe.write(f"{number}\n")
                pipe.flush()

    def _start(self) -> subprocess.Popen[str]:
        process = subprocess.Popen(  # noqa: S603 - our own program
            [sys.executable, "-I", "-S", "-c", _PROGRAM],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            text=True,
            start_new_session=True,  # Ctrl+C is not for it
        )
        atexit.register(self.close)
        return process

    def _pipe(self) -> IO[str]:
        assert self._process is not None
        assert self._process.stdin is not None
        return self._process.stdin

    def close(self) -> None:
        """Nothing is left to guard."""
        with self._lock:
            if self._process is None:
                return
            with contextlib.suppress(OSError):
                self._pipe().close()
            self._process.wait()
            self._process = None
        atexit.unregister(self.close)


GUARD = Guard()
