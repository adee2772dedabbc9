"""A bot at a table in this process: what it is shown and told, and how its time is counted."""

from __future__ import annotations

from typing import Any

import pytest

from spielleiter import Bot
from spielleiter.client import seat as seating
from spielleiter.client.seat import BotSeat, Timeline, hints_on_our_server, way_to_leave
from spielleiter.client.thinker import Decision
from spielleiter.games import get_game
from spielleiter.games.hase_und_igel import Advance, HareMove
from spielleiter.match import Departure, play_match
from spielleiter.rules import Cause
from spielleiter.wire.wording import wording_for

GAME = get_game("hase-und-igel-2018")


class First(Bot):
    def choose(self, state: Any, clock: Any) -> Any:
        return state.legal_moves()[0]


def at_table(*bots: Any, seconds: float = 2.0) -> list[BotSeat]:
    timeline = Timeline()
    said: list[str] = []
    seats = [BotSeat(bot, 1, seconds, said.append, timeline=timeline) for bot in bots]
    for seat in seats:
        seat.wording = wording_for(GAME, ["A", "B"])
    return seats


def test_a_bot_hears_what_is_wrong_with_its_move() -> None:
    heard: list[Any] = []

    class Cheats(First):
        def choose(self, state: Any, clock: Any) -> Any:
            return HareMove((Advance(64),))

        def on_error(self, message: str) -> None:
            heard.append(message)

        def on_result(self, outcome: Any) -> None:
            heard.append(outcome.seats[0].cause)

    play_match(GAME.start(1), at_table(Cheats, First), wording_for(GAME, ["A", "B"]))
    assert len(heard) == 2
    assert heard[0]
    assert heard[1] is Cause.RULE_VIOLATION


class Time:
    """A clock that only moves when somebody lets time pass."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def time(monkeypatch: pytest.MonkeyPatch) -> Time:
    time = Time()
    monkeypatch.setattr(seating.time, "perf_counter", time)
    monkeypatch.setattr(seating.MoveClock.__init__, "__defaults__", (2.0, None, time))
    return time


def test_what_a_bot_does_in_hooks_counts_as_if_both_worked_at_the_same_time(time: Time) -> None:
    starts: list[float] = []

    class Prepares(First):
        def on_start(self, state: Any) -> None:
            time.now += 0.5

        def choose(self, state: Any, clock: Any) -> Any:
            starts.append(clock.elapsed)
            time.now += 0.2
            return state.legal_moves()[0]

    first, second = at_table(Prepares, Prepares)
    state = GAME.start(1)
    for number, seat in enumerate((first, second)):
        seat.join(number)
        seat.start(state)
    assert first.ask(state).seconds == pytest.approx(0.7)
    assert second.ask(state).seconds == pytest.approx(0.2)
    assert starts == pytest.approx([0.5, 0.0])


def test_whoever_is_not_done_with_a_hook_when_asked_begins_late(time: Time) -> None:
    class Slow(First):
        def on_start(self, state: Any) -> None:
            time.now += 3.0

    first, second = at_table(First, Slow)
    state = GAME.start(1)
    for number, seat in enumerate((first, second)):
        seat.join(number)
        seat.start(state)
    assert first.ask(state).seconds == 0.0
    assert second.ask(state).seconds == pytest.approx(3.0)


def test_seasons_differ_in_how_a_bot_leaves_and_which_hints_it_sends() -> None:
    decision = Decision(None, 0.0, ("x" * 1000,) * 30)
    assert way_to_leave(get_game("blokus-2027")) is Departure.RECEIVED_DISCONNECT
    assert way_to_leave(GAME) is Departure.LOST_CONNECTION
    assert hints_on_our_server(get_game("blokus-2027"), decision) == ()
    sent = hints_on_our_server(GAME, decision)
    assert len(sent) == 20
    assert {len(hint) for hint in sent} == {500}
