"""Fair time, with a hand-moved clock."""

from __future__ import annotations

import asyncio

import pytest

from spielleiter.server.clock import HEARTBEAT, FairClock

PATIENCE = 20.0
"""Seconds after which a test that waits gives up; nothing here should take a tenth of it."""


class Watch:
    def __init__(self) -> None:
        self.time = 100.0
        self.worked = 0.0
        self.clock = FairClock(now=lambda: self.time, worked=lambda: self.worked)

    def work(self, seconds: float) -> None:
        self.time += seconds
        self.worked += seconds

    def stop(self, seconds: float) -> None:
        self.time += seconds

    def look(self, seconds: float) -> None:
        self.clock.look_begins()
        self.time += seconds
        self.clock.look_ends(waited=seconds > 0)


def test_what_wakes_the_loop_came_now() -> None:
    watch = Watch()
    watch.look(0.02)
    asked = watch.clock.now()
    watch.look(0.03)
    assert watch.clock.arrival() - asked == pytest.approx(0.03)


def test_what_was_there_already_came_before_the_servers_work() -> None:
    watch = Watch()
    watch.look(0.02)
    asked = watch.clock.now()
    watch.work(0.2)  # other games
    watch.look(0.0)
    assert watch.clock.arrival() <= asked


def test_only_the_last_stretch_of_work_is_given() -> None:
    watch = Watch()
    watch.look(0.01)
    asked = watch.clock.now()
    for _ in range(10):
        watch.work(0.1)
        watch.look(0.01)
    watch.work(0.1)
    watch.look(0.0)
    assert watch.clock.arrival() - asked == pytest.approx(1.1)


def test_a_stop_while_waiting_counts_for_nobody() -> None:
    watch = Watch()
    watch.look(0.01)
    asked = watch.clock.now()
    watch.look(HEARTBEAT)
    watch.look(3.0)
    assert watch.clock.arrival() - asked <= 2 * HEARTBEAT
    assert watch.clock.now() - asked <= 3 * HEARTBEAT
    watch.look(0.04)
    assert watch.clock.arrival() - asked <= 4 * HEARTBEAT


def test_a_stop_counts_for_nobody_before_the_loop_looks_again() -> None:
    """Whoever asks the time in the same stretch of work must not make it count."""
    watch = Watch()
    watch.look(0.01)
    asked = watch.clock.now()
    watch.work(0.01)
    watch.stop(3.0)
    assert watch.clock.now() - asked <= HEARTBEAT
    watch.work(0.01)
    watch.look(0.02)
    assert watch.clock.now() - asked <= 2 * HEARTBEAT
    watch.look(0.04)
    assert watch.clock.now() - asked > 0.07, "the clock goes on"


def test_a_stop_between_beats_counts_for_nobody_either() -> None:
    watch = Watch()
    for _ in range(3):
        watch.time += HEARTBEAT
        watch.clock.beat()
    asked = watch.clock.now()
    watch.stop(3.0)
    assert watch.clock.now() - asked <= HEARTBEAT
    watch.clock.beat()
    watch.time += 0.2
    assert watch.clock.now() - asked == pytest.approx(0.2 + HEARTBEAT)


def test_a_stop_while_working_counts_for_nobody() -> None:
    watch = Watch()
    watch.look(0.01)
    asked = watch.clock.now()
    watch.work(0.01)
    watch.stop(3.0)
    watch.look(0.0)
    assert watch.clock.arrival() <= asked
    assert watch.clock.now() - asked < HEARTBEAT


def test_work_is_no_stop_however_long() -> None:
    watch = Watch()
    watch.look(0.01)
    asked = watch.clock.now()
    watch.work(3.0)
    watch.look(0.0)
    assert watch.clock.arrival() <= asked, "what came during the work is not charged for it"
    watch.look(0.01)
    assert watch.clock.now() - asked >= 3.0, "but who thinks on has used the time"


def test_it_never_runs_backwards() -> None:
    watch = Watch()
    watch.look(0.01)
    watch.stop(3.0)
    told = watch.clock.now()
    watch.look(0.01)
    assert watch.clock.now() >= told


def test_without_a_selector_the_heartbeat_finds_stops() -> None:
    watch = Watch()
    asked = watch.clock.now()
    for _ in range(4):
        watch.work(HEARTBEAT)
        watch.clock.beat()
    watch.work(3.0)
    watch.clock.beat()
    assert watch.clock.arrival() - asked <= 6 * HEARTBEAT


def test_the_heart_beats_until_it_is_cancelled() -> None:
    class Counting(FairClock):
        beats = 0

        def beat(self) -> None:
            super().beat()
            self.beats += 1
            if self.beats == 2:
                beaten.set()

    async def main() -> None:
        clock = Counting()
        task = asyncio.create_task(clock.keep_beating())
        async with asyncio.timeout(PATIENCE):
            await beaten.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    beaten = asyncio.Event()
    asyncio.run(main())
