"""Say what the results of two bots tell about their strength, and how surely.

The unit is the pair: two matches from one opening with seats swapped. Nothing here plays matches or
reads files. ``docs/decisions/arena-statistics.md`` says why it is counted this way.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from statistics import NormalDist

from spielleiter.rules import DRAW, LOSS, WIN

CONFIDENCE = 0.95
"""Of every interval. An error is half the width of one."""
OUTCOMES = 5
"""A pair brings 0 to 4 victory points."""
ELO_PER_LOGIT = 400 / math.log(10)
NORMALISED_ELO = 800 / math.log(10)
"""Makes normalised and logistic Elo agree where draws are absent and differences small."""
_PRIOR_PAIRS = 1.0
"""Of a prior that expects each of the five outcomes of a pair equally."""
_LEAST_SPREAD = 0.5
"""Points by which pairs are taken to differ at least, because scores are whole numbers."""
_EXACT_FREEDOM = 200
"""Above so many degrees of freedom Student's distribution is taken as normal."""


@dataclass(frozen=True, slots=True)
class PairedResult:
    """One match as the first of two bots sees it."""

    pair: int
    """The pair it belongs to. Numbers are free, and matches of one pair share theirs."""
    seat: int
    """Where the first bot sat."""
    points: int
    """Its victory points, which are 2, 1 or 0."""
    difference: float = 0.0
    """Its score less the other's, in the first of the game's own numbers."""
    digest: str = ""
    """Of start and moves. Matches with equal digests are the same match, "" is never equal."""

    def __post_init__(self) -> None:
        if self.points not in (LOSS, DRAW, WIN):
            raise ValueError(f"a match brings 2, 1 or 0 victory points, not {self.points}")
        if not math.isfinite(self.difference):
            raise ValueError(f"a difference of scores is a finite number, not {self.difference}")


@dataclass(frozen=True, slots=True)
class Estimate:
    """A value and the ends of its 95 % interval. An end is None where nothing bounds it."""

    value: float
    low: float | None = None
    high: float | None = None

    @property
    def error(self) -> float | None:
        """Half the width of the interval, or None where that has no end."""
        return None if self.low is None or self.high is None else (self.high - self.low) / 2


@dataclass(frozen=True, slots=True)
class Pentanomial:
    """How many pairs brought the first bot 0, 1, 2, 3 and 4 victory points."""

    counts: tuple[int, int, int, int, int] = (0, 0, 0, 0, 0)

    def __post_init__(self) -> None:
        if len(self.counts) != OUTCOMES or min(self.counts) < 0:
            raise ValueError(f"five counts of pairs are needed, not {self.counts}")

    @property
    def pairs(self) -> int:
        return sum(self.counts)

    @property
    def score(self) -> float:
        """The mean score of a match, from 0 to 1. It is one half where nothing was played."""
        return _moments(self.counts)[0] if self.pairs else 0.5

    @property
    def variance(self) -> float:
        """The variance of the score of a pair, as it was found."""
        return _moments(self.counts)[1] if self.pairs else 0.0

    @property
    def cautious(self) -> tuple[float, float]:
        """Mean and variance of a pair's score, with one imagined pair added to those played.

        The imagined pair is spread evenly over the five outcomes, which is Perks' prior. So the
        variance is never zero, and ten pairs that were all won do not make us infinitely sure.
        """
        return _moments([count + _PRIOR_PAIRS / OUTCOMES for count in self.counts])

    def score_error(self) -> float | None:
        """Return the error of ``score``, or None for fewer than two pairs.

        It takes the ``cautious`` variance and Student's quantile, because pairs may be few.
        """
        deviation = self._deviation()
        return None if deviation is None else deviation * student_quantile(self.pairs - 1)

    def elo(self) -> Estimate | None:
        """Return the logistic Elo difference, or None before the first pair.

        The value is that of the score as it was found. Where every point was won or lost that is
        infinite, and the value with the imagined pair stands for it. The interval is that of the
        score, end by end, and has no end where that reaches 0 or 1.
        """
        if not self.pairs:
            return None
        value = elo_of_score(self.score if 0 < self.score < 1 else self.cautious[0])
        error = self.score_error()
        if error is None:
            return Estimate(value)
        low, high = self.score - error, self.score + error
        return Estimate(
            value,
            elo_of_score(low) if low > 0 else None,
            elo_of_score(high) if high < 1 else None,
        )

    def normalised_elo(self) -> Estimate | None:
        """Return the difference in standard deviations of a match, on the scale of Elo."""
        if not self.pairs:
            return None
        deviation = math.sqrt(2 * (self.variance or self.cautious[1]))
        value = (self.score - 0.5) / deviation * NORMALISED_ELO
        if self.pairs < 2:
            return Estimate(value)
        freedom = self.pairs - 1
        error = student_quantile(freedom) / math.sqrt(2 * freedom) * NORMALISED_ELO
        return Estimate(value, value - error, value + error)

    def superiority(self) -> float:
        """Return the likelihood of superiority (LOS), from 0 to 1.

        It agrees with the interval of ``elo``, which lies wholly above zero where this is more
        than 97.5 %.
        """
        deviation = self._deviation()
        if deviation is None:
            return 0.5
        return student_cdf((self.score - 0.5) / deviation, self.pairs - 1)

    def _deviation(self) -> float | None:
        """Return the standard deviation of ``score``."""
        return None if self.pairs < 2 else math.sqrt(self.cautious[1] / (self.pairs - 1))


