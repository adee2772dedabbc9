"""What this machine can bear, and how late it is. No test here looks at a real clock."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

import pytest

from spielleiter.arena.runs import machine
from spielleiter.arena.runs.machine import DelayMeter, Window, complain, default_parallel
from spielleiter.match import TimeControl

TIMED = TimeControl(2.0, 10.0)


@pytest.mark.parametrize(
    ("way", "limit", "cores", "wanted"),
    [
        ("workers", TIMED, 8, 8),
        ("workers", None, 1, 1),
        ("sockets", TIMED, 8, 4),
        ("sockets", TIMED, 1, 1),
        ("sockets", None, 8, 8),
        ("workers", TIMED, 10_000, machine.MOST_PARALLEL),
    ],
)
def test_as_many_matches_are_played_as_the_cores_can_bear(
    way: str, limit: TimeControl | None, cores: int, wanted: int
) -> None:
    assert default_parallel(way, limit, cores) == wanted


@pytest.mark.parametrize(
    ("quota", "most"), [("150000 100000", 1), ("50000 100000", 1), ("max 100000", None), ("", None)]
)
def test_a_container_may_have_fewer_cores(
    quota: str, most: int | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    without = tmp_path / "nothing"
    monkeypatch.setattr(machine, "_QUOTA", without)
    all_cores = machine.usable_cores()
    assert 1 <= all_cores <= (os.cpu_count() or 1)
    file = tmp_path / "cpu.max"
    file.write_text(quota)
    monkeypatch.setattr(machine, "_QUOTA", file)
    assert machine.usable_cores() == (all_cores if most is None else min(most, all_cores))


class World:
    """A clock and a host that tests move."""

    def __init__(self) -> None:
        self.now = 100.0
        self.stolen: float | None = 0.0

    def meter(self, cores: int = 2) -> DelayMeter:
        return DelayMeter(lambda: self.now, lambda: self.stolen, cores)


def test_a_window_has_the_worst_delay_of_its_time_only() -> None:
    meter = World().meter()
    meter.beat(9.0)
    with meter.window() as outer:
        meter.beat(0.2)
        with meter.window() as inner:
            meter.beat(0.1)
        meter.beat(0.5)
    meter.beat(7.0)
    assert (outer.delay, inner.delay) == (0.5, 0.1)


def test_windows_may_end_in_any_order() -> None:
    meter = World().meter()
    first, second = meter.window(), meter.window()
    first.__enter__()
    other = second.__enter__()
    first.__exit__(None, None, None)
    meter.beat(0.5)
    second.__exit__(None, None, None)
    assert other.delay == 0.5


def test_stolen_time_is_a_share_of_all_cores() -> None:
    world = World()
    meter = world.meter(cores=2)
    with meter.window() as window:
        for stolen in (0.0, 0.5, 0.6):
            world.now += 1.0
            world.stolen = stolen
            meter.beat(0.0)
    assert window.stolen == pytest.approx(0.25)


def test_systems_that_tell_nothing_are_not_blamed() -> None:
    world = World()
    world.stolen = None
    meter = world.meter()
    with meter.window() as window:
        world.now += 5
        meter.beat(0.0)
    assert (window.delay, window.stolen) == (0.0, 0.0)


def test_the_loop_is_measured_until_it_is_told_to_stop() -> None:
    async def main() -> Window:
        ticks = iter(range(100_000))
        meter = DelayMeter(lambda: float(next(ticks)), lambda: None, 1)
        with meter.window() as window:
            task = asyncio.create_task(meter.keep_measuring())
            while not window.delay:
                await asyncio.sleep(0)
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
        return window

    async def limited() -> Window:
        async with asyncio.timeout(60):
            return await main()

    assert asyncio.run(limited()).delay > 0


def test_stolen_seconds_are_read_where_there_are_any(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "stat"
    monkeypatch.setattr(machine, "_STAT", file)
    assert machine.stolen_seconds() is None
    file.write_text("cpu  1 2 3 4 5 6 7 250 9 10\ncpu0 1\n")
    ticks = os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else None
    assert machine.stolen_seconds() == (None if ticks is None else 250 / ticks)
    file.write_text("cpu  1 2\n")
    assert machine.stolen_seconds() is None


@pytest.mark.parametrize(
    ("window", "limit", "words"),
    [
        (Window(0.2, 0.05), TIMED, None),
        (Window(0.4), TIMED, "late by 0.40 s while bots have 2 s for a move"),
        (Window(0.4), TimeControl(10.0, 20.0), None),
        (Window(0.6), TimeControl(10.0, 20.0), "late by 0.60 s"),
        (Window(0.4), None, "late by 0.40 s; play fewer"),
        (Window(0.0, 0.2), TIMED, "took 20% of its processors"),
    ],
)
def test_people_are_told_of_a_machine_that_is_too_slow(
    window: Window, limit: TimeControl | None, words: str | None
) -> None:
    said = complain(window, limit, 4)
    assert said is None if words is None else said is not None and words in said


def test_the_advice_is_one_that_can_be_followed() -> None:
    assert "--parallel 2" in (complain(Window(1.0), TIMED, 4) or "")
    alone = complain(Window(1.0), TIMED, 1) or ""
    assert "--parallel" not in alone
    assert "1 match at the same time" in alone


def test_a_run_says_what_machine_it_was_played_on() -> None:
    assert machine.describe_machine()["cores"] >= 1
