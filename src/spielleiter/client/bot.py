"""The class that the author of a bot derives from, and its one method to write.

Bots of functions and of house players are made here, too. Nothing here knows sockets or the wire,
``run`` does the rest.
"""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar
from random import Random
from types import FunctionType, MethodType
from typing import Any, Self

from spielleiter.rules import Clock, Outcome
from spielleiter.rules.frozen import frozen

# The seed has to reach ``Bot.__new__`` past the author's own ``__init__``, whose parameters are
# theirs. A plain global would mix up bots that are made in two threads of one process.
_SEED: ContextVar[int | None] = ContextVar("seed of the bot being made", default=None)
_NO_CHOOSE = "{name} has no method choose(self, state, clock): write one that returns a move"
_WRONG_CHOOSE = (
    "choose of {name} does not take a state and a clock: write def choose(self, state, clock):"
)
HOOKS = ("on_start", "on_state", "on_result", "on_error")


class BotMistake(Exception):
    """The bot cannot be used or cannot go on. The message says why and what to do."""


@frozen
class Mark:
    """Something to show on a square of the board.

    ``text`` stands in it, in ``color`` (a CSS name or #rrggbb).
    """

    x: int
    y: int
    text: str = ""
    color: str | None = None


_NOTHING_SAID: tuple[tuple[str, ...], tuple[str, ...], tuple[Mark, ...]] = ((), (), ())


class Debug:
    """Thoughts to be kept beside the next move, for whoever watches.

    The opponent never sees them.
    """

    def __init__(self) -> None:
        self.has_thoughts = False
        """Whether there is something to take."""
        self._notes: list[str] = []
        self._marks: list[Mark] = []

    def note(self, text: object) -> None:
        """Keep a line of text."""
        self._notes.append(str(text))
        self.has_thoughts = True

    def mark(self, x: int, y: int, text: object = "", color: str | None = None) -> None:
        """Point at a square."""
        self._marks.append(Mark(int(x), int(y), str(text), color))
        self.has_thoughts = True

    def take(self) -> tuple[tuple[str, ...], tuple[Mark, ...]]:
        """Return all notes and marks since the last call."""
        self.has_thoughts = False
        notes, self._notes = self._notes, []
        marks, self._marks = self._marks, []
        return tuple(notes), tuple(marks)


class _BotData:
    """Hold what the SDK keeps for a bot under one name, so that authors can use all others as they
    like.
    """

    __slots__ = ("debug", "hints")

    def __init__(self) -> None:
        self.debug = Debug()
        self.hints: list[str] = []


class Bot:
    """Derive from this and write ``choose``. Everything else has a default.

    There is no need to call ``super().__init__()``: what a bot has is there before its ``__init__``
    runs. Any method may be ``async``; all of them then share one event loop for the life of the
    bot.
    """

    game: str | None = None
    """The id of the game this bot is for; ``spielleiter.games.all_games()`` has them all.

    None: whatever a reservation leads to, and without one the default, which SPIELLEITER_GAME
    changes.
    """

    seat: int
    """Our place at the table, 0 for the player who begins. It is right from ``on_start`` on."""
    rng: Random
    """Dice of our own. ``--seed`` makes them fall the same way again."""
    debug: Debug
    """``debug.note(text)`` and ``debug.mark(x, y)`` are kept beside the move for whoever watches.
    """

    _spielleiter: _BotData

    def __new__(cls, *_: Any, **__: Any) -> Self:
        bot = super().__new__(cls)
        set_attribute(bot, "seat", 0)
        given = {"rng": Random(_SEED.get()), "debug": _bot_data(bot).debug}
        for name, value in given.items():
            if not hasattr(
                cls, name
            ):  # a class that has the name for something of its own keeps it
                set_attribute(bot, name, value)
        return bot

    def choose(self, state: Any, clock: Clock) -> Any:  # noqa: ARG002
        """Return the move to play, one of ``state.legal_moves()``.

        ``clock.remaining`` says how many seconds are left.
        """
        raise BotMistake(_NO_CHOOSE.format(name=type(self).__name__))

    def fallback(self, state: Any) -> Any:  # noqa: ARG002
        """Return the move to play when ``choose`` fails, or None to leave the game instead."""
        return None

    def on_start(self, state: Any) -> Any:
        """Prepare for the game, which begins in this position. ``self.seat`` is known.

        There is time for preparations until the first move is asked for, or within its time.
        """

    def on_state(self, state: Any) -> Any:
        """Look at the position, after a move of anybody and at the beginning of the game."""

    def on_result(self, outcome: Outcome | None) -> Any:
        """Take note of the end. ``outcome`` is None if the game ended without a result."""

    def on_error(self, message: str) -> Any:
        """Take note of a complaint of the server. The game is usually lost then."""

    def hint(self, text: object) -> None:
        """Say something beside the next move.

        It goes to the server in seasons whose server takes hints, and wherever notes go in the
        others.
        """
        _bot_data(self).hints.append(str(text))

    def take_hints(self) -> tuple[str, ...]:
        """Return all hints since the last call."""
        return take_hints(self)


