"""Connect a player's socket with patience, note when bytes came, and send.

A thread of its own reads, so that the time of arrival is right even while the bot thinks in a hook.
What the bytes mean is not known here.
"""

from __future__ import annotations

import contextlib
import math
import queue
import socket
import threading
import time

from spielleiter.keepalive import notice_dead_peer
from spielleiter.rules.frozen import frozen

_RETRY_SECONDS = 0.1
_FAREWELL_SECONDS = 1.0
_CHUNK = 1 << 14
MOST_WAITING = 256
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
        self._arrivals: queue.Queue[Arrival] = queue.Queue(MOST_WAITING)
        self._closing = False
        self._reader = threading.Thread(target=self._read, name="spielleiter reader", daemon=True)
        self._reader.start()

    def _read(self) -> None:
        while True:
            try:
                data = self._sock.recv(_CHUNK)
            except OSError:
                data = b""
            if (
                not self._closing
            ):  # else nobody takes it, and it is only read so that the server is rid of it
                self._arrivals.put(Arrival(time.perf_counter(), data))
            if not data:
                return

    def receive(self, timeout: float | None = None) -> Arrival | None:
        """Return what came next, or None if nothing did within ``timeout`` seconds."""
        deadline = None if timeout is None else time.monotonic() + timeout
        while True:
            left = math.inf if deadline is None else max(0.0, deadline - time.monotonic())
            try:
                return self._arrivals.get(timeout=min(left, _LONGEST_WAIT))
            except queue.Empty:
                if deadline is not None and time.monotonic() >= deadline:
                    return None

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
        self._closing = True
        with contextlib.suppress(queue.Empty):
            while True:  # a reader that waits for room may go on
                self._arrivals.get_nowait()
        if self.send(goodbye):
            with contextlib.suppress(OSError):
                self._sock.shutdown(socket.SHUT_WR)
            # Closing with unread bytes would reset the connection, and the goodbye might never
            # arrive.
            self._reader.join(_FAREWELL_SECONDS)
        with contextlib.suppress(OSError):
            self._sock.shutdown(socket.SHUT_RDWR)
        self._sock.close()
