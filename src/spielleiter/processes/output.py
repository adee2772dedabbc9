"""What a program writes, read from its pipe, with its last bytes and a log of both outputs.

Nothing here starts or ends programs.
"""

from __future__ import annotations

import os
import select
import struct
import sys
import threading
from collections import deque
from pathlib import Path
from typing import IO

if sys.platform != "win32":
    import fcntl
    import termios

KEPT_BYTES = 1024**2
"""Bytes that are kept of each of a bot's outputs, the last ones, to see what went wrong."""
LOG_BYTES = 64 * 1024**2
"""Bytes of one log file, so that a bot that prints without end fills no disk."""
_CHUNK = 65536


class Tail:
    """The last bytes of a stream, however long it was. Written by one thread, read by any."""

    def __init__(self, limit: int = KEPT_BYTES) -> None:
        self.total = 0
        """Bytes that came, kept or not."""
        self._breaks = 0
        self._is_open = False
        """The last line that came has no end yet."""
        self._limit = limit
        self._chunks: deque[bytes] = deque()
        self._size = 0
        self._lock = threading.Lock()

    def add(self, data: bytes) -> None:
        with self._lock:
            self.total += len(data)
            self._breaks += data.count(b"\n")
            self._is_open = not data.endswith(b"\n")
            self._chunks.append(data)
            self._size += len(data)
            while self._size - len(self._chunks[0]) >= self._limit:
                self._size -= len(self._chunks.popleft())

    @property
    def lines(self) -> int:
        """Return the number of lines that came, kept or not."""
        return self._breaks + self._is_open

    def text(self) -> str:
        """Return what is kept, at most the limit. Bytes that are not UTF-8 are replaced."""
        with self._lock:
            data = b"".join(self._chunks)
        return data[-self._limit :].decode("utf-8", "replace")


class LogFile:
    """Both outputs of a bot in one file, as they come.

    A full disk or a full file costs the log, not the bot.
    """

    def __init__(self, path: Path, limit: int = LOG_BYTES) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self._file: IO[bytes] | None = path.open("wb", buffering=0)
        self._left = limit
        self._lock = threading.Lock()

    def add(self, data: bytes) -> None:
        with self._lock:
            if self._file is None:
                return
            try:
                self._file.write(data[: self._left])
                self._left -= len(data)
                if self._left < 0:
                    self._file.write(b"\n[the log ends here: the bot says too much]\n")
            except OSError:
                self._left = -1
            if self._left < 0:
                self._close()

    def close(self) -> None:
        with self._lock:
            self._close()

    def _close(self) -> None:
        file, self._file = self._file, None
        if file is not None:
            file.close()


class OutputPipe:
    """One output of a program. One reader takes what comes, and any thread may ask how much."""

    def __init__(self, pipe: int) -> None:
        self.tail = Tail()
        self._pipe = pipe
        self._is_open = True
        self._lock = threading.Lock()

    def fileno(self) -> int:
        return self._pipe

    def read(self) -> bytes:
        """Wait for what the program writes and return it, or nothing when there is no more."""
        if sys.platform == "win32":  # a pipe cannot be waited for there, so reading waits
            return self._take()
        waiting = select.poll()
        waiting.register(self._pipe, select.POLLIN)
        waiting.poll()
        return self.read_ready()

    def read_ready(self) -> bytes:
        """Return what is there, or nothing when there is no more.

        Raises BlockingIOError if the pipe does not block and nothing is there.
        """
        # Read and counted in one step, so that no byte is in neither place when somebody counts.
        with self._lock:
            return self._take()

    def close(self) -> None:
        """Read no more."""
        if self._is_open:
            self._is_open = False
            os.close(self._pipe)

    def _take(self) -> bytes:
        try:
            data = os.read(self._pipe, _CHUNK)
        except BlockingIOError:
            raise
        except OSError:
            data = b""
        if data:
            self.tail.add(data)
        else:
            self.close()
        return data

    def count_written(self) -> int:
        """Return the bytes that the program has written so far, also those that nobody has read."""
        if sys.platform == "win32":  # what nobody has read is not told there
            return self.tail.total
        with self._lock:
            return self.tail.total + (_count_unread(self._pipe) if self._is_open else 0)


def _count_unread(pipe: int) -> int:
    if sys.platform == "win32":
        return 0
    try:
        return int(struct.unpack("i", fcntl.ioctl(pipe, termios.FIONREAD, bytes(4)))[0])
    except OSError:
        return 0
