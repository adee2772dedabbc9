"""The peers whose output waits to leave. What the output is and how it leaves is theirs."""

from __future__ import annotations

import logging

from spielleiter.server.logs import log_event
from spielleiter.server.peer import Peer

logger = logging.getLogger("spielleiter.server")


class Outbox:
    """Gathers who has something to say, so that it leaves in one piece when work is done."""

    def __init__(self) -> None:
        self._waiting: list[Peer] = []

    def add(self, peer: Peer) -> None:
        """Flush this peer next time."""
        self._waiting.append(peer)

    @property
    def is_empty(self) -> bool:
        return not self._waiting

    def flush(self) -> None:
        """Let everything that was said leave. What leaving triggers may say more."""
        while self._waiting:
            waiting, self._waiting = self._waiting, []
            for peer in waiting:
                try:
                    peer.flush()
                except Exception as error:
                    log_event(
                        logger, "internal error", level=logging.ERROR, peer=peer.label, error=error
                    )
