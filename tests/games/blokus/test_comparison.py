"""What is said about a move and a better one is true, and is the thing that matters most."""

from __future__ import annotations

import re

import pytest

from judging import random_match
from spielleiter.games.blokus import GAMES, SetMove, SkipMove
from spielleiter.games.blokus.comparison import compare_moves
from spielleiter.games.blokus.rules.bitboard import count_placements

GAME = GAMES[0]


def test_a_skip_of_somebody_who_could_place() -> None:
    state = random_match(GAME, 1)[20]
    place = state.legal_moves()[0]
    said = compare_moves(state, SkipMove(state.color), place)
    assert said is not None
    name = state.color.name.capitalize()
    assert said.en == f"{name} could still place a piece and skipped"
    assert compare_moves(state, SkipMove(state.color), SkipMove(state.color)) is None


def test_the_same_move_is_not_worse() -> None:
    state = random_match(GAME, 2)[24]
    move = state.legal_moves()[0]
    assert compare_moves(state, move, move) is None


@pytest.mark.parametrize("seed", range(3))
def test_the_numbers_are_right(seed: int) -> None:
    kinds = set()
    for state in random_match(GAME, seed)[4:-1:3]:
        moves = [move for move in state.legal_moves() if isinstance(move, SetMove)]
        worse, better = moves[0], moves[-1]
        said = compare_moves(state, worse, better)
        if said is None:
            continue
        numbers = [int(number) for number in re.findall(r"\d+", said.en)]
        assert numbers == [int(number) for number in re.findall(r"\d+", said.de)]
        if "squares" in said.en:
            assert numbers == [better.size, worse.size]
            kinds.add("size")
            continue
        color = next(one for one in state.valid_colors if said.en.startswith(one.name.title()))
        before, after, wanted = (
            count_placements(one.placements(color))
            for one in (state, state.play(worse), state.play(better))
        )
        if color is state.color:
            expected = [number for number in (after, wanted) if number or number is wanted]
            kinds.add("own")
        elif color.seat == state.seat:
            expected = [before, before - after, before - wanted] if after else [before, wanted]
            kinds.add("partner")
        else:
            expected = [before, before - after, before - wanted]
            expected = [number for number in expected if number or "none" not in said.en]
            kinds.add("rival")
        assert numbers == expected, said.en
    assert kinds >= {"own"}


def test_what_matters_most_is_said() -> None:
    # Blue has its single square left and one place for it, where red may lie, too.
    board = "/".join(["B19", "20", "2R17", *["20"] * 17])
    state = GAME.parse_position(f"{board} 42 PENTO_L 1;1;1,2;1 BYRG - -")
    worse, better = (
        next(move for move in state.legal_moves() if move.size == 1 and (move.x, move.y) == place)
        for place in ((1, 1), (3, 3))
    )
    said = compare_moves(state, worse, better)
    assert said is not None
    assert said.en == "Blue had 1 place left, and none after the move (1 after the better one)"
    assert said.de == "Blau hatte noch 1 Platz und nach dem Zug keinen mehr (nach dem besseren 1)"
