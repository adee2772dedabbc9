"""Count how much one client asks, and how much of it leads nowhere (W8, W106).

It decides nothing. What is said to a client that went too far is in ``requests``.
"""

from __future__ import annotations

from spielleiter.server.limits import ServerLimits
from spielleiter.server.work import Bucket

UNKNOWN_MESSAGES = 10
"""Messages that nobody knows and that are forgiven to one connection. The next one ends it (W8)."""


class Conduct:
    """What one client has sent so far, as far as it counts against them."""

    __slots__ = ("_requests", "_unknown", "_useless", "has_moved")

    def __init__(self, limits: ServerLimits, now: float) -> None:
        self._requests = Bucket(limits.messages_per_second, limits.message_burst, now)
        self._useless = Bucket(1.0, limits.useless_messages, now)
        # Unknown messages have a count of their own. Useless ones happen to a good client now and
        # then, and time forgives them. A message of no season means a client of another protocol,
        # and each is answered, so that a slow one would get answers for ever (W8).
        self._unknown = 0
        self.has_moved = False
        """Whether a move that was asked for has come since they joined."""

    def asks_too_much(self, now: float) -> bool:
        """Count a request, and return whether there were too many of late."""
        return self._requests.take(1, now) > 0

    def wastes_too_much(self, now: float) -> bool:
        """Count a message that leads nowhere, and return whether there were too many of late."""
        return self._useless.take(1, now) > 0

    def is_not_understood(self) -> bool:
        """Count a message that nobody knows, and return whether there were too many in all."""
        self._unknown += 1
        return self._unknown > UNKNOWN_MESSAGES
