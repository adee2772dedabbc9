"""Play a run from the command line, and say where its folder is and what shows and ends it.

What the results mean is said by ``run_results``.
"""

from __future__ import annotations

import asyncio
import re
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

import click

from spielleiter.arena.runs.events import Listener, RunEvent, RunStarted, RunStopped, StopReason
from spielleiter.arena.runs.jobs import MatchPlayer
from spielleiter.arena.runs.machine import MOST_PARALLEL
from spielleiter.arena.runs.plan import Way
from spielleiter.arena.runs.runner import Runner
from spielleiter.arena.runs.saved_run import RunError, has_run
from spielleiter.arena.runs.tally import Tally
from spielleiter.arena.store.errors import StoreError
from spielleiter.arena.store.values import FILE_NAME
from spielleiter.cli.errors import CliError, ExitCode
from spielleiter.cli.progress import LiveProgress, PlainProgress, Progress
from spielleiter.cli.signals import EndedBySignal, until_told_to_end
from spielleiter.cli.terminal import as_typed
from spielleiter.rules import one_line
from spielleiter.server.clock import FairClock, make_loop

RUNS = Path("runs")
"""Where the folders of runs are made if nobody names another place."""
_TICK_SECONDS = 0.5
_LONGEST_SLUG = 40
_MOST_TRIES = 1000

MakeRunner = Callable[[Sequence[MatchPlayer], Listener], Runner]


@dataclass(frozen=True, slots=True)
class RunEnded:
    """A run that has come to its end, or has been stopped."""

    folder: Path
    tally: Tally
    stopped: RunStopped | None = None
    signal_code: int | None = None
    """The exit code of the signal that stopped it."""

    @property
    def stop_code(self) -> int | None:
        """The exit code of a run that was stopped, None for one that was not."""
        if self.stopped is None:
            return None
        if self.signal_code is not None:
            return self.signal_code
        is_interrupted = self.stopped.reason is StopReason.INTERRUPTED
        return ExitCode.INTERRUPTED if is_interrupted else ExitCode.FAILED


def say(text: str) -> None:
    """Print a line where it does not disturb results."""
    click.echo(text, err=True)


def show_path(path: Path) -> str:
    """Return a path that can be typed again."""
    return one_line(as_typed(str(path)), 1000)


# The folder


def choose_folder(wanted: Path | None, names: Sequence[str], now: datetime) -> Path:
    """Make the folder of a new run. Raises CliError if there is anything in it already."""
    try:
        if wanted is not None:
            return _take_folder(wanted)
        return _make_folder(RUNS / f"{now:%Y-%m-%d-%H%M%S}-{_slug(names)}")
    except OSError as error:
        raise CliError(
            f"the folder of the run cannot be made: {error.filename or wanted}: "
            f"{error.strerror or error}",
            "name another place with --out",
        ) from None


