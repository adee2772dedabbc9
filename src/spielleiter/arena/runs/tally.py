"""Count the results of a run while they come, in whichever order they do.

Equal results give equal figures, whether the run was broken off or not. Nothing here reads the
store or knows what a screen looks like.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from spielleiter.arena.pairing.schedule import (
    Encounter,
    EncounterResult,
    Knockout,
    encounter_result,
)
from spielleiter.arena.runs.machine import allowed_delay
from spielleiter.arena.runs.plan import RunPlan
from spielleiter.arena.statistics import standings
from spielleiter.arena.statistics.conclusion import Conclusion, conclude
from spielleiter.arena.statistics.findings import Findings
from spielleiter.arena.statistics.ratings import Ratings
from spielleiter.arena.statistics.score_sheet import (
    BotFigures,
    CountedMatch,
    ScoreSheet,
    paired_results,
)
from spielleiter.arena.statistics.sprt import SprtDecision, SprtState
from spielleiter.arena.statistics.standings import Cell, Row, TableResult
from spielleiter.arena.statistics.strength import PairedResult, Pentanomial, Summary
from spielleiter.arena.store.values import MatchResult
from spielleiter.rules import AnyGame, Text

BOTS_OF_A_DUEL = 2


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
        self._matches: dict[int, CountedMatch] = {}
        self._encounters: dict[int, EncounterResult] = {}
        self._parts: dict[int, list[TableResult]] = {}
        """The matches of encounters that are not over."""
        self._sheet: ScoreSheet | None = None
        self._test = None if plan.sprt is None else _Test(plan)

    def add(self, number: int, pair: int, bots: tuple[int, int], result: MatchResult) -> None:
        """Count the result of a match. A second one for the same match changes nothing."""
        if number in self._matches:
            return
        match = self._read(pair, bots, result)
        self._matches[number] = match
        self._add_to_encounter(number, match.table_result)
        self._sheet = None
        self.stored += 1
        self.delay = max(self.delay, result.delay or 0.0)
        if self._test is not None:
            self._test.advance(self._matches)

    def __contains__(self, number: int) -> bool:
        """Return whether the match with this number has a result."""
        return number in self._matches

    def match(self, number: int) -> CountedMatch:
        """Return a match that has a result, whether it counts or not."""
        return self._matches[number]

    def counts(self, number: int) -> bool:
        """Return whether a match with this number counts if it is played."""
        last = self._last
        return last is None or number <= last

    @property
    def played(self) -> int:
        """Matches that count."""
        return self.stored if self._last is None else len(self.sheet.matches)

    @property
    def is_over(self) -> bool:
        """Whether no match is left to be played, or the sequential test has decided."""
        return self._last is not None or self.stored >= self.total

    @property
    def sheet(self) -> ScoreSheet:
        """What the matches that count add up to.

        It is worked out anew after each result, in some microseconds for each match that was
        played. So ask as often as somebody looks, and not for every result.
        """
        if self._sheet is None:
            numbers = [number for number in sorted(self._matches) if self.counts(number)]
            counted = tuple(self._matches[number] for number in numbers)
            self._sheet = ScoreSheet(len(self.plan.bots), counted)
        return self._sheet

    @property
    def bots(self) -> Sequence[BotFigures]:
        """The figures of each bot, by number."""
        return self.sheet.figures

    @property
    def findings(self) -> Findings:
        """All of it, as it is said in words."""
        return Findings(
            self.plan.names,
            self.sheet,
            tuple(self.table()),
            self.total,
            self.stored,
            self.conclude() if len(self.plan.bots) == BOTS_OF_A_DUEL else None,
            self.sprt,
            self.delay,
        )

    @property
    def unit(self) -> Text:
        """What the scores of the game count, in the plural."""
        return self._game.score_unit

    # Two bots

    @property
    def summary(self) -> Summary:
        """What the results tell about the two bots of a match."""
        return self.sheet.summary

    @property
    def sprt(self) -> SprtState | None:
        """How the sequential test stands, None if there is none."""
        return None if self._test is None else self._test.state

    def conclude(self) -> Conclusion:
        """Return what is proved about two bots, in words."""
        first, second = self.plan.names
        return conclude(
            self.summary,
            (first, second),
            sprt=self.plan.sprt,
            is_complete=self.stored >= self.total,
            unit=self.unit,
        )

    # Many bots

    def results(self) -> Iterator[TableResult]:
        """Yield every match that counts, in the order of their numbers."""
        return self.sheet.results()

    def encounters(self) -> Mapping[int, EncounterResult]:
        """Return the encounters of which all matches have been played, as a schedule wants them."""
        return self._encounters

    def byes(self) -> Mapping[int, int]:
        """Return who had no opponent in how many rounds of a Swiss tournament."""
        return self.plan.schedule().byes(self._encounters)

    def table(self) -> list[Row]:
        """Return the championship's table, in which a knockout has the places of its bracket."""
        rows = self.sheet.table(byes=self.byes(), matches_per_encounter=self.plan.matches)
        schedule = self.plan.schedule()
        if isinstance(schedule, Knockout):
            return standings.by_places(rows, schedule.places(self._encounters))
        return rows

    def cross_table(self) -> Sequence[Sequence[Cell]]:
        """Return what each bot (row) reached against each other one (column)."""
        return self.sheet.cross_table

    def ratings(self) -> Ratings:
        """Return the ratings of all bots. Matches that are the same as earlier ones count once."""
        return self.sheet.ratings

    # Counting

    @property
    def _last(self) -> int | None:
        """The last match that counts, None if all do."""
        return None if self._test is None else self._test.last

    def _read(self, pair: int, bots: tuple[int, int], result: MatchResult) -> CountedMatch:
        outcome = result.outcome
        first, second = outcome.seats
        return CountedMatch(
            pair=pair,
            bots=bots,
            points=(first.points, second.points),
            scores=standings.read_scores(self._game, outcome, result.final),
            causes=(first.cause, second.cause),
            slowest=tuple(result.slowest),
            digest=result.digest,
            way=result.way,
            was_late=(result.delay or 0.0) > allowed_delay(self.plan.time),
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
        self._half: tuple[int, PairedResult] | None = None
        """The first match of a pair that is to be completed by the next, and which pair it is."""
        self._counts = [0, 0, 0, 0, 0]

    def advance(self, matches: Mapping[int, CountedMatch]) -> None:
        """Look at the matches that follow without a gap, until one decides the test."""
        while self.last is None and self._next in matches:
            (result,) = paired_results([matches[self._next]])
            self._look_at(matches[self._next].pair, result)
            if self.state.decision is not SprtDecision.CONTINUE:
                self.last = self._next
            self._next += 1

    def _look_at(self, pair: int, result: PairedResult) -> None:
        half, self._half = self._half, None
        key = result.digest, result.seat
        if result.digest and key in self._seen:
            return
        self._seen.add(key)
        if half is None or half[0] != pair or half[1].seat == result.seat:
            self._half = pair, result
            return
        self._counts[half[1].points + result.points] += 1
        none, one, two, three, four = self._counts
        self.state = self._sprt.state(Pentanomial((none, one, two, three, four)))
