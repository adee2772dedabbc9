"""What engines of ``spielleiter-engine`` and the bots that play with them do alike in all games.

How positions and moves are told to an engine stands in the folder of each game.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from typing import Any, ClassVar

from spielleiter.games.budget import Budget
from spielleiter.games.wheel import load_wheel
from spielleiter.rules import Clock, Player, PositionError
from spielleiter.rules.engine import Engine, Hearer, Line

PATIENCE = 60.0
"""Seconds after which a bot answers where the clock stands still."""
LEAST_SECONDS = 0.001


class WheelEngine(ABC):
    """Judges positions, and keeps its search from one to the next."""

    def __init__(self, make_search: Callable[[Any], Any]) -> None:
        """Make a search of the package. Raises EngineMissing if that is not installed."""
        self.wheel = load_wheel()
        self._search = make_search(self.wheel)

    @abstractmethod
    def position_of(self, state: Any) -> Any:
        """Return the position as the package knows it. Raises ValueError if it cannot be."""

    @abstractmethod
    def read_line(self, state: Any, line: Any) -> Line:
        """Return a line of the package about this state in our words."""

    def think(
        self,
        state: Any,
        seconds: float,
        *,
        lines: int = 5,
        simulations: int | None = None,
        hear: Hearer | None = None,
        every: float = 0.25,
    ) -> Sequence[Line]:
        """Return the best moves here, best first."""

        def read(found: Iterable[Any]) -> list[Line]:
            return [self.read_line(state, line) for line in found]

        def tell(found: Iterable[Any]) -> bool:
            return hear is None or hear(read(found))

        try:
            found = self._search.think(
                self.position_of(state),
                seconds,
                simulations=simulations,
                on_progress=None if hear is None else tell,
                every=every,
                lines=lines,
            )
        except (ValueError, OverflowError) as error:
            raise PositionError(f"the engine refuses this position: {error}") from error
        return read(found)


class EnginePlayer:
    """Plays what an engine thinks is best.

    It decides for how long, and where the engine refuses a position or answers with a move that is
    not legal, another bot chooses, which needs a few milliseconds.
    """

    simulations: ClassVar[int]
    """How often the engine looks at a position where the clock stands still.

    So it plays the same game again.
    """

    def __init__(self, engine: Engine, other: Player) -> None:
        self._engine = engine
        self._other = other
        self._budget = Budget(uses_all=True)

    def choose(self, state: Any, clock: Clock) -> Any:
        self._budget.start(clock)
        stands_still = clock.elapsed <= 0
        seconds = PATIENCE if stands_still else self._budget.stop - clock.elapsed
        try:
            lines = self._engine.think(
                state,
                max(LEAST_SECONDS, seconds),
                lines=1,
                simulations=self.simulations if stands_still else None,
            )
        except PositionError:
            lines = []
        # An answer that came late says how long others ran meanwhile. Later moves take less time.
        self._budget.note_gap(clock.elapsed - self._budget.stop)
        if lines and state.is_legal(lines[0].move):
            return lines[0].move
        return self._other.choose(state, clock)
