"""Play one match in a worker process, and tell in the journal how it began and ended.

Both bots are objects in the one thread of this process.
"""

from __future__ import annotations

import math
import os
import time
from typing import TYPE_CHECKING

from spielleiter.arena.pairing.openings import Opening
from spielleiter.arena.store.values import digest_of
from spielleiter.arena.workers.house import HouseSeat
from spielleiter.arena.workers.journal import WorkerPhase
from spielleiter.arena.workers.order import Order
from spielleiter.arena.workers.report import end_line, outcome_line
from spielleiter.arena.workers.seat import WorkerSeat
from spielleiter.client import environment
from spielleiter.client.clock import format_seconds
from spielleiter.client.seat import Timeline
from spielleiter.match import Referee, play_match
from spielleiter.rules import AnyState, Outcome

if TYPE_CHECKING:
    from spielleiter.arena.workers.program import WorkerProcess


class WorkerTable:
    """One match in this process. It is used once."""

    def __init__(self, worker: WorkerProcess, order: Order) -> None:
        self.worker = worker
        self.order = order
        self.setting = order.setting
        self.timeline = Timeline()
        self.moves: list[str] = []
        """Those that were accepted, in the notation of the game."""
        self.is_plain = False
        """Whether nothing is to be done but to ask two bots of the house for their moves."""
        self.named = -1
        """The seat of which the journal says already that it is asked, or -1."""
        self._outcome: Outcome | None = None
        self._waited = waited_for_processor()
        self._delay = None if self._waited is None else 0.0

    def play(self) -> None:
        """Play, and tell everything in the journal."""
        began, cpu = time.perf_counter(), time.process_time()
        order, setting = self.order, self.setting
        game, wording, control = setting.game, setting.wording, setting.control
        if setting.has_guests:
            os.environ[environment.MOVE_SECONDS] = format_limit(setting.soft)
        state: AnyState = Opening(order.seed, tuple(order.moves)).position(game)
        seats = [self._seat(number) for number in (0, 1)]
        final = state
        try:
            for seat in seats:
                if not seat.is_missing:
                    seat.arrive()
            missing = [seat.number for seat in seats if seat.is_missing]
            if missing:
                referee = Referee(state, wording, time=control)
                referee.abandon(missing)
                assert referee.outcome is not None
                for seat in seats:
                    seat.finish(referee.outcome)
            else:
                self.is_plain = all(isinstance(s, HouseSeat) and s.is_plain for s in seats)
                timed = (control is not None,) * len(seats)
                match = play_match(state, seats, wording, time=control, can_timeout=timed)
                final = match.states[-1]
        except Exception:
            if self.named >= 0:  # the next bot had not been asked
                self.worker.journal.mark(WorkerPhase.OURS)
            raise
        finally:
            for seat in seats:
                seat.close()
            self.worker.premises.vacate()
        digest = digest_of(game.id, game.format_position(state), self.moves)
        seconds, cpu = time.perf_counter() - began, time.process_time() - cpu
        self.tell(end_line(seconds, cpu, self._delay, game.format_position(final), digest))

    def _seat(self, number: int) -> WorkerSeat | HouseSeat:
        is_missing = number in self.order.missing
        setting = self.setting
        if setting.is_ours and not is_missing and setting.bots[number]["kind"] == "house":
            return HouseSeat(self, number)
        return WorkerSeat(self, number, is_missing)

    def forget_order(self) -> None:
        """Let the journal say who is at work when they are, and not before."""
        self.is_plain = False
        self.named = -1

    def tell(self, line: str) -> None:
        self.worker.journal.write(line)

    def decide(self, outcome: Outcome) -> None:
        """Tell the outcome, once, and before a bot hears it, because that may be the end of us."""
        if self._outcome is None:
            self._outcome = outcome
            self.worker.journal.write(outcome_line(outcome), WorkerPhase.OURS)

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
