"""Find the databases of runs below a folder. What is in them is the business of ``reading``."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from spielleiter.arena.store.values import FILE_NAME

DEEPEST = 3
"""Folders below the one that is named in which runs are looked for."""
_MOST_FOLDERS = 10_000


def databases_below(top: Path) -> Iterator[Path]:
    """Yield the databases in this folder and those below it, in the order of their names."""
    for seen, (folder, folders, files) in enumerate(os.walk(top)):
        if FILE_NAME in files:
            yield Path(folder, FILE_NAME)
            folders.clear()
        depth = len(Path(folder).relative_to(top).parts)
        if depth >= DEEPEST or seen > _MOST_FOLDERS:
            folders.clear()
        folders[:] = sorted(name for name in folders if not name.startswith("."))
