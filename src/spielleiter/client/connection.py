"""Connect a player's socket with patience, note when bytes came, and send.

Whoever waits reads by itself. While the bot is busy with a hook a thread reads, so that the time of
arrival is right even then. What the bytes mean is not known here.
"""

from __future__ import annotations

import contextlib
import math
import select
import socket
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator

from spielleiter.keepalive import notice_dead_peer
from spielleiter.rules.frozen import frozen

_RETRY_SECONDS = 0.1
_FAREWELL_SECONDS = 1.0
_CHUNK = 1 << 16
MOST_WAITING = 64
"""Pieces that wait to be taken, 4 MiB in all, which is more than any game sends.

Then nothing more is read, so that a server that floods has to wait and cannot eat our memory.
"""
DEAD_SERVER_SECONDS = 30.0
"""After which a server that has vanished is noticed. Long enough for a network that stumbles."""
_LONGEST_WAIT = 0.5
"""On Windows a wait without end cannot be interrupted with Ctrl+C. Elsewhere it can, unless the
signal comes between Python's last look for one and the wait.
"""


class NoServer(Exception):
    """Nobody answers at this address. The message says why."""


@frozen
class Arrival:
    """Bytes and when they came, by ``time.perf_counter``.

    Empty: the server closed, or the connection broke.
    """

    at: float
    data: bytes


def connect(host: str, port: int, patience: float) -> ServerLink:
    """Connect, and try again for ``patience`` seconds while nobody listens yet. Raises NoServer."""
    deadline = time.monotonic() + patience
    while True:
        left = deadline - time.monotonic()
        try:
            return ServerLink(
                socket.create_connection((host, port), timeout=max(left, _RETRY_SECONDS))
            )
        except (socket.gaierror, UnicodeError):
            raise NoServer(f"there is no host {host!r}") from None
        except OSError as error:
            if time.monotonic() + _RETRY_SECONDS >= deadline:
                raise NoServer(error.strerror or str(error) or "no answer") from None
        time.sleep(_RETRY_SECONDS)


class ServerLink:
    """One connected socket."""

    def __init__(self, sock: socket.socket) -> None:
        sock.settimeout(None)
        with contextlib.suppress(OSError):  # not every kind of socket has it
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        notice_dead_peer(sock, DEAD_SERVER_SECONDS)
        self._sock = sock
        self._wait = _waiting_for(sock)
        self._waiting: deque[Arrival] = deque()
        self._has_ended = False

    def receive(self, timeout: float | None = None) -> Arrival | None:
        """Return what came next, or None if nothing did within ``timeout`` seconds.

        After the end nothing comes any more.
        """
        if self._waiting:
            return self._waiting.popleft()
        if self._has_ended:
            return None
        deadline = None if timeout is None else time.monotonic() + timeout
        while True:
            left = math.inf if deadline is None else max(0.0, deadline - time.monotonic())
            if self._wait(min(left, _LONGEST_WAIT)):
                return self._read()
            if deadline is not None and time.monotonic() >= deadline:
                return None

    @contextlib.contextmanager
    def reading(self) -> Iterator[None]:
        """Read in a thread what comes meanwhile, and note when."""
        wake, woken = socket.socketpair()
        reader = threading.Thread(
            target=self._read_beside, args=(woken,), name="spielleiter reader", daemon=True
        )
        with wake, woken:
            reader.start()
            try:
                yield
            finally:
                wake.shutdown(socket.SHUT_WR)
                reader.join()

    def _read_beside(self, woken: socket.socket) -> None:
        wait, ours = _waiting_for(self._sock, woken), self._sock.fileno()
        while len(self._waiting) < MOST_WAITING and not self._has_ended:
            ready = wait(_LONGEST_WAIT)
            if ours in ready:
                self._waiting.append(self._read())
            elif ready:
                return

    def _read(self) -> Arrival:
        try:
            data = self._sock.recv(_CHUNK)
        except OSError:
            data = b""
        self._has_ended = not data
        return Arrival(time.perf_counter(), data)

    def send(self, data: bytes) -> bool:
        """Return whether the bytes were handed to the network.

        If not, the reader will see the end as well.
        """
        try:
            self._sock.sendall(data)
        except OSError:
            return False
        return True

    def close(self, goodbye: bytes) -> None:
        """Say goodbye, give the server a moment to do the same, and close.

        What still waits is dropped.
        """
        if self.send(goodbye):
            with contextlib.suppress(OSError):
                self._sock.shutdown(socket.SHUT_WR)
            # Closing with unread bytes would reset the connection, and the goodbye might never
            # arrive.
            deadline = time.monotonic() + _FAREWELL_SECONDS
            while not self._has_ended and (left := deadline - time.monotonic()) > 0:
                if self._wait(left):
                    self._read()
        with contextlib.suppress(OSError):
            self._sock.shutdown(socket.SHUT_RDWR)
        self._sock.close()


def _waiting_for(*socks: socket.socket) -> Callable[[float], list[int]]:
    """Return a function that waits for seconds, and returns the files that can be read then."""
    if not hasattr(select, "poll"):
        files = [sock.fileno() for sock in socks]
        return lambda seconds: select.select(files, [], [], seconds)[0]
    # Unlike ``select`` it takes files of any number, and a bot may have opened many.
    poll = select.poll()
    for sock in socks:
        poll.register(sock, select.POLLIN)
    return lambda seconds: [file for file, _ in poll.poll(1000 * seconds)]
