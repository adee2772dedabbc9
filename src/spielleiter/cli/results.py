"""List, filter, join, export and check what runs left behind, and make reports and replays of it
(``spielleiter results``).

Everything is read from the databases of runs, and nothing in them is changed.
"""

from __future__ import annotations

import contextlib
import difflib
import gzip
import io
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, TypeVar

import click

from spielleiter.arena.collection import TROUBLE, Choice, Collection, PlayedGame, collect, join
from spielleiter.arena.exports import Chosen, write_csv, write_json
from spielleiter.arena.store.check import check_store
from spielleiter.arena.store.database import FILE_NAME
from spielleiter.arena.store.errors import StoreError
from spielleiter.arena.store.reader import StoreReader, join_runs
from spielleiter.arena.store.replay import record_of
from spielleiter.cli import HelpfulGroup, debug_option
from spielleiter.cli.errors import CliError, ExitCode, echo_error
from spielleiter.cli.results_pages import (
    count,
    describe_joint,
    describe_run,
    format_games,
    replay_hint,
)
from spielleiter.cli.values import WholeNumber, Word
from spielleiter.replays.saves import write_replay
from spielleiter.rules import DRAW, LOSS, WIN, one_line

_DEEPEST = 3
"""Folders below the one that is named in which runs are looked for."""
_MOST_FOLDERS = 10_000
_LIST = "list"
F = TypeVar("F", bound=Callable[..., Any])


