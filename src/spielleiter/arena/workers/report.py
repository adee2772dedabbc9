"""Turn what happens in a worker into lines of its journal, and the lines into a report.

If the worker died or had to be ended, the report says so in the words of the season, with every
move that was made until then.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping, Sequence
from json.encoder import encode_basestring_ascii
from typing import Any

from spielleiter.arena.runs.jobs import MatchJob
from spielleiter.arena.store.values import (
    MatchReport,
    MatchResult,
    StoredMove,
    StoredNote,
    StoredOutput,
    digest_of,
)
from spielleiter.arena.thoughts import is_worth_storing, turn_of
from spielleiter.client.seat import sends_hints
from spielleiter.match import Departure, Referee
from spielleiter.rules import AnyGame, AnyState, Cause, GameError, Outcome, SeatOutcome, Text
from spielleiter.wire.wording import wording_for

WAY = "workers"
_encode = json.JSONEncoder(separators=(",", ":")).encode
_encode_text = json.JSONEncoder(separators=(",", ":"), ensure_ascii=False).encode
"""For what may have half characters, which are replaced when they are written."""


class UnreadableStory(Exception):
    """Say that a journal makes no sense. A bot has written into memory that is not its own."""


# In the worker. Each line is a list in JSON that begins with its kind.


def move_line(turn: int, seat: int, seconds: float, text: str, hints: Sequence[str]) -> str:
    told = _encode(hints) if hints else "[]"
    return f'["m",{turn},{seat},{seconds!r},{encode_basestring_ascii(text)},{told}]'


def note_line(seat: int, turn: int, content: Mapping[str, Any]) -> str:
    return _encode(["n", seat, turn, content])


def output_line(seat: int, stream: str, at: float, turn: int | None, text: str) -> str:
    return _encode_text(["o", seat, stream, round(at, 6), turn, text])


def outcome_line(outcome: Outcome) -> str:
    seats = [
        [seat.points, seat.parts, seat.cause.value, seat.reason.de, seat.reason.en]
        for seat in outcome.seats
    ]
    return _encode(["r", seats, outcome.winner, outcome.code, outcome.reason.de, outcome.reason.en])


def end_line(seconds: float, cpu: float, delay: float | None, final: str, digest: str) -> str:
    return _encode(["e", seconds, cpu, delay, final, digest])


# In the runner


class Story:
    """What the journal tells about one match."""

    def __init__(self, lines: Sequence[str]) -> None:
        self.moves: list[StoredMove] = []
        self.notes: list[StoredNote] = []
        self.outputs: list[StoredOutput] = []
        self.outcome: Outcome | None = None
        self.end: tuple[float, float, float | None, str, str] | None = None
        self._slowest: list[float | None] = [None, None]
        try:
            # All at once, because a line by itself takes several times as long.
            self._read(json.loads(f"[{','.join(lines)}]"))
        except (ValueError, KeyError, TypeError, IndexError, RecursionError) as error:
            raise UnreadableStory(f"{type(error).__name__}: {error}") from None

    def _read(self, lines: Sequence[Any]) -> None:
        read: dict[str, Callable[..., None]] = {
            "n": self._note,
            "o": self._output,
            "r": self._outcome,
            "e": self._end,
        }
        moves, slowest = self.moves, self._slowest
        for line in lines:
            if line[0] != "m":
                kind, *rest = line
                read[kind](*rest)
                continue
            _, turn, seat, seconds, text, hints = line
            moves.append(StoredMove(len(moves), turn, seat, text, seconds, tuple(hints)))
            longest = slowest[seat]
            if longest is None or seconds > longest:
                slowest[seat] = seconds

    def _note(self, seat: int, turn: int, content: Mapping[str, Any]) -> None:
        self.notes.append(StoredNote(seat, content, turn))

    def _output(self, seat: int, stream: str, at: float, turn: int | None, text: str) -> None:
        self.outputs.append(StoredOutput(seat, stream, text, at, turn))

    def _outcome(
        self, seats: Sequence[Any], winner: int | None, code: str, german: str, english: str
    ) -> None:
        lines = tuple(
            SeatOutcome(points, tuple(parts), Cause(cause), Text(de, en))
            for points, parts, cause, de, en in seats
        )
        self.outcome = Outcome(lines, winner, code, Text(german, english))

    def _end(
        self, seconds: float, cpu: float, delay: float | None, final: str, digest: str
    ) -> None:
        self.end = (seconds, cpu, delay, final, digest)

    def add_records(self, seat: int, records: Sequence[Mapping[str, Any]], game: AnyGame) -> None:
        """Add what a bot wrote by itself into the file for its notes."""
        sent = sends_hints(game)
        self.notes += [
            StoredNote(seat, record, turn_of(record))
            for record in records
            if is_worth_storing(record, sends_hints=sent)
        ]

    # Reports

    def report(self, detail: Mapping[str, Any]) -> MatchReport:
        """Return the report of a match that was played to its end.

        Its detail says how many seconds of a processor it took.
        """
        if self.outcome is None or self.end is None:
            raise UnreadableStory("the end is missing")
        seconds, cpu, delay, final, digest = self.end
        told = {**detail, "cpu": round(cpu, 6)}
        return self._report(self.outcome, final, digest, told, seconds, delay)

    def report_broken_off(
        self, job: MatchJob, seat: int, cause: Cause, seconds: float, detail: Mapping[str, Any]
    ) -> MatchReport:
        """Return the report of a match during which a bot ended the worker, or had to be ended."""
        game = job.game
        start: AnyState = job.opening.position(game)
        state = start
        try:
            for move in self.moves:
                state = state.play(game.parse_move(move.text))
        except GameError as error:
            raise UnreadableStory(str(error)) from None
        outcome = self.outcome
        if outcome is None:
            outcome = state.outcome() if state.is_over else _lost(job, state, seat, cause)
        digest = digest_of(game.id, game.format_position(start), (move.text for move in self.moves))
        return self._report(outcome, game.format_position(state), digest, detail, seconds, None)

    def _report(
        self,
        outcome: Outcome,
        final: str,
        digest: str,
        detail: Mapping[str, Any],
        seconds: float,
        delay: float | None,
    ) -> MatchReport:
        slowest = tuple(self._slowest)
        result = MatchResult(outcome, WAY, final, digest, seconds, slowest, delay, detail=detail)
        notes = sorted(self.notes, key=lambda note: note.seat)  # as those of two programs come
        return MatchReport(result, tuple(self.moves), tuple(notes), tuple(self.outputs))


def _lost(job: MatchJob, state: AnyState, seat: int, cause: Cause) -> Outcome:
    referee = Referee(state, wording_for(job.game, job.names), time=job.time)
    referee.begin()
    if cause is Cause.HARD_TIMEOUT:
        referee.stuck(seat)
    else:
        referee.leave(seat, Departure.LOST_CONNECTION)
    assert referee.outcome is not None
    return referee.outcome


def limits_of(job: MatchJob) -> tuple[float, float]:
    """Return the soft and the hard limit of a move, which are infinite where there is none."""
    return (math.inf, math.inf) if job.time is None else (job.time.soft, job.time.hard)
