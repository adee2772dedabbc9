"""Positions of Hase und Igel go to the engine and its lines come back.

The first tests have a stand-in, the last ones need the real one. That it knows the same rules is
tested beside it, in ``engine/tests``.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import pytest
from hypothesis import given, settings

import wheels
from games.hase_und_igel.positions import states
from judging import random_match
from spielleiter.games.hase_und_igel import (
    GAMES,
    HASE_UND_IGEL,
    Advance,
    Card,
    EatSalad,
    ExchangeCarrots,
    FallBack,
    HareMove,
    HareState,
    HaseUndIgel,
    PlayCard,
    Skip,
)
from spielleiter.games.hase_und_igel.engine import (
    HareEngine,
    position_of,
    read_line,
    read_move,
    spell_move,
)
from spielleiter.games.hase_und_igel.rules.seasons import SEASON_2018
from spielleiter.rules import PositionError
from spielleiter.rules.engine import EngineMissing, NoEngine
from spielleiter.rules.frozen import replace

BY_ID = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
OTHER = HaseUndIgel(replace(SEASON_2018, id="hase-und-igel-1", title="Other", start_carrots=70))


@dataclass
class PlainLine:
    move: Any
    win: float = 0.5
    points: float = 0.0
    visits: int = 1
    continuation: list[Any] = field(default_factory=list)


@BY_ID
def test_every_season_is_understood(game: HaseUndIgel) -> None:
    with wheels.fake_wheel() as wheel:
        for state in random_match(game, 5)[:-1]:
            position = position_of(wheel, state)
            assert position.state.game == game
            assert [read_move(move) for move in position.legal_moves()] == state.legal_moves()


@given(states())
@settings(max_examples=200)
def test_every_move_is_spelled_and_read_back(state: HareState) -> None:
    for move in state.legal_moves():
        assert read_move(spell_move(move)) == move


def test_moves_are_spelled_in_words() -> None:
    chain = HareMove(
        (
            Advance(5),
            PlayCard(Card.HURRY_AHEAD),
            PlayCard(Card.FALL_BACK, 7),
            PlayCard(Card.TAKE_OR_DROP_CARROTS, -20),
        )
    )
    assert spell_move(chain) == [
        ("advance", 5),
        ("card_hurry_ahead", 0),
        ("card_fall_back", 0),
        ("card_take_or_drop_carrots", -20),
    ]
    for action, spelled in (
        (ExchangeCarrots(-10), ("exchange_carrots", -10)),
        (EatSalad(), ("eat_salad", 0)),
        (FallBack(), ("fall_back", 0)),
        (Skip(), ("skip", 0)),
        (PlayCard(Card.EAT_SALAD), ("card_eat_salad", 0)),
    ):
        assert spell_move(HareMove((action,))) == [spelled]


def test_an_action_that_there_is_not_is_refused() -> None:
    with pytest.raises(PositionError, match="the engine speaks of an action 'fly'"):
        read_move([("fly", 3)])


def test_a_line_has_what_follows() -> None:
    line = read_line(PlainLine([("advance", 1)], 0.75, -3, 7, [[("eat_salad", 0)]]))
    assert line.move == HareMove((Advance(1),))
    assert (line.win, line.points, line.visits) == (0.75, -3.0, 7)
    assert line.continuation == (HareMove((EatSalad(),)),)


def test_a_position_that_cannot_be_is_refused() -> None:
    state = random_match(HASE_UND_IGEL, 1)[20]
    together = replace(state, hares=(state.hares[0], state.hares[0]))
    with wheels.fake_wheel(), pytest.raises(PositionError, match="refuses this position"):
        HareEngine().think(together, 0.1)


def test_rules_of_another_season_are_refused() -> None:
    with wheels.fake_wheel():
        with pytest.raises(PositionError, match="does not know the rules of Other"):
            HareEngine().think(OTHER.start(1), 0.1)
        HareEngine().prepare(OTHER.start(1))
        with pytest.raises(NoEngine):
            OTHER.find_engine()
        assert "master" not in OTHER.players


def test_without_the_package_there_is_no_engine() -> None:
    with wheels.no_wheel():
        with pytest.raises(EngineMissing):
            HASE_UND_IGEL.find_engine()
        with pytest.raises(EngineMissing):
            HareEngine()


@BY_ID
def test_with_the_package_there_is_one(game: HaseUndIgel) -> None:
    with wheels.fake_wheel():
        assert game.find_engine() is HareEngine


def test_progress_is_heard_in_our_words() -> None:
    state, heard = HASE_UND_IGEL.start(1), []
    with wheels.fake_wheel():
        HareEngine().think(state, 0.1, lines=2, hear=lambda lines: heard.append(lines) or True)
    assert [len(lines) for lines in heard] == [2]
    assert all(state.is_legal(line.move) for line in heard[0])


# The real one


@pytest.mark.wheel
@BY_ID
def test_the_engine_judges_every_season(game: HaseUndIgel) -> None:
    engine = HareEngine()
    for state in random_match(game, 3)[:-1:6]:
        lines = engine.think(state, 60, simulations=500)
        assert len(lines) == min(5, len(state.legal_moves()))
        assert all(state.is_legal(line.move) and 0 <= line.win <= 1 for line in lines)
        assert [line.win for line in lines] == sorted((line.win for line in lines), reverse=True)
        for line in lines:
            after = state
            for move in (line.move, *line.continuation):
                after = after.play(move)


@pytest.mark.wheel
@given(states())
@settings(max_examples=100, deadline=None)
def test_the_engine_judges_any_position(state: HareState) -> None:
    if state.is_over:
        with pytest.raises(PositionError, match="the game is over"):
            HareEngine().think(state, 60, simulations=1)
    else:
        lines = HareEngine().think(state, 60, simulations=50, lines=1)
        assert state.is_legal(lines[0].move)


@pytest.mark.wheel
def test_the_engine_knows_a_win_in_one_move() -> None:
    board = "SCCCCCCCCCLICCCICCCICCLCICCCCCICCCCCCICCCCLICCCCCCICCCCCILH1CHHCG"
    state = HASE_UND_IGEL.parse_position(f"{board} 41 57,60,2,-,E 60,12,0,HF,A2 -")
    lines = HareEngine().think(state, 60, simulations=1000)
    assert str(lines[0].move) == "A4"
    assert lines[0].win == 1
