"""Keep what bots print, line by line with time and turn, and never more than is stored.

The first lines and the last ones are kept, because the end is where a program says why it fails.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Sequence

from spielleiter.arena.store.limits import LONGEST_TEXT, MOST_OUTPUT, cost, describe_cut, shorten
from spielleiter.arena.store.values import StoredOutput

_HEAD = MOST_OUTPUT // 4
_MARK = 256
"""Bytes for the line that says how many are missing."""
_LONGEST_BYTES = 4 * (LONGEST_TEXT + 1)
"""Bytes of a line that are kept until it ends. A character has four at most."""


class OutputCapture:
    """The output of one bot in one match. It may be added to from any thread.

    ``now`` tells the seconds since the match began.
    """

    def __init__(self, seat: int, now: Callable[[], float]) -> None:
        self.turn: int | None = None
        """The turn that is on, which belongs to what comes next.

        A line that is read late has a later turn than that in which it was written.
        """
        self._seat = seat
        self._now = now
        self._lock = threading.Lock()
        self._open: dict[str, tuple[bytearray, float, int | None]] = {}
        """The line of each stream that has no end yet, and when it began."""
        self._head: list[StoredOutput] = []
        self._tail: deque[StoredOutput] = deque()
        self._head_left = _HEAD
        self._tail_left = MOST_OUTPUT - _HEAD - _MARK
        self._dropped = 0
        self._first_dropped: StoredOutput | None = None

    def add(self, stream: str, data: bytes) -> None:
        """Take what the bot wrote to ``stdout`` or ``stderr``."""
        with self._lock:
            *ended, rest = data.split(b"\n")
            for piece in ended:
                self._extend(stream, piece)
                self._finish(stream)
            if rest:
                self._extend(stream, rest)

    def close(self) -> None:
        """Take the lines that have no end as they are. The bot is gone."""
        with self._lock:
            for stream in tuple(self._open):
                self._finish(stream)

    def lines(self) -> Sequence[StoredOutput]:
        """Return what is kept, in the order in which lines ended."""
        with self._lock:
            if self._first_dropped is None:
                return [*self._head, *self._tail]
            mark = StoredOutput(
                self._seat,
                "cut",
                describe_cut(self._dropped),
                self._first_dropped.at,
                self._first_dropped.turn,
            )
            return [*self._head, mark, *self._tail]

    def _extend(self, stream: str, piece: bytes) -> None:
        if stream not in self._open:
            self._open[stream] = bytearray(), self._now(), self.turn
        line = self._open[stream][0]
        line += piece[: _LONGEST_BYTES - len(line)]

    def _finish(self, stream: str) -> None:
        data, at, turn = self._open.pop(stream)
        text = shorten(data.decode("utf-8", "replace").rstrip("\r"))
        line = StoredOutput(self._seat, stream, text, at, turn)
        needed = cost(line)
        if not self._tail and needed <= self._head_left:
            self._head.append(line)
            self._head_left -= needed
            return
        self._head_left = 0
        self._tail.append(line)
        self._tail_left -= needed
        while self._tail_left < 0:
            dropped = self._tail.popleft()
            self._first_dropped = self._first_dropped or dropped
            self._dropped += 1
            self._tail_left += cost(dropped)
