"""Positions of Blokus go to the engine and its lines come back.

The first tests have a stand-in, the last ones need the real one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any

import pytest

import wheels
from judging import random_match
from spielleiter.engine import Analyser
from spielleiter.games.blokus import GAMES, Color, SetMove, SkipMove
from spielleiter.games.blokus.engine import BlokusEngine, position_of, read_line, read_move
from spielleiter.games.blokus.rules.pieces import ORIENTATIONS
from spielleiter.games.wheel import load_wheel
from spielleiter.rules import PositionError
from spielleiter.rules.engine import EngineError, EngineMissing

BY_ID = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)


@dataclass
class PlainLine:
    move: Any
    win: float = 0.5
    points: float = 0.0
    visits: int = 1
    continuation: list[Any] = field(default_factory=list)


def some_states(game, count: int = 8):
    states = random_match(game, 5)[:-1]
    return states[:: max(1, len(states) // count)]


@BY_ID
def test_every_season_is_understood(game) -> None:
    with wheels.fake_wheel() as wheel:
        for state in some_states(game):
            position = position_of(wheel, state)
            assert position.state.game == game
            found = {read_move(state.color, move) for move in position.legal_moves()}
            assert found == {move for move in state.legal_moves() if isinstance(move, SetMove)}


def test_moves_are_read_in_their_canonical_spelling() -> None:
    for form in ORIENTATIONS:
        move = read_move(Color.RED, (int(form.piece), form.index, 3, 4))
        assert isinstance(move, SetMove)
        assert move == move.canonical
        assert (move.orientation, move.x, move.y) == (form, 3, 4)
    assert read_move(Color.RED, None) == SkipMove(Color.RED)


@pytest.mark.parametrize("move", [(0, 91, 0, 0), (3, 0, 0, 0), (0, 0, 20, 0), (0, 0, 0, -1)])
def test_a_move_that_cannot_be_is_refused(move) -> None:
    with pytest.raises(PositionError, match="the engine"):
        read_move(Color.BLUE, move)


def test_a_line_has_what_follows_and_not_its_own_move_again() -> None:
    mono, domino = (0, 0, 1, 2), (1, 1, 5, 6)
    for continuation in ([(1, domino), (2, None)], [(0, mono), (1, domino), (2, None)]):
        line = read_line(Color.BLUE, PlainLine(mono, 0.75, -3, 7, continuation))
        assert line.move == read_move(Color.BLUE, mono)
        assert (line.win, line.points, line.visits) == (0.75, -3.0, 7)
        assert line.continuation == (read_move(Color.YELLOW, domino), SkipMove(Color.RED))


def test_a_position_that_cannot_be_is_refused() -> None:
    state = random_match(GAMES[0], 1)[20]
    blue, yellow, *rest = state.boards
    overlapping = replace(state, boards=(blue | yellow, yellow, *rest))
    with wheels.fake_wheel(), pytest.raises(PositionError, match="refuses this position"):
        BlokusEngine().think(overlapping, 0.1)


def test_without_the_package_there_is_no_engine() -> None:
    with wheels.no_wheel():
        with pytest.raises(EngineMissing):
            GAMES[0].find_engine()
        with pytest.raises(EngineMissing):
            BlokusEngine()


def test_progress_is_heard_in_our_words() -> None:
    state, heard = GAMES[0].start(1), []
    with wheels.fake_wheel():
        BlokusEngine().think(state, 0.1, lines=2, hear=lambda lines: heard.append(lines) or True)
    assert [len(lines) for lines in heard] == [2]
    assert all(state.is_legal(line.move) for line in heard[0])


# The real one


@pytest.mark.wheel
@BY_ID
def test_the_engine_knows_the_same_moves(game) -> None:
    wheel = load_wheel()
    for state in random_match(game, 7)[:-1]:
        position = position_of(wheel, state)
        assert not position.is_over()
        found = [read_move(state.color, move) for move in position.legal_moves()]
        expected = [move for move in state.legal_moves() if isinstance(move, SetMove)]
        assert len(found) == len(expected)
        assert set(found) == set(expected)
        assert position.may_pass() is not state.is_first_move(state.color)


@pytest.mark.wheel
@BY_ID
def test_the_engine_judges_every_season(game) -> None:
    engine = BlokusEngine()
    for state in some_states(game, 4):
        lines = engine.think(state, 5, simulations=200)
        assert all(state.is_legal(line.move) and 0 <= line.win <= 1 for line in lines)
        after = state
        for move in (lines[0].move, *lines[0].continuation):
            after = after.play(move)


def broken_states(count: int) -> Iterator[Any]:
    """Positions of which some part is not as it can be."""
    random = Random(5)
    states = random_match(GAMES[0], 3)
    numbers = [0, 1, -1, 2**21, 2**31, 2**63, 2**64, 2**420, 2**441 - 1, -(2**70), 10**300]
    for _ in range(count):
        state = random.choice(states)
        name = random.choice(["boards", "hands", "valid", "turn", "mono_last"])
        value: Any = random.choice(numbers)
        if name in ("boards", "hands"):
            four = list(getattr(state, name))
            four[random.randrange(4)] = random.choice([value, *four])
            value = tuple(four[: random.choice([4, 4, 4, 3, 0])])
        yield replace(state, **{name: value})


@pytest.mark.wheel
def test_positions_that_cannot_be_never_end_the_interpreter() -> None:
    analyser = Analyser()
    refused = 0
    for state in broken_states(400):
        try:
            lines = analyser.analyse(state, 1, simulations=5)
        except (PositionError, EngineError):
            refused += 1
        else:
            assert all(state.is_legal(line.move) for line in lines)
    assert 100 < refused < 400
