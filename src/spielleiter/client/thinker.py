"""Ask a bot for moves and make sure that what comes back can be played.

What a bot does wrong is shown with its own line of code, never ours. Its fallback move is tried
before the game is given up. Connections are not known here.
"""

from __future__ import annotations

import contextlib
import math
import os
from collections.abc import Callable
from types import FrameType, GeneratorType, TracebackType
from typing import TYPE_CHECKING, Any, NamedTuple

from spielleiter.client.bot import (
    Bot,
    BotMistake,
    Mark,
    name_of,
    overrides,
    set_attribute,
    take_all,
    take_thoughts,
)
from spielleiter.client.exits import Failure
from spielleiter.client.watchdog import Watchdog, is_authors
from spielleiter.rules import AnyState, Clock, Outcome, RuleViolation

if TYPE_CHECKING:
    import asyncio
    import traceback

# Only bots that fail need pathlib, traceback and inspect, which are slow to load.
# pathlib is slow to load, and every bot loads this module.
_HERE = os.path.dirname(__file__)  # noqa: PTH120
_SHOWN = 200
_COLLECTIONS = (list, tuple, set, frozenset)


class Decision(NamedTuple):
    """A move with everything that was said about it, and what went wrong since the one before."""

    move: Any
    seconds: float
    hints: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    marks: tuple[Mark, ...] = ()
    problem: str | None = None
    """Why it is not simply what ``choose`` said: the error, or what is wrong with what came."""
    is_fallback: bool = False
    failed_hooks: tuple[str, ...] = ()
    """Each as its name and its error."""
    after: AnyState | None = None
    """The position after the move, or None if it may not be played."""


class _Unplayable(Exception):
    """The bot returned something that is not a legal move.

    ``sendable`` says whether it is a move at all.
    """

    def __init__(self, reason: str, sendable: bool) -> None:
        super().__init__(reason)
        self.sendable = sendable


