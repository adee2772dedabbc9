"""What results tell about strength: published figures, awkward cases, simulated intervals."""

from __future__ import annotations

import math
import random
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spielleiter.arena.statistics.strength import (
    Estimate,
    PairedResult,
    Pentanomial,
    complete_pairs,
    count_pairs,
    elo_of_score,
    mean_difference,
    score_of_elo,
    student_cdf,
    student_quantile,
    summarise,
    without_repeats,
)

PUBLISHED = Pentanomial((13, 37, 50, 25, 3))
"""https://montytest.muzhen.org/tests/stats/69d3c8dc7c5b3724e29d2712"""
COUNTS = st.tuples(*[st.integers(0, 300)] * 5)


def pair(
    number: int, first: int, second: int, differences: tuple[float, float] = (0, 0)
) -> list[PairedResult]:
    return [
        PairedResult(number, 0, first, differences[0]),
        PairedResult(number, 1, second, differences[1]),
    ]


def test_a_published_test_is_reproduced() -> None:
    elo = PUBLISHED.elo()
    normalised = PUBLISHED.normalised_elo()
    assert elo is not None
    assert normalised is not None
    assert PUBLISHED.pairs == 128
    assert PUBLISHED.score == 0.4375
    assert PUBLISHED.variance == pytest.approx(0.05762, abs=5e-6)
    assert elo.value == pytest.approx(-43.6578, abs=5e-5)
    assert normalised.value == pytest.approx(-63.97, abs=5e-3)


def test_the_interval_of_the_published_test_is_that_of_its_variance() -> None:
    error = 1.96 * math.sqrt(0.05762 / 128)
    low, high = elo_of_score(0.4375 - error), elo_of_score(0.4375 + error)
    elo = PUBLISHED.elo()
    assert elo is not None
    assert elo.low == pytest.approx(low, abs=1)
    assert elo.high == pytest.approx(high, abs=1)
    assert elo.error == pytest.approx((high - low) / 2, abs=1)


def test_pairs_that_are_all_or_nothing_have_nearly_wilsons_interval() -> None:
    # 60 of 100, for which Wilson's score interval is 0.502 to 0.691.
    elo = Pentanomial((40, 0, 0, 0, 60)).elo()
    assert elo is not None
    assert elo.low is not None
    assert elo.high is not None
    assert score_of_elo(elo.low) == pytest.approx(0.502, abs=0.01)
    assert score_of_elo(elo.high) == pytest.approx(0.691, abs=0.01)


@pytest.mark.parametrize(
    ("freedom", "quantile"),
    [(1, 12.7062), (2, 4.3027), (5, 2.5706), (10, 2.2281), (30, 2.0423), (100, 1.9840)],
)
def test_quantiles_are_those_of_the_printed_tables(freedom: int, quantile: float) -> None:
    assert student_quantile(freedom) == pytest.approx(quantile, abs=5e-5)
    assert student_cdf(student_quantile(freedom), freedom) == pytest.approx(0.975)
    assert student_cdf(0, freedom) == 0.5


def test_many_pairs_use_the_normal_distribution() -> None:
    assert student_quantile(10**6) == pytest.approx(1.95996, abs=1e-5)
    assert student_quantile(200) == pytest.approx(student_quantile(201), abs=0.02)


@given(st.floats(-1000, 1000))
def test_elo_and_score_are_inverse(elo: float) -> None:
    assert elo_of_score(score_of_elo(elo)) == pytest.approx(elo, abs=1e-6)


def test_400_elo_are_ten_to_one() -> None:
    assert score_of_elo(400) == pytest.approx(10 / 11)
    assert score_of_elo(0) == 0.5


@given(COUNTS)
def test_every_figure_is_finite_and_mirrors(counts: tuple[int, int, int, int, int]) -> None:
    pairs, mirrored = Pentanomial(counts), Pentanomial(counts[::-1])
    assert pairs.superiority() == pytest.approx(1 - mirrored.superiority(), abs=1e-9)
    elo, other = pairs.elo(), mirrored.elo()
    if elo is None or other is None:
        assert pairs.pairs == 0
        return
    assert math.isfinite(elo.value)
    assert elo.value == pytest.approx(-other.value, abs=1e-6)
    if pairs.pairs < 2:
        assert elo == Estimate(elo.value)
        return
    assert elo.low is not None or elo.high is not None
    assert elo.low is None or elo.low < elo.value
    assert elo.high is None or elo.high > elo.value
    assert (elo.low is not None and elo.low > 0) == (pairs.superiority() > 0.975)


