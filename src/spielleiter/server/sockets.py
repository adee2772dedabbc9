"""Open the sockets a server listens on, and ask the system how many it allows.

Connections are accepted elsewhere.
"""

from __future__ import annotations

import contextlib
import errno
import socket
import sys

from spielleiter.server.errors import ServerError

OWN_FILES = 64
"""Files that are left for replays, logs and the sockets that listen."""

_BOTH_KINDS: dict[str | None, list[str]] = {
    "localhost": ["127.0.0.1", "::1"],
    None: ["0.0.0.0", "::"],  # noqa: S104 - asked for
}


def listen(host: str | None, port: int) -> list[socket.socket]:
    """Return sockets for the host, or for every interface if it is None, all on one port.

    For localhost and None there are sockets for both kinds of address. Raises ServerError.
    """
    hosts = _BOTH_KINDS[None] if host is None else _BOTH_KINDS.get(host, [host])
    sockets: list[socket.socket] = []
    for number, name in enumerate(hosts):
        try:
            sock = _bind(name, port)
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
            raise ServerError(
                f"cannot listen on {host!r}: that is not the name of a computer"
            ) from None
        port = sock.getsockname()[1]
        sockets.append(sock)
    return sockets


def _bind(name: str, port: int) -> socket.socket:
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
    return sock


def most_connections() -> int:
    """Return how many connections the system lets us have, with some files left for ourselves."""
    try:
        import resource
    except ImportError:  # Windows has no such limit
        return sys.maxsize
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return sys.maxsize if soft == resource.RLIM_INFINITY else max(1, soft - OWN_FILES)


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
