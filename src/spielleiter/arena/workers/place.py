"""Give each bot in a worker a Python of its own, as far as one process can.

A bot's files are run anew for each match and each seat, as a program of its own would run them, so
nothing of one match reaches the next, and two bots with files of the same names do not meet. What
both would share is swapped when another bot gets to work: its modules, ``sys.path``, working
directory, output, the dice of ``random``, exit handlers and the recursion limit. As long as only
one bot of a match comes from a file, there is nobody to swap with.
"""

from __future__ import annotations

import atexit
import builtins
import contextlib
import os
import random
import signal
import sys
import threading
from collections.abc import Callable, Mapping
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

from spielleiter.arena.workers.output import SeatOutput, SeatStream
from spielleiter.client.bot import BotMistake
from spielleiter.client.offers import choose_offer, collect_offers
from spielleiter.client.runner import Offer
from spielleiter.shadows import add_folder

_INSTANCE = getattr(random, "_inst", None)
_DICE = tuple(
    name
    for name, value in vars(random).items()
    if _INSTANCE is not None and getattr(value, "__self__", None) is _INSTANCE
)
"""The functions of ``random`` that share one generator."""
_codes: dict[str, tuple[int, int, CodeType]] = {}


class FilePlace:
    """Where a bot from a file works. Bots of the house touch nothing that others share."""

    def __init__(self, file: Path, variables: Mapping[str, str], output: SeatOutput) -> None:
        self._file = file
        self._folder = str(file.parent)
        self._inside = self._folder + os.sep
        self._variables = variables
        self._modules: dict[str, ModuleType] = {}
        """What it imported from its own folder."""
        self._main = ModuleType("__main__")
        self._dice = random.Random()
        self._drawing = {name: getattr(self._dice, name) for name in _DICE}
        self._exits: list[tuple[Callable[..., Any], tuple[Any, ...], dict[str, Any]]] = []
        self._streams: tuple[Any, Any, Any] = (
            open(os.devnull, encoding="utf-8"),  # noqa: PTH123, SIM115 - closed with the place
            SeatStream(output, "stdout"),
            SeatStream(output, "stderr"),
        )
        self._stdin = self._streams[0]
        self._argv = [str(file)]
        self._home = self._folder
        self._depth = sys.getrecursionlimit()
        self._path = list(sys.path)
        self._shared: tuple[Any, ...] = ()
        self._known = 0

    def enter(self) -> None:
        """Let the bot find everything as it left it."""
        self._shared = (
            sys.stdin,
            sys.stdout,
            sys.stderr,
            sys.argv,
            list(sys.path),
            sys.modules["__main__"],
            sys.getrecursionlimit(),
        )
        os.environ.update(self._variables)
        with contextlib.suppress(OSError):  # it may have removed the folder
            os.chdir(self._home)
        sys.stdin, sys.stdout, sys.stderr = self._streams
        sys.argv = self._argv
        sys.path[:] = self._path
        sys.modules.update(self._modules)
        sys.modules["__main__"] = self._main
        self._known = len(sys.modules)
        vars(random).update(self._drawing)
        vars(atexit).update(register=self._register, unregister=self._unregister)
        if self._depth != self._shared[-1]:
            sys.setrecursionlimit(self._depth)

    @property
    def is_narrow(self) -> bool:
        """Whether others could hardly work here, because the bot has changed how deep they may."""
        return sys.getrecursionlimit() < int(self._shared[-1])

    def leave(self) -> None:
        """Put everything back."""
        self._streams = (sys.stdin, sys.stdout, sys.stderr)
        self._argv = sys.argv
        self._path = list(sys.path)
        self._depth = sys.getrecursionlimit()
        self._home = _working_folder(self._home)
        if len(sys.modules) != self._known:
            self._collect()
        for name in self._modules:
            sys.modules.pop(name, None)
        sys.stdin, sys.stdout, sys.stderr, sys.argv = self._shared[:4]
        sys.path[:] = self._shared[4]
        sys.modules["__main__"] = self._shared[5]
        vars(random).update(_SHARED_DICE)
        vars(atexit).update(_SHARED_EXITS)
        if self._depth != self._shared[6]:
            sys.setrecursionlimit(self._shared[6])

    def load(self, class_name: str | None) -> Offer:
        """Run the bot's file, and return what it hands to ``run``, or the class of this name.

        The place must have been entered. What the file raises is let through.
        """
        add_folder(self._folder)
        if class_name is not None:
            return Offer(self._import(class_name))
        main = self._main
        main.__dict__.update(__file__=str(self._file), __builtins__=builtins)
        with collect_offers() as offers:
            exec(_compiled(self._file), main.__dict__)  # noqa: S102 - a bot that somebody named
        return choose_offer(self._file, offers, list(main.__dict__.values()))

    def close(self) -> None:
        """Do what a program does at its end. The place must have been entered."""
        self._stdin.close()
        while self._exits:
            function, args, named = self._exits.pop()
            function(*args, **named)

    def _import(self, class_name: str) -> Any:
        """Import a file that does not play by itself, as ``spielleiter bot`` does."""
        stem = self._file.stem
        taken = stem in sys.modules or stem in sys.stdlib_module_names
        name = stem if stem.isidentifier() and not taken else f"bot_in_{class_name}"
        spec = spec_from_file_location(name, self._file)
        assert spec is not None
        assert spec.loader is not None
        module = module_from_spec(spec)
        sys.modules[name] = module
        spec.loader.exec_module(module)
        found = getattr(module, class_name, None)
        if found is None:
            raise BotMistake(f"{self._file} has no {class_name} any more once it has run")
        return found

    def _collect(self) -> None:
        """Take note of what the bot has imported from its own folder."""
        for name, module in list(sys.modules.items()):
            file = getattr(module, "__file__", None)
            if isinstance(file, str) and file.startswith(self._inside):
                self._modules[name] = module
        # What is not Python can be loaded once in a process, so it stays, and what belongs to it.
        native = {
            name.partition(".")[0]
            for name, module in self._modules.items()
            if not str(module.__file__).endswith((".py", ".pyc"))
        }
        for name in [name for name in self._modules if name.partition(".")[0] in native]:
            del self._modules[name]

    def _register(self, function: Callable[..., Any], *args: Any, **named: Any) -> Any:
        self._exits.append((function, args, named))
        return function

    def _unregister(self, function: Callable[..., Any]) -> None:
        self._exits = [exit_call for exit_call in self._exits if exit_call[0] != function]


