"""Write what ``spielleiter results`` makes, byte by byte, to a file or to standard output."""

from __future__ import annotations

import contextlib
import sys
from pathlib import Path

import click

from spielleiter.cli.errors import CliError
from spielleiter.rules import one_line


def print_exactly(text: str) -> None:
    """Print text as UTF-8 with the line ends it has, also on Windows."""
    stream = getattr(sys.stdout, "buffer", None)
    if stream is None:
        click.echo(text, nl=False)
        return
    sys.stdout.flush()
    stream.write(text.encode())
    stream.flush()


def write_file(path: Path, data: bytes) -> None:
    """Write a file as a whole or not at all. One that is there is replaced."""
    draft = path.with_name(f".{path.name}.part")
    try:
        draft.write_bytes(data)
        draft.replace(path)
    except OSError as error:
        with contextlib.suppress(OSError):
            draft.unlink()
        raise CliError(
            f"{one_line(str(path))} cannot be written: {error.strerror or error}",
            "name a file in a folder that is there and that you may write to",
        ) from error
