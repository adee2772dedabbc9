"""Bradley–Terry ratings: published figures, awkward results, and coverage by simulation."""

from __future__ import annotations

import math
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spielleiter.arena.statistics.ratings import Ratings, rate, rate_matches
from spielleiter.arena.statistics.strength import elo_of_score, score_of_elo

Result = tuple[int, int, float]
ALMOST_NO_PRIOR = 1e-6


def series(first: int, second: int, wins: int, losses: int, draws: int = 0) -> list[Result]:
    return [
        *[(first, second, 1.0)] * wins,
        *[(first, second, 0.0)] * losses,
        *[(first, second, 0.5)] * draws,
    ]


BASEBALL = (
    (0, 7, 9, 7, 7, 9, 11),
    (6, 0, 7, 5, 11, 9, 9),
    (4, 6, 0, 7, 7, 8, 12),
    (6, 8, 6, 0, 6, 7, 10),
    (6, 2, 6, 7, 0, 7, 12),
    (4, 4, 5, 6, 6, 0, 6),
    (2, 4, 1, 3, 1, 7, 0),
)
"""Wins of Milwaukee, Detroit, Toronto, New York, Boston, Cleveland and Baltimore over each other in
the American League of 1987, at home and away together. The data are those of Agresti, Categorical
Data Analysis, second edition (2002), page 438, which the R packages BradleyTerry2 and hyper2 have
game by game as ``baseball``.
"""
BASEBALL_LOGITS = (1.58, 1.44, 1.29, 1.25, 1.11, 0.68)
"""How much stronger than Baltimore the others are, without regard to who plays at home. This is the
third column of Agresti's table 10.11, whose standard errors are about 0.3. The tests of
BradleyTerry2 (tests/testthat/test-baseball.R) compare with the same figures.
"""


def test_the_published_table_of_baseball_is_reproduced() -> None:
    results = [
        result
        for one in range(7)
        for other in range(one)
        for result in series(one, other, BASEBALL[one][other], BASEBALL[other][one])
    ]
    ratings = rate(7, results, prior=ALMOST_NO_PRIOR)
    for team, logit in enumerate(BASEBALL_LOGITS):
        elo = ratings.difference(team, 6)
        assert elo.error is not None
        assert elo.value * math.log(10) / 400 == pytest.approx(logit, abs=0.0051)
        assert elo.error / 1.96 * math.log(10) / 400 == pytest.approx(0.3, abs=0.05)


def test_two_bots_have_the_elo_and_error_of_their_score() -> None:
    ratings = rate(2, series(0, 1, 30, 10), prior=ALMOST_NO_PRIOR)
    difference = ratings.difference(0, 1)
    assert difference.value == pytest.approx(elo_of_score(0.75), abs=1e-3)
    error = 1.96 * 400 / math.log(10) / math.sqrt(40 * 0.75 * 0.25)
    assert difference.error == pytest.approx(error, rel=1e-3)
    assert ratings[0].value == pytest.approx(-ratings[1].value)
    assert ratings[0].error == pytest.approx(error / 2, rel=1e-3)


def test_draws_are_half_wins() -> None:
    drawn, shared = rate(2, series(0, 1, 10, 0, 20)), rate(2, series(0, 1, 20, 10))
    assert drawn.values == pytest.approx(shared.values)


@st.composite
def tournaments(draw: st.DrawFn) -> tuple[int, list[Result]]:
    bots = draw(st.integers(1, 12))
    number = st.integers(0, bots - 1)
    results = draw(
        st.lists(
            st.tuples(number, number, st.sampled_from((0.0, 0.5, 1.0))).filter(
                lambda result: result[0] != result[1]
            ),
            max_size=0 if bots == 1 else 60,
        )
    )
    return bots, results


@given(tournaments(), st.randoms(use_true_random=False))
def test_any_results_give_finite_ratings_around_zero(
    tournament: tuple[int, list[Result]], source: random.Random
) -> None:
    bots, results = tournament
    ratings = rate(bots, results)
    assert len(ratings) == bots
    assert math.fsum(ratings.values) == pytest.approx(0, abs=1e-6)
    for bot in range(bots):
        error = ratings[bot].error
        assert error is not None
        assert math.isfinite(error)
        assert abs(ratings[bot].value) < 2000
    assert sorted(bot for group in ratings.groups for bot in group) == list(range(bots))
    shuffled = results[:]
    source.shuffle(shuffled)
    assert rate(bots, shuffled).values == pytest.approx(ratings.values, abs=1e-6)


