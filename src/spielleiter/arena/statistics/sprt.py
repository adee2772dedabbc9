"""Decide while matches are played whether a bot is stronger, with known odds of being wrong.

This is the generalised sequential probability ratio test (GSPRT) on pairs of matches. It may be
looked at after every pair, which an interval may not.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from spielleiter.arena.statistics.strength import NORMALISED_ELO, Pentanomial, score_of_elo

_SCORES = (0.0, 0.25, 0.5, 0.75, 1.0)
_LEAST_COUNT = 1e-3
"""Stands for an outcome that has not happened yet, as in fishtest and fastchess. Without it the
likelihood of a hypothesis that needs this outcome could not be told.
"""
_STEPS = 100
"""Most steps of every iteration. All of them end in a tenth of that."""
_CLOSE = 1e-12


class EloScale(Enum):
    """What the bounds of a test are given in."""

    LOGISTIC = "logistic"
    NORMALISED = "normalised"


class SprtDecision(Enum):
    """Which hypothesis is accepted, where ``H0`` is the first bound and ``H1`` the second."""

    H0 = "H0"
    H1 = "H1"
    CONTINUE = "continue"


_MOST_ELO = {EloScale.LOGISTIC: 1000.0, EloScale.NORMALISED: 200.0}
"""Of a bound. Beyond it every test ends at once, and some iterations do not."""


@dataclass(frozen=True, slots=True)
class SprtState:
    """How a test stands."""

    llr: float
    """The log-likelihood ratio. The test ends where it leaves the space between the bounds."""
    lower: float
    upper: float
    decision: SprtDecision


@dataclass(frozen=True, slots=True)
class Sprt:
    """A test of "``elo0`` or less" against "``elo1`` or more".

    ``alpha`` is the risk of accepting H1 where H0 holds, ``beta`` that of the opposite mistake.
    Raises ValueError for bounds and risks that make no test.
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05
    scale: EloScale = EloScale.LOGISTIC

    def __post_init__(self) -> None:
        most = _MOST_ELO[self.scale]
        if not -most <= self.elo0 < self.elo1 <= most:
            raise ValueError(
                f"the bounds of the test are {self.elo0:g} and {self.elo1:g} Elo; the first must "
                f"be the smaller one, and both between -{most:g} and {most:g}"
            )
        for name, risk in (("alpha", self.alpha), ("beta", self.beta)):
            if not 0 < risk < 0.5:
                raise ValueError(f"{name} is {risk:g}; it must be between 0 and 0.5")

    @property
    def lower(self) -> float:
        """H0 is accepted at this log-likelihood ratio or below."""
        return math.log(self.beta / (1 - self.alpha))

    @property
    def upper(self) -> float:
        """H1 is accepted at this log-likelihood ratio or above."""
        return math.log((1 - self.beta) / self.alpha)

    def llr(self, pairs: Pentanomial) -> float:
        """Return the exact generalised log-likelihood ratio of H1 against H0."""
        counts = _counted(pairs)
        total = math.fsum(counts)
        found = [count / total for count in counts]
        if self.scale is EloScale.LOGISTIC:
            under0, under1 = (
                _with_mean(_SCORES, found, score_of_elo(elo)) for elo in (self.elo0, self.elo1)
            )
        else:
            under0, under1 = (
                _with_ratio(found, math.sqrt(2) * elo / NORMALISED_ELO)
                for elo in (self.elo0, self.elo1)
            )
        return total * math.fsum(
            share * math.log(one / zero)
            for share, zero, one in zip(found, under0, under1, strict=True)
        )

    def state(self, pairs: Pentanomial) -> SprtState:
        """Return how the test stands after these pairs, which must be complete and distinct."""
        llr = self.llr(pairs) if pairs.pairs else 0.0
        decision = SprtDecision.CONTINUE
        if llr >= self.upper:
            decision = SprtDecision.H1
        elif llr <= self.lower:
            decision = SprtDecision.H0
        return SprtState(llr, self.lower, self.upper, decision)

    def pairs_left(self, pairs: Pentanomial) -> float:
        """Return about how many more pairs the test will take if the bots go on as they did.

        The ratio is taken for Brownian motion, whose expected time to leave an interval is known.
        """
        llr = self.state(pairs).llr
        if not self.lower < llr < self.upper:
            return 0.0
        mean, variance = pairs.cautious
        low, high = self._scores(math.sqrt(variance))
        drift = (high - low) * (2 * mean - low - high) / (2 * variance)
        spread = (high - low) ** 2 / variance
        return _time_to_leave(llr - self.lower, self.upper - self.lower, drift, spread)

    def _scores(self, deviation: float) -> tuple[float, float]:
        """Return the scores that the bounds mean where pairs have this standard deviation."""
        if self.scale is EloScale.LOGISTIC:
            return score_of_elo(self.elo0), score_of_elo(self.elo1)
        unit = math.sqrt(2) * deviation / NORMALISED_ELO
        return 0.5 + self.elo0 * unit, 0.5 + self.elo1 * unit


