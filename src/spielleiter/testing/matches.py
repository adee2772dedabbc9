"""Play whole matches in one process, without sockets but with a clock, and with a result whatever
the bots do.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar

from spielleiter.client.bot import BotLike, BotMistake, make_bot, name_of
from spielleiter.client.clock import DEFAULT_SECONDS, MoveClock
from spielleiter.client.thinker import Decision, Thinker, own_lines, own_place
from spielleiter.games import all_games, default_game, get_game
from spielleiter.rules import (
    AnyGame,
    AnyState,
    Cause,
    Clock,
    FreeClock,
    Outcome,
    RuleViolation,
    Text,
)
from spielleiter.testing.desk import Desk, Stuck
from spielleiter.wire.dialects import BASE

T = TypeVar("T")
MOVE_LIMIT = 10_000
GRACE_SECONDS = 1.0
"""A move that is so late is told with its time; after that the bot is stopped wherever it is."""


@dataclass(frozen=True, slots=True)
class PlayedMatch:
    """A match that was played, with every position from the first to the last, every move, and the
    result.
    """

    states: tuple[AnyState, ...]
    moves: tuple[Any, ...]
    outcome: Outcome
    problems: tuple[str, ...] = ()
    """What went wrong in the bots, each with the line of their code; empty after a match without
    faults.
    """


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

    Bots may also be names of house bots, files or folders.

    ``seconds`` is what a bot has for a move, as on a server; None: no limit, and a clock that
    stands still. A bot that fails, cheats, is late or does not come back has lost; ``problems``
    says where. Equal seeds give equal starts and equal dice; ``start`` begins from another
    position. Without ``game`` it is what the bots say they are for, else what SPIELLEITER_GAME
    names, else the default. With a limit each bot works in a thread of its own, without one in the
    thread of the caller.
    """
    loaded = [_loaded(bot) for bot in (first, second)]
    state = meant_game(game, *loaded).start(seed) if start is None else start
    bots = [state.game.players[bot] if isinstance(bot, str) else bot for bot in loaded]
    match = _Match(state, math.inf if seconds is None else seconds)
    try:
        return match.play(bots, seed)
    finally:
        match.close()


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


class _Lost(Exception):
    """A seat has lost before the end."""

    def __init__(self, seat: int, cause: Cause, reason: Text) -> None:
        super().__init__(cause.value)
        self.seat, self.cause, self.reason = seat, cause, reason


class _Player:
    """One bot at the table."""

    def __init__(self, seat: int, bot: BotLike, desk: Desk | None) -> None:
        self.seat = seat
        self.name = name_of(bot)
        self.said: list[str] = []
        self.thinker: Thinker
        self.is_gone = False
        self._bot = bot
        self._desk = desk

    def make(self, seed: int) -> None:
        self.thinker = Thinker(make_bot(self._bot, seed), self.said.append)

    def call(self, task: Callable[[], T], seconds: float) -> T:
        return task() if self._desk is None else self._desk.call(task, seconds)

    def close(self) -> None:
        if hasattr(self, "thinker") and not self.is_gone:
            try:
                self.call(self.thinker.close, GRACE_SECONDS)
            except (Exception, SystemExit):  # what a bot leaves running is its own affair
                self.is_gone = True
        if self._desk is not None:
            self._desk.close()