class _ResultsGroup(HelpfulGroup):
    """A group that lists where no other command is named."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        place = next((n for n, word in enumerate(args) if word != "--debug"), len(args))
        words = args[place:]
        asked = words and words[0] in (*self.commands, "help", *ctx.help_option_names)
        if not asked:
            args = [*args[:place], _LIST, *words]
        return super().parse_args(ctx, args)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if not args or args[0] not in (*self.commands, "help"):
            args = [_LIST, *args]
        return super().resolve_command(ctx, args)


@click.group("results", cls=_ResultsGroup, no_args_is_help=False)
@debug_option
def command() -> None:
    """List what runs left behind, and make tables, reports and replays of it.

    A run is what one match or tournament command played. DIR is its folder, the file run.db in it,
    or a folder with such folders; without one it is the current folder. spielleiter results DIR is
    short for spielleiter results list DIR.

    \b
    Examples:
      spielleiter results runs
      spielleiter results runs/monday --bot mybot --lost
      spielleiter results export runs --csv -o games.csv
      spielleiter results report runs/monday -o report.html
      spielleiter results replay runs/monday 17

    \b
    Exit codes:
      0    done
      1    a run cannot be read, or check has found something wrong
      2    the command line is wrong
    """


def _dirs(function: F) -> F:
    return click.argument("dirs", nargs=-1, metavar="[DIR]...", type=click.Path(path_type=Path))(
        function
    )


def _game_option(function: F) -> F:
    return click.option("--game", "game_id", metavar="ID", help="only runs of this game")(function)


def _filters(function: F) -> F:
    options = (
        click.option("--bot", metavar="NAME", help="only games of this bot"),
        click.option("--opponent", metavar="NAME", help="only games against this bot"),
        click.option("--won", "points", flag_value=str(WIN), help="only games the bot won"),
        click.option("--drawn", "points", flag_value=str(DRAW), help="only draws"),
        click.option("--lost", "points", flag_value=str(LOSS), help="only games the bot lost"),
        click.option(
            "--cause",
            metavar="|".join(TROUBLE),
            type=Word(*TROUBLE),
            help="only games that the bot, or without --bot anybody, threw away like this",
        ),
        click.option(
            "--seat",
            metavar="first|second",
            type=Word("first", "second"),
            help="only games in which the bot had this seat",
        ),
        click.option(
            "--match",
            "numbers",
            metavar="N",
            multiple=True,
            type=WholeNumber(1),
            help="only the game with this number; may be given several times",
        ),
    )
    for option in reversed(options):
        function = option(function)
    return function


# Finding and reading ------------------------------------------------------------------------------


def _databases(dirs: Sequence[Path]) -> list[Path]:
    """Return the databases in these places, each once. Raises CliError where there is none."""
    found: dict[Path, None] = {}
    for place in dirs or (Path(),):
        path = Path(os.path.expanduser(place))  # noqa: PTH111 - Path's raises where there is no such user
        if path.is_dir():
            here = list(_below(path))
            if not here:
                raise CliError(
                    f"there is no run in {one_line(str(path))}",
                    f"name the folder of a run, which has a file {FILE_NAME}, or one above it; "
                    "spielleiter match and tournament make them",
                )
            found.update(dict.fromkeys(here))
        elif path.exists():
            found[path] = None
        else:
            raise CliError(
                f"there is no {one_line(str(path))}", "name the folder of a run, or one above it"
            )
    return list(found)


def _below(top: Path) -> Iterator[Path]:
    for seen, (folder, folders, files) in enumerate(os.walk(top)):
        if FILE_NAME in files:
            yield Path(folder, FILE_NAME)
            folders.clear()
        depth = len(Path(folder).relative_to(top).parts)
        if depth >= _DEEPEST or seen > _MOST_FOLDERS:
            folders.clear()
        folders[:] = sorted(name for name in folders if not name.startswith("."))


class _Runs:
    """All runs in some places, with how many of these could not be read."""

    def __init__(self, dirs: Sequence[Path], game_id: str | None) -> None:
        self.readers = contextlib.ExitStack()
        self.problems = 0
        readers = []
        for path in _databases(dirs):
            try:
                readers.append(self.readers.enter_context(StoreReader(path)))
            except StoreError as error:
                self._tell(error)
        self.collections: list[Collection] = []
        try:
            places, left_out = join_runs(readers)
        except StoreError as error:
            self.readers.close()
            raise _explained(error) from error
        for sentence in left_out:
            click.echo(f"note: {one_line(sentence, 2000)}", err=True)
        self.places = []
        for place in places:
            if game_id is not None and place.stored.run.game != game_id:
                continue
            try:
                self.collections.append(collect(place))
                self.places.append(place)
            except StoreError as error:
                self._tell(error)
        if not self.collections and not self.problems:
            self.readers.close()
            what = f" of {game_id}" if game_id else ""
            raise CliError(f"there is no run{what} there", "spielleiter match plays one")

    def __enter__(self) -> _Runs:
        return self

    def __exit__(self, *_: object) -> None:
        self.readers.close()

    def by_game(self) -> list[Collection]:
        """Return all runs, those of one game joined."""
        games: dict[str, list[Collection]] = {}
        for collection in self.collections:
            games.setdefault(collection.game.id, []).append(collection)
        return [join(collections) for collections in games.values()]

    @property
    def exit_code(self) -> int:
        return ExitCode.FAILED if self.problems else ExitCode.OK

    def _tell(self, error: StoreError) -> None:
        self.problems += 1
        echo_error(error.message, error.advice)


def _explained(error: StoreError) -> CliError:
    return CliError(error.message, error.advice)


class _Filter:
    """What the options for single games ask for, whatever the bots' numbers are."""

    def __init__(
        self,
        bot: str | None,
        opponent: str | None,
        points: str | None,
        cause: str | None,
        seat: str | None,
        numbers: Sequence[int],
    ) -> None:
        self._bot, self._opponent = bot, opponent
        self._points = None if points is None else int(points)
        self._causes = None if cause is None else TROUBLE[cause]
        self._seat = None if seat is None else ("first", "second").index(seat)
        self._numbers = frozenset(numbers)
        self.asks = any(
            value is not None for value in (bot, opponent, points, cause, seat)
        ) or bool(numbers)

    def choose(self, collections: Sequence[Collection]) -> Iterator[Chosen]:
        """Yield the games that are asked for. Raises CliError for a bot that nobody knows."""
        for name in (self._bot, self._opponent):
            if name is not None and not any(_find_bots(one, name) for one in collections):
                raise _unknown_bot(name, collections)
        for one in collections:
            yield Chosen(one, tuple(self._chosen(one)))

    def _chosen(self, collection: Collection) -> Iterator[PlayedGame]:
        bots: Sequence[int | None] = self._numbers_of(collection, self._bot)
        if self._bot is None and (self._points in (WIN, LOSS) or self._seat is not None):
            bots = [0]  # as match A B asks about A
        choices = [
            Choice(bot, opponent, self._points, self._seat, self._causes, self._numbers)
            for bot in bots
            for opponent in self._numbers_of(collection, self._opponent)
        ]
        for game in collection.games:
            if any(game in choice for choice in choices):
                yield game

    @staticmethod
    def _numbers_of(collection: Collection, name: str | None) -> Sequence[int | None]:
        return [None] if name is None else _find_bots(collection, name)


