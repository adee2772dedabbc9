"""Say which match of a run is played next, and put it into the store before it is.

The plan and the results alone decide it. Matches are planned a few at a time, because a large
tournament has a hundred thousand of them, and a Swiss one does not know them before.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from spielleiter.arena.pairing.openings import Opening, draw_opening
from spielleiter.arena.pairing.schedule import Encounter, ScheduledMatch, matches_of
from spielleiter.arena.runs.tally import Tally
from spielleiter.arena.store.values import PlannedMatch
from spielleiter.arena.store.writer import StoreWriter
from spielleiter.rules import AnyGame

AHEAD = 32
"""Matches that are planned at a time. Drawing an opening takes about a millisecond."""


@dataclass(frozen=True, slots=True)
class StoredPlan:
    """A match that is in the store and can be played."""

    id: int
    plan: PlannedMatch

    @property
    def bots(self) -> tuple[int, int]:
        return self.plan.first_bot, self.plan.second_bot


class Agenda:
    """The matches of a run that are still to be played.

    ``known`` are those that are in the store already, by number.
    """

    def __init__(
        self,
        tally: Tally,
        game: AnyGame,
        writer: StoreWriter,
        run_id: int,
        known: dict[int, StoredPlan],
    ) -> None:
        self._tally = tally
        self._plan = tally.plan
        self._game = game
        self._writer = writer
        self._run_id = run_id
        self._known = known
        self._schedule = self._plan.schedule()
        self._asked: set[int] = set()
        """Encounters whose matches are on their way."""
        self._answered = -1
        """How many encounters were over when the schedule was asked."""
        self._scheduled: Iterator[ScheduledMatch] = iter(())
        self._ready: deque[StoredPlan] = deque()
        self._drawn = Opening(0)
        """The last opening that was drawn, because the second match of a pair has it, too."""
        self._drawn_for: int | None = None

    async def next(self) -> StoredPlan | None:
        """Return the next match, or None if it depends on matches that are under way.

        Raises StoreError.
        """
        if not self._ready:
            await self._plan_ahead()
        return self._ready.popleft() if self._ready else None

    async def _plan_ahead(self) -> None:
        wanted: list[ScheduledMatch] = []
        while len(wanted) < AHEAD:
            scheduled = next(self._scheduled, None)
            if scheduled is None:
                if not self._ask_schedule():
                    break
            elif scheduled.number + 1 not in self._tally:
                wanted.append(scheduled)
        new = [one for one in wanted if one.number + 1 not in self._known]
        if new:
            await self._store([self._planned(one) for one in new])
        self._ready.extend(self._known[one.number + 1] for one in wanted)

    def _ask_schedule(self) -> bool:
        """Ask who meets whom next. Return whether there is anything new."""
        over = self._tally.encounters()
        if len(over) == self._answered:
            return False
        self._answered = len(over)
        upcoming = [one for one in self._schedule.upcoming(over) if one.number not in self._asked]
        self._asked.update(one.number for one in upcoming)
        self._scheduled = self._matches(upcoming)
        return bool(upcoming)

    def _matches(self, encounters: Sequence[Encounter]) -> Iterator[ScheduledMatch]:
        for encounter in encounters:
            yield from matches_of(encounter, self._plan.matches, self._plan.seed)

    def _planned(self, match: ScheduledMatch) -> PlannedMatch:
        if match.pair != self._drawn_for:
            self._drawn = draw_opening(self._game, match.seed, self._plan.opening_moves)
            self._drawn_for = match.pair
        return PlannedMatch(
            number=match.number + 1,
            first_bot=match.bots[0],
            second_bot=match.bots[1],
            seed=match.seed,
            opening=self._drawn.to_json(),
            round=match.round,
            pair=match.pair + 1,
        )

    async def _store(self, matches: Sequence[PlannedMatch]) -> None:
        total = len(self._known) + len(matches)
        complete = total if total == self._plan.total else None
        stored = self._writer.add_matches(self._run_id, matches, planned_matches=complete)
        ids = await asyncio.wrap_future(stored)
        for match_id, match in zip(ids, matches, strict=True):
            self._known[match.number] = StoredPlan(match_id, match)
