"""A clock that never charges a player for what is not their doing (W17).

What the server itself does and a pause of the whole process are not charged.

When a move is found, all that is known is that it came since the loop last looked. There are
three cases:

* the loop was waiting, and the move woke it: it came now;
* the move was already there when the loop looked: it came while the server was busy, perhaps right
  after the look before. It counts as having come then;
* the wait took far longer than it should, or the work far longer than the processor worked: the
  process was stopped. The stop counts for nobody.

This needs to know when the loop looks, so it sits in the loop's selector. Where the loop has none
(Windows' default loop, uvloop) a heartbeat still finds stops, but the server's own work then
counts.
"""

from __future__ import annotations

import asyncio
import selectors
import sys
import time
from collections.abc import Callable
from importlib import import_module

HEARTBEAT = 0.05
"""The loop looks at least this often, so that a stop can be told from a wait.

Costs about 0.1 % of a core.
"""

STOPPED = 0.25
"""A wait or a stretch of work this long may be a stop and not a delay."""


class FairClock:
    """Seconds since some beginning, without the time the process was stopped.

    Never runs backwards.
    """

    def __init__(
        self,
        now: Callable[[], float] = time.monotonic,
        worked: Callable[[], float] = time.thread_time,
    ) -> None:
        self._now = now
        self._worked = worked
        self._began = self._looked = now()
        self._looked_fair = self._arrival = self._told = self._looked
        self._worked_then = worked()
        self._stopped = 0.0
        self._polls = self._beats = False

    def now(self) -> float:
        now = self._now()
        # A stop must be known before the time is told. Otherwise whoever was asked before the stop
        # would be charged for it. One that is shorter than STOPPED so far may turn out to be one
        # and take back time that was already told, hence the maximum.
        self._told = max(self._told, now - self._stopped - self._stop_until(now))
        return self._told

    def _stop_until(self, now: float) -> float:
        """Return how much of the time since the last look was a stop and is not counted yet."""
        busy = now - self._looked
        if busy <= STOPPED:
            return 0.0
        if self._polls:
            # The processor's time is that of this thread alone. The time of the whole process
            # would include the thread that saves replays, whose work would hide a stop of this one.
            return max(0.0, busy - (self._worked() - self._worked_then))
        return busy - HEARTBEAT if self._beats else 0.0

    def arrival(self) -> float:
        """Return the earliest time at which what the last look found may have come in.

        The earliest time is the one in the player's favour.
        """
        return self._arrival if self._polls else self.now()

    def look_begins(self) -> None:
        """Note that the loop has done its work and is about to wait.

        If the work took long, the part in which the processor did not work for us was a stop. Work
        itself is never a stop, or whoever makes work could stop everybody's time.
        """
        self._polls = True
        self._began = self._now()
        self._stopped += self._stop_until(self._began)

    def look_ends(self, *, waited: bool) -> None:
        """Note that the loop has looked, and perhaps ``waited`` for something to come."""
        ended = self._now()
        took = ended - self._began
        if took > STOPPED:
            # Nobody knows when in the stop the move came, so it counts as if it came at its start.
            # The wait itself would have taken up to a HEARTBEAT, and that part is charged.
            self._arrival = self._began - self._stopped
            self._stopped += took - HEARTBEAT
        else:
            self._arrival = ended - self._stopped if waited else self._looked_fair
        self._looked = ended
        self._looked_fair = ended - self._stopped
        self._worked_then = self._worked()

    async def keep_beating(self) -> None:
        """Call ``beat`` every HEARTBEAT, until the task is cancelled."""
        while True:
            await asyncio.sleep(HEARTBEAT)
            self.beat()

    def beat(self) -> None:
        """Find stops in loops without a selector, where this is called every HEARTBEAT."""
        # With a selector this call only makes sure that the loop turns. Both ways at once would
        # find each stop twice, and give the time back twice.
        if not self._polls:
            self._beats = True
            now = self._now()
            self._stopped += self._stop_until(now)
            self._looked = now


class LookingSelector(selectors.DefaultSelector):
    """The system's selector, which tells a clock when it looks and whether it had to wait."""

    def __init__(self, clock: FairClock) -> None:
        super().__init__()
        self._clock = clock

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        self._clock.look_begins()
        # Looking without waiting first tells what was already there from what woke the loop.
        found = super().select(0)
        wait = not found and (timeout is None or timeout > 0)
        if wait:
            # Never longer than a heartbeat, because the end of a long wait would look the same
            # whether nobody spoke or the process was stopped in the middle of it.
            found = super().select(HEARTBEAT if timeout is None else min(timeout, HEARTBEAT))
        self._clock.look_ends(waited=wait)
        return found


def make_loop(clock: FairClock, *, uvloop: bool = False) -> asyncio.AbstractEventLoop:
    """Return the loop the server runs on.

    Where the platform has a loop that can tell the clock when it looks, it is that one.
    """
    if uvloop:
        loop: asyncio.AbstractEventLoop = import_module("uvloop").new_event_loop()
        return loop
    if sys.platform == "win32":
        # Windows' selector takes 512 sockets only, and the loop that takes more has no selector.
        # Many players are worth more than the last milliseconds of fairness.
        return asyncio.new_event_loop()
    return asyncio.SelectorEventLoop(LookingSelector(clock))
