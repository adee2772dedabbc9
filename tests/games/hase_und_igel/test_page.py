"""The page's own prices and reasons agree with the rules."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from page_modules import ask_page, needs_node
from spielleiter.games import get_game
from spielleiter.games.hase_und_igel.rules.board import Field
from spielleiter.games.hase_und_igel.rules.moves import Advance, FallBack, HareMove
from spielleiter.games.hase_und_igel.rules.state import HareState
from spielleiter.rules import RuleViolation

SEASONS = ("hase-und-igel-2018", "hase-und-igel-2018-documented")

_WALKING = """\
import { follow, movesTo, mustEat, reason } from "./walking.js";
const answer = (asked) => asked.map(({ view, moves }) => ({
  eats: mustEat(view),
  after: moves.map((move) => follow(view, move).at(-1)),
  fields: view.board.map((_, to) => ({ moves: movesTo(view, moves, to), ...reason(view, to) })),
}));
"""


def positions(game: str, seed: int) -> Iterator[HareState]:
    """Yield the positions of a random match, in which hares walk far now and then."""
    dice = random.Random(seed)
    state: HareState = get_game(game).start(seed)
    while not state.is_over:
        yield state
        moves = state.legal_moves()
        state = state.play(dice.choice(moves if dice.random() < 0.5 else moves[:6]))


def judge(state: HareState, to: int) -> str | None:
    """Return the rule that keeps the hare on turn from a field, or None."""
    distance = to - state.me.position
    move = HareMove((Advance(distance),)) if distance > 0 else HareMove((FallBack(),))
    try:
        state.play(move)
    except RuleViolation as broken:
        return broken.rule
    return None


def check_field(state: HareState, to: int, said: dict[str, object]) -> None:
    """Hold what the page says about one field against the judge."""
    here, rule = state.me.position, judge(state, to)
    if to == here:
        assert said["rule"] == "HERE"
    elif to > here and state.board[to] is Field.HEDGEHOG and not state.must_eat:
        # The page names the hedgehog first, the judge may name the price.
        assert said["rule"] == "HEDGEHOG_FIELD"
        assert rule in {"HEDGEHOG_FIELD", "TOO_FEW_CARROTS", "FIELD_OCCUPIED"}
    elif to > here:
        assert said["rule"] == rule
    elif to == 0 and not state.must_eat:
        assert said["rule"] == "START_FIELD"
    else:
        behind = [index for index in range(here) if state.board[index] is Field.HEDGEHOG]
        nearest = behind and to == behind[-1]
        assert said["rule"] == rule if nearest or rule == "MUST_EAT_SALAD" else True


@needs_node
@pytest.mark.parametrize("game", SEASONS)
def test_the_page_gives_the_referees_reasons_and_prices(game: str, tmp_path: Path) -> None:
    states = [state for seed in range(12) for state in positions(game, seed)]
    asked = [
        {
            "view": state.game.view(state),
            "moves": [str(move) for move in state.legal_moves()],
        }
        for state in states
    ]
    page = ask_page("hase_und_igel", tmp_path, _WALKING, asked)
    rules = set()
    for state, question, said in zip(states, asked, page, strict=True):
        assert said["eats"] == state.must_eat
        reachable = set()
        for move, after in zip(state.legal_moves(), said["after"], strict=True):
            moved = state.play(move).hares[state.seat]
            assert after == {
                "field": moved.position,
                "carrots": moved.carrots,
                "salads": moved.salads,
                "cards": [card.value for card in moved.cards],
            }, (str(move), state.game.format_position(state))
        for to, field in enumerate(said["fields"]):
            if field["moves"]:
                reachable |= set(field["moves"])
                assert judge(state, to) in {None, "CARD_REQUIRED"}
            else:
                check_field(state, to, field)
                rules.add(field["rule"])
        walks = {move for move in question["moves"] if move[0] in "AF"}
        assert reachable == walks
    assert rules >= {
        "HERE",
        "MUST_EAT_SALAD",
        "START_FIELD",
        "HEDGEHOG_FIELD",
        "TOO_FEW_CARROTS",
        "FIELD_OCCUPIED",
        "NO_PLAYABLE_CARD",
        "SALADS_LEFT",
        "NOT_NEAREST_HEDGEHOG",
    }, sorted(rules)
