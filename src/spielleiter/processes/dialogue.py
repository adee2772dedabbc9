"""Talk to a program line by line, over its standard input and output.

Engines are talked to like this. Nothing the program does makes us wait without an end or keep more
than a fixed number of bytes. A program that says too much is read on, so that it never waits for
us, but what it says is not answered any more. Threads do the writing and reading, because all
systems have them (see ``program``).
"""

from __future__ import annotations

import asyncio
import contextlib
import math
import os
import queue
import select
import sys
import threading
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any

from spielleiter.processes.promises import Waiting, done_within, promise

LINE_BYTES = 64 * 1024
"""The longest line that is taken from a program."""
UNREAD_BYTES = 1024**2
"""What a program may say before somebody reads it."""
REST_SECONDS = 1.0
"""How long the last lines of a program may take to arrive after it has ended."""


class DialogueError(Exception):
    """The dialogue cannot go on as wished. The message says why."""


class NoAnswer(DialogueError):
    """The time is over. The program may still answer, or read what was written, later."""


class TooMuchSaid(DialogueError):
    """A line was too long, or too much came that nobody read. The dialogue is over."""


class ProgramSilent(DialogueError):
    """The program has ended or closed its output, and all that it said has been read."""


class ProgramDeaf(DialogueError):
    """The program has ended or closed its input."""


class LineBuffer:
    """The lines of a program that nobody has read yet. One thread writes, and one caller reads."""

    def __init__(self, line_limit: int = LINE_BYTES, unread_limit: int = UNREAD_BYTES) -> None:
        self._line_limit = line_limit
        self._unread_limit = unread_limit
        self._lock = threading.Lock()
        self._lines: deque[bytes] = deque()
        self._unread = 0
        """Bytes of ``_lines`` with their ends."""
        self._begun = bytearray()
        """The beginning of a line whose end has not come."""
        self._end: tuple[type[DialogueError], str] | None = None
        """What to raise when all lines are read."""
        self._wake_reader: Callable[[], None] | None = None

    def add(self, data: bytes) -> None:
        """Take what came. After the end it is dropped."""
        with self._lock:
            if self._end is None:
                *whole, rest = data.split(b"\n")
                for piece in whole:
                    self._begun += piece
                    self._keep_line()
                self._begun += rest
                self._check_sizes()
            self._wake()

    def close(self) -> None:
        """Take note that nothing more comes. What came without the end of a line is a line."""
        with self._lock:
            if self._begun:
                self._keep_line()
            self._end = self._end or (ProgramSilent, "it has ended or closed its output")
            self._wake()

    def wake(self) -> None:
        """Let whoever waits for news look again."""
        with self._lock:
            self._wake()

    def take(self, wake: Callable[[], None] | None = None) -> str | None:
        """Return the next line. If there is none, ``wake`` is called once when there is news.

        Raises DialogueError if no line can come any more.
        """
        with self._lock:
            if self._lines:
                line = self._lines.popleft()
                self._unread -= len(line) + 1
                return line.decode("utf-8", "replace").removesuffix("\r")
            if self._end is not None:
                kind, message = self._end
                raise kind(message)
            self._wake_reader = wake
            return None

    def _keep_line(self) -> None:
        self._check_sizes()
        if self._end is None:
            self._lines.append(bytes(self._begun))
            self._unread += len(self._begun) + 1
            self._begun.clear()

    def _check_sizes(self) -> None:
        if self._end is not None:
            return
        if len(self._begun) > self._line_limit:
            self._end = (TooMuchSaid, f"it said a line of more than {self._line_limit} bytes")
        elif self._unread + len(self._begun) > self._unread_limit:
            self._end = (
                TooMuchSaid,
                f"it said more than {self._unread_limit} bytes before anybody read them",
            )
        if self._end is not None:
            self._begun.clear()

    def _wake(self) -> None:
        wake, self._wake_reader = self._wake_reader, None
        if wake is not None:
            wake()


def _fulfilled(result: bool) -> Future[bool]:
    future: Future[bool] = promise()
    future.set_result(result)
    return future


_AT_ONCE = {result: _fulfilled(result) for result in (False, True)}
"""What says about a line that was written at once if that went well."""


