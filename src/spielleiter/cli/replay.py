"""Show recorded games board by board, verify them against the rules, list them, or write them as
pages (``spielleiter replay``).

It reads files of the official servers, of ours, and raw streams (see ``spielleiter.replays``).
Pages and words are in ``replay_pages``, the keys of ``show`` in ``replay_browser``.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import click

from spielleiter.cli import HelpfulGroup, debug_option
from spielleiter.cli.errors import CliError, ExitCode, echo_error
from spielleiter.cli.replay_browser import LazyMatches, Opened, browse
from spielleiter.cli.replay_files import read_games
from spielleiter.cli.replay_html import ENDINGS as PAGE_ENDINGS
from spielleiter.cli.replay_html import page_name, write_page
from spielleiter.cli.replay_pages import format_page, format_result, player_title
from spielleiter.cli.values import Seconds, WholeNumber
from spielleiter.replays import RecordedMatch, Verification, verify
from spielleiter.rules import one_line

_RULE = "=" * 72
"""Between two games that are printed one below the other."""


@click.group("replay", cls=HelpfulGroup)
@debug_option
def command() -> None:
    """Show, verify and list recorded games, or write them as pages.

    A file is a replay as the official servers of 2018, 2021 and 2027 or this one wrote it, or the
    raw stream of an observer or player; .xml or .xml.gz. Of a folder all such files are read, those
    in folders below it, too. Patterns such as *.xml.gz work in every shell. A file that cannot be
    read is named, and the others are read all the same.

    \b
    Examples:
      spielleiter replay show game.xml.gz
      spielleiter replay verify replays/*.xml
      spielleiter replay list replays
      spielleiter replay html game.xml.gz

    \b
    Exit codes:
      0    done
      1    a file cannot be read, has no such turn or room, or verify has found a difference
      2    the command line is wrong
    """


_paths = click.argument(
    "paths", nargs=-1, required=True, metavar="FILE_OR_FOLDER...", type=click.Path(path_type=Path)
)


# show ---------------------------------------------------------------------------------------------


@command.command("show")
@_paths
@click.option(
    "--turn",
    metavar="N",
    type=WholeNumber(0),
    help="the first position with this turn or a later one",
)
@click.option("--all", "everything", is_flag=True, help="print all positions, one below the other")
@click.option(
    "--room", metavar="ID", help="only the game of this room, if a file has several  [default: all]"
)
@click.option(
    "--color/--no-color",
    default=None,
    help="with colours or without  [default: with, in a terminal]",
)
@debug_option
def show_command(
    paths: Sequence[Path], turn: int | None, everything: bool, room: str | None, color: bool | None
) -> int:
    """Show recorded games, board by board.

    In a terminal the arrow keys go through a game, and Tab goes to the next one. Elsewhere, and
    with --all, positions are printed: all of them, or the one --turn names; a line of = parts the
    games.

    Exit code 1 if a file cannot be read or has no such turn or room.

    \b
    Examples:
      spielleiter replay show game.xml.gz
      spielleiter replay show game.xml --turn 40 | less
      spielleiter replay show replays
    """
    if everything and turn is not None:
        raise click.UsageError("--all and --turn contradict each other")
    painted = _wants_color() if color is None else color
    games = (_open(item, turn) for item in read_games(paths, room))
    if _is_terminal() and not everything:
        problems = browse(LazyMatches(games), painted)
    else:
        problems = _print(games, painted, one=turn is not None)
    return ExitCode.FAILED if problems else ExitCode.OK


def _open(item: RecordedMatch | CliError, turn: int | None) -> Opened:
    if isinstance(item, CliError):
        return item
    try:
        return item, 0 if turn is None else _find_turn(item, turn)
    except CliError as error:
        return error


def _print(games: Iterator[Opened], painted: bool, *, one: bool) -> int:
    """Print every position of these games, or the ``one`` each is opened at.

    Return how many could not be shown.
    """
    problems = 0
    gap = ""
    for opened in games:
        if isinstance(opened, CliError):
            problems += 1
            echo_error(opened.message, opened.hint)
            continue
        recorded, index = opened
        chosen = (index,) if one else range(len(recorded.positions))
        pages = "\n\n".join(format_page(recorded, each, painted) for each in chosen)
        click.echo(f"{gap}{pages}", color=painted)
        gap = f"\n{_RULE}\n\n"
    return problems


def _find_turn(recorded: RecordedMatch, turn: int) -> int:
    for index, other in enumerate(recorded.turns):
        if other >= turn:
            return index
    raise CliError(
        f"{one_line(recorded.source)}: no position has turn {turn} or later",
        f"the turns there are {min(recorded.turns)} to {max(recorded.turns)}",
    )


# verify -------------------------------------------------------------------------------------------


@command.command("verify")
@_paths
@debug_option
def verify_command(paths: Sequence[Path]) -> int:
    """Play recorded games again and compare every position and the result with the rules.

    Prints for each game how many positions were checked and every difference, and after several
    games the sum. Known faults of official servers are notes. Exit code 1 if there is a difference
    or a file cannot be read.

    \b
    Example:
      spielleiter replay verify replays/*.xml.gz
    """
    checked = differences = unreadable = games = 0
    for item in read_games(paths):
        if isinstance(item, CliError):
            unreadable += 1
            echo_error(item.message, item.hint)
            continue
        verification = verify(item)
        games += 1
        checked += verification.checked
        differences += len(verification.differences)
        for line in _report(verification):
            click.echo(line)
    if games + unreadable > 1:
        failed = f", {unreadable} unreadable" if unreadable else ""
        click.echo(f"{_count(games, 'game')}: {_checked(checked, differences)}{failed}")
    return ExitCode.FAILED if differences or unreadable else ExitCode.OK


def _report(verification: Verification) -> Iterator[str]:
    recorded = verification.recorded
    room = f" (room {one_line(recorded.room_id)})" if len(recorded.rooms) > 1 else ""
    summary = _checked(verification.checked, len(verification.differences))
    yield f"{one_line(recorded.source)}{room}: {recorded.game.title}, {summary}"
    yield from (f"  {one_line(str(difference))}" for difference in verification.differences)
    yield from (f"  note: {one_line(note)}" for note in verification.notes)


def _checked(positions: int, differences: int) -> str:
    return f"{_count(positions, 'position')} checked, {_count(differences, 'difference')}"


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


# html ---------------------------------------------------------------------------------------------


@command.command("html")
@click.argument("file", metavar="FILE", type=click.Path(path_type=Path))
@click.option(
    "-o",
    "--output",
    metavar="PAGE",
    type=click.Path(path_type=Path, dir_okay=False),
    help="where to write it  [default: beside the recording, with .html]",
)
@click.option("--room", metavar="ID", help="the game of this room, if a file has several")
@click.option("--analyse", is_flag=True, help="with the engine's verdict on each move")
@click.option(
    "--seconds",
    metavar="S",
    type=Seconds(above_zero=True),
    default=1.0,
    show_default=True,
    help="how long the engine thinks about each position",
)
@debug_option
def html_command(
    file: Path, output: Path | None, room: str | None, analyse: bool, seconds: float
) -> int:
    """Write a recorded game as one HTML page.

    The page opens by a double click, without a server and without the internet, with slider, keys
    and both languages. With --analyse it has a curve of how the match stood, and the better move
    beside each one that lost something, as spielleiter analyse finds them.

    Exit code 1 if the file cannot be read or the page cannot be written.

    \b
    Examples:
      spielleiter replay html game.xml.gz
      spielleiter replay html game.xml.gz -o match.html
      spielleiter replay html game.xml.gz --analyse
    """
    if output is not None and not output.name.lower().endswith(PAGE_ENDINGS):
        raise click.UsageError(f"a page ends in {PAGE_ENDINGS[0]}, and {str(output)!r} does not")
    item = next(read_games([file], room))
    if isinstance(item, CliError):
        raise item
    output = output or page_name(item)
    # Imported on first use, because only this command needs the engine, and rarely.
    from spielleiter.cli.analysing import analyse_recording

    analysis = analyse_recording(item, seconds) if analyse else None
    write_page(item, output, None if analysis is None else analysis.tell())
    click.echo(f"{one_line(str(output))} written. Open it in a browser.")
    return ExitCode.INTERRUPTED if analysis and analysis.was_interrupted else ExitCode.OK


# list ---------------------------------------------------------------------------------------------


@command.command("list")
@_paths
@debug_option
def list_command(paths: Sequence[Path]) -> int:
    """List recorded games, one line each.

    A line has the game, victory points and scores in the order of the players, the last turn, the
    players and the file.

    Exit code 1 if a file cannot be read.

    \b
    Example:
      spielleiter replay list replays
    """
    unreadable = 0
    for item in read_games(paths):
        if isinstance(item, CliError):
            unreadable += 1
            echo_error(item.message, item.hint)
            continue
        names = " - ".join(player_title(item, seat) for seat in range(item.game.seats))
        room = f" (room {one_line(item.room_id)})" if len(item.rooms) > 1 else ""
        turn = item.positions[-1].state.turn
        file = one_line(item.source)
        click.echo(
            f"{item.game.id:<22}  {format_result(item):<40}  turn {turn:>3}  {names}  {file}{room}"
        )
    return ExitCode.FAILED if unreadable else ExitCode.OK


def _is_terminal() -> bool:
    return sys.stdin.isatty() and sys.stdout.isatty()


def _wants_color() -> bool:
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR")