def test_nothing_played_says_nothing() -> None:
    summary = summarise([])
    assert (summary.matches, summary.score, summary.points) == (0, 0.5, None)
    assert summary.pairs.elo() is None
    assert summary.pairs.superiority() == 0.5


def test_one_pair_has_no_error_bar() -> None:
    summary = summarise(pair(0, 2, 2, (30, 10)))
    elo = summary.pairs.elo()
    assert elo is not None
    assert elo.error is None
    assert summary.points == Estimate(20)
    assert summary.pairs.superiority() == 0.5


def test_all_pairs_won_are_not_infinitely_sure() -> None:
    few, many = Pentanomial((0, 0, 0, 0, 6)), Pentanomial((0, 0, 0, 0, 100))
    for pairs in (few, many):
        elo = pairs.elo()
        assert elo is not None
        assert elo.high is None
        assert elo.low is not None
        assert 0 < elo.low < elo.value < 2000
        assert pairs.superiority() > 0.975
    assert few.superiority() < many.superiority()


def test_all_pairs_drawn_have_an_error_bar_that_shrinks() -> None:
    few, many = Pentanomial((0, 0, 6, 0, 0)).elo(), Pentanomial((0, 0, 100, 0, 0)).elo()
    assert few is not None
    assert many is not None
    assert few.error is not None
    assert many.error is not None
    assert few.value == many.value == 0
    assert 1 < many.error < 10 < few.error


def test_pairs_say_more_than_their_matches_where_seats_matter() -> None:
    # Whoever moves first always wins: all pairs 1:1, and the matches alone would look like dice.
    always_first = [result for number in range(50) for result in pair(number, 2, 0)]
    elo = summarise(always_first).pairs.elo()
    assert elo is not None
    assert elo.error is not None
    single = 1.96 * math.sqrt(0.25 / 100) * 400 / math.log(10) * 4
    assert elo.error < single / 4


def test_pairs_are_counted_by_their_victory_points() -> None:
    results = [*pair(0, 0, 0), *pair(1, 1, 0), *pair(2, 0, 2), *pair(3, 1, 1), *pair(4, 2, 1)]
    assert count_pairs(complete_pairs(results)).counts == (1, 1, 2, 1, 0)


def test_the_order_of_results_does_not_matter() -> None:
    results = [
        result for number in range(30) for result in pair(number, number % 3, 2, (number, 1))
    ]
    shuffled = results[:]
    random.Random(4).shuffle(shuffled)
    assert summarise(results).pairs == summarise(shuffled).pairs
    before, after = summarise(results).points, summarise(shuffled).points
    assert before is not None
    assert after is not None
    assert before.value == pytest.approx(after.value)


def test_a_match_without_its_pair_counts_in_the_tally_alone() -> None:
    results = [*pair(0, 2, 0), *pair(1, 2, 2), PairedResult(2, 0, 2, 99)]
    summary = summarise(results)
    assert (summary.wins, summary.draws, summary.losses, summary.unpaired) == (4, 0, 1, 1)
    assert summary.score == 0.8
    assert summary.pairs.counts == (0, 0, 1, 0, 1)
    assert summary.points is not None
    assert summary.points.value == 0


def repeated_pair(number: int, digest: str) -> list[PairedResult]:
    return [PairedResult(number, seat, 2, 5, f"{digest}{seat}") for seat in (0, 1)]


def test_repeated_pairs_count_once_in_the_error_bars() -> None:
    fresh = [*repeated_pair(0, "a"), *repeated_pair(1, "b")]
    results = fresh + [result for number in range(2, 50) for result in repeated_pair(number, "a")]
    summary = summarise(results)
    assert summary.wins == 100
    assert summary.repeated == 96
    assert summary.unpaired == 0
    assert summary.pairs == summarise(fresh).pairs
    assert without_repeats(results) == fresh


def test_half_a_repeated_pair_leaves_a_match_without_its_pair() -> None:
    results = [
        *repeated_pair(0, "a"),
        PairedResult(1, 0, 2, 5, "a0"),
        PairedResult(1, 1, 0, 5, "new"),
    ]
    summary = summarise(results)
    assert (summary.repeated, summary.unpaired, summary.pairs.pairs) == (1, 1, 1)


