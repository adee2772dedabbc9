"""Play one match in a worker process, and tell in the journal how it began and ended.

Both bots are objects in the one thread of this process.
"""

from __future__ import annotations

import math
import os
import time
from typing import TYPE_CHECKING, Any

from spielleiter.arena.pairing.openings import Opening
from spielleiter.arena.store.values import digest_of
from spielleiter.arena.workers.report import end_line, outcome_line
from spielleiter.arena.workers.seat import WorkerSeat
from spielleiter.client import environment
from spielleiter.client.clock import format_seconds
from spielleiter.client.seat import Timeline, way_to_leave
from spielleiter.games import get_game
from spielleiter.match import Referee, TimeControl, play_match
from spielleiter.rules import AnyGame, AnyState, Outcome
from spielleiter.wire.wording import wording_for

if TYPE_CHECKING:
    from spielleiter.arena.workers.program import WorkerProcess


class WorkerTable:
    """One match in this process. It is used once."""

    def __init__(self, worker: WorkerProcess, job: dict[str, Any]) -> None:
        self.worker = worker
        self.job = job
        self.game: AnyGame = get_game(job["game"])
        self.wording = wording_for(self.game, job["names"])
        self.timeline = Timeline()
        self.farewell = way_to_leave(self.game)
        self.has_guests = any(spec["kind"] != "house" for spec in job["bots"])
        """Whether a bot comes from a file. Those of the house change nothing in the process."""
        self.moves: list[str] = []
        """Those that were accepted, in the notation of the game."""
        self._outcome: Outcome | None = None
        self._waited = waited_for_processor()
        self._delay = None if self._waited is None else 0.0

    def play(self) -> None:
        """Play, and tell everything in the journal."""
        began, cpu = time.perf_counter(), time.process_time()
        job = self.job
        if self.has_guests:
            os.environ[environment.MOVE_SECONDS] = (
                "none" if job["soft"] is None else format_limit(job["soft"])
            )
        state: AnyState = Opening(job["seed"], tuple(job["moves"])).position(self.game)
        control = None if job["soft"] is None else TimeControl(job["soft"], job["hard"])
        seats = [WorkerSeat(self, number, number in job["missing"]) for number in (0, 1)]
        final = state
        try:
            for seat in seats:
                seat.wording = self.wording
                if not seat.is_missing:
                    seat.arrive()
            missing = [seat.number for seat in seats if seat.is_missing]
            if missing:
                referee = Referee(state, self.wording, time=control)
                referee.abandon(missing)
                assert referee.outcome is not None
                for seat in seats:
                    seat.finish(referee.outcome)
            else:
                timed = (control is not None,) * len(seats)
                match = play_match(state, seats, self.wording, time=control, can_timeout=timed)
                final = match.states[-1]
        finally:
            for seat in seats:
                seat.close()
            self.worker.premises.vacate()
        start = self.game.format_position(state)
        digest = digest_of(self.game.id, start, self.moves)
        seconds, cpu = time.perf_counter() - began, time.process_time() - cpu
        self.tell(end_line(seconds, cpu, self._delay, self.game.format_position(final), digest))

    def tell(self, line: str) -> None:
        self.worker.journal.write(line)

    def decide(self, outcome: Outcome) -> None:
        """Tell the outcome, once, and before a bot hears it, because that may be the end of us."""
        if self._outcome is None:
            self._outcome = outcome
            self.tell(outcome_line(outcome))

    def note_delay(self, seconds: float) -> None:
        """Take note of how long this process had to wait for a processor during a slow move."""
        waited = waited_for_processor()
        if waited is not None and self._waited is not None:
            self._delay = max(self._delay or 0.0, min(seconds, waited - self._waited))
        self._waited = waited


def format_limit(seconds: float) -> str:
    """Return a limit as bots find it in their environment."""
    return format_seconds(seconds) if math.isinf(seconds) else f"{seconds:g}"


_schedule: list[int] = []


def waited_for_processor() -> float | None:
    """Return the seconds that this process was ready to run and did not. Only Linux knows."""
    if not _schedule:
        try:
            _schedule.append(os.open("/proc/self/schedstat", os.O_RDONLY))
        except OSError:
            _schedule.append(-1)
    if _schedule[0] < 0:
        return None
    try:
        return int(os.pread(_schedule[0], 64, 0).split()[1]) / 1e9
    except (OSError, ValueError, IndexError):
        _schedule[0] = -1
        return None
