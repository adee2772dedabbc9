"""Read what a tournament shall be from a TOML file, and refuse every mistake with its line.

The bots that it names are not looked for here, and nothing is started.
"""

from __future__ import annotations

import difflib
import math
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from spielleiter.arena.bots import HUMAN, LONGEST_NAME
from spielleiter.arena.lookup import path_of
from spielleiter.arena.pairing.openings import MOST_MOVES
from spielleiter.arena.pairing.schedule import CONTEST_MATCHES, MOST_BOTS
from spielleiter.arena.runs.machine import MOST_PARALLEL
from spielleiter.arena.runs.toml_lines import KeyPath, key_lines, line_of
from spielleiter.games import EXAMPLES
from spielleiter.replays.files import open_regular
from spielleiter.rules import one_line

FORMS = ("round-robin", "double-round-robin", "gauntlet", "swiss", "knockout")
MOST_GAMES = 1000
"""Of one encounter."""
MOST_SECONDS = 10_000.0
MOST_SEED = 2**53
"""Whole numbers up to here are the same in every JSON reader."""
_MOST_BYTES = 1024 * 1024
_WHERE = re.compile(r"\s*\(at (?:line (\d+), column \d+|end of document)\)$")


class TournamentFileError(Exception):
    """Say what is wrong with a file, and on which line. ``hint`` says what to do."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


@dataclass(frozen=True, slots=True)
class Entrant:
    """A bot that is to take part. ``start`` is what ``find_bot`` takes where the file is."""

    start: str
    name: str | None = None
    line: int = 0
    """In the file."""


@dataclass(frozen=True, slots=True)
class TournamentFile:
    """What a file says. What it does not say has the default."""

    path: Path
    bots: tuple[Entrant, ...] = ()
    folder: Path | None = None
    """Every bot in it takes part as well. The path is meant from where the file is."""
    game: str | None = None
    form: str = FORMS[0]
    games: int = CONTEST_MATCHES
    """Of an encounter."""
    rounds: int | None = None
    challengers: tuple[str, ...] = ()
    third_place: bool = False
    time: float | None = None
    """Seconds a move may take. None for the contest's."""
    opening_moves: int | None = None
    seed: int | None = None
    parallel: int | None = None
    sockets: bool = False
    out: Path | None = None
    lines: Mapping[KeyPath, int] = field(default_factory=dict)

    def error(self, path: KeyPath, message: str, hint: str = "") -> TournamentFileError:
        """Return the error about a key of this file."""
        return _error(self.path, line_of(self.lines, path), message, hint)

    def error_about(self, entrant: Entrant, message: str, hint: str = "") -> TournamentFileError:
        """Return the error about a bot that this file names."""
        return _error(self.path, entrant.line, message, hint)


def _error(path: Path, line: int, message: str, hint: str = "") -> TournamentFileError:
    return TournamentFileError(f"{path}, line {line}: {message}", hint)


def read_tournament(path: Path) -> TournamentFile:
    """Read a file. Bots in it are meant from where it is. Raises TournamentFileError."""
    text = _read_text(path)
    try:
        values = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise _syntax_error(path, text, str(error)) from None
    except RecursionError:
        raise TournamentFileError(
            f"{path} has too many brackets inside each other", "see docs/tournaments.md"
        ) from None
    return _Reader(path, values, key_lines(text)).read()


def _read_text(path: Path) -> str:
    try:
        with open_regular(path) as file:
            content = file.read(_MOST_BYTES + 1)
    except OSError as error:
        raise TournamentFileError(
            f"{path} cannot be read: {error.strerror or error}",
            "name a file that is there, or a folder with bots: --bots FOLDER",
        ) from None
    if len(content) > _MOST_BYTES:
        raise TournamentFileError(f"{path} is longer than a megabyte", "see docs/tournaments.md")
    try:
        # Editors on Windows put a mark in front, which TOML does not know.
        return content.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        raise _error(path, line, "this is not UTF-8", "save the file as UTF-8") from None


def _syntax_error(path: Path, text: str, said: str) -> TournamentFileError:
    found = _WHERE.search(said)
    lines = text.splitlines() or [""]
    number = int(found[1]) if found and found[1] else len(lines)
    what = _WHERE.sub("", said)
    shown = lines[min(number, len(lines)) - 1].strip()
    hint = 'a line is: key = value; texts stand in quotation marks, such as form = "swiss"'
    if what.startswith(("Cannot overwrite", "Cannot declare")):
        hint = "take one of the two lines away"
    return _error(path, number, f"this is not TOML: {what}: {one_line(shown, 60)}", hint)


