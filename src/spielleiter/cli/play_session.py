"""Play one match in the terminal, or one after the other, and say how each ended.

Which options there are is in ``play``, and what a match looks like is in ``screen``.
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
from spielleiter.arena.seating import Seating
from spielleiter.arena.verdict import (
    explain,
    last_words,
    output_lines,
    printed_lines,
    thoughts_of,
    warnings,
)
from spielleiter.cli.errors import CliError, ExitCode, echo_error, unknown_game
from spielleiter.cli.human import LineReader, Person
from spielleiter.cli.saves import fingerprint, until_saved
from spielleiter.cli.screen import Clocks, LiveScreen, Nothing, PlainScreen, Screen, format_time
from spielleiter.cli.start_position import read_position, under_rules_of
from spielleiter.cli.viewer import watching
from spielleiter.replays.saves import write_replay
from spielleiter.rules import AnyGame, AnyState, UnknownGame, one_line
from spielleiter.server import Server, ServerError, Settings
from spielleiter.server.clock import FairClock

if TYPE_CHECKING:
    from rich.console import Console

    from spielleiter.cli.play_page import PlayPage
    from spielleiter.web.started import Order

DEFAULT_PATIENCE = Patience()


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
    replay: Path | None = None
    """The recorded match to go on from."""
    turn: int | None = None


class PlaySession:
    """One call of the command, which plays a match, or several with --reload."""

    def __init__(self, options: PlayOptions, clock: FairClock) -> None:
        self._options = options
        self._clock = clock
        self._keyboard: LineReader | None = None
        self._page: PlayPage | None = None
        self._is_live = sys.stdout.isatty()
        self._position = (
            None if options.replay is None else read_position(options.replay, options.turn)
        )

    async def run(self, *, again: bool) -> int:
        """Play once, or again whenever a bot is saved, and return the exit code."""
        if self._options.watch != "browser":
            return await (self.play_again() if again else self.play_once())
        # Imported on first use, because a game in the terminal should start faster.
        from spielleiter.cli.play_page import open_play_page

        self._find()  # what is wrong is said before anything is opened
        async with open_play_page(self._options.settings, self._clock) as page:
            self._page = page
            return await (self.play_again() if again else self.play_once())

    async def play_once(self) -> int:
        game, bots = self._find()
        played = await self._play(game, bots)
        if self._page is not None:
            await self._page.stay()
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
            if options.game is None and self._position is not None:
                game = self._position.game
            else:
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
        position = self._first_position(game)
        self._introduce(game, bots, seed, position)
        if self._page is not None:
            played = await self._page.play(self._order(game, bots, seed, position))
            self._conclude(played)
            return played
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
                seating=Seating(position=position),
            )
        self._conclude(played)
        return played

    def _order(
        self, game: AnyGame, bots: Sequence[BotSpec], seed: int, position: AnyState | None
    ) -> Order:
        from spielleiter.web.started import Order, Past

        past = None if position is None else Past((position,), ())
        timed = not self._options.settings.no_timeout
        return Order(game, tuple(bots), timed, seed, past, self._options.patience)

    def _first_position(self, game: AnyGame) -> AnyState | None:
        if self._position is None:
            return None
        assert self._options.replay is not None
        return under_rules_of(game, self._position, self._options.replay)

    # Words

    def _introduce(
        self, game: AnyGame, bots: Sequence[BotSpec], seed: int, position: AnyState | None
    ) -> None:
        sides = [
            f"{name} ({game.seat_names[seat]})" for seat, name in enumerate(distinct_names(bots))
        ]
        untimed = ", no time limit" if self._options.settings.no_timeout else ""
        begun = "" if position is None else f", from turn {position.turn}"
        click.echo(f"{game.title}, seed {seed}{untimed}{begun}: {' against '.join(sides)}")

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
