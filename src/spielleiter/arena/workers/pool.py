"""Play matches between Python bots in processes that stay alive from match to match.

Starting Python and loading the rules takes longer than many a match. Here one process plays whole
matches, both bots in it (see ``program``), and this side only watches. A bot that does not
come back, or takes the process down with it, has lost, and the next match gets a new process. What
bots do to each other on purpose cannot be prevented in one process (see docs/decisions/workers.md).
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
import sys
import tempfile
import time
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from spielleiter.arena.bots import BotKind, BotSpec, bot_environment
from spielleiter.arena.runs.jobs import ArenaTrouble, MatchJob
from spielleiter.arena.source_files import UnreadableSource, read_source
from spielleiter.arena.store.values import MatchReport, StoredOutput
from spielleiter.arena.thoughts import ThoughtFile
from spielleiter.arena.workers.journal import Journal, Moment, WorkerPhase
from spielleiter.arena.workers.order import limits_of, write_order, write_setting
from spielleiter.arena.workers.report import WAY, Story, UnreadableStory
from spielleiter.client import environment
from spielleiter.client.watchdog import tidy_dump
from spielleiter.games import get_game
from spielleiter.processes.dialogue import Dialogue, DialogueError, NoAnswer
from spielleiter.processes.guard import temporary_folder
from spielleiter.processes.program import BotProcess, StartFailure, describe_exit
from spielleiter.rules import Cause, UnknownGame

JOIN_SECONDS = 10.0
"""What a bot may take to be loaded and made, as for a program that is to join a server."""
LEAVE_SECONDS = 3.0
"""What a bot may do when its match is over."""
MOST_MATCHES = 500
"""Of one process. Then another one takes over, whatever bots have left in the first."""
_SLACK_SECONDS = 0.25
"""What a bot gets beyond the hard limit, so that one that comes back late says so itself."""
_OWN_SECONDS = 60.0
"""What our own code in a worker may take, even on a machine that hardly moves."""
_ATTEMPTS = 3
"""How often a match begins again because the process died while no bot was at work."""


@dataclass(frozen=True, slots=True)
class _Ending:
    """How a match in a worker came to its end.

    ``moment`` is None if the worker says that all is told, and else what it was doing.
    """

    moment: Moment | None
    hung: bool = False
    worn: str | None = None


class _Worker:
    """One process from this side."""

    def __init__(self, process: BotProcess, journal: Journal, path: Path) -> None:
        assert process.dialogue is not None
        self.process = process
        self.journal = journal
        self.matches = 0
        self.notes = [f"{path}-notes-{seat}" for seat in (0, 1)]
        """Where bots find ``SPIELLEITER_NOTES``. The SDK tells its notes in the journal."""
        self._path = path
        self._dialogue: Dialogue = process.dialogue

    @classmethod
    def start(cls, path: Path) -> _Worker:
        """Start a process. Raises ArenaTrouble."""
        argv = (sys.executable, "-P", "-m", "spielleiter.arena.workers.program", str(path))
        try:
            journal = Journal.create(path)
            variables = bot_environment(os.environ, name="")
            variables.pop(environment.NOTES, None)
            process = BotProcess.start(argv, environment=variables, talks=True, in_loop=True)
            return cls(process, journal, path)
        except StartFailure as error:
            raise ArenaTrouble(f"a worker process cannot be started: {error}") from None
        except OSError as error:
            raise ArenaTrouble(
                f"there is no room for a worker's temporary file in {path.parent.parent}: "
                f"{error.strerror or error}"
            ) from None

    async def play(self, message: str, hard: float) -> _Ending:
        """Have a match played, and return how that went. Raises ArenaTrouble."""
        self.matches += 1
        self.journal.reset()
        # Nobody tells us when a bot gets to work, so no wait is longer than the shortest limit.
        longest = min(JOIN_SECONDS, LEAVE_SECONDS, hard + _SLACK_SECONDS)
        try:
            # If it does not read this, it does not answer either, and that is noticed below.
            self._dialogue.post_line(message)
            while True:
                moment = self.journal.look()
                left = _deadline(moment, hard) - time.perf_counter()
                # What was written just then may come out torn, so it is looked at twice.
                if left <= 0 and self.journal.look() == moment:
                    return _Ending(moment, hung=True)
                try:
                    line = await self._dialogue.read_line(min(max(left, 0.01), longest))
                except NoAnswer:
                    continue
                return _Ending(None, worn=json.loads(line))
        except (DialogueError, ValueError):  # it has ended, or a bot has found its way out
            return _Ending(self.journal.look())

    async def stop(self, *, show: bool = False) -> None:
        """End the process. With ``show`` it says first where in the bot's code it is."""
        if show and sys.platform != "win32" and self.process.exit_code is None:
            with contextlib.suppress(OSError):
                os.kill(self.process.pid, signal.SIGABRT)
            await self.process.wait_within(1.0)
        await self.process.end()
        self.journal.close()
        with contextlib.suppress(OSError):
            self._path.unlink()


