"""The fast implementation and the slow one from the documents must agree on every position they
meet.
"""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from hypothesis import given

from games.hase_und_igel import slow_hare
from games.hase_und_igel.positions import slow, states
from spielleiter.games.hase_und_igel import HASE_UND_IGEL, HareState
from spielleiter.games.hase_und_igel.rules.steps import CARD_BITS, steps

PERFT = [
    line.split("|")
    for line in Path(__file__).with_name("perft.txt").read_text(encoding="utf-8").splitlines()
    if line and not line.startswith("#")
]


def compare(state: HareState) -> None:
    """One position: the same moves, leading to the same positions, ended and won alike."""
    other = slow(state)
    expected = slow_hare.legal_moves(other)
    found = state.legal_moves()
    assert {str(move) for move in found} == set(expected)
    assert len(found) == len(expected)
    assert state.is_over == slow_hare.is_over(other)
    assert state.outcome().winner == slow_hare.winner(other)
    for move in found:
        assert slow(state.play(move)) == expected[str(move)]


@given(states())
def test_any_position(state: HareState) -> None:
    compare(state)


@pytest.mark.parametrize("seed", range(6))
def test_random_games(seed: int) -> None:
    dice = Random(seed)
    state = HASE_UND_IGEL.start(seed)
    while not state.is_over:
        compare(state)
        state = state.play(dice.choice(state.legal_moves()))
    compare(state)


def perft(state: HareState, depth: int) -> int:
    found = state.legal_moves()
    if depth == 1:
        return len(found)
    return sum(perft(state.play(move), depth - 1) for move in found)


@pytest.mark.parametrize(("name", "position", "counts"), PERFT, ids=[row[0] for row in PERFT])
def test_perft_fast(name: str, position: str, counts: str) -> None:
    state = HASE_UND_IGEL.parse_position(position)
    expected = [int(count) for count in counts.split()]
    assert [perft(state, depth) for depth in range(1, len(expected) + 1)] == expected


@pytest.mark.parametrize(("name", "position", "counts"), PERFT, ids=[row[0] for row in PERFT])
def test_perft_slow(name: str, position: str, counts: str) -> None:
    state = slow(HASE_UND_IGEL.parse_position(position))
    expected = [int(count) for count in counts.split()]
    depths = [depth for depth in range(1, len(expected) + 1) if expected[depth - 1] < 1500]
    assert depths
    assert [slow_hare.perft(state, depth) for depth in depths] == [
        expected[depth - 1] for depth in depths
    ]


@given(states())
def test_inner_form_leads_where_playing_leads(state: HareState) -> None:
    if state.is_over:
        return
    for step in steps(state.game.track_of(state.board), state.runner(), state.opponent.position):
        move, position, carrots, salads, cards, must_eat = step
        after = state.play(move)
        hare = after.hares[state.seat]
        assert (hare.position, hare.carrots, hare.salads) == (position, carrots, salads)
        assert sum(CARD_BITS[card] for card in hare.cards) == cards
        again = HareState(after.game, after.board, after.hares, state.turn, None)
        assert again.must_eat == must_eat
