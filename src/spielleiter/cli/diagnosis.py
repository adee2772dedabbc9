"""Find what can be wrong with a computer that is to play.

Each function asks one question and answers in words.

No function raises for what it finds, waits longer than a few seconds, or leaves anything behind.
"""

from __future__ import annotations

import errno
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from enum import Enum
from importlib import metadata
from pathlib import Path
from xml.parsers import expat

from spielleiter.games import VARIABLE, default_game
from spielleiter.rules import UnknownGame

NEEDED_PYTHON = (3, 11)
ADVISED_PYTHON = (3, 11, 9)
"""The first 3.11 that comes with an Expat that does not take quadratic time over long tokens."""
ADVISED_EXPAT = (2, 6, 0)
PACKAGE = "spielleiter"
_CONNECT_SECONDS = 3.0
_JAVA_SECONDS = 10.0
_COARSE_CLOCK = 0.02
_LATE_WAKE = 0.05
_LITTLE_SPACE = 100 * 1024**2
_FEW_FILES = 256


class Level(Enum):
    """How bad it is."""

    OK = "ok"
    NOTE = "note"
    """Worth knowing; nothing is wrong."""
    WARNING = "warning"
    """Games can be played, but something may go wrong."""
    PROBLEM = "problem"


@dataclass(frozen=True, slots=True)
class Finding:
    """The answer to one question. ``advice`` says what to do, where there is something to do."""

    name: str
    level: Level
    text: str
    advice: str = ""


def examine(port: int) -> Iterator[Finding]:
    """Answer all questions, in the order in which the answers matter."""
    yield python_version(sys.version_info[:3])
    yield expat_version(expat.EXPAT_VERSION)
    yield from packages(_requirements())
    yield command_line(shutil.which(PACKAGE))
    yield game_in_force(os.environ)
    yield port_free(port)
    yield local_connections()
    yield clock_steps()
    yield clock_steadiness()
    yield processor()
    yield terminal()
    yield working_folder(Path.cwd())
    yield shadowed_modules(Path.cwd())
    yield open_files()
    yield java(shutil.which("java"))
    yield uvloop()


# Python and packages


def python_version(version: tuple[int, ...]) -> Finding:
    shown = ".".join(map(str, version))
    where = f"{shown} ({sys.executable})"
    if version < NEEDED_PYTHON:
        return Finding(
            "Python",
            Level.PROBLEM,
            f"{where} is too old",
            "install Python 3.12 or newer from python.org",
        )
    if version < ADVISED_PYTHON:
        return Finding(
            "Python",
            Level.NOTE,
            f"{where} will do",
            "3.11.9 or newer is better: it reads hostile XML faster",
        )
    return Finding("Python", Level.OK, where)


def expat_version(text: str) -> Finding:
    version = _numbers(text)
    shown = ".".join(map(str, version))
    if version < ADVISED_EXPAT:
        return Finding(
            "XML reader",
            Level.WARNING,
            f"Expat {shown}: hostile clients can slow down a server",
            "update Python, or the system where that brings Expat; among friends it does not "
            "matter",
        )
    return Finding("XML reader", Level.OK, f"Expat {shown}")


def _requirements() -> Iterable[str]:
    try:
        return metadata.requires(PACKAGE) or ()
    except metadata.PackageNotFoundError:  # copied, not installed; said by ``packages``
        return ()


def packages(requirements: Iterable[str]) -> Iterator[Finding]:
    """Look for ourselves and what we need, from the list that was installed with us."""
    good = []
    for requirement in [PACKAGE, *requirements]:
        name, least, optional = _read_requirement(requirement)
        if optional:
            continue
        try:
            version = metadata.version(name)
        except metadata.PackageNotFoundError:
            yield Finding(
                f"package {name}", Level.PROBLEM, "is not installed", _install(name, least)
            )
            continue
        if _numbers(version) < _numbers(least):
            text = f"{version} is too old, {least} or newer is needed"
            yield Finding(f"package {name}", Level.PROBLEM, text, _install(name, least))
        else:
            good.append(f"{name} {version}")
    yield Finding(
        "packages", Level.OK if good else Level.PROBLEM, ", ".join(good) or "none is there"
    )