@dataclass(frozen=True, slots=True)
class _Key:
    """A key that may be in a file, with what it must be and for which form it is."""

    allowed: str
    form: str | None = None


KEYS = {
    "game": _Key(f'the id of a game, such as "{EXAMPLES[0]}"'),
    "form": _Key("one of " + ", ".join(f'"{form}"' for form in FORMS)),
    "games": _Key(f"a whole number from 1 to {MOST_GAMES}, of games in each encounter"),
    "rounds": _Key(f"a whole number from 1 to {MOST_BOTS}", "swiss"),
    "challengers": _Key("a list of names of bots", "gauntlet"),
    "third-place": _Key("true or false", "knockout"),
    "time": _Key(f"a number of seconds above 0, up to {MOST_SECONDS:.0f}"),
    "opening-moves": _Key(f"a whole number from 0 to {MOST_MOVES}"),
    "seed": _Key(f"a whole number from 0 to {MOST_SEED}"),
    "parallel": _Key(f"a whole number from 1 to {MOST_PARALLEL}"),
    "sockets": _Key("true or false"),
    "out": _Key("the path of a folder"),
    "folder": _Key("the path of a folder with bots"),
    "bots": _Key('a list of bots, such as ["greedy", "anna.py"]'),
    "bot": _Key("a table: a line [[bot]] for each bot, and below it start = ... and name = ..."),
}
"""All that a file may say, besides what is in the tables of bots."""
_BOT_KEYS = {
    "start": _Key("what is started: the name of a house bot, a file, a folder, or a command"),
    "name": _Key(f"a text of 1 to {LONGEST_NAME} characters"),
}


