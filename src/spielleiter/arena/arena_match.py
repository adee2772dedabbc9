"""Hold what is known of a match between programs while it is played and when it is over.

These are values only. ``match`` makes them and ``verdict`` puts them into words.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any

from spielleiter.arena.bots import BotSpec
from spielleiter.arena.thoughts import Thoughts
from spielleiter.match import MoveRecord
from spielleiter.replays import MatchRecord
from spielleiter.rules import AnyGame, AnyState, Outcome
from spielleiter.server import Settings


class NeverBegan(Exception):
    """The room of a match was closed before everybody had come, so there is no result."""


@dataclass(frozen=True, slots=True)
class Patience:
    """The seconds for which bots are waited for. None means for ever."""

    join: float | None = 10.0
    leave: float = 3.0
    """How long they may take to end by themselves after the match."""
    match: float | None = None
    """How long the whole match may take before it ends as it stands."""


@dataclass(frozen=True, slots=True)
class WatchedPosition:
    """A position as it is reached, and the move that led there."""

    state: AnyState
    move: MoveRecord | None
    names: tuple[str, ...]
    thoughts: Thoughts | None = None
    """What the bot kept beside the move (see ``thoughts``)."""
    written: tuple[Mapping[str, int], ...] = ()
    """For each seat the bytes that its bot had written to each output when the position came.

    Only where somebody hears what the bots print.
    """


class Trouble(Enum):
    """Why a bot never played."""

    NOT_STARTED = "could not be started"
    ENDED_EARLY = "ended before it joined"
    NEVER_JOINED = "did not join"


@dataclass(frozen=True, slots=True)
class BotReport:
    """What became of one bot. The times of its moves are in the record of the match."""

    spec: BotSpec
    name: str
    trouble: Trouble | None = None
    problem: str = ""
    """Why it could not be started."""
    exit_code: int | None = None
    """None if it was not a process, or still ran when it should have ended."""
    was_ended: bool = False
    """Whether it had to be ended after the match."""
    stdout: str = ""
    stderr: str = ""
    notes: tuple[dict[str, Any], ...] = ()
    """What the bot kept beside its moves, as it wrote it. ``thoughts`` reads such records."""
    printed: int = 0
    """How many lines the bot itself printed, however many are kept.

    What the SDK says does not count.
    """


@dataclass(frozen=True, slots=True)
class ArenaMatch:
    """A match that is over, and what became of its bots."""

    record: MatchRecord
    outcome: Outcome
    bots: tuple[BotReport, ...]
    seed: int
    settings: Settings
    patience: Patience
    was_cancelled: bool = False
    """Whether it took longer than it may, and ended as it stood."""

    @property
    def game(self) -> AnyGame:
        return self.record.game

    @property
    def is_regular(self) -> bool:
        """Whether the match was played to its end by the rules."""
        return self.outcome.is_regular and not self.was_cancelled
