"""Collect the results of runs from databases, and join runs of one game.

Moves are not read, so that a run of many thousand matches is collected in seconds. What the
results prove is the business of ``conclusion``, ``ratings`` and ``standings``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import Any

from spielleiter.arena.statistics.conclusion import Conclusion, RunVerdict, conclude
from spielleiter.arena.statistics.ratings import Ratings, rate_matches
from spielleiter.arena.statistics.sprt import EloScale, Sprt
from spielleiter.arena.statistics.standings import Row, TableResult, read_scores, table
from spielleiter.arena.statistics.strength import PairedResult, Summary, summarise
from spielleiter.arena.store.errors import StoreError, StoreFault
from spielleiter.arena.store.reader import RunPlace
from spielleiter.arena.store.values import MatchResult, NewRun, StoredBot, StoredMatch
from spielleiter.games import get_game
from spielleiter.rules import WIN, AnyGame, Cause, GameError, Text, UnknownGame, one_line

SEATS = 2
LATE_SECONDS = 0.1
"""A machine that is late by more may have cost a bot its match."""


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """One match that was played. Pairs of values are by seat, the first seat first."""

    run: int
    """The number of its run in the collection."""
    number: int
    round: int
    pair: int
    bots: tuple[int, int]
    """Their numbers in the collection."""
    seed: int
    opening: Mapping[str, Any]
    winner: int | None
    points: tuple[int, int]
    scores: tuple[int, int]
    """What the championship's table counts (ruling A4)."""
    parts: tuple[tuple[int, ...], ...]
    """All of the game's own numbers, as the match stood at its end."""
    causes: tuple[Cause, Cause]
    code: str
    reason: Text
    seconds: float | None
    slowest: tuple[float | None, ...]
    delay: float | None
    way: str
    digest: str
    was_cancelled: bool
    finished_at: datetime

    @property
    def offenders(self) -> tuple[int, ...]:
        """The seats that left, were too slow or broke a rule."""
        return tuple(seat for seat, cause in enumerate(self.causes) if cause is not Cause.REGULAR)


@dataclass(frozen=True, slots=True)
class CollectedBot:
    """A bot, and what to call it where another one has the same name."""

    label: str
    bot: StoredBot


@dataclass(frozen=True, slots=True)
class CollectedRun:
    """A run, as far as it was played."""

    path: Path
    """Its database."""
    stored_id: int
    run: NewRun
    bots: tuple[int, ...]
    """Their numbers in the collection, in the order of the run."""
    matches: int
    """Those in the database, played or not."""
    played: int
    sprt: Sprt | None = None
    byes: Mapping[int, int] = field(default_factory=dict)
    """Rounds of a Swiss tournament in which a bot had no opponent."""

    @property
    def folder(self) -> Path:
        return self.path.parent

    @property
    def planned(self) -> int:
        """How many matches it will have, if no sequential test ends it before."""
        return max(self.matches, self.run.planned_matches or 0, _whole(self.run.plan, "total"))

    @property
    def matches_per_encounter(self) -> int:
        return _whole(self.run.plan, "matches")

    @property
    def has_all_matches(self) -> bool:
        return self.played == self.planned


@dataclass(frozen=True)  # without slots, since what was calculated is kept
class Collection:
    """Runs of one game, with their bots and the matches that were played."""

    game: AnyGame
    runs: tuple[CollectedRun, ...]
    bots: tuple[CollectedBot, ...]
    games: tuple[PlayedGame, ...]

    @property
    def labels(self) -> tuple[str, ...]:
        return tuple(bot.label for bot in self.bots)

    @property
    def is_duel(self) -> bool:
        return len(self.bots) == SEATS

    @property
    def sprt(self) -> Sprt | None:
        """The sequential test of the only run. Runs that are joined have none together."""
        return self.runs[0].sprt if len(self.runs) == 1 else None

    @property
    def is_complete(self) -> bool:
        """Whether nothing is left to play."""
        if all(run.has_all_matches for run in self.runs):
            return True
        if self.sprt is None or not self.is_duel:
            return False
        return self.conclusion.verdict is not RunVerdict.OPEN

    @property
    def delay(self) -> float:
        """The seconds by which the machine itself was late at worst."""
        return max((game.delay or 0.0 for game in self.games), default=0.0)

    @cached_property
    def summary(self) -> Summary:
        """What the results tell about the first of two bots."""
        return summarise(paired_results(self.games))

    @cached_property
    def conclusion(self) -> Conclusion:
        """Which of two bots is stronger, in plain words."""
        first, second = self.labels
        complete = all(run.has_all_matches for run in self.runs)
        unit = self.game.score_names[0]
        return conclude(
            self.summary, (first, second), sprt=self.sprt, is_complete=complete, unit=unit
        )

    def table_results(self) -> Iterator[TableResult]:
        """Yield the matches as the championship's table and the cross table need them."""
        for game in self.games:
            yield TableResult(game.bots, game.points, game.scores, not game.offenders)

    @cached_property
    def standings(self) -> Sequence[Row]:
        """The championship's table, best first."""
        if len(self.runs) == 1:
            (run,) = self.runs
            byes, worth = dict(run.byes), run.matches_per_encounter
        else:  # encounters of several runs need not be of one length, so matches are counted
            byes, worth = {}, 1
            for run in self.runs:
                for bot, rounds in run.byes.items():
                    byes[bot] = byes.get(bot, 0) + rounds * run.matches_per_encounter
        results = self.table_results()
        return table(len(self.bots), results, byes=byes, matches_per_encounter=worth)

    @cached_property
    def ratings(self) -> Ratings:
        """The ratings of all bots. Matches that are the same as earlier ones count once."""
        matches = ((game.bots, game.points[0] / WIN, game.digest) for game in self.games)
        return rate_matches(len(self.bots), matches)


