"""The referee against a model of its two rules, with every event in every order."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from spielleiter.games import get_game
from spielleiter.games.hase_und_igel import FallBack, HareMove
from spielleiter.match import (
    Ask,
    Begin,
    Complain,
    Departure,
    Finish,
    PausedChanged,
    Phase,
    Referee,
    ShowState,
)
from spielleiter.rules import Cause, RuleViolation, Text

GAME = get_game("hase-und-igel-2018")


class Words:
    """Says nothing clever, but lets a test see what was asked for."""

    def left(self, seat: int, how: Departure, expected: int, move: Any) -> Text:
        return Text(f"left {seat} {how.name}", "left")

    def soft_timeout(self, seat: int, seconds: float) -> Text:
        return Text(f"soft {seat} {seconds}", "soft")

    def hard_timeout(self, seat: int, seconds: float) -> Text:
        return Text(f"hard {seat} {seconds}", "hard")

    def violation(self, seat: int, violation: RuleViolation, move: Any) -> Text:
        return Text(f"violation {seat} {violation.rule}", "violation")


def referee(**options: Any) -> Referee:
    return Referee(GAME.start(1), Words(), **options)


def kinds(effects: list[Any]) -> list[type]:
    return [type(effect) for effect in effects]


def any_move(match: Referee) -> Any:
    return match.state.legal_moves()[0]


def test_a_match_begins_with_welcome_position_and_request() -> None:
    assert kinds(referee().begin()) == [Begin, ShowState, Ask]


def test_a_paused_match_shows_observers_only_and_asks_nobody() -> None:
    match = referee(paused=True)
    effects = match.begin()
    assert kinds(effects) == [Begin, ShowState]
    assert effects[-1].to_players is False
    assert kinds(match.step()) == [ShowState, Ask]
    assert match.step() == []  # W2: nothing is asked twice
    assert kinds(match.move(0, any_move(match), 0.1)) == [ShowState]
    assert kinds(match.pause(False)) == [ShowState, Ask, PausedChanged]


def test_pausing_and_going_on_during_a_request_asks_nothing_twice() -> None:
    match = referee()
    match.begin()
    assert kinds(match.pause(True)) == [PausedChanged]
    assert match.pause(True) == []
    assert kinds(match.pause(False)) == [PausedChanged]
    assert match.asked == 0


def test_the_last_position_is_shown_to_players_even_while_paused() -> None:  # W1
    match = referee(paused=True)
    match.begin()
    effects: list[Any] = []
    while match.phase is Phase.PLAYING:
        match.step()
        effects = match.move(match.state.seat, any_move(match), 0.0)
    assert kinds(effects) == [ShowState, Finish]
    assert effects[0].to_players is True


@pytest.mark.parametrize(("seconds", "late"), [(2.0, False), (2.0001, True), (9.0, True)])
def test_a_move_after_the_soft_limit_comes_too_late(seconds: float, late: bool) -> None:
    match = referee()
    match.begin()
    effects = match.move(0, any_move(match), seconds)
    if late:
        (finish,) = effects
        assert finish.outcome.seats[0].cause is Cause.SOFT_TIMEOUT
        assert finish.outcome.winner == 1
        assert match.records == []
    else:
        assert match.records[0].seconds == seconds


def test_who_cannot_time_out_may_take_his_time() -> None:
    match = referee(can_timeout=[False, True])
    match.begin()
    assert match.overdue(0) == []
    assert kinds(match.move(0, any_move(match), 3600.0)) == [ShowState, Ask]
    assert match.overdue(1)[0].outcome.seats[1].cause is Cause.HARD_TIMEOUT


def test_who_does_not_come_back_loses_without_being_asked() -> None:
    match = referee(can_timeout=[True, False])
    match.begin()
    assert match.overdue(1) == []
    assert match.stuck(1)[0].outcome.seats[1].cause is Cause.HARD_TIMEOUT
    assert match.outcome.winner == 0
    assert match.stuck(0) == []


def test_an_illegal_move_changes_nothing_and_loses() -> None:
    match = referee()
    match.begin()
    before = match.state
    effects = match.move(0, HareMove((FallBack(),)), 0.1)
    assert kinds(effects) == [Complain, Finish]
    assert effects[0].violation is not None
    assert effects[0].violation.__traceback__ is None  # its frames hold the whole match
    assert effects[1].outcome.seats[0].cause is Cause.RULE_VIOLATION
    assert match.state is before


def test_an_illegal_move_is_not_accepted() -> None:
    match = referee()
    match.begin()
    assert match.accept(0, HareMove((FallBack(),)), 0.1) is None
    assert (match.records, match.asked, match.state) == ([], 0, GAME.start(1))


def test_a_move_out_of_turn_ends_the_match() -> None:  # W16
    match = referee()
    match.begin()
    complaint, finish = match.move(1, any_move(match), 0.0)
    assert complaint == Complain(1, None, Departure.OUT_OF_TURN, any_move(match))
    assert finish.outcome.seats[1].reason.de == "left 1 OUT_OF_TURN"
    assert finish.outcome.winner == 0


def test_a_move_nobody_asked_for_ends_the_match() -> None:  # W16
    match = referee(paused=True)
    match.begin()
    complaint, finish = match.move(0, any_move(match), 0.0)
    assert complaint.how is Departure.UNREQUESTED
    assert finish.outcome.winner == 1


def test_cancelling_gives_the_result_as_it_stands() -> None:  # W12
    match = referee()
    match.begin()
    match.move(0, any_move(match), 0.0)
    (finish,) = match.cancel()
    assert finish.outcome == match.state.outcome()
    assert finish.outcome.is_regular


@pytest.mark.parametrize(("missing", "winner"), [([1], 0), ([0], 1), ([0, 1], None)])
def test_who_does_not_come_loses(missing: list[int], winner: int | None) -> None:  # W18
    (finish,) = referee().abandon(missing)
    assert finish.outcome.winner == winner
    assert [seat.cause is Cause.LEFT for seat in finish.outcome.seats] == [
        seat in missing for seat in (0, 1)
    ]


class RefereeMachine(RuleBasedStateMachine):
    """Whatever comes, there is one request at a time and one ending.

    No position is shown without a legal move that leads there.
    """

    @initialize(
        paused=st.booleans(), timed=st.tuples(st.booleans(), st.booleans()), seed=st.integers(0, 5)
    )
    def start(self, paused: bool, timed: tuple[bool, bool], seed: int) -> None:
        self.match = Referee(GAME.start(seed), Words(), paused=paused, can_timeout=timed)
        self.endings = 0
        self.open: int | None = None
        self.states = [self.match.state]

    def take(self, effects: list[Any]) -> None:
        for effect in effects:
            assert self.endings == 0, "nothing happens after the end"
            if isinstance(effect, Ask):
                assert self.open is None, "only one move is asked for at a time"
                self.open = effect.seat
            elif isinstance(effect, Finish):
                self.endings += 1
                self.open = None
                assert effect.outcome is self.match.outcome
            elif isinstance(effect, ShowState):
                assert effect.state is self.match.state

    @rule()
    def begin(self) -> None:
        self.take(self.match.begin())

    @rule(seat=st.integers(0, 1), seconds=st.floats(0, 5), choice=st.integers(0, 100))
    def move(self, seat: int, seconds: float, choice: int) -> None:
        legal = self.match.state.legal_moves()
        if legal:
            asked = self.open
            if seat == asked:
                self.open = None
            count = len(self.match.records)
            move = legal[choice % len(legal)]
            twin = copy.copy(self.match)
            twin.records = [*self.match.records]
            effects = self.match.move(seat, move, seconds)
            self.check_twin(twin, twin.accept(seat, move, seconds), count, effects)
            self.take(effects)
            if len(self.match.records) > count:
                assert seat == asked
                assert self.match.state != self.states[-1]
                self.states.append(self.match.state)
            elif seat == asked and self.endings == 0:
                raise AssertionError("a legal move in time was not taken")

    def check_twin(
        self, twin: Referee, following: int | None, count: int, effects: list[Any]
    ) -> None:
        """Check that a short way leads where the usual one does, or nowhere."""
        if following is None:
            assert kinds(effects) != [ShowState, Ask]
            assert twin.state is self.states[-1]
            assert len(twin.records) == count
        else:
            assert effects == [ShowState(twin.state, (), True), Ask(following)]
            assert twin.asked == following
            assert (twin.state, twin.records) == (self.match.state, self.match.records)

    @rule(choice=st.integers(0, 100))
    @precondition(lambda self: self.open is not None)
    def good_move(self, choice: int) -> None:
        self.move(self.open, 0.1, choice)

    @rule(seat=st.integers(0, 1), how=st.sampled_from(Departure))
    @precondition(lambda self: self.match.phase is not Phase.WAITING)
    def leave(self, seat: int, how: Departure) -> None:
        self.take(self.match.leave(seat, how))

    @rule(seat=st.integers(0, 1))
    def overdue(self, seat: int) -> None:
        self.take(self.match.overdue(seat))

    @rule(paused=st.booleans())
    def pause(self, paused: bool) -> None:
        self.take(self.match.pause(paused))

    @rule()
    def step(self) -> None:
        self.take(self.match.step())

    @rule()
    @precondition(lambda self: len(self.states) > 3)
    def cancel(self) -> None:
        self.take(self.match.cancel())

    @invariant()
    def consistent(self) -> None:
        if hasattr(self, "match"):
            assert (self.match.phase is Phase.OVER) == (self.match.outcome is not None)
            assert self.match.asked == self.open
            assert self.match.asked in (None, self.match.state.seat)


TestReferee = RefereeMachine.TestCase