def _find_bots(collection: Collection, name: str) -> list[int]:
    """Return the bots that are meant, which are several where versions share a name."""
    wanted = name.casefold()
    labels = [label.casefold() for label in collection.labels]
    if wanted in labels:
        return [labels.index(wanted)]
    return [
        number for number, bot in enumerate(collection.bots) if bot.bot.name.casefold() == wanted
    ]


def _unknown_bot(name: str, collections: Sequence[Collection]) -> CliError:
    known = list(dict.fromkeys(label for one in collections for label in one.labels))
    close = difflib.get_close_matches(name, known, n=1)
    some = ", ".join(known[:20]) + (", ..." if len(known) > 20 else "")
    hint = f"did you mean {close[0]}?" if close else f"there are {some}"
    return CliError(f"no bot there is called {name!r}", hint, ExitCode.USAGE)


# list ---------------------------------------------------------------------------------------------


@command.command(_LIST)
@_dirs
@_filters
@click.option("--games", "every", is_flag=True, help="list all games, one line each")
@_game_option
@debug_option
def list_command(dirs: Sequence[Path], every: bool, game_id: str | None, **wanted: Any) -> int:
    """List runs with their bots, scores and what they prove, or single games of them.

    Several runs of one game also get a table together, in which a bot is one bot if its name and
    its files are the same. With one of the options for single games, those are listed instead.
    --won, --lost and --seat are about the bot of --bot, without it about the first one.

    \b
    Examples:
      spielleiter results list runs
      spielleiter results list runs/monday --cause time
    """
    chosen = _Filter(**wanted)
    with _Runs(dirs, game_id) as runs:
        if chosen.asks or every:
            _list_games(chosen.choose(runs.by_game()))
        else:
            _list_runs(runs)
        return runs.exit_code


def _list_runs(runs: _Runs) -> None:
    gap = ""
    for collection in runs.collections:
        click.echo(gap + "\n".join(describe_run(collection)))
        gap = "\n"
    for joint in runs.by_game():
        if len(joint.runs) > 1:
            click.echo(gap + "\n".join(describe_joint(joint)))


def _list_games(chosen: Iterator[Chosen]) -> None:
    for one in chosen:
        for line in format_games(one.collection, one.games):
            click.echo(line)
        total = len(one.collection.games)
        click.echo(f"{len(one.games):,} of {count(total, 'game')}. ", nl=False)
        click.echo(replay_hint(one.collection.runs))


# export -------------------------------------------------------------------------------------------


@command.command("export")
@_dirs
@click.option("--csv", "form", flag_value="csv", help="one row a game, for spreadsheets")
@click.option("--json", "form", flag_value="json", help="runs, tables and games in one document")
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="where to write it  [default: standard output]",
)
@_filters
@_game_option
@debug_option
def export_command(
    dirs: Sequence[Path],
    form: str | None,
    output: Path | None,
    game_id: str | None,
    **wanted: Any,
) -> int:
    """Write games as CSV or JSON, all of them or those that the options choose.

    Runs of one game are joined, as in the table of list. Both forms are UTF-8. In CSV a name that a
    spreadsheet would calculate begins with an apostrophe.

    \b
    Examples:
      spielleiter results export runs --csv -o games.csv
      spielleiter results export runs/monday --json --bot mybot --lost
    """
    if form is None:
        raise click.UsageError("say in which form: --csv or --json")
    chosen = _Filter(**wanted)
    write = write_csv if form == "csv" else write_json
    with _Runs(dirs, game_id) as runs:
        text = io.StringIO(newline="")
        number = write(list(chosen.choose(runs.by_game())), text)
        if output is None:
            _print_exactly(text.getvalue())
        else:
            _write_file(output, text.getvalue().encode())
            click.echo(f"{one_line(str(output))}: {count(number, 'game')}", err=True)
        return runs.exit_code


