"""Decide whose input is worked on next, and how much of it.

Connections do the work itself, and nothing here knows about sockets.

Work is counted in units of one element that is read, about two microseconds. Counting instead of
measuring keeps the rules the same on every machine and under every load, and lets tests reach them
without waiting. The reasons and the figures are in docs/decisions/work-budget.md.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Protocol

from spielleiter.server.limits import ServerLimits
from spielleiter.server.services import Services

ELEMENT = 1
"""One tag that is read, with building and freeing what it says."""
READ = 40
"""One look at a socket that has something.

Whoever sends byte by byte and rests is then read in one go.
"""
MESSAGE = 10
"""One message that is looked at and perhaps mentioned in the log, whatever is in it."""
LOOKED_AT = 4
"""So many elements cost one unit more when their message is looked at."""
REQUEST = 140
"""What a message does, such as taking a seat, opening a room or writing a position."""
CONNECTION = 50
"""Taking one connection in."""
BYTES = 64
"""So many bytes cost one unit, whatever is in them."""

TURN = 500
"""Units for everybody together in one turn of the loop, about a millisecond.

After each turn moves that have come meanwhile go first.
"""
PIECE = 512
"""Bytes that are read in one go. Nothing but tags, they are 128 elements."""
MOVE = 250
"""Units that a player who is asked has at once, outside every queue.

