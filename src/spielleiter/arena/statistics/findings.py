"""Hold what a run has shown, or several runs together, for whoever says it in words.

It is the same at the end of a run and when the run is read again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from spielleiter.arena.statistics.conclusion import Conclusion
from spielleiter.arena.statistics.score_sheet import ScoreSheet
from spielleiter.arena.statistics.sprt import SprtState
from spielleiter.arena.statistics.standings import Row


@dataclass(frozen=True, slots=True)
class Findings:
    """All figures of a run, or of several runs of one game together."""

    names: tuple[str, ...]
    """By number of the bot. They come from outside and may hold anything."""
    sheet: ScoreSheet
    """The matches that count."""
    rows: Sequence[Row]
    """The championship's table, best first."""
    planned: int
    """Matches that there are if no sequential test ends a run earlier."""
    stored: int
    """Matches that have been played, whether they count or not."""
    conclusion: Conclusion | None = None
    """What is proved about two bots, None if there are more."""
    sprt: SprtState | None = None
    """How the sequential test stands, None if there is none."""
    delay: float = 0.0
    """The seconds by which the machine itself was late at worst."""

    @property
    def played(self) -> int:
        """Matches that count."""
        return len(self.sheet.matches)

    @property
    def uncounted(self) -> int:
        """Matches that were over only after the sequential test had decided."""
        return self.stored - self.played

    @property
    def is_late(self) -> bool:
        """Whether the machine was late by so much that times mean little."""
        return any(match.was_late for match in self.sheet.matches)
