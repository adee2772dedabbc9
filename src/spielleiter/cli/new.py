"""Make a folder with a bot that already plays (``spielleiter new``).

Nothing that is there is ever overwritten.

What goes into the folder is under ``templates/every`` for all games, and over it come the game's
own files (``Game.templates``), or those under ``templates/any`` where a game has none. NAME in the
name of a file stands for the bot's.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path
from string import Template

import click

from spielleiter.cli import debug_option
from spielleiter.cli.errors import CliError, ExitCode, unknown_game
from spielleiter.cli.terminal import as_typed
from spielleiter.games import DEFAULT, EXAMPLES, VARIABLE, all_games, default_game, get_game
from spielleiter.rules import AnyGame, UnknownGame, one_line

_SUFFIX = ".template"
_NAME = re.compile(r"[^\W_][\w-]*(\.[\w-]+)*")
_LONGEST_NAME = 60
_WINDOWS = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\..*)?", re.IGNORECASE)
"""Names that Windows keeps for itself, with whatever ending."""
_SCRIPTS = frozenset({"start.sh"})

_HELP = f"""\
Make a folder NAME with a bot that already plays, a test and a README.

Nothing needs to be edited first.

NAME may also be the path of a folder that is not there yet, or empty.

\b
Examples:
  spielleiter new mybot
  spielleiter new mybot --game {EXAMPLES[0]}
  spielleiter new bots/other --game {EXAMPLES[1]}
"""


@click.command("new", help=_HELP)
@click.argument("folder", metavar="NAME", type=click.Path(path_type=Path))
@click.option(
    "--game",
    "game_id",
    metavar="ID",
    help=f"the game it is to play  [default: {VARIABLE}, else {DEFAULT}]",
)
@debug_option
def command(folder: Path, game_id: str | None) -> None:
    """Run ``spielleiter new``."""
    try:
        game = get_game(game_id) if game_id else default_game(os.environ)
    except UnknownGame as error:
        raise unknown_game(error) from None
    _check_name(folder)
    _check_place(folder)
    made = make_bot_folder(folder, game)
    shown = as_typed(str(folder))
    click.echo(f"{one_line(str(folder))} is a bot for {game.title}: {', '.join(made)}")
    others = " or ".join(f"--game {other}" for other in _other_seasons(game))
    click.echo(
        f'Its bot.py remembers that: game = "{game.id}". For another season: spielleiter new NAME '
        f"{others}"
    )
    click.echo("Now try:")
    click.echo(f"  spielleiter play {one_line(shown)}")
    thoughts, more = (one_line(str(folder / name)) for name in ("bot.py", "README.md"))
    click.echo(f"What it thinks is in {thoughts}; {more} says what else there is to try.")


def _other_seasons(game: AnyGame) -> list[str]:
    """Return the ids of what else there is, one for each game type."""
    first: dict[str, str] = {}
    for other in all_games():
        first.setdefault(other.game_type, other.id)
    return [game_id for game_type, game_id in first.items() if game_type != game.game_type]


def make_bot_folder(folder: Path, game: AnyGame) -> list[str]:
    """Write the files of a new bot. Return their names. Raises CliError."""
    values = _values(folder.name, game)
    made = []
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, template in sorted(_templates(game).items()):
            name = name.replace("NAME", _module_name(folder.name))
            path = folder / name
            with path.open(
                "x", encoding="utf-8", newline="\n"
            ) as file:  # x: never over something that is there
                file.write(Template(template).substitute(values))
            if name in _SCRIPTS:
                path.chmod(0o755)
            made.append(name)
    except OSError as error:
        where = error.filename or folder
        raise CliError(
            f"{where} cannot be written: {error.strerror or error}",
            "choose a folder in which you may write",
        ) from None
    return made


def _module_name(name: str) -> str:
    """Make the name fit to be part of a module's.

    pytest wants every file of tests under a name of its own.
    """
    return re.sub(r"\W", "_", name)


def _values(name: str, game: AnyGame) -> dict[str, str]:
    opponents = list(game.players)
    return {
        "name": name,
        "module": _module_name(name),
        "game": game.id,
        "title": game.title,
        "opponents": "`, `".join(opponents),
        "stronger": opponents[min(1, len(opponents) - 1)],
    }


def _templates(game: AnyGame) -> Mapping[str, str]:
    """Return file names and what is in them, for this game."""
    root = files("spielleiter.cli") / "templates"
    own = game.templates or root / "any"
    return {
        part.name.removesuffix(_SUFFIX): part.read_text(encoding="utf-8")
        for source in (root / "every", own)
        for part in source.iterdir()
        if part.name.endswith(_SUFFIX)
    }


def _check_name(folder: Path) -> None:
    name = folder.name
    hint = "take letters, digits, - and _, such as: spielleiter new mybot"
    if not name or not _NAME.fullmatch(name) or _WINDOWS.fullmatch(name):
        raise CliError(f"{str(folder)!r} cannot be the name of a bot", hint, ExitCode.USAGE)
    if len(name) > _LONGEST_NAME:
        raise CliError(
            f"a name of {len(name)} characters is too long",
            f"take {_LONGEST_NAME} at most",
            ExitCode.USAGE,
        )
    if name == "human" or any(name in game.players for game in all_games()):
        raise CliError(
            f"{name} is somebody already: spielleiter play {name}",
            "choose another name",
            ExitCode.USAGE,
        )


def _check_place(folder: Path) -> None:
    try:
        if folder.is_dir():
            found = sorted(path.name for path in folder.iterdir())
            if found:
                shown = ", ".join(found[:5]) + (", ..." if len(found) > 5 else "")
                raise CliError(
                    f"{folder} is there already and has files in it: {shown}", "choose another name"
                )
        elif folder.exists() or folder.is_symlink():
            raise CliError(f"{folder} is there already and is not a folder", "choose another name")
    except OSError as error:
        raise CliError(f"{folder} cannot be looked at: {error.strerror or error}") from None
