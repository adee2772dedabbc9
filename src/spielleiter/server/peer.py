"""A connected client as lobby and rooms see it, which is somebody to write to.

Sockets are elsewhere.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from spielleiter.server.room import Room


class Peer(ABC):
    """One connection. Output is gathered and leaves on ``flush``, in one piece."""

    label: str = "?"
    """Address and number, for the log."""
    address: str = ""
    is_admin: bool = False
    revision: str | None = None
    """The wire revision this connection asked for, None for the room's."""
    prepared_type: str | None = None
    """The game type this peer prepared last."""

    def __init__(self) -> None:
        # Only the methods below write these, so that a seat is never given back in one place and
        # the time in the lobby forgotten in another.
        self._room: Room | None = None
        self._seat: int | None = None
        self._free_since = 0.0
        self._last_room: str | None = None
        self._observing: dict[str, Room] = {}

    # Where it is

    @property
    def room(self) -> Room | None:
        """Return the room where this peer has a seat."""
        return self._room

    @property
    def seat(self) -> int | None:
        """Return which seat of the room is theirs."""
        return self._seat

    @property
    def free_since(self) -> float:
        """Return the time since when this peer has had no seat."""
        return self._free_since

    @property
    def last_room(self) -> str | None:
        """Return the room of the match that ended last. A move may still be on its way there."""
        return self._last_room

    @property
    def observing(self) -> Mapping[str, Room]:
        """Return the rooms this peer watches, by id."""
        return self._observing

    @property
    def is_asked(self) -> bool:
        """Return whether a move of this peer is awaited."""
        return self._room is not None and self._room.referee.asked == self._seat

    def enter_lobby(self, now: float) -> None:
        """Begin without a seat."""
        self._free_since = now

    def take_seat(self, room: Room, number: int) -> None:
        """Have this seat from now on."""
        self._room, self._seat = room, number

    def leave_seat(self, now: float, *, match_is_over: bool = False) -> None:
        """Be back in the lobby. The time to join another match begins anew."""
        if match_is_over and self._room is not None:
            self._last_room = self._room.id
        self._room = self._seat = None
        self._free_since = now

    def begin_observing(self, room: Room) -> None:
        """Watch this room from now on."""
        self._observing[room.id] = room

    def end_observing(self, room: Room) -> None:
        """Watch it no longer."""
        self._observing.pop(room.id, None)

    # What is said to it

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
    def close(self, *, after: float = 0.0) -> None:
        """Close the document and the connection, at once or ``after`` so many seconds.

        From then on nothing more is heard from the peer.
        """

    @abstractmethod
    def keep_open(self) -> None:
        """Take back a ``close`` that has not happened yet."""
