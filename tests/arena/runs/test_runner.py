"""Runs that end, that are stopped, and that go on, with matches that take no time."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Coroutine, Sequence
from concurrent.futures import Future
from pathlib import Path
from typing import Any, TypeVar

import pytest

import children
from arena.fake_players import GAME, FakePlayer, by_dice, killed_report, plan_of
from spielleiter.arena.lookup import find_bot
from spielleiter.arena.runs import attempts, runner
from spielleiter.arena.runs.attempts import MOST_KILLS, MOST_TROUBLES
from spielleiter.arena.runs.events import (
    MatchFinished,
    MatchRetried,
    RunEvent,
    RunFinished,
    RunStarted,
    RunStopped,
    SlowMachine,
    StopReason,
)
from spielleiter.arena.runs.jobs import ArenaTrouble, MatchJob
from spielleiter.arena.runs.machine import DelayMeter
from spielleiter.arena.runs.plan import Form, RunPlan
from spielleiter.arena.runs.runner import Runner
from spielleiter.arena.runs.saved_run import RunError, read_run
from spielleiter.arena.statistics.sprt import Sprt
from spielleiter.arena.store.check import check_store
from spielleiter.arena.store.errors import StoreError, StoreFault
from spielleiter.arena.store.reader import StoreReader
from spielleiter.arena.store.values import MatchReport
from spielleiter.arena.store.writer import StoreWriter

T = TypeVar("T")


def do(main: Coroutine[Any, Any, T]) -> T:
    async def limited() -> T:
        async with asyncio.timeout(children.PATIENCE):
            return await main

    return asyncio.run(limited())


class Run:
    """A runner in a folder with everything it told."""

    def __init__(
        self, folder: Path, plan: RunPlan | None, *players: FakePlayer, **options: Any
    ) -> None:
        self.events: list[RunEvent] = []
        self.then: Callable[[RunEvent], None] = lambda event: None
        options = {"parallel": 2, "listen": self._hear} | options
        ways = players or (FakePlayer(),)
        if plan is None:
            saved = read_run(folder)
            bots = [find_bot(bot.text, GAME) for bot in saved.plan.bots]
            self.runner = Runner.resume(saved, folder, bots, ways, **options)
        else:
            bots = [find_bot(bot.text, GAME) for bot in plan.bots]
            self.runner = Runner(folder, plan, bots, ways, **options)

    def _hear(self, event: RunEvent) -> None:
        self.events.append(event)
        self.then(event)

    def __call__(self) -> RunFinished | RunStopped:
        async def main() -> RunFinished | RunStopped:
            return await self.runner.run()

        return do(main())

    def of(self, kind: type[T]) -> list[T]:
        return [event for event in self.events if isinstance(event, kind)]


def table_of(folder: Path) -> object:
    tally = read_run(folder).tally()
    return tally.table(), tally.cross_table(), tally.bots


def stop_after(run: Run, matches: int) -> Run:
    def then(event: RunEvent) -> None:
        if isinstance(event, MatchFinished) and len(run.of(MatchFinished)) == matches:
            run.runner.stop()

    run.then = then
    return run


PLANS = {
    "match": plan_of(matches=40),
    "odd match": plan_of(matches=7),
    "round robin": plan_of(4, matches=2),
    "double": plan_of(3, matches=2, form=Form.DOUBLE_ROUND_ROBIN),
    "gauntlet": plan_of(4, matches=2, form=Form.GAUNTLET),
    "swiss": plan_of(5, matches=2, form=Form.SWISS),
    "knockout": plan_of(6, matches=2, form=Form.KNOCKOUT),
}


# Runs to the end


@pytest.mark.parametrize("plan", PLANS.values(), ids=PLANS)
def test_a_run_plays_every_match_once(plan: RunPlan, tmp_path: Path) -> None:
    player = FakePlayer()
    run = Run(tmp_path, plan, player, parallel=3)
    last = run()
    assert isinstance(last, RunFinished)
    assert run.events[-1] is last
    assert isinstance(run.events[0], RunStarted)
    assert sorted(player.played) == list(range(1, plan.total + 1))
    assert sorted(event.number for event in run.of(MatchFinished)) == sorted(player.played)
    assert last.tally.played == last.tally.total == plan.total
    assert player.most_under_way == 3
    assert player.is_closed
    assert check_store(tmp_path) == []
    with StoreReader(tmp_path) as reader:
        assert reader.runs()[0].run.planned_matches == plan.total
        assert [event.kind for event in reader.events(1)] == ["started", "finished"]


def test_pairs_share_an_opening_and_swap_seats(tmp_path: Path) -> None:
    Run(tmp_path, plan_of(matches=6, opening_moves=2))()
    matches = [read_run(tmp_path).matches[number].plan for number in range(1, 7)]
    for one, other in zip(matches[::2], matches[1::2], strict=True):
        assert one.opening == other.opening
        assert len(one.opening["moves"]) == 2
        assert (one.first_bot, one.second_bot) == (other.second_bot, other.first_bot)
        assert one.pair == other.pair
    assert len({match.seed for match in matches}) == 3


def test_a_result_is_on_the_disk_before_it_is_told(tmp_path: Path) -> None:
    run = Run(tmp_path, plan_of(matches=10))

    def then(event: RunEvent) -> None:
        if isinstance(event, MatchFinished):
            with StoreReader(tmp_path) as reader:
                assert reader.match(1, event.number).result is not None

    run.then = then
    run()
    assert len(run.of(MatchFinished)) == 10


def test_matches_go_on_while_others_wait_for_the_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    waiting: list[tuple[int, MatchReport, Future[bool]]] = []
    store = StoreWriter.add_result

    def add_result(self: StoreWriter, match_id: int, report: MatchReport) -> Future[bool]:
        """Store nothing until all matches have been played."""
        waiting.append((match_id, report, Future()))
        if len(waiting) == 20:
            for one_id, one, future in waiting:
                future.set_result(store(self, one_id, one).result(children.PATIENCE))
        return waiting[-1][2]

    monkeypatch.setattr(StoreWriter, "add_result", add_result)
    player = FakePlayer()
    assert isinstance(Run(tmp_path, plan_of(matches=20), player, parallel=2)(), RunFinished)
    assert player.most_under_way == 2
    assert check_store(tmp_path) == []


# Stopped and resumed


@pytest.mark.parametrize("plan", PLANS.values(), ids=PLANS)
@pytest.mark.parametrize("step", [1, 3])
def test_a_run_that_is_stopped_again_and_again_ends_as_one_that_was_not(
    plan: RunPlan, step: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Otherwise all matches, which take no time, are on their way to the disk when it is stopped.
    monkeypatch.setattr(runner, "MOST_STORING", 0)
    whole, parts = tmp_path / "whole", tmp_path / "parts"
    Run(whole, plan)()
    last = stop_after(Run(parts, plan), step)()
    rounds = 0
    while isinstance(last, RunStopped):
        assert last.reason is StopReason.INTERRUPTED
        assert f"spielleiter resume {parts}" in last.advice
        run = stop_after(Run(parts, None), step)
        last = run()
        assert run.of(RunStarted)[0].is_resumed
        rounds += 1
    assert 1 <= rounds <= plan.total
    assert table_of(parts) == table_of(whole)
    assert check_store(parts) == []


def test_another_version_is_told_of(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stop_after(Run(tmp_path, plan_of(matches=6)), 1)()
    monkeypatch.setattr("spielleiter.arena.runs.runner.__version__", "99.0")
    run = Run(tmp_path, None)
    run()
    (remark,) = run.of(RunStarted)[0].remarks
    assert remark.endswith("and goes on with 99.0")


def test_a_run_that_is_over_is_not_played_again(tmp_path: Path) -> None:
    Run(tmp_path, plan_of(matches=4))()
    player = FakePlayer()
    last = Run(tmp_path, None, player)()
    assert isinstance(last, RunFinished)
    assert last.tally.played == 4
    assert player.played == []


def test_ctrl_c_stops_a_run_in_order(tmp_path: Path) -> None:
    async def main() -> None:
        gate = asyncio.Event()
        player = FakePlayer(gate=gate)
        run = Run(tmp_path, plan_of(matches=4), player)
        task = asyncio.create_task(run.runner.run())
        while player.under_way < 2:
            await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        last = run.events[-1]
        assert isinstance(last, RunStopped)
        assert last.reason is StopReason.INTERRUPTED
        assert player.under_way == 0
        assert player.is_closed

    do(main())
    with StoreReader(tmp_path) as reader:
        assert [event.kind for event in reader.events(1)] == ["started", "stopped"]
    assert isinstance(Run(tmp_path, None)(), RunFinished)
    assert check_store(tmp_path) == []


def test_what_a_listener_raises_ends_the_run_and_leaves_it_resumable(tmp_path: Path) -> None:
    run = Run(tmp_path, plan_of(matches=6))

    def then(event: RunEvent) -> None:
        if isinstance(event, MatchFinished):
            raise BrokenPipeError

    run.then = then
    with pytest.raises(BrokenPipeError):
        run()
    assert isinstance(Run(tmp_path, None)(), RunFinished)


def test_a_folder_with_a_run_takes_no_second_one(tmp_path: Path) -> None:
    Run(tmp_path, plan_of(matches=2))()
    with pytest.raises(RunError, match="there is a run in") as caught:
        Run(tmp_path, plan_of(matches=2))()
    assert "spielleiter resume" in caught.value.advice


def test_a_file_is_not_taken_for_a_folder(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(RunError, match="is not a folder"):
        Run(tmp_path / "notes.txt", plan_of(matches=2))()
    with pytest.raises(StoreError):
        Run(tmp_path / "notes.txt" / "run", plan_of(matches=2))()
    assert (tmp_path / "notes.txt").read_text() == "mine"


def test_a_run_may_begin_where_another_was_killed_before_it_began(tmp_path: Path) -> None:
    (tmp_path / "run.db").touch()
    assert isinstance(Run(tmp_path, plan_of(matches=2))(), RunFinished)


def test_a_run_is_played_by_one_process_at_a_time(tmp_path: Path) -> None:
    stop_after(Run(tmp_path, plan_of(matches=6)), 1)()
    with StoreWriter(tmp_path), pytest.raises(StoreError) as caught:
        Run(tmp_path, None)()
    assert caught.value.fault is StoreFault.IN_USE


# The sequential test


def first_bot_wins(job: MatchJob) -> int:
    return 1 if job.names[0] == "bot 0" else 0


def test_a_decided_test_ends_the_run(tmp_path: Path) -> None:
    plan = plan_of(matches=400, sprt=Sprt(0, 50))
    player = FakePlayer(first_bot_wins)
    last = Run(tmp_path, plan, player)()
    assert isinstance(last, RunFinished)
    tally = last.tally
    assert tally.sprt is not None
    assert tally.sprt.llr >= tally.sprt.upper
    assert tally.played < 400
    assert tally.played % 2 == 0
    assert tally.conclude().verdict.value == "first"
    assert check_store(tmp_path) == []
    again = FakePlayer(first_bot_wins)
    assert isinstance(Run(tmp_path, None, again)(), RunFinished)
    assert again.played == []


def test_the_test_decides_the_same_however_many_are_played_at_a_time(tmp_path: Path) -> None:
    plan = plan_of(matches=400, sprt=Sprt(0, 50))
    tallies = []
    for parallel in (1, 7):
        folder = tmp_path / str(parallel)
        Run(folder, plan, FakePlayer(first_bot_wins), parallel=parallel)()
        tallies.append(read_run(folder).tally())
    assert tallies[0].summary == tallies[1].summary
    assert tallies[0].sprt == tallies[1].sprt
    assert tallies[0].table() == tallies[1].table()


# Trouble


@pytest.fixture(autouse=True)
def hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(attempts, "PAUSE_SECONDS", 0.0)


def troubled(times: int, number: int = 3) -> Callable[[MatchJob], int]:
    left = [times]

    def loser(job: MatchJob) -> int:
        if job.number == number and left[0]:
            left[0] -= 1
            raise ArenaTrouble("no worker can be started")
        return by_dice(job)

    return loser


def test_a_match_that_could_not_be_played_is_tried_again(tmp_path: Path) -> None:
    run = Run(tmp_path, plan_of(matches=6), FakePlayer(troubled(MOST_TROUBLES - 1)))
    assert isinstance(run(), RunFinished)
    assert [event.number for event in run.of(MatchRetried)] == [3] * (MOST_TROUBLES - 1)


def test_a_match_that_cannot_be_played_stops_the_run_with_the_reason(tmp_path: Path) -> None:
    player = FakePlayer(troubled(MOST_TROUBLES))
    last = Run(tmp_path, plan_of(matches=6), player)()
    assert isinstance(last, RunStopped)
    assert last.reason is StopReason.TROUBLE
    assert last.text == "no worker can be started"
    assert player.is_closed
    assert isinstance(Run(tmp_path, None)(), RunFinished)
    assert read_run(tmp_path).tally().played == 6


@pytest.mark.skipif(sys.platform == "win32", reason="what is open cannot be moved there")
def test_a_store_that_is_gone_stops_the_run(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    run = Run(folder, plan_of(matches=50))

    def then(event: RunEvent) -> None:
        if isinstance(event, MatchFinished) and len(run.of(MatchFinished)) == 5:
            folder.rename(tmp_path / "elsewhere")

    run.then = then
    last = run()
    assert isinstance(last, RunStopped)
    assert last.reason is StopReason.STORE
    assert "moved or deleted" in last.text
    assert last.advice.count("spielleiter resume") == 1


class KillingPlayer(FakePlayer):
    """Reports so many times that the bot was killed."""

    kills = 1

    async def play(self, job: MatchJob) -> MatchReport:
        if job.number == 2 and self.kills:
            self.kills -= 1
            return killed_report(job)
        return await super().play(job)


def test_a_match_in_which_somebody_killed_a_bot_is_played_again(tmp_path: Path) -> None:
    run = Run(tmp_path / "killed", plan_of(matches=4), KillingPlayer())
    run()
    Run(tmp_path / "whole", plan_of(matches=4))()
    assert [event.number for event in run.of(MatchRetried)] == [2]
    assert table_of(tmp_path / "killed") == table_of(tmp_path / "whole")


def test_a_bot_that_always_ends_like_that_loses(tmp_path: Path) -> None:
    player = KillingPlayer()
    player.kills = 100
    run = Run(tmp_path, plan_of(matches=4), player)
    assert isinstance(run(), RunFinished)
    assert len(run.of(MatchRetried)) == MOST_KILLS - 1
    assert read_run(tmp_path).matches[2].result is not None


# Ways


def test_the_first_way_that_can_play_is_taken_and_the_reason_is_told(tmp_path: Path) -> None:
    workers = FakePlayer(refuses="two files are called helper.py")
    sockets = FakePlayer(way="sockets")
    run = Run(tmp_path, plan_of(matches=4), workers, sockets)
    run()
    assert run.of(RunStarted)[0].remarks == ("two files are called helper.py",)
    assert workers.played == []
    assert sorted(sockets.played) == [1, 2, 3, 4]
    assert run.of(MatchFinished)[0].result.way == "sockets"


def test_bots_that_nobody_can_play_are_refused_before_anything_is_stored(tmp_path: Path) -> None:
    with pytest.raises(RunError, match="bot 0 and bot 1 cannot play against each other: no reason"):
        Run(tmp_path, plan_of(), FakePlayer(refuses="no reason"))()
    assert list(tmp_path.iterdir()) == []


# The machine


class LatePlayer(FakePlayer):
    """Plays on a machine that is late by so much in each match."""

    meter: DelayMeter
    delays: Sequence[float] = ()

    async def play(self, job: MatchJob) -> MatchReport:
        self.meter.beat(self.delays[job.number - 1])
        return await super().play(job)


def test_a_slow_machine_is_told_of_and_stored(tmp_path: Path) -> None:
    player = LatePlayer()
    player.meter = DelayMeter(stolen=lambda: None)
    player.delays = (0.01, 0.9, 0.95, 5.0)
    run = Run(tmp_path, plan_of(matches=4), player, parallel=1, meter=player.meter)
    run()
    said = [event.text for event in run.of(SlowMachine)]
    assert len(said) == 2  # it is not told again for a little more
    assert "late by 0.90 s while bots have 2 s for a move" in said[0]
    delays = [match.result.delay for match in read_run(tmp_path).matches.values() if match.result]
    assert delays == pytest.approx([0.01, 0.9, 0.95, 5.0], abs=0.5)
