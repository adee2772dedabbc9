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
