"""Put the parts of a server together, start them and end them.

What the parts do is in their own modules, and the process around a server is in ``program``.
"""

from __future__ import annotations

import asyncio
import contextlib

from spielleiter.server.administration import Administration
from spielleiter.server.admission import Admission
from spielleiter.server.archive import ReplaySaver
from spielleiter.server.authentication import Authentication
from spielleiter.server.connection import Connection
from spielleiter.server.feed import Feed
from spielleiter.server.lobby import Lobby
from spielleiter.server.loop_trouble import LoopTrouble
from spielleiter.server.outbox import Outbox
from spielleiter.server.passwords import PasswordGuard
from spielleiter.server.requests import RequestHandler
from spielleiter.server.services import Services
from spielleiter.server.settings import Settings
from spielleiter.server.sockets import listen, most_connections
from spielleiter.server.start_positions import load_for_server
from spielleiter.server.sweeper import Sweeper
from spielleiter.server.work import Workload
from spielleiter.wire.limits import StreamLimits

ACCEPTED_AT_ONCE = 4
"""Connections taken in one turn of the loop. The others wait with the system.

Taking them costs about a millisecond.
"""

BACKLOG = 1024
"""Connections that may wait with the system."""

STOP_SECONDS = 1.0
"""Seconds that everybody has to read what was said last when the server ends."""


class Server:
    """One running server with all its parts. Start it with ``start``, end it with ``stop``.

    Raises ServerError if the position to start from (``settings.load``) cannot be read.
    """

    def __init__(self, settings: Settings, *, services: Services | None = None) -> None:
        limits, load = settings.limits, settings.load
        self.settings = settings
        self.outbox = Outbox()
        self.services = (services or Services()).followed_by(self.outbox.flush)
        clock = self.services.clock
        self.feed = Feed()
        """Tells whoever listens in this process what happens in the rooms."""
        start = None if load is None else load_for_server(load, settings.turn)
        self.lobby = Lobby(settings, self.services, self.feed, start_position=start)
        self.workload = Workload(limits, self.services, self.outbox.flush)
        self.admission: Admission[Connection] = Admission(limits)
        self.passwords: PasswordGuard[Connection] = PasswordGuard(limits, clock.now)
        self.administration = Administration(settings, self.lobby)
        authentication = Authentication(self.lobby, self.administration, self.passwords)
        self.requests = RequestHandler(
            settings, self.services, self.lobby, self.administration, authentication
        )
        self.sweeper = Sweeper(
            self.admission.connections,
            limits,
            clock.now,
            flush=self.outbox.flush,
            tidy_up=self._tidy_up,
        )
        self.stream_limits = StreamLimits(
            message_bytes=limits.message_bytes,
            token_bytes=limits.token_bytes,
            depth=limits.nesting,
            elements=limits.elements,
            attributes=limits.attributes,
            names=limits.names,
        )
        self._saver: ReplaySaver | None = None
        if settings.save_replays is not None:
            self._saver = ReplaySaver(settings.save_replays, compress=settings.replay_gzip)
            self.feed.subscribe(self._saver.hear)
        self._addresses: list[tuple[str, int]] = []
        self._listening: list[asyncio.Server] = []
        self._tasks: list[asyncio.Task[None]] = []

    async def start(self) -> None:
        """Start to listen. Raises ServerError if that is not possible."""
        loop = asyncio.get_running_loop()
        loop.set_exception_handler(LoopTrouble(self.services.clock.now).report)
        self.admission.limit(most_connections())
        for sock in listen(self.settings.bind_host, self.settings.port):
            # asyncio takes as many connections in one turn as it believes may wait with the system.
            # A thousand who come at once would hold up every match, so it is told a small number,
            # and the system is told the real one afterwards.
            server = await loop.create_server(
                lambda: Connection(self), sock=sock, backlog=ACCEPTED_AT_ONCE
            )
            sock.listen(BACKLOG)
            self._listening.append(server)
            self._addresses.append(sock.getsockname()[:2])
        self._tasks.append(loop.create_task(self.sweeper.run()))
        self._tasks.append(loop.create_task(self.services.clock.keep_beating()))

    @property
    def port(self) -> int:
        """Return the port on which the server listens, once it has started."""
        return self._addresses[0][1]

    @property
    def local_host(self) -> str:
        """Return the address under which programs on this machine find the server."""
        host = self._addresses[0][0]
        return {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)  # noqa: S104

    async def stop(self) -> None:
        """End every match with a result, close all connections and wait for the replays."""
        # Each step needs the one before. Nobody joins any more, then every match gets its result,
        # the results leave, and only then the documents are closed. Replays come last, because the
        # results are what is saved.
        self.admission.close()
        for server in self._listening:
            server.close()
        self.lobby.close()
        self.outbox.flush()
        connections = self.admission.connections
        for connection in list(connections):
            connection.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(STOP_SECONDS):
                while connections:
                    await asyncio.sleep(0.01)
        for connection in list(connections):
            connection.drop("the server ends")
        self.feed.close()
        if self._saver is not None:
            await self._saver.close()

    def _tidy_up(self) -> None:
        """Let go of what nobody needs any more."""
        self.lobby.cancel_forgotten(self.services.clock.now() - self.settings.limits.room_seconds)
        self.passwords.tidy_up()
        self.workload.tidy_up()
        self.outbox.flush()
