"""Bots of the house in a worker take a short way, which ends every match as the usual one does."""

from __future__ import annotations

import random
import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from spielleiter.arena.workers import table as worker_table
from spielleiter.arena.workers.journal import Journal, WorkerPhase
from spielleiter.arena.workers.order import Order, Setting
from spielleiter.arena.workers.place import Premises
from spielleiter.arena.workers.report import Story
from spielleiter.arena.workers.seat import WorkerSeat
from spielleiter.arena.workers.table import WorkerTable
from spielleiter.games.hase_und_igel import FallBack, HareMove
from spielleiter.games.hase_und_igel import game as hares
from spielleiter.rules import Cause, Clock

Play = Callable[..., Story]


class First:
    """Plays the first move. Tests derive bots from it that are not well."""

    def __init__(self, seed: int) -> None:
        self.dice = random.Random(seed)

    def choose(self, state: Any, clock: Clock) -> Any:
        if state.turn < 4:
            return self.dice.choice(state.legal_moves())
        return self.go_wrong(state, clock)

    def go_wrong(self, state: Any, clock: Clock) -> Any:
        return state.legal_moves()[0]


class Raises(First):
    def go_wrong(self, state: Any, clock: Clock) -> Any:
        raise ZeroDivisionError("on purpose")


class Mends(Raises):
    def fallback(self, state: Any) -> Any:
        return state.legal_moves()[-1]


class Leaves(First):
    def go_wrong(self, state: Any, clock: Clock) -> Any:
        raise SystemExit


class Cheats(First):
    def go_wrong(self, state: Any, clock: Clock) -> Any:
        return HareMove((FallBack(), FallBack()))


class Returns(First):
    def go_wrong(self, state: Any, clock: Clock) -> Any:
        return None


class ReturnsAll(First):
    def go_wrong(self, state: Any, clock: Clock) -> Any:
        return list(state.legal_moves())


class IsLate(First):
    def go_wrong(self, state: Any, clock: Clock) -> Any:
        while clock.remaining:
            pass
        return state.legal_moves()[0]


class IsVeryLate(IsLate):
    pass


class CannotBeMade(First):
    def __init__(self, seed: int) -> None:
        raise ZeroDivisionError("on purpose")


class Prepares(First):
    def on_start(self, state: Any) -> None:
        self.known = [state.legal_moves()[0]]

    def go_wrong(self, state: Any, clock: Clock) -> Any:
        return (self.known + list(state.legal_moves()))[1]


class Watches(First):
    def on_state(self, state: Any) -> None:
        self.turn = state.turn

    def on_result(self, outcome: Any) -> None:
        raise ZeroDivisionError(f"the last turn was {self.turn}")


ODD = (
    Raises,
    Mends,
    Leaves,
    Cheats,
    Returns,
    ReturnsAll,
    IsLate,
    IsVeryLate,
    CannotBeMade,
    Prepares,
    Watches,
)


@pytest.fixture
def play(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Play]:
    journals: list[Journal] = []

    def play(*bots: type[First], limits: str = "[60.0,120.0]", seed: int = 1) -> Story:
        journal = Journal.create(tmp_path / f"journal-{len(journals)}")
        journals.append(journal)
        worker: Any = SimpleNamespace(journal=journal, premises=Premises(), raw=None)
        monkeypatch.setattr(hares, "_HOUSE_PLAYERS", {bot.__name__: bot for bot in bots})
        one, two = (f'{{"kind":"house","name":"{bot.__name__}"}}' for bot in bots)
        setting = Setting(f'["hase-und-igel-2018",[{one},{two}],["Anna","Ben"],{limits}]')
        table = WorkerTable(worker, Order(setting, seed, [], [2, 3], [], ["", ""]))
        play.table = table  # type: ignore[attr-defined]
        table.play()
        assert journal.look().phase is WorkerPhase.OURS
        return Story(journal.lines())

    yield play
    for journal in journals:
        journal.close()