def paired_results(games: Iterable[PlayedGame]) -> Iterator[PairedResult]:
    """Yield matches of two bots as the one with the lower number sees them.

    A pair in which a bot sits in one seat twice is a mistake of whoever planned the run. The
    second match then belongs to no pair.
    """
    numbers: dict[tuple[int, int, int], int] = {}
    taken: set[tuple[int, int]] = set()
    for count, game in enumerate(games):
        seat = game.bots.index(min(game.bots))
        pair = numbers.setdefault((game.run, game.round, game.pair), count)
        if (pair, seat) in taken:
            pair = -count - 1
        taken.add((pair, seat))
        difference = game.scores[seat] - game.scores[1 - seat]
        yield PairedResult(pair, seat, game.points[seat], difference, game.digest)


# Reading


def collect(place: RunPlace) -> Collection:
    """Return one run with its results. Raises StoreError."""
    reader, stored = place.reader, place.stored
    try:
        game = get_game(stored.run.game)
    except UnknownGame as error:
        raise StoreError(
            StoreFault.NEWER,
            f"run {stored.id} of {reader.path} cannot be read: {error}",
            "read it with the version of spielleiter that wrote it",
        ) from error
    bots = reader.bots(stored.id)
    places = {bot.number: place for place, bot in enumerate(bots)}
    games: list[PlayedGame] = []
    matches = 0
    rounds: dict[int, set[int]] = {}
    for match in reader.matches(stored.id):
        matches += 1
        seated = places[match.plan.first_bot], places[match.plan.second_bot]
        rounds.setdefault(match.plan.round, set()).update(seated)
        if match.result is not None:
            games.append(_read_game(game, match, match.result, seated))
    run = CollectedRun(
        reader.path,
        stored.id,
        stored.run,
        tuple(range(len(bots))),
        matches,
        len(games),
        _read_sprt(stored.run.plan),
        _byes(len(bots), rounds.values()) if stored.run.plan.get("form") == "swiss" else {},
    )
    labels = _labels(bots)
    return Collection(game, (run,), tuple(map(CollectedBot, labels, bots)), tuple(games))


def _byes(bots: int, rounds: Iterable[set[int]]) -> dict[int, int]:
    """Return who had no opponent in how many rounds. Ruling A5 says what that is worth."""
    free = Counter(bot for seated in rounds for bot in range(bots) if bot not in seated)
    return dict(free)


def _whole(plan: Mapping[str, Any], key: str) -> int:
    """Return a number of the plan, 0 if it has none."""
    value = plan.get(key)
    return value if isinstance(value, int) and value > 0 else 0


def _read_game(
    game: AnyGame, match: StoredMatch, result: MatchResult, bots: tuple[int, int]
) -> PlayedGame:
    outcome, plan = result.outcome, match.plan
    if len(outcome.seats) != SEATS or not all(outcome.scores):
        raise StoreError(
            StoreFault.DAMAGED,
            f"match {plan.number} of run {match.run_id} has no result for two seats",
            "look for more with: spielleiter results check",
        )
    first, second = outcome.seats
    try:
        scores = read_scores(game, outcome, result.final)
    except GameError as error:
        raise StoreError(
            StoreFault.DAMAGED,
            f"match {plan.number} of run {match.run_id} has no last position: {error}",
            "look for more with: spielleiter results check",
        ) from error
    return PlayedGame(
        run=0,
        number=plan.number,
        round=plan.round,
        pair=plan.pair,
        bots=bots,
        seed=plan.seed,
        opening=plan.opening,
        winner=outcome.winner,
        points=(first.points, second.points),
        scores=scores,
        parts=outcome.scores,
        causes=(first.cause, second.cause),
        code=outcome.code,
        reason=outcome.reason,
        seconds=result.seconds,
        slowest=result.slowest,
        delay=result.delay,
        way=result.way,
        digest=result.digest,
        was_cancelled=result.was_cancelled,
        finished_at=result.finished_at,
    )


