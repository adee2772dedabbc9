"""Play one match after the other in this process, as a worker of ``pool``.

``python -P -m spielleiter.arena.workers.program JOURNAL`` reads jobs from its standard input, a
line each, and answers each with a line. Both bots of a match are objects in the one thread of this
process. What happens is told in the journal. Nothing here ends a bot that does not come back. The
process that started this one does.
"""

from __future__ import annotations

import contextlib
import faulthandler
import gc
import json
import math
import os
import sys
import time
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import IO, Any, TypeVar

from spielleiter.arena.pairing.openings import Opening
from spielleiter.arena.store.values import digest_of
from spielleiter.arena.workers.journal import Journal, JournalFull, WorkerPhase
from spielleiter.arena.workers.output import RawOutput, SeatOutput
from spielleiter.arena.workers.place import FilePlace, Place, Surroundings
from spielleiter.arena.workers.report import (
    end_line,
    move_line,
    note_line,
    outcome_line,
    output_line,
)
from spielleiter.client import environment
from spielleiter.client.bot import BotMistake, overwritten
from spielleiter.client.clock import format_seconds
from spielleiter.client.notes import note_record
from spielleiter.client.results import describe_loss
from spielleiter.client.runner import Offer
from spielleiter.client.seat import BotSeat, Timeline, hints_on_our_server, way_to_leave
from spielleiter.client.thinker import Decision, own_lines, own_place
from spielleiter.games import get_game
from spielleiter.match import (
    Answer,
    Complain,
    Departure,
    Referee,
    SeatLeft,
    SeatStuck,
    TimeControl,
    play_match,
)
from spielleiter.rules import AnyGame, AnyState, Cause, Outcome, UnknownGame, one_line
from spielleiter.wire.wording import wording_for

T = TypeVar("T")
_LONGEST_SAID = 4000
_SLOW_SECONDS = 0.02
"""Shorter moves are not looked at for delays, because looking takes its time, too."""
_NOTE_BYTES = 1024 * 1024
"""Of the notes of one bot in one match."""


