"""Play a run to its end, or go on with one that was broken off.

Results are stored, then counted, then told. What is played is decided by the plan and the results
alone, so a run that was killed goes on as if nothing had happened. How a match is played is
decided by the players.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Sequence
from concurrent.futures import Future
from pathlib import Path
from typing import Any, TypeVar

from spielleiter import __version__
from spielleiter.arena.bots import BotSpec
from spielleiter.arena.pairing.openings import Opening
from spielleiter.arena.runs.agenda import Agenda, StoredPlan
from spielleiter.arena.runs.attempts import play_until_it_counts
from spielleiter.arena.runs.events import (
    Listener,
    MatchBegun,
    MatchFinished,
    MatchRetried,
    RunFinished,
    RunStarted,
    RunStopped,
    SlowMachine,
    StopReason,
)
from spielleiter.arena.runs.jobs import ArenaTrouble, MatchJob, MatchPlayer
from spielleiter.arena.runs.machine import (
    MOST_PARALLEL,
    Complaints,
    DelayMeter,
    Window,
    default_parallel,
    with_measures,
)
from spielleiter.arena.runs.plan import RunPlan
from spielleiter.arena.runs.saved_run import RunError, SavedRun, make_folder, read_run, to_store
from spielleiter.arena.runs.tally import Tally
from spielleiter.arena.store.errors import StoreError
from spielleiter.arena.store.values import (
    MatchReport,
    StoredEvent,
)
from spielleiter.arena.store.writer import StoreWriter
from spielleiter.games import get_game

T = TypeVar("T")

MOST_STORING = 64
"""Matches that wait for the disk while others are played. They are played again if it fails."""


class Runner:
    """Plays one run in one folder. It is used once.

    ``players`` are the ways to play, the preferred one first. They are closed at the end.
    """

    def __init__(
        self,
        folder: Path,
        plan: RunPlan,
        bots: Sequence[BotSpec],
        players: Sequence[MatchPlayer],
        *,
        listen: Listener | None = None,
        parallel: int | None = None,
        meter: DelayMeter | None = None,
    ) -> None:
        if len(bots) != len(plan.bots):
            raise ValueError(f"a plan of {len(plan.bots)} bots cannot be played by {len(bots)}")
        self.folder = folder
        self.plan = plan
        self.game = get_game(plan.game)
        self.tally = Tally(plan, self.game)
        """The totals, also when the run is over."""
        self._bots = tuple(bots)
        self._players = tuple(players)
        self._listen: Listener = listen or _ignore
        self._wanted_parallel = parallel
        self._meter = meter or DelayMeter()
        self._saved: SavedRun | None = None
        self._ways: dict[tuple[int, int], MatchPlayer] = {}
        self._complaints = Complaints()
        self._stopped = asyncio.Event()

    @classmethod
    def resume(
        cls,
        saved: SavedRun,
        folder: Path,
        bots: Sequence[BotSpec],
        players: Sequence[MatchPlayer],
        **options: Any,
    ) -> Runner:
        """Return a runner that goes on with what ``saved_run.read_run`` found in ``folder``."""
        runner = cls(folder, saved.plan, bots, players, **options)
        runner._saved = saved
        return runner

    def stop(self) -> None:
        """End the run soon. Matches that are being played are cut and played again on resume."""
        self._stopped.set()

    async def run(self) -> RunFinished | RunStopped:
        """Play until the run is over or cannot go on, and return the last event.

        Every event was told before. Raises RunError or StoreError if the run cannot begin. After
        a cancellation the run is stopped in order, told, and CancelledError is raised.
        """
        async with contextlib.AsyncExitStack() as stack:
            for player in self._players:
                stack.push_async_callback(player.close)
            remarks = self._choose_ways() + self._compare_versions()
            if self._saved is None:
                make_folder(self.folder)
            # Not in a thread: if we were cancelled meanwhile, nobody would close it.
            writer = StoreWriter(self.folder)
            stack.push_async_callback(asyncio.to_thread, _close, writer)
            session = await self._begin(writer)
            resumed, parallel = self._saved is not None, session.parallel
            self._listen(RunStarted(self.folder, self.plan, self.tally, resumed, parallel, remarks))
            measuring = asyncio.create_task(self._meter.keep_measuring())
            stack.callback(measuring.cancel)
            last = await self._play(session)
        self._listen(last)
        if _is_cancelled():
            raise asyncio.CancelledError
        return last

    # Before the first match

    def _choose_ways(self) -> tuple[str, ...]:
        """Find out how every two bots can play. Return why they cannot play the preferred way."""
        remarks: dict[str, None] = {}
        for first in range(len(self._bots)):
            for second in range(first + 1, len(self._bots)):
                player, reasons = self._choose_way(first, second)
                if player is None:
                    raise RunError(
                        f"{self.plan.names[first]} and {self.plan.names[second]} cannot play "
                        f"against each other: {'; '.join(reasons)}"
                    )
                self._ways[first, second] = player
                remarks |= dict.fromkeys(reasons)
        return tuple(remarks)

    def _compare_versions(self) -> tuple[str, ...]:
        saved = self._saved
        if saved is None or saved.version == __version__:
            return ()
        versions = f"begun with version {saved.version} of spielleiter, and goes on with"
        return (f"the run was {versions} {__version__}",)

    def _choose_way(self, first: int, second: int) -> tuple[MatchPlayer | None, list[str]]:
        job = self._job(1, (first, second), Opening(0))
        reasons: list[str] = []
        for player in self._players:
            reason = player.can_play(job)
            if reason is None:
                return player, reasons
            reasons.append(reason)
        return None, reasons

    async def _begin(self, writer: StoreWriter) -> _RunSession:
        """Store the run, or that it goes on."""
        if self._saved is None:
            run_id = (await _durable(writer.add_run(*to_store(self.plan)))).id
            known: dict[int, StoredPlan] = {}
            event = StoredEvent("started", "the run begins")
        else:
            # What was read before the lock was taken may be old.
            saved = await asyncio.to_thread(read_run, self.folder)
            if saved.plan != self.plan:
                raise RunError(f"the run in {self.folder} is another one by now", "try again")
            self.tally = saved.tally()
            run_id = saved.id
            known = {
                number: StoredPlan(match.id, match.plan) for number, match in saved.matches.items()
            }
            event = StoredEvent("resumed", f"the run goes on after {self.tally.stored} matches")
        session = _RunSession(self, writer, run_id, known, self._parallel())
        if not self.tally.is_over:
            await session.note(event)
        return session

    def _parallel(self) -> int:
        if self._wanted_parallel is not None:
            return min(max(1, self._wanted_parallel), MOST_PARALLEL)
        ways = {player.way for player in self._ways.values()}
        return min(default_parallel(way, self.plan.time) for way in ways)

    # Until the end

    async def _play(self, session: _RunSession) -> RunFinished | RunStopped:
        """Play, and return how that ended. What else is raised ends the run, too."""
        try:
            if not self.tally.is_over:
                async with session.playing() as work:
                    await self._until_over(work)
                await session.note(StoredEvent("finished", "the run is over"))
        except (asyncio.CancelledError, _StopAsked):
            if self.tally.is_over:  # it was stopped after its last match
                return RunFinished(self.tally)
            return await self._stop(session, StopReason.INTERRUPTED, "the run was stopped", "")
        except StoreError as error:
            return await self._stop(session, StopReason.STORE, error.message, error.advice)
        except ArenaTrouble as trouble:
            return await self._stop(session, StopReason.TROUBLE, str(trouble), "mend that")
        return RunFinished(self.tally)

    async def _until_over(self, work: asyncio.Task[None]) -> None:
        stopped = asyncio.create_task(self._stopped.wait())
        try:
            await asyncio.wait([work, stopped], return_when=asyncio.FIRST_COMPLETED)
        finally:
            stopped.cancel()
        if not work.done():
            raise _StopAsked
        work.result()

    async def _stop(
        self, session: _RunSession, reason: StopReason, text: str, advice: str
    ) -> RunStopped:
        resume = f"spielleiter resume {self.folder}"
        if resume not in advice:
            advice = f"{advice}, then go on with: {resume}" if advice else f"go on with: {resume}"
        with contextlib.suppress(StoreError, asyncio.CancelledError):
            await session.note(StoredEvent("stopped", f"{reason.value}: {text}"))
        return RunStopped(reason, text, advice, self.tally)

    # For the session

    def job(self, ready: StoredPlan) -> tuple[MatchJob, MatchPlayer]:
        """Return what is to be played, and who plays it."""
        planned, bots = ready.plan, ready.bots
        job = self._job(planned.number, bots, Opening.from_json(dict(planned.opening)))
        return job, self._ways[min(bots), max(bots)]

    def _job(self, number: int, bots: tuple[int, int], opening: Opening) -> MatchJob:
        first, second = bots
        names = self.plan.names
        return MatchJob(
            number=number,
            game=self.game,
            opening=opening,
            bots=(self._bots[first], self._bots[second]),
            names=(names[first], names[second]),
            dice=self.plan.dice(number),
            time=self.plan.time,
        )

    def tell_started(self, job: MatchJob, player: MatchPlayer) -> None:
        self._listen(MatchBegun(job.number, job.names, player.way, self.tally))

    def tell_retried(self, job: MatchJob, reason: str) -> None:
        self._listen(MatchRetried(job.number, reason, self.tally))

    def finish(self, ready: StoredPlan, report: MatchReport) -> None:
        """Count a match that is stored, and tell of it."""
        planned, bots = ready.plan, ready.bots
        self.tally.add(planned.number, planned.pair, bots, report.result)
        names = self.plan.names
        self._listen(
            MatchFinished(
                planned.number,
                bots,
                (names[bots[0]], names[bots[1]]),
                report.result,
                self.tally,
            )
        )

    def measure(self) -> contextlib.AbstractContextManager[Window]:
        return self._meter.window()

    def look_at(self, window: Window, parallel: int) -> None:
        """Tell that the machine is too slow, once, and again if it is much slower than it was."""
        text = self._complaints.about(window, self.plan.time, parallel)
        if text is not None:
            self._listen(SlowMachine(text, self.tally))


def _ignore(_: object) -> None:
    """Listen to nothing."""


class _StopAsked(Exception):
    """Somebody has called ``stop``."""


class _RunSession:
    """A run while it is played."""

    def __init__(
        self,
        runner: Runner,
        writer: StoreWriter,
        run_id: int,
        known: dict[int, StoredPlan],
        parallel: int,
    ) -> None:
        self.parallel = parallel
        self._runner = runner
        self._writer = writer
        self._run_id = run_id
        self._agenda = Agenda(runner.tally, runner.game, writer, run_id, known)
        self._playing = 0
        self._changed = asyncio.Event()
        """Set when a match has been played or stored."""

    async def note(self, event: StoredEvent) -> None:
        """Store that something happened to the run."""
        await _durable(self._writer.add_event(self._run_id, event))

    @contextlib.asynccontextmanager
    async def playing(self) -> AsyncIterator[asyncio.Task[None]]:
        """Play until the run is over. Whatever is still under way at the end is cut."""
        work = asyncio.create_task(self._play_all())
        try:
            yield work
        finally:
            work.cancel()
            await asyncio.gather(work, return_exceptions=True)

    async def _play_all(self) -> None:
        under_way: set[asyncio.Task[None]] = set()
        try:
            while True:
                self._changed.clear()
                done = {task for task in under_way if task.done()}
                under_way -= done
                # All are looked at, also where the first has failed and others for its reason.
                errors = [error for task in done if (error := task.exception()) is not None]
                if errors:
                    raise errors[0]
                if self._runner.tally.is_over:
                    return
                await self._start(under_way)
                if not under_way:
                    raise ArenaTrouble("no match is left to play, but the run is not over")
                await self._changed.wait()
        finally:
            for task in under_way:
                task.cancel()
            await asyncio.gather(*under_way, return_exceptions=True)

    async def _start(self, under_way: set[asyncio.Task[None]]) -> None:
        """Start as many matches as may be played. Those that are only being stored do not count."""
        while self._playing < self.parallel and len(under_way) < self.parallel + MOST_STORING:
            ready = await self._agenda.next()
            if ready is None:
                return
            self._playing += 1
            task = asyncio.create_task(self._play_one(ready))
            task.add_done_callback(lambda _: self._changed.set())
            under_way.add(task)

    async def _play_one(self, ready: StoredPlan) -> None:
        runner = self._runner
        job, player = runner.job(ready)
        try:
            runner.tell_started(job, player)
            with runner.measure() as window:
                report = await play_until_it_counts(
                    job, player, lambda reason: runner.tell_retried(job, reason)
                )
        finally:
            self._playing -= 1
            self._changed.set()
        report = with_measures(report, window)
        await _durable(self._writer.add_result(ready.id, report))
        runner.finish(ready, report)
        runner.look_at(window, self.parallel)


async def _durable(future: Future[T]) -> T:
    """Wait until what was asked of the store is on the disk. Raises StoreError."""
    return await asyncio.wrap_future(future)


def _close(writer: StoreWriter) -> None:
    """Close the store. What it could not write was told to who waited for it."""
    with contextlib.suppress(StoreError):
        writer.close()


def _is_cancelled() -> bool:
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0