def _deadline(moment: Moment, hard: float) -> float:
    match moment.phase:
        case WorkerPhase.JOINING:
            return moment.since + JOIN_SECONDS
        case WorkerPhase.ASKED | WorkerPhase.SHOWN:
            return moment.since + hard + _SLACK_SECONDS
        case WorkerPhase.ENDING:
            return moment.since + LEAVE_SECONDS
    return moment.since + _OWN_SECONDS


class WorkerPool:
    """So many processes at most, each playing one match at a time. It is a MatchPlayer."""

    way = WAY

    def __init__(self, size: int) -> None:
        if size < 1:
            raise ValueError(f"there is no pool of {size} workers")
        self._slots = asyncio.Semaphore(size)
        self._idle: list[_Worker] = []
        self._stopping: set[asyncio.Task[None]] = set()
        self._resources = contextlib.ExitStack()
        self._folder: Path | None = None
        self._started = 0
        self._known: dict[BotSpec, dict[str, Any] | str] = {}
        """Bots as workers are told about them, or why they cannot play here, without their name."""
        self._settings: dict[tuple[Any, ...], str] = {}
        """What matches of the same bots in the same seats have in common, as workers read it."""

    def can_play(self, job: MatchJob) -> str | None:
        try:
            is_known = get_game(job.game.id) == job.game
        except UnknownGame:
            is_known = False
        if not is_known:
            return f"{job.game.title} is not a game that worker processes know"
        for spec, name in zip(job.bots, job.names, strict=True):
            found = self._describe(spec)
            if isinstance(found, str):
                return f"{name} {found}"
        return None

    async def play(self, job: MatchJob) -> MatchReport:
        setting = self._setting(job)
        async with self._slots:
            missing: list[int] = []
            outputs: list[StoredOutput] = []
            details: dict[str, Any] = {}
            began = time.perf_counter()
            for _ in range(_ATTEMPTS + len(job.bots)):
                report = await self._try(job, setting, missing, outputs, details, began)
                if report is not None and outputs:
                    return replace(report, outputs=(*outputs, *report.outputs))
                if report is not None:
                    return report
        raise ArenaTrouble(
            "worker processes end again and again while no bot is at work; does somebody end them, "
            "or is there too little memory? Resume when that is mended"
        )

    async def close(self) -> None:
        for worker in self._idle:
            self._stop(worker)
        self._idle.clear()
        if self._stopping:
            await asyncio.gather(*self._stopping)
        self._resources.close()
        self._folder = None

    # One attempt

    async def _try(
        self,
        job: MatchJob,
        setting: str,
        missing: list[int],
        outputs: list[StoredOutput],
        details: dict[str, Any],
        began: float,
    ) -> MatchReport | None:
        """Play the match, or find out which bot never comes, or that it must be tried again."""
        worker = self._idle.pop() if self._idle else self._start()
        is_kept = False
        try:
            message = write_order(setting, job, missing, worker.notes)
            ending = await worker.play(message, limits_of(job)[1])
            story = _read(worker)
            self._add_notes(job, worker, story)
            if ending.moment is None:
                if ending.worn is not None:
                    details["worker"] = ending.worn
                report = story.report(details)
                is_kept = ending.worn is None and worker.matches < MOST_MATCHES
                return report
            return await self._judge(worker, ending, job, story, missing, outputs, details, began)
        except UnreadableStory as error:
            raise ArenaTrouble(
                f"what a worker process tells makes no sense ({error}); a bot has written into its "
                "memory. Play with --sockets"
            ) from None
        finally:
            if is_kept:
                self._idle.append(worker)
            else:
                self._stop(worker)

    async def _judge(
        self,
        worker: _Worker,
        ending: _Ending,
        job: MatchJob,
        story: Story,
        missing: list[int],
        outputs: list[StoredOutput],
        details: dict[str, Any],
        began: float,
    ) -> MatchReport | None:
        """Decide a match whose worker has ended or must be ended."""
        moment = ending.moment
        assert moment is not None
        seat = moment.seat if 0 <= moment.seat < len(job.bots) else 0
        if ending.hung:
            await worker.stop(show=True)
        else:
            await worker.process.wait_within(1.0)
        said = worker.process.stderr.text().splitlines()
        if moment.phase in (WorkerPhase.WAITING, WorkerPhase.OURS):
            if ending.hung or said:
                why = said[-1] if said else "it does not answer"
                raise ArenaTrouble(f"a worker process failed: {why}")
            return None
        code = worker.process.exit_code
        how = "did not come back" if ending.hung else describe_exit(code or 0)
        details.setdefault("ended", {})[str(seat)] = how
        turn = story.moves[-1].turn if story.moves else None
        shown = [
            StoredOutput(seat, "stderr", line, time.perf_counter() - began, turn)
            for line in tidy_dump(said)
        ]
        if moment.phase is WorkerPhase.JOINING:
            missing.append(seat)
            outputs += [line for line in story.outputs if line.seat == seat]
            outputs += shown
            return None
        cause = Cause.HARD_TIMEOUT if ending.hung else Cause.LEFT
        outputs += story.outputs
        story.outputs = []
        outputs += shown
        return story.report_broken_off(job, seat, cause, time.perf_counter() - began, details)

    def _add_notes(self, job: MatchJob, worker: _Worker, story: Story) -> None:
        """Take what bots wrote by themselves into the files for their notes."""
        for seat, spec in enumerate(job.bots):
            if spec.kind is BotKind.HOUSE:
                continue
            path = Path(worker.notes[seat])
            if path.exists():
                file = ThoughtFile(path)
                file.update()
                story.add_records(seat, file.records, job.game)
                with contextlib.suppress(OSError):  # it may have made a folder of it
                    path.unlink()

    def _setting(self, job: MatchJob) -> str:
        """Return what workers are told about its bots. Raises ArenaTrouble if they cannot play."""
        key = (job.game.id, job.bots, job.names, job.time)
        setting = self._settings.get(key)
        if setting is None:
            reason = self.can_play(job)
            if reason is not None:
                raise ArenaTrouble(f"{reason}; play with --sockets")
            setting = write_setting(job, [self._describe(spec) for spec in job.bots])
            self._settings[key] = setting
        return setting

    def _describe(self, spec: BotSpec) -> dict[str, Any] | str:
        if spec not in self._known:
            self._known[spec] = _describe(spec)
        return self._known[spec]

    # Processes

    def _start(self) -> _Worker:
        try:
            if self._folder is None:
                self._folder = self._resources.enter_context(temporary_folder())
        except OSError as error:
            raise ArenaTrouble(
                f"there is no room for temporary files in {tempfile.gettempdir()}: "
                f"{error.strerror or error}"
            ) from None
        self._started += 1
        return _Worker.start(self._folder / f"journal-{self._started}")

    def _stop(self, worker: _Worker) -> None:
        """End a process without waiting for it. ``close`` does."""
        task = asyncio.get_running_loop().create_task(worker.stop())
        self._stopping.add(task)
        task.add_done_callback(self._stopping.discard)


def _read(worker: _Worker) -> Story:
    return Story(worker.journal.lines())


def _describe(spec: BotSpec) -> dict[str, Any] | str:
    """Return what a worker must know about a bot, or why a worker cannot play it.

    The reason goes on after the bot's name.
    """
    if spec.kind is BotKind.HOUSE:
        return {"kind": "house", "name": spec.argv[spec.argv.index("--game") - 1]}
    if spec.kind not in (BotKind.PYTHON, BotKind.BOT_FILE):
        return f"is a {spec.kind.value}, which runs in a process of its own"
    file = Path(spec.argv[-1])
    try:
        source = read_source(file)
    except (OSError, UnreadableSource) as error:
        return f"cannot be read: {error}"
    if spec.kind is BotKind.BOT_FILE:
        return {"kind": "class", "file": str(file), "class": source.bots[0]}
    if not source.runs:
        return "speaks to the server by itself, so it needs one"
    if source.goes_on:
        return "calls run_match, so it may go on after a match"
    return {"kind": "program", "file": str(file)}
