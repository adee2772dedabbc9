"""Write down for a worker which match it is to play, on one line, and read that line.

First comes what many matches of a run have in common, so that it is written once and read once.
Nothing here knows how a match is played.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from spielleiter.arena.runs.jobs import MatchJob
from spielleiter.client.seat import way_to_leave
from spielleiter.games import get_game
from spielleiter.match import TimeControl
from spielleiter.rules import AnyGame
from spielleiter.wire.wording import wording_for

_BREAK = "\t"
"""Stands between the two parts. JSON has it in no text."""
_OUR_GAMES = "spielleiter.games."
_MOST_SETTINGS = 100
"""Of so many pairs of bots a worker remembers what was read about them."""
_encode = json.JSONEncoder(separators=(",", ":")).encode


# In the runner


def limits_of(job: MatchJob) -> tuple[float, float]:
    """Return the soft and the hard limit of a move, which are infinite where there is none."""
    return (math.inf, math.inf) if job.time is None else (job.time.soft, job.time.hard)


def write_setting(job: MatchJob, bots: Sequence[Mapping[str, Any] | str]) -> str:
    """Return what all matches have in common in which the same bots have the same seats.

    ``bots`` is what a worker must know about each of them.
    """
    limits = [None if math.isinf(limit) else limit for limit in limits_of(job)]
    return _encode([job.game.id, bots, job.names, limits])


def write_order(setting: str, job: MatchJob, missing: Sequence[int], notes: Sequence[str]) -> str:
    """Return the line. ``missing`` are seats whose bots never come, ``notes`` files of bots."""
    own = (job.opening.seed, job.opening.moves, job.dice, missing, notes)
    return f"{setting}{_BREAK}{_encode(own)}"


# In the worker


class Setting:
    """Who plays which game under which names, and how much time they have."""

    def __init__(self, text: str) -> None:
        game, bots, names, limits = json.loads(text)
        self.game: AnyGame = get_game(game)
        self.bots: list[dict[str, Any]] = bots
        self.names: list[str] = names
        soft, hard = limits
        self.soft: float = math.inf if soft is None else soft
        self.hard: float = math.inf if hard is None else hard
        self.control = None if soft is None else TimeControl(self.soft, self.hard)
        self.wording = wording_for(self.game, names)
        self.farewell = way_to_leave(self.game)
        self.is_ours = type(self.game).__module__.startswith(_OUR_GAMES)
        """Whether the game is of the house, and its bots with it."""
        self.has_guests = any(spec["kind"] != "house" for spec in bots)
        """Whether a bot comes from a file. Those of the house change nothing in the process."""


class Order(NamedTuple):
    """One match that is to be played."""

    setting: Setting
    seed: int
    moves: list[str]
    """Of the opening, in the notation of the game."""
    dice: list[int]
    missing: list[int]
    """Seats whose bots never come."""
    notes: list[str]
    """Files into which bots may write by themselves what they think."""


class OrderReader:
    """Reads one line after the other."""

    def __init__(self) -> None:
        self._settings: dict[str, Setting] = {}

    def read(self, line: bytes) -> Order:
        """Read a line. Raises ValueError and others if it makes no sense."""
        common, _, own = line.decode("ascii").partition(_BREAK)
        setting = self._settings.get(common)
        if setting is None:
            if len(self._settings) == _MOST_SETTINGS:
                self._settings.clear()
            setting = self._settings[common] = Setting(common)
        return Order(setting, *json.loads(own))
