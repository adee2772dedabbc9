"""How a command fails: one line that says what is wrong, one that says what to do, and an exit code."""

from __future__ import annotations

from enum import IntEnum

import click


class ExitCode(IntEnum):
    """What the shell learns. The help of ``spielleiter`` lists them."""

    OK = 0
    FAILED = 1
    USAGE = 2
    INTERRUPTED = 130


def echo_error(message: str, hint: str = "") -> None:
    """Say on stderr what is wrong and, below it, what to do. All errors look like this."""
    click.echo(f"spielleiter: {message}", err=True)
    if hint:
        click.echo(f"  {hint}", err=True)


class CliError(Exception):
    """What was asked for cannot be done. ``hint`` says what to do next."""

    def __init__(self, message: str, hint: str = "", exit_code: int = ExitCode.FAILED) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.exit_code = exit_code
