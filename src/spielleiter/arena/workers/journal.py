"""A piece of memory in which a worker tells what happens in its match, and which outlives it.

It is a file of fixed size that both processes map. Telling something costs no call to the system,
the runner looks only when it has a reason to, and what was told is there even after ``kill -9``.
Nothing here knows bots or games.
"""

from __future__ import annotations

import mmap
import os
import struct
from enum import IntEnum
from pathlib import Path
from time import perf_counter
from typing import NamedTuple

SIZE = 4 * 1024 * 1024
_HEAD = struct.Struct("=qqqdq")
"""Number of the call, phase, seat, since when, and bytes of text."""
_NOW = struct.Struct("=qqqd")
_USED = struct.Struct("=q")
_USED_AT = _NOW.size
_HEAD_END = _HEAD.size
_TEXT_AT = 64


class WorkerPhase(IntEnum):
    """What a worker is doing."""

    WAITING = 0
    """It has not begun the match that it was sent."""
    OURS = 1
    """It is in our own code, so no bot is to blame."""
    JOINING = 2
    """A bot is loaded and made."""
    ASKED = 3
    """A bot is asked for a move."""
    SHOWN = 4
    """A bot is told something during the match."""
    ENDING = 5
    """A bot is told how the match ended, and nothing that it does matters any more."""


class Moment(NamedTuple):
    """What a worker does.

    ``since`` is a time of ``time.perf_counter``, which all systems count from the same moment in
    all processes, and which is the clock of the moves.
    """

    number: int
    phase: WorkerPhase
    seat: int
    since: float


class JournalFull(Exception):
    """Say that more was told than there is room for."""


class Journal:
    """One side's view of the memory. One process writes at a time."""

    def __init__(self, path: Path) -> None:
        with path.open("r+b") as file:
            self._memory = mmap.mmap(file.fileno(), SIZE)
        self._number = 0
        self._used = 0

    @classmethod
    def create(cls, path: Path) -> Journal:
        """Make the file. Its room on the disk is taken now, so that it cannot be missing later.

        Raises OSError.
        """
        with path.open("xb") as file:
            if hasattr(os, "posix_fallocate"):
                os.posix_fallocate(file.fileno(), 0, SIZE)
            else:
                file.write(bytes(SIZE))
        return cls(path)

    def close(self) -> None:
        self._memory.close()

    # The worker's side, and before each match the runner's

    def reset(self) -> None:
        """Forget everything. A new match is about to begin."""
        self._used = 0
        self._memory[_USED_AT:_HEAD_END] = _USED.pack(0)
        self.mark(WorkerPhase.WAITING)

    def mark(self, phase: WorkerPhase, seat: int = 0, used: float = 0.0) -> None:
        """Tell what is done from now on, or since ``used`` seconds ago."""
        self._number += 1
        # ``pack_into`` writes zeros first, which the other side might see.
        self._memory[:_USED_AT] = _NOW.pack(self._number, phase, seat, perf_counter() - used)

    def write(
        self,
        line: str,
        phase: WorkerPhase | None = None,
        seat: int = 0,
        since: float | None = None,
    ) -> None:
        """Add a line, and tell in the same moment what is done from now on, if that changes.

        ``since`` is the time of now, if the caller knows it. Raises JournalFull.
        """
        data = f"{line}\n".encode("utf-8", "replace")
        begin = _TEXT_AT + self._used
        end = begin + len(data)
        if end > SIZE:
            raise JournalFull(f"a match has more to tell than {SIZE} bytes")
        self._memory[begin:end] = data
        self._used = used = end - _TEXT_AT
        if phase is None:
            self._memory[_USED_AT:_HEAD_END] = _USED.pack(used)
            return
        self._number += 1
        if since is None:
            since = perf_counter()
        self._memory[:_HEAD_END] = _HEAD.pack(self._number, phase, seat, since, used)

    # The runner's side

    def look(self) -> Moment:
        """Return what the worker does. What it is writing just now may come out torn."""
        number, phase, seat, since, _ = _HEAD.unpack_from(self._memory, 0)
        try:
            return Moment(number, WorkerPhase(phase), seat, since)
        except ValueError:  # a bot has written here
            return Moment(number, WorkerPhase.OURS, 0, perf_counter())

    def lines(self) -> list[str]:
        """Return everything that was told."""
        used = _HEAD.unpack_from(self._memory, 0)[4]
        used = max(0, min(used, SIZE - _TEXT_AT))
        text = bytes(self._memory[_TEXT_AT : _TEXT_AT + used]).decode("utf-8", "replace")
        return text.split("\n")[:-1]