def _read_sprt(plan: Mapping[str, Any]) -> Sprt | None:
    """Return the sequential test of a run, None where there is none that can be read."""
    value = plan.get("sprt")
    if isinstance(value, Sequence) and not isinstance(value, str) and len(value) == SEATS:
        value = {"elo0": value[0], "elo1": value[1]}
    if not isinstance(value, Mapping):
        return None
    known = {key: value[key] for key in ("elo0", "elo1", "alpha", "beta") if key in value}
    try:
        return Sprt(**known, scale=EloScale(value.get("scale", EloScale.LOGISTIC)))
    except (TypeError, ValueError):
        return None


# Joining


def join(collections: Sequence[Collection]) -> Collection:
    """Return runs of one game as one collection, in which equal bots are one bot.

    Bots are equal if name, kind and files are. Versions of one bot keep apart.
    """
    if len(collections) == 1:
        return collections[0]
    numbers: dict[tuple[str, str, str, int], int] = {}
    bots: list[StoredBot] = []
    runs: list[CollectedRun] = []
    games: list[PlayedGame] = []
    for collection in collections:
        seen: Counter[tuple[str, str, str]] = Counter()
        new_numbers = []
        for collected in collection.bots:
            bot = collected.bot
            identity = bot.name, bot.kind, bot.hash
            # Bots of one run are never the same, whatever they are called.
            number = numbers.setdefault((*identity, seen[identity]), len(bots))
            seen[identity] += 1
            if number == len(bots):
                bots.append(bot)
            new_numbers.append(number)
        first_run = len(runs)
        runs += [
            replace(
                run,
                bots=tuple(new_numbers[bot] for bot in run.bots),
                byes={new_numbers[bot]: rounds for bot, rounds in run.byes.items()},
            )
            for run in collection.runs
        ]
        games += [
            replace(
                game,
                run=first_run + game.run,
                bots=(new_numbers[game.bots[0]], new_numbers[game.bots[1]]),
            )
            for game in collection.games
        ]
    collected_bots = tuple(map(CollectedBot, _labels(bots), bots))
    return Collection(collections[0].game, tuple(runs), collected_bots, tuple(games))


def _labels(bots: Sequence[StoredBot]) -> list[str]:
    """Return what to call bots, each one differently.

    Where names are equal the first characters of the hash tell versions apart.
    """
    names = [one_line(bot.name) or "?" for bot in bots]
    counts = Counter(names)
    labels = [
        f"{name} ({bot.hash[:7] or one_line(bot.kind)})" if counts[name] > 1 else name
        for name, bot in zip(names, bots, strict=True)
    ]
    counts = Counter(labels)
    return [
        f"{label} #{number}" if counts[label] > 1 else label
        for number, label in enumerate(labels, 1)
    ]


# Choosing

TROUBLE: Mapping[str, frozenset[Cause]] = {
    "time": frozenset({Cause.SOFT_TIMEOUT, Cause.HARD_TIMEOUT}),
    "crash": frozenset({Cause.LEFT}),
    "rule": frozenset({Cause.RULE_VIOLATION}),
}
"""What people call the causes. Who crashes has left."""


@dataclass(frozen=True, slots=True)
class Choice:
    """Which matches somebody wants to see. None asks for nothing."""

    bot: int | None = None
    opponent: int | None = None
    points: int | None = None
    """Of the bot."""
    seat: int | None = None
    """Of the bot."""
    causes: frozenset[Cause] | None = None
    """One of them ended the match, and it was the bot's if there is one."""
    numbers: frozenset[int] = frozenset()

    def __contains__(self, game: PlayedGame) -> bool:
        if self.numbers and game.number not in self.numbers:
            return False
        seats = [seat for seat in range(SEATS) if self.bot is None or game.bots[seat] == self.bot]
        return any(self._fits(game, seat) for seat in seats)

    def _fits(self, game: PlayedGame, seat: int) -> bool:
        return (
            (self.opponent is None or game.bots[1 - seat] == self.opponent)
            and (self.points is None or game.points[seat] == self.points)
            and (self.seat is None or seat == self.seat)
            and (self.causes is None or game.causes[seat] in self.causes)
        )
