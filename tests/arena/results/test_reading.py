"""Results as they are collected from databases."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from arena.fake_players import GAME, plan_of
from arena.played_runs import play, store_run
from spielleiter.arena.results.collection import Collection
from spielleiter.arena.results.reading import collect
from spielleiter.arena.runs.plan import Form
from spielleiter.arena.runs.saved_run import read_run, to_store
from spielleiter.arena.store.errors import StoreError
from spielleiter.arena.store.reader import StoreReader, join_runs
from spielleiter.arena.store.values import PlannedMatch
from spielleiter.arena.store.writer import StoreWriter


def read(folder: Path) -> Collection:
    with StoreReader(folder) as reader:
        ((place,), _) = join_runs([reader])
        return collect(place)


@pytest.mark.parametrize("game", ["blokus-2027", "hase-und-igel-2018"])
@pytest.mark.parametrize(
    "run",
    [
        {"games": 12},
        {"games": 3, "unplayed": 1},
        {"games": 30, "plan": {"sprt": {"elo0": 0, "elo1": 200, "alpha": 0.05, "beta": 0.05}}},
        {"games": 8, "same_opening": True},
        {"bots": ("greedy", "crasher"), "games": 4},
        {"bots": ("greedy", "random", "crasher"), "games": 2},
    ],
    ids=["whole", "broken off", "sequential test", "repeats", "crashes", "tournament"],
)
def test_a_run_is_counted_as_at_its_end(tmp_path: Path, game: str, run: Mapping[str, Any]) -> None:
    if sprt := run.get("plan", {}).get("sprt"):
        run = {**run, "plan": {"sprt": {**sprt, "scale": "logistic"}}}
    folder = store_run(tmp_path, game=game, **run)
    collection, tally = read(folder), read_run(folder).tally()
    assert collection.findings == tally.findings
    assert list(collection.sheet.results()) == list(tally.results())
    assert collection.sheet.figures == tuple(tally.bots)
    assert collection.sheet.ratings == tally.ratings()
    assert collection.sheet.cross_table == tally.cross_table()
    assert collection.sheet.repeated == (6 if run.get("same_opening") else 0)
    assert collection.is_complete == tally.is_over
    if collection.is_duel:
        assert collection.sheet.summary == tally.summary
        assert collection.conclusion == tally.conclude()


def test_byes_of_a_swiss_tournament_count_as_wins(tmp_path: Path) -> None:
    plan = plan_of(3, matches=1, form=Form.SWISS, rounds=1)
    (encounter,) = plan.schedule().upcoming({})
    pair = encounter.first, encounter.second
    match = PlannedMatch(1, *pair, 5, {"seed": 5, "moves": []})
    with StoreWriter(tmp_path) as writer:
        created = writer.add_run(*to_store(plan), [match]).result()
        writer.add_result(created.match_ids[0], play(GAME.id, "greedy", "random", 5, 0)).result()
    rows = {row.bot: row for row in read(tmp_path).standings}
    (free,) = {0, 1, 2} - set(pair)
    assert (rows[free].victory_points, rows[free].byes, rows[free].matches) == (2, 1, 0)


def test_matches_that_all_claim_to_be_of_one_pair_are_no_pairs(tmp_path: Path) -> None:
    plan = plan_of(matches=3)
    matches = [
        PlannedMatch(number, 0, 1, number, {"seed": number, "moves": []}, pair=1)
        for number in (1, 2, 3)
    ]
    with StoreWriter(tmp_path) as writer:
        created = writer.add_run(*to_store(plan), matches).result()
        for number, match_id in enumerate(created.match_ids):
            writer.add_result(match_id, play(GAME.id, "greedy", "random", number, 0)).result()
    summary = read(tmp_path).summary
    assert (summary.matches, summary.pairs.pairs, summary.unpaired) == (3, 0, 3)


@pytest.mark.parametrize(
    ("plan", "said"),
    [
        ({"game": "chess-1999"}, "chess-1999"),
        ({"sprt": "0,5"}, "'sprt' of the plan is not an object"),
        ({"format": 99}, "the plan is of format 99"),
    ],
)
def test_a_plan_of_another_version_is_refused(
    tmp_path: Path, plan: Mapping[str, Any], said: str
) -> None:
    game = plan.get("game", GAME.id)
    folder = store_run(tmp_path, games=2, plan=plan, stored_game=game)
    with pytest.raises(StoreError, match=said) as refused:
        read(folder)
    assert refused.value.advice == "read it with the version of spielleiter that wrote it"


def test_bots_that_are_not_those_of_the_plan_are_refused(tmp_path: Path) -> None:
    run, bots = to_store(plan_of())
    with StoreWriter(tmp_path) as writer:
        writer.add_run(run, bots[:1]).result()
    with pytest.raises(StoreError, match="are not those of its plan"):
        read(tmp_path)
