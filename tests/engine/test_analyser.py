"""The analyser checks what it is given, tells while it thinks, and says what is missing."""

from __future__ import annotations

import math
import threading
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

import wheels
from judging import random_match
from spielleiter.engine import (
    Analyser,
    BudgetError,
    EngineError,
    EngineMissing,
    Line,
    NoEngine,
    NothingToJudge,
    can_analyse,
)
from spielleiter.games.blokus import GAMES
from spielleiter.rules import PositionError
from third_game import FOUR

GAME = GAMES[0]
STATES = random_match(GAME, 1)


class SlowEngine:
    """Tells ``steps`` times before it is done, and waits each time until it may go on."""

    slips = (1.0, 2.0, 3.0)

    def __init__(self, steps: int = 3) -> None:
        self.steps = steps
        self.heard: list[bool] = []
        self.go = threading.Semaphore(0)

    def think(self, state: Any, seconds: float, *, hear: Any, **_: Any) -> Sequence[Line]:
        move = state.legal_moves()[0]
        for number in range(self.steps):
            self.go.acquire()
            self.heard.append(hear([Line(move, 0.5, 0.0, number)]))
            if not self.heard[-1]:
                break
        return [Line(move, 0.5, 0.0, 99)]


def with_engine(monkeypatch: pytest.MonkeyPatch, engine: Any) -> Analyser:
    monkeypatch.setattr(type(GAME), "find_engine", lambda self: lambda **_: engine)
    return Analyser()


def test_lines_are_legal_best_first_and_as_many_as_wished() -> None:
    with wheels.fake_wheel():
        lines = Analyser().analyse(STATES[20], 0.1, lines=3)
    assert len(lines) == 3
    assert [line.points for line in lines] == sorted((line.points for line in lines), reverse=True)
    assert all(STATES[20].is_legal(line.move) for line in lines)


def test_one_engine_is_kept_for_each_game(monkeypatch: pytest.MonkeyPatch) -> None:
    made = []
    with wheels.fake_wheel():
        make = GAME.find_engine()
        monkeypatch.setattr(
            type(GAME), "find_engine", lambda self: lambda **of: made.append(of) or make(**of)
        )
        analyser = Analyser(seed=7, threads=2)
        for state in STATES[:4]:
            analyser.analyse(state, 0.1)
        analyser.analyse(GAMES[1].start(1), 0.1)
    assert made == [{"seed": 7, "threads": 2}] * 2


@pytest.mark.parametrize("seconds", [0, -1, 0.0, math.nan, math.inf, -math.inf, 86400])
def test_a_time_that_cannot_be_is_refused(seconds: float) -> None:
    with wheels.fake_wheel():
        for ask in (Analyser().analyse, Analyser().watch):
            with pytest.raises(BudgetError, match="more than 0 and at most 3600 seconds"):
                ask(STATES[0], seconds)


def test_other_numbers_that_cannot_be_are_refused() -> None:
    with wheels.fake_wheel():
        for options in ({"lines": 0}, {"simulations": 0}, {"every": math.nan}):
            with pytest.raises(BudgetError):
                Analyser().analyse(STATES[0], 1, **options)  # type: ignore[arg-type]
    for threads in (0, 1000):
        with pytest.raises(BudgetError, match="threads"):
            Analyser(threads=threads)


def test_a_finished_game_is_refused() -> None:
    with wheels.fake_wheel(), pytest.raises(NothingToJudge, match="is over"):
        Analyser().analyse(STATES[-1], 1)


def test_a_position_that_cannot_be_is_refused() -> None:
    blue, yellow, *rest = STATES[20].boards
    with wheels.fake_wheel(), pytest.raises(PositionError):
        Analyser().analyse(replace(STATES[20], boards=(blue | yellow, yellow, *rest)), 1)


