"""What the plots show: curves, means and times."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.played_runs import store_run
from spielleiter.arena.results.collection import Collection
from spielleiter.arena.results.joining import join
from spielleiter.arena.results.reading import collect
from spielleiter.arena.results.report import figures
from spielleiter.arena.store.reader import StoreReader, join_runs


def read(folder: Path) -> Collection:
    with StoreReader(folder) as reader:
        ((place,), _) = join_runs([reader])
        return collect(place)


def test_the_curve_ends_with_the_score(tmp_path: Path) -> None:
    three = read(store_run(tmp_path, ("greedy", "random", "crasher"), games=4))
    rows = {row.bot: row for row in three.standings}
    for bot, row in rows.items():
        curve = figures.score_curve(three, bot)
        assert [point.matches for point in curve] == list(range(1, 9))
        assert curve[-1].score == row.victory_points / 2 / row.matches


def test_the_curve_of_a_duel_has_the_errors_of_its_summary(tmp_path: Path) -> None:
    duel = read(store_run(tmp_path, games=8))
    last = figures.duel_curve(duel)[-1]
    summary = duel.summary
    assert (last.matches, last.score) == (8, summary.score)
    error = summary.pairs.score_error()
    assert error is not None
    assert last.low == pytest.approx(max(last.score - error, 0))
    assert last.high == pytest.approx(min(last.score + error, 1))
    assert figures.duel_curve(duel)[0].low is None


def test_a_long_curve_is_thinned_out_but_keeps_its_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(figures, "MOST_POINTS", 4)
    duel = read(store_run(tmp_path, games=10))
    assert [point.matches for point in figures.duel_curve(duel)] == [1, 4, 7, 10]


def test_means_by_start_and_seat(tmp_path: Path) -> None:
    duel = read(store_run(tmp_path, games=8, game="blokus-2027"))
    starts = figures.means_by_start(duel)
    assert all(name.startswith("PENTO_") for name in starts)
    assert sum(bots[0].matches for bots in starts.values()) == 8
    first, second = figures.means_by_seat(duel)[0]
    assert (first.matches, second.matches) == (4, 4)
    mean = sum(game.scores[game.bots.index(0)] for game in duel.matches) / 8
    assert (first.score + second.score) / 2 == pytest.approx(mean)


def test_starts_without_a_name_are_left_out(tmp_path: Path) -> None:
    assert figures.means_by_start(read(store_run(tmp_path, games=2))) == {}


def test_too_many_starts_are_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(figures, "MOST_STARTS", 1)
    duel = read(store_run(tmp_path, games=8, game="blokus-2027"))
    assert figures.means_by_start(duel) == {}


def test_times_are_those_of_the_bot_in_all_runs(tmp_path: Path) -> None:
    one = store_run(tmp_path / "one", ("greedy", "random"), games=2)
    two = store_run(tmp_path / "two", ("random", "greedy"), games=2, first_seed=50)
    with StoreReader(one) as first, StoreReader(two) as second:
        places, _ = join_runs([first, second])
        joint = join([collect(place) for place in places])
        times = figures.move_times(places, joint)
        expected = [0, 0]
        for place, run in zip(places, joint.runs, strict=True):
            for match in place.reader.matches(place.stored.id):
                bots = run.bots[match.plan.first_bot], run.bots[match.plan.second_bot]
                for move in place.reader.moves(match):
                    expected[bots[move.seat]] += 1
    assert [sum(times[bot]) for bot in range(2)] == expected
    longest = figures.longest_times(joint)
    for bot in range(2):
        median = figures.quantile_time(times[bot], 0.5)
        assert 0 < median <= figures.quantile_time(times[bot], 0.99) <= 2 * longest[bot]
    assert figures.quantile_time([0, 0], 0.5) == 0
