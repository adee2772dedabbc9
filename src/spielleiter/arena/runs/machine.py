"""Find out how many matches this machine can bear, and how late it is while it plays them.

A bot must not lose because the machine was busy or asleep. What is measured here is stored with
each match and told to people. It changes no verdict.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import platform
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from spielleiter.arena.store.values import MatchReport
from spielleiter.match import TimeControl

BEAT_SECONDS = 0.05
"""How often the loop is looked at."""
STEAL_SECONDS = 1.0
"""How often the system is asked what others took from it."""
MOST_PARALLEL = 256
LATE_SECONDS = 0.25
"""Who is later than this is late, whatever the limit. People and bots notice it."""
LATE_SHARE = 0.05
"""Of the time for a move. A machine may be later where bots have more time."""
STOLEN_SHARE = 0.1
"""Of the processors' time that others take. More makes measured times worthless."""
SLOW_AGAIN = 2.0
"""A slow machine is told of again when it is so many times slower."""
_STAT = Path("/proc/stat")
_QUOTA = Path("/sys/fs/cgroup/cpu.max")
_STEAL_FIELD = 8


def usable_cores() -> int:
    """Return how many processors this process may use, at least 1.

    A container may have less of them than the machine.
    """
    try:
        # Only Linux has it, so whether mypy finds it depends on where mypy runs.
        cores = len(os.sched_getaffinity(0))  # type: ignore[attr-defined,unused-ignore]
    except (AttributeError, OSError):
        cores = os.cpu_count() or 1
    quota = _read_quota()
    return max(1, cores if quota is None else min(cores, int(quota)))


def _read_quota() -> float | None:
    """Return how many processors Linux lets this container use, None if all."""
    try:
        quota, period = _QUOTA.read_text("ascii").split()
        return int(quota) / int(period)
    except (OSError, ValueError, ZeroDivisionError):  # there is none, or it says "max"
        return None


def default_parallel(way: str, limit: TimeControl | None, cores: int | None = None) -> int:
    """Return how many matches are played at the same time where nobody says it.

    Over sockets a match keeps two programs and the server busy, which is too much for one
    processor where times count.
    """
    usable = usable_cores() if cores is None else cores
    wanted = usable // 2 if way == "sockets" and limit is not None else usable
    return min(max(1, wanted), MOST_PARALLEL)


def describe_machine() -> dict[str, Any]:
    """Return what a run keeps about the machine that plays it."""
    return {
        "system": platform.system(),
        "release": platform.release(),
        "machine": platform.machine(),
        "python": platform.python_version(),
        "implementation": sys.implementation.name,
        "cores": usable_cores(),
    }


@dataclass(slots=True, eq=False)
class Window:
    """What was measured while one match was played."""

    delay: float = 0.0
    """The seconds by which the loop was late at worst."""
    stolen: float = 0.0
    """The share of the processors' time that others took at worst, over about a second."""


@dataclass(slots=True)
class DelayMeter:
    """Measures while ``measuring`` is open. ``now`` and ``stolen`` are handed in by tests."""

    now: Callable[[], float] = time.monotonic
    stolen: Callable[[], float | None] = field(default_factory=lambda: stolen_seconds)
    cores: int = field(default_factory=lambda: os.cpu_count() or 1)
    _windows: list[Window] = field(default_factory=list)
    _steal_then: float | None = None
    _steal_at: float = 0.0

    @contextlib.contextmanager
    def window(self) -> Iterator[Window]:
        """Return what is measured until the block ends."""
        window = Window()
        self._windows.append(window)
        try:
            yield window
        finally:
            self._windows.remove(window)

    async def keep_measuring(self) -> None:
        """Measure until the task is cancelled."""
        self._steal_then, self._steal_at = self.stolen(), self.now()
        while True:
            before = self.now()
            await asyncio.sleep(BEAT_SECONDS)
            self.beat(self.now() - before - BEAT_SECONDS)

    def beat(self, late: float) -> None:
        """Take that the loop is late by so much, and ask the system from time to time."""
        for window in self._windows:
            window.delay = max(window.delay, late)
        passed = self.now() - self._steal_at
        if passed < STEAL_SECONDS:
            return
        steal = self.stolen()
        if steal is not None and self._steal_then is not None:
            share = (steal - self._steal_then) / (passed * self.cores)
            for window in self._windows:
                window.stolen = max(window.stolen, share)
        self._steal_then, self._steal_at = steal, self.now()


def stolen_seconds() -> float | None:
    """Return how long other guests of the same host had our processors, all of them together.

    None where the system does not tell, which is everywhere but on Linux.
    """
    try:
        with _STAT.open("rb") as file:
            fields = file.readline(1024).split()
        return int(fields[_STEAL_FIELD]) / os.sysconf("SC_CLK_TCK")
    except (OSError, ValueError, IndexError, AttributeError):
        return None


def allowed_delay(limit: TimeControl | None) -> float:
    """Return how many seconds this machine may be late before times mean little."""
    return LATE_SECONDS if limit is None else max(LATE_SECONDS, LATE_SHARE * limit.soft)


def complain(window: Window, limit: TimeControl | None, parallel: int) -> str | None:
    """Return a sentence that says that this machine is too slow, or None if it is not."""
    fewer = (
        f"play fewer at the same time: --parallel {max(1, parallel // 2)}"
        if parallel > 1
        else "close other programs, or give the bots more time"
    )
    if window.stolen > STOLEN_SHARE:
        return (
            f"other guests of this machine's host took {window.stolen:.0%} of its processors, so "
            f"that times and what was lost on time say little; play elsewhere, or later"
        )
    if window.delay > allowed_delay(limit):
        least = "" if limit is None else f" while bots have {limit.soft:g} s for a move"
        return (
            f"this machine is too slow for {parallel} "
            f"{'match' if parallel == 1 else 'matches'} at the same time: it was late by "
            f"{window.delay:.2f} s{least}; {fewer}"
        )
    return None


@dataclass(slots=True)
class Complaints:
    """What a run says about its machine, each kind of trouble once and again if it gets worse."""

    _told: dict[str, float] = field(default_factory=dict)

    def about(self, window: Window, limit: TimeControl | None, parallel: int) -> str | None:
        """Return a sentence if there is something new to say."""
        text = complain(window, limit, parallel)
        kind = "stolen" if window.stolen > STOLEN_SHARE else "late"
        badness = window.stolen if kind == "stolen" else window.delay
        if text is None or badness <= SLOW_AGAIN * self._told.get(kind, 0.0):
            return None
        self._told[kind] = badness
        return text


def with_measures(report: MatchReport, window: Window) -> MatchReport:
    """Return the report with how late the machine was."""
    result = report.result
    delay = max(window.delay, result.delay or 0.0)
    detail = dict(result.detail)
    if window.stolen:
        detail["stolen"] = round(window.stolen, 3)
    return replace(report, result=replace(result, delay=delay, detail=detail))