def _read_requirement(text: str) -> tuple[str, str, bool]:
    """Split ``uvloop>=0.20; extra == 'speed'`` into the name, the least version, and whether it is
    only for an extra.
    """
    wanted, _, condition = text.partition(";")
    name = re.match(r"[\w.-]+", wanted.strip())
    least = re.search(r">=\s*([\w.]+)", wanted)
    return name[0] if name else wanted, least[1] if least else "0", "extra" in condition


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in re.findall(r"\d+", version)[:3])


def _install(name: str, least: str) -> str:
    wanted = name if least == "0" else f'"{name}>={least}"'
    return f"{Path(sys.executable).name} -m pip install {wanted}"


def command_line(found: str | None) -> Finding:
    if found is None:
        return Finding(
            "command",
            Level.WARNING,
            f"the shell does not find {PACKAGE}",
            f"put {Path(sys.executable).parent} into the PATH, or type: "
            f"{Path(sys.executable).name} -m {PACKAGE}",
        )
    return Finding("command", Level.OK, found)


def game_in_force(environ: Mapping[str, str]) -> Finding:
    """Find out which game is meant where neither a bot nor --game names one, and who says so."""
    name = "game"
    try:
        game = default_game(environ)
    except UnknownGame as error:
        return Finding(
            name, Level.PROBLEM, str(error), f"set {VARIABLE} to one of them, or unset it"
        )
    if environ.get(VARIABLE, "").strip():
        return Finding(
            name, Level.OK, f"{game.id}, because {VARIABLE} says so; bots and --game win over it"
        )
    return Finding(
        name, Level.OK, f"{game.id}, the default; bots, --game and {VARIABLE} win over it"
    )


# Network

_NO_ADDRESS = frozenset({errno.EADDRNOTAVAIL, errno.EAFNOSUPPORT})
"""How systems say that they know no such address; then a server does without it."""


def port_free(port: int) -> Finding:
    """Find out whether a server could listen where clients look for one.

    localhost is two addresses, and the server needs both.
    """
    name = f"port {port}"
    error = _obstacle(socket.AF_INET, "127.0.0.1", port)
    if error is None and socket.has_ipv6:
        error = _obstacle(socket.AF_INET6, "::1", port)
        if error is not None and error.errno in _NO_ADDRESS:
            error = None
    if error is None:
        return Finding(name, Level.OK, "is free for a server")
    owner = port_owner(port)
    if owner is None and isinstance(error, PermissionError):
        return Finding(
            name, Level.PROBLEM, "this user may not listen there", "take another one with --port"
        )
    who = owner or "another program"
    find = f"netstat -ano | findstr :{port}" if sys.platform == "win32" else f"lsof -i :{port}"
    hint = "" if owner else f"; {find} says who has it"
    return Finding(
        name,
        Level.WARNING,
        f"is taken by {who}",
        f"if that is your server, all is well; else end it, or use serve --port {port + 1}{hint}",
    )


def _obstacle(family: int, address: str, port: int) -> OSError | None:
    """Return the error of trying to listen there, or None."""
    try:
        with socket.socket(family, socket.SOCK_STREAM) as sock:
            if sys.platform != "win32":  # there it would allow two servers on one port
                sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            if family == socket.AF_INET6:
                sock.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
            sock.bind((address, port))
            sock.listen()
    except OSError as error:
        return error
    return None


def port_owner(port: int, proc: Path = Path("/proc")) -> str | None:
    """Return the program that listens on a port, or None where the system does not tell.

    An example is ``python -m spielleiter serve (process 4711)``.
    """
    sockets = {
        f"socket:[{inode}]"
        for table in ("tcp", "tcp6")
        for inode in _listeners(proc / "net" / table, port)
    }
    if not sockets:
        return None
    for process in proc.glob("[0-9]*"):
        try:
            if any(str(file.readlink()) in sockets for file in (process / "fd").iterdir()):
                command = (
                    (process / "cmdline")
                    .read_bytes()
                    .replace(b"\0", b" ")
                    .decode("utf-8", "replace")
                    .strip()
                )
                return f"{command[:80]} (process {process.name})"
        except OSError:  # somebody else's, or gone
            continue
    return "a program of another user"


