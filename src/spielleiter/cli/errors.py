"""How a command fails: one line that says what is wrong, one that says what to do, and an exit code."""

from __future__ import annotations

import contextlib
import errno
import os
import sys
from enum import IntEnum
from pathlib import Path

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


_WRITING = frozenset({errno.EPIPE, errno.ENOSPC, errno.EFBIG, errno.EIO, getattr(errno, "EDQUOT", errno.ENOSPC)})
"""What only a stream that is written to complains about, if no file has a name."""


class OutputError(CliError):
    """What was printed could not be written."""

    def __init__(self, error: OSError) -> None:
        super().__init__(
            f"the output cannot be written: {error.strerror or error}", "make room, or send it somewhere else"
        )
        self.is_unread = isinstance(error, BrokenPipeError) or (os.name == "nt" and error.errno == errno.EINVAL)
        """Who read it has read enough, as ``head`` does: nothing to complain about."""


def prepare_streams() -> None:
    """Make sure that anything can be printed: without a stream nothing is, and characters it lacks are escaped."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, Path(os.devnull).open("w", encoding="utf-8"))  # noqa: SIM115 - open to the end
        elif hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")


def check_output(error: BaseException | None = None) -> OutputError | None:
    """Whether all that was printed is written, and not even ``error`` arose from that.

    If it is not nothing more will be, so that Python can exit in peace.
    """
    failure = error if isinstance(error, OSError) and error.filename is None and error.errno in _WRITING else None
    try:
        sys.stdout.flush()
    except ValueError:  # closed by somebody
        pass
    except OSError as other:
        failure = other
    if failure is None:
        return None
    with contextlib.suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)
    return OutputError(failure)
