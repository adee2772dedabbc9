"""What an engine is that judges positions, and why there may be none.

    EngineError
    ├── EngineMissing      the package that it needs is not installed, or does not fit
    ├── NoEngine           nobody has written one for this game
    ├── NothingToJudge     the game is over in this position
    └── BudgetError        a time to think that cannot be

A game that has an engine offers it with ``Game.find_engine``. Nothing here thinks.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from spielleiter.rules.frozen import frozen
from spielleiter.rules.text import NO_TEXT, Text

if TYPE_CHECKING:
    from spielleiter.rules.game import AnyGame


MASTER = "master"
"""The house bot that plays with the engine, in every game that has one."""


class EngineError(Exception):
    """A position cannot be judged. ``text`` says why, ``hint`` what to do, in both languages."""

    def __init__(self, text: Text, hint: Text = NO_TEXT) -> None:
        super().__init__(text.en)
        self.text = text
        self.hint = hint

    def __reduce__(self) -> tuple[type[EngineError], tuple[Text, Text]]:
        return type(self), (self.text, self.hint)


class EngineMissing(EngineError):
    """The package that an engine needs is not installed, or it is of another version."""


class NoEngine(EngineError):
    """No engine knows this game."""


class NothingToJudge(EngineError):
    """The game is over in this position, so there is no move to think about."""


class BudgetError(EngineError, ValueError):
    """A time to think that is not a number of seconds in the limits."""


def no_engine(game: AnyGame) -> NoEngine:
    """Return the error that says that no engine knows this game."""
    return NoEngine(
        Text(f"{game.title} kennt keine Engine.", f"No engine knows {game.title}."),
        Text(
            "Ein Spiel bringt seine eigene mit: Game.find_engine.",
            "A game brings its own with Game.find_engine.",
        ),
    )


@frozen
class Line:
    """A move with what an engine thinks of it, for the side that is to make it.

    ``win`` is the probability to win, a draw counting half. ``points`` is by how many points it
    will be ahead at the end, negative if behind. ``visits`` says how often the engine looked at
    the move. ``continuation`` is what it expects to follow.
    """

    move: Any
    win: float
    points: float
    visits: int
    continuation: tuple[Any, ...] = ()


Hearer = Callable[[Sequence[Line]], bool]
"""Hears what is known so far, and returns whether to think on."""


class Engine(Protocol):
    """Judges positions of one game, and keeps what it found for the positions that follow.

    It is used by one thread at a time.
    """

    @property
    def slips(self) -> tuple[float, float, float]:
        """Points from which on a move that loses them is an inaccuracy, a mistake, a blunder."""

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
        """Return the best moves here, best first, after so many seconds of thinking.

        ``simulations`` is another limit. With one thread it gives the same lines each time. The
        state is one in which a move can be made. Raises PositionError if it cannot be.
        """


class EngineFactory(Protocol):
    """Makes an engine that knows nothing yet."""

    def __call__(self, *, seed: int = 0, threads: int = 1) -> Engine: ...