def _listeners(table: Path, port: int) -> Iterator[str]:
    """Return the inodes of listening sockets in a table of the kernel.

    0A in its fourth column means listening.
    """
    try:
        lines = table.read_text("ascii", "replace").splitlines()[1:]
    except OSError:
        return
    for line in lines:
        parts = line.split()
        if len(parts) > 9 and parts[3] == "0A" and int(parts[1].rpartition(":")[2], 16) == port:
            yield parts[9]


def local_connections(host: str = "localhost") -> Finding:
    """Try whether a bot on this machine reaches a server on it.

    Firewalls and odd host files stop that.
    """
    name = "connections on this computer"
    advice = "allow Python in the firewall, or have localhost mean 127.0.0.1 in the file hosts"
    try:
        with ExitStack() as stack:
            server = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
            server.settimeout(_CONNECT_SECONDS)
            client = socket.create_connection(
                (host, server.getsockname()[1]), timeout=_CONNECT_SECONDS
            )
            stack.enter_context(client)
            peer, _ = server.accept()
            stack.enter_context(peer)
            peer.settimeout(_CONNECT_SECONDS)
            started = time.perf_counter()
            client.sendall(b"?")
            peer.sendall(peer.recv(1))
            client.recv(1)
            seconds = time.perf_counter() - started
    except OSError as error:
        return Finding(name, Level.PROBLEM, f"do not work: {error.strerror or error}", advice)
    return Finding(name, Level.OK, f"work, {seconds * 1000:.2f} ms there and back")


# Time and power


def clock_steps(now: Callable[[], float] = time.monotonic) -> Finding:
    """Measure the smallest step the clock makes."""
    smallest = float("inf")
    for _ in range(20):
        before = now()
        while (after := now()) == before:
            pass
        smallest = min(smallest, after - before)
    text = f"steps of {_span(smallest)}"
    if smallest > _COARSE_CLOCK:
        return Finding(
            "clock",
            Level.WARNING,
            f"{text}: times of moves are rough",
            "leave 0.1 s of every move unused",
        )
    return Finding("clock", Level.OK, text)


def clock_steadiness(
    now: Callable[[], float] = time.monotonic,
    sleep: Callable[[float], None] = time.sleep,
    naps: int = 30,
) -> Finding:
    """Measure how late a program wakes up that asked for 5 ms of sleep."""
    worst = 0.0
    for _ in range(naps):
        before = now()
        sleep(0.005)
        worst = max(worst, now() - before - 0.005)
    text = f"a pause of 5 ms ends up to {_span(worst)} late"
    if worst > _LATE_WAKE:
        return Finding(
            "punctuality",
            Level.WARNING,
            f"{text}: bots may lose time they did not use",
            "close other programs; leave bots some spare time; do not measure strength now",
        )
    return Finding("punctuality", Level.OK, text)


def processor(
    now: Callable[[], float] = time.perf_counter,
    used: Callable[[], float] = time.process_time,
    seconds: float = 0.2,
) -> Finding:
    """Find out how many cores there are, and how much of one a busy program gets."""
    started, used_before = now(), used()
    while now() - started < seconds:
        pass
    share = min(1.0, (used() - used_before) / (now() - started))
    cores = os.cpu_count() or 1
    load = f", load {os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else ""
    text = (
        f"{cores} {'core' if cores == 1 else 'cores'}{load}; a busy program gets {share:.0%} of one"
    )
    if share < 0.7:
        return Finding(
            "processor",
            Level.WARNING,
            text,
            "close other programs before you measure the strength of bots",
        )
    if cores < 2:
        return Finding(
            "processor", Level.NOTE, text, "server and bots share one core: play one game at a time"
        )
    return Finding("processor", Level.OK, text)


