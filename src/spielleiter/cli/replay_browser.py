"""Go through recorded matches in the terminal, by keys."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import click

from spielleiter.cli.errors import CliError, echo_error
from spielleiter.cli.layout import compose_page, format_lines
from spielleiter.cli.replay_pages import page_parts
from spielleiter.replays import RecordedMatch
from spielleiter.rules import one_line

Opened = tuple[RecordedMatch, int] | CliError
"""A game and the position it is opened at, or why it cannot be shown."""

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
"""How many games a key goes. They are Tab, and Shift+Tab as terminals and Windows send it."""
_HELP = "left/right: one position   up/down: ten   Home/End: first/last   q: quit"
_HELP_SEVERAL = "arrows: positions   Tab: next game   q: quit"


class LazyMatches:
    """Matches that are read one after the other, each when somebody comes to it.

    A folder may have thousands, and reading one takes up to a second.
    """

    def __init__(self, coming: Iterator[Opened]) -> None:
        self._coming = coming
        self._read: list[Opened] = []

    def __getitem__(self, number: int) -> Opened:
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
        """Return why games that somebody came to could not be shown."""
        return [opened for opened in self._read if isinstance(opened, CliError)]


def browse(matches: LazyMatches, painted: bool) -> int:
    """Go through games by keys until somebody has seen enough.

    Return how many of them could not be shown.
    """
    several = matches.reach(1) == 1
    number = 0
    places: dict[int, int] = {}
    while several or not matches.problems():
        opened = matches[number]
        click.clear()
        if isinstance(opened, CliError):
            shown = f"{opened.message}\n  {opened.hint}\n\n{_help(number, '')}"
        else:
            index = places.setdefault(number, opened[1])
            shown = format_screen(opened[0], index, painted, number if several else None)
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
                number = matches.reach(max(0, number + _GAME_KEYS[key]))
                break
    for problem in matches.problems():
        echo_error(problem.message, problem.hint)
    return len(matches.problems())


def format_screen(
    recorded: RecordedMatch, index: int, painted: bool, number: int | None = None
) -> str:
    """Return one position and the keys in the size of the terminal.

    ``number`` is that of the match, if there are several.
    """
    columns, lines = shutil.get_terminal_size()
    head, picture, end = page_parts(recorded, index, painted)
    # The first line of the head names the file. It is left out, because with several matches the
    # line of keys names it, and with one somebody has just typed it.
    page = compose_page(head[1:], picture, end, columns, lines - 1)
    keys = (
        _HELP[: columns - 1]
        if number is None
        else _help(number, Path(recorded.source).name, columns - 1)
    )
    return f"{format_lines(page, color=painted)}\n{keys}"


def _help(number: int, file: str, columns: int = 79) -> str:
    """Return the line of keys, and before them which of several games this is.

    A file's name is cut to what is left of the line.
    """
    where = f"game {number + 1} "
    room = columns - len(where) - len(_HELP_SEVERAL) - 3
    name = one_line(file)
    if len(name) > room:
        name = name[: max(0, room - 3)] + "..." if room > 6 else ""
    return f"{where}{name}   {_HELP_SEVERAL}"[:columns]