def _bot_data(bot: Bot) -> _BotData:
    kept = getattr(bot, "_spielleiter", None)
    if not isinstance(kept, _BotData):
        kept = _BotData()
        set_attribute(bot, "_spielleiter", kept)
    return kept


def set_attribute(bot: Bot, name: str, value: object) -> None:
    """Set an attribute even where the author's class is a frozen dataclass or has a property of
    that name.
    """
    try:  # noqa: SIM105 - for every move, and ``suppress`` takes ten times as long
        object.__setattr__(bot, name, value)
    except AttributeError:
        pass


def take_hints(bot: Bot) -> tuple[str, ...]:
    """Return all hints since the last call, whatever the bot has made of its attributes."""
    kept = _bot_data(bot)
    hints, kept.hints = kept.hints, []
    return tuple(hints)


def take_thoughts(bot: Bot) -> tuple[tuple[str, ...], tuple[Mark, ...]]:
    """Return all notes and marks since the last call, whatever the bot made of its attributes."""
    debug = getattr(bot, "debug", None)
    if not isinstance(debug, Debug):
        debug = _bot_data(bot).debug
    return debug.take()


def take_all(bot: Bot) -> tuple[tuple[str, ...], tuple[str, ...], tuple[Mark, ...]]:
    """Return all hints, notes and marks since the last call."""
    kept = getattr(bot, "_spielleiter", None)
    # This is asked after every move, and most bots say nothing.
    if isinstance(kept, _BotData) and not kept.hints:
        debug = getattr(bot, "debug", None)
        if debug is kept.debug and not debug.has_thoughts:
            return _NOTHING_SAID
    return take_hints(bot), *take_thoughts(bot)


def overwritten(bot: Bot) -> list[str]:
    """Return a line for each part of the SDK that a bot cannot use because it uses the name for
    something of its own.
    """
    lines = []
    if not isinstance(getattr(bot, "debug", None), Debug):
        lines.append(
            "debug is something of the bot's own: notes and marks (self.debug.note, "
            "self.debug.mark) are off"
        )
    if "hint" in getattr(bot, "__dict__", {}):
        lines.append("hint is something of the bot's own: hints (self.hint) are off")
    return lines


