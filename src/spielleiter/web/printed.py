"""Hand what bots print from the threads that read it to the story of their match.

A bot that prints without end costs the loop no more than one that prints much.
"""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections import deque

from spielleiter.web.story import LONGEST_LINE, MatchStory

MOST_WAITING = 400
"""Lines of one match that may wait for the loop. Older ones are dropped and counted."""
MOST_AT_ONCE = 100
PAUSE = 0.1
"""Seconds between two looks at what was printed."""
_LONGEST_BYTES = 4 * LONGEST_LINE
CUT = "cut"
"""The stream of lines that say what is missing."""


class PrintedLines:
    """What the bots of one match print. ``hear`` may be called from any thread."""

    def __init__(self, story: MatchStory) -> None:
        self._story = story
        self._loop = asyncio.get_running_loop()
        self._lock = threading.Lock()
        self._open: dict[tuple[int, str], bytearray] = {}
        self._waiting: deque[tuple[int, str, str]] = deque()
        self._dropped = 0
        self._is_due = False

    def hear(self, seat: int, stream: str, data: bytes) -> None:
        """Take what the bot of a seat wrote to ``stdout`` or ``stderr``."""
        with self._lock:
            *ended, rest = data.split(b"\n")
            line = self._open.setdefault((seat, stream), bytearray())
            for piece in ended:
                line += piece[: _LONGEST_BYTES - len(line)]
                self._put(seat, stream, bytes(line))
                line.clear()
            line += rest[: _LONGEST_BYTES - len(line)]
            if self._is_due or not self._waiting:
                return
            self._is_due = True
        with contextlib.suppress(RuntimeError):  # the loop has ended before its bots
            self._loop.call_soon_threadsafe(self._loop.call_later, PAUSE, self._look)

    def _put(self, seat: int, stream: str, line: bytes) -> None:
        if len(self._waiting) >= MOST_WAITING:
            self._waiting.popleft()
            self._dropped += 1
        text = line.decode("utf-8", "replace").rstrip("\r")
        self._waiting.append((seat, stream, text))

    def _look(self) -> None:
        if not self._tell(MOST_AT_ONCE):
            self._loop.call_later(PAUSE, self._look)

    def _tell(self, most: int) -> bool:
        """Add lines to the story, and return whether none is left."""
        with self._lock:
            lines = [self._waiting.popleft() for _ in range(min(most, len(self._waiting)))]
            dropped, self._dropped = self._dropped, 0
            is_empty = not self._waiting
            self._is_due = not is_empty
        if dropped:
            self._story.add_output(lines[0][0], CUT, f"… {dropped} …")
        for seat, stream, text in lines:
            self._story.add_output(seat, stream, text)
        return is_empty

    def close(self) -> None:
        """Tell what is left, also lines that have no end. The bots are gone."""
        with self._lock:
            for (seat, stream), line in self._open.items():
                if line:
                    self._put(seat, stream, bytes(line))
            self._open.clear()
        self._tell(MOST_WAITING)
