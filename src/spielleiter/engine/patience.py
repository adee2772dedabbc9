"""Think about a position for so many seconds of the processor's time, however busy the machine is.

An engine counts the seconds on the wall. Where others run besides, it gets only a part of them, and
an analysis would blame moves for that.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Protocol

from spielleiter.rules import AnyGame, AnyState
from spielleiter.rules.engine import Line

MOST_ROUNDS = 20
"""How often a position is thought about at most. Then the machine is too busy to wait longer."""
ENOUGH = 0.9
"""The part of the seconds that counts as all of them."""
EARLY = 0.5
"""Who answers before this part of their time is over has seen everything there is.

Engines keep a part of it free, the more the busier the machine is.
"""


def is_blank(line: Line) -> bool:
    """Return whether an engine says nothing with this line, because it had no time to look."""
    return not line.visits and line.win == 0.5 and not line.points


class Thinker(Protocol):
    """Judges positions, as an ``Analyser`` does."""

    def slips(self, game: AnyGame) -> tuple[float, float, float]: ...

    def analyse(self, state: AnyState, seconds: float, *, lines: int = 5) -> Sequence[Line]: ...


class PatientThinker:
    """Asks another one about a position again, until it has had the time that it was given.

    What it asks keeps its search from one time to the next, as an ``Analyser`` does.
    """

    def __init__(
        self,
        thinker: Thinker,
        *,
        worked: Callable[[], float] = time.process_time,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._thinker = thinker
        self._worked = worked
        self._now = now

    def slips(self, game: AnyGame) -> tuple[float, float, float]:
        """Return the points that make an inaccuracy, a mistake and a blunder in this game."""
        return self._thinker.slips(game)

    def analyse(self, state: AnyState, seconds: float, *, lines: int = 5) -> Sequence[Line]:
        """Return the best moves after so many seconds of the processor's time."""
        start, left = self._worked(), seconds
        found: Sequence[Line] = ()
        for _ in range(MOST_ROUNDS):
            began = self._now()
            found = self._thinker.analyse(state, left, lines=lines)
            if self._now() - began < EARLY * left and not is_blank(found[0]):
                break
            left = seconds - (self._worked() - start)
            if left <= (1 - ENOUGH) * seconds:
                break
        return found
