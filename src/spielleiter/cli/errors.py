"""Let a command fail with a line that says what is wrong, one that says what to do, and an exit
code.
"""

from __future__ import annotations

import contextlib
import errno
import os
import sys
from pathlib import Path
from typing import TextIO

import click

from spielleiter.exit_codes import ExplainedCode
from spielleiter.rules import UnknownGame, one_line

_LONGEST_MESSAGE = 2000
"""Room for the longest path a system has a use for."""


class ExitCode(ExplainedCode):
    """Exit codes of the commands, each with the ``meaning`` that the help tells."""

    OK = 0, "done"
    FAILED = 1, "what was asked for failed: differences found, a game lost by an error"
    USAGE = 2, "the command line or a setting is wrong"
    SECOND = 3, "match: the second bot is proved stronger (0 is the first)"
    UNDECIDED = 4, "match: neither bot is proved stronger"
    INTERRUPTED = 130, "interrupted with Ctrl+C"


def echo_error(message: str, hint: str = "") -> None:
    """Say on stderr what is wrong and, below it, what to do. All errors look like this.

    Messages name files and repeat what others said, so they are made harmless here, once for all of
    them.
    """
    click.echo(f"spielleiter: {one_line(message, _LONGEST_MESSAGE)}", err=True)
    if hint:
        click.echo(f"  {one_line(hint, _LONGEST_MESSAGE)}", err=True)


class CliError(Exception):
    """What was asked for cannot be done. ``hint`` says what to do next."""

    def __init__(self, message: str, hint: str = "", exit_code: int = ExitCode.FAILED) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.exit_code = exit_code


def unknown_game(error: UnknownGame) -> CliError:
    """Say that a game is not there, where its name was found, and how to name another one."""
    hint = f"set {error.source} to one of them, or choose one with --game" if error.source else ""
    return CliError(str(error), hint or "choose one of them with --game", ExitCode.USAGE)


_WRITING = frozenset(
    {errno.EPIPE, errno.ENOSPC, errno.EFBIG, errno.EIO, getattr(errno, "EDQUOT", errno.ENOSPC)}
)
"""What only a stream that is written to complains about, if no file has a name."""


class OutputError(CliError):
    """What was printed could not be written."""

    def __init__(self, error: OSError) -> None:
        super().__init__(
            f"the output cannot be written: {error.strerror or error}",
            "make room, or send it somewhere else",
        )
        self.is_unread = isinstance(error, BrokenPipeError) or (
            os.name == "nt" and error.errno == errno.EINVAL
        )
        """Who read it has read enough, as ``head`` does, which is nothing to complain about."""


def prepare_streams() -> None:
    """Make sure that anything can be printed.

    Without a stream nothing is, and characters it lacks are escaped.
    """
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, Path(os.devnull).open("w", encoding="utf-8"))  # noqa: SIM115 - open to the end
        elif hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")


def check_output(error: BaseException | None = None) -> OutputError | None:
    """Return why what was printed could not be written, or None if all of it is written.

    ``error`` may be that reason already. After a failure nothing more is written to the output.
    """
    failure = (
        error
        if isinstance(error, OSError) and error.filename is None and error.errno in _WRITING
        else None
    )
    other = _flush(sys.stdout)
    if failure is not None and other is None:
        _silence(sys.stdout)
    failure = other or failure
    return None if failure is None else OutputError(failure)


def finish_streams() -> None:
    """Write out what is still held back, and drop what cannot be written.

    Python flushes both streams once more when it exits, and turns every exit code into 120 if
    that fails. Called last, this leaves it nothing that could fail.
    """
    for stream in (sys.stdout, sys.stderr):
        _flush(stream)


def _flush(stream: TextIO | None) -> OSError | None:
    """Flush the stream. If that fails, silence it and return why."""
    if stream is None:
        return None
    try:
        stream.flush()
    except ValueError:  # closed by somebody
        return None
    except OSError as error:
        _silence(stream)
        return error
    return None


def _silence(stream: TextIO) -> None:
    """Send everything this stream holds, or will be given, nowhere."""
    # To close the stream would not do. Python flushes what it holds when it exits, fails again, and
    # turns the exit code into 120. So its descriptor is led to where every write succeeds.
    with contextlib.suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)
        stream.flush()