def test_equal_moves_with_seats_swapped_are_no_repeat() -> None:
    # A bot against itself plays the same moves in both matches of a pair.
    results = [PairedResult(0, 0, 2, 7, "same"), PairedResult(0, 1, 0, -7, "same")]
    summary = summarise(results)
    assert summary.repeated == 0
    assert summary.pairs.counts == (0, 0, 1, 0, 0)


def test_matches_without_a_digest_are_never_repeats() -> None:
    assert summarise([*pair(0, 2, 2), *pair(1, 2, 2)]).repeated == 0


def test_a_pair_with_two_matches_in_one_seat_is_refused() -> None:
    with pytest.raises(ValueError, match="pair 7 has two results for seat 0"):
        summarise([PairedResult(7, 0, 2), PairedResult(7, 0, 0)])
    with pytest.raises(ValueError, match="pair 7 has more than two"):
        summarise([PairedResult(7, seat, 2) for seat in range(3)])


@pytest.mark.parametrize(
    "make",
    [
        lambda: PairedResult(0, 0, 3),
        lambda: PairedResult(0, 0, 2, math.nan),
        lambda: Pentanomial((1, 2, -1, 0, 0)),
    ],
)
def test_impossible_results_are_refused(make: object) -> None:
    assert callable(make)
    with pytest.raises(ValueError, match="not"):
        make()


def test_points_have_their_error_over_pairs() -> None:
    # Seats make 40 points, and bots none: every pair has the mean 3, 5 or 7.
    pairs = complete_pairs(
        [
            r
            for number, mean in enumerate((3, 5, 7))
            for r in pair(number, 2, 0, (mean + 40, mean - 40))
        ]
    )
    points = mean_difference(pairs)
    assert points is not None
    assert points.value == 5
    assert points.error == pytest.approx(2 / math.sqrt(3) * 4.3027, abs=1e-3)


def test_equal_points_in_every_pair_still_have_an_error() -> None:
    points = mean_difference(
        complete_pairs([r for number in range(10) for r in pair(number, 2, 0, (8, 2))])
    )
    assert points is not None
    assert points.value == 5
    assert points.error == pytest.approx(0.5 / math.sqrt(10) * 2.2622, abs=1e-3)


def outcomes(first: tuple[float, float], second: tuple[float, float]) -> list[float]:
    """Return the chances of 0 to 4 points from those of a win and a draw in each seat."""
    chances = [0.0] * 5
    rows = [(1 - win - draw, draw, win) for win, draw in (first, second)]
    for one, two in product(range(3), repeat=2):
        chances[one + two] += rows[0][one] * rows[1][two]
    return chances


@pytest.mark.parametrize("pairs", [6, 20, 100])
@pytest.mark.parametrize(
    "chances",
    [
        pytest.param(outcomes((0.5, 0), (0.5, 0)), id="even"),
        pytest.param(outcomes((0.65, 0.05), (0.3, 0.05)), id="seats matter"),
        pytest.param(outcomes((0.75, 0.02), (0.65, 0.02)), id="seventy percent"),
        pytest.param(outcomes((0.9, 0.02), (0.9, 0.02)), id="ninety percent"),
        pytest.param([0.45, 0.03, 0.04, 0.03, 0.45], id="openings decide"),
    ],
)
def test_intervals_cover_the_truth(chances: list[float], pairs: int) -> None:
    truth = elo_of_score(sum(place / 4 * chance for place, chance in enumerate(chances)))
    source = random.Random(f"{chances}{pairs}")
    runs, covered = 1000, 0
    for _ in range(runs):
        drawn = source.choices(range(5), chances, k=pairs)
        counts = Pentanomial(tuple(drawn.count(place) for place in range(5)))  # type: ignore[arg-type]
        elo = counts.elo()
        assert elo is not None
        covered += (elo.low is None or elo.low <= truth) and (elo.high is None or truth <= elo.high)
    assert covered / runs >= 0.93  # three standard deviations below 95 %


def test_intervals_are_not_wider_than_they_need_be() -> None:
    chances = outcomes((0.65, 0.05), (0.3, 0.05))
    truth = elo_of_score(sum(place / 4 * chance for place, chance in enumerate(chances)))
    source = random.Random(5)
    covered = 0
    for _ in range(1000):
        drawn = source.choices(range(5), chances, k=100)
        elo = Pentanomial(tuple(drawn.count(place) for place in range(5))).elo()  # type: ignore[arg-type]
        assert elo is not None
        assert elo.low is not None
        assert elo.high is not None
        covered += elo.low <= truth <= elo.high
    assert 0.93 <= covered / 1000 <= 0.97
