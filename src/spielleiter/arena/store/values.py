"""What is in a database of runs, as values.

Nothing here knows SQL, so whoever only makes or reads these values loads no database.
"""

from __future__ import annotations

import hashlib
import uuid
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, NamedTuple

from spielleiter.rules import Outcome

FILE_NAME = "run.db"
"""What the database of a run is called, in the folder of the run."""


def _now() -> datetime:
    return datetime.now(UTC)


def _new_key() -> str:
    return uuid.uuid4().hex


@dataclass(frozen=True, slots=True)
class NewRun:
    """A run that is about to begin. Mappings hold JSON values only."""

    kind: str
    """``match`` or ``tournament``."""
    game: str
    """The id of the game."""
    seed: int
    plan: Mapping[str, Any] = field(default_factory=dict)
    version: str = ""
    """Of the program that plays it."""
    machine: Mapping[str, Any] = field(default_factory=dict)
    planned_matches: int | None = None
    """How many matches there will be, or None as long as nobody knows."""
    key: str = field(default_factory=_new_key)
    """The same in every copy of the database, and different for every other run."""
    created_at: datetime = field(default_factory=_now)


@dataclass(frozen=True, slots=True)
class StoredRun:
    """A run as it was stored. ``id`` is its number in this one database."""

    id: int
    run: NewRun


@dataclass(frozen=True, slots=True)
class StoredBot:
    """A bot that takes part in a run. Its number is what the matches of the run call it."""

    number: int
    name: str
    kind: str
    words: tuple[str, ...] = ()
    """What somebody typed to name it."""
    hash: str = ""
    """Of its files, which tells versions apart. Empty if there are none."""
    detail: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class PlannedMatch:
    """A match that is to be played. ``number`` is unique within its run and counts from 1.

    ``opening`` has the key ``moves``, which are the moves that are played before the bots begin, in
    the game's notation. They are played from the position in ``position``, or else from the one
    that the game starts with for the number in ``seed``.
    """

    number: int
    first_bot: int
    second_bot: int
    seed: int
    opening: Mapping[str, Any]
    round: int = 1
    pair: int = 1


@dataclass(frozen=True, slots=True)
class MatchResult:
    """How a match ended."""

    outcome: Outcome
    way: str
    """``workers`` or ``sockets``."""
    final: str
    """The last position, in the game's notation."""
    digest: str
    """What ``digest_of`` says about its moves."""
    seconds: float | None = None
    slowest: tuple[float | None, ...] = (None, None)
    """The longest move of each seat in seconds, None if it made none."""
    delay: float | None = None
    """Seconds by which this machine itself was late, at worst."""
    was_cancelled: bool = False
    """It took longer than it may, and ended as it stood."""
    detail: Mapping[str, Any] = field(default_factory=dict)
    """What else a report wants to know, such as how the bots' programs ended."""
    finished_at: datetime = field(default_factory=_now)


@dataclass(frozen=True, slots=True)
class StoredMatch:
    """A match of a run, with its result if it has one."""

    id: int
    """Its number in this one database."""
    run_id: int
    plan: PlannedMatch
    result: MatchResult | None = None


class StoredMove(NamedTuple):
    """One move that a bot made. ``ply`` counts from 0 and does not count the opening.

    There are many of them, and a frozen dataclass takes three times as long to make.
    """

    ply: int
    turn: int
    seat: int
    text: str
    seconds: float | None = None
    hints: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class StoredNote:
    """What a bot kept beside a move, as ``client.notes`` writes it."""

    seat: int
    content: Mapping[str, Any]
    turn: int | None = None


@dataclass(frozen=True, slots=True)
class StoredOutput:
    """A line that a bot printed. ``at`` is in seconds since the match began."""

    seat: int
    stream: str
    """``stdout`` or ``stderr``, or ``cut`` for the line that says that something is left out."""
    text: str
    at: float = 0.0
    turn: int | None = None


@dataclass(frozen=True, slots=True)
class StoredEvent:
    """Something that happened to a run, such as that it was stopped or goes on."""

    kind: str
    text: str
    at: datetime = field(default_factory=_now)


@dataclass(frozen=True, slots=True)
class MatchReport:
    """Everything about a match that is over. It is stored as a whole or not at all."""

    result: MatchResult
    moves: tuple[StoredMove, ...] = ()
    notes: tuple[StoredNote, ...] = ()
    outputs: tuple[StoredOutput, ...] = ()


@dataclass(frozen=True, slots=True)
class CreatedRun:
    """Where a new run and its first matches are in the database."""

    id: int
    match_ids: tuple[int, ...]


def digest_of(game: str, start: str, moves: Iterable[str]) -> str:
    """Return a text that is equal for equal matches.

    ``game`` is the id of the game, ``start`` the position in which the bots begin, and ``moves``
    are theirs, all in the game's notation.
    """
    text = "\n".join((game, start, *moves))
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()