def told(story: Story) -> tuple[object, ...]:
    """Return everything but times."""
    moves = [(move.ply, move.turn, move.seat, move.text, move.hints) for move in story.moves]
    notes = [(note.seat, note.turn, {**note.content, "seconds": 0}) for note in story.notes]
    outputs = [
        (line.seat, line.stream, line.turn, re.sub(r"took [0-9.]+ s", "took some time", line.text))
        for line in story.outputs
    ]
    assert story.end is not None
    return moves, notes, outputs, story.outcome, story.end[3:]


@pytest.mark.parametrize("odd", ODD)
@pytest.mark.parametrize("seat", [0, 1])
def test_what_is_not_well_ends_as_in_the_usual_way(
    odd: type[First], seat: int, play: Play, monkeypatch: pytest.MonkeyPatch
) -> None:
    bots = (odd, First) if seat == 0 else (First, odd)
    limits = {IsLate: "[0.3,60.0]", IsVeryLate: "[0.3,0.3]"}.get(odd, "[60.0,120.0]")
    short = told(play(*bots, limits=limits))
    monkeypatch.setattr(
        WorkerTable, "_seat", lambda table, number: WorkerSeat(table, number, missing=False)
    )
    assert short == told(play(*bots, limits=limits))


def test_bots_that_fail_have_lost(play: Play) -> None:
    causes = {
        Raises: Cause.LEFT,
        Mends: Cause.REGULAR,
        Cheats: Cause.RULE_VIOLATION,
        IsLate: Cause.SOFT_TIMEOUT,
        IsVeryLate: Cause.HARD_TIMEOUT,
    }
    for odd, cause in causes.items():
        limits = "[0.3,60.0]" if odd is IsLate else "[0.3,0.3]"
        story = play(odd, First, limits=limits if issubclass(odd, IsLate) else "[60.0,120.0]")
        assert story.outcome is not None
        assert [line.cause for line in story.outcome.seats] == [cause, Cause.REGULAR], odd


def test_the_errors_of_a_bot_are_shown_from_its_own_line_on(play: Play) -> None:
    lines = [line.text for line in play(Raises, First).outputs]
    shown = [line for line in lines if "File" in line]
    assert len(shown) == 2  # choose and go_wrong, and nobody who called them
    assert all("test_house.py" in line for line in shown)


@pytest.mark.parametrize("other", [First, Prepares])
def test_the_journal_names_whoever_is_at_work(other: type[First], play: Play) -> None:
    seen: list[tuple[int, WorkerPhase, int]] = []

    class Looks(First):
        def choose(self, state: Any, clock: Clock) -> Any:
            moment = play.table.worker.journal.look()  # type: ignore[attr-defined]
            assert abs(time.perf_counter() - moment.since) < 60
            seen.append((state.seat, moment.phase, moment.seat))
            return super().choose(state, clock)

    story = play(Looks, other)
    assert len(seen) == sum(move.seat == 0 for move in story.moves) > 4
    assert set(seen) == {(0, WorkerPhase.ASKED, 0)}


def test_no_bot_is_to_blame_for_what_we_do_wrong(
    play: Play, monkeypatch: pytest.MonkeyPatch
) -> None:
    def break_off(state: Any, seats: Any, *_: object, **__: object) -> None:
        seats[0].ask(state)
        raise ZeroDivisionError("on purpose")

    monkeypatch.setattr(worker_table, "play_match", break_off)
    with pytest.raises(ZeroDivisionError):
        play(First, First)
    journal = play.table.worker.journal  # type: ignore[attr-defined]
    assert len(journal.lines()) == 1
    assert journal.look().phase is WorkerPhase.OURS


def test_a_slow_move_is_looked_at_for_delays(play: Play, monkeypatch: pytest.MonkeyPatch) -> None:
    waited = iter((0.0, 0.125, 9.0))
    monkeypatch.setattr(worker_table, "waited_for_processor", lambda: next(waited))

    class Slow(First):
        def go_wrong(self, state: Any, clock: Clock) -> Any:
            while state.turn in (4, 6) and clock.elapsed < 0.25:
                pass
            return super().go_wrong(state, clock)

    story = play(Slow, First)
    assert story.end is not None
    assert story.end[2] is not None
    assert 0.25 <= story.end[2] < 9.0  # of what it waited no more than the move took
