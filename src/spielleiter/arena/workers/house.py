"""Seat a bot of the house in a worker process, as long as it only chooses moves and all is well.

House bots play most matches of a run, and what is done around a move may take longer than they
think. Here is no more than such a move needs. As soon as something else happens, a ``WorkerSeat``
takes over for the rest of the match.
"""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING, Any

from spielleiter.arena.workers.journal import WorkerPhase
from spielleiter.arena.workers.report import move_line
from spielleiter.arena.workers.seat import SLOW_SECONDS, UNDECIDED, WorkerSeat
from spielleiter.client.bot import HOOKS
from spielleiter.client.clock import MoveClock
from spielleiter.client.thinker import Decision
from spielleiter.match import Answer, Complain, Seat
from spielleiter.rules import AnyState, Outcome

if TYPE_CHECKING:
    from spielleiter.arena.workers.table import WorkerTable

_JOINING, _ASKED, _OURS = WorkerPhase.JOINING, WorkerPhase.ASKED, WorkerPhase.OURS
_new = tuple.__new__  # takes a third of the time that a NamedTuple takes to make itself


class HouseSeat(Seat):
    """A bot of the house at the table. It is used for one match."""

    watches = False

    def __init__(self, table: WorkerTable, number: int) -> None:
        self.number = number
        self.is_missing = False
        self._table = table
        self._journal = table.worker.journal
        setting = table.setting
        self._format = setting.game.format_move
        self._clock = MoveClock(setting.soft, 0.0)
        self._in_time = min(setting.soft, setting.hard)
        self._moves = table.moves
        self._player: Any = None
        self._usual: WorkerSeat | None = None
        """Who has taken over."""

    @property
    def is_plain(self) -> bool:
        """Whether nobody has taken over yet."""
        return self._usual is None

    def arrive(self) -> None:
        """Make the bot. Afterwards ``is_missing`` says whether that went wrong."""
        table, number = self._table, self.number
        self._journal.mark(_JOINING, number)
        try:
            make = table.setting.game.players[table.setting.bots[number]["name"]]
            self._player = player = make(table.order.dice[number])
            self._choose = player.choose
            is_plain = not any(hasattr(player, hook) for hook in HOOKS)
        except BaseException:
            is_plain = False  # it is made once more, by those who can say what is wrong
        self._journal.mark(_OURS, number)
        if not is_plain:
            self.watches = True
            usual = self._give_way()
            usual.arrive()
            self.is_missing = usual.is_missing

    def start(self, state: AnyState) -> None:
        if self._usual is not None:
            self._usual.start(state)

    def show(self, state: AnyState) -> None:
        if self._usual is not None:
            self._usual.show(state)

    def ask(self, state: AnyState) -> Answer:
        if self._usual is not None:
            return self._usual.ask(state)
        table, number = self._table, self.number
        if table.named != number:
            self._journal.mark(_ASKED, number)
        clock, move = self._clock, UNDECIDED
        clock.started = began = perf_counter()
        try:
            move = self._choose(state, clock)
            after = state.play(move)
        except BaseException as error:
            return self._give_way(state).recover(state, clock, move, error)
        ended = perf_counter()
        seconds = ended - began
        if seconds > self._in_time:
            return self._give_way(state).account(state, Decision(move, seconds, after=after))
        text = self._format(move)
        self._moves.append(text)
        line = move_line(state.turn, number, seconds, text)
        if table.is_plain:
            # The other bot is next, or it will be said when this one is asked again.
            table.named = following = 1 - number
            self._journal.write(line, _ASKED, following, ended)
        else:
            table.timeline.now += seconds
            self._journal.write(line, _OURS, number, ended)
        if seconds > SLOW_SECONDS:
            table.note_delay(seconds)
        return _new(Answer, (move, seconds, (), after))

    def complain(self, complaint: Complain) -> None:
        if self._usual is not None:
            self._usual.complain(complaint)

    def finish(self, outcome: Outcome) -> None:
        if self._usual is None:
            self._table.decide(outcome)
        else:
            self._usual.finish(outcome)

    def close(self) -> None:
        if self._usual is not None:
            self._usual.close()

    def _give_way(self, state: AnyState | None = None) -> WorkerSeat:
        """Let somebody take over who knows what to do, with the bot as it is.

        ``state`` is the position in which the bot was asked.
        """
        self._table.forget_order()
        self._usual = usual = WorkerSeat(self._table, self.number, False, self._player)
        if state is not None:
            usual.take_over(state)
        return usual
