"""Look at the port of a server, and at connections within this computer."""

from __future__ import annotations

import errno
import socket
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

from spielleiter.cli.diagnosis.findings import Finding, Level

_CONNECT_SECONDS = 3.0
_NO_ADDRESS = frozenset({errno.EADDRNOTAVAIL, errno.EAFNOSUPPORT})
"""How systems say that they know no such address. Then a server does without it."""


def port_free(port: int) -> Finding:
    """Find out whether a server could listen where clients look for one.

    localhost is two addresses, and the server needs both.
    """
    name = f"port {port}"
    error = _obstacle(socket.AF_INET, "127.0.0.1", port)
    if error is None and socket.has_ipv6:
        error = _obstacle(socket.AF_INET6, "::1", port)
        if error is not None and error.errno in _NO_ADDRESS:
            error = None
    if error is None:
        return Finding(name, Level.OK, "is free for a server")
    owner = port_owner(port)
    if owner is None and isinstance(error, PermissionError):
        return Finding(
            name, Level.PROBLEM, "this user may not listen there", "take another one with --port"
        )
    who = owner or "another program"
    find = f"netstat -ano | findstr :{port}" if sys.platform == "win32" else f"lsof -i :{port}"
    hint = "" if owner else f"; {find} says who has it"
    return Finding(
        name,
        Level.WARNING,
        f"is taken by {who}",
        f"if that is your server, all is well; else end it, or use serve --port {port + 1}{hint}",
    )


def _obstacle(family: int, address: str, port: int) -> OSError | None:
    """Return the error of trying to listen there, or None."""
    try:
        with socket.socket(family, socket.SOCK_STREAM) as sock:
            if sys.platform != "win32":  # there it would allow two servers on one port
                sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            if family == socket.AF_INET6:
                sock.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
            sock.bind((address, port))
            sock.listen()
    except OSError as error:
        return error
    return None


def port_owner(port: int, proc: Path = Path("/proc")) -> str | None:
    """Return the program that listens on a port, or None where the system does not tell.

    An example is ``python -m spielleiter serve (process 4711)``.
    """
    sockets = {
        f"socket:[{inode}]"
        for table in ("tcp", "tcp6")
        for inode in _listeners(proc / "net" / table, port)
    }
    if not sockets:
        return None
    for process in proc.glob("[0-9]*"):
        try:
            if any(str(file.readlink()) in sockets for file in (process / "fd").iterdir()):
                command = (
                    (process / "cmdline")
                    .read_bytes()
                    .replace(b"\0", b" ")
                    .decode("utf-8", "replace")
                    .strip()
                )
                return f"{command[:80]} (process {process.name})"
        except OSError:  # somebody else's, or gone
            continue
    return "a program of another user"


def _listeners(table: Path, port: int) -> Iterator[str]:
    """Return the inodes of listening sockets in a table of the kernel.

    0A in its fourth column means listening.
    """
    try:
        lines = table.read_text("ascii", "replace").splitlines()[1:]
    except OSError:
        return
    for line in lines:
        parts = line.split()
        if len(parts) > 9 and parts[3] == "0A" and int(parts[1].rpartition(":")[2], 16) == port:
            yield parts[9]


def local_connections(host: str = "localhost") -> Finding:
    """Try whether a bot on this machine reaches a server on it.

    Firewalls and odd host files stop that.
    """
    name = "connections on this computer"
    advice = "allow Python in the firewall, or have localhost mean 127.0.0.1 in the file hosts"
    try:
        with ExitStack() as stack:
            server = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
            server.settimeout(_CONNECT_SECONDS)
            client = socket.create_connection(
                (host, server.getsockname()[1]), timeout=_CONNECT_SECONDS
            )
            stack.enter_context(client)
            peer, _ = server.accept()
            stack.enter_context(peer)
            peer.settimeout(_CONNECT_SECONDS)
            started = time.perf_counter()
            client.sendall(b"?")
            peer.sendall(peer.recv(1))
            client.recv(1)
            seconds = time.perf_counter() - started
    except OSError as error:
        return Finding(name, Level.PROBLEM, f"do not work: {error.strerror or error}", advice)
    return Finding(name, Level.OK, f"work, {seconds * 1000:.2f} ms there and back")
