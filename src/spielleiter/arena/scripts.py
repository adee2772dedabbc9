"""Find out whether the system can start a file, and say why if it cannot.

Systems report the mistakes in scripts in words that mislead. Here they are found before the start.
"""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

from spielleiter.arena.bots import BotError

_PROGRAM_BEGINNINGS = (
    b"#!",
    b"\x7fELF",
    *(
        bytes.fromhex(magic)
        for magic in ("cffaedfe", "cefaedfe", "feedfacf", "feedface", "cafebabe")
    ),
)
"""The first bytes of scripts that say what runs them, and of programs for Linux and for macOS."""
_LONGEST_FIRST_LINE = 4096
"""Bytes of a script that are looked at for what runs it."""


def exists(path: Path) -> bool:
    """Return whether there is such a file or folder.

    Unlike Path's own method this one raises nothing for names that no system can have.
    """
    try:
        return path.exists()
    except (OSError, ValueError):
        return False


def check_script(path: Path) -> None:
    """Raise BotError if the first line of a script names a program that cannot run it.

    The system only says that there is no such file, and means the program, not the script.
    """
    first = _first_line(path)
    if sys.platform == "win32" or not first.startswith(b"#!"):
        return
    if has_windows_lines(path):
        raise windows_lines_error(path)
    runner = first[2:].decode("utf-8", "replace").split(maxsplit=1)[:1]
    if runner and runner[0].startswith("/") and not exists(Path(runner[0])):
        raise BotError(
            f"{path} is to be run by {runner[0]}, as its first line says, which is not here",
            "install that, or change the first line to what is here, such as #!/bin/sh",
        )


def has_windows_lines(path: Path) -> bool:
    """Return whether the first line of this script ends as Windows ends lines.

    No other system can run such a script.
    """
    return _first_line(path).endswith(b"\r\n")


def _first_line(path: Path) -> bytes:
    try:
        # Opening a pipe would wait for somebody who writes into it, perhaps for ever.
        if not path.is_file():
            return b""
        with path.open("rb") as file:
            return file.readline(_LONGEST_FIRST_LINE)
    except OSError:
        return b""


def windows_lines_error(path: Path) -> BotError:
    """Return the error that says what is wrong with such a script and how to mend it."""
    return BotError(
        f"{path} has line ends of Windows (CR LF), with which Linux and macOS cannot run it",
        "save it with line ends LF in your editor, or: perl -pi -e 's/\\r$//' "
        f"{shlex.quote(str(path))}",
    )


def is_program(path: Path) -> bool:
    """Return whether the system could start this if it were allowed to."""
    if path.suffix == ".sh" or not path.is_file():
        return path.is_file()
    try:
        with path.open("rb") as file:
            return file.read(4).startswith(_PROGRAM_BEGINNINGS)
    except OSError:
        return False
