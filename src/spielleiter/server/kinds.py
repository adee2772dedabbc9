"""Read the values of settings, from text or from a TOML value.

Each kind reads both and raises ValueError for anything else; ``allowed`` says in words what would
have been right.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from spielleiter.games import DEFAULT, get_game

_SIZE = re.compile(r"([0-9]{1,15})\s*([km]?)(?:i?b)?", re.IGNORECASE)
_FACTORS = {"": 1, "k": 1024, "m": 1024**2}
_LONGEST = 1_000_000
"""Seconds that can be set at most, eleven days. Timers of the system overflow somewhere above."""
_WORDS = {
    "true": True,
    "yes": True,
    "on": True,
    "1": True,
    "false": False,
    "no": False,
    "off": False,
    "0": False,
}


@dataclass(frozen=True, slots=True)
class Kind:
    """How to read a value, what a help text calls it, and what is allowed."""

    metavar: str
    allowed: str
    read: Callable[[object], object]


def about(section: str, kind: Kind, text: str, *flags: str) -> Mapping[str, Any]:
    """Return what the field of a setting says about itself, for ``field(metadata=...)``.

    Without ``flags`` the setting has the flag that follows from its name.
    """
    return {"section": section, "kind": kind, "help": text, "flags": flags}


def _read_text(raw: object) -> str:
    if not isinstance(raw, str):
        raise ValueError("not a text")
    return raw.strip()


def _read_password(raw: object) -> str | None:
    """Return the password, or None if it is empty.

    An empty password would let everybody in, so it means that nobody gets in (W62).
    """
    if not isinstance(raw, str | None):
        raise ValueError("not a text")
    return raw or None


def _read_boolean(raw: object) -> bool:
    if isinstance(raw, bool):
        return raw
    word = _read_text(raw).lower()
    if word not in _WORDS:
        raise ValueError("neither true nor false")
    return _WORDS[word]


def _read_whole(raw: object) -> int:
    if isinstance(raw, str) and re.fullmatch(r"\s*[+-]?[0-9]{1,15}\s*", raw):
        return int(raw)
    if isinstance(raw, bool) or not isinstance(raw, int):
        raise ValueError("not a whole number")
    return raw


def _read_seconds(raw: object) -> float:
    if isinstance(raw, bool) or not isinstance(raw, str | int | float):
        raise ValueError("not a number")
    seconds = float(raw) if isinstance(raw, str) else raw
    if not 0 < seconds <= _LONGEST:  # false for nan, too
        raise ValueError("out of range")
    return float(seconds)


def _read_size(raw: object) -> int:
    found = _SIZE.fullmatch(raw.strip()) if isinstance(raw, str) else None
    size = _read_whole(raw) if found is None else int(found[1]) * _FACTORS[found[2].lower()]
    if size < 1:
        raise ValueError("not above 0")
    return size


def _read_path(raw: object) -> Path | None:
    if raw is None or isinstance(raw, Path):
        return raw
    text = _read_text(raw)
    try:
        return Path(text).expanduser() if text else None
    except RuntimeError as error:  # ~somebody who is not there
        raise ValueError(str(error)) from None


def _read_names(raw: object) -> tuple[str, ...]:
    parts: Iterable[object] = (
        raw.split(",") if isinstance(raw, str) else raw if isinstance(raw, list | tuple) else (raw,)
    )
    return tuple(name for name in map(_read_text, parts) if name)


def _read_game(raw: object) -> str:
    """Return the id of the game. Raises UnknownGame, which lists those there are.

    Nothing means the default.
    """
    return get_game(_read_text(raw) or DEFAULT).id


def whole(metavar: str, low: int, high: int | None = None) -> Kind:
    """Return the kind of a whole number from ``low`` on, up to ``high`` where there is one."""

    def read(raw: object) -> int:
        number = _read_whole(raw)
        if number < low or (high is not None and number > high):
            raise ValueError("out of range")
        return number

    return Kind(
        metavar, f"a whole number from {low}" + ("" if high is None else f" to {high}"), read
    )


def optional(kind: Kind) -> Kind:
    """Return the same kind, which may also be nothing. Nothing is given as an empty text."""
    return Kind(
        kind.metavar, kind.allowed, lambda raw: None if raw is None or raw == "" else kind.read(raw)
    )


def choice(*words: str) -> Kind:
    """Return the kind of one of a few words, in upper or lower case."""

    def read(raw: object) -> str:
        word = _read_text(raw).lower()
        if word not in words:
            raise ValueError("not one of the words")
        return word

    return Kind("|".join(words), "one of " + ", ".join(words), read)


TEXT = Kind("TEXT", "a text", _read_text)
PASSWORD = Kind("TEXT", "a text", _read_password)
BOOLEAN = Kind("", "true or false", _read_boolean)
GAME = Kind("ID", "a game", _read_game)
PORT = whole("PORT", 0, 65535)
COUNT = whole("N", 1)
SECONDS = Kind("SECONDS", f"a number of seconds above 0, up to {_LONGEST}", _read_seconds)
SIZE = Kind("BYTES", "a number of bytes above 0, such as 65536, 64k or 4M", _read_size)
FILE = Kind("FILE", "the path of a file", _read_path)
FOLDER = Kind("DIR", "the path of a folder", _read_path)
NAMES = Kind("NAME", "names, separated by commas or as a list", _read_names)
FOLDERS = Kind("DIR", "paths of folders, separated by commas or as a list", _read_names)
