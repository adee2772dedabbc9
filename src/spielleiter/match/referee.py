"""The referee of one match, which knows whose turn it is, whose time runs and who broke a rule.

It does no I/O and reads no clock.

Everything follows from two rules:

1. At any moment at most one move is asked for (W2). A move that comes unasked, from whichever seat,
   loses (W16).
2. A match ends once. Whatever happens after ``Finish`` has no effect.

                 begin            move, leave, overdue, cancel
    WAITING ───────────▶ PLAYING ─────────────────────────────▶ OVER
       └──────────────── leave, cancel, abandon ─────────────────▲

Pausing is not a phase. A paused match finishes the move that was asked for and then asks nobody
until ``step`` or ``pause(False)``. Every method takes an event and returns the effects, in order.
Who carries them out is not known here. Times are handed in as seconds a seat has used.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, auto
from typing import Any, NamedTuple, Protocol

from spielleiter.rules import (
    AnyState,
    Cause,
    Departure,
    Outcome,
    RuleViolation,
    SeatOutcome,
    Text,
)
from spielleiter.rules.outcome import LOSS


class Phase(Enum):
    WAITING = auto()
    PLAYING = auto()
    OVER = auto()


class Wording(Protocol):
    """The sentences of a season, in which the referee's decisions are told."""

    def left(self, seat: int, how: Departure, expected: int, move: Any) -> Text: ...
    def soft_timeout(self, seat: int, seconds: float) -> Text: ...
    def hard_timeout(self, seat: int, seconds: float) -> Text: ...
    def violation(self, seat: int, violation: RuleViolation, move: Any) -> Text: ...


@dataclass(frozen=True, slots=True)
class TimeControl:
    """Seconds a move may take.

    After ``soft`` it comes too late, after ``hard`` nobody waits for it.
    """

    soft: float = 2.0
    hard: float = 10.0


# What every move makes is a NamedTuple here, because a frozen dataclass takes longer to make.
# Made by ``tuple`` itself it takes a third of the time.
_new = tuple.__new__


class MoveRecord(NamedTuple):
    """One accepted move and what is kept beside it."""

    turn: int
    seat: int
    move: Any
    seconds: float
    hints: tuple[str, ...] = ()


# What is to be done. Effects are carried out in the order given.


@dataclass(frozen=True, slots=True)
class Begin:
    """Tell every seat which one it is, as the match begins."""


class ShowState(NamedTuple):
    """Show the position to everybody, or while paused to observers only."""

    state: AnyState
    hints: tuple[str, ...]
    to_players: bool


class Ask(NamedTuple):
    """Ask a seat for a move and start its time."""

    seat: int


@dataclass(frozen=True, slots=True)
class Complain:
    """Tell a seat what it did wrong.

    Rule violations are shown to observers too (``violation`` is set).
    """

    seat: int
    violation: RuleViolation | None
    how: Departure | None
    move: Any


@dataclass(frozen=True, slots=True)
class PausedChanged:
    paused: bool


@dataclass(frozen=True, slots=True)
class Finish:
    """Tell that the match is over, with this outcome in this last position."""

    outcome: Outcome
    state: AnyState


Effect = Begin | ShowState | Ask | Complain | PausedChanged | Finish


