"""List, filter, join, export and check what runs left behind, and make reports and replays of it
(``spielleiter results``).

Everything is read from the databases of runs, and nothing in them is changed.
"""

from __future__ import annotations

import contextlib
import gzip
import io
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, TypeVar

import click

from spielleiter.arena.results.choice import TROUBLE
from spielleiter.arena.results.exports import Chosen, write_csv, write_json
from spielleiter.arena.results.report.figures import move_times
from spielleiter.arena.results.report.language import LANGUAGES, Language
from spielleiter.arena.results.report.page import render_report
from spielleiter.arena.store.check import check_store
from spielleiter.arena.store.errors import StoreError
from spielleiter.arena.store.reader import StoreReader
from spielleiter.arena.store.replay import record_of
from spielleiter.cli import HelpfulGroup, debug_option
from spielleiter.cli.errors import CliError, ExitCode, echo_error
from spielleiter.cli.result_lines import count
from spielleiter.cli.results_files import print_exactly, write_file
from spielleiter.cli.results_pages import describe_joint, describe_run, format_games, replay_hint
from spielleiter.cli.results_runs import Filter, Runs, explained, find_databases
from spielleiter.cli.terminal import system_language
from spielleiter.cli.values import WholeNumber, Word
from spielleiter.replays.saves import write_replay
from spielleiter.rules import DRAW, LOSS, WIN, one_line

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
    chosen = Filter(**wanted)
    with Runs(dirs, game_id) as runs:
        if chosen.asks or every:
            _list_games(chosen.choose(runs.by_game()))
        else:
            _list_runs(runs)
        return runs.exit_code


def _list_runs(runs: Runs) -> None:
    gap = ""
    for collection, failures in runs.with_failures():
        click.echo(gap + "\n".join(describe_run(collection, failures)))
        gap = "\n"
    for joint in runs.by_game():
        if len(joint.runs) > 1:
            click.echo(gap + "\n".join(describe_joint(joint)))


def _list_games(chosen: Iterator[Chosen]) -> None:
    for one in chosen:
        for line in format_games(one.collection, one.matches):
            click.echo(line)
        total = len(one.collection.matches)
        click.echo(f"{len(one.matches):,} of {count(total, 'game')}. ", nl=False)
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
    chosen = Filter(**wanted)
    write = write_csv if form == "csv" else write_json
    with Runs(dirs, game_id) as runs:
        text = io.StringIO(newline="")
        number = write(list(chosen.choose(runs.by_game())), text)
        if output is None:
            print_exactly(text.getvalue())
        else:
            write_file(output, text.getvalue().encode())
            click.echo(f"{one_line(str(output))}: {count(number, 'game')}", err=True)
        return runs.exit_code


# report -------------------------------------------------------------------------------------------


@command.command("report")
@_dirs
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    type=click.Path(path_type=Path),
    default=Path("report.html"),
    show_default=True,
    help="where to write it",
)
@click.option(
    "--language",
    metavar="|".join(LANGUAGES),
    type=Word(*LANGUAGES),
    help="of the report  [default: German where the system is, else English]",
)
@_game_option
@debug_option
def report_command(
    dirs: Sequence[Path], output: Path, language: str | None, game_id: str | None
) -> int:
    """Write a report with tables and plots, in one HTML file that needs nothing but a browser.

    Runs of one game are joined.

    \b
    Examples:
      spielleiter results report runs/monday
      spielleiter results report runs -o report.html --language de
    """
    with Runs(dirs, game_id) as runs:
        joint = runs.by_game()
        if len(joint) != 1:
            games = ", ".join(one.game.id for one in joint)
            raise CliError(
                "a report is about one game" if joint else "there is nothing to report",
                f"choose one with --game: {games}" if joint else "",
            )
        try:
            times = move_times(runs.places, joint[0])
        except StoreError as error:
            raise explained(error) from error
        page = render_report(joint[0], times, Language(language or system_language()))
        write_file(output, page.encode())
        click.echo(f"{one_line(str(output))} written. Open it in a browser.")
        return runs.exit_code


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
    for path in find_databases(dirs):
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
    databases = find_databases([place])
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
        write_file(output, gzip.compress(data, 6) if is_packed else data)
    click.echo(f"{one_line(str(output))} written. Look at it: spielleiter replay show {output}")
    return ExitCode.OK
