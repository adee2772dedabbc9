"""Matches that are played again, and those that just count."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from arena.fake_players import GAME, FakePlayer, killed_report, report_of
from spielleiter.arena.lookup import find_bot
from spielleiter.arena.pairing.openings import Opening
from spielleiter.arena.runs import attempts
from spielleiter.arena.runs.attempts import (
    MOST_ATTEMPTS,
    MOST_KILLS,
    MOST_TROUBLES,
    killed_seats,
    play_until_it_counts,
)
from spielleiter.arena.runs.jobs import ArenaTrouble, MatchJob
from spielleiter.arena.store.values import MatchReport
from spielleiter.processes.program import describe_exit
from spielleiter.rules import Cause


def make_job() -> MatchJob:
    bot = find_bot("random", GAME)
    return MatchJob(1, GAME, Opening(1), (bot, bot), ("a", "b"), (1, 2))


@pytest.mark.parametrize("exit_code", [0, 1, -11, None])
def test_a_bot_that_ends_in_other_ways_just_loses(exit_code: int | None) -> None:
    assert killed_seats(killed_report(make_job(), exit_code)) == set()
    assert killed_seats(killed_report(make_job())) == {0}


def test_a_shell_tells_that_its_program_was_killed() -> None:
    assert killed_seats(killed_report(make_job(), 137)) == {0}


def test_whoever_crashed_has_lost_though_the_other_was_killed_then() -> None:
    report = killed_report(make_job(), 1)
    endings = [{"exit_code": 1, "was_ended": False}, {"exit_code": -9, "was_ended": False}]
    report = replace(report, result=replace(report.result, detail={"bots": endings}))
    assert report.result.outcome.seats[0].cause is Cause.LEFT
    assert killed_seats(report) == set()


def test_a_worker_that_somebody_killed_is_known_by_its_words() -> None:
    report = report_of(make_job(), 1)

    def ended(how: str) -> MatchReport:
        detail = {"ended": {"1": how}}
        return replace(report, result=replace(report.result, detail=detail))

    assert killed_seats(ended(describe_exit(-9))) == {1}
    assert killed_seats(ended(describe_exit(1))) == set()
    assert killed_seats(report) == set()


class ScriptedPlayer(FakePlayer):
    """Plays as it is told, one word a match: k0 and k1 kill a seat, t is trouble, w is won."""

    def __init__(self, *words: str) -> None:
        super().__init__()
        self.words = list(words)

    async def play(self, job: MatchJob) -> MatchReport:
        word = self.words.pop(0)
        if word == "t":
            raise ArenaTrouble("no memory")
        if word == "w":
            return report_of(job, 1)
        detail = {"ended": {word[1]: describe_exit(-9)}}
        report = report_of(job, int(word[1]))
        return replace(report, result=replace(report.result, detail=detail))


def play(
    monkeypatch: pytest.MonkeyPatch, *words: str
) -> tuple[MatchReport, list[str], ScriptedPlayer]:
    monkeypatch.setattr(attempts, "PAUSE_SECONDS", 0.0)
    player = ScriptedPlayer(*words)
    reasons: list[str] = []
    report = asyncio.run(play_until_it_counts(make_job(), player, reasons.append))
    return report, reasons, player


def test_a_bot_that_is_killed_every_time_loses_in_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    report, reasons, player = play(monkeypatch, *["k0"] * MOST_KILLS, "w")
    assert report.result.outcome.winner == 1
    assert reasons == ["a was killed from outside"] * (MOST_KILLS - 1)
    assert player.words == ["w"]


def test_kills_that_hit_now_one_and_now_the_other_blame_nobody(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    words = ["k0"] * (MOST_KILLS - 1) + ["k1"] * (MOST_KILLS - 1) + ["k0", "w"]
    report, reasons, _ = play(monkeypatch, *words)
    assert report.result.outcome.winner == 0
    assert len(reasons) == len(words) - 1


def test_a_match_that_nobody_can_finish_stops_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ArenaTrouble, match="see who ends programs here"):
        play(monkeypatch, *["k0", "k1"] * MOST_ATTEMPTS)


def test_trouble_counts_in_a_row(monkeypatch: pytest.MonkeyPatch) -> None:
    few = ["t"] * (MOST_TROUBLES - 1)
    report, reasons, _ = play(monkeypatch, *few, "k0", *few, "w")
    assert report.result.outcome.winner == 0
    assert reasons.count("no memory") == 2 * len(few)
    with pytest.raises(ArenaTrouble, match="no memory"):
        play(monkeypatch, *few, "t", "w")