class Referee:
    """Decides one match. Mutable, used from one thread."""

    def __init__(
        self,
        state: AnyState,
        wording: Wording,
        *,
        time: TimeControl | None = None,
        can_timeout: Sequence[bool] = (True, True),
        paused: bool = False,
    ) -> None:
        self.state = state
        self.phase = Phase.WAITING
        self.paused = paused
        self.time = time or TimeControl()
        self.can_timeout = list(can_timeout)
        self.asked: int | None = None
        """The seat whose move is awaited."""
        self.outcome: Outcome | None = None
        self.records: list[MoveRecord] = []
        self.late: float | None = None
        """Seconds that the move took that came too late, if one did."""
        self._wording = wording
        self._hints: tuple[str, ...] = ()

    # Events

    def begin(self, *, show_start: bool = False) -> list[Effect]:
        """Begin the match, now that all seats are taken.

        With ``show_start`` players see the first position of a paused match, too (W85).
        """
        if self.phase is not Phase.WAITING:
            return []
        self.phase = Phase.PLAYING
        if self.paused and show_start and not self.state.is_over:
            return [Begin(), self._show(to_players=True)]
        return [Begin(), *self._proceed()]

    def move(
        self,
        seat: int,
        move: Any,
        seconds: float,
        hints: tuple[str, ...] = (),
        after: AnyState | None = None,
    ) -> list[Effect]:
        """Take the ``move`` that ``seat`` sends after using ``seconds`` of its time.

        ``after`` is what ``state.play(move)`` returned to a caller that has tried the move already.
        """
        if self.phase is not Phase.PLAYING:
            return []
        if seat != self.asked:
            how = Departure.UNREQUESTED if seat == self.state.seat else Departure.OUT_OF_TURN
            return [Complain(seat, None, how, move), *self.leave(seat, how, move)]
        if self.can_timeout[seat] and seconds > self.time.soft:
            self.late = seconds
            return self._forfeit(
                seat, Cause.SOFT_TIMEOUT, self._wording.soft_timeout(seat, self.time.soft)
            )
        try:
            following = self.state.play(move) if after is None else after
        except RuleViolation as violation:
            reason = self._wording.violation(seat, violation, move)
            # Its frames would keep the match in memory for as long as somebody has the complaint.
            complaint = Complain(seat, violation.with_traceback(None), None, move)
            return [complaint, *self._forfeit(seat, Cause.RULE_VIOLATION, reason)]
        self.records.append(MoveRecord(self.state.turn, seat, move, seconds, hints))
        self.state, self._hints, self.asked = following, hints, None
        if self.paused or following.is_over:
            return self._proceed()
        self.asked = asked = following.seat  # as ``_proceed`` would, for nearly every move
        return [ShowState(following, hints, True), Ask(asked)]

    def accept(
        self,
        seat: int,
        move: Any,
        seconds: float,
        hints: tuple[str, ...] = (),
        after: AnyState | None = None,
    ) -> int | None:
        """Take a move as ``move`` does if it is in order and the match goes on.

        Then all that is to be done is to show the new position and to ask the seat that is
        returned. With None nothing has happened, and ``move`` says what is to be done.
        """
        state = self.state
        if seat != self.asked or self.paused:
            return None
        if seconds > self.time.soft and self.can_timeout[seat]:
            return None
        if after is None:
            try:
                after = state.play(move)
            except RuleViolation:
                return None
        if after.is_over:
            return None
        self.records.append(_new(MoveRecord, (state.turn, seat, move, seconds, hints)))
        self.state, self._hints = after, hints
        self.asked = following = after.seat
        return following

    def leave(self, seat: int, how: Departure, move: Any = None) -> list[Effect]:
        """Take note that ``seat`` is gone for good."""
        reason = self._wording.left(seat, how, self.state.seat, move)
        return self._forfeit(seat, Cause.LEFT, reason)

    def overdue(self, seat: int) -> list[Effect]:
        """Take note that the hard limit has passed without a move from ``seat``."""
        if seat != self.asked or not self.can_timeout[seat]:
            return []
        return self.stuck(seat)

    def stuck(self, seat: int) -> list[Effect]:
        """Take note that ``seat`` will not come back, whether it was asked for a move or not.

        It loses as if its move were overdue. Over a connection nobody can know that. Where a seat
        is an object in this process, it may hang while it is shown a position, too.
        """
        return self._forfeit(
            seat, Cause.HARD_TIMEOUT, self._wording.hard_timeout(seat, self.time.hard)
        )

    def pause(self, paused: bool) -> list[Effect]:
        """Hold the match or go on.

        A move that was asked for is still awaited, and none is asked for twice.
        """
        # The protocol has no message that takes a request back, so its move is awaited and its time
        # runs in the pause. Official servers ask once more when the match goes on, and start a
        # second timer, which ends the match although the move has come (W2).
        if paused == self.paused or self.phase is Phase.OVER:
            return []
        self.paused = paused
        if paused or self.phase is not Phase.PLAYING or self.asked is not None:
            return [PausedChanged(paused)]
        return [*self._proceed(), PausedChanged(paused)]

    def step(self) -> list[Effect]:
        """Ask for one move of a paused match.

        Does nothing if it is not paused or a move is awaited already.
        """
        if not self.paused or self.phase is not Phase.PLAYING or self.asked is not None:
            return []
        # Until now only observers have seen this position.
        return [self._show(to_players=True), self._ask()]

    def cancel(self) -> list[Effect]:
        """End the match as it stands (W12). Before the start there is nothing to tell."""
        if self.phase is Phase.WAITING:
            self.phase = Phase.OVER
        if self.phase is Phase.OVER:
            return []
        return self._finish(self.state.outcome())

    def abandon(self, missing: Sequence[int]) -> list[Effect]:
        """End a match that never began.

        The seats in ``missing`` did not come, and the others win (W18).
        """
        if self.phase is not Phase.WAITING:
            return []
        outcome = self.state.outcome()
        for seat in missing:
            reason = self._wording.left(seat, Departure.NOT_CONNECTED, self.state.seat, None)
            outcome = outcome.forfeit(seat, Cause.LEFT, reason)
        # Each forfeit makes the other seats winners. Where nobody is left to win, all have lost.
        if len(missing) > 1:
            lost = tuple(
                SeatOutcome(LOSS, s.parts, Cause.LEFT, outcome.reason) for s in outcome.seats
            )
            outcome = Outcome(lost, None, outcome.code, outcome.reason)
        return self._finish(outcome)

    # Decisions

    def _proceed(self) -> list[Effect]:
        """Show the new position and go on, or end."""
        state = self.state
        if state.is_over:
            # In a pause, too, players see how it ended (W1).
            return [self._show(to_players=True), *self._finish(state.outcome())]
        if self.paused:
            return [self._show(to_players=False)]
        return [self._show(to_players=True), self._ask()]

    def _show(self, *, to_players: bool) -> ShowState:
        return ShowState(self.state, self._hints, to_players)

    def _ask(self) -> Ask:
        self.asked = self.state.seat
        return Ask(self.asked)

    def _forfeit(self, seat: int, cause: Cause, reason: Text) -> list[Effect]:
        if self.phase is Phase.OVER:
            return []
        return self._finish(self.state.outcome().forfeit(seat, cause, reason))

    def _finish(self, outcome: Outcome) -> list[Effect]:
        self.phase, self.asked, self.outcome = Phase.OVER, None, outcome
        return [Finish(outcome, self.state)]
