"""The games there are, by id and by the game type of the wire.

Every folder here, and every installed package with an entry point in the group
``spielleiter.games``, offers ``GAMES``, its seasons and variants with the default of each game type
first. They are loaded on first use, and a house game that is asked for by its id alone, because
most programs play one game and start often.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import import_module

from spielleiter.rules import AnyGame, UnknownGame

_HOUSE = ("blokus", "hase_und_igel")
"""The folders here. The ids of the games in one begin with its name."""
DEFAULT = "blokus-2021"
"""The game that the documents describe, which is meant where nobody names one (W118)."""
EXAMPLES = ("blokus-2027", "hase-und-igel-2018")
"""Other games that help texts name as examples, so that no other module names one."""
EXAMPLE_VARIANT = "blokus-2021-official"
"""A variant that is not the default of its game type, for the same use."""
VARIABLE = "SPIELLEITER_GAME"
"""The environment variable that names another default."""

_registered: list[AnyGame] = []


def _house_games(folder: str) -> tuple[AnyGame, ...]:
    games: tuple[AnyGame, ...] = import_module(f"{__name__}.{folder}").GAMES
    return games


@cache
def _installed() -> tuple[AnyGame, ...]:
    # Imported on first use, because it takes longer to load than a game.
    from importlib.metadata import entry_points

    found: list[AnyGame] = []
    for folder in _HOUSE:
        found += _house_games(folder)
    # Asking for entry points reads a file of every installed package, so it is done once. What is
    # registered later by hand is kept apart for that reason.
    for point in entry_points(group="spielleiter.games"):
        found += point.load()
    return tuple(found)


def register(*games: AnyGame) -> None:
    """Make games of one's own known, for as long as the program runs."""
    taken = {game.id for game in all_games()}
    for game in games:
        if game.id in taken:
            raise ValueError(f"a game {game.id!r} is there already")
        _registered.append(game)


def all_games() -> tuple[AnyGame, ...]:
    """Return every game, season and variant, the house's first."""
    return (*_installed(), *_registered)


def get_game(name: str, source: str = "") -> AnyGame:
    """Return the game with this id or game type. Raises UnknownGame.

    Of several variants of a game type it is the default. ``source`` is where the name was found,
    for the error to say.
    """
    for folder in _HOUSE:
        if name.startswith(folder.replace("_", "-") + "-"):
            for game in _house_games(folder):
                if game.id == name:
                    return game
    for game in all_games():
        if game.id == name:
            return game
    for game in all_games():
        if game.game_type == name:
            return game
    raise UnknownGame(name, (game.id for game in all_games()), source)


def default_game(environ: Mapping[str, str]) -> AnyGame:
    """Return the game that is meant where neither a flag nor a bot names one. Raises UnknownGame.

    ``environ`` are the environment variables: SPIELLEITER_GAME wins over ``DEFAULT``.
    """
    named = environ.get(VARIABLE, "").strip()
    return get_game(named, VARIABLE) if named else get_game(DEFAULT)


def find_game_type(game_type: str) -> AnyGame | None:
    """Return the default variant for a game type of the wire, None if nobody plays that."""
    for game in all_games():
        if game.game_type == game_type:
            return game
    return None
