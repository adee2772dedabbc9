"""Moves are judged against the best one, whatever the recording looks like."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from judging import ToldThinker, first_move, random_match
from spielleiter.engine import BudgetError, EngineError, Estimate, Reviewer, Verdict
from spielleiter.engine.review import final_estimate
from spielleiter.games.blokus import GAMES
from spielleiter.rules import AnyState, PositionError, Text
from spielleiter.rules.engine import Line
from third_game import FOUR

GAME = GAMES[0]
STATES = random_match(GAME, 1)


def told(values: dict[int, tuple[float, float]], default: tuple[float, float] = (0.5, 0.0)) -> Any:
    """Judge positions by their turn, as seat 0 sees them. The best move is the first.

    It keeps what there is: a position that nobody reached is worth what the one before is.
    """

    def judge(state: AnyState) -> Line:
        turn = state.turn if state in STATES else state.turn - 1
        win, points = values.get(turn, default)
        seen = Estimate(win, points).seen_by(state.seat)
        return Line(first_move(state), seen.win, seen.points, 1)

    return ToldThinker(judge)


def review(states: list[Any], thinker: Any, moves: Any = None) -> Any:
    reviewer = Reviewer(states, thinker, 0.1, moves)
    assert list(reviewer.run()) == sorted(reviewer._agenda)
    assert reviewer.done == reviewer.total
    return reviewer.review()


def test_a_match_without_slips() -> None:
    found = review(STATES[:9], told({}))
    assert found.is_complete
    assert found.estimates == (Estimate(0.5, 0.0),) * 9
    assert [move.verdict for move in found.moves] == [Verdict.GOOD] * 8
    assert [move.turn for move in found.moves] == [state.turn for state in STATES[:8]]


def test_a_blunder_of_each_seat() -> None:
    # After turn 2 (seat 0 has moved) it stands 20 worse for seat 0, after turn 5 better again.
    values = dict.fromkeys((3, 4, 5), (0.25, -20.0))
    found = review(STATES[:9], told(values))
    first, second = found.moves[2], found.moves[5]
    assert (first.seat, second.seat) == (0, 1)
    for move in (first, second):
        assert move.verdict is Verdict.BLUNDER
        assert move.lost == pytest.approx(20)
        assert move.lost_win == pytest.approx(0.25)
        assert move.best == first_move(STATES[move.index])
        assert move.move == STATES[move.index + 1].last_move
    assert first.before == Estimate(0.5, 0.0)
    assert first.after == Estimate(0.25, -20.0)
    assert second.before == Estimate(0.75, 20.0)
    others = [move for move in found.moves if move not in (first, second)]
    assert {move.verdict for move in others} == {Verdict.GOOD}


def test_who_plays_the_best_move_loses_nothing() -> None:
    states = [STATES[0]]
    for _ in range(4):
        states.append(states[-1].play(first_move(states[-1])))
    found = review(states, told({1: (0.1, -30.0)}))
    assert [move.lost for move in found.moves] == [0.0] * 4
    assert {move.verdict for move in found.moves} == {Verdict.GOOD}


def test_another_spelling_of_the_best_move_is_the_best_move() -> None:
    state = next(one for one in STATES if other_spellings(one))
    other = other_spellings(state)[0]
    best = other.canonical

    def judge(asked: AnyState) -> Line:
        is_first = asked == state
        return Line(best if is_first else first_move(asked), 0.9, 30.0, 1)

    found = review([state, state.play(other)], ToldThinker(judge))
    assert (found.moves[0].lost, found.moves[0].verdict) == (0.0, Verdict.GOOD)


def other_spellings(state: Any) -> list[Any]:
    from spielleiter.games.blokus import Rotation, SetMove

    found = []
    for move in state.legal_moves()[:40]:
        if isinstance(move, SetMove):
            for rotation in Rotation:
                other = replace(move, rotation=rotation)
                if other != move and other.canonical == move:
                    found.append(other)
    return found


def test_a_slip_is_looked_at_again_from_after_the_best_move() -> None:
    state, after = STATES[8], STATES[9]
    wanted = state.play(first_move(state))
    assert after != wanted
    seat = state.seat

    def judge(points_after_best: float) -> ToldThinker:
        def think(asked: AnyState) -> Line:
            points = {state: 20.0, after: 0.0, wanted: points_after_best}[asked]
            seen = points if asked.seat == seat else -points
            return Line(first_move(asked), 0.5, seen, 1)

        return ToldThinker(think)

    promise_kept, promise_broken = judge(18.0), judge(2.0)
    kept = review([state, after], promise_kept).moves[0]
    assert promise_kept.asked == [state, after, wanted]
    assert (kept.lost, kept.verdict) == (pytest.approx(18), Verdict.BLUNDER)
    broken = review([state, after], promise_broken).moves[0]
    assert (broken.lost, broken.verdict) == (pytest.approx(2), Verdict.GOOD)


def test_a_good_move_is_not_looked_at_again() -> None:
    thinker = told({})
    review(STATES[:9], thinker)
    assert thinker.asked == STATES[:9]


def test_the_end_is_known_without_thinking() -> None:
    thinker = told({})
    found = review(STATES[-3:], thinker)
    assert thinker.asked == STATES[-3:-1]
    assert found.estimates[-1] == final_estimate(STATES[-1])
    first, second = (line.parts[0] for line in STATES[-1].outcome().seats)
    assert found.estimates[-1].points == first - second
    assert found.estimates[-1].win in (0.0, 0.5, 1.0)


def test_only_some_moves() -> None:
    thinker = told({})
    found = review(STATES, thinker, moves=[4, 5, 9, 5000, -3])
    assert [index for index, move in enumerate(found.moves) if move] == [4, 5, 9]
    assert [index for index, one in enumerate(found.estimates) if one] == [4, 5, 6, 9, 10]
    assert not found.is_complete


def test_no_moves_at_all() -> None:
    assert review(STATES, told({}), moves=[]).moves.count(None) == len(STATES) - 1
    alone = review(STATES[:1], told({}))
    assert (alone.moves, alone.estimates) == ((), (Estimate(0.5, 0.0),))


def test_what_is_known_by_then_can_be_had_at_any_time() -> None:
    reviewer = Reviewer(STATES[:9], told({}), 0.1)
    running = reviewer.run()
    for _ in range(4):
        next(running)
    found = reviewer.review()
    assert not found.is_complete
    assert [move is None for move in found.moves] == [False] * 3 + [True] * 5
    assert len(list(reviewer.run())) == 5  # and it can be gone on with
    assert reviewer.review().is_complete


def test_a_move_that_does_not_belong_to_its_position_is_not_judged() -> None:
    cut = [*STATES[:4], *STATES[6:9]]  # somebody did not hear two positions
    nameless = [STATES[0], replace(STATES[1], last_move=None)]
    found = review(cut, told({}))
    assert [move is None for move in found.moves] == [False] * 3 + [True] + [False] * 2
    assert review(nameless, told({})).moves == (None,)


@pytest.mark.parametrize(
    "error", [PositionError("two on a square"), EngineError(Text("nein", "no"))]
)
def test_a_position_that_cannot_be_judged_costs_no_other(error: Exception) -> None:
    def judge(state: AnyState) -> Line:
        if state == STATES[3]:
            raise error
        return Line(first_move(state), 0.5, 0.0, 1)

    found = review(STATES[:6], ToldThinker(judge))
    assert [one is None for one in found.estimates] == [False] * 3 + [True] + [False] * 2
    assert [move is None for move in found.moves] == [False, False, True, True, False]
    (problem,) = found.problems
    assert problem.en.startswith("Turn 3 could not be judged: ")
    assert problem.de.startswith("Zug 3 ließ sich nicht bewerten: ")


def test_a_slip_gets_a_remark_of_the_game(monkeypatch: pytest.MonkeyPatch) -> None:
    said = Text("zu klein", "too small")
    compared = []
    monkeypatch.setattr(
        type(GAME), "compare_moves", lambda self, *asked: compared.append(asked) or said
    )
    found = review(STATES[:6], told(dict.fromkeys((3, 4, 5), (0.25, -20.0))))
    slip = found.moves[2]
    assert [move.remark for move in found.moves] == [None, None, said, None, None]
    assert compared == [(STATES[2], slip.move, slip.best)]


def test_who_had_no_time_to_look_judges_nothing() -> None:
    def judge(state: AnyState) -> Line:
        return Line(first_move(state), 0.5, 0.0, 0 if state == STATES[3] else 1)

    found = review(STATES[:6], ToldThinker(judge))
    assert found.estimates[3] is None
    assert "too busy" in found.problems[0].en


def test_any_game_can_be_reviewed_by_who_knows_it() -> None:
    states = random_match(FOUR, 1)
    found = review(states, told({2: (0.0, -9.0)}))
    assert found.moves[1] is not None
    assert found.is_complete


def test_a_wrong_time_is_refused_before_anything_is_done() -> None:
    thinker = told({})
    with pytest.raises(BudgetError):
        Reviewer(STATES, thinker, 0.0)
    assert thinker.asked == []
