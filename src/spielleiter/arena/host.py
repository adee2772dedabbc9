"""Whoever holds a server in his own process, as its lobby sees him.

Sockets are for those outside.
"""

from __future__ import annotations

from collections.abc import Callable

from spielleiter.server.peer import Peer


class Host(Peer):
    """Ourselves in the lobby: an administrator who is in the house and needs no socket."""

    label = "arena"
    is_admin = True

    def __init__(self) -> None:
        super().__init__()
        self.on_packet: Callable[[bytes], None] | None = None

    def send(self, data: bytes) -> None:
        if self.on_packet is not None:
            self.on_packet(data)

    def when_sent(self, then: Callable[[], None]) -> None:
        then()

    def flush(self) -> None:
        pass

    def goodbye(self, *, after: float = 0.0) -> None:
        pass

    def stay(self) -> None:
        pass
