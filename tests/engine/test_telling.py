"""Reviews are written as JSON values that say what they are about."""

from __future__ import annotations

import json

from judging import ToldThinker, first_move, random_match
from spielleiter.engine import Estimate, Reviewer, explain_review
from spielleiter.engine.telling import tell_estimate, tell_move, tell_review
from spielleiter.games.blokus import GAMES
from spielleiter.rules.engine import Line

GAME = GAMES[0]
STATES = random_match(GAME, 1)[:6]


def judge(state) -> Line:
    follows = tuple(state.legal_moves()[:1])
    return Line(first_move(state), 1 / 3, 10 / 3, 5, follows)


def test_a_review() -> None:
    reviewer = Reviewer(STATES, ToldThinker(judge), 0.5, moves=range(4))
    for _ in reviewer.run():
        pass
    review = reviewer.review()
    sentences = explain_review(review, ("A", "B"), None)
    told = json.loads(json.dumps(tell_review(review, sentences)))
    assert told["seconds"] == 0.5
    assert told["slips"] == [3.0, 7.0, 14.0]
    assert told["complete"] is False
    assert len(told["positions"]) == len(told["moves"]) + 1 == len(STATES)
    assert told["positions"][0] == {"win": 0.333, "points": 3.3}
    assert told["positions"][1] == {"win": 0.667, "points": -3.3}
    assert told["positions"][-1] is None
    assert told["moves"][-1] is None
    assert [text["en"] for text in told["sentences"]] == [text.en for text in sentences]
    assert told["problems"] == []


def test_a_move_is_told_in_notation_and_as_its_player_sees_it() -> None:
    reviewer = Reviewer(STATES, ToldThinker(judge), 0.5)
    for _ in reviewer.run():
        pass
    told = tell_move(GAME, reviewer.review().moves[1])
    assert told is not None
    assert (told["turn"], told["seat"]) == (1, 1)
    assert GAME.parse_move(told["move"]) == STATES[2].last_move
    assert GAME.parse_move(told["best"]) == first_move(STATES[1])
    assert [GAME.parse_move(one) for one in told["continuation"]] == [first_move(STATES[1])]
    assert told["before"] == {"win": 0.333, "points": 3.3}
    assert told["verdict"] in ("good", "inaccuracy", "mistake", "blunder")
    assert set(told) == {
        "turn", "seat", "move", "verdict", "lost", "lost_win", "before", "after", "best",
        "continuation", "remark",
    }  # fmt: skip


def test_nothing_is_null() -> None:
    assert tell_estimate(None) is None
    assert tell_move(GAME, None) is None
    assert tell_estimate(Estimate(0.12345, 1.25)) == {"win": 0.123, "points": 1.2}
