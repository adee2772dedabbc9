"""Say what a run is to do, with everything that decides its results, as values and as JSON.

Nothing here looks for bots, plays or stores anything.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, TypeVar

from spielleiter.arena.bots import LONGEST_NAME
from spielleiter.arena.pairing.openings import MOST_MOVES
from spielleiter.arena.pairing.schedule import (
    CONTEST_MATCHES,
    Gauntlet,
    Knockout,
    RoundRobin,
    Schedule,
)
from spielleiter.arena.pairing.swiss import Swiss
from spielleiter.arena.statistics.sprt import EloScale, Sprt
from spielleiter.match import TimeControl

MOST_MATCHES = 1_000_000
"""Of one run. Even the fastest bots take hours for so many."""
LONGEST_SECONDS = 24 * 60 * 60.0
"""Of one move."""
FORMAT = 1
"""Of the JSON form. It changes when older programs would read a plan wrongly."""
E = TypeVar("E", bound=Enum)
_LONGEST_WORDS = 100_000
_SEED_BYTES = 6
"""So that a seed is a whole number in every JSON reader."""


class PlanError(ValueError):
    """Say why this cannot be the plan of a run. The message is one sentence without a full stop."""


class Form(Enum):
    """Who meets whom."""

    ROUND_ROBIN = "round-robin"
    DOUBLE_ROUND_ROBIN = "double-round-robin"
    GAUNTLET = "gauntlet"
    SWISS = "swiss"
    KNOCKOUT = "knockout"


class Way(Enum):
    """How matches are played. ``AUTO`` is workers where they can, and sockets elsewhere."""

    AUTO = "auto"
    WORKERS = "workers"
    SOCKETS = "sockets"


@dataclass(frozen=True, slots=True)
class PlannedBot:
    """A bot of a run, by what somebody typed to name it."""

    name: str
    """What tables call it, different from all others in the run."""
    text: str
    """What ``bots.find_bot`` finds it by."""
    kind: str = ""
    """The value of its BotKind."""
    hash: str = ""
    """Of its files, as ``fingerprint.hash_bot`` has it. Empty if there are none."""


@dataclass(frozen=True, slots=True)
class RunPlan:
    """All that decides the results of a run. Raises PlanError for what cannot be played.

    A ``match`` is a round robin of two bots, whose one encounter has all the matches.
    """

    kind: str
    """``match`` or ``tournament``."""
    game: str
    """The id of the game."""
    bots: tuple[PlannedBot, ...]
    """In the order of their numbers, which count from 0, best seed first."""
    form: Form = Form.ROUND_ROBIN
    matches: int = CONTEST_MATCHES
    """Of one encounter."""
    seed: int = 0
    opening_moves: int = 0
    """Drawn by lot before the bots begin, see ``openings.default_moves``."""
    time: TimeControl | None = field(default_factory=TimeControl)
    """Of each move. None: nobody runs out of time."""
    rounds: int | None = None
    """Of a Swiss tournament. None: as many as are usual."""
    challengers: tuple[int, ...] = (0,)
    """Of a gauntlet, by number."""
    third_place: bool = False
    """Whether a knockout has a match for it."""
    sprt: Sprt | None = None
    """The test that ends a match of two bots before all matches are played."""
    way: Way = Way.AUTO
    folder: str = ""
    """The working directory, from which relative paths of bots count."""

    def __post_init__(self) -> None:
        if self.kind not in ("match", "tournament"):
            raise PlanError(f"a run is a match or a tournament, not {self.kind!r}")
        if self.kind == "match" and (len(self.bots) != 2 or self.form is not Form.ROUND_ROBIN):
            raise PlanError("a match has two bots")
        if self.sprt is not None and self.kind != "match":
            raise PlanError("a sequential test is for a match of two bots")
        self._check_bots()
        if not 0 <= self.opening_moves <= MOST_MOVES:
            raise PlanError(
                f"an opening has between 0 and {MOST_MOVES} moves, not {self.opening_moves}"
            )
        if self.time is not None:
            _check_time(self.time)
        if self.matches < 1:
            raise PlanError(f"an encounter has at least one match, not {self.matches}")
        try:
            total = self.total
        except ValueError as error:
            raise PlanError(str(error)) from None
        if total > MOST_MATCHES:
            raise PlanError(f"a run has at most {MOST_MATCHES:,} matches, not {total:,}")

    def _check_bots(self) -> None:
        seen: set[str] = set()
        for bot in self.bots:
            if not bot.name or len(bot.name) > LONGEST_NAME:
                raise PlanError(f"the name of a bot has between 1 and {LONGEST_NAME} characters")
            if bot.name in seen:
                raise PlanError(f"two bots are called {bot.name!r}")
            if len(bot.text) > _LONGEST_WORDS:
                raise PlanError(f"what names {bot.name!r} is longer than any command")
            seen.add(bot.name)

    def schedule(self) -> Schedule:
        """Return who meets whom. Raises ValueError if so many bots cannot play this form."""
        bots = len(self.bots)
        match self.form:
            case Form.ROUND_ROBIN:
                return RoundRobin(bots)
            case Form.DOUBLE_ROUND_ROBIN:
                return RoundRobin(bots, legs=2)
            case Form.GAUNTLET:
                return Gauntlet(bots, self.challengers)
            case Form.SWISS:
                return Swiss(bots, self.rounds, matches=self.matches)
            case Form.KNOCKOUT:
                return Knockout(bots, third_place=self.third_place)

    @property
    def total(self) -> int:
        """How many matches there will be if no test ends the run earlier."""
        return self.schedule().total() * self.matches

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(bot.name for bot in self.bots)

    def dice(self, number: int) -> tuple[int, int]:
        """Return the seed that each bot of a match gets, by seat.

        It is the same on every machine, and however often the run was broken off.
        """
        first, second = (
            hashlib.sha256(f"dice {self.seed} {number} {seat}".encode()).digest()
            for seat in range(2)
        )
        return _number(first), _number(second)

    def to_json(self) -> dict[str, Any]:
        """Return JSON values that ``from_json`` reads. ``total`` is there for other readers."""
        time, sprt = self.time, self.sprt
        return {
            "format": FORMAT,
            "kind": self.kind,
            "game": self.game,
            "form": self.form.value,
            "bots": [
                {"name": bot.name, "text": bot.text, "kind": bot.kind, "hash": bot.hash}
                for bot in self.bots
            ],
            "matches": self.matches,
            "seed": self.seed,
            "opening_moves": self.opening_moves,
            "time": None if time is None else {"soft": time.soft, "hard": time.hard},
            "rounds": self.rounds,
            "challengers": list(self.challengers),
            "third_place": self.third_place,
            "sprt": None
            if sprt is None
            else {
                "elo0": sprt.elo0,
                "elo1": sprt.elo1,
                "alpha": sprt.alpha,
                "beta": sprt.beta,
                "scale": sprt.scale.value,
            },
            "way": self.way.value,
            "folder": self.folder,
            "total": self.total,
        }

    @classmethod
    def from_json(cls, value: object) -> RunPlan:
        """Read what ``to_json`` wrote. Raises PlanError for everything else."""
        fields = _Fields(value, "the plan")
        form = fields.get("format", int)
        if form > FORMAT:
            raise PlanError(
                f"the plan is of format {form}, and this version of spielleiter knows {FORMAT}"
            )
        return cls(
            kind=fields.get("kind", str),
            game=fields.get("game", str),
            bots=tuple(_read_bots(fields.get("bots", list))),
            form=_member(Form, fields.get("form", str)),
            matches=fields.get("matches", int),
            seed=fields.get("seed", int),
            opening_moves=fields.get("opening_moves", int),
            time=_read_time(fields.part("time")),
            rounds=fields.maybe("rounds", int),
            challengers=_read_numbers(fields.get("challengers", list)),
            third_place=fields.get("third_place", bool),
            sprt=_read_sprt(fields.part("sprt")),
            way=_member(Way, fields.get("way", str)),
            folder=fields.get("folder", str),
        )


def _check_time(time: TimeControl) -> None:
    if not (math.isfinite(time.soft) and math.isfinite(time.hard)) or time.soft <= 0:
        raise PlanError(f"the time for a move is more than 0 seconds, not {time.soft:g}")
    if not time.soft <= time.hard <= LONGEST_SECONDS:
        raise PlanError(
            f"a move is waited for between {time.soft:g} and {LONGEST_SECONDS:g} seconds, "
            f"not {time.hard:g}"
        )


def _number(digest: bytes) -> int:
    return int.from_bytes(digest[:_SEED_BYTES], "big")


# Reading JSON


class _Fields:
    """An object in JSON, whose values are looked at before they are used."""

    def __init__(self, value: object, what: str) -> None:
        if not isinstance(value, Mapping):
            raise PlanError(f"{what} is not an object")
        self._value = value
        self._what = what

    def get(self, key: str, kind: type) -> Any:
        value = self._value.get(key)
        allowed: tuple[type, ...] = (int, float) if kind is float else (kind,)
        if not isinstance(value, allowed) or (isinstance(value, bool) and kind is not bool):
            raise PlanError(f"{key!r} of {self._what} is missing or not what it should be")
        return value

    def maybe(self, key: str, kind: type) -> Any:
        return None if self._value.get(key) is None else self.get(key, kind)

    def part(self, key: str) -> _Fields | None:
        value = self._value.get(key)
        return None if value is None else _Fields(value, f"{key!r} of {self._what}")


def _read_bots(values: Iterable[object]) -> Iterable[PlannedBot]:
    for value in values:
        bot = _Fields(value, "a bot of the plan")
        yield PlannedBot(*(bot.get(key, str) for key in ("name", "text", "kind", "hash")))


def _read_numbers(values: list[Any]) -> tuple[int, ...]:
    if not all(isinstance(value, int) and not isinstance(value, bool) for value in values):
        raise PlanError("'challengers' of the plan is not a list of numbers")
    return tuple(values)


def _read_time(fields: _Fields | None) -> TimeControl | None:
    if fields is None:
        return None
    return TimeControl(float(fields.get("soft", float)), float(fields.get("hard", float)))


def _read_sprt(fields: _Fields | None) -> Sprt | None:
    if fields is None:
        return None
    keys = "elo0", "elo1", "alpha", "beta"
    elo0, elo1, alpha, beta = (float(fields.get(key, float)) for key in keys)
    scale = _member(EloScale, fields.get("scale", str))
    try:
        return Sprt(elo0, elo1, alpha, beta, scale)
    except ValueError as error:
        raise PlanError(str(error)) from None


def _member(kind: type[E], value: str) -> E:
    try:
        return kind(value)
    except ValueError:
        known = ", ".join(str(member.value) for member in kind)
        raise PlanError(f"{value!r} is not one of {known}") from None
