"""Count the results of a run while they come, in whichever order they do.

Equal results give equal figures, whether the run was broken off or not. Nothing here reads the
store or knows what a screen looks like.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from spielleiter.arena.pairing.schedule import Encounter, EncounterResult, encounter_result
from spielleiter.arena.runs.machine import allowed_delay
from spielleiter.arena.runs.plan import RunPlan
from spielleiter.arena.statistics import standings
from spielleiter.arena.statistics.conclusion import Conclusion, conclude
from spielleiter.arena.statistics.ratings import Ratings, rate_matches
from spielleiter.arena.statistics.sprt import SprtDecision, SprtState
from spielleiter.arena.statistics.standings import Cell, Row, TableResult
from spielleiter.arena.statistics.strength import PairedResult, Pentanomial, Summary, summarise
from spielleiter.arena.store.values import MatchResult
from spielleiter.rules import DRAW, LOSS, WIN, AnyGame, Cause, Text

_POINTS = Text("Punkte", "points")


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


@dataclass(frozen=True, slots=True)
class _Counted:
    """One match as it is kept here."""

    pair: int
    table: TableResult
    causes: tuple[Cause, ...]
    slowest: tuple[float | None, ...]
    digest: str
    was_late: bool
    """Whether this machine was."""


class Tally:
    """The totals of a run. Matches are numbered from 1, and bots from 0.

    With a sequential test only the matches up to the one that decided it count, in the order of
    their numbers. Otherwise bots whose wins take less time than their losses would seem stronger,
    and the figures would depend on which of several matches was over first.
    """

    def __init__(self, plan: RunPlan, game: AnyGame) -> None:
        self.plan = plan
        self.total = plan.total
        """Matches that there will be if no test ends the run earlier."""
        self.stored = 0
        """Matches with a result, counted or not."""
        self.delay = 0.0
        """The seconds by which this machine was late at worst."""
        self._game = game
        self._matches: dict[int, _Counted] = {}
        self._encounters: dict[int, EncounterResult] = {}
        self._parts: dict[int, list[TableResult]] = {}
        """The matches of encounters that are not over."""
        self._figures = [BotFigures() for _ in plan.bots]
        self._summary: Summary | None = None
        self._test = None if plan.sprt is None else _Test(plan)

    def add(self, number: int, pair: int, bots: tuple[int, int], result: MatchResult) -> None:
        """Count the result of a match. A second one for the same match changes nothing."""
        if number in self._matches:
            return
        match = self._read(pair, bots, result)
        self._matches[number] = match
        self._add_to_encounter(number, match.table)
        self._summary = None
        self.stored += 1
        self.delay = max(self.delay, result.delay or 0.0)
        if self._test is not None and self._test.advance(self._matches):
            self._figures = [BotFigures() for _ in self.plan.bots]
            for _, counted in self._counted():
                self._count(counted)
        elif self._last is None or number <= self._last:
            self._count(match)

    def __contains__(self, number: int) -> bool:
        """Return whether the match with this number has a result."""
        return number in self._matches

    @property
    def played(self) -> int:
        """Matches that count."""
        return sum(1 for _ in self._counted()) if self._last is not None else self.stored

    @property
    def is_over(self) -> bool:
        """Whether no match is left to be played, or the sequential test has decided."""
        return self._last is not None or self.stored >= self.total

    @property
    def bots(self) -> Sequence[BotFigures]:
        """The figures of each bot, by number."""
        return self._figures

    # Two bots

    @property
    def summary(self) -> Summary:
        """What the results tell about the two bots of a match.

        It is worked out anew after each result, in some microseconds for each match that was
        played. So ask as often as somebody looks, and not for every result.
        """
        if self._summary is None:
            self._summary = summarise(_paired(match) for _, match in self._counted())
        return self._summary

    @property
    def sprt(self) -> SprtState | None:
        """How the sequential test stands, None if there is none."""
        return None if self._test is None else self._test.state

    def conclude(self, unit: Text = _POINTS) -> Conclusion:
        """Return what is proved about two bots, in words."""
        first, second = self.plan.names
        is_complete = self.stored >= self.total
        return conclude(
            self.summary, (first, second), sprt=self.plan.sprt, is_complete=is_complete, unit=unit
        )

    # Many bots

    def results(self) -> Iterator[TableResult]:
        """Yield every match that counts, in the order of their numbers."""
        return (match.table for _, match in self._counted())

    def encounters(self) -> Mapping[int, EncounterResult]:
        """Return the encounters of which all matches have been played, as a schedule wants them."""
        return self._encounters

    def table(self) -> list[Row]:
        """Return the championship's table."""
        byes = self.plan.schedule().byes(self.encounters())
        return standings.table(
            len(self.plan.bots),
            self.results(),
            byes=byes,
            matches_per_encounter=self.plan.matches,
        )

    def cross_table(self) -> Sequence[Sequence[Cell]]:
        """Return what each bot (row) reached against each other one (column)."""
        return standings.cross_table(len(self.plan.bots), self.results())

    def ratings(self) -> Ratings:
        """Return the ratings of all bots. Matches that are the same as earlier ones count once."""
        matches = (
            (match.table.bots, match.table.points[0] / WIN, match.digest)
            for _, match in self._counted()
        )
        return rate_matches(len(self.plan.bots), matches)

    # Counting

    @property
    def _last(self) -> int | None:
        """The last match that counts, None if all do."""
        return None if self._test is None else self._test.last

    def _counted(self) -> Iterator[tuple[int, _Counted]]:
        last = self._last
        for number in sorted(self._matches):
            if last is None or number <= last:
                yield number, self._matches[number]

    def _read(self, pair: int, bots: tuple[int, int], result: MatchResult) -> _Counted:
        outcome = result.outcome
        first, second = (seat.points for seat in outcome.seats)
        scores = standings.read_scores(self._game, outcome, result.final)
        return _Counted(
            pair,
            TableResult(bots, (first, second), scores, outcome.is_regular),
            tuple(seat.cause for seat in outcome.seats),
            tuple(result.slowest),
            result.digest,
            (result.delay or 0.0) > allowed_delay(self.plan.time),
        )

    def _add_to_encounter(self, number: int, match: TableResult) -> None:
        encounter, place = divmod(number - 1, self.plan.matches)
        parts = self._parts.setdefault(encounter, [])
        parts.append(match)
        if len(parts) == self.plan.matches:
            del self._parts[encounter]
            # Who begins alternates, so this is the order in which the schedule named the two.
            first, second = match.bots[::-1] if place % 2 else match.bots
            self._encounters[encounter] = encounter_result(
                Encounter(encounter, 1, first, second), parts
            )

    def _count(self, match: _Counted) -> None:
        for seat, number in enumerate(match.table.bots):
            bot, points, cause = self._figures[number], match.table.points[seat], match.causes[seat]
            bot.wins += points == WIN
            bot.draws += points == DRAW
            bot.losses += points == LOSS
            bot.crashes += cause is Cause.LEFT
            is_late = cause in (Cause.SOFT_TIMEOUT, Cause.HARD_TIMEOUT)
            bot.time_losses += is_late
            bot.doubtful += is_late and match.was_late
            bot.broken_rules += cause is Cause.RULE_VIOLATION
            seconds = match.slowest[seat]
            if seconds is not None:
                bot.slowest = max(bot.slowest or 0.0, seconds)


