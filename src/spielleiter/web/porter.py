"""Let browsers in, not too many of them, and none that keeps silent or asks without end.

Players have limits of their own in ``server``. These keep the page from taking what is theirs.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

from uvicorn.protocols.http.h11_impl import H11Protocol

from spielleiter.server.sockets import most_connections
from spielleiter.server.work import Bucket

MOST_CONNECTIONS = 1500
FIRST_REQUEST = 10.0
"""Seconds until a connection must have asked for something."""
PER_SECOND, AT_ONCE = 100.0, 1500.0
"""Requests of one address. A class behind one address loads the page in one go."""
ALL_PER_SECOND, ALL_AT_ONCE = 300.0, 3000.0
"""Requests of everybody, which take a fifth of a core."""
LONGEST_REST = 10.0
"""Seconds that a request waits at most. A connection asks for one thing at a time."""
MOST_ADDRESSES = 2000


class LimitedProtocol(H11Protocol):
    """A connection of a browser, which is turned away if there are too many or it says nothing."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        if len(self.connections) > min(MOST_CONNECTIONS, most_connections() // 4):
            transport.abort()
            return
        self.loop.call_later(FIRST_REQUEST, self._look)

    def _look(self) -> None:
        """Part with somebody who has not asked for anything yet."""
        if self.cycle is None and self in self.connections:
            self.transport.abort()


class Throttle:
    """Lets requests rest that come faster than the page can answer beside its matches."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._all = Bucket(ALL_PER_SECOND, ALL_AT_ONCE, now())
        self._buckets: dict[str, Bucket] = {}

    def rest(self, address: str) -> float:
        """Count a request of this address, and return the seconds that it has to wait."""
        now = self._now()
        bucket = self._buckets.get(address)
        if bucket is None:
            if len(self._buckets) >= MOST_ADDRESSES:
                self._tidy_up(now)
            bucket = self._buckets[address] = Bucket(PER_SECOND, AT_ONCE, now)
        return min(LONGEST_REST, max(bucket.take(1.0, now), self._all.take(1.0, now)))

    def _tidy_up(self, now: float) -> None:
        kept = {key: one for key, one in self._buckets.items() if not one.is_full(now)}
        # If all of them are busy, forgetting them costs less than keeping count of strangers.
        self._buckets = kept if len(kept) < MOST_ADDRESSES else {}
