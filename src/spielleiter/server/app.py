"""The server program, which holds the sockets, signals and sweeps around the lobby."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import gc
import logging
import os
import signal
import socket
import sys
from collections import defaultdict, deque
from collections.abc import Callable, Iterable
from ipaddress import IPv4Address, ip_address, ip_network
from pathlib import Path
from typing import Any

from spielleiter import __version__
from spielleiter.replays import load_position
from spielleiter.rules import GameError, State
from spielleiter.server.archive import ReplaySaver
from spielleiter.server.clock import HEARTBEAT, FairClock, make_loop
from spielleiter.server.connection import Connection
from spielleiter.server.feed import Feed
from spielleiter.server.lobby import Lobby
from spielleiter.server.logs import configure_logging, describe_error, log_event
from spielleiter.server.outbox import Outbox
from spielleiter.server.peer import Peer
from spielleiter.server.services import Services
from spielleiter.server.settings import Settings, check_settings
from spielleiter.server.work import Workload
from spielleiter.wire import messages
from spielleiter.wire.errors import ReplayError
from spielleiter.wire.limits import StreamLimits

logger = logging.getLogger("spielleiter.server")

SWEPT_AT_ONCE = 50
"""Connections looked after in one go: a tenth of a millisecond, some ten if all of them are to be
closed.
"""

SWEEP = 0.5
"""Seconds between looks for peers that keep the server waiting."""


LONGEST_DELAY = 6.0
"""Seconds the answer to a password is put off at most: our own administrators' client waits ten for
an answer.
"""

KEPT_FAILURES = 100
"""Wrong passwords that are remembered for one address; more of them make no difference."""

ACCEPTED_AT_ONCE = 4
"""Connections taken in one turn of the loop, about a millisecond; the others wait with the system.
"""

BACKLOG = 1024
"""Connections that may wait with the system."""

FAREWELL = 1.0
"""Seconds that everybody has to read what was said last when the server ends."""

LARGEST_REPLAY = 8 * 1024 * 1024
"""Bytes of a replay that a request may have read, packed and unpacked: a game with many hints has
fewer.
"""

GOODBYE = 2.0
"""Seconds a peer has to close its half after we have closed ours."""


class ServerError(Exception):
    """Raised when the server cannot start. The message says why and what to do."""


class Server:
    """One running server with all its parts. Start it with ``start``, end it with ``stop``."""

    def __init__(self, settings: Settings, *, services: Services | None = None) -> None:
        self.settings = settings
        self.outbox = Outbox()
        self.services = (services or Services()).followed_by(self.outbox.flush)
        self.limits = StreamLimits(
            message_bytes=settings.limits.message_bytes,
            token_bytes=settings.limits.token_bytes,
            depth=settings.limits.nesting,
            elements=settings.limits.elements,
            attributes=settings.limits.attributes,
            names=settings.limits.names,
        )
        self.feed = Feed()
        """Tells whoever listens in this process what happens in the rooms."""
        start = None if settings.load is None else _load_start(settings.load, settings.turn)
        self.lobby = Lobby(settings, self.services, self.feed, start_position=start)
        self.workload = Workload(settings.limits, self.services, self.outbox.flush)
        self.connections: dict[Connection, None] = {}
        self.addresses: list[tuple[str, int]] = []
        self._per_address: defaultdict[str, int] = defaultdict(int)
        self._failures: defaultdict[str, deque[float]] = defaultdict(
            lambda: deque(maxlen=KEPT_FAILURES)
        )
        self._failed: deque[float] = deque(
            maxlen=settings.limits.auth_failures_per_minute + KEPT_FAILURES
        )
        self._trying: defaultdict[str, dict[Connection, None]] = defaultdict(dict)
        self._tries = 0
        self._servers: list[asyncio.Server] = []
        self._tasks: list[asyncio.Task[None]] = []
        folder = settings.save_replays
        self._store = None if folder is None else ReplaySaver(folder, compress=settings.replay_gzip)
        if self._store is not None:
            self.feed.subscribe(self._store.hear)
        self._most = settings.limits.connections
        self._accepted = 0
        self._stopping = False
        self._complained = 0.0

    # Life

    async def start(self) -> None:
        """Start to listen. Raises ServerError if that is not possible."""
        loop = asyncio.get_running_loop()
        loop.set_exception_handler(self._complain)
        self._most = min(self._most, _most_connections())
        for sock in _listen(self.settings.bind_host, self.settings.port):
            # asyncio takes as many connections in one turn as may wait with the system: tell it
            # few, then the truth.
            server = await loop.create_server(
                lambda: Connection(self), sock=sock, backlog=ACCEPTED_AT_ONCE
            )
            sock.listen(BACKLOG)
            self._servers.append(server)
            self.addresses.append(sock.getsockname()[:2])
        self._tasks.append(loop.create_task(self._sweep()))
        self._tasks.append(loop.create_task(self._beat()))

    @property
    def port(self) -> int:
        return self.addresses[0][1]

    async def stop(self) -> None:
        """End every game with a result, say goodbye to everybody and wait for the replays."""
        self._stopping = True
        for server in self._servers:
            server.close()
        self.lobby.close()
        self.outbox.flush()
        for connection in list(self.connections):
            connection.goodbye()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(FAREWELL):
                while self.connections:
                    await asyncio.sleep(0.01)
        for connection in list(self.connections):
            connection.drop("the server ends")
        if self._store is not None:
            await self._store.close()

    async def _sweep(self) -> None:
        while True:
            await asyncio.sleep(SWEEP)
            connections = list(self.connections)
            for start in range(0, len(connections), SWEPT_AT_ONCE):
                self.look_after(connections[start : start + SWEPT_AT_ONCE])
                await asyncio.sleep(0)  # games go first
            self.tidy_up()

    def look_after(self, connections: Iterable[Connection]) -> None:
        """Part with connections that keep the server waiting."""
        now = self.services.clock.now()
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
        self.outbox.flush()

    def tidy_up(self) -> None:
        """Let go of what nobody needs any more."""
        now = self.services.clock.now()
        self.lobby.cancel_forgotten(now - self.settings.limits.room_seconds)
        for address in list(self._failures):
            self._recent_failures(address)
        self.workload.tidy_up()
        self.outbox.flush()

    def _look_after(self, connection: Connection, now: float) -> None:
        """Part with the connection if it has passed a limit. The first such limit decides."""
        limits = self.settings.limits

        def passed(since: float | None, seconds: float) -> bool:
            return since is not None and now - since > seconds

        if connection.clogged_at is not None and connection.is_reading():
            connection.clogged_at = now
        if passed(connection.closing_at, GOODBYE):
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

    def _complain(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:  # noqa: ARG002
        """Log in one line what asyncio reports, such as too many open files.

        The number of these lines is limited, or there could be a thousand of them a second.
        """
        now = self.services.clock.now()
        if now - self._complained > 1.0:
            self._complained = now
            error = context.get("exception")
            reason = context.get("message") if error is None else describe_error(error)
            log_event(logger, "trouble with the network", level=logging.WARNING, reason=reason)

    async def _beat(self) -> None:
        while True:
            await asyncio.sleep(HEARTBEAT)
            self.services.clock.beat()

    # What connections need

    def admit(self, connection: Connection) -> str | None:
        """Count the connection in, or return why it cannot be admitted."""
        limits = self.settings.limits
        self._accepted += 1
        connection.label = f"{connection.address}#{self._accepted}"
        host = _host(connection.address)
        local = connection.address in ("127.0.0.1", "::1", "")
        allowed = limits.connections_per_loopback if local else limits.connections_per_address
        if self._stopping:
            return "the server ends"
        if len(self.connections) >= self._most:
            return f"there are {self._most} connections already; try again later"
        if self._per_address[host] >= allowed:
            return (
                f"there are {allowed} connections from {connection.address} already; close "
                "one first"
            )
        self.connections[connection] = None
        self._per_address[host] += 1
        # Tournaments run on the server's own machine: there only what everybody makes together
        # counts.
        connection.allowances = self.workload.allowances(None if local else host)
        return None

    def gone(self, connection: Connection) -> None:
        """Count the connection out."""
        if connection in self.connections:
            del self.connections[connection]
            host = _host(connection.address)
            self._per_address[host] -= 1
            if not self._per_address[host]:
                del self._per_address[host]
            self.authentication_answered(connection)

    # Passwords

    def authentication_delay(self, peer: Peer) -> float:
        """Return the seconds until a password from this peer is answered.

        At first there is no delay, and after wrong passwords it grows.

        Wrong ones count from the moment they come, so that trying many at once gains nothing, and
        from everywhere, so that many addresses gain little. Nobody is locked out: an administrator
        may share an address with whoever guesses.
        """
        limits = self.settings.limits
        since = self.services.clock.now() - 60
        while self._failed and self._failed[0] < since:
            self._failed.popleft()
        excess = max(
            len(self._recent_failures(_host(peer.address))) - limits.auth_attempts_per_minute,
            len(self._failed) - limits.auth_failures_per_minute,
        )
        return 0.0 if excess < 0 else min(2.0 ** min(excess, 10), LONGEST_DELAY)

    def _recent_failures(self, host: str) -> deque[float]:
        failures = self._failures[host]
        while failures and failures[0] < self.services.clock.now() - 60:
            failures.popleft()
        if not failures:
            del self._failures[host]
        return failures

    def authentication_failed(self, peer: Peer) -> None:
        now = self.services.clock.now()
        self._failures[_host(peer.address)].append(now)
        self._failed.append(now)

    def authentication_waits(self, connection: Connection) -> None:
        """Count a password whose answer is put off.

        Where too many wait, the oldest one from the busiest address is sent away.

        How many passwords a second can be tried in all is this limit divided by the delay.
        """
        self._trying[_host(connection.address)][connection] = None
        self._tries += 1
        if self._tries > self.settings.limits.auth_waiting:
            busiest = max(self._trying.values(), key=len)
            oldest = next(iter(busiest))
            self.authentication_answered(oldest)
            oldest.not_looked_at()

    def authentication_answered(self, connection: Connection) -> None:
        """Count the password out, if it was counted in."""
        host = _host(connection.address)
        if connection in self._trying.get(host, ()):
            self._tries -= 1
            del self._trying[host][connection]
            if not self._trying[host]:
                del self._trying[host]

    def load_for(
        self, message: messages.Prepare, then: Callable[[State[Any] | GameError], None]
    ) -> None:
        """Read the position a request names, in a thread, and call ``then`` with it.

        Where it cannot be read, ``then`` is called with the error that says why.
        """

        def read() -> State[Any] | GameError:
            try:
                return self._read_position(message.load_file or "", message.turn)
            except GameError as error:
                return error

        self.services.run_in_thread(read, then)

    def _read_position(self, name: str, turn: int | None) -> State[Any]:
        folder = self.settings.save_replays
        if folder is None or name in ("", ".", "..") or Path(name).name != name:
            raise ReplayError(f"{name!r} is not a file in the server's replay folder")
        path = folder / name
        try:
            path.stat()
        except (OSError, ValueError):
            raise ReplayError(f"there is no file {name!r} in the server's replay folder") from None
        return load_position(path, turn, most=LARGEST_REPLAY)


def _listen(host: str | None, port: int) -> list[socket.socket]:
    """Return sockets for the host, or for every interface if it is None, all on one port.

    For localhost and None there are sockets for both kinds of address.
    """
    both: dict[str | None, list[str]] = {"localhost": ["127.0.0.1", "::1"], None: ["0.0.0.0", "::"]}  # noqa: S104 - asked for
    hosts = both[host] if host is None else both.get(host, [host])
    sockets: list[socket.socket] = []
    for number, name in enumerate(hosts):
        try:
            family, kind, proto, _, address = socket.getaddrinfo(
                name, port, type=socket.SOCK_STREAM
            )[0]
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
            if number and error.errno in (errno.EAFNOSUPPORT, errno.EADDRNOTAVAIL):
                continue  # not every machine has the newer kind of address
            for other in sockets:
                other.close()
            raise ServerError(
                f"cannot listen on {host or name}:{port}: {error.strerror or error}. "
                f"Is another server running there? Choose another port with --port."
            ) from None
        except UnicodeError:
            raise ServerError(f"cannot listen on {host!r}: that is no name of a computer") from None
        port = sock.getsockname()[1]
        sockets.append(sock)
    return sockets


def _host(address: str) -> str:
    """Return what counts as one address.

    With IPv6 this is a whole network, because that is usually one household.
    """
    try:
        parsed = ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(parsed, IPv4Address) or parsed.is_loopback:
        return address
    return str(parsed.ipv4_mapped or ip_network((int(parsed) >> 64 << 64, 64)))


def _load_start(path: Path, turn: int | None) -> State[Any]:
    try:
        state = load_position(path, turn)
    except GameError as error:
        raise ServerError(f"cannot load a position from {path}: {error}") from None
    if state.is_over:
        raise ServerError(
            f"the game in {path} is over in that position; choose an earlier one with --turn"
        )
    return state


def _most_connections() -> int:
    """Return how many connections the system lets us have, with some files left for ourselves."""
    try:
        import resource
    except ImportError:  # Windows has no such limit
        return sys.maxsize
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return sys.maxsize if soft == resource.RLIM_INFINITY else max(1, soft - 64)


def serve(settings: Settings, *, ready: Callable[[Server], None] | None = None) -> int:
    """Run a server until it is told to end, and return the exit code."""
    check_settings(settings)
    configure_logging(settings.log_level, json_lines=settings.log_json, queue=True)
    allow_many_files()
    clock = FairClock()
    server = Server(settings, services=Services(clock=clock))
    try:
        runner = asyncio.Runner(loop_factory=lambda: make_loop(clock, uvloop=settings.uvloop))
        with runner:
            runner.run(_run(server, ready))
    except ModuleNotFoundError as error:
        if error.name != "uvloop":
            raise
        raise ServerError(
            "uvloop is not installed: pip install 'spielleiter[speed]', or leave out --uvloop"
        ) from None
    return 0


def allow_many_files() -> None:
    """Raise the limit of open files, because each connection is a file.

    The usual soft limit is meant for programs that have few files open.
    """
    try:
        import resource
    except ImportError:  # Windows has no such limit
        return
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    with contextlib.suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


async def _run(server: Server, ready: Callable[[Server], None] | None) -> None:
    await server.start()
    # What was made at start-up stays: the collector need not look at it during a game. What games
    # leave behind is freed by counting references; a full collection, which stops everything for a
    # tenth of a second with a thousand games, is for cycles that we may have missed.
    gc.collect()
    gc.freeze()
    # The messages that are being read must not set it off either, or a hostile client would have it
    # run all the time: 64 connections with the longest message each are some 300,000 objects.
    gc.set_threshold(500_000, 1, 1_000)
    ended = asyncio.Event()
    loop = asyncio.get_running_loop()

    def end() -> None:
        if ended.is_set():  # asked twice: somebody does not want to wait for a slow disk
            os._exit(1)
        ended.set()

    for name in ("SIGINT", "SIGTERM"):
        number = getattr(signal, name, None)
        if number is not None:
            try:
                loop.add_signal_handler(number, end)
            except NotImplementedError:  # Windows
                signal.signal(number, lambda *_: loop.call_soon_threadsafe(end))
    bound = server.settings.bind_host
    host = "every network address of this machine, port " if bound is None else bound + ":"
    print(f"Spielleiter {__version__} listens on {host}{server.port}", flush=True)  # noqa: T201 - the one line
    if ready is not None:
        ready(server)
    await ended.wait()
    log_event(
        logger, "ending", rooms=len(server.lobby.rooms), finished=server.lobby.matches_finished
    )
    await server.stop()
