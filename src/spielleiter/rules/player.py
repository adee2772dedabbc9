"""What chooses moves, which is anything with ``choose(state, clock)``.

House bots and SDK bots share this shape.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol


class Clock(Protocol):
    """What a player may know about their time for this move, in seconds."""

    @property
    def elapsed(self) -> float:
        """The seconds since the request for this move came."""

    @property
    def remaining(self) -> float:
        """The seconds until the move must have arrived, infinite where there is no limit."""


class Player(Protocol):
    """Chooses one of ``state.legal_moves()``."""

    def choose(self, state: Any, clock: Clock) -> Any:
        """Return the move to play in this position, whose turn is the player's."""


PlayerFactory = Callable[[int], Player]
"""Makes a player from a seed.

Equal seeds play equal moves while the clock does not bind.
"""


class FreeClock:
    """A clock without a limit, for matches in one process and for tests."""

    elapsed = 0.0
    remaining = float("inf")
