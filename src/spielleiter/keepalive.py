"""Asks the system to notice that the other end of a connection is gone.

For servers and players alike.
"""

from __future__ import annotations

import socket


def notice_dead_peer(sock: socket.socket | None, seconds: float) -> None:
    """Have the system find out within ``seconds`` that the other end has vanished, idle or while
    sending.

    Without this, a peer whose machine or network disappears is waited for without end. What a
    system does not know is left out, and so is what is not TCP.
    """
    if sock is None or sock.family not in (socket.AF_INET, socket.AF_INET6):
        return
    interval = max(1, int(seconds // 4))
    options = [
        (socket.SOL_SOCKET, "SO_KEEPALIVE", 1),
        (socket.IPPROTO_TCP, "TCP_KEEPIDLE", interval),
        (socket.IPPROTO_TCP, "TCP_KEEPALIVE", interval),  # macOS' name for the same
        (socket.IPPROTO_TCP, "TCP_KEEPINTVL", interval),
        (socket.IPPROTO_TCP, "TCP_KEEPCNT", 3),
        # Without this a peer that vanishes while we send is noticed after minutes (Linux only).
        (socket.IPPROTO_TCP, "TCP_USER_TIMEOUT", int(seconds * 800)),
    ]
    for level, name, value in options:
        option = getattr(socket, name, None)
        if option is not None:
            try:
                sock.setsockopt(level, option, value)
            except OSError:
                continue  # the module has the name, the system does not have the option
