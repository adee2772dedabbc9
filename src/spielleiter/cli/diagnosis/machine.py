"""Look at the clock, the processor, the terminal, the working folder, and what is optional."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from importlib import metadata
from pathlib import Path

from spielleiter.arena.runs.machine import usable_cores
from spielleiter.cli.diagnosis.findings import Finding, Level
from spielleiter.cli.diagnosis.installation import PACKAGE

_JAVA_SECONDS = 10.0
_COARSE_CLOCK = 0.02
_LATE_WAKE = 0.05
_LITTLE_SPACE = 100 * 1024**2
_FEW_FILES = 256


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
    cores = usable_cores()
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
