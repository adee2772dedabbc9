"""Bots that play with an engine keep to their time and always have a legal move, in every game."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

import wheels
from clocks import HandClock
from judging import random_match
from spielleiter.games import all_games
from spielleiter.rules import AnyGame, FreeClock

of_every_game = pytest.mark.parametrize("game", all_games(), ids=lambda game: game.id)


@cache
def states_of(game: AnyGame) -> list[Any]:
    """Return positions of a match in which there is a choice."""
    return [state for state in random_match(game, 3)[:-1] if len(state.legal_moves()) > 1]


def master_of(game: AnyGame) -> Any:
    return game.players["master"](1)


def thoughts_of(player: Any) -> list[dict[str, Any]]:
    thoughts: list[dict[str, Any]] = player._engine._search.thoughts
    return thoughts


@of_every_game
def test_they_are_house_bots_where_the_engine_is(game: AnyGame) -> None:
    with wheels.fake_wheel():
        assert list(game.players)[-1] == "master"
        assert type(master_of(game)).__name__ == "MasterPlayer"
    with wheels.no_wheel():
        assert "master" not in game.players


@of_every_game
def test_they_play_whole_games(game: AnyGame) -> None:
    with wheels.fake_wheel():
        player, state = master_of(game), game.start(2)
        while not state.is_over:
            state = state.play(player.choose(state, FreeClock()))


@of_every_game
def test_where_the_clock_stands_still_they_look_so_often_and_no_more(game: AnyGame) -> None:
    with wheels.fake_wheel():
        player = master_of(game)
        player.choose(states_of(game)[5], FreeClock())
        assert thoughts_of(player)[0]["simulations"] == player.simulations


@of_every_game
@pytest.mark.parametrize(
    ("limit", "seconds"), [(2.0, 1.75), (10.0, 8.75), (0.4, 0.35), (float("inf"), 1.75)]
)
def test_they_take_their_share_of_the_time_from_the_request_on(
    game: AnyGame, limit: float, seconds: float
) -> None:
    with wheels.fake_wheel():
        player = master_of(game)
        player.choose(states_of(game)[5], HandClock(0.1, limit))  # the first move has less
        player.choose(states_of(game)[6], HandClock(0.1, limit))
        first, second = thoughts_of(player)
    assert first["seconds"] < second["seconds"]
    assert second["seconds"] == pytest.approx(seconds - 0.1)
    assert second["simulations"] is None


@of_every_game
def test_a_late_answer_makes_the_next_one_come_earlier(game: AnyGame) -> None:
    with wheels.fake_wheel():
        player, clock = master_of(game), HandClock(0.1)
        search = type(player._engine._search)
        player.choose(states_of(game)[4], HandClock(0.1))
        think = search.think

        def think_late(self: Any, position: Any, seconds: float, **options: Any) -> Any:
            clock.elapsed += seconds + 0.1
            return think(self, position, seconds, **options)

        search.think = think_late
        player.choose(states_of(game)[5], clock)
        search.think = think
        player.choose(states_of(game)[6], HandClock(0.1))
        *_, last = thoughts_of(player)
    assert last["seconds"] < 1.6


@of_every_game
def test_with_no_time_left_they_still_ask(game: AnyGame) -> None:
    state = states_of(game)[5]
    with wheels.fake_wheel():
        player = master_of(game)
        assert state.is_legal(player.choose(state, HandClock(elapsed=5.0)))
        assert thoughts_of(player)[0]["seconds"] > 0


def raising(*_: Any, **__: Any) -> Any:
    raise ValueError("no")


def silent(*_: Any, **__: Any) -> list[Any]:
    return []


@of_every_game
@pytest.mark.parametrize("think", [raising, silent])
def test_where_the_engine_fails_another_bot_chooses(game: AnyGame, think: Any) -> None:
    state = states_of(game)[5]
    with wheels.fake_wheel():
        player = master_of(game)
        player._engine._search.think = think
        assert state.is_legal(player.choose(state, FreeClock()))


@of_every_game
@pytest.mark.wheel
def test_with_the_engine_the_same_seed_plays_the_same_game(game: AnyGame) -> None:
    def play() -> list[Any]:
        player, state, moves = game.players["master"](4), game.start(4), []
        for _ in range(6):
            moves.append(player.choose(state, FreeClock()))
            state = state.play(moves[-1])
        return moves

    assert play() == play()
