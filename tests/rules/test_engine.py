"""Errors about engines say what is wrong and what to do, and survive a way through processes."""

from __future__ import annotations

import pickle

import pytest

from spielleiter.rules import Text
from spielleiter.rules.engine import BudgetError, EngineError, EngineMissing, no_engine
from third_game import FOUR


def test_a_game_without_an_engine_says_so() -> None:
    with pytest.raises(EngineError) as caught:
        FOUR.find_engine()
    assert str(caught.value) == str(no_engine(FOUR)) == "No engine knows Vier gewinnt."
    assert "Game.find_engine" in caught.value.hint.de


def test_a_game_need_not_compare_moves() -> None:
    state = FOUR.start(1)
    first, second, *_ = state.legal_moves()
    assert FOUR.compare_moves(state, first, second) is None


def test_errors_can_be_sent_to_another_process() -> None:
    error = EngineMissing(Text("fehlt", "missing"), Text("hol es", "get it"))
    copy = pickle.loads(pickle.dumps(error))
    assert (type(copy), copy.text, copy.hint) == (EngineMissing, error.text, error.hint)


def test_a_wrong_budget_is_a_wrong_value_too() -> None:
    assert issubclass(BudgetError, ValueError)