class Premises:
    """Who of those that need a place of their own is in it. One process has one of these."""

    def __init__(self) -> None:
        self._occupant: FilePlace | None = None

    def enter(self, place: FilePlace) -> None:
        """Let a bot work in its place. Whoever was in theirs leaves it."""
        if self._occupant is not place:
            self.vacate()
            place.enter()
            self._occupant = place

    def pause(self) -> None:
        """Let our own code and bots of ours work, which do not mind whose place it is."""
        if hasattr(signal, "setitimer"):  # an alarm must not wake somebody else
            signal.setitimer(signal.ITIMER_REAL, 0)
        if self._occupant is not None and self._occupant.is_narrow:
            self.vacate()

    def vacate(self) -> None:
        """Put everything back."""
        occupant, self._occupant = self._occupant, None
        if occupant is not None:
            occupant.leave()


_SHARED_DICE = {name: getattr(random, name) for name in _DICE}
_SHARED_EXITS = {"register": atexit.register, "unregister": atexit.unregister}


def _working_folder(otherwise: str) -> str:
    try:
        return os.getcwd()  # noqa: PTH109 - for every move
    except OSError:
        return otherwise


def _compiled(file: Path) -> CodeType:
    """Return the code of a file, which is compiled again only when the file has changed."""
    status = file.stat()
    known = _codes.get(str(file))
    if known is None or known[:2] != (status.st_mtime_ns, status.st_size):
        code = compile(file.read_bytes(), str(file), "exec", dont_inherit=True)
        known = _codes[str(file)] = (status.st_mtime_ns, status.st_size, code)
    return known[2]


class Surroundings:
    """What bots may change in the whole process, as it was before they came."""

    def __init__(self) -> None:
        self._threads = set(threading.enumerate())
        self._environ = dict(os.environ)
        self._builtins = dict(vars(builtins))
        self._folder = os.getcwd()  # noqa: PTH109 - as the places do it
        self._signals = [(number, signal.getsignal(number)) for number in _signals()]

    def traces(self) -> str | None:
        """Return what is not as it was, or None. Folder and environment are put back."""
        os.chdir(self._folder)
        now = dict(os.environ)
        for name in now.keys() - self._environ.keys():
            del os.environ[name]
        os.environ.update(
            {name: value for name, value in self._environ.items() if now.get(name) != value}
        )
        if any(thread not in self._threads for thread in threading.enumerate()):
            return "a thread still runs"
        if _has_children():
            return "a program that a bot started was left behind"
        if vars(builtins) != self._builtins:
            return "Python's own functions were changed"
        if any(signal.getsignal(number) != handler for number, handler in self._signals):
            return "signals are handled in another way"
        return None


def _signals() -> list[signal.Signals]:
    names = ("SIGINT", "SIGTERM", "SIGALRM", "SIGUSR1", "SIGUSR2", "SIGCHLD", "SIGHUP")
    return [getattr(signal, name) for name in names if hasattr(signal, name)]


def _has_children() -> bool:
    if not hasattr(os, "WNOHANG"):
        return False
    try:
        os.waitpid(-1, os.WNOHANG)
    except OSError:
        return False
    return True
