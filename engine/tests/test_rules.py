"""The engine's rules of Blokus are those of ``spielleiter.games.blokus``, move by move."""

from __future__ import annotations

import random

import pytest

from spielleiter.games.blokus.engine import position_of
from spielleiter.games.blokus.game import Blokus
from spielleiter.games.blokus.rules.moves import BlokusMove, SetMove, SkipMove
from spielleiter.games.blokus.rules.pieces import SPELLINGS
from spielleiter.games.blokus.rules.seasons import SEASONS, Season
from spielleiter.games.blokus.rules.state import BlokusState, empty_state

engine = pytest.importorskip("spielleiter_engine")

GAMES = 12
Native = "engine.BlokusPosition"


def native(state: BlokusState) -> Native:
    return position_of(engine, state)


def spell(move: BlokusMove) -> tuple[int, int, int, int] | None:
    if isinstance(move, SkipMove):
        return None
    form = SPELLINGS[move.piece][move.rotation][move.flipped]
    return int(move.piece), form, move.x, move.y


def assert_same(state: BlokusState, position: Native) -> None:
    legal = [spell(move) for move in state.legal_moves()]
    assert position.legal_moves() == [move for move in legal if move is not None]
    assert position.may_pass() == (None in legal)
    assert position.is_over() == state.is_over
    scores = [score[0] for score in state.outcome().scores]
    assert position.points() == tuple(scores)
    assert position.valid == state.valid
    assert position.turn == state.turn


def choose(state: BlokusState, rng: random.Random, skips: float) -> BlokusMove:
    """Return a large piece mostly, so that games get long, and now and then a skip."""
    moves = state.legal_moves()
    placements = [move for move in moves if isinstance(move, SetMove)]
    if not placements or (len(moves) > len(placements) and rng.random() < skips):
        return moves[-1]
    some = rng.sample(placements, min(4, len(placements)))
    return max(some, key=lambda move: move.piece.size)


@pytest.mark.parametrize("season", SEASONS, ids=lambda season: season.id)
@pytest.mark.parametrize("number", range(GAMES))
def test_games_with_and_without_skips(season: Season, number: int) -> None:
    rng = random.Random(f"{season.id} {number}")
    state = empty_state(Blokus(season), rng.choice(season.start_pieces))
    position = native(state)
    skips = (0.0, 0.1, 0.5)[number % 3]
    while True:
        assert_same(state, position)
        assert_same(state, native(state))
        if state.is_over:
            break
        move = choose(state, rng, skips)
        state = state.play(move)
        position = position.play(spell(move))


@pytest.mark.parametrize("season", SEASONS, ids=lambda season: season.id)
def test_illegal_moves_are_refused(season: Season) -> None:
    rng = random.Random(season.id)
    state = empty_state(Blokus(season), rng.choice(season.start_pieces))
    with pytest.raises(ValueError, match="first move of a colour"):
        native(state).play(None)
    refused = 0
    while not state.is_over:
        position = native(state)
        legal = set(position.legal_moves())
        for _ in range(20):
            move = (rng.randrange(21), rng.randrange(91), rng.randrange(20), rng.randrange(20))
            if move not in legal:
                refused += 1
                with pytest.raises(ValueError, match=r"form|legal"):
                    position.play(move)
        state = state.play(choose(state, rng, 0.0))
    assert refused > 1000
    with pytest.raises(ValueError, match="over"):
        native(state).play(None)
