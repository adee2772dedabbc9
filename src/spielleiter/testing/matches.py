"""Play whole matches in one process.

There are no sockets, but there is a clock, and there is a result whatever the bots do.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from spielleiter.client.bot import BotLike, BotMistake
from spielleiter.client.clock import DEFAULT_SECONDS
from spielleiter.client.seat import BotSeat, Timeline
from spielleiter.client.thinker import own_lines, own_place
from spielleiter.games import all_games, default_game, get_game
from spielleiter.match import (
    EndlessMatch,
    SeatLeft,
    SeatStuck,
    TimeControl,
    play_match,
)
from spielleiter.rules import AnyGame, AnyState, Clock, FreeClock, Outcome
from spielleiter.testing.desk import Desk, Stuck
from spielleiter.wire.wording import wording_for

T = TypeVar("T")
GRACE_SECONDS = 1.0
"""How late a move may be to be told with its time. After that the bot is stopped."""


@dataclass(frozen=True, slots=True)
class PlayedMatch:
    """A match that was played, with all its positions and moves and its result."""

    states: tuple[AnyState, ...]
    moves: tuple[Any, ...]
    outcome: Outcome
    problems: tuple[str, ...] = ()
    """What went wrong in the bots, each with the line of their code."""


def play_in_process(
    first: BotLike,
    second: BotLike,
    game: str | AnyGame | None = None,
    seed: int = 0,
    *,
    start: AnyState | None = None,
    seconds: float | None = DEFAULT_SECONDS,
) -> PlayedMatch:
    """Play one match without sockets to its end.

    Bots may also be names of house bots, files or folders. Without ``game`` it is what the bots say
    they are for, else what SPIELLEITER_GAME names, else the default. Equal seeds give equal starts
    and equal dice. ``start`` begins from another position.

    ``seconds`` is what a bot has for a move, as on a server. With None there is no limit, and the
    clock stands still. A bot that fails, cheats, is late or does not come back has lost, and
    ``problems`` says where. With a limit each bot works in a thread of its own, without one in the
    thread of the caller.
    """
    loaded = [_loaded(bot) for bot in (first, second)]
    state = meant_game(game, *loaded).start(seed) if start is None else start
    bots = [state.game.players[bot] if isinstance(bot, str) else bot for bot in loaded]
    soft = math.inf if seconds is None else seconds
    problems: dict[str, None] = {}
    timeline = Timeline()
    seats = [
        _BotSeat(bot, seed * 2 + seat, soft, problems, timeline) for seat, bot in enumerate(bots)
    ]
    wording = wording_for(state.game, [seat.name for seat in seats])
    for seat in seats:
        seat.wording = wording
    try:
        match = play_match(state, seats, wording, time=TimeControl(soft, soft + GRACE_SECONDS))
    except EndlessMatch as endless:
        raise AssertionError(str(endless)) from None
    finally:
        for seat in seats:
            seat.close()
    return PlayedMatch(match.states, match.moves, match.outcome, tuple(problems))


def meant_game(game: str | AnyGame | None, *bots: BotLike) -> AnyGame:
    """Return the game that is meant, in the order of ruling W118."""
    if game is not None:
        return get_game(game) if isinstance(game, str) else game
    own = {
        named: get_game(named)
        for bot in bots
        if isinstance(named := getattr(bot, "game", None), str)
    }
    if len(own) > 1:
        raise AssertionError(
            f"the bots are for {' and '.join(own)}: name the game they are to play"
        )
    return next(iter(own.values()), None) or default_game(os.environ)


def _loaded(bot: BotLike) -> BotLike:
    """Return the bot in a file or folder.

    Names of house bots stay names until the game is known.
    """
    if isinstance(bot, str) and any(bot in game.players for game in all_games()):
        return bot
    if isinstance(bot, str | os.PathLike):
        from spielleiter.testing.bots import load_bot

        return load_bot(bot)
    return bot


class _BotSeat(BotSeat):
    """One bot at the table, with everything that goes wrong in it. It is used for one match."""

    def __init__(
        self,
        bot: BotLike,
        seed: int,
        seconds: float,
        problems: dict[str, None],
        timeline: Timeline,
    ) -> None:
        self._said: list[str] = []
        super().__init__(bot, seed, seconds, self._said.append, timeline=timeline)
        self._problems = problems
        """What went wrong in all bots of the match, in order and each thing once."""
        self._desk: Desk | None = None
        self._is_gone = False

    def join(self, number: int) -> None:
        if not math.isinf(self._seconds):
            self._desk = Desk()
        try:
            super().join(number)
        except (SeatLeft, SeatStuck, BotMistake):
            raise
        except Exception as error:
            headline = (
                f"{self.name} could not be made: {type(error).__name__}: {error}{own_place(error)}"
            )
            self._problems["\n".join((headline, *own_lines(error)))] = None
            raise SeatLeft from None

    def make_clock(self, used: float) -> Clock:
        return FreeClock() if math.isinf(self._seconds) else super().make_clock(used)

    def say_late(self, seconds: float, text: str) -> None:  # noqa: ARG002
        self._problems[text] = None

    def finish(self, outcome: Outcome) -> None:
        if self._is_gone:
            return
        try:
            super().finish(outcome)
        except (SeatLeft, SeatStuck):
            self._is_gone = True

    def close(self) -> None:
        if self.thinker is not None and not self._is_gone:
            try:
                self._call(self.thinker.close, GRACE_SECONDS)
            except (Exception, SystemExit):  # what a bot leaves running is its own affair
                self._is_gone = True
        if self._desk is not None:
            self._desk.close()

    def _call(self, task: Callable[[], T], seconds: float) -> T:
        return task() if self._desk is None else self._desk.call(task, seconds)

    def let(self, task: Callable[[], T], seconds: float, where: str) -> T:
        """Let the bot do something, and keep what went wrong.

        Raises SeatLeft or SeatStuck if there is no going on.
        """
        try:
            return self._call(task, seconds + GRACE_SECONDS)
        except Stuck as stuck:
            self._is_gone = True
            headline = (
                f"{self.name} did not come back within "
                f"{self._seconds + GRACE_SECONDS:g} s{where}; it was here:"
            )
            after = ["it could not be stopped and still runs"] if stuck.still_runs else []
            self._problems["\n".join((headline, *stuck.lines, *after))] = None
            raise SeatStuck from None
        except SystemExit as error:
            ended = f"{self.name} ended itself with sys.exit(){where}{own_place(error)}"
            self._problems[ended] = None
            raise SeatLeft from None
        except BotMistake as mistake:
            if self.thinker is None:
                raise  # it is not a bot at all
            self._said.append(str(mistake))
            raise SeatLeft from None
        finally:
            if self._said:
                self._problems["\n".join(self._said).removeprefix("!!! ")] = None
                self._said.clear()