class FunctionBot(Bot):
    """A function ``choose(state, clock)`` or ``choose(state)`` as a bot."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.function = function
        self._takes_clock = _arity(function) != 1

    @property
    def name(self) -> str:
        return getattr(self.function, "__name__", "choose")

    def choose(self, state: Any, clock: Clock) -> Any:
        return self.function(state, clock) if self._takes_clock else self.function(state)


class PlayerBot(Bot):
    """Make a bot of any object with ``choose(state, clock)``.

    Its hooks are called where it has them.
    """

    def __init__(self, player: Any) -> None:
        self.adopt(player)

    def adopt(self, player: Any) -> None:
        """Play as this object from now on."""
        self.player = player
        for hook in ("choose", *HOOKS, "fallback"):
            method = getattr(player, hook, None)
            if callable(method):
                setattr(self, hook, method)

    @property
    def name(self) -> str:
        return type(self.player).__name__

    def choose(self, state: Any, clock: Clock) -> Any:
        return self.player.choose(state, clock)


def overrides(bot: Bot, hook: str) -> bool:
    """Return whether a bot has something of its own to do in a hook."""
    assert hook in HOOKS
    return getattr(type(bot), hook, None) is not getattr(Bot, hook) or hook in vars(bot)


BotLike = Any
"""A Bot or a class of them, a function, an object with ``choose``, or a class that makes one from a
seed.
"""


def make_bot(bot: BotLike, seed: int | None = None) -> Bot:
    """Make a Bot with seeded dice of whatever can choose moves. Raises BotMistake if it cannot."""
    token = _SEED.set(seed)
    try:
        made = _make(bot, seed)
    finally:
        _SEED.reset(token)
    dice = getattr(made, "rng", None)
    if (
        made is bot and seed is not None and isinstance(dice, Random)
    ):  # it was made before the seed was known
        dice.seed(seed)
    if not callable(made.choose) or getattr(made.choose, "__func__", None) is Bot.choose:
        raise BotMistake(_NO_CHOOSE.format(name=type(made).__name__))
    if type(made) not in (FunctionBot, PlayerBot) and not _takes_two(made.choose):
        raise BotMistake(_WRONG_CHOOSE.format(name=type(made).__name__))
    return made


def _takes_two(function: Callable[..., Any]) -> bool:
    """Return whether it can be called with two arguments by position.

    The answer is yes if that cannot be told.
    """
    if _plainly_takes_two(function):
        return True
    # Imported on first use, because it takes as long to load as all messages of the wire.
    import inspect

    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        return not inspect.ismethod(function)  # of a method in Python: it does not even take self
    try:
        signature.bind(None, None)
    except TypeError:
        return False
    return True


def _plainly_takes_two(function: Callable[..., Any]) -> bool:
    """Return whether it is an ordinary function or method with two parameters, as most are."""
    is_method = isinstance(function, MethodType)
    plain = function.__func__ if isinstance(function, MethodType) else function
    if type(plain) is not FunctionType or vars(plain):  # a decorator may have left a signature
        return False
    code, given = plain.__code__, 3 if is_method else 2
    needed = code.co_argcount - len(plain.__defaults__ or ())
    return needed <= given <= code.co_argcount and not code.co_kwonlyargcount


def _make(bot: BotLike, seed: int | None) -> Bot:
    if isinstance(bot, Bot):
        return bot
    if isinstance(bot, type):
        if issubclass(bot, Bot):
            return bot()
        if callable(getattr(bot, "choose", None)):
            make: Callable[..., Any] = bot
            # House players are made from a seed.
            made = (
                make()
                if _arity(make) == 0
                else make(Random().getrandbits(32) if seed is None else seed)
            )
            return PlayerBot(made)
        raise BotMistake(_NO_CHOOSE.format(name=bot.__name__))
    if callable(getattr(bot, "choose", None)):
        return PlayerBot(bot)
    if callable(bot):
        return FunctionBot(bot)
    raise BotMistake(
        f"{bot!r} is not a bot: run() takes a class derived from Bot, a function choose(state, "
        "clock), "
        "or an object with such a method"
    )


def name_of(bot: BotLike) -> str:
    """Return what to call a bot in messages."""
    if isinstance(bot, FunctionBot | PlayerBot):
        return bot.name
    return getattr(bot, "__name__", type(bot).__name__)


def _arity(function: Callable[..., Any]) -> int:
    """Return how many arguments a call must or may give by position.

    The answer is 2 if that cannot be told.
    """
    import inspect

    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return 2
    if any(parameter.kind is parameter.VAR_POSITIONAL for parameter in parameters):
        return 2
    return sum(
        parameter.kind in (parameter.POSITIONAL_ONLY, parameter.POSITIONAL_OR_KEYWORD)
        for parameter in parameters
    )
