"""A player's view of the time for one move, counted from the arrival of the request."""

from __future__ import annotations

import math
import time
from collections.abc import Callable

DEFAULT_SECONDS = 2.0
"""The soft limit of every season: who answers later has lost."""


class MoveClock:
    """Started when the request came.

    ``remaining`` never falls below 0 and is infinite without a limit.

    ``started`` is a time of ``now``: of ``time.perf_counter``, because ``time.monotonic`` moves in
    steps of 16 ms on Windows.
    """

    __slots__ = ("_now", "limit", "started")

    def __init__(
        self,
        limit: float = DEFAULT_SECONDS,
        started: float | None = None,
        now: Callable[[], float] = time.perf_counter,
    ) -> None:
        self._now = now
        self.started = now() if started is None else started
        self.limit = limit
        """Seconds allowed for the whole move."""

    @property
    def elapsed(self) -> float:
        """Seconds since the request for this move came."""
        return self._now() - self.started

    @property
    def remaining(self) -> float:
        """Return the seconds until the move must have arrived at the server.

        Leave some for the way.
        """
        return max(0.0, self.limit - self.elapsed)

    def __repr__(self) -> str:
        return f"<MoveClock {self.elapsed:.3f} s of {self.limit:g} s>"


def parse_seconds(text: str) -> float:
    """Read a limit, which is a number of seconds or ``none``. Raises ValueError."""
    if text.strip().lower() in ("none", "inf", "infinite", "off"):
        return math.inf
    seconds = float(text)
    if not seconds > 0:  # also refuses nan
        raise ValueError(f"{text!r} is not a number of seconds above 0")
    return seconds


def format_seconds(seconds: float) -> str:
    """Write what ``parse_seconds`` reads."""
    return "none" if math.isinf(seconds) else repr(seconds)
