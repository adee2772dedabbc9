"""What is said about a move of Hase und Igel and a better one is true."""

from __future__ import annotations

import re
from collections import Counter
from itertools import combinations

from games.hase_und_igel.positions import place
from judging import random_match
from spielleiter.games.hase_und_igel import HASE_UND_IGEL, Hare
from spielleiter.games.hase_und_igel.comparison import compare_moves

GAME = HASE_UND_IGEL


def facts(state, move, kind: str) -> int:
    """Return what a sentence of this kind speaks of, after a move."""
    hare = state.play(move).hares[state.seat]
    if kind == "field":
        return hare.position
    return {"salads": hare.salads, "carrots": hare.carrots, "cards": len(hare.cards)}[kind]


def test_the_numbers_are_right_and_every_kind_is_said() -> None:
    kinds: Counter[str] = Counter()
    for seed in range(12):
        for state in random_match(GAME, seed)[:-1:2]:
            for worse, better in combinations(state.legal_moves()[:12], 2):
                said = compare_moves(state, worse, better)
                if said is None:
                    kinds["nothing"] += 1
                    continue
                kind = next(
                    word for word in ("salads", "field", "carrots", "cards") if word in said.en
                )
                kinds[kind] += 1
                numbers = {int(number) for number in re.findall(r"\d+", said.en)}
                assert numbers == {int(number) for number in re.findall(r"\d+", said.de)}
                assert numbers == {facts(state, worse, kind), facts(state, better, kind)}
    assert set(kinds) == {"nothing", "salads", "field", "carrots", "cards"}


def test_the_goal_comes_first() -> None:
    state = place(Hare(62, 13, 0), Hare(20, 60, 5))
    short, goal = (GAME.parse_move(text) for text in ("A1", "A2"))
    said = compare_moves(state, short, goal)
    assert said is not None
    assert said.en == "the better move leads to the goal"
    assert compare_moves(state, goal, short) != said


def test_the_game_says_it() -> None:
    state = GAME.start(1)
    first, *_, last = state.legal_moves()
    assert GAME.compare_moves(state, first, last) == compare_moves(state, first, last)
    assert GAME.compare_moves(state, first, first) is None
