"""The bots that the page may start, which are those of the house and those in the owner's folder.

They are looked for once, when the server starts. Nothing that a browser sends is looked up
anywhere else, so nobody can have another program run.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from spielleiter.arena.bots import BotError, BotKind, BotSpec
from spielleiter.arena.lookup import find_bot
from spielleiter.arena.runs.bot_folder import read_bot_folder
from spielleiter.games import all_games
from spielleiter.rules import AnyGame

_PYTHON = frozenset({BotKind.PYTHON, BotKind.BOT_FILE})


@dataclass(frozen=True, slots=True)
class Roster:
    """Who may play. ``own`` has the bots of the folder, by game id and name."""

    own: Mapping[str, Mapping[str, BotSpec]] = field(default_factory=dict)

    def names(self, game: AnyGame) -> list[str]:
        """Return the names of all bots for a game, those of the house first."""
        return [*game.players, *self.own.get(game.id, ())]

    def find(self, game: AnyGame, name: str) -> BotSpec | None:
        """Return the bot that has this name, or None if there is none."""
        if name in game.players:  # never with other names, which could be those of programs
            return find_bot(name, game)
        return self.own.get(game.id, {}).get(name)


def read_roster(folder: Path) -> Roster:
    """Look into the folder for bots of every game. This takes its time."""
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
    return Roster(own)


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
