"""Seat a bot in a worker process, and tell in the journal when it is at work and what it did.

Nothing here ends a bot that does not come back.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from spielleiter.arena.thoughts import is_worth_storing
from spielleiter.arena.workers.journal import WorkerPhase
from spielleiter.arena.workers.output import SeatOutput
from spielleiter.arena.workers.place import FilePlace
from spielleiter.arena.workers.report import hints_line, move_line, note_line, output_line
from spielleiter.client import environment
from spielleiter.client.bot import BotMistake, overwritten
from spielleiter.client.clock import MoveClock
from spielleiter.client.notes import note_record
from spielleiter.client.results import describe_loss, describe_result
from spielleiter.client.runner import Offer
from spielleiter.client.seat import BotSeat, hints_on_our_server, sends_hints
from spielleiter.client.thinker import Decision, own_lines, own_place
from spielleiter.games import get_game
from spielleiter.match import Answer, Complain, Departure, SeatLeft, SeatStuck
from spielleiter.rules import AnyState, Cause, Clock, Outcome, UnknownGame, one_line

if TYPE_CHECKING:
    from spielleiter.arena.workers.table import WorkerTable

T = TypeVar("T")
_ASKED, _SHOWN, _OURS = WorkerPhase.ASKED, WorkerPhase.SHOWN, WorkerPhase.OURS
UNDECIDED: Any = object()
"""Stands for the move of a bot that has not come to one."""
_LONGEST_SAID = 4000
SLOW_SECONDS = 0.02
"""Shorter moves are not looked at for delays, because looking takes its time, too."""
_NOTE_BYTES = 1024 * 1024
"""Of the notes of one bot in one match."""


class WorkerSeat(BotSeat):
    """A bot in this process. The journal says when it is at work."""

    def __init__(self, table: WorkerTable, number: int, missing: bool, player: Any = None) -> None:
        """Take a seat. ``player`` is a bot of the house that has been made already."""
        setting = table.setting
        self._player = player
        self._table = table
        self._game = setting.game
        self._spec = setting.bots[number]
        self._phase = WorkerPhase.JOINING
        self._notes_left = _NOTE_BYTES
        self._speaks = one_line(setting.names[number])
        self.is_missing = missing
        self.output = SeatOutput(
            lambda stream, at, turn, text: table.tell(output_line(number, stream, at, turn, text))
        )
        self._journal = table.worker.journal
        self._place = self._make_place(number)
        self._is_foreign = not setting.is_ours
        """Whether it is a house bot of somebody else's game, which may mind whose place it is."""
        super().__init__(
            None,
            table.order.dice[number],
            setting.soft,
            self._tell_author,
            name=setting.names[number],
            timeline=table.timeline,
        )
        self.wording = setting.wording
        self._hard = setting.hard
        self._in_time = min(self._seconds, self._hard)
        self._asked: AnyState | None = None
        self._seen: AnyState | None = None
        """The position that it was shown last."""
        self._used = 0.0
        """Seconds of its move that were gone before it got to work."""
        self._is_gone = False
        self._clock_seconds = self._seconds
        """What ``run`` was told that a move may take, for the bot's own clock only."""
        self.number = number

    def _make_place(self, number: int) -> FilePlace | None:
        """Return where a bot from a file works. Those of the house share nothing with others."""
        if self._spec["kind"] == "house":
            return None
        variables = {
            environment.NAME: self._table.setting.names[number],
            environment.NOTES: self._table.order.notes[number],
        }
        return FilePlace(Path(self._spec["file"]), variables, self.output)

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

    def take_over(self, state: AnyState) -> None:
        """Go on with a bot of the house that has been asked in this position."""
        self._make()
        self._phase = WorkerPhase.SHOWN
        self._asked = self._seen = state
        self.output.turn = state.turn

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
        if self._place is not None:
            return self._place.load(self._spec.get("class"))
        if self._player is not None:
            return Offer(self._player)
        make = self._game.players[self._spec["name"]]
        return Offer(make(self._table.order.dice[self.number]))

    def _check_game(self, named: object) -> None:
        if isinstance(named, str) and named:
            found = get_game(named)
            if type(found) is not type(self._game):
                raise BotMistake(
                    f"this room plays {self._game.title}, but {self.name} is for {found.title}."
                )

    # During the match

    def make_clock(self, used: float) -> Clock:
        self._used = used
        return MoveClock(self._clock_seconds, time.perf_counter() - used)

    def think(self, state: AnyState, clock: Clock) -> Decision:
        self._asked = self._seen = state
        self.output.turn = turn = state.turn
        if self._place is not None:
            self._phase = _ASKED
            decision = super().think(state, clock)
            self._phase = _SHOWN
            return decision
        # The same as there, without what only bots from files need. ``keep`` marks the end.
        if self._is_foreign:
            self._table.worker.premises.vacate()
        self._journal.mark(_ASKED, self.number, self._used)
        try:
            return self.decide(state, clock)
        except BaseException as error:
            self._journal.mark(_OURS, self.number)
            self._explain(error, _ASKED, f" in turn {turn}")
        raise self._left(_ASKED)

    def recover(self, state: AnyState, clock: Clock, move: Any, error: BaseException) -> Answer:
        """Return what is played when a bot of the house failed, or its move cannot be played.

        Raises SeatLeft if nothing is.
        """
        assert self.thinker is not None
        if error.__traceback__ is not None:  # its first line is that of whoever asked
            error.__traceback__ = error.__traceback__.tb_next
        try:
            if not isinstance(error, Exception):
                raise error
            if move is UNDECIDED:
                decision = self.thinker.replace_failed(state, clock, error)
            else:
                decision = self.thinker.judge(state, clock, move)
        except BaseException as problem:
            self._journal.mark(_OURS, self.number)
            self._explain(problem, _ASKED, f" in turn {state.turn}")
            raise self._left(_ASKED) from None
        return self.account(state, decision)

    def show(self, state: AnyState) -> None:
        self._seen = state
        if self._sees:
            if state.is_over:
                self._phase = WorkerPhase.ENDING
            super().show(state)

    def complain(self, complaint: Complain) -> None:
        if complaint.violation is not None and self._asked is not None:
            wording = self._table.setting.wording
            reason = wording.violation(self.number, complaint.violation, complaint.move)
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
        seen = self._seen
        last = self.thinker.last_thoughts()
        if last is not None:
            self._keep_note(0 if seen is None else seen.turn, None, last)
        cause = outcome.seats[self.number].cause
        if cause is not Cause.REGULAR:
            self._tell_author(describe_loss(self.name, cause))
        elif self._place is not None:
            self._tell_author(describe_result(outcome, self.number, seen))

    def close(self) -> None:
        """Let the bot end as a program would."""
        self._phase = WorkerPhase.ENDING
        thinker = self.thinker
        if self._place is not None:
            with contextlib.suppress(SeatLeft):
                if thinker is not None:
                    self.let(thinker.close, 0.0, " at its end")
            with contextlib.suppress(SeatLeft):
                self.let(self._place.close, 0.0, " at its end")
        self.output.close()

    def keep(self, state: AnyState, decision: Decision) -> None:
        is_legal = decision.problem is None or decision.is_fallback
        if is_legal and decision.seconds <= self._in_time:
            table = self._table
            text = self._game.format_move(decision.move)
            hints = self.sent_hints(decision) if decision.hints else ()
            table.moves.append(text)
            line = move_line(state.turn, self.number, decision.seconds, text)
            if hints:
                table.tell(hints_line(len(table.moves) - 1, hints))
            self._journal.write(line, _OURS, self.number)
        elif self._place is None:
            self._journal.mark(_OURS, self.number)
        if decision.seconds > SLOW_SECONDS:
            self._table.note_delay(decision.seconds)
        if (
            decision.notes
            or decision.marks
            or decision.hints
            or decision.problem is not None
            or decision.failed_hooks
        ):
            self._keep_note(state.turn, str(decision.move), decision)

    def _keep_note(self, turn: int, move: str | None, decision: Decision) -> None:
        record = note_record(turn, self.number, move, decision)
        if not is_worth_storing(record, sends_hints=sends_hints(self._game)):
            return
        line = note_line(self.number, turn, record)
        size = len(line.encode("utf-8", "replace"))
        if size > self._notes_left:
            if self._notes_left > 0:
                self._notes_left = 0
                mark = {"notes": ["... (further notes of this match are left out)"]}
                self._table.tell(note_line(self.number, turn, mark))
            return
        self._notes_left -= size
        self._table.tell(line)

    def say_late(self, seconds: float, text: str) -> None:
        super().say_late(seconds, text)
        if seconds > self._hard:
            raise SeatStuck

    def sent_hints(self, decision: Decision) -> tuple[str, ...]:
        return hints_on_our_server(self._game, decision)

    def let(self, task: Callable[[], T], seconds: float, where: str) -> T:  # noqa: ARG002
        phase, worker, place = self._phase, self._table.worker, self._place
        used = self._used if phase is WorkerPhase.ASKED else 0.0
        self._journal.mark(phase, self.number, used)
        if place is not None:
            worker.raw.owner = self.output
            worker.premises.enter(place)
        elif self._is_foreign:
            worker.premises.vacate()
        try:
            return task()
        except BaseException as error:
            self._explain(error, phase, where)
        finally:
            if place is not None:
                worker.check_identity()
                worker.premises.pause()
                worker.raw.flush()
            self._journal.mark(WorkerPhase.OURS, self.number)
        raise self._left(phase)

    def _explain(self, error: BaseException, phase: WorkerPhase, where: str) -> None:
        """Tell the author what came out of the bot."""
        if isinstance(error, (BotMistake, UnknownGame)):
            self._tell_author(str(error))
        elif isinstance(error, SystemExit):
            self._tell_author(
                f"the bot ended itself with sys.exit() in the middle of its game{own_place(error)}"
            )
        elif isinstance(error, KeyboardInterrupt):
            self._tell_author("interrupted")
        else:
            failed = "could not be made" if phase is WorkerPhase.JOINING else f"failed{where}"
            self._tell_author(f"!!! {self.name} {failed}: {type(error).__name__}: {error}")
            for line in own_lines(error):
                self._tell_author(line)

    def _left(self, phase: WorkerPhase) -> SeatLeft:
        self._is_gone = True
        joining = phase is WorkerPhase.JOINING
        return SeatLeft(Departure.NOT_CONNECTED if joining else self._table.setting.farewell)