class Thinker:
    """One bot at work.

    ``say`` gets what its author must read, line by line; ``name`` is what others call the bot.

    With a ``watchdog`` a call that takes longer than the move's time, or a hook longer than
    ``hook_seconds``, is shown while it lasts.
    """

    def __init__(
        self,
        bot: Bot,
        say: Callable[[str], None],
        name: str = "",
        *,
        watchdog: Watchdog | None = None,
        hook_seconds: float = math.inf,
    ) -> None:
        self.bot = bot
        self.name = name or name_of(bot)
        self._code_name = name_of(bot)
        self._say = say
        self._failed_hooks: list[str] = []
        self._runner: asyncio.Runner | None = None
        self._watchdog = watchdog
        self._hook_seconds = hook_seconds
        self._plain: type = type(None)
        """What the bot returned last and nobody has to await."""

    # --- hooks: whatever they do, the game goes on ------------------------------------------------

    def start(self, seat: int | None, state: AnyState) -> None:
        """Tell the bot that the game begins."""
        if seat is not None:
            set_attribute(self.bot, "seat", seat)
        self._call_hook("on_start", state)

    def show(self, state: AnyState) -> None:
        """Tell the bot the position."""
        self._call_hook("on_state", state)

    def finish(self, outcome: Outcome | None) -> None:
        """Tell the bot the result."""
        self._call_hook("on_result", outcome)

    def complain(self, message: str) -> None:
        """Tell the bot what the server complained about."""
        self._call_hook("on_error", message)

    def has_hook(self, hook: str) -> bool:
        """Return whether the bot has something of its own to do in a hook."""
        return overrides(self.bot, hook)

    def _call_hook(self, hook: str, argument: Any) -> None:
        if not self.has_hook(hook):
            return
        seconds = self._hook_seconds
        try:
            with self._watched(f"{hook} after {seconds:g} s", seconds):
                self._settle(getattr(self.bot, hook)(argument))
        except Failure:  # only bots of the house raise it: they cannot play this game
            raise
        except Exception as error:
            self._report(f"{self._code_name}.{hook} failed: {_told(error)}", error)
            self._say("    The game goes on as if it had returned.")
            self._failed_hooks.append(f"{hook}: {_told(error)}{own_place(error)}")

    def last_thoughts(self) -> Decision | None:
        """Return what was said or went wrong after the last move, or None if there is nothing."""
        notes, marks = take_thoughts(self.bot)
        failed = self._take_failed()
        return (
            Decision(None, 0.0, (), notes, marks, failed_hooks=failed)
            if notes or marks or failed
            else None
        )

    def _take_failed(self) -> tuple[str, ...]:
        failed, self._failed_hooks = self._failed_hooks, []
        return tuple(failed)

    # --- moves ------------------------------------------------------------------------------------

    def decide(self, state: AnyState, clock: Clock) -> Decision:
        """Return a move to send. Raises BotMistake if there is none."""
        bot = self.bot
        set_attribute(bot, "seat", state.seat)
        try:
            if self._watchdog is None:
                move = bot.choose(state, clock)
                if type(move) is not self._plain:
                    move = self._settle(move)
            else:
                left = clock.remaining
                limit = f"{clock.elapsed + left:.3g} s"
                with self._watched(f"choose after {limit}, {_where(state)}", left):
                    move = self._settle(bot.choose(state, clock))
        except Exception as error:
            return self.replace_failed(state, clock, error)
        return self.judge(state, clock, move)

    def judge(self, state: AnyState, clock: Clock, move: Any) -> Decision:
        """Return what to send when the bot has chosen ``move``. Raises BotMistake if nothing."""
        problem: str | None = None
        try:
            after: AnyState | None = check_move(state, move)
        except _Unplayable as error:
            where = _where(state)
            problem = f"choose returned what cannot be played: {error}"
            self._report(
                f"{self._code_name}.choose returned what cannot be played {where}: {error}"
            )
            move, after = self._fall_back(state, where, move if error.sendable else None)
        return self._decided(clock, move, after, problem)

    def replace_failed(self, state: AnyState, clock: Clock, error: Exception) -> Decision:
        """Return what to send when the bot has raised an error. Raises BotMistake if nothing."""
        where = _where(state)
        problem = f"{_told(error)}{own_place(error)}"
        self._report(f"{self._code_name}.choose failed {where}: {_told(error)}", error)
        move, after = self._fall_back(state, where, None)
        return self._decided(clock, move, after, problem)

    def _decided(
        self, clock: Clock, move: Any, after: AnyState | None, problem: str | None
    ) -> Decision:
        is_fallback = problem is not None and after is not None
        hints, notes, marks = take_all(self.bot)
        failed = self._take_failed() if self._failed_hooks else ()
        return Decision(
            move, clock.elapsed, hints, notes, marks, problem, is_fallback, failed, after
        )

    def _fall_back(self, state: AnyState, where: str, illegal: Any) -> tuple[Any, AnyState | None]:
        """Return the fallback move and the position after it.

        Without one, return the illegal move if there is one, because then the server may decide.
        """
        try:
            with self._watched(
                f"fallback after {self._hook_seconds:g} s, {where}", self._hook_seconds
            ):
                move = self._settle(self.bot.fallback(state))
            if move is not None:
                after = check_move(state, move)
                self._say(f"!!! playing the fallback move {move}")
                return move, after
        except _Unplayable as error:
            self._report(
                f"{self._code_name}.fallback returned what cannot be played {where}: {error}"
            )
        except Exception as error:
            self._report(f"{self._code_name}.fallback failed {where}: {_told(error)}", error)
        if illegal is not None:
            self._say(
                f"!!! there is no fallback move: sending {illegal} as it is; the server will decide"
            )
            return illegal, None
        raise BotMistake(
            f"{self.name} has no move {where} and leaves the game; "
            "a method fallback(self, state) that returns any legal move would have kept it alive"
        )

    # --- together ---------------------------------------------------------------------------------

    def _watched(self, what: str, seconds: float) -> contextlib.AbstractContextManager[None]:
        if self._watchdog is None:
            return contextlib.nullcontext()
        return self._watchdog.watch(what, seconds, self._waiting_frames)

    def _waiting_frames(self) -> list[FrameType]:
        """Return where the coroutines of this bot wait."""
        if self._runner is None:
            return []
        import asyncio

        frames: list[FrameType] = []
        for task in asyncio.all_tasks(self._runner.get_loop()):
            coroutine: Any = task.get_coro()
            while coroutine is not None:
                frame = getattr(coroutine, "cr_frame", None)
                frames += [] if frame is None else [frame]
                coroutine = getattr(coroutine, "cr_await", None)
        return frames

    def _settle(self, value: Any) -> Any:
        """Return the value itself, or what comes of awaiting it in the one loop this bot has."""
        # This is asked for every move, and ``inspect.isawaitable`` takes ten times as long.
        kind = type(value)
        if not hasattr(kind, "__await__") and kind is not GeneratorType:
            self._plain = kind
            return value
        import inspect

        if not inspect.isawaitable(value):
            return value
        if self._runner is None:
            import asyncio  # only bots that need it pay for it

            self._runner = asyncio.Runner()

        # One loop serves all calls, because what a bot opens in one loop (sessions, locks, tasks)
        # does not work in another. The runner takes coroutines only, and a bot may also return a
        # future or anything else that can be awaited.
        async def wait() -> Any:
            return await value

        return self._runner.run(wait())

    def close(self) -> None:
        """Cancel what the bot left running in its loop."""
        if self._runner is not None:
            self._runner.close()
            self._runner = None

    def _report(self, headline: str, error: Exception | None = None) -> None:
        self._say(f"!!! {headline}")
        if error is not None and not isinstance(error, BotMistake):
            for line in own_lines(error):
                self._say(line)