class WorkerSeat(BotSeat):
    """A bot in this process. The journal says when it is at work."""

    def __init__(self, table: WorkerTable, number: int, missing: bool) -> None:
        job = table.job
        self._table = table
        self._spec = job["bots"][number]
        self._phase = WorkerPhase.JOINING
        self._notes_left = _NOTE_BYTES
        self._speaks = one_line(job["names"][number])
        self.is_missing = missing
        self.output = SeatOutput(
            lambda stream, at, turn, text: table.tell(output_line(number, stream, at, turn, text))
        )
        self.place = self._make_place(job["names"][number])
        super().__init__(
            None,
            job["dice"][number],
            math.inf if job["soft"] is None else job["soft"],
            self._tell_author,
            name=job["names"][number],
            timeline=table.timeline,
        )
        self._hard = math.inf if job["hard"] is None else job["hard"]
        self._asked: AnyState | None = None
        self._used = 0.0
        """Seconds of its move that were gone before it got to work."""
        self._is_gone = False
        self._clock_seconds: float | None = None
        """What ``run`` was told that a move may take, for the bot's own clock only."""
        self.number = number

    def _make_place(self, name: str) -> Place:
        if self._spec["kind"] == "house":
            return Place(self.output)
        return FilePlace(Path(self._spec["file"]), name, self.output)

    def _tell_author(self, line: str) -> None:
        self.output.add("stderr", f"{self._speaks}: {one_line(line, _LONGEST_SAID)}\n")

    # Before the match

    def arrive(self) -> None:
        """Load the bot and make it. Afterwards ``is_missing`` says whether that went wrong."""
        try:
            super().join(self.number)
        except SeatLeft:
            self.is_missing = True
        self._phase = WorkerPhase.SHOWN

    def join(self, number: int) -> None:
        """Do nothing. The bot has arrived before the match began."""

    def _make(self) -> None:
        offer = self._offer()
        self._bot = offer.bot
        if offer.move_seconds is not None:
            self._clock_seconds = offer.move_seconds
        super()._make()
        assert self.thinker is not None
        made = self.thinker.bot
        for line in overwritten(made):
            self._tell_author(line)
        self._check_game(made.game or getattr(offer.bot, "game", None))

    def _offer(self) -> Offer:
        if isinstance(self.place, FilePlace):
            return self.place.load(self._spec.get("class"))
        return Offer(self._table.game.players[self._spec["name"]])

    def _check_game(self, named: object) -> None:
        if isinstance(named, str) and named:
            found = get_game(named)
            if type(found) is not type(self._table.game):
                raise BotMistake(
                    f"this room plays {self._table.game.title}, but {self.name} is for "
                    f"{found.title}."
                )

    # During the match

    def ask(self, state: AnyState) -> Answer:
        self._asked = state
        self.output.turn = state.turn
        self._phase = WorkerPhase.ASKED
        answer = super().ask(state)
        self._phase = WorkerPhase.SHOWN
        if answer.seconds > _SLOW_SECONDS:
            self._table.note_delay(answer.seconds)
        if answer.seconds > self._hard:
            raise SeatStuck
        return answer

    def make_clock(self, used: float) -> Any:
        self._used = used
        clock: Any = super().make_clock(used)
        if self._clock_seconds is not None:
            clock.limit = self._clock_seconds
        return clock

    def show(self, state: AnyState) -> None:
        if state.is_over:
            self._phase = WorkerPhase.ENDING
        super().show(state)

    def complain(self, complaint: Complain) -> None:
        if complaint.violation is not None and self._asked is not None:
            reason = self._table.wording.violation(self.number, complaint.violation, complaint.move)
            self._table.decide(
                self._asked.outcome().forfeit(self.number, Cause.RULE_VIOLATION, reason)
            )
        self._phase = WorkerPhase.ENDING
        self._tell_author(f"!!! the server says: {self.describe_complaint(complaint)}")
        super().complain(complaint)

    def finish(self, outcome: Outcome) -> None:
        self._table.decide(outcome)
        self._phase = WorkerPhase.ENDING
        if self.thinker is None or self._is_gone:
            return
        super().finish(outcome)
        last = self.thinker.last_thoughts()
        if last is not None and self._asked is not None:
            self._keep_note(self._asked.turn, None, last)
        if outcome.seats[self.number].cause is not Cause.REGULAR:
            self._tell_author(describe_loss(self.name, outcome.seats[self.number].cause))

    def close(self) -> None:
        """Let the bot end as a program would."""
        self._phase = WorkerPhase.ENDING
        thinker = self.thinker
        with contextlib.suppress(SeatLeft):
            if thinker is not None:
                self.let(thinker.close, 0.0, " at its end")
        with contextlib.suppress(SeatLeft):
            self.let(self.place.close, 0.0, " at its end")
        self.output.close()

    def keep(self, state: AnyState, decision: Decision) -> None:
        is_legal = decision.problem is None or decision.is_fallback
        if is_legal and decision.seconds <= min(self._seconds, self._hard):
            table = self._table
            text = table.game.format_move(decision.move)
            hints = self.sent_hints(decision)
            table.moves.append(text)
            table.tell(move_line(state.turn, self.number, decision.seconds, text, hints))
        if (
            decision.notes
            or decision.marks
            or decision.hints
            or decision.problem is not None
            or decision.failed_hooks
        ):
            self._keep_note(state.turn, str(decision.move), decision)

    def _keep_note(self, turn: int, move: str | None, decision: Decision) -> None:
        line = note_line(self.number, turn, note_record(turn, self.number, move, decision))
        size = len(line.encode("utf-8", "replace"))
        if size > self._notes_left:
            if self._notes_left > 0:
                self._notes_left = 0
                mark = {"notes": ["... (further notes of this match are left out)"]}
                self._table.tell(note_line(self.number, turn, mark))
            return
        self._notes_left -= size
        self._table.tell(line)

    def sent_hints(self, decision: Decision) -> tuple[str, ...]:
        return hints_on_our_server(self._table.game, decision) if decision.hints else ()

    def let(self, task: Callable[[], T], seconds: float, where: str) -> T:  # noqa: ARG002
        table, phase = self._table, self._phase
        raw = table.worker.raw
        raw.owner = self.output
        table.worker.journal.mark(
            phase, self.number, self._used if phase is WorkerPhase.ASKED else 0.0
        )
        self.place.enter()
        try:
            return task()
        except (BotMistake, UnknownGame) as mistake:
            self._tell_author(str(mistake))
        except SystemExit as error:
            self._tell_author(
                f"the bot ended itself with sys.exit() in the middle of its game{own_place(error)}"
            )
        except KeyboardInterrupt:
            self._tell_author("interrupted")
        except BaseException as error:
            failed = "could not be made" if phase is WorkerPhase.JOINING else f"failed{where}"
            self._tell_author(f"!!! {self.name} {failed}: {type(error).__name__}: {error}")
            for line in own_lines(error):
                self._tell_author(line)
        finally:
            if os.getpid() != table.worker.pid:
                os._exit(0)  # a bot has forked, and this is the copy
            if not table.worker.can_answer():
                # The runner takes the closed pipe for our end and looks who is at work. It must
                # find the bot that closed it, not the one whose turn comes next.
                os._exit(1)
            self.place.leave()
            raw.flush()
            table.worker.journal.mark(WorkerPhase.OURS, self.number)
        self._is_gone = True
        raise SeatLeft(Departure.NOT_CONNECTED if phase is WorkerPhase.JOINING else table.farewell)


