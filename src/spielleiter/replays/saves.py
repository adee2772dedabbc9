"""Write a match as a replay file, under a name that never collides and never leaves its folder."""

from __future__ import annotations

import contextlib
import gzip
import os
import re
from datetime import datetime
from pathlib import Path

from spielleiter.replays.record import MatchRecord

_UNSAFE = re.compile(r"[^\w.-]+", re.ASCII)
NAME_LENGTH = 40
"""Characters of a player's name in a file name: two names and the rest stay far below every
system's limit.
"""


def file_name(record: MatchRecord, when: datetime) -> str:
    """Return a name of harmless characters, in the way the official servers name theirs.

    It is ``replay_<game type>_<time>_<name>_<name>``, without an ending.
    """
    names = [_UNSAFE.sub("_", name).strip(".")[:NAME_LENGTH] for name in record.names]
    return "_".join(
        [
            "replay",
            _UNSAFE.sub("_", record.game.game_type),
            when.strftime("%Y-%m-%d_%H-%M-%S"),
            *names,
        ]
    )


def write_replay(
    record: MatchRecord, folder: Path, when: datetime, *, compress: bool = False
) -> Path:
    """Write the record under a new name in ``folder``, and return the path.

    The file is complete or not there at all, even if the power fails.
    """
    data = record.format_replay().encode()
    if compress:
        data = gzip.compress(data, 6)
    folder.mkdir(parents=True, exist_ok=True)
    # The draft has a hidden name until all of it is on the disk. Whoever watches the folder, as
    # programs that upload replays do, would otherwise read the half that is there.
    draft = folder / f".{record.room_id}.part"
    try:
        _write_through(draft, data)
        path = _give_name(draft, folder, file_name(record, when), ".xml.gz" if compress else ".xml")
    finally:
        draft.unlink(missing_ok=True)
    _sync_folder(folder)
    return path


def _write_through(path: Path, data: bytes) -> None:
    """Return only when the bytes are on the disk, or a name could be there before what it stands
    for.
    """
    with path.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def _sync_folder(folder: Path) -> None:
    """Put the new name on the disk as well, where the system can.

    Windows opens no folders, and some disks sync none.
    """
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _give_name(draft: Path, folder: Path, stem: str, ending: str) -> Path:
    """Put the draft under the first name that is free. Nothing is ever overwritten."""
    for number in range(1, 10_000):
        path = folder / f"{stem}{f'_{number}' if number > 1 else ''}{ending}"
        try:
            path.hardlink_to(draft)
        except FileExistsError:
            continue
        except OSError:
            # The file system has no links. Renaming alone would overwrite what is there, so the
            # name is reserved with an empty file first, and then the draft replaces that.
            try:
                path.touch(exist_ok=False)
            except FileExistsError:
                continue
            draft.replace(path)
        return path
    raise FileExistsError(f"too many replays named {stem} in {folder}")
