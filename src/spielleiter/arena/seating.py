"""What may be different about a match from one that somebody just starts. Values only."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from spielleiter.processes.guard import GUARD, Guard
from spielleiter.rules import AnyState
from spielleiter.server.room import Room

Hear = Callable[[int, str, bytes], None]
"""Takes a seat, ``stdout`` or ``stderr``, and bytes that its bot wrote there."""


class PersonLeaves(Exception):
    """Is raised by whoever asks a person for a move when that person has left for good.

    They lose, as a bot does that goes away.
    """


@dataclass(frozen=True, slots=True)
class Seating:
    """Where a match begins, and what its seats are given. None is what is usual."""

    position: AnyState | None = None
    """Where the match begins, instead of the start that belongs to its seed."""
    dice: tuple[int, ...] | None = None
    """The seed of each bot, by seat."""
    names: tuple[str, ...] | None = None
    """What each bot is called, by seat. No two are the same."""
    hear: Hear | None = None
    """Is called from other threads with what the bots print, as it comes."""
    turned: Callable[[int], None] | None = None
    """Is called with each turn that is reached, and must not fail. It costs less than to watch."""
    timed: bool = True
    """Whether bots lose on time, where the server's settings let them. People never do."""
    opened: Callable[[Room], None] | None = None
    """Is called with the room as soon as it is there, before anybody sits in it."""
    guard: Guard = GUARD
    """Starts the bots."""
