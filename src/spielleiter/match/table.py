"""Play one match between objects in this process, without a connection.

``play_match`` is the loop around the referee. It hands what a seat does to the referee, and what
the referee decides to the seats, and decides nothing itself. It does no I/O and reads no clock,
because each seat measures its own time and hands in seconds.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from spielleiter.match.referee import (
    Ask,
    Begin,
    Complain,
    Effect,
    MoveRecord,
    Referee,
    ShowState,
    TimeControl,
    Wording,
)
from spielleiter.rules import AnyState, Clock, Departure, FreeClock, Outcome, Player

MOST_MOVES = 10_000
"""Moves after which a match is taken to be endless. No real match takes nearly as many."""


class EndlessMatch(Exception):
    """A match was not over after as many moves as were allowed. The message says how many."""


class SeatLeft(Exception):
    """A seat raises it to say that it is gone for good and has lost its match."""

    def __init__(self, how: Departure = Departure.LOST_CONNECTION) -> None:
        super().__init__(how.value)
        self.how = how


class SeatStuck(Exception):
    """A seat raises it to say that it does not come back, although the hard limit has passed."""


class Answer(NamedTuple):
    """A move, the seconds that its seat used for it, and the hints that go with it.

    ``after`` is the position after the move, if the seat has played it by the rules already.
    """

    move: Any
    seconds: float = 0.0
    hints: tuple[str, ...] = ()
    after: AnyState | None = None


class Seat:
    """One side of a match. Each method but ``finish`` may raise SeatLeft or SeatStuck.

    A class that derives from this one has to write only ``ask``. Other exceptions break the
    match off and come out of ``play_match``.
    """

    watches = True
    """Whether it wants to see positions in which it is not asked. Known when all have joined."""

    def join(self, number: int) -> None:
        """Take seat ``number``. This comes first, once, and for every seat in turn."""

    def start(self, state: AnyState) -> None:
        """See the first position. This comes when all have joined, once, for every seat in turn."""

    def show(self, state: AnyState) -> None:
        """See a position in which this seat is not asked for a move, or the last one."""

    def ask(self, state: AnyState) -> Answer:
        """See a position and return a move in it.

        The time of the move runs while this method does. Everybody else has seen the position.
        """
        raise NotImplementedError

    def complain(self, complaint: Complain) -> None:
        """Hear what is wrong with the move that loses the match. The result follows."""

    def finish(self, outcome: Outcome) -> None:
        """Hear how the match ended. This comes last, once, also for a seat that is gone."""


class PlayerSeat(Seat):
    """A seat for a player, which is anything with ``choose(state, clock)``.

    ``clock`` makes the clock of one move, from which the player sees its time and this seat takes
    the seconds that were used. Without one there is no limit and no move takes any time. What the
    player raises comes out of the match.
    """

    def __init__(self, player: Player, clock: Callable[[], Clock] = FreeClock) -> None:
        self._choose = player.choose
        self._clock = clock

    def ask(self, state: AnyState) -> Answer:
        clock = self._clock()
        return Answer(self._choose(state, clock), clock.elapsed)


@dataclass(frozen=True, slots=True)
class FinishedMatch:
    """A match from the first position to the result."""

    outcome: Outcome
    states: tuple[AnyState, ...]
    """Every position, the first one included."""
    records: tuple[MoveRecord, ...]
    """Every accepted move with its seat, its seconds and its hints."""
    complaint: Complain | None = None
    """What a seat was told about the move that lost it the match."""

    @property
    def moves(self) -> tuple[Any, ...]:
        return tuple(record.move for record in self.records)


def play_match(
    state: AnyState,
    seats: Sequence[Seat],
    wording: Wording,
    *,
    time: TimeControl | None = None,
    can_timeout: Sequence[bool] | None = None,
    move_limit: int = MOST_MOVES,
) -> FinishedMatch:
    """Play a match from ``state`` to its end and return it, whatever the seats do.

    The referee is the one that decides matches over connections, so rules, limits and verdicts
    are the same. ``can_timeout`` says for each seat whether a late move loses, which is the
    default. Raises EndlessMatch if the match is not over after ``move_limit`` moves.
    """
    timed = (True,) * len(seats) if can_timeout is None else can_timeout
    table = _Table(Referee(state, wording, time=time, can_timeout=timed), seats, move_limit)
    return table.play()


class _Table:
    """Carries out what the referee decides. It is used once."""

    def __init__(self, referee: Referee, seats: Sequence[Seat], move_limit: int) -> None:
        self._referee = referee
        self._seats = seats
        self._move_limit = move_limit
        self._states = [referee.state]
        self._complaint: Complain | None = None
        self._has_started = False
        self._watching: list[tuple[int, Seat]] = []
        self._busy = 0
        """The seat that is at work, which is the one that an exception is about."""

    def play(self) -> FinishedMatch:
        referee = self._referee
        effects = referee.begin()
        while effects:
            try:
                effects = self._carry_out(effects)
            except SeatLeft as left:
                effects = referee.leave(self._busy, left.how)
            except SeatStuck:
                effects = referee.stuck(self._busy)
        outcome = referee.outcome
        assert outcome is not None  # the effects end with Finish and with nothing else
        for seat in self._seats:
            with contextlib.suppress(SeatLeft, SeatStuck):  # it is too late to lose
                seat.finish(outcome)
        return FinishedMatch(outcome, tuple(self._states), tuple(referee.records), self._complaint)

    def _carry_out(self, effects: list[Effect]) -> list[Effect]:
        """Carry out the effects and return those of the answer, or none at the end."""
        for effect in effects:
            if isinstance(effect, ShowState):
                self._show(effect.state)
            elif isinstance(effect, Ask):
                return self._ask(effect.seat)
            elif isinstance(effect, Begin):
                self._join()
            elif isinstance(effect, Complain):
                self._complaint = effect
                with contextlib.suppress(SeatLeft, SeatStuck):  # it has lost already
                    self._seats[effect.seat].complain(effect)
        return []

    def _join(self) -> None:
        for number, seat in enumerate(self._seats):
            self._busy = number
            seat.join(number)
        self._watching = [watching for watching in enumerate(self._seats) if watching[1].watches]

    def _show(self, state: AnyState) -> None:
        if not self._has_started:
            self._has_started = True
            for number, seat in enumerate(self._seats):
                self._busy = number
                seat.start(state)
        else:
            self._states.append(state)
        asked = self._referee.asked
        if asked is None:
            self._show_last(state)
        else:
            self._show_others(state, asked)

    def _show_last(self, state: AnyState) -> None:
        for _, seat in self._watching:
            with contextlib.suppress(SeatLeft, SeatStuck):  # others still want to see it
                seat.show(state)

    def _ask(self, asked: int) -> list[Effect]:
        """Ask for moves as long as nothing else happens, and return the effects of the last one."""
        referee, seats, states = self._referee, self._seats, self._states
        watching = self._watching
        while True:
            if len(referee.records) >= self._move_limit:
                raise EndlessMatch(f"the match has no end after {self._move_limit} moves")
            self._busy = asked
            move, seconds, hints, after = seats[asked].ask(referee.state)
            following = referee.accept(asked, move, seconds, hints, after)
            if following is None:
                return referee.move(asked, move, seconds, hints, after)
            asked = following
            states.append(referee.state)
            if watching:
                self._show_others(referee.state, asked)

    def _show_others(self, state: AnyState, asked: int) -> None:
        """Show a position to all but the one who is asked, who sees it in their own time."""
        for number, seat in self._watching:
            if number != asked:
                self._busy = number
                seat.show(state)
