"""Turn what happens in a worker into lines of its journal, and the lines into a report.

If the worker died or had to be ended, the report says so in the words of the season, with every
move that was made until then.
"""

from __future__ import annotations

import json
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
_new = tuple.__new__  # takes a third of the time that a NamedTuple takes to make itself
_encode = json.JSONEncoder(separators=(",", ":")).encode
_encode_text = json.JSONEncoder(separators=(",", ":"), ensure_ascii=False).encode
"""For what may have half characters, which are replaced when they are written."""


class UnreadableStory(Exception):
    """Say that a journal makes no sense. A bot has written into memory that is not its own."""


# In the worker. Each line is a list in JSON that begins with its kind, but for moves, which have
# turn, seat, nanoseconds and text without the brackets.


def move_line(turn: int, seat: int, seconds: float, text: str) -> str:
    # There is one for every move, and all the digits of a float take longer than all the rest.
    return f"{turn},{seat},{int(seconds * 1e9)},{encode_basestring_ascii(text)}"


def hints_line(ply: int, hints: Sequence[str]) -> str:
    return _encode(["h", ply, hints])


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
    late = "null" if delay is None else repr(delay)
    texts = f"{encode_basestring_ascii(final)},{encode_basestring_ascii(digest)}"
    return f'["e",{int(seconds * 1e9)},{int(cpu * 1e9)},{late},{texts}]'


# In the runner


def _decode(lines: Sequence[str]) -> list[Any]:
    """Read some JSON values, all at once, because one by itself takes several times as long."""
    values: list[Any] = json.loads(f"[{','.join(lines)}]")
    return values


class Story:
    """What the journal tells about one match."""

    def __init__(self, lines: Sequence[str]) -> None:
        self.moves: list[StoredMove] = []
        self.notes: list[StoredNote] = []
        self.outputs: list[StoredOutput] = []
        self.outcome: Outcome | None = None
        self.end: tuple[float, float, float | None, str, str] | None = None
        self._hints: dict[int, tuple[str, ...]] = {}
        self._slowest: list[float | None] = [None, None]
        try:
            self._read(lines)
        except (ValueError, KeyError, TypeError, IndexError, RecursionError) as error:
            raise UnreadableStory(f"{type(error).__name__}: {error}") from None

    def _read(self, lines: Sequence[str]) -> None:
        read: dict[str, Callable[..., None]] = {
            "h": self._hint,
            "n": self._note,
            "o": self._output,
            "r": self._outcome,
            "e": self._end,
        }
        for kind, *rest in _decode([line for line in lines if line[0] == "["]):
            read[kind](*rest)
        # Four values for each move, all in one list, because a list for each takes longer.
        values = _decode([line for line in lines if line[0] != "["])
        seats, texts = values[1::4], values[3::4]
        seconds = [nanoseconds / 1e9 for nanoseconds in values[2::4]]
        plies, hints = range(len(seconds)), self._hints
        told = [hints.get(ply, ()) for ply in plies] if hints else [()] * len(seconds)
        rows = zip(plies, values[::4], seats, texts, seconds, told, strict=True)
        self.moves = [_new(StoredMove, row) for row in rows]
        slowest = self._slowest
        for seat, used in zip(seats, seconds, strict=True):
            longest = slowest[seat]
            if longest is None or used > longest:
                slowest[seat] = used

    def _hint(self, ply: int, hints: Sequence[str]) -> None:
        self._hints[ply] = tuple(hints)

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
        self.end = (seconds / 1e9, cpu / 1e9, delay, final, digest)

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
