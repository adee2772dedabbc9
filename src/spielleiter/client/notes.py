"""Keep what a bot noted beside its moves in a file, for whoever started the bot.

A line is a JSON object with the notes of one move.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, TextIO

from spielleiter.client.thinker import Decision

if TYPE_CHECKING:
    import os

MOST_BYTES = 16 * 1024 * 1024
"""Of one file. A bot that notes more only fills somebody's disk."""
MOST_ITEMS = 500
"""Notes, marks or hints of one move."""
MOST_CHARACTERS = 4000
"""Of one note, mark or hint."""


class NoteFile:
    """Append notes to a file.

    Where that is impossible or the file is full, notes are dropped, and a complaint says so once.
    """

    def __init__(self, path: str | os.PathLike[str], most_bytes: int = MOST_BYTES) -> None:
        self._file: TextIO | None = open(  # noqa: PTH123, SIM115 - pathlib is slow to load
            path, "a", encoding="utf-8", errors="replace", newline="\n"
        )
        self._left = most_bytes

    def write(self, turn: int, seat: int, move: str | None, decision: Decision) -> str | None:
        """Keep one move. Return a complaint if that was the last one that fits."""
        if self._file is None:
            return None
        line = _encoder()(note_record(turn, seat, move, decision)) + "\n"
        self._left -= len(line.encode("utf-8", "replace"))
        try:
            if self._left >= 0:
                # Flushed line by line, because somebody may read along while the game is played,
                # and a bot that is killed in the next move still leaves what it thought in this.
                self._file.write(line)
                self._file.flush()
                return None
            complaint = "the file of notes is full: further notes are dropped"
        except OSError as error:
            complaint = f"notes cannot be written and are dropped from now on: {error}"
        self.close()
        return complaint

    def close(self) -> None:
        """Close the file. What is written after this is dropped."""
        if self._file is not None:
            file, self._file = self._file, None
            file.close()


@cache
def _encoder() -> Callable[[Any], str]:
    import json  # only bots whose notes are kept pay for it

    return json.JSONEncoder(ensure_ascii=False).encode


def note_record(turn: int, seat: int, move: str | None, decision: Decision) -> dict[str, Any]:
    record: dict[str, Any] = {
        "turn": turn,
        "seat": seat,
        "move": move,
        "seconds": round(decision.seconds, 6),
        "notes": [*_shortened(decision.notes, "notes"), *_left_out(decision.marks, "marks")],
        "marks": [
            {
                "x": mark.x,
                "y": mark.y,
                "text": _short(mark.text),
                "color": mark.color and _short(mark.color),
            }
            for mark in decision.marks[:MOST_ITEMS]
        ],
        "hints": _shortened(decision.hints, "hints"),
    }
    if decision.problem is not None:
        record["problem"] = _short(decision.problem)
        record["fallback"] = decision.is_fallback
    if decision.failed_hooks:
        record["failed_hooks"] = _shortened(decision.failed_hooks, "failed hooks")
    return record


def _shortened(texts: Sequence[str], what: str) -> list[str]:
    """Return as many and as much of them as is kept. What is cut or left out says so."""
    return [*map(_short, texts[:MOST_ITEMS]), *_left_out(texts, what)]


def _left_out(items: Sequence[object], what: str) -> list[str]:
    """Return a line that says that there were more, if there were."""
    return (
        [f"... (the first {MOST_ITEMS} of {len(items)} {what})"] if len(items) > MOST_ITEMS else []
    )


def _short(text: str) -> str:
    if len(text) <= MOST_CHARACTERS:
        return text
    return f"{text[:MOST_CHARACTERS]}... (cut at {MOST_CHARACTERS} characters)"
