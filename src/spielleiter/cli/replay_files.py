"""Find recorded games by the names of files and folders, and by patterns."""

from __future__ import annotations

import glob
import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from spielleiter.cli.errors import CliError
from spielleiter.replays import RecordedMatch, read_replay
from spielleiter.rules import one_line
from spielleiter.wire.errors import ReplayError

ENDINGS = (".xml", ".xml.gz")


def read_games(
    paths: Sequence[Path], room: str | None = None
) -> Iterator[RecordedMatch | CliError]:
    """Yield every game in these files and folders, or the one of this room in each.

    Where there is none it yields the error.
    """
    for path in _expand(paths):
        files = _replays_below(path) if path.is_dir() else [path]
        if not files:
            yield CliError(
                f"{one_line(str(path))}: no file there ends in {' or '.join(ENDINGS)}",
                "name the folder your games are in; spielleiter play --save-replays DIR keeps them",
            )
        for file in files:
            try:
                first = read_replay(file, room)
                yield first
                for other in first.rooms if room is None else ():
                    if other != first.room_id:
                        yield read_replay(file, other)
            except ReplayError as error:
                yield CliError(str(error), _advice(file))


def _expand(paths: Sequence[Path]) -> Iterator[Path]:
    """Find files and folders by name or by pattern.

    Shells on Windows leave patterns to the program.

    A pattern that nothing fits stays as it is, and is then complained about as a file that is not
    there.
    """
    for path in paths:
        text = os.path.expanduser(path)  # noqa: PTH111 - Path's raises where there is no such user
        is_pattern = glob.has_magic(text) and not os.path.lexists(text)
        found = sorted(glob.glob(text, recursive=True)) if is_pattern else []  # noqa: PTH207 - it may be absolute
        yield from map(Path, found or [text])


def _replays_below(folder: Path) -> list[Path]:
    return sorted(
        file for file in folder.rglob("*") if file.name.lower().endswith(ENDINGS) and file.is_file()
    )


def _advice(file: Path) -> str:
    """Say what to do about a file that could not be read."""
    if not file.exists():
        return (
            f"check its name; replays end in {' or '.join(ENDINGS)}, and a folder of them "
            "can be named, too"
        )
    return "it should be a replay, or what a server sent: see spielleiter replay --help"
