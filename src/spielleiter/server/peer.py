"""Whoever is connected, as lobby and rooms see him: somebody to write to. Sockets are elsewhere."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from spielleiter.server.room import Room


class Peer(ABC):
    """One connection. Output is gathered and leaves on ``flush``, in one piece."""

    label: str = "?"
    """For the log: address and number."""
    address: str = ""
    is_admin: bool = False
    revision: str | None = None
    """The wire revision this connection asked for, None for the room's."""
    room: Room | None = None
    """Where this peer has a seat."""
    seat: int | None = None
    free_since: float = 0.0
    """Since when this peer has no seat."""
    prepared_type: str | None = None
    """The game type this peer prepared last."""
    last_room: str | None = None
    """The room of the match that ended last: a move may still be on its way there."""

    @property
    def is_asked(self) -> bool:
        """Whether a move of this peer is awaited."""
        return self.room is not None and self.room.referee.asked == self.seat

    def __init__(self) -> None:
        self.observing: dict[str, Room] = {}

    @abstractmethod
    def send(self, data: bytes) -> None:
        """Add to what leaves with the next flush."""

    @abstractmethod
    def when_sent(self, then: Callable[[], None]) -> None:
        """Call ``then`` when everything said so far was handed to the network, read or not."""

    @abstractmethod
    def flush(self) -> None:
        """Let what was said leave."""

    @abstractmethod
    def goodbye(self, *, after: float = 0.0) -> None:
        """Close the document and the connection, at once or when the grace is over; nothing more is
        heard.
        """

    @abstractmethod
    def stay(self) -> None:
        """Take back a ``goodbye`` that has not happened yet."""