class WorkerTable:
    """One match in this process. It is used once."""

    def __init__(self, worker: WorkerProcess, job: dict[str, Any]) -> None:
        self.worker = worker
        self.job = job
        self.game: AnyGame = get_game(job["game"])
        self.wording = wording_for(self.game, job["names"])
        self.timeline = Timeline()
        self.farewell = way_to_leave(self.game)
        self.moves: list[str] = []
        """Those that were accepted, in the notation of the game."""
        self._outcome: Outcome | None = None
        self._waited = waited_for_processor()
        self._delay = None if self._waited is None else 0.0

    def play(self) -> None:
        """Play, and tell everything in the journal."""
        began, cpu = time.perf_counter(), time.process_time()
        job = self.job
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


class WorkerProcess:
    """This process. Its own standard streams are kept where no bot finds them by accident."""

    def __init__(self, journal: Path) -> None:
        self.pid = os.getpid()
        self._jobs: IO[bytes] = os.fdopen(os.dup(0), "rb")
        self._answers = os.dup(1)
        self._pipe = os.fstat(self._answers)[1:3]
        self._errors: IO[bytes] = os.fdopen(os.dup(2), "wb", buffering=0)
        nothing = os.open(os.devnull, os.O_RDONLY)
        os.dup2(nothing, 0)
        os.close(nothing)
        self.journal = Journal(journal)
        self.raw = RawOutput()
        faulthandler.enable(self._errors)
        _keep_no_memory_images()
        self._surroundings = Surroundings()
        gc.freeze()  # the collector need not look at what was loaded once and stays

    def can_answer(self) -> bool:
        """Return whether the pipe to the runner is still there, and nothing else in its place."""
        try:
            return os.fstat(self._answers)[1:3] == self._pipe
        except OSError:
            return False

    def work(self) -> None:
        """Play what is asked for until nobody asks any more."""
        while line := self._jobs.readline():
            self.journal.reset()
            self.journal.mark(WorkerPhase.OURS)
            try:
                WorkerTable(self, json.loads(line)).play()
            except (Exception, JournalFull):
                self._errors.write(traceback.format_exc().encode("utf-8", "replace"))
                return
            worn = self._surroundings.traces()
            if worn is None and not self.raw.is_intact:
                worn = "standard output was closed"
            self.journal.mark(WorkerPhase.WAITING)
            os.write(self._answers, f"{json.dumps(worn)}\n".encode())


def _keep_no_memory_images() -> None:
    """Let a bot that crashes leave no image of the whole process on the disk."""
    try:
        import resource
    except ImportError:
        return
    _, most = resource.getrlimit(resource.RLIMIT_CORE)
    resource.setrlimit(resource.RLIMIT_CORE, (0, most))


def main() -> None:
    worker = WorkerProcess(Path(sys.argv[1]))
    code = 1
    try:
        worker.work()
        code = 0
    finally:
        os._exit(code)  # without waiting for threads that bots have left


if __name__ == "__main__":
    main()
