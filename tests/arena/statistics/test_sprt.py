"""The sequential test: published figures, error rates by simulation, and awkward counts."""

from __future__ import annotations

import math
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spielleiter.arena.statistics.sprt import EloScale, Sprt, SprtDecision
from spielleiter.arena.statistics.strength import (
    NORMALISED_ELO,
    Pentanomial,
    elo_of_score,
    score_of_elo,
)

PUBLISHED = Pentanomial((13, 37, 50, 25, 3))
"""https://montytest.muzhen.org/tests/stats/69d3c8dc7c5b3724e29d2712, bounds 0 and 4 normalised"""
COUNTS = st.tuples(*[st.integers(0, 300)] * 5)


def test_a_published_test_is_reproduced_in_normalised_elo() -> None:
    state = Sprt(0, 4, scale=EloScale.NORMALISED).state(PUBLISHED)
    assert state.llr == pytest.approx(-0.54912, abs=5e-6)
    assert state.upper == pytest.approx(2.9444, abs=5e-5)
    assert state.lower == pytest.approx(-2.9444, abs=5e-5)
    assert state.decision is SprtDecision.CONTINUE


def test_a_published_test_is_reproduced_in_logistic_elo() -> None:
    # The page gives the bound as 2.716 logistic Elo, which is what 4 normalised Elo are here.
    elo1 = elo_of_score(0.5 + 4 * math.sqrt(2 * PUBLISHED.variance) / NORMALISED_ELO)
    assert elo1 == pytest.approx(2.716, abs=5e-4)
    assert Sprt(0, elo1).llr(PUBLISHED) == pytest.approx(-0.53772, abs=5e-6)


def test_bounds_are_walds() -> None:
    test = Sprt(0, 10, alpha=0.01, beta=0.1)
    assert test.upper == pytest.approx(math.log(0.9 / 0.01))
    assert test.lower == pytest.approx(math.log(0.1 / 0.99))


def test_nothing_played_decides_nothing() -> None:
    state = Sprt(0, 10).state(Pentanomial())
    assert (state.llr, state.decision) == (0, SprtDecision.CONTINUE)


@given(COUNTS, st.sampled_from(EloScale))
def test_swapped_bots_and_hypotheses_give_the_opposite(
    counts: tuple[int, int, int, int, int], scale: EloScale
) -> None:
    forth = Sprt(-3, 20, scale=scale).state(Pentanomial(counts))
    back = Sprt(-20, 3, scale=scale).state(Pentanomial(counts[::-1]))
    assert math.isfinite(forth.llr)
    assert forth.llr == pytest.approx(-back.llr, abs=1e-6)


@given(
    COUNTS,
    st.sampled_from(EloScale),
    st.floats(-200, 199, allow_nan=False),
    st.floats(0.01, 100),
)
def test_every_count_and_bound_gives_finite_figures(
    counts: tuple[int, int, int, int, int], scale: EloScale, elo0: float, width: float
) -> None:
    test = Sprt(elo0, min(elo0 + width, 200), scale=scale)
    assert math.isfinite(test.state(Pentanomial(counts)).llr)
    left = test.pairs_left(Pentanomial(counts))
    assert math.isfinite(left)
    assert left >= 0


def test_a_few_wins_decide_nothing() -> None:
    # What no pair has shown yet must not count as impossible.
    for scale in EloScale:
        assert Sprt(0, 10, scale=scale).state(Pentanomial((0, 0, 0, 0, 3))).decision is (
            SprtDecision.CONTINUE
        )
        assert Sprt(0, 10, scale=scale).state(Pentanomial((0, 0, 3, 0, 0))).decision is (
            SprtDecision.CONTINUE
        )


def test_many_wins_and_many_draws_decide() -> None:
    assert Sprt(0, 10).state(Pentanomial((0, 0, 0, 0, 200))).decision is SprtDecision.H1
    assert Sprt(0, 10).state(Pentanomial((0, 0, 200, 0, 0))).decision is SprtDecision.H0
    assert Sprt(0, 10).state(Pentanomial((200, 0, 0, 0, 0))).decision is SprtDecision.H0


@pytest.mark.parametrize(
    ("bounds", "said"),
    [((10, 0), "first must be the smaller"), ((0, 0), "first must"), ((0, 5000), "between -1000")],
)
def test_bounds_that_make_no_test_are_refused(bounds: tuple[float, float], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        Sprt(*bounds)


def test_risks_that_make_no_test_are_refused() -> None:
    with pytest.raises(ValueError, match="alpha is 0; it must be between 0 and"):
        Sprt(0, 10, alpha=0)
    with pytest.raises(ValueError, match="beta is nan"):
        Sprt(0, 10, beta=math.nan)
    with pytest.raises(ValueError, match="Elo"):
        Sprt(math.nan, 10)


def chances_of(elo: float) -> list[float]:
    """Return the chances of 0 to 4 points where seats are worth 60 Elo and nobody draws."""
    first, second = score_of_elo(elo + 60), score_of_elo(elo - 60)
    both = first * second
    neither = (1 - first) * (1 - second)
    return [neither, 0.0, 1 - both - neither, 0.0, both]


def played(test: Sprt, chances: list[float], source: random.Random) -> SprtDecision:
    """Play pairs until the test ends, looking at it after every eighth."""
    counts = [0] * 5
    while True:
        for place in source.choices(range(5), chances, k=8):
            counts[place] += 1
        pairs = Pentanomial(tuple(counts))  # type: ignore[arg-type]
        decision = test.state(pairs).decision
        if decision is not SprtDecision.CONTINUE:
            return decision


def normalised_of(elo: float) -> float:
    """Return how much a strength is in normalised Elo, where seats are worth 60 Elo."""
    chances = chances_of(elo)
    mean = sum(place / 4 * chance for place, chance in enumerate(chances))
    spread = sum(chance * (place / 4 - mean) ** 2 for place, chance in enumerate(chances))
    return (mean - 0.5) / math.sqrt(2 * spread) * NORMALISED_ELO


@pytest.mark.parametrize(
    ("test", "runs"),
    [
        pytest.param(Sprt(0, 80), 400, id="logistic"),
        pytest.param(Sprt(0, normalised_of(80), scale=EloScale.NORMALISED), 100, id="normalised"),
    ],
)
def test_error_rates_are_within_their_bounds(test: Sprt, runs: int) -> None:
    source = random.Random(1)
    for truth, wrong in ((0, SprtDecision.H1), (80, SprtDecision.H0)):
        chances = chances_of(truth)
        mistakes = sum(played(test, chances, source) is wrong for _ in range(runs))
        # The risk is 5 %, and chance adds up to two standard deviations.
        assert mistakes / runs <= 0.05 + 2 * math.sqrt(0.05 * 0.95 / runs)


def test_the_end_is_foreseen() -> None:
    test = Sprt(0, 50)
    source = random.Random(9)
    pairs = Pentanomial((20, 0, 60, 0, 30))
    foreseen = test.pairs_left(pairs)
    chances = [count / pairs.pairs for count in pairs.counts]
    left = []
    for _ in range(100):
        counts = list(pairs.counts)
        while test.state(Pentanomial(tuple(counts))).decision is SprtDecision.CONTINUE:  # type: ignore[arg-type]
            for place in source.choices(range(5), chances, k=8):
                counts[place] += 1
        left.append(sum(counts) - pairs.pairs)
    assert foreseen == pytest.approx(sum(left) / len(left), rel=0.35)


def test_no_more_pairs_are_needed_after_the_end() -> None:
    assert Sprt(0, 10).pairs_left(Pentanomial((0, 0, 0, 0, 200))) == 0
