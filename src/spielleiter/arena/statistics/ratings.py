"""Rate many bots on one scale from their results against each other (Bradley–Terry).

A rating is a number of Elo, and the mean of all ratings is 0. A draw counts as half a win. Nothing
here knows rounds, seats or scores.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from spielleiter.arena.statistics.strength import ELO_PER_LOGIT, Estimate

PRIOR_DRAWS = 1.0
"""Draws against an average bot that are added to everybody's results.

They keep the ratings of bots finite that won or lost everything, and say where bots stand who
never met, not even through others. Few real matches outweigh them.
"""
_Z = 1.959964
_STEPS = 200
_CLOSE = 1e-10


@dataclass(frozen=True, slots=True)
class Ratings:
    """The ratings of all bots, with what is needed to compare any two of them."""

    values: tuple[float, ...]
    """In Elo, by number of the bot. Their mean is 0."""
    covariance: tuple[tuple[float, ...], ...]
    matches: tuple[int, ...]
    """How many matches each rating rests on."""
    groups: tuple[tuple[int, ...], ...]
    """Bots that met, directly or through others. Between groups only the prior compares."""
    unbounded: tuple[int, ...]
    """Bots whose rating only the prior keeps finite, because they won or lost every match."""

    def __getitem__(self, bot: int) -> Estimate:
        """Return the rating of a bot with its 95 % interval, seen from the mean of all."""
        return _estimate(self.values[bot], self.covariance[bot][bot])

    def __len__(self) -> int:
        return len(self.values)

    def difference(self, first: int, second: int) -> Estimate:
        """Return by how much the first bot is rated higher than the second."""
        rows = self.covariance
        variance = rows[first][first] + rows[second][second] - 2 * rows[first][second]
        return _estimate(self.values[first] - self.values[second], variance)

    @property
    def is_connected(self) -> bool:
        """Whether results compare all bots, so that the prior does not have to."""
        return len(self.groups) <= 1


def rate_matches(bots: int, matches: Iterable[tuple[tuple[int, int], float, str]]) -> Ratings:
    """Return the ratings of bots after matches, of which repeats count once.

    Each match is its bots by seat, the score of the first, and a digest, which is equal for equal
    matches and empty where nobody knows it.
    """
    seen: set[tuple[tuple[int, int], str]] = set()
    results: list[tuple[int, int, float]] = []
    for seated, score, digest in matches:
        if digest and (seated, digest) in seen:
            continue
        seen.add((seated, digest))
        results.append((*seated, score))
    return rate(bots, results)


def rate(
    bots: int, results: Iterable[tuple[int, int, float]], *, prior: float = PRIOR_DRAWS
) -> Ratings:
    """Return the ratings of ``bots`` bots.

    Each result is two bots and the score of the first, which is 1, 1/2 or 0. The errors are those
    of Fisher's information. They take matches for independent, and are a little too large where
    there are many draws. Raises ValueError for bots and scores that do not exist.
    """
    if bots < 1 or not prior > 0:
        raise ValueError("ratings need a bot and a prior above 0")
    scores = [0.0] * bots
    matches = [0] * bots
    meetings: list[dict[int, int]] = [{} for _ in range(bots)]
    for first, second, score in results:
        if not (0 <= first < bots and 0 <= second < bots) or first == second:
            raise ValueError(f"no two of {bots} bots have the numbers {first} and {second}")
        if not 0 <= score <= 1:
            raise ValueError(f"the score of a match is between 0 and 1, not {score}")
        scores[first] += score
        scores[second] += 1 - score
        for one, other in ((first, second), (second, first)):
            matches[one] += 1
            meetings[one][other] = meetings[one].get(other, 0) + 1
    strengths = _fit(scores, meetings, prior)
    inverse = _inverse(_information(strengths, meetings, prior))
    mean = math.fsum(strengths) / bots
    return Ratings(
        values=tuple((strength - mean) * ELO_PER_LOGIT for strength in strengths),
        covariance=_centred(inverse),
        matches=tuple(matches),
        groups=_groups(meetings),
        unbounded=tuple(
            bot for bot in range(bots) if matches[bot] and scores[bot] in (0.0, matches[bot])
        ),
    )


def _estimate(value: float, variance: float) -> Estimate:
    error = _Z * math.sqrt(max(variance, 0.0))
    return Estimate(value, value - error, value + error)


def _chance(logit: float) -> float:
    if logit < 0:  # so that nothing overflows
        return math.exp(logit) / (1 + math.exp(logit))
    return 1 / (1 + math.exp(-logit))


def _fit(
    scores: Sequence[float], meetings: Sequence[Mapping[int, int]], prior: float
) -> list[float]:
    """Return the strengths that make the results most likely, as logits against the average bot.

    Newton's method: the likelihood is concave with a single top. A step is never longer than
    one, because far from the top the method may overshoot.
    """
    strengths = [0.0] * len(scores)
    for _ in range(_STEPS):
        slope = [
            scores[bot]
            + prior * (0.5 - _chance(strength))
            - math.fsum(
                count * _chance(strength - strengths[other])
                for other, count in meetings[bot].items()
            )
            for bot, strength in enumerate(strengths)
        ]
        step = _solve(_information(strengths, meetings, prior), slope)
        longest = max(map(abs, step))
        scale = 1 / max(1.0, longest)
        strengths = [strength + scale * way for strength, way in zip(strengths, step, strict=True)]
        if longest < _CLOSE:
            break
    return strengths


def _information(
    strengths: Sequence[float], meetings: Sequence[Mapping[int, int]], prior: float
) -> list[list[float]]:
    """Return Fisher's information, which is positive definite because of the prior."""
    matrix = [[0.0] * len(strengths) for _ in strengths]
    for bot, strength in enumerate(strengths):
        row = matrix[bot]
        chance = _chance(strength)
        row[bot] = prior * chance * (1 - chance)
        for other, count in meetings[bot].items():
            chance = _chance(strength - strengths[other])
            weight = count * chance * (1 - chance)
            row[other] -= weight
            row[bot] += weight
    return matrix


