"""Hold runs of one game, their bots and the matches that were played.

What they add up to is the business of ``score_sheet``. Databases are read by ``reading``.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import Any

from spielleiter.arena.runs.plan import Form
from spielleiter.arena.runs.tally import Tally
from spielleiter.arena.statistics.conclusion import Conclusion, conclude
from spielleiter.arena.statistics.findings import Findings
from spielleiter.arena.statistics.ratings import Ratings
from spielleiter.arena.statistics.score_sheet import CountedMatch, ScoreSheet
from spielleiter.arena.statistics.standings import Row
from spielleiter.arena.statistics.strength import Summary
from spielleiter.arena.store.values import NewRun, StoredBot
from spielleiter.rules import AnyGame, Text

SEATS = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class CollectedMatch(CountedMatch):
    """One match that was played, with all that is known but its moves."""

    run: int
    """The number of its run in the collection, in which bots have their numbers, too."""
    number: int
    round: int
    counts: bool
    """Whether it counts, which matches do not that follow the decision of a sequential test."""
    seed: int
    opening: Mapping[str, Any]
    winner: int | None
    parts: tuple[tuple[int, ...], ...]
    """All of the game's own numbers, as the match stood at its end."""
    code: str
    reason: Text
    seconds: float | None
    delay: float | None
    was_cancelled: bool
    finished_at: datetime

    @property
    def pair_key(self) -> Hashable:
        return self.run, self.pair


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
    tally: Tally
    """What the run itself counts, with its own numbers of bots."""

    @property
    def folder(self) -> Path:
        return self.path.parent

    @property
    def planned(self) -> int:
        """How many matches it will have, if no sequential test ends it before."""
        return self.tally.total

    @property
    def played(self) -> int:
        return self.tally.stored

    @property
    def has_all_matches(self) -> bool:
        return self.played >= self.planned

    @property
    def is_over(self) -> bool:
        """Whether nothing is left to play."""
        return self.tally.is_over


@dataclass(frozen=True)  # without slots, since what was calculated is kept
class Collection:
    """Runs of one game, with their bots and the matches that were played."""

    game: AnyGame
    runs: tuple[CollectedRun, ...]
    bots: tuple[CollectedBot, ...]
    matches: tuple[CollectedMatch, ...]
    """All of them, whether they count or not."""

    @property
    def labels(self) -> tuple[str, ...]:
        return tuple(bot.label for bot in self.bots)

    @property
    def is_duel(self) -> bool:
        return len(self.bots) == SEATS

    @property
    def is_joint(self) -> bool:
        """Whether there are several runs in it."""
        return len(self.runs) > 1

    @property
    def is_knockout(self) -> bool:
        """Whether places are those of a bracket, which several runs have not together."""
        return not self.is_joint and self.runs[0].tally.plan.form is Form.KNOCKOUT

    @property
    def is_complete(self) -> bool:
        """Whether nothing is left to play."""
        return all(run.is_over for run in self.runs)

    @cached_property
    def counted(self) -> tuple[CollectedMatch, ...]:
        """The matches that count."""
        return tuple(match for match in self.matches if match.counts)

    @cached_property
    def sheet(self) -> ScoreSheet:
        """What the matches that count add up to."""
        return ScoreSheet(len(self.bots), self.counted)

    @cached_property
    def findings(self) -> Findings:
        """What the run has shown, exactly as at its end, or what several have shown together."""
        if not self.is_joint:
            return self.runs[0].tally.findings
        return Findings(
            self.labels,
            self.sheet,
            tuple(self._joint_table()),
            sum(run.planned for run in self.runs),
            sum(run.played for run in self.runs),
            self._conclude_together() if self.is_duel else None,
            None,  # no sequential test is about several runs
            max(run.tally.delay for run in self.runs),
        )

    @property
    def summary(self) -> Summary:
        """What the results tell about the first of two bots."""
        return self.findings.sheet.summary

    @property
    def conclusion(self) -> Conclusion:
        """Which of two bots is stronger, in plain words."""
        found = self.findings.conclusion
        assert found is not None, "only two bots are compared"
        return found

    @property
    def standings(self) -> Sequence[Row]:
        """The championship's table, best first."""
        return self.findings.rows

    @property
    def ratings(self) -> Ratings:
        """The ratings of all bots. Matches that are the same as earlier ones count once."""
        return self.findings.sheet.ratings

    def _conclude_together(self) -> Conclusion:
        first, second = self.labels
        is_complete = all(run.has_all_matches for run in self.runs)
        unit = self.game.score_unit
        return conclude(self.sheet.summary, (first, second), is_complete=is_complete, unit=unit)

    def _joint_table(self) -> list[Row]:
        """Return the table of several runs, whose encounters need not be of one length."""
        free: dict[int, int] = {}
        for run in self.runs:
            for bot, rounds in run.tally.byes().items():
                number = run.bots[bot]
                free[number] = free.get(number, 0) + rounds * run.tally.plan.matches
        return self.sheet.table(byes=free, matches_per_encounter=1)
