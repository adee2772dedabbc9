"""The bots that the page may start, which are those of the house and those in the owner's folder.

The folder is looked at when the server starts and when its owner opens the page. Nothing that a
browser sends is looked up anywhere else, so nobody can have another program run.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path

from spielleiter.arena.bots import BotError, BotKind, BotSpec
from spielleiter.arena.lookup import find_bot
from spielleiter.arena.runs.bot_folder import MOST_ENTRIES, read_bot_folder
from spielleiter.games import all_games
from spielleiter.rules import AnyGame

_PYTHON = frozenset({BotKind.PYTHON, BotKind.BOT_FILE})
_MOST_INSIDE = 50
"""Files of a bot's folder whose changes are noticed."""
LONGEST_LOOK = 1.0
"""Seconds that somebody waits for a look into the folder. Then the page shows what it knows."""

OwnBots = Mapping[str, Mapping[str, BotSpec]]


@dataclass(slots=True, eq=False)
class Roster:
    """Who may play. ``own`` has the bots of the folder, by game id and name.

    Used from the loop's thread.
    """

    own: OwnBots = field(default_factory=dict)
    folder: Path | None = None
    _state: frozenset[object] = frozenset()
    _look: asyncio.Task[None] | None = None

    def names(self, game: AnyGame) -> list[str]:
        """Return the names of all bots for a game, those of the house first."""
        return [*game.players, *self.own.get(game.id, ())]

    def find(self, game: AnyGame, name: str) -> BotSpec | None:
        """Return the bot that has this name, or None if there is none."""
        if name in game.players:  # never with other names, which could be those of programs
            return find_bot(name, game)
        return self.own.get(game.id, {}).get(name)

    async def renew(self) -> None:
        """Look into the folder again. Whoever comes meanwhile waits for the same look."""
        if self.folder is None:
            return
        if self._look is None or self._look.done():
            self._look = asyncio.ensure_future(self._renew(self.folder))
        await asyncio.wait({self._look}, timeout=LONGEST_LOOK)

    async def _renew(self, folder: Path) -> None:
        state = await asyncio.to_thread(_state_of, folder)
        if state != self._state:
            self.own = await asyncio.to_thread(_read_bots, folder)
            self._state = state


def read_roster(folder: Path) -> Roster:
    """Look into the folder for bots of every game. This takes its time."""
    state = _state_of(folder)
    return Roster(_read_bots(folder), folder, state)


def _read_bots(folder: Path) -> OwnBots:
    # Variants and seasons of one game have the same bots, because each bot is told what is played.
    found: dict[type, dict[str, BotSpec]] = {}
    own: dict[str, dict[str, BotSpec]] = {}
    for game in all_games():
        if type(game) not in found:
            found[type(game)] = _bots_for(game, folder)
        taken = set(game.players)
        own[game.id] = {
            name if name not in taken else f"{name} *": spec
            for name, spec in found[type(game)].items()
        }
    return own


def _state_of(folder: Path) -> frozenset[object]:
    """Return what changes when a bot comes, goes or is saved."""
    found: list[object] = []
    for entry in _entries(folder, MOST_ENTRIES + 1):
        found.append(_stamp(entry))
        if entry.is_dir():
            found += [_stamp(inside) for inside in _entries(Path(entry.path), _MOST_INSIDE)]
    return frozenset(found)


def _entries(folder: Path, most: int) -> Iterator[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            yield from islice(entries, most)
    except OSError:
        return


def _stamp(entry: os.DirEntry[str]) -> tuple[object, ...]:
    try:
        status = entry.stat()
    except OSError:
        return (entry.path,)
    return entry.path, status.st_mtime_ns, status.st_size, status.st_mode


def _bots_for(game: AnyGame, folder: Path) -> dict[str, BotSpec]:
    try:
        bots = read_bot_folder(folder, game.id, os.environ).bots
    except BotError:  # it cannot be read, or it is not a folder of bots
        return {}
    return {bot.name: replace(bot.spec, name=bot.name) for bot in bots if _is_bot(bot.spec)}


def _is_bot(spec: BotSpec) -> bool:
    """Return whether this was meant to be a bot, and is not just some program that lies there."""
    is_folder = spec.source is not None and spec.source.is_dir()
    return is_folder or spec.kind in _PYTHON or spec.kind is BotKind.JAR
