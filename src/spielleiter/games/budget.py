"""Decide when a bot that searches must stop.

A bot has its share of the time, less what the machine takes away from it. No clock is read here but
the one handed in. How far apart two looks at it are tells how long others ran in between.
"""

from __future__ import annotations

from math import inf

from spielleiter.rules import Clock

SHARE, MOST_SECONDS = 0.875, 1.75
"""The share of the time there is that a bot takes, and the most seconds it ever takes.

Of the two seconds of the contest both are the same.
"""
FIRST_SHARE = 0.6
"""The share of the time for the first move of a game.

Programs have just been started then, and a server reads its first move slowly, too.
"""
USUAL_GAP = 0.01
"""Seconds between two looks that mean nothing, since a look comes about every millisecond."""
GAPS_KEPT_FREE = 2
"""How many of the longest gaps are kept free besides.

One may come while the last step of the search runs, one while the answer is on its way.
"""
FADING = 0.7
"""What the longest gap of a move counts in the next one."""


class OutOfTime(Exception):
    """The time of a move is used up. A search raises it to get out from wherever it is.

    An exception and not a return value, because every level of a search would have to hand that
    value on, millions of times for one that is meant.
    """


class Budget:
    """The time of one player for the moves of a game. ``start`` begins a move.

    With ``uses_all`` a longer limit than that of the contest is used, too.
    """

    def __init__(self, *, uses_all: bool = False) -> None:
        self._clock: Clock
        self._uses_all = uses_all
        self._moves = 0
        self._limit = self._share = 0.0
        self._looked = 0.0
        self._longest_gap = 0.0
        self.stop = 0.0
        """Seconds after the request at which the answer is due."""

    def start(self, clock: Clock) -> None:
        """Begin to think about a move. What has passed since the request is gone already."""
        self._clock = clock
        self._looked = clock.elapsed
        self._limit = self._looked + clock.remaining
        self._share = SHARE if self._moves else FIRST_SHARE
        self._moves += 1
        self._longest_gap *= FADING
        self._set_stop()

    def look(self) -> float:
        """Return the seconds since the request.

        A long time since the last look brings the end nearer.
        """
        now = self._clock.elapsed
        gap = now - self._looked
        self._looked = now
        self.note_gap(gap)
        return now

    def note_gap(self, gap: float) -> None:
        """Remember for how many seconds others ran. Less than usual means nothing."""
        if gap > USUAL_GAP and gap > self._longest_gap:
            self._longest_gap = gap
            self._set_stop()

    def _set_stop(self) -> None:
        most = SHARE * self._limit
        if not self._uses_all or most == inf:
            most = min(MOST_SECONDS, most)
        share = self._share / SHARE * most
        self.stop = share - GAPS_KEPT_FREE * max(0.0, self._longest_gap - USUAL_GAP)