def test_something_else_than_a_position_is_refused() -> None:
    with pytest.raises(TypeError, match="a state of a game is needed, and this is str"):
        Analyser().analyse("blokus", 1)  # type: ignore[arg-type]


def test_a_game_without_an_engine_is_refused() -> None:
    assert not can_analyse(FOUR)
    with pytest.raises(NoEngine, match="No engine knows Vier gewinnt"):
        Analyser().analyse(FOUR.start(1), 1)


def test_a_missing_package_and_one_of_another_version_are_told() -> None:
    with wheels.no_wheel():
        assert not can_analyse(GAME)
        with pytest.raises(EngineMissing, match="not installed"):
            Analyser().analyse(STATES[0], 1)
    with wheels.fake_wheel(API_VERSION=99), pytest.raises(EngineMissing, match="interface 99"):
        Analyser().analyse(STATES[0], 1)
    with wheels.fake_wheel():
        assert can_analyse(GAME)


def test_moves_that_are_not_legal_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    class Wrong:
        def think(self, state: Any, *_: Any, **__: Any) -> Sequence[Line]:
            right, wrong = state.legal_moves()[0], STATES[30].legal_moves()[0]
            return [Line(wrong, 1.0, 9.0, 2), *([Line(right, 0.0, -9.0, 1)] * self.keeps)]

        keeps = 1

    engine = Wrong()
    analyser = with_engine(monkeypatch, engine)
    assert [line.points for line in analyser.analyse(STATES[1], 1)] == [-9.0]
    engine.keeps = 0
    with pytest.raises(EngineError, match="found no move"):
        analyser.analyse(STATES[1], 1)


# While it thinks


def test_it_tells_while_it_thinks_and_can_be_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    engine = SlowEngine()
    analyser = with_engine(monkeypatch, engine)
    engine.go.release(3)
    heard: list[int] = []

    def hear(lines: Sequence[Line]) -> bool:
        heard.append(lines[0].visits)
        return len(heard) < 2

    assert analyser.analyse(STATES[0], 1, hear=hear)[0].visits == 99
    assert heard == [0, 1]


def test_what_is_known_can_be_watched(monkeypatch: pytest.MonkeyPatch) -> None:
    engine = SlowEngine()
    watching = with_engine(monkeypatch, engine).watch(STATES[0], 1)
    seen = []
    for _ in range(2):
        engine.go.release()
        seen.append(next(watching)[0].visits)
    assert seen == [0, 1]
    engine.go.release()
    *_, last = watching  # what came just before the end may have been left out
    assert last[0].visits == 99


def test_whoever_is_slow_sees_the_newest(monkeypatch: pytest.MonkeyPatch) -> None:
    engine = SlowEngine(steps=5)
    engine.go.release(5)
    watching = with_engine(monkeypatch, engine).watch(STATES[0], 1)
    *_, last = watching
    assert last[0].visits == 99


def test_whoever_stops_watching_stops_the_thinking(monkeypatch: pytest.MonkeyPatch) -> None:
    engine = SlowEngine(steps=1000)
    watching = with_engine(monkeypatch, engine).watch(STATES[0], 1)
    engine.go.release()
    next(watching)
    engine.go.release(999)
    watching.close()  # type: ignore[attr-defined]
    assert not engine.heard[-1]
    assert not [thread for thread in threading.enumerate() if thread.name == "analyser"]


def test_what_fails_while_watched_is_raised(monkeypatch: pytest.MonkeyPatch) -> None:
    class Failing:
        def think(self, *_: Any, **__: Any) -> Sequence[Line]:
            raise PositionError("no")

    watching = with_engine(monkeypatch, Failing()).watch(STATES[0], 1)
    with pytest.raises(PositionError):
        next(watching)


@pytest.mark.wheel
def test_the_engine_tells_while_it_thinks() -> None:
    *early, last = Analyser().watch(STATES[20], 0.5, every=0.05)
    assert early
    assert early[0][0].visits <= last[0].visits
