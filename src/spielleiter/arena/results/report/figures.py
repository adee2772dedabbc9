"""Calculate what the plots of a report show. Nothing here knows how they look."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from spielleiter.arena.results.collection import CollectedMatch, Collection
from spielleiter.arena.statistics.score_sheet import paired_results
from spielleiter.arena.statistics.strength import Pentanomial, without_repeats
from spielleiter.arena.store.reader import RunPlace
from spielleiter.rules import WIN, AnyGame, AnyState, GameError

_STEP = 10**0.25
TIME_EDGES = tuple(10 ** (step / 4) for step in range(-20, 13))
"""Seconds between which moves are counted, from ten microseconds to a quarter of an hour."""
MOST_POINTS = 150
"""Of one line. More could not be told apart on a screen."""
MOST_STARTS = 30
"""Where there are more, such as shuffled boards, each start has too few matches to compare."""
_START_KEY = "start_piece"
"""What the views of games call the one thing in which their starts differ."""


@dataclass(frozen=True, slots=True)
class CurvePoint:
    """The mean score after so many matches, from 0 to 1, with its 95 % interval if known."""

    matches: int
    score: float
    low: float | None = None
    high: float | None = None


def score_curve(collection: Collection, bot: int) -> list[CurvePoint]:
    """Return how the mean score of a bot went on, match by match, at most ``MOST_POINTS``."""
    points = [
        match.points[match.bots.index(bot)] / WIN
        for match in collection.counted
        if bot in match.bots
    ]
    chosen = _spread(len(points))
    total = 0.0
    curve = []
    for number, score in enumerate(points, 1):
        total += score
        if number in chosen:
            curve.append(CurvePoint(number, total / number))
    return curve


def duel_curve(collection: Collection) -> list[CurvePoint]:
    """Return the curve of the first of two bots, with errors over the pairs so far.

    Repeats of earlier matches count for the score, but not for its error.
    """
    results = list(paired_results(collection.counted))
    new = {id(result) for result in without_repeats(results)}
    chosen = _spread(len(results))
    half: dict[int, int] = {}
    counts = [0] * 5
    total = 0.0
    curve = []
    for number, result in enumerate(results, 1):
        total += result.points / WIN
        if id(result) in new:
            other = half.pop(result.pair, None)
            if other is None:
                half[result.pair] = result.points
            else:
                counts[other + result.points] += 1
        if number in chosen:
            a, b, c, d, e = counts
            pairs = Pentanomial((a, b, c, d, e))
            error, score = pairs.score_error(), total / number
            low = None if error is None else max(score - error, 0.0)
            high = None if error is None else min(score + error, 1.0)
            curve.append(CurvePoint(number, score, low, high))
    return curve


def _spread(matches: int) -> frozenset[int]:
    """Return the matches after which a curve has a point, the last one among them."""
    step = max(math.ceil(matches / MOST_POINTS), 1)
    return frozenset(range(matches, 0, -step))


# Starts and seats


def start_names(game: AnyGame, matches: Iterable[CollectedMatch]) -> list[str | None]:
    """Return what to call the start of each match, None where there is no name for it."""
    names: dict[AnyState, str | None] = {}
    found = []
    for one in matches:
        state = _first_position(game, one)
        if state is not None and state not in names:
            value = game.view(state).get(_START_KEY)
            names[state] = value if isinstance(value, str) else None
            if names[state] is None:
                return []  # then no other start of this game has one either
        found.append(None if state is None else names[state])
    return found


def _first_position(game: AnyGame, one: CollectedMatch) -> AnyState | None:
    position, seed = one.opening.get("position"), one.opening.get("seed")
    if isinstance(position, str):
        try:
            parsed: AnyState = game.parse_position(position)
        except GameError:
            return None
        return parsed
    if isinstance(seed, int):
        start: AnyState = game.start(seed)
        return start
    return None


@dataclass(frozen=True, slots=True)
class Mean:
    """The mean score of a bot in some matches, and how many there were."""

    score: float = 0.0
    matches: int = 0

    def add(self, score: float) -> Mean:
        number = self.matches + 1
        return Mean(self.score + (score - self.score) / number, number)


_NOTHING = Mean()


def means_by_start(collection: Collection) -> dict[str, dict[int, Mean]]:
    """Return the mean scores by start and bot. Empty where starts have no names or are too many."""
    means: dict[str, dict[int, Mean]] = {}
    names = start_names(collection.game, collection.counted)
    for name, match in zip(names, collection.counted, strict=False):
        if name is None:
            continue
        bots = means.setdefault(name, {})
        for bot, score in zip(match.bots, match.scores, strict=True):
            bots[bot] = bots.get(bot, _NOTHING).add(score)
    return dict(sorted(means.items())) if len(means) <= MOST_STARTS else {}


def means_by_seat(collection: Collection) -> list[tuple[Mean, Mean]]:
    """Return for each bot the mean scores in the first and in the second seat."""
    means = [[_NOTHING, _NOTHING] for _ in collection.bots]
    for match in collection.counted:
        for seat, (bot, score) in enumerate(zip(match.bots, match.scores, strict=True)):
            means[bot][seat] = means[bot][seat].add(score)
    return [(first, second) for first, second in means]


# Times


def move_times(places: Iterable[RunPlace], collection: Collection) -> dict[int, list[int]]:
    """Return how many moves of each bot fell between ``TIME_EDGES``. Raises StoreError."""
    runs = {run.run.key: run for run in collection.runs}
    times: dict[int, list[int]] = {}
    for place in places:
        run = runs.get(place.stored.run.key)
        if run is None:
            continue
        stored = place.reader.bots(place.stored.id)
        numbers = {bot.number: number for bot, number in zip(stored, run.bots, strict=True)}
        for bot, span, count in place.reader.count_move_times(place.stored.id, TIME_EDGES):
            counts = times.setdefault(numbers[bot], [0] * (len(TIME_EDGES) + 1))
            counts[span] += count
    return times


def range_ends(span: int) -> tuple[float, float]:
    """Return between which seconds a range is drawn, also of the two that are open."""
    low = TIME_EDGES[span - 1] if span else TIME_EDGES[0] / _STEP
    return low, TIME_EDGES[span] if span < len(TIME_EDGES) else TIME_EDGES[-1] * _STEP


def quantile_time(counts: Sequence[int], share: float) -> float:
    """Return about how many seconds this share of the moves took at most."""
    wanted = share * sum(counts)
    passed = 0
    for span, count in enumerate(counts):
        if count and passed + count >= wanted:
            part = (wanted - passed) / count
            low, high = range_ends(span)
            return float(low * (high / low) ** part)
        passed += count
    return 0.0


def longest_times(collection: Collection) -> Mapping[int, float]:
    """Return the longest move of each bot in seconds."""
    longest: dict[int, float] = {}
    for match in collection.counted:
        for bot, seconds in zip(match.bots, match.slowest, strict=False):
            if seconds is not None:
                longest[bot] = max(longest.get(bot, 0.0), seconds)
    return longest
