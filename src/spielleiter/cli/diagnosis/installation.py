"""Look at Python, the packages, the command, and the game that is the default."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path

from spielleiter.cli.diagnosis.findings import Finding, Level
from spielleiter.games import VARIABLE, default_game
from spielleiter.games.wheel import NAME, load_wheel
from spielleiter.games.wheel import PACKAGE as WHEEL
from spielleiter.rules import UnknownGame
from spielleiter.rules.engine import MASTER, EngineMissing

NEEDED_PYTHON = (3, 11)
ADVISED_PYTHON = (3, 11, 9)
"""The first 3.11 that comes with an Expat that does not take quadratic time over long tokens."""
ADVISED_EXPAT = (2, 6, 0)
PACKAGE = "spielleiter"


def python_version(version: tuple[int, ...]) -> Finding:
    shown = ".".join(map(str, version))
    where = f"{shown} ({sys.executable})"
    if version < NEEDED_PYTHON:
        return Finding(
            "Python",
            Level.PROBLEM,
            f"{where} is too old",
            "install Python 3.12 or newer from python.org",
        )
    if version < ADVISED_PYTHON:
        return Finding(
            "Python",
            Level.NOTE,
            f"{where} will do",
            "3.11.9 or newer is better: it reads hostile XML faster",
        )
    return Finding("Python", Level.OK, where)


def expat_version(text: str) -> Finding:
    version = _numbers(text)
    shown = ".".join(map(str, version))
    if version < ADVISED_EXPAT:
        return Finding(
            "XML reader",
            Level.WARNING,
            f"Expat {shown}: hostile clients can slow down a server",
            "update Python, or the system where that brings Expat; among friends it does not "
            "matter",
        )
    return Finding("XML reader", Level.OK, f"Expat {shown}")


def requirements() -> Iterable[str]:
    try:
        return metadata.requires(PACKAGE) or ()
    except metadata.PackageNotFoundError:  # copied, not installed; said by ``packages``
        return ()


def packages(wanted: Iterable[str]) -> Iterator[Finding]:
    """Look for ourselves and what we need, from the list that was installed with us."""
    good = []
    for requirement in [PACKAGE, *wanted]:
        name, least, optional = _read_requirement(requirement)
        if optional:
            continue
        try:
            version = metadata.version(name)
        except metadata.PackageNotFoundError:
            yield Finding(
                f"package {name}", Level.PROBLEM, "is not installed", _install(name, least)
            )
            continue
        if _numbers(version) < _numbers(least):
            text = f"{version} is too old, {least} or newer is needed"
            yield Finding(f"package {name}", Level.PROBLEM, text, _install(name, least))
        else:
            good.append(f"{name} {version}")
    yield Finding(
        "packages", Level.OK if good else Level.PROBLEM, ", ".join(good) or "none is there"
    )


def _read_requirement(text: str) -> tuple[str, str, bool]:
    """Split ``uvloop>=0.20; extra == 'speed'`` into the name, the least version, and whether it is
    only for an extra.
    """
    wanted, _, condition = text.partition(";")
    name = re.match(r"[\w.-]+", wanted.strip())
    least = re.search(r">=\s*([\w.]+)", wanted)
    return name[0] if name else wanted, least[1] if least else "0", "extra" in condition


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in re.findall(r"\d+", version)[:3])


def _install(name: str, least: str) -> str:
    wanted = name if least == "0" else f'"{name}>={least}"'
    return f"{Path(sys.executable).name} -m pip install {wanted}"


def engine() -> Finding:
    """Look for the optional package with the engine. Without it only some commands are missing."""
    try:
        version = getattr(load_wheel(), "__version__", "?")
    except EngineMissing as error:
        is_there = find_spec(WHEEL) is not None
        level = Level.WARNING if is_there else Level.NOTE
        text = f"{error.text.en} spielleiter analyse and the house bot {MASTER} need it."
        return Finding("engine", level, text, error.hint.en)
    return Finding("engine", Level.OK, f"{NAME} {version}")


def command_line(found: str | None) -> Finding:
    if found is None:
        return Finding(
            "command",
            Level.WARNING,
            f"the shell does not find {PACKAGE}",
            f"put {Path(sys.executable).parent} into the PATH, or type: "
            f"{Path(sys.executable).name} -m {PACKAGE}",
        )
    return Finding("command", Level.OK, found)


def game_in_force(environ: Mapping[str, str]) -> Finding:
    """Find out which game is meant where neither a bot nor --game names one, and who says so."""
    name = "game"
    try:
        game = default_game(environ)
    except UnknownGame as error:
        return Finding(
            name, Level.PROBLEM, str(error), f"set {VARIABLE} to one of them, or unset it"
        )
    if environ.get(VARIABLE, "").strip():
        return Finding(
            name, Level.OK, f"{game.id}, because {VARIABLE} says so; bots and --game win over it"
        )
    return Finding(
        name, Level.OK, f"{game.id}, the default; bots, --game and {VARIABLE} win over it"
    )
