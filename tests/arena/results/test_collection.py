"""Runs with their bots and matches, counted as at the end of each run."""

from __future__ import annotations

from pathlib import Path

from arena.played_runs import store_run
from spielleiter.arena.results.collection import Collection
from spielleiter.arena.results.joining import join
from spielleiter.arena.results.reading import collect
from spielleiter.arena.runs.plan import Form
from spielleiter.arena.statistics.conclusion import RunVerdict
from spielleiter.arena.store.reader import StoreReader, join_runs
from spielleiter.rules import Cause

SPRT = {"elo0": 0.0, "elo1": 200.0, "alpha": 0.05, "beta": 0.05, "scale": "logistic"}


def read(folder: Path) -> Collection:
    with StoreReader(folder) as reader:
        ((place,), _) = join_runs([reader])
        return collect(place)


def test_a_duel_is_judged_by_its_pairs(tmp_path: Path) -> None:
    duel = read(store_run(tmp_path, games=12))
    assert duel.is_duel
    assert duel.is_complete
    assert duel.labels == ("greedy", "random")
    assert duel.summary.pairs.pairs == 6
    assert duel.conclusion.verdict is RunVerdict.FIRST


def test_a_run_that_was_broken_off_is_not_complete(tmp_path: Path) -> None:
    duel = read(store_run(tmp_path, games=12, unplayed=1))
    (run,) = duel.runs
    assert (run.played, run.planned) == (11, 12)
    assert not duel.is_complete
    assert duel.conclusion.verdict is RunVerdict.OPEN


def test_matches_that_are_not_stored_yet_are_missing_too(tmp_path: Path) -> None:
    duel = read(store_run(tmp_path, games=2, plan={"matches": 8}))
    assert not duel.is_complete
    assert duel.runs[0].planned == 8


def test_matches_after_the_decision_of_a_sequential_test_do_not_count(tmp_path: Path) -> None:
    duel = read(store_run(tmp_path, games=30, unplayed=2, plan={"sprt": SPRT}))
    assert duel.conclusion.verdict is RunVerdict.FIRST
    assert duel.is_complete
    assert len(duel.matches) == 28
    played = len(duel.counted)
    assert 0 < played < 28
    assert [match.number for match in duel.counted] == list(range(1, played + 1))
    assert duel.findings.uncounted == 28 - played
    assert (duel.summary.matches, duel.sheet.figures[0].matches) == (played, played)
    assert sum(row.matches for row in duel.standings) == 2 * played


def test_joined_runs_count_what_each_of_them_counts(tmp_path: Path) -> None:
    tested = read(store_run(tmp_path / "a", games=30, plan={"sprt": SPRT}))
    other = read(store_run(tmp_path / "b", games=2, first_seed=100))
    joint = join([tested, other])
    assert joint.is_joint
    assert joint.findings.sprt is None
    assert (joint.findings.stored, joint.findings.planned) == (32, 32)
    assert joint.findings.played == len(tested.counted) + 2
    assert joint.sheet.figures[0].matches == len(tested.counted) + 2


def test_a_bot_that_fails_has_its_cause_and_the_season_its_score(tmp_path: Path) -> None:
    duel = read(store_run(tmp_path, ("greedy", "crasher"), games=2, game="blokus-2027"))
    for match in duel.matches:
        seat = match.bots.index(1)
        assert match.offenders == (seat,)
        assert match.causes[seat] is Cause.LEFT
        assert match.scores[seat] == 0  # ruling A4
        assert match.parts[seat][0] > 0
    assert [row.forfeits for row in duel.standings] == [0, 2]


def test_only_one_run_is_a_knockout(tmp_path: Path) -> None:
    bots = ("greedy", "random", "crasher")
    knockout = {"form": Form.KNOCKOUT.value}
    cup = read(store_run(tmp_path / "a", bots, games=2, unplayed=3, plan=knockout))
    assert cup.is_knockout
    assert None in [row.place for row in cup.standings]
    joint = join([cup, read(store_run(tmp_path / "b", bots))])
    assert not joint.is_knockout
    assert None not in [row.place for row in joint.standings]
