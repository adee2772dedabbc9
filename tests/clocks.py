"""Clocks that tests turn by hand."""

from __future__ import annotations


class HandClock:
    """Shows what the test sets."""

    def __init__(self, elapsed: float = 0.0, limit: float = 2.0) -> None:
        self.elapsed, self.limit = elapsed, limit

    @property
    def remaining(self) -> float:
        return self.limit - self.elapsed