def _factor(matrix: Sequence[Sequence[float]]) -> list[list[float]]:
    """Return the lower triangle of Cholesky, row by row, each row as long as it is filled."""
    rows: list[list[float]] = []
    for number, row in enumerate(matrix):
        new: list[float] = []
        for column in range(number):
            above = rows[column]
            total = row[column] - sum(map(float.__mul__, new, above))
            new.append(total / above[column])
        # Rounding may eat what little the prior adds for a bot that won everything by far.
        rest = max(row[number] - sum(value * value for value in new), 1e-12)
        new.append(math.sqrt(rest))
        rows.append(new)
    return rows


def _solve(matrix: Sequence[Sequence[float]], right: Sequence[float]) -> list[float]:
    rows = _factor(matrix)
    middle: list[float] = []
    for row, value in zip(rows, right, strict=True):
        middle.append((value - sum(map(float.__mul__, row, middle))) / row[-1])
    result = [0.0] * len(rows)
    for number in range(len(rows) - 1, -1, -1):
        row = rows[number]
        value = result[number] = middle[number] / row[number]
        for column in range(number):
            middle[column] -= row[column] * value
    return result


def _inverse(matrix: Sequence[Sequence[float]]) -> list[list[float]]:
    rows = _factor(matrix)
    size = len(rows)
    # The columns of the inverse triangle, whose products are the inverse.
    columns: list[list[float]] = []
    for start in range(size):
        column = [1 / rows[start][start]]
        for number in range(start + 1, size):
            row = rows[number]
            total = sum(map(float.__mul__, row[start:number], column))
            column.append(-total / row[number])
        columns.append(column)
    result = [[0.0] * size for _ in range(size)]
    for one in range(size):
        for other in range(one, size):
            value = sum(map(float.__mul__, columns[one][other - one :], columns[other]))
            result[one][other] = result[other][one] = value
    return result


def _centred(matrix: Sequence[Sequence[float]]) -> tuple[tuple[float, ...], ...]:
    """Return the covariance, in Elo, of strengths from which their mean has been taken."""
    size = len(matrix)
    means = [math.fsum(row) / size for row in matrix]
    mean = math.fsum(means) / size
    return tuple(
        tuple(
            (value - means[one] - means[other] + mean) * ELO_PER_LOGIT**2
            for other, value in enumerate(row)
        )
        for one, row in enumerate(matrix)
    )


def _groups(meetings: Sequence[Mapping[int, int]]) -> tuple[tuple[int, ...], ...]:
    """Return the bots in groups of those who are connected by matches, in order of number."""
    left = set(range(len(meetings)))
    groups = []
    for bot in range(len(meetings)):
        if bot not in left:
            continue
        found, waiting = set[int](), [bot]
        while waiting:
            one = waiting.pop()
            if one in left:
                left.remove(one)
                found.add(one)
                waiting += meetings[one]
        groups.append(tuple(sorted(found)))
    return tuple(groups)