def _span(seconds: float) -> str:
    for unit, factor in (("s", 1.0), ("ms", 1e3), ("µs", 1e6)):
        if seconds * factor >= 1:
            return f"{seconds * factor:.3g} {unit}"
    return f"{seconds * 1e9:.3g} ns"


# Terminal and files


def terminal() -> Finding:
    encoding = getattr(sys.stdout, "encoding", None) or "unknown"
    if not sys.stdout.isatty():
        return Finding(
            "terminal", Level.OK, f"output goes to a file or a program, encoding {encoding}"
        )
    colors = (
        "without colours"
        if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
        else "with colours"
    )
    text = f"{encoding}, {colors}, {shutil.get_terminal_size().columns} characters wide"
    if "utf" not in encoding.lower():
        advice = "set the environment variable PYTHONUTF8=1 for umlauts and boards"
        return Finding("terminal", Level.WARNING, text, advice)
    return Finding("terminal", Level.OK, text)


def working_folder(folder: Path) -> Finding:
    """Try whether bots, replays and logs can be written here."""
    try:
        with tempfile.TemporaryFile(dir=folder) as file:
            file.write(b"?")
        free = shutil.disk_usage(folder).free
    except OSError as error:
        text = f"{folder} cannot be written: {error.strerror or error}"
        return Finding("working folder", Level.PROBLEM, text, "change to a folder of your own")
    if free < _LITTLE_SPACE:
        text = f"{folder} has only {free / 1024**2:.0f} MB left"
        return Finding(
            "working folder", Level.WARNING, text, "make room before you record many games"
        )
    return Finding(
        "working folder", Level.OK, f"{folder} can be written, {free / 1024**3:.1f} GB free"
    )


def shadowed_modules(folder: Path) -> Finding:
    """Find out whether a file here hides a module of Python.

    A random.py breaks every bot beside it.
    """
    names = sys.stdlib_module_names | {PACKAGE}
    try:
        found = sorted(path.name for path in folder.glob("*.py") if path.stem in names)
    except OSError:
        found = []
    if found:
        return Finding(
            "names of files",
            Level.WARNING,
            f"{', '.join(found)} in {folder} hides what Python has under that name",
            "rename it: bots in this folder would import it by mistake",
        )
    return Finding("names of files", Level.OK, "no file here hides a module of Python")


def open_files() -> Finding:
    name = "open files"
    try:
        import resource
    except ImportError:  # Windows
        return Finding(name, Level.OK, "the system sets no low limit")
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    unlimited = resource.RLIM_INFINITY
    shown = (
        "unlimited"
        if soft == unlimited
        else f"{soft} allowed, {'any number' if hard == unlimited else hard} on request"
    )
    if hard != unlimited and hard < _FEW_FILES:
        return Finding(
            name, Level.WARNING, shown, "few games at once; ask for more with: ulimit -n 4096"
        )
    return Finding(name, Level.OK, shown)


# What is optional


def java(program: str | None) -> Finding:
    if program is None:
        return Finding("Java", Level.NOTE, "is not there; only bots that are .jar files need it")
    try:
        done = subprocess.run(  # noqa: S603 - what the PATH calls java
            [program, "-version"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=_JAVA_SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        why = "does not answer" if isinstance(error, subprocess.TimeoutExpired) else error.strerror
        return Finding(
            "Java",
            Level.WARNING,
            f"{program} does not run: {why}",
            "install it again, for .jar bots",
        )
    said = done.stdout.decode("utf-8", "replace").splitlines()
    if done.returncode:
        text = f"{program} does not run: {said[0] if said else f'exit code {done.returncode}'}"
        return Finding("Java", Level.WARNING, text, "install it again, for .jar bots")
    return Finding("Java", Level.OK, f"{said[0] if said else 'there'} ({program})")


def uvloop() -> Finding:
    try:
        return Finding("uvloop", Level.OK, metadata.version("uvloop"))
    except metadata.PackageNotFoundError:
        return Finding(
            "uvloop", Level.NOTE, "is not there; only servers with hundreds of games gain from it"
        )
