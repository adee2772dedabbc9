"""The server program: sockets, signals, sweeps, and the lobby in the middle."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import logging
import secrets
import signal
import socket
import sys
import uuid
from collections import defaultdict, deque
from collections.abc import Callable
from pathlib import Path
from typing import Any

from spielleiter import __version__
from spielleiter.protocol.limits import Limits
from spielleiter.replays import GameRecord, load_position
from spielleiter.rules import GameError, State
from spielleiter.server.clock import HEARTBEAT, FairClock, make_loop
from spielleiter.server.connection import Connection
from spielleiter.server.lobby import Lobby, Refusal
from spielleiter.server.logs import configure_logging, log_event
from spielleiter.server.peer import Peer
from spielleiter.server.room import Timer
from spielleiter.server.saving import ReplaySaver
from spielleiter.server.settings import ALL_INTERFACES, Settings, check_settings

logger = logging.getLogger("spielleiter.server")

SWEEP = 0.5
"""Seconds between looks for peers that keep the server waiting."""


GOODBYE = 2.0
"""Seconds a peer has to close its half after we have closed ours."""


class ServerError(Exception):
    """The server cannot start; the message says why and what to do."""


class Server:
    """Everything of one running server. Start it with ``start``, end it with ``stop``."""

    def __init__(self, settings: Settings, *, clock: FairClock | None = None) -> None:
        self.settings = settings
        self.clock = clock or FairClock()
        self.limits = Limits(
            message_bytes=settings.limits.message_bytes,
            token_bytes=settings.limits.token_bytes,
            depth=settings.limits.nesting,
            attributes=settings.limits.attributes,
            names=settings.limits.names,
        )
        self.lobby = Lobby(settings, self)
        self.to_flush: list[Peer] = []
        self.connections: dict[Connection, None] = {}
        self.addresses: list[tuple[str, int]] = []
        self.loop: asyncio.AbstractEventLoop
        self.on_record: list[Callable[[GameRecord], None]] = []
        """Called with the record of every finished game."""
        self._per_address: defaultdict[str, int] = defaultdict(int)
        self._failures: defaultdict[str, deque[float]] = defaultdict(deque)
        self._servers: list[asyncio.Server] = []
        self._tasks: list[asyncio.Task[None]] = []
        folder = settings.save_replays
        self._store = None if folder is None else ReplaySaver(folder, compress=settings.replay_gzip)
        self._accepted = 0
        self._stopping = False

    # Life

    async def start(self) -> None:
        """Listen; raises ServerError if that cannot be."""
        self.loop = asyncio.get_running_loop()
        if self.settings.load is not None:
            try:
                load_position(self.settings.load, self.settings.turn)
            except GameError as error:
                raise ServerError(f"cannot load a position from {self.settings.load}: {error}") from None
        for sock in _listen(self.settings.host, self.settings.port):
            self._servers.append(await self.loop.create_server(lambda: Connection(self), sock=sock, backlog=1024))
            self.addresses.append(sock.getsockname()[:2])
        self._tasks.append(self.loop.create_task(self._sweep()))
        self._tasks.append(self.loop.create_task(self._beat()))

    @property
    def port(self) -> int:
        return self.addresses[0][1]

    async def stop(self) -> None:
        """End every game with a result, say goodbye to everybody, wait until replays are written."""
        self._stopping = True
        for server in self._servers:
            server.close()
        self.lobby.close()
        self.flush()
        for connection in list(self.connections):
            connection.goodbye()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(2.0):
                while self.connections:
                    await asyncio.sleep(0.01)
        for connection in list(self.connections):
            connection.drop("the server ends")
        if self._store is not None:
            await self._store.close()

    async def _sweep(self) -> None:
        while True:
            await asyncio.sleep(SWEEP)
            now = self.clock.now()
            for connection in list(self.connections):
                self._look_after(connection, now)
            self.flush()

    def _look_after(self, connection: Connection, now: float) -> None:
        """Part with a connection that keeps the server waiting; the first limit that is passed decides."""
        limits = self.settings.limits

        def passed(since: float | None, seconds: float) -> bool:
            return since is not None and now - since > seconds

        if passed(connection.closing_at, GOODBYE):
            connection.drop("it does not close")
        elif passed(connection.clogged_at, limits.dead_peer_seconds):
            connection.drop("it does not read what it is sent")
        elif not connection.greeted and passed(connection.connected_at, limits.first_byte_seconds):
            connection.expired(f"nothing was said for {limits.first_byte_seconds:g} seconds")
        elif passed(connection.heard_at, limits.message_seconds):
            connection.expired(f"a message was not finished within {limits.message_seconds:g} seconds")
        elif (
            connection.room is None and not connection.is_admin and passed(connection.free_since, limits.lobby_seconds)
        ):
            connection.expired(f"no game was joined within {limits.lobby_seconds:g} seconds")

    async def _beat(self) -> None:
        while True:
            await asyncio.sleep(HEARTBEAT)
            self.clock.beat()

    # What connections need

    def now(self) -> float:
        return self.clock.now()

    def call_later(self, seconds: float, then: Callable[[], None]) -> Timer:
        def run() -> None:
            then()
            self.flush()

        return self.loop.call_later(seconds, run)

    def admit(self, connection: Connection) -> str | None:
        """Count the connection in; why not, if not."""
        self._accepted += 1
        connection.label = f"{connection.address}#{self._accepted}"
        self.connections[connection] = None
        self._per_address[connection.address] += 1
        local = connection.address in ("127.0.0.1", "::1", "")
        limits = self.settings.limits
        allowed = limits.connections_per_loopback if local else limits.connections_per_address
        if self._stopping:
            return "the server ends"
        if len(self.connections) > limits.connections:
            return f"there are {limits.connections} connections already; try again later"
        if self._per_address[connection.address] > allowed:
            return f"there are {allowed} connections from {connection.address} already; close one first"
        return None

    def gone(self, connection: Connection) -> None:
        """Count the connection out."""
        if connection in self.connections:
            del self.connections[connection]
            self._per_address[connection.address] -= 1
            if not self._per_address[connection.address]:
                del self._per_address[connection.address]

    def flush(self) -> None:
        """Let everything that was said leave. What leaving triggers may say more."""
        while self.to_flush:
            waiting, self.to_flush = self.to_flush, []
            for peer in waiting:
                peer.flush()

    # What the lobby needs

    def new_id(self) -> str:
        return str(uuid.UUID(bytes=secrets.token_bytes(16), version=4))

    def new_seed(self) -> int:
        return secrets.randbits(63)

    def may_authenticate(self, peer: Peer) -> bool:
        failures = self._failures[peer.address]
        while failures and failures[0] < self.now() - 60:
            failures.popleft()
        if not failures:
            del self._failures[peer.address]
        return len(failures) < self.settings.limits.auth_attempts_per_minute

    def authentication_failed(self, peer: Peer) -> None:
        self._failures[peer.address].append(self.now())

    def load_position(self, name: str, turn: int | None) -> State[Any]:
        """A position from the file the server was started with, or from one in its replay folder."""
        if not name:
            assert self.settings.load is not None
            return load_position(self.settings.load, turn)
        folder = self.settings.save_replays
        if folder is None or Path(name).name != name:
            raise Refusal(f"prepare: {name!r} is not a file in the server's replay folder")
        path = folder / name
        if not path.is_file():
            raise Refusal(f"prepare: there is no file {name!r} in the server's replay folder")
        return load_position(path, turn)

    def keep(self, record: GameRecord) -> None:
        for listener in self.on_record:
            listener(record)
        if self._store is not None:
            self._store.save(record)


def _listen(host: str, port: int) -> list[socket.socket]:
    """Sockets for the host, on one port: for localhost and for every interface both kinds of address."""
    hosts = {"localhost": ["127.0.0.1", "::1"], ALL_INTERFACES: ["0.0.0.0", "::"]}.get(host, [host])  # noqa: S104 - asked for
    sockets: list[socket.socket] = []
    for number, name in enumerate(hosts):
        try:
            family, kind, proto, _, address = socket.getaddrinfo(name, port, type=socket.SOCK_STREAM)[0]
            sock = socket.socket(family, kind, proto)
            try:
                if sys.platform != "win32":
                    sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                if family == socket.AF_INET6:
                    sock.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
                sock.bind(address)
            except OSError:
                sock.close()
                raise
        except OSError as error:
            if number:  # not every machine has the newer kind of address
                continue
            raise ServerError(
                f"cannot listen on {host}:{port}: {error.strerror or error}. "
                f"Is another server running there? Choose another port with --port."
            ) from None
        port = sock.getsockname()[1]
        sockets.append(sock)
    return sockets


def serve(settings: Settings, *, ready: Callable[[Server], None] | None = None) -> int:
    """Run a server until it is told to end; the exit code."""
    check_settings(settings)
    configure_logging(settings.log_level, json_lines=settings.log_json, queue=True)
    allow_many_files()
    clock = FairClock()
    server = Server(settings, clock=clock)
    with asyncio.Runner(loop_factory=lambda: make_loop(clock, uvloop=settings.uvloop)) as runner:
        runner.run(_run(server, ready))
    return 0


def allow_many_files() -> None:
    """Each connection is a file; the usual soft limit is for programs that have few."""
    try:
        import resource
    except ImportError:  # Windows has no such limit
        return
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    with contextlib.suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


async def _run(server: Server, ready: Callable[[Server], None] | None) -> None:
    await server.start()
    # What was made at start-up stays: the collector need not look at it during a game.
    gc.collect()
    gc.freeze()
    ended = asyncio.Event()
    loop = asyncio.get_running_loop()
    for name in ("SIGINT", "SIGTERM"):
        number = getattr(signal, name, None)
        if number is not None:
            try:
                loop.add_signal_handler(number, ended.set)
            except NotImplementedError:  # Windows
                signal.signal(number, lambda *_: loop.call_soon_threadsafe(ended.set))
    host = (
        "every network address of this machine, port "
        if server.settings.host == ALL_INTERFACES
        else server.settings.host + ":"
    )
    print(f"Spielleiter {__version__} listens on {host}{server.port}", flush=True)  # noqa: T201 - the one line
    if ready is not None:
        ready(server)
    await ended.wait()
    log_event(logger, "ending", rooms=len(server.lobby.rooms), finished=server.lobby.games_finished)
    await server.stop()
