"""What it takes to have one match played, and who can play it.

Values and one protocol. Nothing here starts a process or stores anything.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from spielleiter.arena.bots import BotSpec
from spielleiter.arena.pairing.openings import Opening
from spielleiter.arena.store.values import MatchReport
from spielleiter.match import TimeControl
from spielleiter.rules import AnyGame


@dataclass(frozen=True, slots=True)
class MatchJob:
    """One match that is to be played. Bots, names and dice are by seat."""

    number: int
    """Of the match in its run."""
    game: AnyGame
    opening: Opening
    bots: tuple[BotSpec, BotSpec]
    names: tuple[str, str]
    dice: tuple[int, int]
    """The seed that each bot gets, the same whichever way the match is played."""
    time: TimeControl | None = None
    """With None nobody runs out of time."""


class MatchPlayer(Protocol):
    """One way to play matches, in worker processes or as programs over sockets."""

    way: str
    """``workers`` or ``sockets``, as results say."""

    def can_play(self, job: MatchJob) -> str | None:
        """Return None if this way can play the job, or else why it cannot."""

    async def play(self, job: MatchJob) -> MatchReport:
        """Play one match from its opening to its result.

        It never raises for what a bot does. It raises ArenaTrouble for trouble of our own, such
        as a worker that cannot be started, and then the match counts as not played.
        """

    async def close(self) -> None:
        """End every process that is still there."""


class ArenaTrouble(Exception):
    """Say that a match could not be played, through no fault of a bot.

    The message says why and what to do.
    """
