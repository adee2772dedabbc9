"""Tell versions of a bot apart, by a hash of the files that it is made of.

What a bot writes while it plays must not make it another bot, so caches, logs and hidden files do
not count. Nothing is ever run.
"""

from __future__ import annotations

import ast
import hashlib
import inspect
import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from spielleiter.arena.bots import BotKind, BotSpec
from spielleiter.rules import AnyGame

MOST_FILES = 2000
"""Of one bot. What comes after them, in the order of their names, is not looked at."""
MOST_BYTES = 256 * 1024**2
"""Of one bot. Of files after them only name and size count."""
_PASSED_OVER = frozenset({".pyc", ".pyo", ".log", ".tmp", ".swp", ".part"})
_FOLDERS_PASSED_OVER = frozenset({"__pycache__", "logs"})
_CHUNK = 1024**2
_LENGTH = 16
"""Characters of a hash. Two versions of a bot never share so many."""


def hash_bot(spec: BotSpec, game: AnyGame) -> str:
    """Return a text that changes when the bot does. It is empty where there are no files."""
    digest = hashlib.sha256()
    left = MOST_BYTES
    count = 0
    for name, path in _files_of(spec, game):
        count += 1
        left = _add(digest, name, path, left)
        if count >= MOST_FILES:
            break
    return digest.hexdigest()[:_LENGTH] if count else ""


def _files_of(spec: BotSpec, game: AnyGame) -> Iterator[tuple[str, Path]]:
    """Yield the files that a bot is made of, each with the name that counts."""
    if spec.kind is BotKind.HOUSE:
        home = Path(inspect.getfile(type(game))).parent
        yield from _in_folder(home, only=".py")
    elif spec.source is None or spec.kind is BotKind.COMMAND:
        yield from _of_command(spec)
    elif spec.source.is_dir():
        yield from _in_folder(spec.source)
    elif spec.source.suffix == ".py":
        yield from _with_imports(spec.source)
    else:
        yield spec.source.name, spec.source


def _of_command(spec: BotSpec) -> Iterator[tuple[str, Path]]:
    folder = spec.folder or Path.cwd()
    for number, word in enumerate(spec.argv):
        path = folder / word
        if _is_file(path):
            yield f"{number} {path.name}", path


def _in_folder(folder: Path, only: str = "") -> Iterator[tuple[str, Path]]:
    # Links to folders are not followed, so this has an end.
    for where, folders, files in os.walk(folder):
        folders[:] = sorted(
            name
            for name in folders
            if name not in _FOLDERS_PASSED_OVER and not name.startswith(".")
        )
        for name in sorted(files):
            path = Path(where, name)
            if name.startswith(".") or path.suffix in _PASSED_OVER:
                continue
            if path.suffix.endswith(only) and _is_file(path):
                yield path.relative_to(folder).as_posix(), path


def _with_imports(source: Path) -> Iterator[tuple[str, Path]]:
    """Yield a Python file and those beside it that it imports, directly or not."""
    waiting, seen = [source], {source}
    while waiting:
        path = waiting.pop()
        yield path.relative_to(source.parent).as_posix(), path
        beside = [found for name in _imported(path) for found in _modules(source.parent, name)]
        for found in sorted(set(beside) - seen):
            seen.add(found)
            waiting.append(found)


def _imported(path: Path) -> Iterable[str]:
    """Return the modules that a file names in its imports, by the first part of their names."""
    try:
        tree = ast.parse(path.read_bytes())
    except (OSError, ValueError, SyntaxError, RecursionError, MemoryError):
        return ()  # whoever starts it will be told
    names: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names.update(alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            if node.module:
                names.add(node.module.partition(".")[0])
            else:
                names.update(alias.name for alias in node.names)
    return sorted(names)


def _modules(folder: Path, name: str) -> Iterator[Path]:
    if _is_file(folder / f"{name}.py"):
        yield folder / f"{name}.py"
    elif (folder / name).is_dir():
        yield from (path for _, path in _in_folder(folder / name, only=".py"))


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def _add(digest: hashlib._Hash, name: str, path: Path, left: int) -> int:
    """Add a file to the digest, and return how many bytes may still be read."""
    digest.update(name.encode("utf-8", "surrogateescape") + b"\0")
    try:
        size = path.stat().st_size
        digest.update(f"{size}\0".encode())
        if size > left:
            return left
        with path.open("rb") as file:
            while data := file.read(_CHUNK):
                digest.update(data)
    except OSError:
        digest.update(b"unreadable")
        return left
    return left - size
