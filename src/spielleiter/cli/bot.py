"""Let a house bot, or a file with a Bot in it, join a server and play (``spielleiter bot``)."""

from __future__ import annotations

import os
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from random import SystemRandom
from typing import NoReturn

import click

from spielleiter import launch
from spielleiter.arena.bots import BotError, BotKind
from spielleiter.arena.lookup import choose_game, find_bot
from spielleiter.arena.source_files import read_source
from spielleiter.cli import debug_option
from spielleiter.cli.errors import CliError, ExitCode, unknown_game
from spielleiter.client import Bot, run
from spielleiter.client.arguments import (
    EXIT_CODES,
    HelpAsked,
    UsageError,
    parse_options,
    split_name,
)
from spielleiter.client.environment import OWN_SERVER
from spielleiter.client.house import HouseBot
from spielleiter.games import EXAMPLES, all_games
from spielleiter.rules import UnknownGame, one_line
from spielleiter.shadows import add_folder


def load_bot(path: Path, name: str) -> type[Bot]:
    """Import a file as Python would start it, and take the class from it. Raises CliError."""
    add_folder(str(path.parent))
    taken = path.stem in sys.modules or path.stem in sys.stdlib_module_names
    module_name = path.stem if path.stem.isidentifier() and not taken else f"bot_in_{name}"
    spec = spec_from_file_location(module_name, path)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    sys.modules[module_name] = module
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        raise _unloadable(error, path) from error
    found = getattr(module, name, None)
    if not (isinstance(found, type) and issubclass(found, Bot)):
        raise CliError(
            f"{path}: {name} is not a Bot any more once the file has run",
            f"put run({name}) at its end",
        )
    return found


def _start(path: Path) -> None:
    """Run a file that plays by itself, as Python would start it.

    Raises CliError if it fails, SystemExit if it ends.
    """
    try:
        launch.start(str(path))
    except Exception as error:
        raise _unloadable(error, path) from error


def _unloadable(error: Exception, path: Path) -> CliError:
    said = " ".join(str(error).split())
    return CliError(f"{_where(error, path)}: {type(error).__name__}: {said}", _advice(error))


def _where(error: Exception, path: Path) -> str:
    """Return the last line of the file itself that the error came through."""
    line = 0
    trace = error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == str(path):
            line = trace.tb_lineno
        trace = trace.tb_next
    return f"{path}, line {line}" if line else str(path)


def _advice(error: Exception) -> str:
    if isinstance(error, ModuleNotFoundError) and error.name:
        return (
            f"install it: {Path(sys.executable).name} -m pip install {error.name.partition('.')[0]}"
        )
    return "mend that line and try again"


def _play(name: str, argv: list[str]) -> NoReturn:
    options = parse_options(argv, f"spielleiter bot {one_line(name)}")
    sys.argv = [name, *argv]
    seed = SystemRandom().getrandbits(32) if options.seed is None else options.seed
    is_expected = bool(options.reservation or options.room)
    if is_expected and not options.game and any(name in game.players for game in all_games()):
        run(HouseBot(name, seed), argv)  # the room decides which game it is (W119)
        sys.exit(ExitCode.OK)
    game = choose_game(options.game, [name], {} if is_expected else os.environ)
    spec = find_bot(name, game)
    if not os.environ.get(OWN_SERVER):  # whoever started us says it themselves
        for line in spec.warnings:
            click.echo(f"{name}: {one_line(line)}", err=True)
    if spec.kind is BotKind.HOUSE:
        run(HouseBot(name, seed), [*argv, "--game", game.id])
    elif spec.kind is BotKind.BOT_FILE:
        path = Path(spec.argv[-1])
        run(load_bot(path, read_source(path).bots[0]), argv)
    elif spec.kind is BotKind.PYTHON:
        _start(Path(spec.argv[-1]))
    else:
        raise BotError(
            f"{name} is a {spec.kind.value}, which needs no help of ours", "start it itself"
        )
    sys.exit(ExitCode.OK)


_HELP = f"""\
Connect a house bot, or a Python file with a Bot in it, to a server, and play one game.

The options are those of every bot, in any order: -h/--host, -p/--port, -r/--reservation,
--room, --game, --seed.

To play a game at once, without a server: spielleiter play.

\b
Examples:
  spielleiter bot greedy
  spielleiter bot random --game {EXAMPLES[-1]} -h localhost -p 13050
  spielleiter bot --reservation CODE mybot.py
"""


@click.command(
    "bot",
    help=_HELP,
    context_settings={"ignore_unknown_options": True, "help_option_names": ["--help"]},
    epilog="\b\n" + EXIT_CODES.replace("\n\n", "\n\n\b\n"),
    options_metavar="",
)
@click.argument(
    "words",
    metavar="NAME_OR_FILE [-h HOST] [-p PORT] [-r CODE] ...",
    nargs=-1,
    type=click.UNPROCESSED,
)
@debug_option
def command(words: tuple[str, ...]) -> None:
    """Run ``spielleiter bot``, and end with the exit code of the bot."""
    group = click.get_current_context().find_root().command
    shown = ["--debug"] if getattr(group, "debug", False) else []
    try:
        name, options = split_name(words)
        if name is None and options[-1:] == ["-h"]:
            # With a value it is the host, as for every bot; alone it can only be a question.
            context = click.get_current_context()
            click.echo(context.get_help(), color=context.color)
            return
        if name is None:
            raise UsageError("missing argument: the name of a house bot, or a file")
        _play(name, [*options, *shown])
    except HelpAsked as asked:
        click.echo(str(asked))
    except UsageError as error:
        raise CliError(str(error), "see: spielleiter bot --help", ExitCode.USAGE) from None
    except UnknownGame as error:
        raise unknown_game(error) from None
    except BotError as error:
        raise CliError(error.message, error.hint, ExitCode.USAGE) from None