def _take_folder(folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    try:
        has_begun = has_run(folder)
    except StoreError as error:
        raise CliError(error.message, error.advice, ExitCode.USAGE) from None
    if has_begun:
        raise CliError(
            f"there is a run in {folder} already",
            f"go on with it: spielleiter resume {show_path(folder)}; or name another folder",
            ExitCode.USAGE,
        )
    names = sorted(path.name for path in folder.iterdir())
    # A run that was killed before it began has left its empty database.
    found = next((name for name in names if not name.startswith(FILE_NAME)), None)
    if found is not None:
        raise CliError(
            f"{folder} is not empty: it has {found} in it",
            "name a folder that is not there yet; nothing is ever overwritten",
            ExitCode.USAGE,
        )
    return folder


def _make_folder(folder: Path) -> Path:
    for number in range(1, _MOST_TRIES):
        path = folder if number == 1 else folder.with_name(f"{folder.name}-{number}")
        try:
            path.mkdir(parents=True)
        except FileExistsError:
            if not RUNS.is_dir():
                raise
            continue
        return path
    raise CliError(f"{folder} is there already", "name another place with --out")


def _slug(names: Sequence[str]) -> str:
    """Return names as a part of a file's name that every system takes."""
    words = [re.sub(r"[^A-Za-z0-9]+", "-", name).strip("-") for name in names]
    return "-".join(filter(None, words))[:_LONGEST_SLUG].strip("-") or "run"


def drop_if_empty(folder: Path) -> None:
    """Take a folder away again in which nothing has begun."""
    try:
        folder.rmdir()
    except OSError:
        return


# Playing


def play_run(way: Way, make: MakeRunner, *, is_new: bool = False) -> RunEnded:
    """Play a run that ``make`` makes, and show how it gets on.

    Ctrl+C stops it with the results so far, and again ends at once. Raises CliError if it cannot
    begin.
    """
    clock = FairClock()
    ear = _Ear(make_progress())
    try:
        with asyncio.Runner(loop_factory=lambda: make_loop(clock)) as loop:
            return loop.run(_play(way, make, clock, ear))
    except (RunError, StoreError) as error:
        if is_new and isinstance(error, StoreError):
            error = error.before_begin()
        raise CliError(error.message, error.advice) from None
    except KeyboardInterrupt:
        if ear.folder is None:
            raise
        raise CliError(
            "interrupted",
            f"go on with: spielleiter resume {show_path(ear.folder)}",
            ExitCode.INTERRUPTED,
        ) from None


async def _play(way: Way, make: MakeRunner, clock: FairClock, ear: _Ear) -> RunEnded:
    runner = make(make_players(way, clock), ear.hear)
    ticking = asyncio.create_task(_tick(ear.progress))
    code = None
    try:
        await until_told_to_end(runner.run())
    except asyncio.CancelledError:
        if ear.stopped is None:
            raise
    except EndedBySignal as signal:
        if ear.stopped is None:
            raise
        code = signal.exit_code
    finally:
        ticking.cancel()
        ear.progress.close()
    return RunEnded(runner.folder, runner.tally, ear.stopped, code)


async def _tick(progress: Progress) -> None:
    while True:
        await asyncio.sleep(_TICK_SECONDS)
        progress.tick()


def make_progress() -> Progress:
    """Return what shows a run here."""
    if not sys.stderr.isatty():
        return PlainProgress(say)
    from rich.console import Console

    return LiveProgress(Console(stderr=True, highlight=False))


def make_players(way: Way, clock: FairClock) -> list[MatchPlayer]:
    """Return the ways to play, the preferred one first."""
    from spielleiter.arena.runs.socket_player import SocketPlayer

    sockets = SocketPlayer(clock)
    if way is Way.SOCKETS:
        return [sockets]
    from spielleiter.arena.workers.pool import WorkerPool

    workers = WorkerPool(MOST_PARALLEL)  # processes are started when matches need them
    return [workers] if way is Way.WORKERS else [workers, sockets]


class _Ear:
    """Hears the events of a run, and keeps what is needed at its end."""

    def __init__(self, progress: Progress) -> None:
        self.progress = progress
        self.stopped: RunStopped | None = None
        self.folder: Path | None = None
        """Where the run is kept, None before it has begun."""

    def hear(self, event: RunEvent) -> None:
        if isinstance(event, RunStarted):
            self.folder = event.folder
            say(_introduce(event))
        if isinstance(event, RunStopped):
            self.stopped = event
        self.progress.hear(event)


def _introduce(event: RunStarted) -> str:
    """Say what is played and where it is kept, before the first game."""
    plan, tally = event.plan, event.tally
    begun = f", {tally.stored} of which are there already" if event.is_resumed else ""
    at_once = "one game" if event.parallel == 1 else f"{event.parallel} games"
    who = (
        " against ".join(one_line(name) for name in plan.names)
        if plan.kind == "match"
        else f"{len(plan.bots)} bots, {plan.form.value}"
    )
    return (
        f"{plan.game}, {who}: {tally.total} games{begun}, {at_once} at a time, seed {plan.seed}; "
        f"kept in {show_path(event.folder)}"
    )
