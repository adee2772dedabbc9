"""Runs that are joined, and the names of their bots."""

from __future__ import annotations

from pathlib import Path

from arena.played_runs import store_run
from spielleiter.arena.results.collection import Collection
from spielleiter.arena.results.joining import join
from spielleiter.arena.results.reading import collect
from spielleiter.arena.store.reader import StoreReader, join_runs


def read(folder: Path) -> Collection:
    with StoreReader(folder) as reader:
        ((place,), _) = join_runs([reader])
        return collect(place)


def test_equal_bots_of_several_runs_are_one(tmp_path: Path) -> None:
    first = read(store_run(tmp_path / "a", ("greedy", "random")))
    second = read(store_run(tmp_path / "b", ("random", "crasher"), first_seed=100))
    joint = join([first, second])
    assert joint.labels == ("greedy", "random", "crasher")
    assert len(joint.matches) == 8
    assert [match.run for match in joint.matches] == [0] * 4 + [1] * 4
    assert {match.bots for match in joint.matches[4:]} == {(1, 2), (2, 1)}
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
