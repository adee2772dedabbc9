"""Hold what one trial of a bot is, what the bot may take, and what came of it.

These are values only.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import Enum, auto

from spielleiter.rules import AnyState, Outcome, Player

OptionForm = Callable[[str, int, str], Sequence[str]]
"""Writes host, port and reservation code as options of a command line."""


@dataclass(frozen=True, slots=True)
class CheckLimits:
    """What a bot may take, in seconds unless a field says otherwise."""

    join: float = 10.0
    move: float = 2.0
    hard: float = 10.0
    """Nobody waits longer for a move."""
    close: float = 5.0
    """To end after the result."""
    orphaned: float = 5.0
    """To end after the server has gone."""
    output: int = 1_000_000
    """Bytes of output in one match."""
    late_moves: int = 3
    """So many late answers end a match. Before that it goes on, to see what else there is."""


class Fault(Enum):
    """What a bot can do wrong."""

    NOT_STARTED = auto()
    ENDED_EARLY = auto()
    NEVER_CONNECTED = auto()
    NEVER_JOINED = auto()
    JOINED_WRONGLY = auto()
    LATE = auto()
    NO_ANSWER = auto()
    ILLEGAL = auto()
    UNREADABLE = auto()
    UNASKED = auto()
    LEFT = auto()
    STAYED = auto()
    BAD_EXIT = auto()
    OUTLIVED = auto()
    """Still there long after the server."""


class Vanishing(Enum):
    """Whether the server goes away during the opponent's move or while the bot itself thinks."""

    WHILE_WAITING = auto()
    WHILE_THINKING = auto()


@dataclass(frozen=True, slots=True)
class Trial:
    """What is to be tried."""

    start: AnyState
    seat: int
    opponent: Player
    options: OptionForm
    odd_attributes: bool = False
    most_moves: int | None = None
    """After so many of the bot's moves the match is cancelled and ends as it stands."""
    vanish: Vanishing | None = None


@dataclass(slots=True)
class Evidence:
    """What came of a trial.

    ``faults`` are in the order in which they happened, each with a description of what came.
    """

    connect_seconds: float | None = None
    join_seconds: float | None = None
    answers: list[float] = field(default_factory=list)
    """Seconds for each move that was asked for."""
    faults: dict[Fault, str] = field(default_factory=dict)
    outcome: Outcome | None = None
    """The outcome of a match that came to its regular end."""
    end_seconds: float | None = None
    """From the result, or from the server's vanishing, to the end of the process."""
    exit_code: int | None = None
    output_bytes: int = 0
    printed: int = 0
    """How many lines the bot itself printed."""
    last_words: tuple[str, ...] = ()

    def add(self, fault: Fault, text: str) -> None:
        """Note a fault. Only the first of each kind is kept."""
        self.faults.setdefault(fault, text)