def test_a_bot_that_won_everything_is_finite_and_named() -> None:
    results = [*series(0, 1, 20, 0), *series(0, 2, 20, 0), *series(1, 2, 12, 8)]
    ratings = rate(3, results)
    assert ratings.unbounded == (0,)
    assert 300 < ratings.difference(0, 1).value < 1500
    error, usual = ratings.difference(0, 1).error, ratings.difference(1, 2).error
    assert error is not None
    assert usual is not None
    assert error > 2 * usual


def test_very_many_wins_do_not_break_it() -> None:
    ratings = rate(3, [*series(0, 1, 100_000, 0), *series(1, 2, 100_000, 0)])
    assert ratings.values[0] > ratings.values[1] > ratings.values[2]
    assert all(map(math.isfinite, ratings.values))


def test_groups_that_never_met_are_named_and_compared_with_great_error() -> None:
    ratings = rate(5, [*series(0, 1, 60, 40), *series(2, 3, 60, 40)])
    assert ratings.groups == ((0, 1), (2, 3), (4,))
    assert not ratings.is_connected
    inside, between = ratings.difference(0, 1).error, ratings.difference(0, 2).error
    assert inside is not None
    assert between is not None
    assert between > 5 * inside
    assert ratings.matches == (100, 100, 100, 100, 0)


def test_a_connected_tournament_is_connected() -> None:
    assert rate(3, [(0, 1, 1.0), (1, 2, 0.5)]).is_connected


def test_few_matches_outweigh_the_prior() -> None:
    ratings = rate(2, series(0, 1, 15, 5))
    assert ratings.difference(0, 1).value == pytest.approx(elo_of_score(0.75), abs=15)


@pytest.mark.parametrize(
    ("bots", "result", "said"),
    [
        (2, (0, 2, 1.0), "no two of 2 bots"),
        (2, (1, 1, 1.0), "no two of 2 bots"),
        (2, (0, 1, 1.5), "between 0 and 1, not 1.5"),
        (2, (0, 1, math.nan), "not nan"),
        (0, (0, 1, 1.0), "need a bot"),
    ],
)
def test_impossible_results_are_refused(bots: int, result: Result, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        rate(bots, [result])


def simulated(truths: list[float], games: int, source: random.Random) -> Ratings:
    results = [
        (one, other, float(source.random() < score_of_elo(truths[one] - truths[other])))
        for one in range(len(truths))
        for other in range(one)
        for _ in range(games)
    ]
    return rate(len(truths), results)


def test_intervals_cover_the_truth() -> None:
    source = random.Random(11)
    covered = total = 0
    for _ in range(60):
        truths = [source.gauss(0, 150) for _ in range(10)]
        mean = sum(truths) / len(truths)
        ratings = simulated(truths, 20, source)
        for bot, truth in enumerate(truths):
            low, high = ratings[bot].low, ratings[bot].high
            assert low is not None
            assert high is not None
            covered += low <= truth - mean <= high
            total += 1
    assert 0.92 <= covered / total <= 0.98


def test_a_hundred_bots_are_rated_in_order() -> None:
    truths = [bot * 30.0 for bot in range(100)]
    ratings = simulated(truths, 4, random.Random(2))
    for low, high in ((0, 20), (30, 50), (79, 99)):
        assert ratings.values[low] < ratings.values[high]


def test_a_match_that_repeats_another_counts_once() -> None:
    match, swapped, unknown = ((0, 1), 1.0, "a"), ((1, 0), 0.5, "a"), ((0, 1), 0.0, "")
    ratings = rate_matches(2, [match, swapped, match, unknown, unknown])
    assert ratings == rate(2, [(0, 1, 1.0), (1, 0, 0.5), (0, 1, 0.0), (0, 1, 0.0)])
    assert ratings.matches == (4, 4)
