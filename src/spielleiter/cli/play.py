"""Play one match in the terminal (``spielleiter play``).

With --reload the next one follows as soon as a bot's file is saved.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import shutil
import sys
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from pathlib import Path
from random import SystemRandom
from typing import TYPE_CHECKING

import click

from spielleiter.arena.arena_match import ArenaMatch, Patience, WatchedPosition
from spielleiter.arena.bots import BotError, BotSpec, distinct_names
from spielleiter.arena.lookup import choose_game, find_bot, path_of
from spielleiter.arena.match import open_server, play_arena_match
from spielleiter.arena.verdict import (
    explain,
    last_words,
    output_lines,
    printed_lines,
    thoughts_of,
    warnings,
)
from spielleiter.cli import debug_option
from spielleiter.cli.errors import CliError, ExitCode, echo_error, unknown_game
from spielleiter.cli.human import LineReader, Person, Quit
from spielleiter.cli.saves import fingerprint, until_saved
from spielleiter.cli.screen import Clocks, LiveScreen, Nothing, PlainScreen, Screen, format_time
from spielleiter.cli.signals import until_told_to_end
from spielleiter.cli.values import Folder, Seconds, WholeNumber, Word
from spielleiter.cli.viewer import watching
from spielleiter.games import DEFAULT, EXAMPLES, VARIABLE
from spielleiter.replays.saves import write_replay
from spielleiter.rules import AnyGame, UnknownGame, one_line
from spielleiter.server import Server, ServerError, Settings
from spielleiter.server.clock import FairClock, make_loop
from spielleiter.server.limits import ServerLimits

if TYPE_CHECKING:
    from rich.console import Console

DEFAULT_BOTS = ("greedy", "random")
OPPONENT = "greedy"
"""Plays against a bot that is named alone."""
DEFAULT_PATIENCE = Patience()
_DAY = 86400.0
_UNHURRIED = ServerLimits(
    room_seconds=_DAY, first_byte_seconds=_DAY, message_seconds=_DAY, lobby_seconds=_DAY
)
"""A debugger stops a bot anywhere, also before it speaks and in the middle of a message."""


@dataclass(frozen=True, slots=True)
class PlayOptions:
    """What was asked for."""

    bots: tuple[str, ...]
    game: str | None
    seed: int | None
    watch: str
    delay: float | None
    settings: Settings
    replays: Path | None
    notes: bool = False
    output: bool = False
    patience: Patience = DEFAULT_PATIENCE


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
    type=Word("terminal", "none"),
    metavar="terminal|none",
    default="terminal",
    show_default=True,
    help="Show the game as it is played, or its result only.",
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
@debug_option
def command(
    bots: tuple[str, ...],
    game: str | None,
    seed: int | None,
    watch: str,
    delay: float | None,
    notes: bool,
    output: bool,
    reload: bool,
    no_timeout: bool,
    join_seconds: float | None,
    replays: Path | None,
) -> int:
    """Run ``spielleiter play``. Return the exit code."""
    if len(bots) > 2:
        raise click.UsageError(
            f"a game has two bots, and these are {len(bots)}; put a command in quotes"
        )
    named = {0: DEFAULT_BOTS, 1: (*bots, OPPONENT), 2: bots}[len(bots)]
    if notes and watch == "none":
        raise click.UsageError("--notes belong to the moves, which --watch none does not show")
    if delay is not None and watch == "none":
        raise click.UsageError("--delay is for moves that are shown, and --watch none shows none")
    settings = Settings(no_timeout=no_timeout, limits=_UNHURRIED if no_timeout else ServerLimits())
    patience = Patience(join=join_seconds or (None if no_timeout else DEFAULT_PATIENCE.join))
    options = PlayOptions(
        named, game, seed, watch, delay, settings, replays, notes, output, patience
    )
    clock = FairClock()
    with asyncio.Runner(loop_factory=lambda: make_loop(clock)) as runner:
        try:
            session = _Session(options, clock)
            return runner.run(
                until_told_to_end(session.play_again() if reload else session.play_once())
            )
        except Quit:
            click.echo("\nYou have left the game.")
            return ExitCode.INTERRUPTED


class _Session:
    """One call of the command, which plays a match, or several with --reload."""

    def __init__(self, options: PlayOptions, clock: FairClock) -> None:
        self._options = options
        self._clock = clock
        self._keyboard: LineReader | None = None
        self._is_live = sys.stdout.isatty()

    async def play_once(self) -> int:
        game, bots = self._find()
        played = await self._play(game, bots)
        return ExitCode.OK if played.is_regular else ExitCode.FAILED

    async def play_again(self) -> int:
        """Play again for ever.

        A bot that cannot be started does not end this, since its author is about to repair it.
        """
        if not any(path_of(text).exists() for text in self._options.bots):
            raise CliError(
                "--reload needs a bot that is a file or a folder", exit_code=ExitCode.USAGE
            )
        while True:
            before = fingerprint(self._options.bots)
            saved = asyncio.create_task(until_saved(self._options.bots, before))
            game = asyncio.create_task(self._play_unless_broken())
            try:
                await asyncio.wait([game, saved], return_when=asyncio.FIRST_COMPLETED)
                if game.done():
                    game.result()
                    click.echo("\nWaiting for a bot to be saved; Ctrl+C ends.")
                    await saved
                else:
                    saved.result()
                    click.echo("\nA bot was saved: this game ends here.\n")
            finally:
                for task in (game, saved):
                    task.cancel()
                await asyncio.gather(game, saved, return_exceptions=True)

    async def _play_unless_broken(self) -> None:
        try:
            await self._play(*self._find())
        except CliError as error:
            echo_error(error.message, error.hint)

    def _find(self) -> tuple[AnyGame, list[BotSpec]]:
        options = self._options
        try:
            game = choose_game(options.game, options.bots, os.environ)
            return game, [find_bot(text, game) for text in options.bots]
        except UnknownGame as error:
            raise unknown_game(error) from None
        except BotError as error:
            raise CliError(error.message, error.hint, ExitCode.USAGE) from None

    async def _play(self, game: AnyGame, bots: Sequence[BotSpec]) -> ArenaMatch:
        seed = self._options.seed
        if seed is None:
            seed = SystemRandom().getrandbits(31)
        self._introduce(game, bots, seed)
        with_person = any(bot.is_human for bot in bots)
        async with (
            _server(self._options.settings, self._clock) as server,
            self._watching(game, with_person=with_person) as watch,
        ):
            person = self._person(game) if with_person else None
            played = await play_arena_match(
                bots,
                game,
                seed=seed,
                server=server,
                watch=watch,
                human=None if person is None else person.choose,
                patience=self._options.patience,
            )
        self._conclude(played)
        return played

    # Words

    def _introduce(self, game: AnyGame, bots: Sequence[BotSpec], seed: int) -> None:
        sides = [
            f"{name} ({game.seat_names[seat]})" for seat, name in enumerate(distinct_names(bots))
        ]
        untimed = ", no time limit" if self._options.settings.no_timeout else ""
        click.echo(f"{game.title}, seed {seed}{untimed}: {' against '.join(sides)}")

    def _conclude(self, played: ArenaMatch) -> None:
        clocks = Clocks()
        for move in played.record.moves:
            clocks.add(move)
        click.echo("")
        for line in self._asked_for(played):
            click.echo(line)
        click.secho(one_line(explain(played), 1000), bold=True)
        for line in warnings(played):
            click.secho(line, fg="red")
        for line in () if self._options.output else last_words(played):
            click.echo(line)
        for bot, clock in zip(played.bots, clocks.seats, strict=True):
            if clock.moves:
                many = "move" if clock.moves == 1 else "moves"
                click.echo(
                    f"{bot.name}: {clock.moves} {many}, slowest {format_time(clock.slowest)}"
                )
        for line in () if self._options.output else printed_lines(played):
            click.echo(line)
        if self._options.replays is not None:
            try:
                path = write_replay(played.record, self._options.replays, datetime.now())
                click.echo(f"saved as {one_line(str(path), 1000)}")
            except OSError as error:
                raise CliError(
                    f"the replay cannot be saved in {self._options.replays}: "
                    f"{error.strerror or error}",
                    "name another folder with --save-replays",
                ) from None

    def _asked_for(self, played: ArenaMatch) -> list[str]:
        """Return what the bots noted after their last move and what they printed.

        It comes before the result, which is to be seen.
        """
        lines = []
        for bot in played.bots if self._options.notes else ():
            for last in thoughts_of(bot):
                if last.after_the_end:
                    lines += [f"{bot.name} after the game: {line}" for line in last.lines()]
        if self._options.output:
            lines += output_lines(played)
        return [*lines, ""] if lines else []

    # Showing the match and reading moves

    def _watching(
        self, game: AnyGame, *, with_person: bool
    ) -> AbstractAsyncContextManager[Callable[[WatchedPosition], None]]:
        settings = self._options.settings
        return watching(
            self._screen(game, with_person=with_person),
            delay=self._options.delay,
            limit=None if settings.no_timeout else settings.soft_timeout,
            with_person=with_person,
        )

    def _screen(self, game: AnyGame, *, with_person: bool) -> Screen:
        if self._options.watch == "none":
            return Nothing()
        if self._is_live and not with_person:
            return LiveScreen(game, _console(), notes=self._options.notes)
        return PlainScreen(game, click.echo, notes=self._options.notes)

    def _person(self, game: AnyGame) -> Person:
        if self._keyboard is None:
            try:
                self._keyboard = LineReader(sys.stdin.fileno())
            except (AttributeError, OSError, ValueError):
                # The command was started without an input, or with one that is closed.
                raise CliError("human needs a keyboard, and there is no input here") from None
        color = self._is_live and "NO_COLOR" not in os.environ
        size = shutil.get_terminal_size if self._is_live else None
        prompt = partial(click.echo, nl=False)
        return Person(game, self._keyboard.read, click.echo, prompt, color=color, size=size)


@contextlib.asynccontextmanager
async def _server(settings: Settings, clock: FairClock) -> AsyncIterator[Server]:
    try:
        async with open_server(settings, clock) as server:
            yield server
    except ServerError as error:
        raise CliError(str(error)) from None


def _console() -> Console:
    from rich.console import Console

    return Console(highlight=False)
