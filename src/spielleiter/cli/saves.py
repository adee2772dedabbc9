"""Notice that a bot was saved by looking at its sources now and then.

What a bot writes beside them does not count.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from spielleiter.arena.lookup import path_of

# Looking again and again works everywhere. What systems offer for being told of changes differs on
# all three, would be a package more to install, and is silent on folders of a network.
POLL_SECONDS = 0.2
MOST_ENTRIES = 2000
"""Files looked at below a folder. A folder with more is not a bot's but somebody's home."""
SUFFIXES = frozenset(
    {
        ".py",
        ".sh",
        ".bat",
        ".jar",
        ".class",
        ".java",
        ".kt",
        ".js",
        ".mjs",
        ".ts",
        ".rs",
        ".go",
        ".c",
        ".cpp",
        ".cs",
    }
)
"""What programs are made of.

Logs, notes and tables that a bot keeps in its folder do not make it play again.
"""
_SKIPPED = frozenset({"__pycache__", "venv", "node_modules"})

Fingerprint = Mapping[Path, tuple[int, int]]


async def until_saved(texts: Sequence[str], before: Fingerprint) -> None:
    """Wait until something changes and then nothing more.

    Editors empty a file before they fill it.
    """
    while (now := fingerprint(texts)) == before:
        await asyncio.sleep(POLL_SECONDS)
    while True:
        await asyncio.sleep(POLL_SECONDS)
        then, now = now, fingerprint(texts)
        if then == now:
            return


def fingerprint(texts: Sequence[str]) -> Fingerprint:
    """Return the files that these bots may be made of, each with what changes when it is saved.

    Only bots that are files or folders have any.
    """
    found: dict[Path, tuple[int, int]] = {}
    for text in texts:
        for file in _files(path_of(text)):
            with contextlib.suppress(OSError):
                stat = file.stat()
                found[file] = (stat.st_mtime_ns, stat.st_size)
    return found


def _files(path: Path) -> Iterator[Path]:
    if path.is_file():
        yield path
        if path.suffix == ".py":
            yield from path.parent.glob("*.py")
    elif path.is_dir():
        yield from _sources(path)


def _sources(top: Path) -> Iterator[Path]:
    seen = 0
    for folder, folders, files in os.walk(top):
        folders[:] = sorted(
            name for name in folders if not name.startswith(".") and name not in _SKIPPED
        )
        for name in files:
            if os.path.splitext(name)[1].lower() in SUFFIXES:  # noqa: PTH122 - a Path for every file takes its time
                yield Path(folder, name)
        seen += len(files) + len(folders)
        if seen > MOST_ENTRIES:
            return
