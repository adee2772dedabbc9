"""What a run tells whoever listens, as values.

Every event has ``tally``, which holds the totals. It is one object for the whole run and goes on
with it, so a listener takes what it wants to show when it is called. ``tally`` says what there is.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING

from spielleiter.arena.runs.plan import RunPlan
from spielleiter.arena.store.values import MatchResult

if TYPE_CHECKING:
    from spielleiter.arena.runs.tally import Tally


class StopReason(Enum):
    """Why a run ended before its last match. All of them leave a run that can be resumed."""

    INTERRUPTED = "interrupted"
    """Somebody pressed Ctrl+C, or the task was cancelled."""
    STORE = "store"
    """Nothing can be stored, because the disk is full or the folder is gone."""
    TROUBLE = "trouble"
    """A match could not be played at all, through no fault of a bot."""


@dataclass(frozen=True, slots=True)
class RunStarted:
    """The run is stored and begins, or goes on. The first event."""

    folder: Path
    plan: RunPlan
    tally: Tally
    """With all results so far."""
    is_resumed: bool
    parallel: int
    """Matches that are played at the same time."""
    remarks: tuple[str, ...] = ()
    """Sentences for people, such as why a pairing is played over sockets."""


@dataclass(frozen=True, slots=True)
class MatchBegun:
    """A match is being played from now on."""

    number: int
    """From 1."""
    names: tuple[str, str]
    """By seat."""
    way: str
    tally: Tally


@dataclass(frozen=True, slots=True)
class MatchFinished:
    """A match is over, and its result is on the disk."""

    number: int
    bots: tuple[int, int]
    """Numbers of the bots from 0, by seat."""
    names: tuple[str, str]
    result: MatchResult
    tally: Tally


@dataclass(frozen=True, slots=True)
class MatchRetried:
    """A match could not be played, through no fault of a bot, and is tried again."""

    number: int
    reason: str
    tally: Tally


@dataclass(frozen=True, slots=True)
class SlowMachine:
    """This machine is too slow for what is asked of it. It is told once in a run, or rarely."""

    text: str
    """A sentence that says what was measured and what to do."""
    tally: Tally


@dataclass(frozen=True, slots=True)
class RunStopped:
    """The run ended before its last match. The last event; the run can be resumed."""

    reason: StopReason
    text: str
    """A sentence for people without a full stop."""
    advice: str
    """What to do, which includes how to resume. May be empty."""
    tally: Tally


@dataclass(frozen=True, slots=True)
class RunFinished:
    """All matches are played, or the sequential test has decided. The last event."""

    tally: Tally


RunEvent = (
    RunStarted | MatchBegun | MatchFinished | MatchRetried | SlowMachine | RunStopped | RunFinished
)
Listener = Callable[[RunEvent], None]
"""Is called in the loop that runs the run, so it must be quick. What it raises ends the run."""
