"""Part with peers that keep the server waiting. What else is due is handed in."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Collection, Iterable

from spielleiter.server.connection import Connection
from spielleiter.server.limits import ServerLimits
from spielleiter.server.logs import log_event

logger = logging.getLogger("spielleiter.server")

SWEEP = 0.5
"""Seconds between looks for peers that keep the server waiting."""

SWEPT_AT_ONCE = 50
"""Connections looked after in one go.

They take a tenth of a millisecond, or some ten milliseconds if all of them are to be closed.
"""

CLOSE_SECONDS = 2.0
"""Seconds a peer has to close its half after we have closed ours."""


class Sweeper:
    """Looks every now and then at each connection, whether it has passed a limit."""

    def __init__(
        self,
        connections: Collection[Connection],
        limits: ServerLimits,
        now: Callable[[], float],
        *,
        flush: Callable[[], None],
        tidy_up: Callable[[], None],
    ) -> None:
        self._connections = connections
        self._limits = limits
        self._now = now
        self._flush = flush
        self._tidy_up = tidy_up

    async def run(self) -> None:
        """Sweep again and again, until the task is cancelled."""
        while True:
            await asyncio.sleep(SWEEP)
            connections = list(self._connections)
            for start in range(0, len(connections), SWEPT_AT_ONCE):
                self._look_after_all(connections[start : start + SWEPT_AT_ONCE])
                await asyncio.sleep(0)  # moves that have come meanwhile go first
            self._tidy_up()

    def sweep(self) -> None:
        """Look after everybody in one go, and then tidy up."""
        self._look_after_all(list(self._connections))
        self._tidy_up()

    def _look_after_all(self, connections: Iterable[Connection]) -> None:
        now = self._now()
        for connection in connections:
            try:
                self._look_after(connection, now)
            except Exception as error:
                log_event(
                    logger,
                    "internal error",
                    level=logging.ERROR,
                    peer=connection.label,
                    error=error,
                )
        self._flush()

    def _look_after(self, connection: Connection, now: float) -> None:
        """Part with the connection if it has passed a limit. The first such limit decides."""
        limits = self._limits

        def passed(since: float | None, seconds: float) -> bool:
            return since is not None and now - since > seconds

        # The order matters. A peer that closes or does not read is cut before anything is said to
        # it, because what is said would only wait with the rest. The reasons that can be told come
        # after these, the most exact one first.
        if connection.clogged_at is not None and connection.is_reading():
            connection.clogged_at = now
        if passed(connection.closing_at, CLOSE_SECONDS):
            connection.drop("it does not close")
        elif passed(connection.clogged_at, limits.dead_peer_seconds):
            connection.drop("it does not read what it is sent")
        elif not connection.greeted and passed(connection.connected_at, limits.first_byte_seconds):
            connection.expired(f"nothing was said for {limits.first_byte_seconds:g} seconds")
        elif passed(connection.heard_at, limits.message_seconds):
            connection.expired(
                f"a message was not finished within {limits.message_seconds:g} seconds"
            )
        elif (
            connection.room is None
            and not connection.is_admin
            and passed(connection.free_since, limits.lobby_seconds)
        ):
            connection.expired(f"no game was joined within {limits.lobby_seconds:g} seconds")
