"""Read what bots keep beside their moves while they play.

That is notes, marks, hints, and what went wrong. The file is a bot's own (see ``client.notes``), so
nothing in it is trusted, and what makes no sense is passed over.
"""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from spielleiter.client.notes import MOST_BYTES
from spielleiter.replays.files import open_regular
from spielleiter.rules import one_line

MOST_LINES = 12
"""How many lines of one move are shown, few enough to follow the match as well."""
MOST_COLUMNS = 200
_WITH_THE_MOVE = frozenset({"turn", "seat", "move", "seconds", "hints"})
"""What the SDK writes for every move, and what is stored with the move."""


@dataclass(frozen=True, slots=True)
class PlacedMark:
    """A mark of a bot on the board, for whoever draws it."""

    x: int
    y: int
    text: str = ""
    color: str = ""


@dataclass(frozen=True, slots=True)
class Thoughts:
    """What a bot kept beside one move."""

    turn: int
    notes: tuple[str, ...] = ()
    marks: tuple[str, ...] = ()
    """Each in words that say where, what and in which colour."""
    hints: tuple[str, ...] = ()
    is_fallback: bool = False
    problem: str = ""
    """Why ``choose`` did not give a move that can be played."""
    failed_hooks: tuple[str, ...] = ()
    after_the_end: bool = False
    """Whether it was said when the match was over, so that no move belongs to it."""
    places: tuple[PlacedMark, ...] = ()
    """The same marks to be drawn, without those that are nowhere."""

    def lines(self, most: int = MOST_LINES) -> list[str]:
        """Return everything as lines for a terminal, limited in number and length."""
        said = [f"!!! {self.problem}"] if self.problem else []
        said += [f"!!! {failed}" for failed in dict.fromkeys(self.failed_hooks)]
        said += [
            *self.notes,
            *(f"mark {mark}" for mark in self.marks),
            *(f"hint: {hint}" for hint in self.hints),
        ]
        lines = [_shown(line) for text in said for line in text.splitlines()]
        if len(lines) > most:
            left = len(lines) - (most - 1)
            lines = [*lines[: most - 1], f"... and {left} more {'line' if left == 1 else 'lines'}"]
        return lines


def _shown(line: str) -> str:
    line = one_line(line)
    if len(line) <= MOST_COLUMNS:
        return line
    return f"{line[:MOST_COLUMNS]}... (cut at {MOST_COLUMNS} characters)"


def parse_thoughts(record: Mapping[str, Any]) -> Thoughts | None:
    """Read what the SDK wrote, or return None if it does not belong to a turn.

    Whatever else is wrong is left out.
    """
    turn = record.get("turn")
    if not isinstance(turn, int):
        return None
    return Thoughts(
        turn,
        _texts(record.get("notes")),
        tuple(_mark(mark) for mark in _items(record.get("marks")) if isinstance(mark, dict)),
        _texts(record.get("hints")),
        record.get("fallback") is True,
        _text(record.get("problem")),
        _texts(record.get("failed_hooks")),
        after_the_end=record.get("move") is None,
        places=tuple(filter(None, map(_placed, _items(record.get("marks"))))),
    )


def _items(value: object) -> list[Any]:
    return value if isinstance(value, list) else []


def _texts(value: object) -> tuple[str, ...]:
    return tuple(text for text in _items(value) if isinstance(text, str))


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _mark(mark: Mapping[str, Any]) -> str:
    text, color = _text(mark.get("text")), _text(mark.get("color"))
    said = f": {text}" if text else ""
    painted = f" ({color})" if color else ""
    return f"{mark.get('x')},{mark.get('y')}{said}{painted}"


def is_worth_storing(record: Mapping[str, Any], *, sends_hints: bool) -> bool:
    """Return whether a record says more than what is stored with its move already.

    ``sends_hints`` says whether the hints went with the move. In seasons whose server takes none
    the record is the only place for them.
    """
    known = _WITH_THE_MOVE if sends_hints else _WITH_THE_MOVE - {"hints"}
    return any(record[key] for key in record.keys() - known)


def turn_of(record: Mapping[str, Any]) -> int | None:
    """Return the turn that a record names."""
    turn = record.get("turn")
    return turn if isinstance(turn, int) and not isinstance(turn, bool) else None


def _placed(mark: object) -> PlacedMark | None:
    if not isinstance(mark, dict):
        return None
    x, y = mark.get("x"), mark.get("y")
    if type(x) is not int or type(y) is not int or not (-999 <= x <= 999 and -999 <= y <= 999):
        return None
    text = one_line(_text(mark.get("text")), MOST_COLUMNS)
    return PlacedMark(x, y, text, one_line(_text(mark.get("color")), MOST_COLUMNS))


@dataclass(slots=True)
class ThoughtFile:
    """The file of one bot while it is written.

    Reading never waits and has an end, whatever the bot puts there.
    """

    path: Path
    records: list[dict[str, Any]] = field(default_factory=list)
    """Every object read so far."""
    _read_bytes: int = 0
    _rest: bytes = b""
    _looked_at: int = 0

    def update(self) -> None:
        """Read what was written since the last time."""
        # The bot may be in the middle of a line. What follows the last line end waits for the next
        # time, as bytes, because the cut may go through a letter.
        *lines, self._rest = (self._rest + self._new_bytes()).split(b"\n")
        for line in lines:
            with contextlib.suppress(ValueError, RecursionError):
                record = json.loads(line.decode("utf-8", "replace"))
                if isinstance(record, dict):
                    self.records.append(record)

    def find(self, turn: int) -> Thoughts | None:
        """Return what belongs to the move of this turn, or None."""
        # The SDK writes the record before it sends the move, so it is here when the move is. Each
        # record is looked at once. A bot that writes many of other turns cannot make every move of
        # a long match search all of them again.
        self.update()
        while self._looked_at < len(self.records):
            thoughts = parse_thoughts(self.records[self._looked_at])
            self._looked_at += 1
            if thoughts is not None and thoughts.turn == turn and not thoughts.after_the_end:
                return thoughts
        return None

    def _new_bytes(self) -> bytes:
        # The file is opened anew each time and only if it is a regular one. The bot owns the path
        # and may put a pipe there, on which a read would wait, or replace it by a shorter file.
        try:
            with open_regular(self.path) as file:
                new = min(os.fstat(file.fileno()).st_size, MOST_BYTES) - self._read_bytes
                if new <= 0:
                    return b""
                file.seek(self._read_bytes)
                data = file.read(new)
        except OSError:
            return b""
        self._read_bytes += len(data)
        return data
