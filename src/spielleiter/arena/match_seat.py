"""One seat of a match between programs, with the bot or person who has it.

``match`` decides what happens to it.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from spielleiter.arena.arena_match import BotReport, Trouble
from spielleiter.arena.bots import BotSpec
from spielleiter.arena.thoughts import ThoughtFile
from spielleiter.processes.program import BotProcess


@dataclass(slots=True)
class MatchSeat:
    """One seat of the match, and the bot or person who has it."""

    number: int
    spec: BotSpec
    name: str
    thoughts: ThoughtFile
    process: BotProcess | None = None
    person: asyncio.Task[None] | None = None
    trouble: Trouble | None = None
    problem: str = ""
    joined: bool = False
    gone_at: float | None = None

    def report(self) -> BotReport:
        process = self.process
        if process is None:
            return BotReport(self.spec, self.name, self.trouble, self.problem)
        self.thoughts.update()
        return BotReport(
            self.spec,
            self.name,
            self.trouble,
            self.problem,
            process.exit_code,
            process.was_ended,
            process.stdout.text(),
            process.stderr.text(),
            tuple(self.thoughts.records),
            process.count_printed(self.name),
        )

    async def end(self, patience: float) -> None:
        """End the bot if it has not left by itself within ``patience``."""
        if self.process is not None:
            if patience and self.trouble is None:
                await self.process.wait_within(patience)
            await self.process.end()
