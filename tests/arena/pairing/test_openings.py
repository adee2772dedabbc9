"""Openings: drawn from a seed, legal, different, and read back from JSON."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spielleiter.arena.pairing.openings import (
    MOST_MOVES,
    Opening,
    OpeningError,
    default_moves,
    draw_opening,
)
from spielleiter.games import all_games, get_game
from spielleiter.rules import AnyGame, FreeClock
from third_game import FOUR

GAMES = [*all_games(), FOUR]
SMALL = get_game("blokus-2021")


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_openings_are_legal_and_reproducible(game: AnyGame) -> None:
    for seed in range(5):
        opening = draw_opening(game, seed, 6)
        assert opening == draw_opening(game, seed, 6)
        assert len(opening.moves) == 6
        *_, last = states = list(opening.states(game))
        assert len(states) == 7
        assert states[0] == game.start(seed)
        assert last == opening.position(game)
        assert not last.is_over


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_openings_survive_json(game: AnyGame) -> None:
    opening = draw_opening(game, 2**47 + 1, 4)
    assert Opening.from_json(json.loads(json.dumps(opening.to_json()))) == opening


def test_a_longer_opening_begins_like_a_shorter_one() -> None:
    short, long = draw_opening(SMALL, 3, 2), draw_opening(SMALL, 3, 6)
    assert long.moves[:2] == short.moves


def test_openings_are_the_same_on_every_machine() -> None:
    # Python mixes its hashes anew in every process, so this also fails if one of them is used.
    assert draw_opening(SMALL, 7, 6).moves == (
        "B:PENTO_U@0,0",
        "Y:PENTO_U@0,18/MIRROR",
        "R:PENTO_U@17,0/MIRROR",
        "G:PENTO_U@17,18",
        "B:PENTO_X@3,1",
        "Y:PENTO_W@3,15/RIGHT",
    )


@pytest.mark.parametrize(
    ("name", "moves"),
    [("blokus-2021", 6), ("blokus-2027", 2), ("hase-und-igel-2018", 0)],
)
def test_the_default_makes_five_hundred_openings_different(name: str, moves: int) -> None:
    game = get_game(name)
    assert default_moves(game) == moves
    found = {draw_opening(game, seed) for seed in range(500)}
    assert len({(game.start(opening.seed), opening.moves) for opening in found}) == 500


def test_the_default_is_a_whole_number_of_turns_for_everybody() -> None:
    for game in GAMES:
        assert default_moves(game) % game.seats == 0


def test_deterministic_bots_do_not_repeat_matches() -> None:
    game = get_game("hase-und-igel-2018")
    seen = set()
    for seed in range(20):
        opening = draw_opening(game, seed)
        state = opening.position(game)
        players = [game.players["greedy"](1) for _ in range(game.seats)]
        moves = []
        while not state.is_over:
            moves.append(players[state.seat].choose(state, FreeClock()))
            state = state.play(moves[-1])
        seen.add((game.start(seed), *moves))
    assert len(seen) == 20


def test_a_match_never_ends_in_its_opening() -> None:
    # Four in a row can be had with seven moves, so some openings would end one by chance.
    for seed in range(60):
        opening = draw_opening(FOUR, seed, MOST_MOVES)
        assert not opening.position(FOUR).is_over


@given(st.integers(-(2**60), 2**60), st.integers(0, 3))
def test_any_seed_has_an_opening(seed: int, moves: int) -> None:
    assert len(draw_opening(SMALL, seed, moves).moves) == moves


@pytest.mark.parametrize("moves", [-1, MOST_MOVES + 1])
def test_too_many_moves_are_refused(moves: int) -> None:
    with pytest.raises(OpeningError, match=f"between 0 and {MOST_MOVES} moves, not {moves}"):
        draw_opening(SMALL, 1, moves)


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ([], "an object with a seed and moves"),
        ({"moves": []}, "a whole number"),
        ({"seed": True, "moves": []}, "a whole number"),
        ({"seed": 1.5, "moves": []}, "a whole number"),
        ({"seed": 1}, "a list of texts"),
        ({"seed": 1, "moves": "abc"}, "a list of texts"),
        ({"seed": 1, "moves": [1]}, "a list of texts"),
        ({"seed": 1, "moves": ["x"] * 1000}, f"at most {MOST_MOVES} moves, not 1000"),
    ],
)
def test_what_is_no_opening_is_refused(value: object, said: str) -> None:
    with pytest.raises(OpeningError, match=said):
        Opening.from_json(value)


def test_moves_that_cannot_be_played_are_named() -> None:
    good = draw_opening(SMALL, 1, 2)
    with pytest.raises(OpeningError, match="move 1 of the opening: cannot read 'nonsense'"):
        Opening(1, ("nonsense",)).position(SMALL)
    with pytest.raises(OpeningError, match="move 2 of the opening: "):
        Opening(1, (good.moves[0], good.moves[0])).position(SMALL)


def test_a_move_that_ends_the_match_is_refused() -> None:
    state = FOUR.start(1)
    players = [FOUR.players["random"](seat) for seat in range(2)]
    moves = []
    while not state.is_over:
        move = players[state.seat].choose(state, FreeClock())
        moves.append(FOUR.format_move(move))
        state = state.play(move)
    with pytest.raises(OpeningError, match=f"move {len(moves)} of the opening ends the match"):
        Opening(1, tuple(moves)).position(FOUR)
