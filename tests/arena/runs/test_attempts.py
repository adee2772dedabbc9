"""Matches that are played again, and those that just count."""

from __future__ import annotations

from dataclasses import replace

import pytest

from arena.fake_players import GAME, killed_report, report_of
from spielleiter.arena.lookup import find_bot
from spielleiter.arena.pairing.openings import Opening
from spielleiter.arena.runs.attempts import was_killed
from spielleiter.arena.runs.jobs import MatchJob
from spielleiter.arena.store.values import MatchReport
from spielleiter.processes.program import describe_exit


@pytest.mark.parametrize("exit_code", [0, 1, -11, None])
def test_a_bot_that_ends_in_other_ways_just_loses(exit_code: int | None) -> None:
    bot = find_bot("random", GAME)
    job = MatchJob(1, GAME, Opening(1), (bot, bot), ("a", "b"), (1, 2))
    assert not was_killed(killed_report(job, exit_code))
    assert was_killed(killed_report(job))


def test_a_worker_that_somebody_killed_is_known_by_its_words() -> None:
    bot = find_bot("random", GAME)
    job = MatchJob(1, GAME, Opening(1), (bot, bot), ("a", "b"), (1, 2))
    report = report_of(job, 1)

    def ended(how: str) -> MatchReport:
        detail = {"ended": {"1": how}}
        return replace(report, result=replace(report.result, detail=detail))

    assert was_killed(ended(describe_exit(-9)))
    assert not was_killed(ended(describe_exit(1)))
    assert not was_killed(report)