class _Reader:
    """Check the values of one file."""

    def __init__(self, path: Path, values: Mapping[str, Any], lines: Mapping[KeyPath, int]) -> None:
        self._path = path
        self._values = values
        self._lines = lines

    def read(self) -> TournamentFile:
        self._check_keys(self._values, KEYS, ())
        form = self._values.get("form", FORMS[0])
        if form not in FORMS:
            close = difflib.get_close_matches(str(form), FORMS, n=1)
            raise self._wrong(("form",), form, f'did you mean "{close[0]}"?' if close else "")
        self._check_form(form)
        out, folder = (self._text(key) for key in ("out", "folder"))
        bots = self._bots()
        if not bots and folder is None:
            raise _error(
                self._path,
                1,
                "no bots are named",
                'name some, such as bots = ["greedy", "random"], or a folder with bots: '
                'folder = "pupils"',
            )
        return TournamentFile(
            path=self._path,
            bots=bots,
            folder=None if folder is None else path_of(folder),
            game=self._text("game"),
            form=form,
            games=self._number("games", 1, MOST_GAMES) or CONTEST_MATCHES,
            rounds=self._number("rounds", 1, MOST_BOTS),
            challengers=self._challengers(),
            third_place=self._flag("third-place"),
            time=self._seconds("time"),
            opening_moves=self._number("opening-moves", 0, MOST_MOVES),
            seed=self._number("seed", 0, MOST_SEED),
            parallel=self._number("parallel", 1, MOST_PARALLEL),
            sockets=self._flag("sockets"),
            out=None if out is None else self._path.parent / path_of(out),
            lines=self._lines,
        )

    # What may be there

    def _check_keys(
        self, values: Mapping[str, Any], known: Mapping[str, _Key], where: KeyPath
    ) -> None:
        for key in values:
            if key in known:
                continue
            close = difflib.get_close_matches(key.replace("_", "-").lower(), known, n=1)
            hint = f"did you mean {close[0]}? " if close else ""
            owner = "a bot" if where else "a tournament"
            raise self._error(
                (*where, key),
                f"{owner} has no key {key!r}",
                f"{hint}there are {', '.join(known)}",
            )

    def _check_form(self, form: str) -> None:
        for name, key in KEYS.items():
            if name in self._values and key.form not in (None, form):
                raise self._error(
                    (name,),
                    f'{name} is for form = "{key.form}", and this is "{form}"',
                    "take the line away, or change the form",
                )

    # Values of each kind

    def _text(self, key: str) -> str | None:
        value = self._values.get(key)
        if value is not None and not (isinstance(value, str) and value.strip()):
            raise self._wrong((key,), value)
        return value

    def _flag(self, key: str) -> bool:
        value = self._values.get(key, False)
        if not isinstance(value, bool):
            raise self._wrong((key,), value)
        return value

    def _number(self, key: str, least: int, most: int) -> int | None:
        value = self._values.get(key)
        if value is None:
            return None
        if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
            raise self._wrong((key,), value)
        return value

    def _seconds(self, key: str) -> float | None:
        value = self._values.get(key)
        if value is None:
            return None
        if not isinstance(value, int | float) or isinstance(value, bool):
            raise self._wrong((key,), value)
        seconds = float(value) if abs(value) <= MOST_SECONDS else math.inf
        if not 0 < seconds <= MOST_SECONDS:
            raise self._wrong((key,), value)
        return seconds

    # Bots

    def _bots(self) -> tuple[Entrant, ...]:
        found = [*self._listed(), *self._tables()]
        if len(found) > MOST_BOTS:
            raise _error(
                self._path,
                found[MOST_BOTS].line,
                f"these are {len(found)} bots",
                f"a tournament has {MOST_BOTS} at most",
            )
        names: dict[str, Entrant] = {}
        for entrant in found:
            if entrant.name is None:
                continue
            other = names.setdefault(entrant.name, entrant)
            if other is not entrant:
                raise _error(
                    self._path,
                    entrant.line,
                    f"the name {entrant.name!r} is there twice, first in line {other.line}",
                    "give one of the two another name",
                )
        return tuple(found)

    def _listed(self) -> list[Entrant]:
        values = self._values.get("bots", [])
        if not isinstance(values, list):
            raise self._wrong(("bots",), values)
        for number, value in enumerate(values):
            if not isinstance(value, str) or not value.strip():
                raise self._error(
                    ("bots", number), f"{_shown(value)} is not a bot", f"bots is {_allowed('bots')}"
                )
        return [self._entrant(value, None, ("bots", number)) for number, value in enumerate(values)]

    def _tables(self) -> list[Entrant]:
        tables = self._values.get("bot", [])
        if not isinstance(tables, list):
            raise self._error(("bot",), f"bot is not {_allowed('bot')}", "see docs/tournaments.md")
        found = []
        for number, bot in enumerate(tables):
            where = ("bot", number)
            if not isinstance(bot, dict):
                raise self._error(where, f"bot is not {_allowed('bot')}", "see docs/tournaments.md")
            self._check_keys(bot, _BOT_KEYS, where)
            start, name = bot.get("start"), bot.get("name")
            if start is None:
                raise self._error(where, "this bot has no start", 'add start = "FILE" below it')
            if not isinstance(start, str) or not start.strip():
                raise self._wrong((*where, "start"), start)
            if name is not None and not (
                isinstance(name, str) and name.strip() and len(name) <= LONGEST_NAME
            ):
                raise self._wrong((*where, "name"), name)
            found.append(self._entrant(start, name, (*where, "start")))
        return found

    def _entrant(self, start: str, name: str | None, where: KeyPath) -> Entrant:
        line = line_of(self._lines, where)
        if start == HUMAN:
            raise _error(self._path, line, "people cannot take part", "name a bot")
        return Entrant(start, name, line)

    def _challengers(self) -> tuple[str, ...]:
        values = self._values.get("challengers", [])
        if not isinstance(values, list):
            raise self._wrong(("challengers",), values)
        for number, value in enumerate(values):
            if not isinstance(value, str):
                raise self._wrong(("challengers", number), value)
        if "challengers" in self._values and not values:
            raise self._error(
                ("challengers",), "this list is empty", "name a bot, or take the line away"
            )
        return tuple(values)

    # Complaints

    def _error(self, where: KeyPath, message: str, hint: str) -> TournamentFileError:
        return _error(self._path, line_of(self._lines, where), message, hint)

    def _wrong(self, where: KeyPath, value: object, hint: str = "") -> TournamentFileError:
        names = [key for key in where if isinstance(key, str)]
        keys = _BOT_KEYS if names[0] == "bot" else KEYS
        allowed = keys[names[-1]].allowed
        return self._error(
            where, f"{names[-1]} is {_shown(value)}", hint or f"it must be {allowed}"
        )


def _allowed(key: str) -> str:
    return KEYS[key].allowed


def _shown(value: object) -> str:
    """Return a value as it is written in TOML, or nearly so."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return f'"{one_line(value, 40)}"'
    return one_line(str(value), 40)
