"""Show recorded games board by board, verify them against the rules, or list them (``spielleiter
replay``).

Reads files of the official servers, of ours, and raw streams; see ``spielleiter.replays``. Writes
none.
"""

from __future__ import annotations

import glob
import os
import re
import shutil
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import click

from spielleiter.cli import HelpfulGroup, debug_option
from spielleiter.cli.errors import CliError, ExitCode, echo_error
from spielleiter.cli.layout import compose_page, format_lines
from spielleiter.cli.values import WholeNumber
from spielleiter.replays import RecordedMatch, Verification, read_replay, verify
from spielleiter.rules import Cause, one_line
from spielleiter.wire.errors import ReplayError

ENDINGS = (".xml", ".xml.gz")

_FAR = 1_000_000
_KEYS = {
    **dict.fromkeys(("\x1b[C", "\x1bOC", "\xe0M", "\x00M", " ", "\r", "\n", "l", "n"), 1),
    **dict.fromkeys(("\x1b[D", "\x1bOD", "\xe0K", "\x00K", "\x7f", "\x08", "h", "p"), -1),
    **dict.fromkeys(("\x1b[6~", "\x1b[B", "\x1bOB", "\xe0Q", "\x00Q", "\xe0P", "\x00P"), 10),
    **dict.fromkeys(("\x1b[5~", "\x1b[A", "\x1bOA", "\xe0I", "\x00I", "\xe0H", "\x00H"), -10),
    **dict.fromkeys(("\x1b[F", "\x1bOF", "\x1b[4~", "\x1b[8~", "\xe0O", "\x00O"), _FAR),
    **dict.fromkeys(("\x1b[H", "\x1bOH", "\x1b[1~", "\x1b[7~", "\xe0G", "\x00G"), -_FAR),
}
"""How far a key goes. Arrows and their neighbours as terminals send them, then as Windows does."""
_QUIT = frozenset({"q", "Q", "\x1b", "\x03", "\x04"})
_KEY = re.compile(r"\x1b\[[0-9;]*[A-Za-z~]|\x1bO[A-Za-z]|[\xe0\x00].|.", re.DOTALL)
_GAME_KEYS = {"\t": 1, "\x1b[Z": -1, "\x00\x0f": -1}
"""How many games a key goes: Tab, and Shift+Tab as terminals send it, then as Windows does."""
_HELP = "left/right: one position   up/down: ten   Home/End: first/last   q: quit"
_HELP_SEVERAL = "arrows: positions   Tab: next game   q: quit"
_RULE = "=" * 72
"""Between two games that are printed one below the other."""