def _where(state: AnyState) -> str:
    return f"in turn {state.turn} (round {state.round})"


def check_move(state: AnyState, move: Any) -> AnyState:
    """Return the position after ``move``.

    Raises _Unplayable with the rule in words if it may not be played.
    """
    if move is None:
        raise _Unplayable(
            "nothing (None). Does every way through choose end in 'return move'?", sendable=False
        )
    if isinstance(move, _COLLECTIONS):
        raise _Unplayable(
            f"{len(move)} items in a {type(move).__name__}, not one move; return one of "
            "state.legal_moves()",
            sendable=False,
        )
    # Played and not looked up in ``legal_moves()``. That list has one spelling of each move, and it
    # cannot say which rule another one breaks.
    try:
        following: AnyState = state.play(move)
    except RuleViolation as violation:
        raise _Unplayable(
            f"{move} is not legal: {violation.text.en} [{violation.rule}]", sendable=True
        ) from None
    except Exception:
        shown = repr(move)
        shown = shown if len(shown) <= _SHOWN else shown[: _SHOWN - 3] + "..."
        raise _Unplayable(
            f"{shown}, of type {type(move).__name__}, is not a move of {state.game.title}; "
            "return one of state.legal_moves()",
            sendable=False,
        ) from None
    return following


def own_lines(error: BaseException) -> list[str]:
    """Return the traceback from the author's own code on, as indented lines."""
    import traceback

    shown = traceback.TracebackException.from_exception(error, compact=True)
    _trim(shown, error.__traceback__)
    text = "".join(shown.format())
    return ["    " + line for line in text.rstrip().splitlines()]


def own_place(error: BaseException) -> str:
    """Return the last line of the author's own code that the error came through, or nothing.

    An example is `` (bot.py, line 12)``.
    """
    import traceback

    place = ""
    for frame, line in traceback.walk_tb(error.__traceback__):
        file = frame.f_code.co_filename
        if is_authors(file):
            place = f" ({os.path.basename(file)}, line {line})"  # noqa: PTH119
    return place


def _trim(shown: traceback.TracebackException, trace: TracebackType | None) -> None:
    """Leave out our own frames before the first of the author's."""
    skipped = 0
    while trace is not None and not _is_foreign(trace.tb_frame.f_code.co_filename):
        trace = trace.tb_next
        skipped += 1
    del shown.stack[:skipped]


def _is_foreign(filename: str) -> bool:
    # Imported on first use, because only bots that fail pay for it.
    from pathlib import Path

    return not filename.startswith((_HERE, "<frozen")) and "asyncio" not in Path(filename).parts


def _told(error: Exception) -> str:
    if isinstance(error, BotMistake):
        return str(error)
    text = str(error).strip().splitlines()
    return f"{type(error).__name__}: {text[0]}" if text else type(error).__name__
