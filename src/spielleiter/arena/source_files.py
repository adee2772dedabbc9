"""Find out what a Python file offers to whoever wants to start it.

The file is read and never run.
"""

from __future__ import annotations

import ast
import sys
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from spielleiter.replays.files import open_regular

_SDK = "spielleiter"
_STARTERS = frozenset({"run", "run_match"})
_SPEAKING = frozenset(
    {
        "asyncio",
        "ctypes",
        "importlib",
        "multiprocessing",
        "runpy",
        "selectors",
        "socket",
        "socketserver",
        "ssl",
    }
    | {"subprocess"}
)
"""Modules of Python with which a program can reach a server, or load or start what does."""
_MOST_FILES = 100
_MOST_BYTES = 4 * 1024 * 1024
"""How much of one file is read.

What is longer was not written by a person, and takes minutes and gigabytes to be parsed.
"""


class UnreadableSource(Exception):
    """Say that a file is not Python. The message says where and why."""


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A file that Python can read.

    ``bots`` are its classes derived from Bot that no other one refines.
    """

    path: Path
    bots: tuple[str, ...] = ()
    runs: bool = False
    """It calls the SDK's ``run`` itself."""
    speaks: bool = False
    """It may speak with a server by means of its own."""
    game: str | None = None
    """The game its bot says it is for."""
    goes_on: bool = False
    """It calls ``run_match``, so it has plans for the time after its match."""

    @property
    def has_bot(self) -> bool:
        return self.runs or bool(self.bots)


def read_source(path: Path) -> SourceFile:
    """Look into a file.

    Raises UnreadableSource or OSError.
    """
    tree = _parse(path)
    bots, runs = _bots_and_runs(tree)
    names = _Names(tree)
    started = {
        argument.id for call in runs for argument in call.args[:1] if isinstance(argument, ast.Name)
    }
    chosen = [bot for bot in bots if bot.name in started] or (bots if len(bots) == 1 else [])
    return SourceFile(
        path,
        tuple(bot.name for bot in bots),
        bool(runs),
        _speaks(tree, path, {path.resolve()}),
        _game_of(chosen[0]) if chosen else None,
        any(names.sdk_name(call.func) == "run_match" for call in runs),
    )


def _bots_and_runs(tree: ast.Module) -> tuple[list[ast.ClassDef], list[ast.Call]]:
    names = _Names(tree)
    calls = (node for node in ast.walk(tree) if isinstance(node, ast.Call))
    return names.bots(), [call for call in calls if names.sdk_name(call.func) in _STARTERS]


def _parse(path: Path) -> ast.Module:
    with open_regular(path) as file:
        data = file.read(_MOST_BYTES + 1)
    if len(data) > _MOST_BYTES:
        raise UnreadableSource(f"{path}: it has more than {_MOST_BYTES // (1024 * 1024)} MiB")
    try:
        with warnings.catch_warnings():
            # Warnings come again when the bot runs, and belong into its own output.
            warnings.simplefilter("ignore")
            tree = ast.parse(data, str(path))
            # Parsing is not enough. A return outside of a function is found by the compiler only.
            compile(tree, str(path), "exec")
        return tree
    except SyntaxError as error:
        line = "" if error.lineno is None else f", line {error.lineno}"
        text = (error.text or "").strip()
        shown = f": {text[:80]}" if text else ""
        raise UnreadableSource(f"{path}{line}: {error.msg}{shown}") from None
    except (ValueError, RecursionError, MemoryError) as error:  # null bytes; nested beyond reason
        raise UnreadableSource(f"{path}: {error or 'it is nested too deeply'}") from None


class _Names:
    """What the names of a file mean, as far as they come from the SDK."""

    def __init__(self, tree: ast.Module) -> None:
        self._tree = tree
        self._from_sdk: dict[str, str] = {}
        self._modules: set[str] = set()
        for node in ast.walk(tree):
            if isinstance(node, ast.Import):
                for alias in node.names:
                    if alias.name.partition(".")[0] == _SDK:
                        self._modules.add(alias.asname or _SDK)
            elif (
                isinstance(node, ast.ImportFrom)
                and not node.level
                and (node.module or "").partition(".")[0] == _SDK
            ):
                for alias in node.names:
                    if alias.name == "*":
                        self._from_sdk.update({name: name for name in ("Bot", *_STARTERS)})
                    else:
                        self._from_sdk[alias.asname or alias.name] = alias.name
                        self._modules.add(alias.asname or alias.name)

    def sdk_name(self, node: ast.expr) -> str | None:
        """Return the SDK's own name for it, such as ``Bot`` for whatever this file calls Bot."""
        if isinstance(node, ast.Name):
            return self._from_sdk.get(node.id)
        if isinstance(node, ast.Attribute):
            root: ast.expr = node
            while isinstance(root, ast.Attribute):
                root = root.value
            if isinstance(root, ast.Name) and root.id in self._modules:
                return node.attr
        return None

    def bots(self) -> list[ast.ClassDef]:
        found: dict[str, ast.ClassDef] = {}
        refined: set[str] = set()
        for node in _top_level(self._tree.body):
            if not isinstance(node, ast.ClassDef):
                continue
            parents = {base.id for base in node.bases if isinstance(base, ast.Name)} & found.keys()
            if parents or any(self.sdk_name(base) == "Bot" for base in node.bases):
                found[node.name] = node
                refined |= parents - {node.name}
        return [node for name, node in found.items() if name not in refined]


def _top_level(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """Return the statements of a module, including those under ``if`` and ``try``."""
    for statement in body:
        yield statement
        for part in ("body", "orelse", "finalbody"):
            if isinstance(statement, ast.If | ast.Try | ast.With):
                yield from _top_level(getattr(statement, part, []))


def _game_of(bot: ast.ClassDef) -> str | None:
    for statement in bot.body:
        target: ast.expr | None = None
        if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
            target = statement.targets[0]
        elif isinstance(statement, ast.AnnAssign):
            target = statement.target
        else:
            continue
        value = statement.value
        if isinstance(target, ast.Name) and target.id == "game" and isinstance(value, ast.Constant):
            return value.value if isinstance(value.value, str) else None
    return None


def _speaks(tree: ast.Module, path: Path, seen: set[Path]) -> bool:
    """Return whether the program may talk to a server, and True in case of doubt.

    A program that says nothing is found out when it runs.
    """
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            imported = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            if node.level:
                return True
            imported = [node.module or ""]
        elif (
            isinstance(node, ast.Attribute)
            and isinstance(node.value, ast.Name)
            and node.value.id == "os"
        ):
            if node.attr.startswith(("exec", "spawn", "system", "popen", "posix_spawn")):
                return True
            continue
        else:
            continue
        if any(_module_speaks(name, path, seen) for name in imported):
            return True
    return False


def _module_speaks(name: str, path: Path, seen: set[Path]) -> bool:
    first = name.partition(".")[0]
    if first == _SDK:
        return False
    beside = path.parent / f"{first}.py"
    if beside.is_file():
        if beside.resolve() in seen:
            return False
        if len(seen) > _MOST_FILES:
            return True
        seen.add(beside.resolve())
        try:
            tree = _parse(beside)
            return any(_bots_and_runs(tree)) or _speaks(tree, beside, seen)
        except (UnreadableSource, OSError):
            return True
    # A package that is not Python's own (socha, numpy, a folder) may do anything. To refuse a bot
    # that could play is worse than to start one that says nothing, which is found out soon.
    return first in _SPEAKING or first not in sys.stdlib_module_names
