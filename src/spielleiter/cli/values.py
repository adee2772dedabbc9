"""The kinds of values that options of commands take, and what is said to any other value.

Each kind has ``allowed``, which completes the sentence "it is not ...".
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    ParamType = click.ParamType[Any]
else:
    ParamType = click.ParamType  # versions before 8.5 have no types of it

_Param = click.Parameter | None
_Ctx = click.Context | None
LONGEST_SECONDS = 1_000_000.0
"""Eleven days. Timers of the system overflow somewhere above."""


class WholeNumber(ParamType):
    """A whole number from ``least`` on, up to ``most`` where there is one."""

    name = "number"

    def __init__(self, least: int, most: int | None = None) -> None:
        self._least = least
        self._most = most
        self.allowed = f"a whole number from {least} " + ("on" if most is None else f"to {most}")

    def convert(self, value: object, param: _Param, ctx: _Ctx) -> int:
        try:
            number = int(str(value))
        except ValueError:
            self.fail(f"{value!r} is not {self.allowed}", param, ctx)
        if number < self._least or (self._most is not None and number > self._most):
            self.fail(f"{number} is not {self.allowed}", param, ctx)
        return number


class Seconds(ParamType):
    """Read a number of seconds. With ``above_zero`` 0 itself is too little."""

    name = "seconds"

    def __init__(self, *, above_zero: bool = False) -> None:
        self._above_zero = above_zero
        start = "above 0, up to" if above_zero else "from 0 to"
        self.allowed = f"a number of seconds {start} {LONGEST_SECONDS:.0f}, such as 0.5"

    def convert(self, value: object, param: _Param, ctx: _Ctx) -> float:
        try:
            seconds = float(str(value))
        except ValueError:
            seconds = math.nan
        is_enough = seconds > 0 if self._above_zero else seconds >= 0
        if not is_enough or not seconds <= LONGEST_SECONDS:  # nan compares with nothing and fails
            self.fail(f"{str(value)!r} is not {self.allowed}", param, ctx)
        return seconds


class Word(ParamType):
    """One of a few words."""

    name = "word"

    def __init__(self, *words: str) -> None:
        self._words = words
        self.allowed = f"one of {', '.join(words)}"

    def convert(self, value: object, param: _Param, ctx: _Ctx) -> str:
        if value not in self._words:
            self.fail(f"{value!r} is not {self.allowed}", param, ctx)
        return str(value)


class Folder(ParamType):
    """The path of a folder, which need not be there yet."""

    name = "folder"
    allowed = "the path of a folder"

    def convert(self, value: object, param: _Param, ctx: _Ctx) -> Path:
        path = Path(str(value))
        if not str(value).strip():
            self.fail(f"{str(value)!r} is not {self.allowed}", param, ctx)
        if path.exists() and not path.is_dir():
            self.fail(f"{str(path)!r} is there already and is not a folder", param, ctx)
        return path


Ranges = tuple[tuple[int, int], ...]
LARGEST_TURN = 9999


class Turns(ParamType):
    """Some turns, as single numbers and as ranges: ``31``, ``10-20``, ``40-``, ``-8``."""

    name = "turns"
    allowed = "a list of turns such as 31, 10-20, 40- or 3,10-20"

    def convert(self, value: object, param: _Param, ctx: _Ctx) -> Ranges:
        if isinstance(value, tuple):
            return value
        found = []
        for part in str(value).split(","):
            first, dash, last = part.strip().partition("-")
            numbers = [number for number in (first, last) if number]
            if not numbers or not all(_is_turn(one) for one in numbers):
                self.fail(f"{str(value)!r} is not {self.allowed}", param, ctx)
            low = int(first or 0)
            high = int(last or LARGEST_TURN) if dash else low
            if low > high:
                self.fail(f"{part.strip()!r} ends before it begins", param, ctx)
            found.append((low, high))
        return tuple(found)


def _is_turn(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) <= len(str(LARGEST_TURN))
