"""Read the options of ``spielleiter play``, which plays one match in the terminal.

With --reload the next one follows as soon as a bot's file is saved.
"""

from __future__ import annotations

import asyncio
import os
import sys
from dataclasses import replace
from pathlib import Path

import click

from spielleiter.arena.arena_match import Patience
from spielleiter.cli import debug_option
from spielleiter.cli.display import has_display
from spielleiter.cli.errors import ExitCode
from spielleiter.cli.human import Quit
from spielleiter.cli.play_session import DEFAULT_PATIENCE, PlayOptions, PlaySession
from spielleiter.cli.signals import until_told_to_end
from spielleiter.cli.values import Folder, Seconds, WholeNumber, Word
from spielleiter.games import DEFAULT, EXAMPLES, VARIABLE
from spielleiter.server import Settings
from spielleiter.server.clock import FairClock, make_loop
from spielleiter.server.limits import ServerLimits

DEFAULT_BOTS = ("greedy", "random")
OPPONENT = "greedy"
"""Plays against a bot that is named alone."""
_DAY = 86400.0
_UNHURRIED = ServerLimits(
    room_seconds=_DAY, first_byte_seconds=_DAY, message_seconds=_DAY, lobby_seconds=_DAY
)
"""A debugger stops a bot anywhere, also before it speaks and in the middle of a message."""

_HELP = f"""\
Play one game on a server of its own.

The first BOT begins; one alone plays against greedy, none at all means greedy against random.

A BOT is the name of a house bot, a .py file, a folder, a program, a .jar, a command in quotes,
or human: then you type the moves.

\b
Examples:
  spielleiter play
  spielleiter play mybot --reload
  spielleiter play mybot --notes --output
  spielleiter play human greedy --game {EXAMPLES[0]}
  spielleiter play "java -jar player.jar" mybot.py --seed 7
  spielleiter play mybot human --from lost.xml.gz --turn 31

\b
Exit codes:
  0    the game was played to its regular end
  1    it was not: a bot crashed, broke a rule, or was too slow
  2    the command line is wrong, or a bot cannot be started
  130  interrupted with Ctrl+C, or you left the game
  143  ended by SIGTERM; 129 by SIGHUP
"""


@click.command("play", help=_HELP)
@click.argument("bots", metavar="[BOT] [BOT]", nargs=-1)
@click.option(
    "--game",
    metavar="ID",
    help=f"The game, such as {EXAMPLES[0]}.  [default: what a bot is for, else {VARIABLE}, else "
    f"{DEFAULT}]",
)
@click.option(
    "--seed", type=WholeNumber(0), metavar="N", help="The same number gives the same game again."
)
@click.option(
    "--watch",
    type=Word("browser", "terminal", "none"),
    metavar="browser|terminal|none",
    help="Show the game on a page in the browser, in the terminal, or its result only.  [default: "
    "browser, where one can be opened]",
)
@click.option(
    "--web-port",
    type=WholeNumber(0, 65535),
    metavar="PORT",
    help="Port of the page; 0 takes any free one.  [default: 8080, or the next free one]",
)
@click.option("--delay", type=Seconds(), metavar="S", help="Show each move for S seconds.")
@click.option(
    "--notes", is_flag=True, help="Show notes, marks and hints of the bots with their moves."
)
@click.option("--output", is_flag=True, help="Show at the end what the bots printed.")
@click.option(
    "--reload", is_flag=True, help="Play again whenever the file of a bot is saved, until Ctrl+C."
)
@click.option(
    "--no-timeout",
    is_flag=True,
    help="Nobody loses on time or comes too late: for bots in a debugger.",
)
@click.option(
    "--join-seconds",
    type=Seconds(above_zero=True),
    metavar="S",
    help=f"How long a bot may take to join.  [default: {DEFAULT_PATIENCE.join:g}, or for ever with "
    "--no-timeout]",
)
@click.option("--save-replays", "replays", type=Folder(), metavar="DIR", help="Keep the game.")
@click.option(
    "--from",
    "replay",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Go on from a recorded game of this or of an official server.",
)
@click.option(
    "--turn",
    type=WholeNumber(0),
    metavar="N",
    help="The turn of it that is played first.  [default: where it begins]",
)
@debug_option
def command(
    bots: tuple[str, ...],
    game: str | None,
    seed: int | None,
    watch: str | None,
    web_port: int | None,
    delay: float | None,
    notes: bool,
    output: bool,
    reload: bool,
    no_timeout: bool,
    join_seconds: float | None,
    replays: Path | None,
    replay: Path | None,
    turn: int | None,
) -> int:
    """Run ``spielleiter play``. Return the exit code."""
    if len(bots) > 2:
        raise click.UsageError(
            f"a game has two bots, and these are {len(bots)}; put a command in quotes"
        )
    named = {0: DEFAULT_BOTS, 1: (*bots, OPPONENT), 2: bots}[len(bots)]
    watch = watch or _usual_watch(is_plain=not (notes or output or delay is not None or reload))
    if web_port is not None and watch != "browser":
        raise click.UsageError("--web-port is that of the page, which --watch browser shows")
    _check_watch(watch, notes=notes, delay=delay)
    if turn is not None and replay is None:
        raise click.UsageError("--turn is one of a recorded game, which --from names")
    settings, patience = _hurry(no_timeout, join_seconds)
    settings = replace(settings, web_port=web_port)
    options = PlayOptions(
        named, game, seed, watch, delay, settings, replays, notes, output, patience, replay, turn
    )
    clock = FairClock()
    with asyncio.Runner(loop_factory=lambda: make_loop(clock)) as runner:
        try:
            session = PlaySession(options, clock)
            return runner.run(until_told_to_end(session.run(again=reload)))
        except Quit:
            click.echo("\nYou have left the game.")
            return ExitCode.INTERRUPTED


def _hurry(no_timeout: bool, join_seconds: float | None) -> tuple[Settings, Patience]:
    """Return how long bots may take for a move, and to join."""
    limits = _UNHURRIED if no_timeout else ServerLimits()
    patience = Patience(join=join_seconds or (None if no_timeout else DEFAULT_PATIENCE.join))
    return Settings(no_timeout=no_timeout, limits=limits), patience


def _usual_watch(*, is_plain: bool) -> str:
    """Return where to show a game if nobody said. ``is_plain`` is without options for terminals."""
    is_watched = sys.stdin is not None and sys.stdin.isatty() and sys.stdout.isatty()
    return "browser" if is_plain and is_watched and has_display(os.environ) else "terminal"


def _check_watch(watch: str, *, notes: bool, delay: float | None) -> None:
    if notes and watch == "none":
        raise click.UsageError("--notes belong to the moves, which --watch none does not show")
    if delay is not None and watch == "none":
        raise click.UsageError("--delay is for moves that are shown, and --watch none shows none")
    if delay is not None and watch == "browser":
        raise click.UsageError("--delay is for the terminal; in the browser you can step back")