def _paired(match: _Counted) -> PairedResult:
    """Return a match as the first of two bots sees it."""
    table = match.table
    seat = table.bots.index(0)
    return PairedResult(
        match.pair,
        seat,
        table.points[seat],
        table.scores[seat] - table.scores[1 - seat],
        match.digest,
    )


class _Test:
    """The sequential test, which looks at pairs in the order of their numbers."""

    def __init__(self, plan: RunPlan) -> None:
        assert plan.sprt is not None
        self._sprt = plan.sprt
        self.state = plan.sprt.state(Pentanomial())
        self.last: int | None = None
        """The match that decided it."""
        self._next = 1
        self._seen: set[tuple[str, int]] = set()
        self._half: PairedResult | None = None
        """The first match of a pair that is to be completed by the next."""
        self._counts = [0, 0, 0, 0, 0]

    def advance(self, matches: Mapping[int, _Counted]) -> bool:
        """Look at the matches that follow without a gap. Return whether that decides the test."""
        while self.last is None and self._next in matches:
            self._look_at(_paired(matches[self._next]))
            if self.state.decision is not SprtDecision.CONTINUE:
                self.last = self._next
                return True
            self._next += 1
        return False

    def _look_at(self, result: PairedResult) -> None:
        half, self._half = self._half, None
        key = result.digest, result.seat
        if result.digest and key in self._seen:
            return
        self._seen.add(key)
        if half is None or half.pair != result.pair:
            self._half = result
            return
        self._counts[half.points + result.points] += 1
        none, one, two, three, four = self._counts
        self.state = self._sprt.state(Pentanomial((none, one, two, three, four)))
