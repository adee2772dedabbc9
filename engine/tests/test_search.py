"""The search answers in time, repeatably, and refuses what it cannot do."""

from __future__ import annotations

import threading
import time

import pytest

engine = pytest.importorskip("spielleiter_engine")

FULL_HAND = (1 << 21) - 1
HOUR = 3600.0


def start(season: int = 2027, piece: int = 10) -> engine.BlokusPosition:
    return engine.BlokusPosition(
        (0, 0, 0, 0),
        (FULL_HAND,) * 4,
        valid=15,
        turn=0,
        start_piece=piece,
        mono_last=0,
        last_move_color=None,
        season=season,
    )


def middle(plies: int = 20) -> engine.BlokusPosition:
    position = start()
    for _ in range(plies):
        moves = position.legal_moves()
        position = position.play(moves[len(moves) * 2 // 3])
    return position


def tell(line: engine.Line) -> tuple[object, ...]:
    return line.move, line.win, line.points, line.visits, line.continuation


def test_lines_are_legal_and_sorted() -> None:
    position = middle()
    lines = engine.BlokusSearch().think(position, HOUR, simulations=300, lines=7)
    assert len(lines) == 7
    legal = position.legal_moves()
    assert all(line.move in legal for line in lines)
    visits = [line.visits for line in lines]
    assert visits == sorted(visits, reverse=True)
    assert all(0 <= line.win <= 1 and -200 < line.points < 200 for line in lines)
    after = position.play(lines[0].move)
    for color, move in lines[0].continuation:
        assert after.turn % 4 == color
        after = after.play(move)


@pytest.mark.parametrize("plies", [0, 4, 18, 40, 56])
def test_the_portable_path_gives_the_same_lines(plies: int) -> None:
    position = middle(plies)
    fast, slow = (
        engine.BlokusSearch(seed=3, scalar=scalar).think(position, HOUR, simulations=200)
        for scalar in (False, True)
    )
    assert [tell(line) for line in fast] == [tell(line) for line in slow]


def test_the_same_seed_gives_the_same_game() -> None:
    def play() -> list[object]:
        search, position, moves = engine.BlokusSearch(seed=5), start(2021, 12), []
        while not position.is_over():
            best = search.think(position, HOUR, simulations=25, lines=1)[0]
            moves.append(best.move)
            position = position.play(best.move)
        return moves

    assert play() == play()


def test_what_is_known_is_kept_from_move_to_move() -> None:
    position, search = middle(), engine.BlokusSearch()
    first = search.think(position, HOUR, simulations=2000)[0]
    after = position.play(first.move)
    fresh = engine.BlokusSearch().think(after, HOUR, simulations=50)
    kept = search.think(after, HOUR, simulations=50)
    assert kept[0].visits > fresh[0].visits


def test_progress_is_told_in_this_thread_and_can_stop() -> None:
    told = []

    def hear(lines: list[engine.Line]) -> bool:
        assert threading.current_thread() is threading.main_thread()
        told.append(lines)
        return len(told) < 3

    lines = engine.BlokusSearch().think(middle(), HOUR, on_progress=hear, every=0.02, lines=2)
    assert len(told) == 3
    assert len(lines) == 2


def test_an_error_while_progress_is_told_comes_out() -> None:
    def hear(lines: list[engine.Line]) -> bool:
        raise LookupError("heard")

    search = engine.BlokusSearch()
    with pytest.raises(LookupError, match="heard"):
        search.think(middle(), HOUR, on_progress=hear, every=0.02)
    assert search.think(middle(), HOUR, simulations=10)


def test_other_threads_of_python_run_while_it_thinks() -> None:
    counted = 0
    done = threading.Event()

    def count() -> None:
        nonlocal counted
        while not done.is_set():
            counted += 1

    counter = threading.Thread(target=count)
    counter.start()
    engine.BlokusSearch().think(middle(), 0.3)
    done.set()
    counter.join()
    assert counted > 1000


@pytest.mark.parametrize("seconds", [0.02, 0.2])
def test_the_time_is_kept(seconds: float) -> None:
    # How much earlier is up to the machine, but a search that counts simulations would take hours.
    search, position = engine.BlokusSearch(threads=2), middle()
    begin = time.monotonic()
    assert search.think(position, seconds, simulations=10**15)
    assert time.monotonic() - begin < 60


@pytest.mark.parametrize("seconds", [0, -1, float("nan"), float("inf"), 86_401])
def test_budgets_that_make_no_sense(seconds: float) -> None:
    with pytest.raises(ValueError, match="seconds must be"):
        engine.BlokusSearch().think(start(), seconds)


@pytest.mark.parametrize(
    "wrong", [{"simulations": 0}, {"lines": 0}, {"lines": 10**6}, {"every": 0}, {"every": -1}]
)
def test_other_wrong_values(wrong: dict[str, float]) -> None:
    with pytest.raises(ValueError, match=f"{next(iter(wrong))} must be"):
        engine.BlokusSearch().think(start(), 1, **wrong)


@pytest.mark.parametrize("wrong", [{"threads": 0}, {"threads": 10**6}, {"memory_mb": 0}])
def test_searches_that_cannot_be(wrong: dict[str, int]) -> None:
    with pytest.raises(ValueError, match=f"{next(iter(wrong))} must be"):
        engine.BlokusSearch(**wrong)


def test_a_game_that_is_over_is_refused() -> None:
    position = start()
    while not position.is_over():
        position = position.play(position.legal_moves()[-1])
    with pytest.raises(ValueError, match="over"):
        engine.BlokusSearch().think(position, 1)


def test_a_colour_that_cannot_move_passes() -> None:
    # Blue covers all but the squares beside its own, so nothing fits any more.
    stripes = sum(1 << (y * 21 + x) for y in (0, 2) for x in range(20))
    position = engine.BlokusPosition(
        (stripes, 0, 0, 0),
        (0b110, FULL_HAND, FULL_HAND, FULL_HAND),
        valid=15,
        turn=4,
        start_piece=10,
        mono_last=0,
        last_move_color=3,
        season=2027,
    )
    moves = position.legal_moves()
    lines = engine.BlokusSearch().think(position, HOUR, simulations=10)
    assert [line.move for line in lines] == ([None] if not moves else [line.move for line in lines])
    assert all(line.move in moves for line in lines if line.move is not None)


def test_endings_are_solved() -> None:
    search, position = engine.BlokusSearch(), start(2021, 12)
    solved: list[float] = []
    while not position.is_over():
        team = position.turn % 2
        simulations = 100 if len(position.legal_moves()) > 40 else 50_000
        best = search.think(position, HOUR, simulations=simulations, lines=1)[0]
        position = position.play(best.move)
        if best.exact:
            solved.append(best.points if team == 0 else -best.points)
    first, second = position.points()
    # The last positions were solved, and what was promised there is what came out.
    assert len(solved) > 5
    assert set(solved[-5:]) == {first - second}
