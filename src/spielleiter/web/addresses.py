"""Find the names under which others reach this machine. Nothing is sent."""

from __future__ import annotations

import contextlib
import ipaddress
import socket


def reachable(host: str | None) -> str:
    """Return a name under which a browser of the same network finds a page that listens there."""
    if host is None:
        return own_address()
    try:
        is_newer = ipaddress.ip_address(host).version == 6
    except ValueError:
        is_newer = False
    return f"[{host}]" if is_newer else host


def own_address() -> str:
    """Return this machine's address in its network, or localhost if it has none."""
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
        # Nothing is sent. The system only says from which address it would.
        sock.connect(("192.0.2.1", 9))
        return str(sock.getsockname()[0])
    return "localhost"
