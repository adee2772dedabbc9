"""Turn values into rows of the tables and back. Nothing here talks to a database."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, TypeVar

from spielleiter.arena.store.errors import StoreError, StoreFault
from spielleiter.arena.store.limits import limit_notes, limit_outputs
from spielleiter.arena.store.values import (
    MatchReport,
    MatchResult,
    NewRun,
    PlannedMatch,
    StoredBot,
    StoredEvent,
    StoredMatch,
    StoredMove,
    StoredNote,
    StoredOutput,
    StoredRun,
)
from spielleiter.rules import Cause, Outcome, SeatOutcome, Text

Row = dict[str, Any]
AnyRow = Mapping[Any, Any]
"""A row as the database gives it, with its columns by name."""
T = TypeVar("T")

_ENCODER = json.JSONEncoder(allow_nan=False, separators=(",", ":"))
_NO_ITEMS = "[]"
MOST_LEVELS = 50
"""How deep lists and objects in a note may be nested."""


def encode_json(value: object) -> str:
    """Return a value as JSON that every reader understands. Raises ValueError."""
    return _ENCODER.encode(dict(value) if isinstance(value, Mapping) else value)


def _clean(text: str) -> str:
    """Return the text with halves of surrogate pairs replaced, which no database takes."""
    return text.encode("utf-8", "replace").decode()


def _encode_time(when: datetime) -> str:
    return when.astimezone(UTC).isoformat()


# Values to rows


def run_row(run: NewRun) -> Row:
    return {
        "key": run.key,
        "kind": run.kind,
        "game": run.game,
        "created_at": _encode_time(run.created_at),
        "plan": encode_json(run.plan),
        "version": run.version,
        "seed": str(run.seed),
        "machine": encode_json(run.machine),
        "planned_matches": run.planned_matches,
    }


def bot_row(run_id: int, bot: StoredBot) -> Row:
    return {
        "run_id": run_id,
        "number": bot.number,
        "name": _clean(bot.name),
        "kind": bot.kind,
        "words": encode_json(bot.words),
        "hash": bot.hash,
        "detail": encode_json(bot.detail),
    }


def match_row(run_id: int, match: PlannedMatch) -> Row:
    return {
        "run_id": run_id,
        "number": match.number,
        "round": match.round,
        "pair": match.pair,
        "first_bot": match.first_bot,
        "second_bot": match.second_bot,
        "seed": str(match.seed),
        "opening": encode_json(match.opening),
    }


def result_row(match_id: int, result: MatchResult) -> Row:
    outcome = result.outcome
    return {
        "match_id": match_id,
        "winner": outcome.winner,
        "code": outcome.code,
        "reason_de": _clean(outcome.reason.de),
        "reason_en": _clean(outcome.reason.en),
        "points": encode_json([seat.points for seat in outcome.seats]),
        "scores": encode_json(outcome.scores),
        "causes": encode_json([seat.cause.value for seat in outcome.seats]),
        "reasons": encode_json([seat.reason for seat in outcome.seats]),
        "way": result.way,
        "final": result.final,
        "digest": result.digest,
        "seconds": result.seconds,
        "slowest": encode_json(result.slowest),
        "delay": result.delay,
        "was_cancelled": result.was_cancelled,
        "detail": encode_json(result.detail),
        "finished_at": _encode_time(result.finished_at),
    }


def move_rows(match_id: int, finished: MatchReport) -> list[Row]:
    return [
        {
            "match_id": match_id,
            "ply": move.ply,
            "turn": move.turn,
            "seat": move.seat,
            "text": move.text,
            "seconds": move.seconds,
            "hints": encode_json(move.hints) if move.hints else _NO_ITEMS,
        }
        for move in finished.moves
    ]


def note_rows(match_id: int, finished: MatchReport) -> list[Row]:
    """Return the notes as rows. A bot writes them, so whatever is in them does no harm."""
    encoded = ((note, _encode_note(note)) for note in finished.notes)
    return [
        {
            "match_id": match_id,
            "seat": note.seat,
            "number": number,
            "turn": note.turn if note.turn is not None and abs(note.turn) < 2**63 else None,
            "content": text,
        }
        for number, (note, text) in enumerate(limit_notes(encoded))
    ]


def _encode_note(note: StoredNote) -> str:
    try:
        return encode_json(_tidy(note.content, MOST_LEVELS))
    except (ValueError, TypeError):
        return '{"notes": ["... (what is noted here cannot be kept)"]}'


def _tidy(value: object, levels: int) -> object:
    """Return the value with null for numbers that JSON does not have. Raises ValueError.

    What is too deep is refused here, since versions of Python differ in how deep they can read.
    """
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if not isinstance(value, (Mapping, list, tuple)):
        return value
    if levels == 0:
        raise ValueError("it is too deep")
    if isinstance(value, Mapping):
        return {key: _tidy(item, levels - 1) for key, item in value.items()}
    return [_tidy(item, levels - 1) for item in value]


def output_rows(match_id: int, finished: MatchReport) -> list[Row]:
    return [
        {
            "match_id": match_id,
            "seat": line.seat,
            "number": number,
            "stream": line.stream,
            "at": line.at,
            "turn": line.turn,
            "text": _clean(line.text),
        }
        for number, line in enumerate(limit_outputs(finished.outputs))
    ]


def event_row(run_id: int, event: StoredEvent) -> Row:
    return {
        "run_id": run_id,
        "at": _encode_time(event.at),
        "kind": event.kind,
        "text": _clean(event.text),
    }


# Rows to values


class RowReader:
    """Read the columns of one row. What cannot be read is a StoreError that names the row."""

    def __init__(self, row: AnyRow, where: str) -> None:
        self._row = row
        self.where = where

    def value(self, column: str) -> Any:
        return self._row[column]

    def text(self, column: str) -> str:
        return self._read(column, _as_text)

    def number(self, column: str) -> int:
        return self._read(column, int)

    def time(self, column: str) -> datetime:
        return self._read(column, datetime.fromisoformat)

    def mapping(self, column: str) -> Mapping[str, Any]:
        return self._read(column, _as_mapping)

    def items(self, column: str, item: Callable[[Any], T]) -> tuple[T, ...]:
        """Return the JSON list in this column, with each of its items read by ``item``."""
        return self._read(column, lambda text: tuple(item(one) for one in _as_list(text)))

    def _read(self, column: str, read: Callable[[Any], T]) -> T:
        try:
            return read(self._row[column])
        except (ValueError, TypeError, KeyError, RecursionError) as error:
            raise StoreError(
                StoreFault.DAMAGED,
                f"{self.where}: {column} cannot be read: {error}",
                "look for more with: spielleiter results check",
            ) from error


def _as_text(value: object) -> str:
    if not isinstance(value, str):
        raise ValueError(f"it is not a text but {type(value).__name__}")
    return value


def _as_mapping(text: str) -> Mapping[str, Any]:
    value = json.loads(text)
    if not isinstance(value, dict):
        raise ValueError("it is not a JSON object")
    return value


def _as_list(text: str) -> Sequence[Any]:
    value = json.loads(text)
    if not isinstance(value, list):
        raise ValueError("it is not a JSON list")
    return value


def _as_seconds(value: object) -> float | None:
    if value is None:
        return None
    if not isinstance(value, (int, float)):
        raise ValueError(f"{value!r} is not a number")
    return float(value)


def _as_whole(value: object) -> int:
    if not isinstance(value, int):
        raise ValueError(f"{value!r} is not a whole number")
    return value


def _as_scores(value: object) -> tuple[int, ...]:
    if not isinstance(value, list):
        raise ValueError(f"{value!r} is not a list")
    return tuple(_as_whole(number) for number in value)


def _as_sentence(value: object) -> Text:
    if not isinstance(value, list) or len(value) != 2:
        raise ValueError(f"{value!r} is not a sentence in two languages")
    return Text(_as_text(value[0]), _as_text(value[1]))


def read_run(row: AnyRow) -> StoredRun:
    reader = RowReader(row, f"run {row['id']}")
    run = NewRun(
        reader.text("kind"),
        reader.text("game"),
        reader.number("seed"),
        reader.mapping("plan"),
        reader.text("version"),
        reader.mapping("machine"),
        reader.value("planned_matches"),
        reader.text("key"),
        reader.time("created_at"),
    )
    return StoredRun(row["id"], run)


def read_bot(row: AnyRow) -> StoredBot:
    reader = RowReader(row, f"bot {row['number']} of run {row['run_id']}")
    return StoredBot(
        row["number"],
        reader.text("name"),
        reader.text("kind"),
        reader.items("words", _as_text),
        reader.text("hash"),
        reader.mapping("detail"),
    )


def read_match(row: AnyRow) -> StoredMatch:
    """Read a row of the matches, with the columns of its result where there is one."""
    reader = RowReader(row, f"match {row['number']} of run {row['run_id']}")
    plan = PlannedMatch(
        row["number"],
        row["first_bot"],
        row["second_bot"],
        reader.number("seed"),
        reader.mapping("opening"),
        row["round"],
        row["pair"],
    )
    result = None if row["match_id"] is None else _read_result(reader)
    return StoredMatch(row["id"], row["run_id"], plan, result)


def _read_result(reader: RowReader) -> MatchResult:
    return MatchResult(
        _read_outcome(reader),
        reader.text("way"),
        reader.text("final"),
        reader.text("digest"),
        reader.value("seconds"),
        reader.items("slowest", _as_seconds),
        reader.value("delay"),
        bool(reader.value("was_cancelled")),
        reader.mapping("detail"),
        reader.time("finished_at"),
    )


def _read_outcome(reader: RowReader) -> Outcome:
    points = reader.items("points", _as_whole)
    scores = reader.items("scores", _as_scores)
    causes = reader.items("causes", Cause)
    reasons = reader.items("reasons", _as_sentence)
    if not len(points) == len(scores) == len(causes) == len(reasons):
        raise StoreError(
            StoreFault.DAMAGED,
            f"{reader.where}: points, scores, causes and reasons are not of the same seats",
        )
    seats = tuple(map(SeatOutcome, points, scores, causes, reasons))
    return Outcome(
        seats,
        reader.value("winner"),
        reader.text("code"),
        Text(reader.text("reason_de"), reader.text("reason_en")),
    )


def read_move(row: AnyRow, where: str) -> StoredMove:
    reader = RowReader(row, f"move {row['ply']} of {where}")
    return StoredMove(
        row["ply"],
        row["turn"],
        row["seat"],
        reader.text("text"),
        row["seconds"],
        reader.items("hints", _as_text),
    )


def read_note(row: AnyRow, where: str) -> StoredNote:
    reader = RowReader(row, f"note {row['number']} of {where}")
    return StoredNote(row["seat"], reader.mapping("content"), row["turn"])


def read_output(row: AnyRow, where: str) -> StoredOutput:
    reader = RowReader(row, f"line {row['number']} of the output of {where}")
    return StoredOutput(
        row["seat"], reader.text("stream"), reader.text("text"), row["at"], row["turn"]
    )


def read_event(row: AnyRow) -> StoredEvent:
    reader = RowReader(row, f"event {row['id']}")
    return StoredEvent(reader.text("kind"), reader.text("text"), reader.time("at"))
