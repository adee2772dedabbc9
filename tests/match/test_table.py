"""In a match between objects seats hear everything in order, and the referee decides."""

from __future__ import annotations

from typing import Any

import pytest

from spielleiter.games import all_games, get_game
from spielleiter.games.hase_und_igel import FallBack, HareMove
from spielleiter.match import (
    Answer,
    Departure,
    EndlessMatch,
    PlayerSeat,
    Seat,
    SeatLeft,
    SeatStuck,
    TimeControl,
    play_match,
)
from spielleiter.rules import AnyState, Cause, FreeClock, Outcome
from spielleiter.wire.wording import wording_for

GAME = get_game("hase-und-igel-2018")
WORDING = wording_for(GAME, ("Anna", "Ben"))


class Teller(Seat):
    """Plays the first move and writes down what it is told."""

    def __init__(self, told: list[tuple[int, str]]) -> None:
        self.told = told
        self.number = -1

    def join(self, number: int) -> None:
        self.number = number
        self._hear("join")

    def start(self, state: AnyState) -> None:
        self._hear(f"start {state.turn}")

    def show(self, state: AnyState) -> None:
        self._hear(f"show {state.turn}")

    def ask(self, state: AnyState) -> Answer:
        self._hear(f"ask {state.turn}")
        return Answer(state.legal_moves()[0], 0.25, ("a hint",))

    def finish(self, outcome: Outcome) -> None:
        self._hear(f"finish {outcome.code}")

    def _hear(self, what: str) -> None:
        self.told.append((self.number, what))


def tellers() -> tuple[list[tuple[int, str]], list[Any]]:
    told: list[tuple[int, str]] = []
    return told, [Teller(told), Teller(told)]


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.id)
def test_players_play_as_in_a_bare_loop(game) -> None:
    players = [game.players["random"](seed) for seed in (4, 5)]
    states = [game.start(2)]
    while not states[-1].is_over:
        move = players[states[-1].seat].choose(states[-1], FreeClock())
        states.append(states[-1].play(move))
    seats = [PlayerSeat(game.players["random"](seed)) for seed in (4, 5)]
    match = play_match(game.start(2), seats, wording_for(game, ("A", "B")))
    assert match.states == tuple(states)
    assert match.moves == tuple(state.last_move for state in states[1:])
    assert match.outcome == states[-1].outcome()
    assert [record.seat for record in match.records] == [state.seat for state in states[:-1]]
    assert match.complaint is None


def test_everybody_hears_everything_in_order() -> None:
    told, seats = tellers()
    match = play_match(GAME.start(1), seats, WORDING)
    last = match.states[-1].turn
    assert told[:8] == [
        (0, "join"),
        (1, "join"),
        (0, "start 0"),
        (1, "start 0"),
        (1, "show 0"),
        (0, "ask 0"),
        (0, "show 1"),
        (1, "ask 1"),
    ]
    ended = f"finish {match.outcome.code}"
    assert told[-4:] == [(0, f"show {last}"), (1, f"show {last}"), (0, ended), (1, ended)]
    assert {(record.seconds, record.hints) for record in match.records} == {(0.25, ("a hint",))}


def test_who_does_not_watch_is_only_asked() -> None:
    told, seats = tellers()
    seats[1].watches = False
    match = play_match(GAME.start(1), seats, WORDING)
    assert {what.split()[0] for number, what in told if number == 0} >= {"show", "ask"}
    assert {what.split()[0] for number, what in told if number == 1} == {
        "join",
        "start",
        "ask",
        "finish",
    }
    assert match.outcome == play_match(GAME.start(1), tellers()[1], WORDING).outcome


def test_a_match_that_is_over_before_it_begins_asks_nobody() -> None:
    _, seats = tellers()
    end = play_match(GAME.start(1), seats, WORDING).states[-1]
    told, seats = tellers()
    match = play_match(end, seats, WORDING)
    assert match.states == (end,)
    assert match.outcome == end.outcome()
    assert not [what for _, what in told if what.startswith("ask")]
    assert [what for _, what in told[-2:]] == [f"finish {match.outcome.code}"] * 2