class Dialogue:
    """Our side of a talk with one program. Used from one task at a time."""

    def __init__(self, stdin: int, ended: Future[int]) -> None:
        self.said = LineBuffer()
        self._ended = ended
        self._stdin = os.fdopen(stdin, "wb", buffering=0)
        self._to_write: queue.SimpleQueue[tuple[bytes, Future[bool]] | None] = queue.SimpleQueue()
        self._last_write: Future[bool] | None = None
        self._is_closed = False
        self._room: Any = None
        """Tells whether the pipe takes anything, once that was asked."""
        self._rest_until = math.inf
        """When its last lines must have come, once it has ended."""
        ended.add_done_callback(lambda _: self.said.wake())
        threading.Thread(target=self._write, name="dialogue", daemon=True).start()

    async def write_line(self, line: str, seconds: float) -> None:
        """Write a line to the program.

        Raises ProgramDeaf if it does not listen any more, and NoAnswer if it has not read enough
        after ``seconds`` to make room for the line. Then nothing can be written until it has.
        """
        written = self.post_line(line)
        # A line that was not read in time stays in the queue and is written when there is room. To
        # write it again would send it twice.
        if not await done_within(written, seconds):
            raise NoAnswer(f"it did not read a line within {seconds:g} s")
        if not written.result():
            raise ProgramDeaf("it does not listen any more")

    def post_line(self, line: str) -> Future[bool]:
        """Have a line written, without waiting for that, and return what will say if it went well.

        Raises ProgramDeaf and NoAnswer as ``write_line`` does.
        """
        if "\n" in line or "\r" in line:
            raise ValueError(f"{line!r} is more than one line")
        if self._is_closed:
            raise ProgramDeaf("its input has been closed")
        if self._last_write is not None and not self._last_write.done():
            raise NoAnswer("it has not read the line before yet")
        data = line.encode() + b"\n"
        if self._has_room(data):
            self._last_write = _AT_ONCE[self._write_all(data)]
        else:
            self._last_write = written = promise()
            self._to_write.put((data, written))
        return self._last_write

    def _has_room(self, data: bytes) -> bool:
        """Return whether the line can be written at once, without waking up the thread.

        Nothing is on its way then, and a pipe that takes anything takes so many bytes as a whole.
        """
        if sys.platform == "win32" or len(data) > select.PIPE_BUF:
            return False  # Windows cannot say whether there is room
        if self._room is None:
            self._room = select.poll()
            self._room.register(self._stdin.fileno(), select.POLLOUT)
        return bool(self._room.poll(0))

    async def read_line(self, seconds: float) -> str:
        """Return the next line that the program said, without its end.

        Raises NoAnswer after ``seconds``, ProgramSilent if there will be no line, and TooMuchSaid
        if the program broke a limit. Lines that came before can be read first.
        """
        loop = asyncio.get_running_loop()
        deadline = loop.time() + seconds
        is_late = False
        while (line := self.said.take((waiting := Waiting()).wake)) is None:
            if is_late:
                raise NoAnswer(f"it said nothing for {seconds:g} s")
            if self._ended.done():
                self._rest_until = min(self._rest_until, loop.time() + REST_SECONDS)
            await waiting.wait(max(0.0, min(deadline, self._rest_until) - loop.time()))
            if loop.time() >= self._rest_until:
                # It is gone, but something that it started holds its output open.
                self.said.close()
            is_late = loop.time() >= deadline
        return line

    def close_input(self) -> None:
        """Close the program's standard input, which then ends for it."""
        if not self._is_closed:
            self._is_closed = True
            self._to_write.put(None)

    def _write(self) -> None:
        """Write what is to be written, in a thread that owns the pipe until it is closed."""
        # A write to a program that does not read blocks, and no system lets a task give it up. The
        # thread may hang then, while the task goes on. It alone closes the pipe. If another thread
        # did, the number could be given to a new file, and the write would end up there.
        is_open = True
        with contextlib.suppress(OSError), self._stdin:
            while (item := self._to_write.get()) is not None:
                data, written = item
                is_open = is_open and self._write_all(data)
                written.set_result(is_open)

    def _write_all(self, data: bytes) -> bool:
        try:
            while data:
                data = data[os.write(self._stdin.fileno(), data) :]
        except OSError:
            return False
        return True