@dataclass(frozen=True, slots=True)
class Summary:
    """All that the results of two bots tell, seen from the first of them.

    ``wins``, ``draws`` and ``losses`` count every match. Everything else counts complete pairs that
    are not repeats, because only those are fair and independent of each other.
    """

    wins: int
    draws: int
    losses: int
    repeated: int
    """Matches that are the same as an earlier one."""
    unpaired: int
    """Matches that are not repeats, and whose other half is missing or a repeat."""
    pairs: Pentanomial
    points: Estimate | None
    """The mean difference of scores in a match, None before the first pair."""

    @property
    def matches(self) -> int:
        return self.wins + self.draws + self.losses

    @property
    def score(self) -> float:
        """The mean score over every match played, from 0 to 1."""
        return (self.wins + self.draws / 2) / self.matches if self.matches else 0.5


def summarise(results: Iterable[PairedResult]) -> Summary:
    """Return what the results tell. Raises ValueError if a pair has two matches in one seat."""
    everything = list(results)
    distinct = without_repeats(everything)
    pairs = complete_pairs(distinct)
    tallies = [sum(result.points == points for result in everything) for points in (0, 1, 2)]
    return Summary(
        wins=tallies[WIN],
        draws=tallies[DRAW],
        losses=tallies[LOSS],
        repeated=len(everything) - len(distinct),
        unpaired=len(distinct) - 2 * len(pairs),
        pairs=count_pairs(pairs),
        points=mean_difference(pairs),
    )


def without_repeats(results: Iterable[PairedResult]) -> list[PairedResult]:
    """Return the results in their order, each match once.

    A repeat has the same digest as an earlier match in which the first bot sat in the same seat.
    The two matches of a pair may well have the same moves: that is what equal bots do.
    """
    seen: set[tuple[str, int]] = set()
    kept = []
    for result in results:
        key = result.digest, result.seat
        if result.digest and key in seen:
            continue
        seen.add(key)
        kept.append(result)
    return kept


def complete_pairs(results: Iterable[PairedResult]) -> list[tuple[PairedResult, PairedResult]]:
    """Return the pairs of which both matches are there, in the order of their first match.

    Raises ValueError if a pair has two matches in one seat.
    """
    pairs: dict[int, dict[int, PairedResult]] = {}
    for result in results:
        seats = pairs.setdefault(result.pair, {})
        if seats.setdefault(result.seat, result) is not result:
            raise ValueError(f"pair {result.pair} has two results for seat {result.seat}")
    found = []
    for number, seats in pairs.items():
        if len(seats) > 2:
            raise ValueError(f"pair {number} has more than two matches")
        if len(seats) == 2:
            first, second = seats.values()
            found.append((first, second))
    return found


def count_pairs(pairs: Iterable[tuple[PairedResult, PairedResult]]) -> Pentanomial:
    """Return how many pairs brought how many victory points."""
    counts = [0] * OUTCOMES
    for first, second in pairs:
        counts[first.points + second.points] += 1
    none, one, two, three, four = counts
    return Pentanomial((none, one, two, three, four))


def mean_difference(pairs: Sequence[tuple[PairedResult, PairedResult]]) -> Estimate | None:
    """Return the mean difference of scores in a match, with its error over pairs.

    Pairs that all differ by the same amount are taken to spread by half a point, because scores
    are whole numbers. So this error is never zero either.
    """
    if not pairs:
        return None
    means = [(first.difference + second.difference) / 2 for first, second in pairs]
    mean = math.fsum(means) / len(means)
    if len(means) < 2:
        return Estimate(mean)
    spread = math.sqrt(math.fsum((value - mean) ** 2 for value in means) / (len(means) - 1))
    error = max(spread, _LEAST_SPREAD) / math.sqrt(len(means)) * student_quantile(len(means) - 1)
    return Estimate(mean, mean - error, mean + error)


def score_of_elo(elo: float) -> float:
    """Return the mean score that a logistic Elo difference predicts."""
    return 1 / (1 + 10 ** (-elo / 400))


def elo_of_score(score: float) -> float:
    """Return the logistic Elo difference of a mean score between 0 and 1, both excluded."""
    return ELO_PER_LOGIT * math.log(score / (1 - score))


def student_cdf(value: float, freedom: int) -> float:
    """Return the distribution function of Student's t for a whole number of degrees of freedom.

    The finite series of Abramowitz and Stegun 26.7.3 and 26.7.4 is exact.
    """
    if freedom > _EXACT_FREEDOM:
        return NormalDist().cdf(value)
    angle = math.atan2(value, math.sqrt(freedom))
    square = math.cos(angle) ** 2
    is_odd = freedom % 2 == 1
    term, total = (math.cos(angle) if is_odd else 1.0), 0.0
    for number in range(2 if is_odd else 1, freedom, 2):
        total += term
        term *= square * number / (number + 1)
    total *= math.sin(angle)
    return 0.5 + ((angle + total) / math.pi if is_odd else total / 2)


@lru_cache(maxsize=1024)
def student_quantile(freedom: int) -> float:
    """Return by how many standard errors an interval reaches to each side.

    Degrees of freedom are at least 1.
    """
    level = (1 + CONFIDENCE) / 2
    if freedom > _EXACT_FREEDOM:
        return NormalDist().inv_cdf(level)
    low, high = 1.0, 20.0  # one degree of freedom has 12.7
    for _ in range(60):
        middle = (low + high) / 2
        if student_cdf(middle, freedom) < level:
            low = middle
        else:
            high = middle
    return high


def _moments(counts: Sequence[float]) -> tuple[float, float]:
    """Return mean and variance of a pair's score, as the mean score of its matches."""
    total = math.fsum(counts)
    mean = math.fsum(place / 4 * count for place, count in enumerate(counts)) / total
    variance = math.fsum(count * (place / 4 - mean) ** 2 for place, count in enumerate(counts))
    return mean, variance / total