@pytest.mark.parametrize(
    ("method", "positions"), [("join", 1), ("start", 1), ("show", 1), ("ask", 2)]
)
@pytest.mark.parametrize(
    ("raised", "cause"),
    [
        (SeatLeft(), Cause.LEFT),
        (SeatLeft(Departure.RECEIVED_DISCONNECT), Cause.LEFT),
        (SeatStuck(), Cause.HARD_TIMEOUT),
    ],
)
def test_who_is_gone_loses_wherever_it_happens(method, positions, raised, cause) -> None:
    told, seats = tellers()

    def leave(_: Any) -> None:
        raise raised

    setattr(seats[1], method, leave)
    match = play_match(GAME.start(1), seats, WORDING, time=TimeControl(2, 7))
    assert [seat.cause for seat in match.outcome.seats] == [Cause.REGULAR, cause]
    assert match.outcome.winner == 0
    if cause is Cause.LEFT:
        assert match.outcome.reason == WORDING.left(1, raised.how, 0, None)
    else:
        assert match.outcome.reason == WORDING.hard_timeout(1, 7)
    assert len(match.states) == positions
    assert [what for _, what in told if what.startswith("finish")] == [f"finish {cause.value}"] * 2


@pytest.mark.parametrize("method", ["show", "finish"])
def test_who_goes_after_the_end_has_lost_nothing(method) -> None:
    told, seats = tellers()
    before = getattr(seats[0], method)

    def leave(shown: Any) -> None:
        if method == "finish" or shown.is_over:
            raise SeatStuck
        before(shown)

    setattr(seats[0], method, leave)
    match = play_match(GAME.start(1), seats, WORDING)
    assert match.outcome.is_regular
    assert (1, f"show {match.states[-1].turn}") in told
    assert told[-1] == (1, f"finish {match.outcome.code}")


class Slow(Seat):
    def ask(self, state: AnyState) -> Answer:
        return Answer(state.legal_moves()[0], 3.0)


def test_a_late_move_loses_unless_the_seat_may_take_its_time() -> None:
    match = play_match(GAME.start(1), [Slow(), Slow()], WORDING)
    assert match.outcome.seats[0].cause is Cause.SOFT_TIMEOUT
    assert match.outcome.reason == WORDING.soft_timeout(0, 2)
    assert match.records == ()
    patient = play_match(GAME.start(1), [Slow(), Slow()], WORDING, can_timeout=(False, False))
    assert patient.outcome.is_regular
    assert play_match(
        GAME.start(1), [Slow(), Slow()], WORDING, time=TimeControl(4, 9)
    ).outcome.is_regular


class Cheat(Seat):
    def ask(self, state: AnyState) -> Answer:
        return Answer(HareMove((FallBack(),)))


def test_an_illegal_move_loses_and_the_complaint_says_why() -> None:
    match = play_match(GAME.start(1), [Cheat(), Slow()], WORDING)
    assert match.outcome.seats[0].cause is Cause.RULE_VIOLATION
    assert match.complaint is not None
    assert match.complaint.violation is not None
    assert match.complaint.move == HareMove((FallBack(),))
    assert match.states == (GAME.start(1),)


def test_a_match_without_an_end_is_broken_off() -> None:
    length = len(play_match(GAME.start(1), tellers()[1], WORDING).records)
    assert play_match(GAME.start(1), tellers()[1], WORDING, move_limit=length).outcome.is_regular
    with pytest.raises(EndlessMatch, match=f"no end after {length - 1} moves"):
        play_match(GAME.start(1), tellers()[1], WORDING, move_limit=length - 1)


def test_the_clock_of_a_player_is_handed_in_and_its_seconds_are_kept() -> None:
    class Clock:
        elapsed = 0.0
        remaining = 2.0

    seen = []

    class Thinker:
        def choose(self, state, clock):
            clock.elapsed += 0.5
            seen.append(clock)
            return state.legal_moves()[0]

    match = play_match(
        GAME.start(1), [PlayerSeat(Thinker(), Clock), PlayerSeat(Thinker(), Clock)], WORDING
    )
    assert {record.seconds for record in match.records} == {0.5}
    assert len({id(clock) for clock in seen}) == len(seen) == len(match.records)


def test_what_a_player_raises_comes_out_of_the_match() -> None:
    class Broken:
        def choose(self, state, clock):
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        play_match(GAME.start(1), [PlayerSeat(Broken()), PlayerSeat(Broken())], WORDING)
