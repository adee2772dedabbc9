"""Results as they are collected from databases, joined and chosen."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.played_runs import HARES, play, store_run
from spielleiter.arena.results.collection import TROUBLE, Choice, Collection, collect, join
from spielleiter.arena.statistics.conclusion import RunVerdict
from spielleiter.arena.store.errors import StoreError
from spielleiter.arena.store.reader import StoreReader, join_runs
from spielleiter.arena.store.values import NewRun, PlannedMatch, StoredBot
from spielleiter.arena.store.writer import StoreWriter
from spielleiter.rules import LOSS, WIN, Cause


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
    assert (run.played, run.matches, run.planned) == (11, 12, 12)
    assert not duel.is_complete
    assert duel.conclusion.verdict is RunVerdict.OPEN


def test_matches_that_are_not_stored_yet_are_missing_too(tmp_path: Path) -> None:
    duel = read(store_run(tmp_path, games=2, plan={"total": 8}))
    assert not duel.is_complete
    assert duel.runs[0].planned == 8


def test_a_sequential_test_completes_a_run_before_its_last_match(tmp_path: Path) -> None:
    sprt = {"elo0": 0.0, "elo1": 200.0, "alpha": 0.05, "beta": 0.05, "scale": "logistic"}
    duel = read(store_run(tmp_path, games=30, unplayed=2, plan={"sprt": sprt}))
    assert duel.sprt is not None
    assert duel.conclusion.verdict is RunVerdict.FIRST
    assert duel.is_complete


@pytest.mark.parametrize("value", [None, "0,5", [1], {"elo0": 3}, {"elo0": "a", "elo1": "b"}])
def test_a_plan_without_a_test_that_can_be_read_has_none(tmp_path: Path, value: object) -> None:
    assert read(store_run(tmp_path, games=2, plan={"sprt": value})).sprt is None


def test_a_bot_that_fails_has_its_cause_and_the_season_its_score(tmp_path: Path) -> None:
    duel = read(store_run(tmp_path, ("greedy", "crasher"), games=2, game="blokus-2027"))
    for game in duel.games:
        seat = game.bots.index(1)
        assert game.offenders == (seat,)
        assert game.causes[seat] is Cause.LEFT
        assert game.scores[seat] == 0  # ruling A4
        assert game.parts[seat][0] > 0
    assert [row.forfeits for row in duel.standings] == [0, 2]


def test_byes_of_a_swiss_tournament_count_as_wins(tmp_path: Path) -> None:
    bots = [StoredBot(number, name, "house bot") for number, name in enumerate("abc")]
    pairings = [(0, 1), (1, 2)]  # each round one of three bots has no opponent
    planned = [
        PlannedMatch(number, *pair, 5, {"seed": 5, "moves": []}, round=number)
        for number, pair in enumerate(pairings, 1)
    ]
    plan = {"form": "swiss", "matches": 1}
    with StoreWriter(tmp_path) as writer:
        run = NewRun("tournament", HARES, 7, plan)
        ids = writer.add_run(run, bots, planned).result().match_ids
        writer.add_result(ids[0], play(HARES, "greedy", "random", 5, 0)).result()
    swiss = read(tmp_path)
    assert swiss.runs[0].byes == {2: 1, 0: 1}
    rows = {row.bot: row for row in swiss.standings}
    assert [rows[bot].victory_points for bot in range(3)] == [4, 0, 2]
    assert [rows[bot].byes for bot in range(3)] == [1, 0, 1]


def test_equal_bots_of_several_runs_are_one(tmp_path: Path) -> None:
    first = read(store_run(tmp_path / "a", ("greedy", "random")))
    second = read(store_run(tmp_path / "b", ("random", "crasher"), first_seed=100))
    joint = join([first, second])
    assert joint.labels == ("greedy", "random", "crasher")
    assert len(joint.games) == 8
    assert [game.run for game in joint.games] == [0] * 4 + [1] * 4
    assert {game.bots for game in joint.games[4:]} == {(1, 2), (2, 1)}
    assert joint.runs[1].bots == (1, 2)
    assert sum(row.matches for row in joint.standings) == 16


def test_versions_of_a_bot_are_told_apart(tmp_path: Path) -> None:
    old = ("1111111aaaa", "")
    new = ("2222222bbbb", "")
    first = read(store_run(tmp_path / "a", hashes=old))
    second = read(store_run(tmp_path / "b", hashes=new, first_seed=100))
    assert join([first, second]).labels == ("greedy (1111111)", "random", "greedy (2222222)")


def test_two_runs_with_the_same_numbers_of_pairs_do_not_mix_them(tmp_path: Path) -> None:
    first = read(store_run(tmp_path / "a"))
    second = read(store_run(tmp_path / "b", first_seed=100))
    summary = join([first, second]).summary
    assert (summary.matches, summary.pairs.pairs) == (8, 4)


def test_matches_that_all_claim_to_be_of_one_pair_are_no_pairs(tmp_path: Path) -> None:
    """The store's own sample has pair 1 everywhere and the same bot in the first seat."""
    from arena.store.samples import played, store

    store(tmp_path, played(1), played(2), played(3))
    summary = read(tmp_path).summary
    assert (summary.matches, summary.pairs.pairs, summary.unpaired) == (3, 0, 3)


def test_a_game_that_is_not_known_is_told(tmp_path: Path) -> None:
    from arena.store.samples import SMALL, store

    store(tmp_path, SMALL, game="chess-1999")
    with pytest.raises(StoreError, match="chess-1999"):
        read(tmp_path)


def test_matches_are_chosen(tmp_path: Path) -> None:
    three = read(store_run(tmp_path, ("greedy", "random", "crasher"), games=2, game=HARES))

    def numbers(choice: Choice) -> list[int]:
        return [game.number for game in three.games if game in choice]

    assert numbers(Choice()) == [1, 2, 3, 4, 5, 6]
    assert numbers(Choice(bot=2)) == [3, 4, 5, 6]
    assert numbers(Choice(bot=2, opponent=0)) == [3, 4]
    assert numbers(Choice(bot=2, seat=0)) == [4, 6]
    assert numbers(Choice(bot=2, points=LOSS)) == [3, 4, 5, 6]
    assert numbers(Choice(bot=2, points=WIN)) == []
    assert numbers(Choice(causes=TROUBLE["crash"])) == [3, 4, 5, 6]
    assert numbers(Choice(bot=0, causes=TROUBLE["crash"])) == []
    assert numbers(Choice(causes=TROUBLE["time"])) == []
    assert numbers(Choice(numbers=frozenset({2, 5}))) == [2, 5]
