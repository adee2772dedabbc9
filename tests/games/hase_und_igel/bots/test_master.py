"""The bot that plays with the engine keeps to its time and always has a legal move."""

from __future__ import annotations

from typing import Any

import pytest

import wheels
from judging import random_match
from spielleiter.games.hase_und_igel import GAMES, HareMove, HaseUndIgel
from spielleiter.games.hase_und_igel.bots.master import SIMULATIONS, MasterPlayer
from spielleiter.rules import FreeClock

GAME = GAMES[0]
STATES = [state for state in random_match(GAME, 3)[:-1] if len(state.legal_moves()) > 1]


class HandClock:
    def __init__(self, elapsed: float = 0.1, limit: float = 2.0) -> None:
        self.elapsed, self.limit = elapsed, limit

    @property
    def remaining(self) -> float:
        return self.limit - self.elapsed


def thoughts_of(player: MasterPlayer) -> list[dict[str, Any]]:
    thoughts: list[dict[str, Any]] = player._engine._search.thoughts
    return thoughts


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_it_plays_whole_games_of_every_season(game: HaseUndIgel) -> None:
    with wheels.fake_wheel():
        player, state = MasterPlayer(1), game.start(2)
        while not state.is_over:
            state = state.play(player.choose(state, FreeClock()))


def test_the_tables_are_made_before_the_first_move() -> None:
    with wheels.fake_wheel():
        player = MasterPlayer(1)
        player.on_start(STATES[0])
        (prepared,) = player._engine._search.prepared
        assert prepared.state.board == STATES[0].board


def test_where_the_clock_stands_still_it_looks_at_so_many_positions() -> None:
    with wheels.fake_wheel():
        player = MasterPlayer(1)
        player.choose(STATES[5], FreeClock())
        assert thoughts_of(player)[0]["simulations"] == SIMULATIONS


@pytest.mark.parametrize(
    ("limit", "seconds"), [(2.0, 1.75), (10.0, 8.75), (0.4, 0.35), (float("inf"), 1.75)]
)
def test_it_takes_its_share_of_the_time_from_the_request_on(limit: float, seconds: float) -> None:
    with wheels.fake_wheel():
        player = MasterPlayer(1)
        player.choose(STATES[5], HandClock(limit=limit))  # the first move of a game has less
        player.choose(STATES[6], HandClock(limit=limit))
        first, second = thoughts_of(player)
    assert first["seconds"] < second["seconds"]
    assert second["seconds"] == pytest.approx(seconds - 0.1)
    assert second["simulations"] is None


def test_a_late_answer_makes_the_next_one_come_earlier() -> None:
    with wheels.fake_wheel() as wheel:
        player, clock = MasterPlayer(1), HandClock()
        player.choose(STATES[4], HandClock())
        think = wheel.HaresSearch.think

        def think_late(self: Any, position: Any, seconds: float, **options: Any) -> Any:
            clock.elapsed += seconds + 0.1
            return think(self, position, seconds, **options)

        wheel.HaresSearch.think = think_late
        player.choose(STATES[5], clock)
        wheel.HaresSearch.think = think
        player.choose(STATES[6], HandClock())
        *_, last = thoughts_of(player)
    assert last["seconds"] < 1.6


def test_with_no_time_left_it_still_asks() -> None:
    with wheels.fake_wheel():
        player = MasterPlayer(1)
        move = player.choose(STATES[5], HandClock(elapsed=5.0))
        assert STATES[5].is_legal(move)
        assert thoughts_of(player)[0]["seconds"] > 0


def test_the_only_move_needs_no_thought() -> None:
    state = next(one for one in random_match(GAME, 3) if len(one.legal_moves()) == 1)
    with wheels.fake_wheel():
        player = MasterPlayer(1)
        assert player.choose(state, HandClock()) == state.legal_moves()[0]
        assert thoughts_of(player) == []


def raising(*_: Any, **__: Any) -> Any:
    raise ValueError("no")


def answering(lines: Any) -> Any:
    return lambda *_, **__: lines


def test_where_the_engine_fails_another_bot_chooses() -> None:
    with wheels.fake_wheel() as wheel:
        illegal = wheel.HaresLine([("advance", 64)], 0.5, 0.0, 1, [])
        for think in (raising, answering([]), answering([illegal])):
            player = MasterPlayer(1)
            player._engine._search.think = think
            move = player.choose(STATES[5], FreeClock())
            assert isinstance(move, HareMove)
            assert STATES[5].is_legal(move)


def test_it_is_a_house_bot_where_the_engine_is() -> None:
    for game in GAMES:
        with wheels.fake_wheel():
            assert list(game.players)[-1] == "master"
            assert isinstance(game.players["master"](1), MasterPlayer)
        with wheels.no_wheel():
            assert "master" not in game.players


@pytest.mark.wheel
def test_with_the_engine_the_same_seed_plays_the_same_game() -> None:
    def play() -> list[Any]:
        player, state, moves = MasterPlayer(4), GAME.start(4), []
        for _ in range(8):
            moves.append(player.choose(state, FreeClock()))
            state = state.play(moves[-1])
        return moves

    assert play() == play()
