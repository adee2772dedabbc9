"""Say who meets whom in the Swiss system, in which equals meet and nobody meets twice.

Each round pairs bots with equal victory points, the upper half of such a group with the lower. A
pair is made only if all others can still be paired without meeting somebody again. So repeats
happen only where a round cannot do without, and then as few as possible. Up to half as many rounds
as there are bots there are none.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field

from spielleiter.arena.pairing.matching import Matching
from spielleiter.arena.pairing.schedule import (
    CONTEST_MATCHES,
    Encounter,
    EncounterResult,
    Results,
    Schedule,
    check_bots,
)
from spielleiter.rules import WIN


def usual_rounds(bots: int) -> int:
    """Return how many rounds are needed so that one bot can be without a lost encounter."""
    return max((bots - 1).bit_length(), 1)


def most_rounds(bots: int) -> int:
    """Return after how many rounds everybody would have met everybody."""
    return bots - 1 + bots % 2


class Swiss(Schedule):
    """A Swiss tournament. A round begins when all encounters of the one before have results.

    ``matches`` is how many an encounter has. A bye counts as so many wins (A5), nobody has two of
    them, and the lowest bot that may have one gets it.
    """

    def __init__(
        self, bots: int, rounds: int | None = None, *, matches: int = CONTEST_MATCHES
    ) -> None:
        check_bots(bots)
        self.bots = bots
        self.rounds = usual_rounds(bots) if rounds is None else rounds
        if not 1 <= self.rounds <= most_rounds(bots):
            raise ValueError(
                f"a Swiss tournament of {bots} bots has between 1 and {most_rounds(bots)} rounds, "
                f"not {self.rounds}"
            )
        self._matches = matches
        # What the last question led to. It saves work and changes no answer: a round is kept only
        # as long as all results before it are the same.
        self._rounds: list[list[Encounter]] = []
        self._outcomes: list[tuple[EncounterResult, ...]] = []
        self._history = _History(bots)

    def total(self) -> int:
        return self.rounds * (self.bots // 2)

    def known(self, results: Results) -> Sequence[Encounter]:
        return [encounter for begun in self._begun(results) for encounter in begun]

    def byes(self, results: Results) -> Mapping[int, int]:
        return Counter(bot for begun in self._begun(results) for bot in _pausing(self.bots, begun))

    def _begun(self, results: Results) -> list[list[Encounter]]:
        """Return the encounters of every round that has begun."""
        for number in range(self.rounds):
            if number == len(self._rounds):
                self._rounds.append(self._pair(number))
            found = [results.get(encounter.number) for encounter in self._rounds[number]]
            outcome = tuple(result for result in found if result is not None)
            if len(outcome) < len(found):
                return self._rounds[: number + 1]
            if self._outcomes[number : number + 1] != [outcome]:
                self._forget(number)
                self._learn(number, outcome)
        return self._rounds[:]

    def _pair(self, number: int) -> list[Encounter]:
        history = self._history
        first = number * (self.bots // 2)
        return [
            Encounter(first + board, number + 1, *history.seated(one, other, board + number))
            for board, (one, other) in enumerate(history.pairs())
        ]

    def _learn(self, number: int, outcome: tuple[EncounterResult, ...]) -> None:
        self._outcomes.append(outcome)
        self._history.add(self._rounds[number], outcome, WIN * self._matches)

    def _forget(self, number: int) -> None:
        """Drop the results of a round and all that followed from them."""
        if number == len(self._outcomes):
            return
        kept = self._outcomes[:number]
        del self._rounds[number + 1 :]
        self._outcomes, self._history = [], _History(self.bots)
        for before, outcome in enumerate(kept):
            self._learn(before, outcome)


def _pausing(bots: int, encounters: Sequence[Encounter]) -> set[int]:
    met = {bot for encounter in encounters for bot in (encounter.first, encounter.second)}
    return set(range(bots)) - met


@dataclass(slots=True)
class _History:
    """What the rounds so far say about each bot."""

    bots: int
    points: list[int] = field(init=False)
    scores: list[int] = field(init=False)
    played: list[int] = field(init=False)
    begun: list[int] = field(init=False)
    """How much more often a bot began encounters than it did not."""
    meetings: Counter[tuple[int, int]] = field(default_factory=Counter)
    paused: set[int] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.points, self.scores, self.played, self.begun = ([0] * self.bots for _ in range(4))

    def add(
        self, encounters: Sequence[Encounter], outcome: Sequence[EncounterResult], bye: int
    ) -> None:
        """Add a round. Whoever paused in it gets the points of a bye."""
        for encounter, result in zip(encounters, outcome, strict=True):
            bots = encounter.first, encounter.second
            for place, bot in enumerate(bots):
                self.points[bot] += result.points[place]
                self.scores[bot] += result.scores[place]
                self.played[bot] += 1
                self.begun[bot] += -1 if place else 1
            self.meetings[min(bots), max(bots)] += 1
        for bot in _pausing(self.bots, encounters):
            self.points[bot] += bye
            self.paused.add(bot)

    def seated(self, one: int, other: int, turn: int) -> tuple[int, int]:
        """Return who begins, which is whoever did so less often, else by turns."""
        if self.begun[one] != self.begun[other]:
            return (one, other) if self.begun[one] < self.begun[other] else (other, one)
        return (one, other) if turn % 2 else (other, one)

    def pairs(self) -> list[tuple[int, int]]:
        """Return the pairs of the next round, best first."""

        def key(bot: int) -> tuple[float, float, int]:
            mean = self.scores[bot] / self.played[bot] if self.played[bot] else -math.inf
            return -self.points[bot], -mean, bot

        ranked = sorted(range(self.bots), key=key)
        ranks = {bot: rank for rank, bot in enumerate(ranked)}
        times = {
            (min(ranks[one], ranks[other]), max(ranks[one], ranks[other])): number
            for (one, other), number in self.meetings.items()
        }
        paused = {ranks[bot] for bot in self.paused}
        found = _paired([self.points[bot] for bot in ranked], times, paused)
        return [(ranked[one], ranked[other]) for one, other in found]


def _paired(
    points: Sequence[int], times: Mapping[tuple[int, int], int], paused: Set[int]
) -> list[tuple[int, int]]:
    """Return the pairs of a round, in ranks.

    ``times`` says how often two ranks have met, and ``paused`` which had a bye.
    """
    fresh = [
        [
            other
            for other in range(len(points))
            if other != rank and (min(rank, other), max(rank, other)) not in times
        ]
        for rank in range(len(points))
    ]
    left = list(range(len(points)))
    if len(points) % 2:
        left.remove(_bye(fresh, paused))
    matching = _matching(fresh, set(range(len(points))) - set(left))
    repeats = _repeats(matching.exposed(), times)
    for pair in repeats:
        for rank in pair:
            matching.remove(rank)
            left.remove(rank)
    pairs = list(repeats)
    while left:
        rank = left[0]
        for other in _preferred(left, points):
            if other in fresh[rank] and matching.take(rank, other):
                break
        else:
            raise AssertionError("a perfect matching has a partner for everybody")
        pairs.append((rank, other))
        left.remove(rank)
        left.remove(other)
    return sorted(pairs)


def _matching(fresh: Sequence[Sequence[int]], gone: Set[int]) -> Matching:
    matching = Matching(fresh)
    for rank in gone:
        matching.remove(rank)
    matching.grow()
    return matching


def _bye(fresh: Sequence[Sequence[int]], paused: Set[int]) -> int:
    """Return the lowest rank without a bye whose bye costs the fewest repeats."""
    best: tuple[int, int] | None = None
    for rank in range(len(fresh) - 1, -1, -1):
        if rank in paused:
            continue
        repeats = len(_matching(fresh, {rank}).exposed())
        if best is None or repeats < best[0]:
            best = repeats, rank
        if not repeats:
            break
    assert best is not None, "there are no more rounds than bots"
    return best[1]


def _repeats(exposed: Sequence[int], times: Mapping[tuple[int, int], int]) -> list[tuple[int, int]]:
    """Return pairs of those who have met everybody they could be paired with."""
    left = list(exposed)
    pairs = []
    while left:
        rank = left.pop(0)
        other = min(left, key=lambda other: times[rank, other])
        left.remove(other)
        pairs.append((rank, other))
    return pairs


def _preferred(left: Sequence[int], points: Sequence[int]) -> Iterator[int]:
    """Yield whom the first of those left should meet, best choice first.

    That is the first of the lower half of its group, then the rest of that half, then its own
    half from below, then everybody further down.
    """
    size = sum(points[rank] == points[left[0]] for rank in left)
    half = size // 2
    yield from left[max(half, 1) : size]
    yield from reversed(left[1:half])
    yield from left[size:]
