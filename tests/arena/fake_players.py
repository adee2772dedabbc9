"""Ways to play matches that take no time, for tests of what is around them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from spielleiter.arena.lookup import find_bot
from spielleiter.arena.runs.jobs import MatchJob
from spielleiter.arena.runs.plan import PlannedBot, RunPlan
from spielleiter.arena.runs.saved_run import planned_bot
from spielleiter.arena.store.values import MatchReport, MatchResult, digest_of
from spielleiter.games import get_game
from spielleiter.rules import Cause, Text

GAME = get_game("hase-und-igel-2018")


def plan_of(bots: int = 2, **options: object) -> RunPlan:
    """A plan for so many house bots, which are all the same but for their names."""
    kind = "match" if bots == 2 else "tournament"
    spec = find_bot("random", GAME)
    planned = tuple(planned_bot(spec, "random", GAME, f"bot {number}") for number in range(bots))
    values: dict[str, object] = {"kind": kind, "game": GAME.id, "bots": planned, "seed": 7}
    return RunPlan(**(values | options))  # type: ignore[arg-type]


def named(text: str, name: str) -> PlannedBot:
    return planned_bot(find_bot(text, GAME), text, GAME, name)


def report_of(job: MatchJob, loser: int, way: str = "workers") -> MatchReport:
    """A match in which nobody moves and one seat leaves at once."""
    state = job.opening.position(job.game)
    text = job.game.format_position(state)
    outcome = state.outcome().forfeit(loser, Cause.LEFT, Text("weg", "gone"))
    return MatchReport(MatchResult(outcome, way, text, digest_of(job.game.id, text, ())))


def killed_report(job: MatchJob, exit_code: int | None = -9) -> MatchReport:
    """A match that is lost because the program of the first bot ended in this way."""
    report = report_of(job, 0, "sockets")
    endings = [
        {"exit_code": exit_code, "was_ended": False},
        {"exit_code": -9, "was_ended": True},
    ]
    return replace(report, result=replace(report.result, detail={"bots": endings}))


def by_dice(job: MatchJob) -> int:
    """Who loses, which looks like chance and always is the same."""
    return sum(job.dice) % 2


@dataclass
class FakePlayer:
    """Plays at once. ``loser`` says who loses, and may raise instead."""

    loser: Callable[[MatchJob], int] = by_dice
    way: str = "workers"
    refuses: str | None = None
    gate: asyncio.Event | None = None
    """Nothing ends before this is set."""
    played: list[int] = field(default_factory=list)
    under_way: int = 0
    most_under_way: int = 0
    is_closed: bool = False

    def can_play(self, job: MatchJob) -> str | None:
        return self.refuses

    async def play(self, job: MatchJob) -> MatchReport:
        self.under_way += 1
        self.most_under_way = max(self.most_under_way, self.under_way)
        try:
            await (asyncio.sleep(0) if self.gate is None else self.gate.wait())
            report = report_of(job, self.loser(job), self.way)
        finally:
            self.under_way -= 1
        self.played.append(job.number)
        return report

    async def close(self) -> None:
        self.is_closed = True
