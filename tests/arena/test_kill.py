"""Runs that are killed at any moment, several times, and still end as if nothing had happened."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import children
from arena.fake_players import plan_of
from spielleiter.arena.runs.plan import Form, RunPlan
from spielleiter.arena.runs.saved_run import read_run
from spielleiter.arena.runs.tally import Tally
from spielleiter.arena.store.check import check_store

CHILD = Path(__file__).with_name("run_child.py")
ROOT = Path(__file__).parents[2]
PATIENCE = 600.0
"""Seconds for programs that start programs, on a machine that has much else to do."""


def play(folder: Path, plan: RunPlan, way: str, kill_after: int | None) -> tuple[list[int], bool]:
    """Play in another process and return what it told, and whether it came to the end.

    It is killed when it has told of so many matches, with whatever it is doing then.
    """
    argv = [sys.executable, str(CHILD), str(folder), way, "3", json.dumps(plan.to_json())]
    environment = os.environ | {"PYTHONPATH": str(CHILD.parents[1])}
    told: list[int] = []
    with children.running(argv, stdout=subprocess.PIPE, text=True, env=environment) as child:
        assert child.stdout is not None
        while len(told) != kill_after:
            line = child.stdout.readline()
            if line.strip() == "RunFinished":
                return told, True
            assert line, "the run ended by itself"
            told.append(int(line))
        child.kill()
        # What is left in the pipe was told before the kill, and counts as told.
        rest = child.stdout.read().split("\n")[:-1]
    told += [int(line) for line in rest if line.isdecimal()]
    return told, "RunFinished" in rest


def play_with_kills(folder: Path, plan: RunPlan, way: str, kills: list[int]) -> Tally:
    told: list[int] = []
    for kill_after in kills:
        new, is_over = play(folder, plan, way, kill_after)
        told += new
        if is_over:
            break
        tally = read_run(folder).tally()
        assert all(number in tally for number in told)
        assert check_store(folder) == []
    told += play(folder, plan, way, None)[0]
    assert len(told) == len(set(told))
    assert check_store(folder) == []
    tally = read_run(folder).tally()
    assert tally.stored == tally.played == plan.total
    return tally


def assert_equal(one: Tally, other: Tally) -> None:
    assert one.table() == other.table()
    assert one.cross_table() == other.cross_table()
    assert one.ratings() == other.ratings()
    assert list(one.results()) == list(other.results())


@pytest.mark.parametrize(
    "plan",
    [
        plan_of(matches=120, opening_moves=2),
        plan_of(6, matches=4, form=Form.SWISS),
    ],
    ids=["match", "swiss"],
)
def test_a_run_that_is_killed_again_and_again_ends_like_one_that_is_not(
    plan: RunPlan, tmp_path: Path
) -> None:
    dice = random.Random(plan.total)
    kills = [dice.randint(1, plan.total // 4) for _ in range(3)]
    disturbed = play_with_kills(tmp_path / "killed", plan, "fake", kills)
    undisturbed = play_with_kills(tmp_path / "whole", plan, "fake", [])
    assert_equal(disturbed, undisturbed)


def test_programs_over_sockets_survive_the_death_of_the_run(tmp_path: Path) -> None:
    plan = plan_of(matches=6, opening_moves=2)
    disturbed = play_with_kills(tmp_path / "killed", plan, "sockets", [1, 2])
    undisturbed = play_with_kills(tmp_path / "whole", plan, "sockets", [])
    assert_equal(disturbed, undisturbed)
    digests = [
        [run.matches[number].result.digest for number in range(1, 7)]  # type: ignore[union-attr]
        for run in (read_run(tmp_path / "killed"), read_run(tmp_path / "whole"))
    ]
    assert digests[0] == digests[1]


# The same in small that ``python -m benchmarks.kill`` does in large


@pytest.fixture
def kill(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(ROOT))
    import benchmarks.kill

    return benchmarks.kill


def play_out(tournament: Any) -> None:
    children.wait_until(lambda: not tournament.goes_on(), PATIENCE)


@pytest.mark.skipif(sys.platform != "linux", reason="victims are found in /proc")
@pytest.mark.parametrize(
    ("games", "sockets", "victims"),
    [
        (60, False, ["worker", "runner", "keeper", "worker"]),
        (10, True, ["bot", "runner", "keeper", "bot"]),
    ],
    ids=["workers", "sockets"],
)
def test_nothing_is_lost_whoever_is_killed(
    kill: ModuleType, games: int, sockets: bool, victims: list[str], tmp_path: Path
) -> None:
    dice = random.Random(games)
    with kill.begun(tmp_path / "killed", games, sockets=sockets) as disturbed:
        for victim in victims:
            before = disturbed.count()

            def is_time(victim: str = victim, before: int = before) -> bool:
                """A match has been stored since the last kill, and there is somebody to kill."""
                if not disturbed.goes_on():
                    return True
                return disturbed.count() > before and disturbed.kill(victim, dice)

            children.wait_until(is_time, PATIENCE)
        play_out(disturbed)
    assert disturbed.kills
    # Both ways to play give the same matches, so the quick one can be the measure.
    with kill.begun(tmp_path / "whole", games, sockets=False) as undisturbed:
        play_out(undisturbed)
    assert kill.find_faults(disturbed, undisturbed) == []