def _print_exactly(text: str) -> None:
    """Print text as UTF-8 with the line ends it has, also on Windows."""
    stream = getattr(sys.stdout, "buffer", None)
    if stream is None:
        click.echo(text, nl=False)
        return
    sys.stdout.flush()
    stream.write(text.encode())
    stream.flush()


def _write_file(path: Path, data: bytes) -> None:
    """Write a file as a whole or not at all. One that is there is replaced."""
    draft = path.with_name(f".{path.name}.part")
    try:
        draft.write_bytes(data)
        draft.replace(path)
    except OSError as error:
        with contextlib.suppress(OSError):
            draft.unlink()
        raise CliError(
            f"{one_line(str(path))} cannot be written: {error.strerror or error}",
            "name a file in a folder that is there and that you may write to",
        ) from error


# check --------------------------------------------------------------------------------------------


@command.command("check")
@_dirs
@debug_option
def check_command(dirs: Sequence[Path]) -> int:
    """Play every stored game again by the rules, and look for whatever is wrong in a database.

    Exit code 1 if something is.

    \b
    Example:
      spielleiter results check runs/monday
    """
    wrong = 0
    for path in _databases(dirs):
        name = one_line(str(path))
        try:
            findings = check_store(path)
            with StoreReader(path) as reader:
                played = sum(reader.count_results(run.id) for run in reader.runs())
        except StoreError as error:
            wrong += 1
            echo_error(error.message, error.advice)
            continue
        if findings:
            wrong += 1
            click.echo(f"{name}: something is wrong")
            for finding in findings:
                click.echo(f"  {one_line(finding, 2000)}")
        else:
            click.echo(f"{name}: {count(played, 'game')} played by the rules, nothing is wrong")
    return ExitCode.FAILED if wrong else ExitCode.OK


# replay -------------------------------------------------------------------------------------------


@command.command("replay")
@click.argument("place", metavar="DIR", type=click.Path(path_type=Path))
@click.argument("number", metavar="N", type=WholeNumber(1))
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="its name, ending in .xml or .xml.gz  [default: a new name in the current folder]",
)
@debug_option
def replay_command(place: Path, number: int, output: Path | None) -> int:
    """Write game N of a run as a replay, with what the bots noted beside their moves.

    The numbers are those of spielleiter results DIR --games.

    \b
    Examples:
      spielleiter results replay runs/monday 17
      spielleiter results replay runs/monday 17 -o lost.xml.gz
    """
    if output is not None and not output.name.lower().endswith((".xml", ".xml.gz")):
        raise click.UsageError(f"a replay ends in .xml or .xml.gz, and {str(output)!r} does not")
    databases = _databases([place])
    try:
        with contextlib.ExitStack() as opened:
            readers = [opened.enter_context(StoreReader(path)) for path in databases]
            runs = [(reader, run) for reader in readers for run in reader.runs()]
            if len(runs) != 1:
                folders = ", ".join(one_line(str(reader.path.parent)) for reader, _ in runs[:10])
                raise CliError(
                    f"there are {len(runs)} runs in {one_line(str(place))}",
                    f"name the folder of one: {folders}" if runs else "play one first",
                )
            reader, run = runs[0]
            match = reader.match(run.id, number)
            record = record_of(reader, match)
    except StoreError as error:
        hint = f"see which there are: spielleiter results {one_line(str(place))} --games"
        raise CliError(error.message, error.advice or hint) from error
    if output is None:
        assert match.result is not None
        try:
            output = write_replay(record, Path(), match.result.finished_at, compress=True)
        except OSError as error:
            raise CliError(
                f"the replay cannot be written here: {error.strerror or error}",
                "say where with -o FILE",
            ) from error
    else:
        data = record.format_replay().encode()
        is_packed = output.name.lower().endswith(".gz")
        _write_file(output, gzip.compress(data, 6) if is_packed else data)
    click.echo(f"{one_line(str(output))} written. Look at it: spielleiter replay show {output}")
    return ExitCode.OK