class _Match:
    """Used once."""

    def __init__(self, state: AnyState, seconds: float) -> None:
        self._states, self._moves = [state], list[Any]()
        self._seconds = seconds
        self._problems: dict[str, None] = {}
        self._players: list[_Player] = []
        self._codec = next(
            iter(state.game.codecs.values()), None
        )  # a game in the making has none yet
        self._dialect = BASE if self._codec is None else self._codec.dialect

    def play(self, bots: list[BotLike], seed: int) -> PlayedMatch:
        try:
            for seat, bot in enumerate(bots):
                self._players.append(
                    _Player(seat, bot, None if math.isinf(self._seconds) else Desk())
                )
                self._make(self._players[seat], seed * 2 + seat)
            for player in self._players:
                self._tell(player, partial(player.thinker.start, player.seat, self._states[0]))
            while not self._states[-1].is_over:
                self._turn(self._states[-1])
            outcome = self._states[-1].outcome()
        except _Lost as lost:
            outcome = self._states[-1].outcome().forfeit(lost.seat, lost.cause, lost.reason)
        for player in self._players:
            if hasattr(player, "thinker") and not player.is_gone:
                try:
                    self._tell(player, partial(player.thinker.finish, outcome))
                except _Lost:
                    player.is_gone = True
        return PlayedMatch(tuple(self._states), tuple(self._moves), outcome, tuple(self._problems))

    def close(self) -> None:
        for player in self._players:
            player.close()

    def _turn(self, state: AnyState) -> None:
        mover = self._players[state.seat]
        for player in self._players:
            if player is not mover:
                self._tell(player, partial(player.thinker.show, state))
        # On a server the request follows the position at once: what the mover does with it is
        # within its time.
        clock: Clock = FreeClock() if math.isinf(self._seconds) else MoveClock(self._seconds)
        self._tell(mover, partial(mover.thinker.show, state))
        move = self._choose(mover, state, clock)
        try:
            self._states.append(state.play(move))
        except RuleViolation as violation:
            codec = self._codec
            reason = (
                violation.text
                if codec is None
                else codec.violation_reason(violation, move, mover.name)
            )
            raise _Lost(mover.seat, Cause.RULE_VIOLATION, reason) from None
        self._moves.append(move)
        if len(self._moves) > MOVE_LIMIT:
            raise AssertionError(f"the match has no end after {MOVE_LIMIT} moves")

    def _choose(self, player: _Player, state: AnyState, clock: Clock) -> Any:
        decision: Decision = self._ask(
            player,
            lambda: player.thinker.decide(state, clock),
            clock.remaining,
            f" in turn {state.turn}",
        )
        if decision.seconds > self._seconds:
            took = (
                f"{player.name} took {decision.seconds:.2f} s in turn {state.turn}; "
                f"{self._seconds:g} s are allowed"
            )
            self._problems[took] = None
            reason = self._dialect.soft_timeout_reason(player.name, self._seconds)
            raise _Lost(player.seat, Cause.SOFT_TIMEOUT, reason)
        return decision.move

    def _make(self, player: _Player, seed: int) -> None:
        try:
            self._ask(player, lambda: player.make(seed), self._seconds, " while it was made")
        except (_Lost, BotMistake):
            raise
        except Exception as error:
            headline = (
                f"{player.name} could not be made: {type(error).__name__}: "
                f"{error}{own_place(error)}"
            )
            self._problems["\n".join((headline, *own_lines(error)))] = None
            raise self._gone(player) from None

    def _tell(self, player: _Player, hook: Callable[[], None]) -> None:
        self._ask(player, hook, self._seconds, " in a hook")

    def _ask(self, player: _Player, task: Callable[[], T], seconds: float, where: str) -> T:
        """Let a player do something, and keep what went wrong.

        Raises _Lost if there is no going on.
        """
        try:
            return player.call(task, seconds + GRACE_SECONDS)
        except Stuck as stuck:
            player.is_gone = True
            headline = (
                f"{player.name} did not come back within "
                f"{self._seconds + GRACE_SECONDS:g} s{where}; it was here:"
            )
            after = ["it could not be stopped and still runs"] if stuck.still_runs else []
            self._problems["\n".join((headline, *stuck.lines, *after))] = None
            reason = self._dialect.hard_timeout_reason(player.name, self._seconds + GRACE_SECONDS)
            raise _Lost(player.seat, Cause.HARD_TIMEOUT, reason) from None
        except SystemExit as error:
            self._problems[
                f"{player.name} ended itself with sys.exit(){where}{own_place(error)}"
            ] = None
            raise self._gone(player) from None
        except BotMistake as mistake:
            if not hasattr(player, "thinker"):
                raise  # it is not a bot at all
            player.said.append(str(mistake))
            raise self._gone(player) from None
        finally:
            if player.said:
                self._problems["\n".join(player.said).removeprefix("!!! ")] = None
                player.said.clear()

    def _gone(self, player: _Player) -> _Lost:
        return _Lost(player.seat, Cause.LEFT, self._dialect.left_reason(player.name))
