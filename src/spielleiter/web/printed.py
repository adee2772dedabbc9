"""Hand what bots print from the threads that read it to the story of their match.

A line stands beside the position at which it was written, however late it is read. A bot that
prints without end costs the loop no more than one that prints much.
"""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections import deque
from collections.abc import Mapping, Sequence

from spielleiter.web.story import LONGEST_LINE, MatchStory

MOST_WAITING = 400
"""Lines of one match that may wait for the loop. Older ones are dropped and counted."""
MOST_AT_ONCE = 100
PAUSE = 0.1
"""Seconds between two looks at what was printed."""
_LONGEST_BYTES = 4 * LONGEST_LINE
CUT = "cut"
"""The stream of lines that say what is missing."""


class _Stream:
    """One output of one bot. It knows where in it which position was reached."""

    def __init__(self, index: int) -> None:
        self.line = bytearray()
        """What has come of a line that has no end yet."""
        self.heard = 0
        """Bytes that came, kept or not."""
        self.began = 0
        """Where the open line begins."""
        self._reached: deque[tuple[int, int]] = deque([(0, index)])
        """How much was written when a position came, and the index of the position."""

    def reach(self, written: int, index: int) -> None:
        if self._reached[-1][0] == written:  # nothing was written at the position before
            self._reached.pop()
        self._reached.append((written, index))

    def index_at(self, place: int) -> int:
        """Return at which position this byte was written. Places are asked for in order."""
        while len(self._reached) > 1 and self._reached[1][0] <= place:
            self._reached.popleft()
        return self._reached[0][1]


class PrintedLines:
    """What the bots of one match print. ``hear`` may be called from any thread."""

    def __init__(self, story: MatchStory) -> None:
        self._story = story
        self._loop = asyncio.get_running_loop()
        self._lock = threading.Lock()
        self._streams: dict[tuple[int, str], _Stream] = {}
        self._waiting: deque[tuple[int, str, str, int]] = deque()
        self._dropped = 0
        self._is_due = False

    def hear(self, seat: int, stream: str, data: bytes) -> None:
        """Take what the bot of a seat wrote to ``stdout`` or ``stderr``."""
        with self._lock:
            of = self._stream(seat, stream)
            *ended, rest = data.split(b"\n")
            for piece in ended:
                of.line += piece[: _LONGEST_BYTES - len(of.line)]
                of.heard += len(piece) + 1
                self._put(seat, stream, of)
            of.line += rest[: _LONGEST_BYTES - len(of.line)]
            of.heard += len(rest)
            if self._is_due or not self._waiting:
                return
            self._is_due = True
        with contextlib.suppress(RuntimeError):  # the loop has ended before its bots
            self._loop.call_soon_threadsafe(self._loop.call_later, PAUSE, self._look)

    def reach(self, index: int, written: Sequence[Mapping[str, int]]) -> None:
        """Note how much each seat had written to each output when a position came."""
        with self._lock:
            for seat, outputs in enumerate(written):
                for stream, size in outputs.items():
                    self._stream(seat, stream).reach(size, index)

    def _stream(self, seat: int, stream: str) -> _Stream:
        found = self._streams.get((seat, stream))
        if found is None:
            found = self._streams[seat, stream] = _Stream(max(0, len(self._story.positions) - 1))
        return found

    def _put(self, seat: int, stream: str, of: _Stream) -> None:
        """Take a line that has ended."""
        if len(self._waiting) >= MOST_WAITING:
            self._waiting.popleft()
            self._dropped += 1
        text = of.line.decode("utf-8", "replace").rstrip("\r")
        self._waiting.append((seat, stream, text, of.began))
        of.line.clear()
        of.began = of.heard

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
            told = [
                (seat, stream, text, self._streams[seat, stream].index_at(place))
                for seat, stream, text, place in lines
            ]
        if dropped:
            seat, _, _, index = told[0]
            self._story.add_output(seat, CUT, f"… {dropped} …", index)
        for line in told:
            self._story.add_output(*line)
        return is_empty

    def close(self) -> None:
        """Tell what is left, also lines that have no end. The bots are gone."""
        with self._lock:
            for (seat, stream), of in self._streams.items():
                if of.line:
                    self._put(seat, stream, of)
        self._tell(MOST_WAITING)
