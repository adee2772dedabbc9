"""Add matches up, those of a run that is being played and those of runs that are read again.

So both give the same figures. Which matches count is decided elsewhere.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from spielleiter.arena.statistics import standings
from spielleiter.arena.statistics.ratings import Ratings, rate_matches
from spielleiter.arena.statistics.standings import Cell, Row, TableResult
from spielleiter.arena.statistics.strength import PairedResult, Summary, summarise
from spielleiter.rules import DRAW, LOSS, WIN, Cause


@dataclass(frozen=True, slots=True, kw_only=True)
class CountedMatch:
    """One match as it is counted. Pairs of values are by seat, the first seat first."""

    pair: int
    bots: tuple[int, int]
    """Their numbers from 0."""
    points: tuple[int, int]
    """Victory points, which are 2, 1 or 0."""
    scores: tuple[int, int]
    """What the championship's table counts (ruling A4)."""
    causes: tuple[Cause, Cause]
    slowest: tuple[float | None, ...]
    """Seconds of the longest move of each."""
    digest: str
    """Equal for matches with equal start and moves, empty if unknown."""
    way: str
    was_late: bool
    """Whether this machine was, by more than it may."""

    @property
    def offenders(self) -> tuple[int, ...]:
        """The seats that left, were too slow or broke a rule."""
        return tuple(seat for seat, cause in enumerate(self.causes) if cause is not Cause.REGULAR)

    @property
    def pair_key(self) -> Hashable:
        """What only the matches of one pair have in common."""
        return self.pair

    @property
    def table_result(self) -> TableResult:
        """The match as the championship's table and the cross table need it."""
        return TableResult(self.bots, self.points, self.scores, not self.offenders)


@dataclass(slots=True)
class BotFigures:
    """What became of one bot so far."""

    wins: int = 0
    draws: int = 0
    losses: int = 0
    crashes: int = 0
    """Matches it lost because it left, which is what a program does that ends or never comes."""
    time_losses: int = 0
    doubtful: int = 0
    """Those of its losses by the clock during which this machine was late itself."""
    broken_rules: int = 0
    slowest: float | None = None
    """Seconds of its longest move."""

    @property
    def matches(self) -> int:
        return self.wins + self.draws + self.losses

    @property
    def failures(self) -> int:
        """Matches that it threw away."""
        return self.crashes + self.time_losses + self.broken_rules

    def add(self, match: CountedMatch, seat: int) -> None:
        """Count one more match, in which the bot had this seat."""
        points, cause = match.points[seat], match.causes[seat]
        self.wins += points == WIN
        self.draws += points == DRAW
        self.losses += points == LOSS
        self.crashes += cause is Cause.LEFT
        is_late = cause in (Cause.SOFT_TIMEOUT, Cause.HARD_TIMEOUT)
        self.time_losses += is_late
        self.doubtful += is_late and match.was_late
        self.broken_rules += cause is Cause.RULE_VIOLATION
        seconds = match.slowest[seat] if seat < len(match.slowest) else None
        if seconds is not None:
            self.slowest = max(self.slowest or 0.0, seconds)


@dataclass(frozen=True)  # without slots, since what was calculated is kept
class ScoreSheet:
    """What some matches of so many bots add up to.

    Each sum takes some microseconds for each match and is kept.
    """

    bots: int
    matches: Sequence[CountedMatch]
    """In the order in which they count."""

    @cached_property
    def figures(self) -> tuple[BotFigures, ...]:
        """What became of each bot, by number."""
        found = tuple(BotFigures() for _ in range(self.bots))
        for match in self.matches:
            for seat, bot in enumerate(match.bots):
                found[bot].add(match, seat)
        return found

    @cached_property
    def summary(self) -> Summary:
        """What the results tell about the first of two bots."""
        return summarise(paired_results(self.matches))

    @cached_property
    def ratings(self) -> Ratings:
        """The ratings of all bots. Matches that are the same as earlier ones count once."""
        found = ((match.bots, match.points[0] / WIN, match.digest) for match in self.matches)
        return rate_matches(self.bots, found)

    @cached_property
    def cross_table(self) -> Sequence[Sequence[Cell]]:
        """What each bot (row) reached against each other one (column)."""
        return standings.cross_table(self.bots, self.results())

    @cached_property
    def ways(self) -> Mapping[str, int]:
        """How many matches were played in which way, by its name."""
        return dict(sorted(Counter(match.way for match in self.matches).items()))

    @property
    def repeated(self) -> int:
        """Matches that are the same as an earlier one, with the same bots in the same seats."""
        known = [(match.bots, match.digest) for match in self.matches if match.digest]
        return len(known) - len(set(known))

    def results(self) -> Iterator[TableResult]:
        """Yield the matches as tables need them."""
        return (match.table_result for match in self.matches)

    def table(
        self, *, byes: Mapping[int, int] | None = None, matches_per_encounter: int = 0
    ) -> list[Row]:
        """Return the championship's table, as ``standings.table`` does."""
        return standings.table(
            self.bots, self.results(), byes=byes, matches_per_encounter=matches_per_encounter
        )


def paired_results(matches: Iterable[CountedMatch]) -> Iterator[PairedResult]:
    """Yield matches of two bots as the one with the lower number sees them.

    A pair in which a bot sits in one seat twice is a mistake of whoever planned the run. The
    second match then belongs to no pair.
    """
    numbers: dict[Hashable, int] = {}
    taken: set[tuple[int, int]] = set()
    for count, match in enumerate(matches):
        seat = match.bots.index(min(match.bots))
        pair = numbers.setdefault(match.pair_key, count)
        if (pair, seat) in taken:
            pair = -count - 1
        taken.add((pair, seat))
        difference = match.scores[seat] - match.scores[1 - seat]
        yield PairedResult(pair, seat, match.points[seat], difference, match.digest)