A move with twenty hints takes 200.
"""
FRESH = 200
"""Units every connection has before it counts what others have used. They are enough to join."""
SHORTEST_REST = 0.02
"""Seconds a connection rests at least if it has used too much, because timers cost something."""
DEEPEST_DEBT = 1.0
"""Seconds of rest that may add up before a message is read to its end."""
SAVED = 2.0
"""Seconds for which an allowance that is not used adds up."""


class Bucket:
    """An allowance that fills with time, up to its size. What is taken may overdraw it."""

    __slots__ = ("_at", "_level", "_rate", "_size")

    def __init__(self, rate: float, size: float, now: float) -> None:
        self._rate, self._size, self._level, self._at = rate, size, size, now

    def take(self, amount: float, now: float) -> float:
        """Take the amount and return the seconds until the allowance is out of the red.

        That is 0 if it never was in the red.
        """
        # What work costs is known only after it is done, so it may overdraw the bucket. The debt is
        # paid by resting, which needs no second way to stop work in the middle.
        self._level = min(self._size, self._level + max(0.0, now - self._at) * self._rate) - amount
        self._at = now
        return max(0.0, -self._level / self._rate)

    def is_full(self, now: float) -> bool:
        """Return whether nothing is missing, so that a new bucket would be the same."""
        return self._level + max(0.0, now - self._at) * self._rate >= self._size


class Worker(Protocol):
    """A connection, as the queue sees it."""

    allowances: tuple[Bucket, ...]
    """What its work is taken from, its own allowance first, then those it shares."""
    spent: int
    queued: bool
    is_admin: bool

    @property
    def in_message(self) -> bool:
        """Return whether a message was begun that we have more of, or read and not yet handled."""

    @property
    def is_asked(self) -> bool: ...
    @property
    def has_work(self) -> bool:
        """Return whether something waits that can be worked on now."""

    def work(self) -> int:
        """Do the next bit and return what it cost."""

    def rest(self, seconds: float) -> None:
        """Have no work for this many seconds."""


class Workload:
    """Everything that waits to be worked on, except moves that were asked for.

    Each turn of the loop has ``TURN`` units. Three kinds of connections take turns with one bit of
    work each: those who are asked for a move but say more than a move, those who have said next to
    nothing yet, and everybody else. So a newcomer's join does not wait behind a flood, and nobody
    waits for ever. Within a kind a message that was begun is read to its end first, because
    half-read ones of everybody would keep the collector busy.
    """

    def __init__(self, limits: ServerLimits, services: Services, flush: Callable[[], None]) -> None:
        self._limits = limits
        self._now = services.clock.now
        self._call_soon = services.call_soon
        self._flush = flush
        self._queues: tuple[deque[Worker], ...] = (deque(), deque(), deque())
        self._next = 0
        self._left = TURN
        self._comes_back = False
        self._everybody = Bucket(limits.work_in_all, limits.work_in_all * SAVED, self._now())
        self._addresses: dict[str, Bucket] = {}

    # Allowances

    def allowances(self, address: str | None) -> tuple[Bucket, ...]:
        """Return the allowances of a new connection.

        ``address`` is None where addresses do not count.
        """
        now, limits = self._now(), self._limits
        own = Bucket(limits.work_per_second, limits.work_per_second * SAVED, now)
        shared = [self._everybody]
        if address is not None:
            bucket = self._addresses.get(address)
            if bucket is None:
                rate = limits.work_per_address
                bucket = self._addresses[address] = Bucket(rate, rate * SAVED, now)
            shared.append(bucket)
        # Taken from what is shared alone. A new connection has a full allowance of its own each
        # time, so that connecting again and again would cost nobody anything.
        for allowance in shared:
            allowance.take(CONNECTION, now)
        return (own, *shared)

    def tidy_up(self) -> None:
        """Forget addresses that have not been heard of for a while."""
        # Only those whose bucket is full. Forgetting another one would forgive its debt, and
        # whoever hangs up and comes back would have a new allowance.
        now = self._now()
        for address in [
            address for address, bucket in self._addresses.items() if bucket.is_full(now)
        ]:
            del self._addresses[address]

    # Work

    def offer(self, worker: Worker) -> None:
        """Work for ``worker`` now if nobody waits and the turn has units left, or else queue it."""
        # On an idle server a message is handled without the delay of another turn of the loop. As
        # soon as somebody waits, everybody has to queue, or the newest would overtake the others.
        while self._left > 0 and worker.has_work and not any(self._queues):
            self._serve(worker)
        if worker.has_work:
            self._enqueue(worker)
        self._come_back()

    def _enqueue(self, worker: Worker, *, goes_on: bool = False) -> None:
        if not worker.queued:
            worker.queued = True
            kind = 0 if worker.is_asked else 1 if worker.spent < FRESH or worker.is_admin else 2
            if goes_on:
                # The message that was begun is read to its end before another one is begun.
                self._queues[kind].appendleft(worker)
            else:
                self._queues[kind].append(worker)

    def _come_back(self) -> None:
        if not self._comes_back:
            self._comes_back = True
            self._call_soon(self._turn)

    def _turn(self) -> None:
        """Spend the units of one turn of the loop on a bit of each kind in turn."""
        self._comes_back = False
        self._left = TURN
        while self._left > 0 and any(self._queues):
            queue = self._queues[self._next]
            self._next = (self._next + 1) % len(self._queues)
            if queue:
                worker = queue.popleft()
                worker.queued = False
                # It may have been closed, held or sent to rest since it was queued.
                if worker.has_work:
                    self._serve(worker)
                if worker.has_work:
                    self._enqueue(worker, goes_on=worker.in_message)
        self._flush()
        # The loop looks at the sockets in between, so that moves are found after each turn.
        if any(self._queues):
            self._come_back()

    def _serve(self, worker: Worker) -> None:
        """Let the worker do a bit, and rest if that was more than it is allowed."""
        asked = worker.is_asked  # before the work, which may be the move and end the asking
        cost = worker.work()
        self._left -= cost
        # An administrator knows the password and is trusted: a tool that prepares a round of a
        # hundred matches in one go must not be slowed down.
        if worker.is_admin:
            return
        fresh = worker.spent < FRESH
        worker.spent += cost
        now = self._now()
        own, *shared = (allowance.take(cost, now) for allowance in worker.allowances)
        # A player who is asked does not wait for what others have used: the time is theirs.
        over = own if asked or fresh else max(own, *shared)
        # A message that was begun may overdraw the allowance up to a limit, because half-read
        # messages of many connections would keep the collector busy.
        if over > DEEPEST_DEBT or (over > 0 and not worker.in_message):
            worker.rest(max(over, SHORTEST_REST))
