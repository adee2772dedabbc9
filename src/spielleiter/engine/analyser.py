"""Think about a position of any game that has an engine.

It checks what it is given and hands it to the engine of the game. Nothing here knows a game.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Iterator, Sequence
from contextlib import suppress

from spielleiter.rules import AnyGame, AnyState, State, Text
from spielleiter.rules.engine import (
    BudgetError,
    Engine,
    EngineError,
    Hearer,
    Line,
    NothingToJudge,
)

MOST_SECONDS = 3600.0
"""The longest that one position may be thought about."""
MOST_THREADS = 64
_NO_MOVE = Text("Die Engine hat keinen Zug gefunden.", "The engine has found no move.")
_OVER = Text(
    "In dieser Stellung ist das Spiel zu Ende, es gibt nichts mehr zu bewerten.",
    "The game is over in this position, so there is nothing left to judge.",
)


def can_analyse(game: AnyGame) -> bool:
    """Return whether positions of this game can be judged here."""
    with suppress(EngineError):
        game.find_engine()
        return True
    return False


class Analyser:
    """Judges positions, and keeps what it found for the positions that follow.

    One thread may use it at a time. ``threads`` is how many the engine may use.
    """

    def __init__(self, *, seed: int = 0, threads: int = 1) -> None:
        if not 1 <= threads <= MOST_THREADS:
            raise BudgetError(
                Text(
                    f"Die Engine nimmt 1 bis {MOST_THREADS} Threads, nicht {threads}.",
                    f"The engine takes 1 to {MOST_THREADS} threads, not {threads}.",
                )
            )
        self._seed = seed
        self._threads = threads
        self._engines: dict[str, Engine] = {}

    def slips(self, game: AnyGame) -> tuple[float, float, float]:
        """Return the points that make an inaccuracy, a mistake and a blunder in this game.

        Raises EngineError if it has no engine.
        """
        return self._engine(game).slips

    def analyse(
        self,
        state: AnyState,
        seconds: float,
        *,
        lines: int = 5,
        simulations: int | None = None,
        hear: Hearer | None = None,
        every: float = 0.25,
    ) -> tuple[Line, ...]:
        """Return the best moves of a position, best first, after so many seconds.

        ``hear`` gets what is known so far about every ``every`` seconds, and stops the thinking by
        returning False. ``simulations`` is another limit, with which equal seeds give equal lines.
        Raises EngineError, or PositionError for a position that cannot be.
        """
        engine = self._checked(state, seconds, lines, simulations, every)

        # There is always somebody who hears, because Ctrl+C is noticed only then.
        def listen(found: Sequence[Line]) -> bool:
            return hear is None or bool(hear(found))

        found = engine.think(
            state, seconds, lines=lines, simulations=simulations, hear=listen, every=every
        )
        legal = tuple(line for line in found if state.is_legal(line.move))
        if not legal:
            raise EngineError(_NO_MOVE)
        return legal

    def watch(
        self,
        state: AnyState,
        seconds: float,
        *,
        lines: int = 5,
        simulations: int | None = None,
        every: float = 0.25,
    ) -> Iterator[tuple[Line, ...]]:
        """Yield the best moves as they are known so far, and at the end what ``analyse`` returns.

        Whoever stops reading stops the thinking. What nobody has read in time is left out.
        """
        self._checked(state, seconds, lines, simulations, every)
        return self._watch(state, seconds, lines, simulations, every)

    def _watch(
        self,
        state: AnyState,
        seconds: float,
        lines: int,
        simulations: int | None,
        every: float,
    ) -> Iterator[tuple[Line, ...]]:
        news: queue.SimpleQueue[tuple[Line, ...] | None] = queue.SimpleQueue()
        is_left = threading.Event()
        ends: list[tuple[Line, ...] | BaseException] = []

        def hear(found: Sequence[Line]) -> bool:
            news.put(tuple(found))
            return not is_left.is_set()

        def work() -> None:
            try:
                ends.append(
                    self.analyse(
                        state,
                        seconds,
                        lines=lines,
                        simulations=simulations,
                        hear=hear,
                        every=every,
                    )
                )
            except BaseException as error:
                ends.append(error)
            news.put(None)

        thread = threading.Thread(target=work, name="analyser", daemon=True)
        thread.start()
        try:
            while (found := _newest(news)) is not None:
                yield found
            (end,) = ends
            if isinstance(end, BaseException):
                raise end
            yield end
        finally:
            is_left.set()
            thread.join()

    def _engine(self, game: AnyGame) -> Engine:
        engine = self._engines.get(game.id)
        if engine is None:
            make = game.find_engine()
            engine = self._engines[game.id] = make(seed=self._seed, threads=self._threads)
        return engine

    def _checked(
        self,
        state: AnyState,
        seconds: float,
        lines: int,
        simulations: int | None,
        every: float,
    ) -> Engine:
        """Return the engine for a position. Raises EngineError if that or a limit cannot be."""
        if not isinstance(state, State):
            raise TypeError(f"a state of a game is needed, and this is {type(state).__name__}")
        check_seconds(seconds)
        check_seconds(every)
        for name, value in (("lines", lines), ("simulations", simulations)):
            if value is not None and value < 1:
                raise BudgetError(
                    Text(f"{name} ist {value}, weniger als 1.", f"{name} is {value}, less than 1.")
                )
        engine = self._engine(state.game)
        if state.is_over:
            raise NothingToJudge(_OVER)
        return engine


def check_seconds(seconds: float) -> None:
    """Raise BudgetError if this is not a time to think."""
    if not 0 < seconds <= MOST_SECONDS:  # nan compares with nothing and fails
        raise BudgetError(
            Text(
                f"Die Engine denkt mehr als 0 und höchstens {MOST_SECONDS:.0f} Sekunden nach, "
                f"nicht {seconds:g}.",
                f"The engine thinks for more than 0 and at most {MOST_SECONDS:.0f} seconds, not "
                f"{seconds:g}.",
            )
        )


def _newest(news: queue.SimpleQueue[tuple[Line, ...] | None]) -> tuple[Line, ...] | None:
    """Wait for the next lines, and return the newest that have come, None at the end."""
    found = news.get()
    while found is not None:
        try:
            newer = news.get_nowait()
        except queue.Empty:
            break
        found = newer
    return found
