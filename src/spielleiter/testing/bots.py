"""Check bots quickly and without any server.

Here are positions from text, single moves, and bots from their files.
"""

from __future__ import annotations

import os
import runpy
import sys
from pathlib import Path
from typing import Any

from spielleiter.arena.bots import BotError
from spielleiter.arena.lookup import entry_file
from spielleiter.client.bot import Bot, BotLike, BotMistake, make_bot
from spielleiter.client.clock import DEFAULT_SECONDS, MoveClock
from spielleiter.client.offers import choose_offer, collect_offers
from spielleiter.client.thinker import Decision, Thinker
from spielleiter.rules import AnyGame, AnyState, Clock, FreeClock
from spielleiter.shadows import add_folder
from spielleiter.testing.desk import Desk, Stuck
from spielleiter.testing.matches import GRACE_SECONDS, meant_game


def state_from(position: str, game: str | AnyGame | None = None) -> AnyState:
    """Return the position that the text describes (see ``Game.format_position``).

    Without ``game`` it is of the game that SPIELLEITER_GAME names, else of the default. Raises
    NotationError.
    """
    state: AnyState = meant_game(game).parse_position(position)
    return state


def assert_legal(
    bot: BotLike, state: AnyState, *, seconds: float | None = DEFAULT_SECONDS, seed: int = 0
) -> Any:
    """Ask the bot for a move, check it against the rules and return it.

    The bot's clock counts down from ``seconds``, and the answer must come within them. With None
    there is no limit, and the clock stands still. Raises AssertionError, which says what is wrong.
    """
    thinker = _StrictThinker(make_bot(bot, seed))

    def ask() -> Decision:
        try:
            thinker.start(state.seat, state)
            return _decide(thinker, state, FreeClock() if seconds is None else MoveClock(seconds))
        finally:
            thinker.close()

    if seconds is None:
        return ask().move
    desk = Desk()
    try:
        decision = desk.call(ask, seconds + GRACE_SECONDS)
    except Stuck as stuck:
        where = "\n".join(stuck.lines)
        raise AssertionError(
            f"{thinker.name} did not come back within {seconds:g} s; it was here:\n{where}"
        ) from None
    finally:
        desk.close()
    if decision.seconds > seconds:
        raise AssertionError(
            f"{thinker.name} took {decision.seconds:.2f} s for a move; {seconds:g} s are allowed"
        )
    return decision.move


def load_bot(path: str | os.PathLike[str]) -> BotLike:
    """Return the bot that a file, or the file of a folder, hands to ``run``, without playing.

    The file can import what lies beside it, but Python's own modules win over files of the same
    name. Raises BotMistake, which says why there is no bot.
    """
    file = _file_of(Path(path))
    _let_import(str(file.absolute().parent))
    with collect_offers() as offers:
        found = runpy.run_path(str(file), run_name="__main__")
    return choose_offer(file, offers, found.values()).bot


def _file_of(path: Path) -> Path:
    if path.is_dir():
        try:
            path = entry_file(path)
        except BotError as error:
            raise BotMistake(f"{error.message}; {error.hint}") from None
        if path.suffix != ".py":
            raise BotMistake(f"{path} is not Python, and cannot be loaded")
    if not path.is_file():
        raise BotMistake(f"there is no file {path}")
    return path


_opened: list[str] = []
"""The folders that were made importable for bots in them, the last one first."""


def _let_import(folder: str) -> None:
    """Let the bot that is loaded next import what lies beside it."""
    # Two bots often have a helper of the same name, such as strategy.py. Python keeps modules by
    # name and would give the second bot the helper of the first. To forget the module does not
    # harm the first bot, which holds it already.
    for name, module in list(sys.modules.items()):
        home = str(Path(getattr(module, "__file__", None) or "").parent)
        if home in _opened and home != folder and Path(folder, f"{name}.py").is_file():
            del sys.modules[name]
    if folder in sys.path and folder not in _opened:
        return  # the program that loads it is in the same folder
    for opened in _opened:
        if opened in sys.path:
            sys.path.remove(opened)
    _opened[:] = [folder, *(opened for opened in _opened if opened != folder)]
    for opened in _opened:
        add_folder(opened)


class _StrictThinker(Thinker):
    """A thinker that fails where others only report what went wrong and play on."""

    def __init__(self, bot: Bot) -> None:
        self.said: list[str] = []
        super().__init__(bot, self.said.append)

    def _call_hook(self, hook: str, argument: Any) -> None:
        before = len(self.said)
        super()._call_hook(hook, argument)
        if len(self.said) > before:
            raise AssertionError("\n".join(self.said[before:]))


def _decide(thinker: _StrictThinker, state: AnyState, clock: Clock) -> Decision:
    before = len(thinker.said)
    try:
        decision = thinker.decide(state, clock)
    except BotMistake as mistake:
        raise AssertionError("\n".join((*thinker.said[before:], str(mistake)))) from None
    if decision.problem is not None:
        raise AssertionError("\n".join(thinker.said[before:]))
    return decision
