"""Say who meets whom in a round robin, a gauntlet or a knockout. ``swiss`` has the Swiss system.

A schedule knows numbers of bots and results and nothing else. It keeps no state: equal results
always give the same encounters, so a run that was broken off goes on from its results alone.
"""

from __future__ import annotations

import hashlib
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count

from spielleiter.arena.statistics.standings import TableResult

CONTEST_MATCHES = 6
"""An encounter of the contest has six matches, and who begins alternates."""
MOST_BOTS = 256
"""Ratings of so many take seconds, and their round robin has 32,640 encounters."""
_SEED_BYTES = 6
"""So that a seed is a whole number in every JSON reader, and no two are ever equal."""


@dataclass(frozen=True, slots=True)
class Encounter:
    """Two bots who are to play some matches against each other."""

    number: int
    """Its place in the schedule, from 0."""
    round: int
    """From 1. Nobody has two encounters in one round."""
    first: int
    """The bot that begins the first match."""
    second: int


@dataclass(frozen=True, slots=True)
class EncounterResult:
    """The sums of an encounter's matches, of its first bot and its second."""

    points: tuple[int, int]
    """Victory points."""
    scores: tuple[int, int]


@dataclass(frozen=True, slots=True)
class ScheduledMatch:
    """One match of an encounter. Numbers of matches and pairs are unique in a run."""

    number: int
    pair: int
    round: int
    bots: tuple[int, int]
    """By seat."""
    seed: int
    """Of the opening. Both matches of a pair have the same one."""


Results = Mapping[int, EncounterResult]
"""Finished encounters by their number."""


class Schedule(ABC):
    """Who meets whom. Bots are numbered from 0, best seed first."""

    bots: int

    @abstractmethod
    def total(self) -> int:
        """Return how many encounters there will have been at the end."""

    @abstractmethod
    def known(self, results: Results) -> Sequence[Encounter]:
        """Return every encounter whose two bots are known, played or not, in order of number."""

    def upcoming(self, results: Results) -> list[Encounter]:
        """Return the encounters that can be played now.

        They do not depend on each other, so they may be played at the same time. The list is
        empty when the tournament is over. Raises ValueError if an encounter has a result that
        cannot have been played yet.
        """
        known = self.known(results)
        early = results.keys() - {encounter.number for encounter in known}
        if early:
            raise ValueError(
                f"encounter {min(early)} has a result, but it cannot have been played yet"
            )
        return [encounter for encounter in known if encounter.number not in results]

    def byes(self, results: Results) -> Mapping[int, int]:  # noqa: ARG002 - for the Swiss system
        """Return how many byes that count as wins each bot has had (A5)."""
        return {}


def matches_of(
    encounter: Encounter, matches: int = CONTEST_MATCHES, seed: int = 0
) -> list[ScheduledMatch]:
    """Return the matches of an encounter, whose first bot begins every other one.

    Two and two are a pair with one opening. If their number is odd, the last has no partner.
    """
    if matches < 1:
        raise ValueError(f"an encounter has at least one match, not {matches}")
    pairs = (matches + 1) // 2
    planned = []
    for number in range(matches):
        pair = number // 2
        bots = encounter.first, encounter.second
        planned.append(
            ScheduledMatch(
                number=encounter.number * matches + number,
                pair=encounter.number * pairs + pair,
                round=encounter.round,
                bots=bots[::-1] if number % 2 else bots,
                seed=opening_seed(seed, encounter.number, pair),
            )
        )
    return planned


def opening_seed(seed: int, encounter: int, pair: int) -> int:
    """Return the seed of an opening, which is the same on every machine and version."""
    digest = hashlib.sha256(f"opening {seed} {encounter} {pair}".encode()).digest()
    return int.from_bytes(digest[:_SEED_BYTES], "big")


def encounter_result(encounter: Encounter, results: Iterable[TableResult]) -> EncounterResult:
    """Return the sums of an encounter's matches, in whichever seats they were played."""
    points, scores = [0, 0], [0, 0]
    bots = encounter.first, encounter.second
    for result in results:
        if set(result.bots) != set(bots):
            raise ValueError(f"a match of {result.bots} does not belong to the encounter of {bots}")
        for seat, bot in enumerate(result.bots):
            points[bots.index(bot)] += result.points[seat]
            scores[bots.index(bot)] += result.scores[seat]
    return EncounterResult((points[0], points[1]), (scores[0], scores[1]))


class RoundRobin(Schedule):
    """Everybody meets everybody once in each leg.

    In each leg everybody begins as often as they do not, or once more or less often. The second
    leg swaps who begins.
    """

    def __init__(self, bots: int, legs: int = 1) -> None:
        check_bots(bots)
        if legs < 1:
            raise ValueError(f"a round robin has at least one leg, not {legs}")
        self.bots = bots
        self._encounters = tuple(_round_robin(bots, legs))

    def total(self) -> int:
        return len(self._encounters)

    def known(self, results: Results) -> Sequence[Encounter]:  # noqa: ARG002 - all are known
        return self._encounters


