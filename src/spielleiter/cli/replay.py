"""``spielleiter replay``: recorded games shown board by board, verified against the rules, listed.

Reads files of the official servers, of ours, and raw streams; see ``spielleiter.replays``. Writes none.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import click

from spielleiter.cli import debug_option
from spielleiter.cli.errors import CliError, ExitCode, echo_error
from spielleiter.cli.layout import compose_page, format_lines
from spielleiter.replays import RecordedGame, Verification, read_replay, verify
from spielleiter.rules import Cause, ReplayError

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
_HELP = "left/right: one position   up/down: ten   Home/End: first/last   q: quit"


@click.group("replay", context_settings={"help_option_names": ["--help"]})
@debug_option
def command() -> None:
    """Show, verify and list recorded games.

    FILE is a replay as the official servers of 2018, 2021 and 2027 or this one wrote it, or the raw stream of an
    observer or player; .xml or .xml.gz.

    \b
    Examples:
      spielleiter replay show game.xml.gz
      spielleiter replay verify replays/*.xml
      spielleiter replay list replays
    """


_paths = click.argument("paths", nargs=-1, required=True, metavar="FILE_OR_FOLDER...", type=click.Path(path_type=Path))


# show ----------------------------------------------------------------------------------------------


@command.command("show")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--turn", metavar="N", type=click.IntRange(0), help="the first position with this turn or a later one")
@click.option("--all", "everything", is_flag=True, help="print all positions, one below the other")
@click.option("--room", metavar="ID", help="which game, if the file has several  [default: the first]")
@click.option("--color/--no-color", default=None, help="with colours or without  [default: with, in a terminal]")
@debug_option
def show_command(file: Path, turn: int | None, everything: bool, room: str | None, color: bool | None) -> None:
    """Show a recorded game, board by board.

    In a terminal the arrow keys go through the game. Elsewhere, and with --all, positions are printed: all of
    them, or the one --turn names.

    \b
    Examples:
      spielleiter replay show game.xml.gz
      spielleiter replay show game.xml --turn 40 | less
    """
    if everything and turn is not None:
        raise click.UsageError("--all and --turn contradict each other")
    try:
        recorded = read_replay(file, room)
    except ReplayError as error:
        raise CliError(_clean(str(error)), _advice(file)) from error
    painted = _wants_color() if color is None else color
    index = 0 if turn is None else _find_turn(recorded, turn)
    if _is_terminal() and not everything:
        _browse(recorded, index, painted)
    else:
        chosen = range(len(recorded.positions)) if turn is None else (index,)
        click.echo("\n\n".join(_page(recorded, each, painted) for each in chosen), color=painted)


def _find_turn(recorded: RecordedGame, turn: int) -> int:
    for index, other in enumerate(recorded.turns):
        if other >= turn:
            return index
    raise CliError(
        f"{_clean(recorded.source)}: no position has turn {turn} or later",
        f"the turns there are {min(recorded.turns)} to {max(recorded.turns)}",
    )


def _browse(recorded: RecordedGame, index: int, painted: bool) -> None:
    while True:
        click.clear()
        click.echo(_screen(recorded, index, painted), nl=False, color=painted)
        try:
            typed = click.getchar()
        except EOFError:
            return
        for key in _KEY.findall(typed):  # several, if a key is held down
            if key in _QUIT:
                click.echo()
                return
            index = max(0, min(index + _KEYS.get(key, 0), len(recorded.positions) - 1))


def _screen(recorded: RecordedGame, index: int, painted: bool) -> str:
    """One position and the keys, in the size of the terminal."""
    columns, lines = shutil.get_terminal_size()
    head, picture, end = _parts(recorded, index, painted)
    page = compose_page(head[1:], picture, end, columns, lines - 1)  # whoever looks knows which file it is
    return f"{format_lines(page, color=painted)}\n{_HELP[: columns - 1]}"


def _page(recorded: RecordedGame, index: int, painted: bool) -> str:
    """One position with all that is known about it."""
    head, picture, end = _parts(recorded, index, painted)
    return "\n".join((*head, "", picture, *(["", *end] if end else [])))


def _parts(recorded: RecordedGame, index: int, painted: bool) -> tuple[list[str], str, list[str]]:
    """What is to be said before a position, its picture, and what is to be said after it."""
    position = recorded.positions[index]
    seats = range(recorded.game.seats)
    lines = [
        f"{_clean(recorded.source)}: {recorded.game.title}, {' against '.join(_who(recorded, seat) for seat in seats)}",
        f"position {index + 1} of {len(recorded.positions)}, turn {position.state.turn}{_move(recorded, index)}",
    ]
    lines += [f"hint: {_clean(hint)}" for hint in position.hints]
    standing = zip(seats, position.state.outcome().scores, strict=True)
    lines.append("score: " + "; ".join(f"{_who(recorded, seat)} {_numbers(recorded, part)}" for seat, part in standing))
    is_last = index == len(recorded.positions) - 1
    return lines, recorded.game.picture(position.state, color=painted), list(_ending(recorded)) if is_last else []


def _move(recorded: RecordedGame, index: int) -> str:
    position = recorded.positions[index]
    move = position.state.last_move
    if move is None:
        return ""
    mover = f"{_who(recorded, recorded.positions[index - 1].state.seat)} played " if index else "last move "
    seconds = "" if position.seconds is None else f" in {position.seconds:.3f} s"
    return f": {mover}{_clean(recorded.game.format_move(move))}{seconds}"


def _ending(recorded: RecordedGame) -> Iterator[str]:
    """How it ended, and what was unusual about the recording."""
    if recorded.complaint is not None:
        yield f"error: {_clean(recorded.complaint)}"
    outcome = recorded.outcome
    if outcome is not None:
        winner = "draw" if outcome.winner is None else f"{_who(recorded, outcome.winner)} wins"
        yield f"result: {winner}, {_result(recorded, winner_first=True)}"
        for seat, line in enumerate(outcome.seats):
            if line.cause is not Cause.REGULAR:
                reason = f": {_clean(line.reason.en)}" if line.reason.en else ""
                yield f"{_who(recorded, seat)}: {line.cause.value}{reason}"
    yield from (f"note: {_clean(note)}" for note in (*recorded.notes, recorded.variant_note) if note)


# verify --------------------------------------------------------------------------------------------


@command.command("verify")
@_paths
@debug_option
def verify_command(paths: Sequence[Path]) -> int:
    """Play recorded games again and compare every position and the result with the rules.

    Prints for each game how many positions were checked and every difference. Known faults of official servers
    are notes. Exit code 1 if there is a difference or a file cannot be read.

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
    room = f" (room {_clean(recorded.room_id)})" if len(recorded.rooms) > 1 else ""
    summary = _checked(verification.checked, len(verification.differences))
    yield f"{_clean(recorded.source)}{room}: {recorded.game.title}, {summary}"
    yield from (f"  {_clean(str(difference))}" for difference in verification.differences)
    yield from (f"  note: {_clean(note)}" for note in verification.notes)


def _checked(positions: int, differences: int) -> str:
    return f"{_count(positions, 'position')} checked, {_count(differences, 'difference')}"


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


# list ----------------------------------------------------------------------------------------------


@command.command("list")
@_paths
@debug_option
def list_command(paths: Sequence[Path]) -> int:
    """List recorded games, one line each: game, victory points and scores, last turn, players, file.

    Of a folder all .xml and .xml.gz files are read, those in folders below it, too. Exit code 1 if one of them
    cannot be read.

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
        room = f" (room {_clean(item.room_id)})" if len(item.rooms) > 1 else ""
        turn = item.positions[-1].state.turn
        file = _clean(item.source)
        click.echo(f"{item.game.id:<22}  {_result(item):<40}  turn {turn:>3}  {names}  {file}{room}")
    return ExitCode.FAILED if unreadable else ExitCode.OK


def _read_all(paths: Sequence[Path]) -> Iterator[RecordedGame | CliError]:
    """Every game in these files and folders, or why there is none."""
    for path in paths:
        files = _replays_below(path) if path.is_dir() else [path]
        if not files:
            yield CliError(
                f"{_clean(str(path))}: no file there ends in {' or '.join(ENDINGS)}",
                "name the folder your games are in; spielleiter play --save-replays DIR keeps them",
            )
        for file in files:
            try:
                first = read_replay(file)
                yield first
                for room in first.rooms:
                    if room != first.room_id:
                        yield read_replay(file, room)
            except ReplayError as error:
                yield CliError(_clean(str(error)), _advice(file))


def _replays_below(folder: Path) -> list[Path]:
    return sorted(file for file in folder.rglob("*") if file.name.lower().endswith(ENDINGS) and file.is_file())


# words ---------------------------------------------------------------------------------------------


def _who(recorded: RecordedGame, seat: int) -> str:
    name, title = _clean(recorded.names[seat]).strip(), recorded.game.seat_names[seat].en
    return f"{name} ({title})" if name else title


def _result(recorded: RecordedGame, *, winner_first: bool = False) -> str:
    """``2:0 (137 : 131)``, with what was irregular; in the order of the seats unless the winner is to come first."""
    outcome = recorded.outcome
    if outcome is None:
        return "no result"
    seats = outcome.winner_first if winner_first else range(len(outcome.seats))
    points = ":".join(str(outcome.seats[seat].points) for seat in seats)
    scores = recorded.game.describe_scores([outcome.scores[seat] for seat in seats]).en
    causes = "".join(f" {line.cause.value}" for line in outcome.seats if line.cause is not Cause.REGULAR)
    return f"{points} ({scores}){causes}"


def _numbers(recorded: RecordedGame, parts: Sequence[int]) -> str:
    """One seat's numbers, which for a game with a single one is that."""
    return recorded.game.describe_scores([parts]).en


def _clean(text: str) -> str:
    """On one line, and without what a terminal would obey: the text may come from anyone."""
    return "".join(char if char.isprintable() else " " if char.isspace() else "\ufffd" for char in text)


def _advice(file: Path) -> str:
    """What to do about a file that could not be read."""
    if file.is_dir():
        return f"name a file in it: spielleiter replay list {_clean(shlex.quote(str(file)))} lists them"
    if not file.exists():
        return f"check its name; replays end in {' or '.join(ENDINGS)}, and a folder of them can be listed"
    return "it should be a replay, or what a server sent: see spielleiter replay --help"


def _is_terminal() -> bool:
    return sys.stdin.isatty() and sys.stdout.isatty()


def _wants_color() -> bool:
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR")
