"""Keep what bots in a worker print, each bot's apart, limited, and without ever making them wait.

What goes through ``sys.stdout`` and ``sys.stderr`` of Python is a bot's own in any case. What goes
past them, such as the output of programs that a bot starts, belongs to whoever is at work.
"""

from __future__ import annotations

import contextlib
import io
import os
import select
import sys
import threading
import time
from collections import deque
from collections.abc import Callable
from typing import Any

from spielleiter.arena.store.limits import LONGEST_TEXT, describe_cut, shorten, text_cost

KEPT_AT_ONCE = 128 * 1024
"""Bytes of one bot that are told at once. Of all further lines only the last ones are kept."""
_KEPT_LAST = 48 * 1024
_CHUNK = 65536


class SeatOutput:
    """What one bot prints in one match. ``tell`` gets stream, seconds, turn and text of a line."""

    def __init__(self, tell: Callable[[str, float, int | None, str], None]) -> None:
        self.turn: int | None = None
        self._tell = tell
        self._began = time.monotonic()
        self._begun: dict[str, list[str]] = {"stdout": [], "stderr": []}
        """The pieces of a line whose end has not come."""
        self._length = {"stdout": 0, "stderr": 0}
        self._left = KEPT_AT_ONCE
        self._last: deque[tuple[str, float, int | None, str]] = deque()
        self._last_size = 0
        self._dropped = 0
        self._lock = threading.RLock()  # threads of bots print, too

    def add(self, stream: str, text: str) -> None:
        """Take what was printed."""
        with self._lock:
            *whole, rest = text.split("\n")
            for piece in whole:
                self._piece(stream, piece)
                self._end_line(stream)
            if rest:
                self._piece(stream, rest)

    def close(self) -> None:
        """Tell what is left. What comes later is lost."""
        with self._lock:
            for stream, pieces in self._begun.items():
                if pieces:
                    self._end_line(stream)
            if self._dropped:
                at, turn = self._last[0][1:3]
                self._tell("cut", at, turn, describe_cut(self._dropped))
            for line in self._last:
                self._tell(*line)
            self._last.clear()
            self._tell = _nowhere

    def _piece(self, stream: str, piece: str) -> None:
        room = LONGEST_TEXT + 1 - self._length[stream]  # one more, so that the cut is noticed
        if room > 0 and piece:
            self._begun[stream].append(piece[:room])
            self._length[stream] += min(len(piece), room)

    def _end_line(self, stream: str) -> None:
        text = shorten("".join(self._begun[stream]).removesuffix("\r"))
        self._begun[stream].clear()
        self._length[stream] = 0
        line = (stream, time.monotonic() - self._began, self.turn, text)
        size = text_cost(text)
        if size <= self._left:
            self._left -= size
            self._tell(*line)
            return
        self._left = 0
        self._last.append(line)
        self._last_size += size
        while self._last_size > _KEPT_LAST and len(self._last) > 1:
            gone = self._last.popleft()
            self._last_size -= text_cost(gone[3])
            self._dropped += 1


def _nowhere(*_: object) -> None:
    pass


class _SeatBuffer(io.RawIOBase):
    """What ``sys.stdout.buffer`` is for a bot."""

    def __init__(self, output: SeatOutput, stream: str, number: int) -> None:
        self._output = output
        self._stream = stream
        self._number = number

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        if self.closed:
            raise ValueError("I/O operation on closed file")
        view = bytes(data)
        self._output.add(self._stream, view.decode("utf-8", "replace"))
        return len(view)

    def fileno(self) -> int:
        return self._number


class SeatStream(io.TextIOBase):
    """What ``sys.stdout`` or ``sys.stderr`` is for a bot."""

    def __init__(self, output: SeatOutput, stream: str) -> None:
        self._output = output
        self._stream = stream
        self._number = 1 if stream == "stdout" else 2
        self.buffer = _SeatBuffer(output, stream, self._number)
        self.name = f"<{stream}>"
        self.mode = "w"
        self.line_buffering = True

    encoding = "utf-8"
    errors = "backslashreplace"

    def writable(self) -> bool:
        return True

    def write(self, text: str) -> int:
        if self.closed:
            raise ValueError("I/O operation on closed file.")
        if not isinstance(text, str):
            raise TypeError(f"write() argument must be str, not {type(text).__name__}")
        self._output.add(self._stream, text)
        return len(text)

    def fileno(self) -> int:
        return self._number

    def reconfigure(self, **_: object) -> None:
        """Do nothing. A bot may ask for another encoding, and here there is none."""


class RawOutput:
    """What is written past Python. A thread keeps the pipes from filling up.

    Nothing is read per move unless there is something. On Windows nobody can look whether there
    is, so the last words of a bot may be taken for the next one's.
    """

    def __init__(self) -> None:
        self.owner: SeatOutput | None = None
        """Who is at work, or was last."""
        self._lock = threading.Lock()
        self._pipes: dict[int, str] = {}
        self._poll: Any = None
        for number, stream in ((1, "stdout"), (2, "stderr")):
            reading, writing = os.pipe()
            os.dup2(writing, number)
            os.close(writing)
            self._pipes[reading] = stream
        self._identities = self._look_at_standard()
        if sys.platform == "win32":
            for pipe in self._pipes:
                self._spawn(self._read_on, pipe)
        else:
            self._poll = select.poll()
            for pipe in self._pipes:
                os.set_blocking(pipe, False)
                self._poll.register(pipe, select.POLLIN)
            self._spawn(self._watch)

    @property
    def is_intact(self) -> bool:
        """Whether standard output and error still lead here."""
        return self._look_at_standard() == self._identities

    def flush(self) -> None:
        """Give what was written until now to whoever was at work."""
        if self._poll is not None and self._poll.poll(0):
            self._drain()

    def _look_at_standard(self) -> list[tuple[int, int] | None]:
        found: list[tuple[int, int] | None] = []
        for number in (1, 2):
            try:
                status = os.fstat(number)
                found.append((status.st_dev, status.st_ino))
            except OSError:
                found.append(None)
        return found

    def _spawn(self, target: Callable[..., None], *args: object) -> None:
        threading.Thread(target=target, args=args, name="spielleiter output", daemon=True).start()

    def _watch(self) -> None:
        with contextlib.suppress(OSError, ValueError):  # a bot has closed everything it could
            while self._pipes:
                select.select(list(self._pipes), [], [])
                self._drain()

    def _drain(self) -> None:
        with self._lock:
            for pipe, stream in list(self._pipes.items()):
                try:
                    while data := os.read(pipe, _CHUNK):
                        self._take(stream, data)
                except BlockingIOError:
                    continue
                except OSError:  # a bot has closed everything it could
                    pass
                # A bot has closed its end. A pipe without one is always ready to be read.
                del self._pipes[pipe]
                self._poll.unregister(pipe)

    def _read_on(self, pipe: int) -> None:
        with contextlib.suppress(OSError):
            while data := os.read(pipe, _CHUNK):
                with self._lock:
                    self._take(self._pipes[pipe], data)

    def _take(self, stream: str, data: bytes) -> None:
        if self.owner is not None:
            self.owner.add(stream, data.decode("utf-8", "replace"))