def _round_robin(bots: int, legs: int) -> Iterator[Encounter]:
    """Yield the encounters by the circle method.

    One bot stays, and all others go round it. With an odd number an empty place stays, and
    whoever is opposite pauses.
    """
    numbers = count()
    places = bots + bots % 2
    for round_index in range(legs * (places - 1)):
        leg, turn = divmod(round_index, places - 1)
        circle = [places - 1, *((turn + place) % (places - 1) for place in range(places - 1))]
        for place in range(places // 2):
            one, other = sorted((circle[place], circle[-1 - place]))
            if other >= bots:
                continue
            # Who begins follows from the numbers alone. Counted over all others that is balanced.
            begins = (one + other) % 2 == 1
            if leg % 2:
                begins = not begins
            pair = (one, other) if begins else (other, one)
            yield Encounter(next(numbers), round_index + 1, *pair)


class Gauntlet(Schedule):
    """Each challenger meets everybody who is not a challenger, once in each leg."""

    def __init__(self, bots: int, challengers: Iterable[int] = (0,), legs: int = 1) -> None:
        check_bots(bots)
        chosen = sorted(set(challengers))
        if not chosen or not 0 <= chosen[0] <= chosen[-1] < bots or len(chosen) == bots:
            raise ValueError(
                f"a gauntlet of {bots} bots needs challengers among them and somebody to challenge"
            )
        if legs < 1:
            raise ValueError(f"a gauntlet has at least one leg, not {legs}")
        self.bots = bots
        self._encounters = tuple(_gauntlet(bots, chosen, legs))

    def total(self) -> int:
        return len(self._encounters)

    def known(self, results: Results) -> Sequence[Encounter]:  # noqa: ARG002 - all are known
        return self._encounters


def _gauntlet(bots: int, challengers: Sequence[int], legs: int) -> Iterator[Encounter]:
    """Yield the encounters in rounds, in which the smaller side goes round the larger one."""
    numbers = count()
    rest = [bot for bot in range(bots) if bot not in set(challengers)]
    rounds = max(len(challengers), len(rest))
    for round_index in range(legs * rounds):
        leg, turn = divmod(round_index, rounds)
        for place in range(min(len(challengers), len(rest))):
            across = (place + turn) % rounds
            one, other = (place, across) if len(rest) == rounds else (across, place)
            pair = challengers[one], rest[other]
            begins = (one + other + leg) % 2 == 0
            yield Encounter(next(numbers), round_index + 1, *(pair if begins else pair[::-1]))


class Knockout(Schedule):
    """Whoever loses an encounter is out.

    The bracket is the usual one: the two best seeds can meet in the final only, and the best seeds
    have a bye where the number of bots is not a power of two. The better seed begins. Encounters
    that end level are decided by ruling A6.
    """

    def __init__(self, bots: int, *, third_place: bool = False) -> None:
        check_bots(bots)
        if third_place and bots < 4:
            raise ValueError("a match for the third place needs four bots")
        self.bots = bots
        self._has_third_place = third_place

    def total(self) -> int:
        return self.bots - 1 + self._has_third_place

    def known(self, results: Results) -> Sequence[Encounter]:
        return [encounter for encounter in self._walk(results) if encounter is not None]

    def places(self, results: Results) -> dict[int, int]:
        """Return the place of every bot that has one already.

        Those who lost in the same round share a place, but for the match for the third place.
        """
        places: dict[int, int] = {}
        semifinal, final = self._rounds() - 1, self._rounds()
        for encounter in self.known(results):
            result = results.get(encounter.number)
            if result is None:
                continue
            winner, loser = _decided(encounter, result)
            if self._is_third(encounter):
                places |= {winner: 3, loser: 4}
            elif encounter.round == final:
                places |= {winner: 1, loser: 2}
            elif encounter.round < semifinal or not self._has_third_place:
                places[loser] = 2 ** (final - encounter.round) + 1
        return places

    def _rounds(self) -> int:
        return (self.bots - 1).bit_length()

    def _is_third(self, encounter: Encounter) -> bool:
        return self._has_third_place and encounter.number == self.total() - 2

    def _walk(self, results: Results) -> Iterator[Encounter | None]:
        """Yield every encounter in order of number, None where a bot is not known yet."""
        numbers = count()
        slots: list[int | None] = list(_bracket(self._rounds()))
        losers: list[int | None] = []
        for round_number in range(1, self._rounds() + 1):
            if round_number == self._rounds() and self._has_third_place:
                yield _meeting(next(numbers), round_number, *losers)
            winners: list[int | None] = []
            losers = []
            for one, other in zip(slots[::2], slots[1::2], strict=True):
                if other is not None and other >= self.bots:
                    winners.append(one)
                    continue
                encounter = _meeting(next(numbers), round_number, one, other)
                yield encounter
                result = None if encounter is None else results.get(encounter.number)
                if encounter is None or result is None:
                    winner, loser = None, None
                else:
                    winner, loser = _decided(encounter, result)
                winners.append(winner)
                losers.append(loser)
            slots = winners


def _meeting(
    number: int, round_number: int, one: int | None, other: int | None
) -> Encounter | None:
    if one is None or other is None:
        return None
    return Encounter(number, round_number, min(one, other), max(one, other))


def _bracket(rounds: int) -> list[int]:
    """Return the seeds in the order of the bracket, the better one first in each pair."""
    seeds = [0]
    for number in range(rounds):
        last = 2 ** (number + 1) - 1
        seeds = [seed for better in seeds for seed in (better, last - better)]
    return [seed for pair in zip(seeds[::2], seeds[1::2], strict=True) for seed in sorted(pair)]


def _decided(encounter: Encounter, result: EncounterResult) -> tuple[int, int]:
    """Return winner and loser of an encounter that must have both (A6)."""
    mine, theirs = zip(result.points, result.scores, strict=True)
    if mine == theirs:
        return min(encounter.first, encounter.second), max(encounter.first, encounter.second)
    if mine > theirs:
        return encounter.first, encounter.second
    return encounter.second, encounter.first


def check_bots(bots: int) -> None:
    """Raise ValueError if no tournament has so many bots."""
    if not 2 <= bots <= MOST_BOTS:
        raise ValueError(f"a tournament has between 2 and {MOST_BOTS} bots, not {bots}")
