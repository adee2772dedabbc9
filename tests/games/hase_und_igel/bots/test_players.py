"""House bots: the same seed plays the same, and greedy keeps its promise."""

from __future__ import annotations

import pytest

from games.hase_und_igel.positions import board
from spielleiter.games.hase_und_igel import HASE_UND_IGEL, Card, EatSalad, Hare, HareState
from spielleiter.games.hase_und_igel.bots.players import turns_to_goal
from spielleiter.rules import FreeClock

CLOCK = FreeClock()


def match(seed: int, red: str, blue: str) -> HareState:
    players = [HASE_UND_IGEL.players[red](seed), HASE_UND_IGEL.players[blue](seed + 1)]
    state = HASE_UND_IGEL.start(seed)
    while not state.is_over:
        state = state.play(players[state.seat].choose(state, CLOCK))
    return state


def test_weakest_first() -> None:
    assert list(HASE_UND_IGEL.players)[:2] == ["random", "greedy"]


@pytest.mark.parametrize("name", ["random", "greedy"])
def test_equal_seeds_play_equal_matches(name: str) -> None:
    assert match(5, name, name) == match(5, name, name)
    assert match(5, name, name) != match(6, name, name)


def test_greedy_reaches_the_goal_and_beats_random() -> None:
    wins = goals = 0
    for seed in range(100):
        seat = seed % 2
        end = match(seed, *(("greedy", "random") if seat == 0 else ("random", "greedy")))
        wins += end.outcome().winner == seat
        goals += end.in_goal(end.hares[seat])
    assert goals >= 90
    assert wins >= 95


def test_the_estimate_of_greedy() -> None:
    fields = board()
    assert turns_to_goal(fields, Hare(64, 0, 0)) == 0
    assert turns_to_goal(fields, Hare(63, 5, 0, ())) == 1
    assert turns_to_goal(fields, Hare(57, 30, 1, ())) > turns_to_goal(
        fields, Hare(57, 30, 0, (), EatSalad())
    )
    near, far = Hare(40, 60, 0, ()), Hare(30, 60, 0, ())
    assert turns_to_goal(fields, near) < turns_to_goal(fields, far)
    # past the last salad field a salad costs a detour, unless the card eats it
    assert turns_to_goal(fields, Hare(60, 5, 1, ())) > 3 + turns_to_goal(fields, Hare(60, 5, 0, ()))
    assert turns_to_goal(fields, Hare(60, 5, 1, (Card.EAT_SALAD,))) < turns_to_goal(
        fields, Hare(60, 5, 1, ())
    )