@click.group("replay", cls=HelpfulGroup)
@debug_option
def command() -> None:
    """Show, verify and list recorded games.

    A file is a replay as the official servers of 2018, 2021 and 2027 or this one wrote it, or the
    raw stream of an
    observer or player; .xml or .xml.gz. Of a folder all such files are read, those in folders below
    it, too. Patterns
    such as *.xml.gz work in every shell. A file that cannot be read is named, and the others are
    read all the same.

    \b
    Examples:
      spielleiter replay show game.xml.gz
      spielleiter replay verify replays/*.xml
      spielleiter replay list replays

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
    with --all, positions
    are printed: all of them, or the one --turn names; a line of = parts the games.

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
    games = (_open(item, turn) for item in _read_all(paths, room))
    if _is_terminal() and not everything:
        problems = _browse(_Shelf(games), painted)
    else:
        problems = _print(games, painted, one=turn is not None)
    return ExitCode.FAILED if problems else ExitCode.OK


_Opened = tuple[RecordedMatch, int] | CliError
"""A game and the position it is opened at, or why it cannot be shown."""


def _open(item: RecordedMatch | CliError, turn: int | None) -> _Opened:
    if isinstance(item, CliError):
        return item
    try:
        return item, 0 if turn is None else _find_turn(item, turn)
    except CliError as error:
        return error


def _print(games: Iterator[_Opened], painted: bool, *, one: bool) -> int:
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
        pages = "\n\n".join(_page(recorded, each, painted) for each in chosen)
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


class _Shelf:
    """Read games one after the other, each when somebody comes to it.

    A folder may have thousands.
    """

    def __init__(self, coming: Iterator[_Opened]) -> None:
        self._coming = coming
        self._read: list[_Opened] = []

    def __getitem__(self, number: int) -> _Opened:
        return self._read[number]

    def reach(self, number: int) -> int:
        """Read on up to this game. Return its number, or that of the last one there is."""
        while len(self._read) <= number:
            opened = next(self._coming, None)
            if opened is None:
                break
            self._read.append(opened)
        return max(0, min(number, len(self._read) - 1))

    def problems(self) -> list[CliError]:
        """Why games that somebody came to could not be shown."""
        return [opened for opened in self._read if isinstance(opened, CliError)]


def _browse(shelf: _Shelf, painted: bool) -> int:
    """Go through games by keys until somebody has seen enough.

    Return how many of them could not be shown.
    """
    several = shelf.reach(1) == 1
    number = 0
    places: dict[int, int] = {}
    while several or not shelf.problems():
        opened = shelf[number]
        click.clear()
        if isinstance(opened, CliError):
            shown = f"{opened.message}\n  {opened.hint}\n\n{_help(number, '')}"
        else:
            index = places.setdefault(number, opened[1])
            shown = _screen(opened[0], index, painted, number if several else None)
        click.echo(shown, nl=False, color=painted)
        try:
            typed = click.getchar()
        except EOFError:
            break
        keys = _KEY.findall(typed)  # several, if a key is held down
        if not _QUIT.isdisjoint(keys):
            click.echo()
            break
        for key in keys:
            if isinstance(opened, tuple):
                places[number] = max(
                    0, min(places[number] + _KEYS.get(key, 0), len(opened[0].positions) - 1)
                )
            if key in _GAME_KEYS:
                number = shelf.reach(max(0, number + _GAME_KEYS[key]))
                break
    for problem in shelf.problems():
        echo_error(problem.message, problem.hint)
    return len(shelf.problems())


def _screen(recorded: RecordedMatch, index: int, painted: bool, number: int | None = None) -> str:
    """Draw one position and the keys in the size of the terminal, with its ``number`` if there are
    several games.
    """
    columns, lines = shutil.get_terminal_size()
    head, picture, end = _parts(recorded, index, painted)
    page = compose_page(
        head[1:], picture, end, columns, lines - 1
    )  # the last line, or who looks, knows the file
    keys = (
        _HELP[: columns - 1]
        if number is None
        else _help(number, Path(recorded.source).name, columns - 1)
    )
    return f"{format_lines(page, color=painted)}\n{keys}"


def _help(number: int, file: str, columns: int = 79) -> str:
    """Name the keys, and before them which of several games this is.

    A file's name is cut to what is left of the line.
    """
    where = f"game {number + 1} "
    room = columns - len(where) - len(_HELP_SEVERAL) - 3
    name = one_line(file)
    if len(name) > room:
        name = name[: max(0, room - 3)] + "..." if room > 6 else ""
    return f"{where}{name}   {_HELP_SEVERAL}"[:columns]


def _page(recorded: RecordedMatch, index: int, painted: bool) -> str:
    """One position with all that is known about it."""
    head, picture, end = _parts(recorded, index, painted)
    return "\n".join((*head, "", picture, *(["", *end] if end else [])))


def _parts(recorded: RecordedMatch, index: int, painted: bool) -> tuple[list[str], str, list[str]]:
    """What is to be said before a position, its picture, and what is to be said after it."""
    position = recorded.positions[index]
    seats = range(recorded.game.seats)
    players = " against ".join(_who(recorded, seat) for seat in seats)
    lines = [
        f"{one_line(recorded.source)}: {recorded.game.title}, {players}",
        (
            f"position {index + 1} of {len(recorded.positions)}, turn "
            f"{position.state.turn}{_move(recorded, index)}"
        ),
    ]
    lines += [f"hint: {one_line(hint)}" for hint in position.hints]
    standing = zip(seats, position.state.outcome().scores, strict=True)
    lines.append(
        "score: "
        + "; ".join(f"{_who(recorded, seat)} {_numbers(recorded, part)}" for seat, part in standing)
    )
    is_last = index == len(recorded.positions) - 1
    return (
        lines,
        recorded.game.picture(position.state, color=painted),
        list(_ending(recorded)) if is_last else [],
    )


def _move(recorded: RecordedMatch, index: int) -> str:
    position = recorded.positions[index]
    move = position.state.last_move
    if move is None:
        return ""
    mover = (
        f"{_who(recorded, recorded.positions[index - 1].state.seat)} played "
        if index
        else "last move "
    )
    seconds = "" if position.seconds is None else f" in {position.seconds:.3f} s"
    return f": {mover}{one_line(recorded.game.format_move(move))}{seconds}"


def _ending(recorded: RecordedMatch) -> Iterator[str]:
    """How it ended, and what was unusual about the recording."""
    if recorded.complaint is not None:
        yield f"error: {one_line(recorded.complaint)}"
    outcome = recorded.outcome
    if outcome is not None:
        winner = "draw" if outcome.winner is None else f"{_who(recorded, outcome.winner)} wins"
        yield f"result: {winner}, {_result(recorded, winner_first=True)}"
        for seat, line in enumerate(outcome.seats):
            if line.cause is not Cause.REGULAR:
                reason = f": {one_line(line.reason.en)}" if line.reason.en else ""
                yield f"{_who(recorded, seat)}: {line.cause.value}{reason}"
    yield from (
        f"note: {one_line(note)}" for note in (*recorded.notes, recorded.variant_note) if note
    )


# verify -------------------------------------------------------------------------------------------


@command.command("verify")
@_paths
@debug_option
def verify_command(paths: Sequence[Path]) -> int:
    """Play recorded games again and compare every position and the result with the rules.

    Prints for each game how many positions were checked and every difference, and after several
    games the sum. Known
    faults of official servers are notes. Exit code 1 if there is a difference or a file cannot be
    read.

    \b
    Example:
      spielleiter replay verify replays/*.xml.gz
    """
    checked = differences = unreadable = games = 0
    for item in _read_all(paths):
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


# list ---------------------------------------------------------------------------------------------


@command.command("list")
@_paths
@debug_option
def list_command(paths: Sequence[Path]) -> int:
    """List recorded games, one line each: game, victory points and scores in the order of the
    players, last turn, players, file.

    Exit code 1 if a file cannot be read.

    \b
    Example:
      spielleiter replay list replays
    """
    unreadable = 0
    for item in _read_all(paths):
        if isinstance(item, CliError):
            unreadable += 1
            echo_error(item.message, item.hint)
            continue
        names = " - ".join(_who(item, seat) for seat in range(item.game.seats))
        room = f" (room {one_line(item.room_id)})" if len(item.rooms) > 1 else ""
        turn = item.positions[-1].state.turn
        file = one_line(item.source)
        click.echo(
            f"{item.game.id:<22}  {_result(item):<40}  turn {turn:>3}  {names}  {file}{room}"
        )
    return ExitCode.FAILED if unreadable else ExitCode.OK


def _read_all(paths: Sequence[Path], room: str | None = None) -> Iterator[RecordedMatch | CliError]:
    """Read every game in these files and folders, or the one of this room in each.

    Give the error where there is none.
    """
    for path in _expand(paths):
        files = _replays_below(path) if path.is_dir() else [path]
        if not files:
            yield CliError(
                f"{one_line(str(path))}: no file there ends in {' or '.join(ENDINGS)}",
                "name the folder your games are in; spielleiter play --save-replays DIR keeps them",
            )
        for file in files:
            try:
                first = read_replay(file, room)
                yield first
                for other in first.rooms if room is None else ():
                    if other != first.room_id:
                        yield read_replay(file, other)
            except ReplayError as error:
                yield CliError(str(error), _advice(file))


def _expand(paths: Sequence[Path]) -> Iterator[Path]:
    """Find files and folders by name or by pattern.

    Shells on Windows leave patterns to the program.

    A pattern that nothing fits stays as it is, and is then complained about as a file that is not
    there.
    """
    for path in paths:
        text = os.path.expanduser(path)  # noqa: PTH111 - Path's raises where there is no such user
        is_pattern = glob.has_magic(text) and not os.path.lexists(text)
        found = sorted(glob.glob(text, recursive=True)) if is_pattern else []  # noqa: PTH207 - it may be absolute
        yield from map(Path, found or [text])


def _replays_below(folder: Path) -> list[Path]:
    return sorted(
        file for file in folder.rglob("*") if file.name.lower().endswith(ENDINGS) and file.is_file()
    )


# words --------------------------------------------------------------------------------------------


def _who(recorded: RecordedMatch, seat: int) -> str:
    name, title = one_line(recorded.names[seat]).strip(), recorded.game.seat_names[seat].en
    return f"{name} ({title})" if name else title


def _result(recorded: RecordedMatch, *, winner_first: bool = False) -> str:
    """Format the result as ``2:0 (137 : 131)``, with what was irregular.

    Seats keep their order unless the winner is to come first.
    """
    outcome = recorded.outcome
    if outcome is None:
        return "no result"
    seats = outcome.winner_first if winner_first else range(len(outcome.seats))
    points = ":".join(str(outcome.seats[seat].points) for seat in seats)
    scores = recorded.game.describe_scores([outcome.scores[seat] for seat in seats]).en
    causes = "".join(
        f" {line.cause.value}" for line in outcome.seats if line.cause is not Cause.REGULAR
    )
    return f"{points} ({scores}){causes}"


def _numbers(recorded: RecordedMatch, parts: Sequence[int]) -> str:
    """One seat's numbers, which for a game with a single one is that."""
    return recorded.game.describe_scores([parts]).en


def _advice(file: Path) -> str:
    """Say what to do about a file that could not be read."""
    if not file.exists():
        return (
            f"check its name; replays end in {' or '.join(ENDINGS)}, and a folder of them "
            "can be named, too"
        )
    return "it should be a replay, or what a server sent: see spielleiter replay --help"


def _is_terminal() -> bool:
    return sys.stdin.isatty() and sys.stdout.isatty()


def _wants_color() -> bool:
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR")