def _counted(pairs: Pentanomial) -> list[float]:
    return [max(count, _LEAST_COUNT) for count in pairs.counts]


def _with_mean(values: Sequence[float], shares: Sequence[float], mean: float) -> list[float]:
    """Return the distribution with this mean under which the observed one is most likely.

    Its shares are ``p / (1 + x (a - mean))``, where x solves ``sum p (a - mean) / (1 + x (a -
    mean)) = 0``. The sum falls with x between its two poles, so the solution is unique.
    """
    offsets = [value - mean for value in values]
    low, high = -1 / max(offsets), -1 / min(offsets)
    x = 0.0
    for _ in range(_STEPS):
        weights = [1 + x * offset for offset in offsets]
        terms = [p * a / w for p, a, w in zip(shares, offsets, weights, strict=True)]
        value = math.fsum(terms)
        if value > 0:
            low = x
        else:
            high = x
        slope = -math.fsum(t * a / w for t, a, w in zip(terms, offsets, weights, strict=True))
        step = x - value / slope
        # Newton's step where it stays between what is known, else the middle.
        before, x = x, step if low < step < high else (low + high) / 2
        if abs(x - before) <= _CLOSE * (1 + abs(x)):
            break
    return [p / (1 + x * offset) for p, offset in zip(shares, offsets, strict=True)]


def _with_ratio(shares: Sequence[float], ratio: float) -> list[float]:
    """Return the most likely distribution whose mean less 1/2 is ``ratio`` standard deviations.

    That condition is not linear. It is made so around the distribution found so far, again and
    again, which is how Van den Bergh computes it for normalised Elo.
    """
    found = [1 / len(shares)] * len(shares)
    for _ in range(_STEPS):
        mean = math.fsum(p * a for p, a in zip(found, _SCORES, strict=True))
        variance = math.fsum(p * (a - mean) ** 2 for p, a in zip(found, _SCORES, strict=True))
        deviation = math.sqrt(variance)
        values = [
            a - 0.5 - ratio * deviation * (1 + ((mean - a) / deviation) ** 2) / 2 for a in _SCORES
        ]
        before, found = found, _with_mean(values, shares, 0.0)
        if max(abs(a - b) for a, b in zip(before, found, strict=True)) < _CLOSE:
            break
    return found


def _time_to_leave(start: float, width: float, drift: float, spread: float) -> float:
    """Return the expected time in which Brownian motion leaves the space from 0 to ``width``."""
    steepness = 2 * drift / spread
    if abs(steepness) * width < 1e-6:  # the formula below loses its digits
        return start * (width - start) / spread
    # Written for falling exponentials, so that nothing overflows.
    if steepness > 0:
        above = math.expm1(-steepness * start) / math.expm1(-steepness * width)
    else:
        left = width - start
        above = 1 - math.expm1(steepness * left) / math.expm1(steepness * width)
    return (width * above - start) / drift
