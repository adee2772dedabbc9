"""Turn what happens in a worker into lines of its journal, and the lines into a report.

If the worker died or had to be ended, the report says so in the words of the season, with every
move that was made until then.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
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
from spielleiter.match import Departure, Referee
from spielleiter.rules import AnyState, Cause, GameError, Outcome, SeatOutcome, Text
from spielleiter.wire.wording import wording_for

WAY = "workers"
_SEPARATOR = "\t"


class UnreadableStory(Exception):
    """Say that a journal makes no sense. A bot has written into memory that is not its own."""


# In the worker


def move_line(turn: int, seat: int, seconds: float, text: str, hints: Sequence[str]) -> str:
    told = json.dumps(hints) if hints else ""
    return f"m\t{turn}\t{seat}\t{seconds!r}\t{told}\t{text}"


def note_line(seat: int, turn: int, content: Mapping[str, Any]) -> str:
    return f"n\t{seat}\t{turn}\t{json.dumps(content)}"


def output_line(seat: int, stream: str, at: float, turn: int | None, text: str) -> str:
    return f"o\t{seat}\t{stream}\t{at:.6f}\t{'' if turn is None else turn}\t{text}"


def outcome_line(outcome: Outcome) -> str:
    seats = [
        [seat.points, seat.parts, seat.cause.value, seat.reason.de, seat.reason.en]
        for seat in outcome.seats
    ]
    told = [seats, outcome.winner, outcome.code, outcome.reason.de, outcome.reason.en]
    return f"r\t{json.dumps(told)}"


def end_line(seconds: float, cpu: float, delay: float | None, final: str, digest: str) -> str:
    return f"e\t{json.dumps([seconds, cpu, delay, final, digest])}"


# In the runner


class Story:
    """What the journal tells about one match."""

    def __init__(self, lines: Sequence[str]) -> None:
        self.moves: list[StoredMove] = []
        self.notes: list[StoredNote] = []
        self.outputs: list[StoredOutput] = []
        self.outcome: Outcome | None = None
        self.end: tuple[float, float, float | None, str, str] | None = None
        read = {
            "m": self._move,
            "n": self._note,
            "o": self._output,
            "r": self._outcome,
            "e": self._end,
        }
        try:
            for line in lines:
                kind, _, rest = line.partition(_SEPARATOR)
                read[kind](rest)
        except (ValueError, KeyError, TypeError, IndexError, RecursionError) as error:
            raise UnreadableStory(f"{type(error).__name__}: {error}") from None

    def _move(self, rest: str) -> None:
        turn, seat, seconds, hints, text = rest.split(_SEPARATOR, 4)
        told = tuple(json.loads(hints)) if hints else ()
        self.moves.append(
            StoredMove(len(self.moves), int(turn), int(seat), text, float(seconds), told)
        )

    def _note(self, rest: str) -> None:
        seat, turn, content = rest.split(_SEPARATOR, 2)
        self.notes.append(StoredNote(int(seat), json.loads(content), int(turn)))

    def _output(self, rest: str) -> None:
        seat, stream, at, turn, text = rest.split(_SEPARATOR, 4)
        self.outputs.append(
            StoredOutput(int(seat), stream, text, float(at), int(turn) if turn else None)
        )

    def _outcome(self, rest: str) -> None:
        seats, winner, code, german, english = json.loads(rest)
        lines = tuple(
            SeatOutcome(points, tuple(parts), Cause(cause), Text(de, en))
            for points, parts, cause, de, en in seats
        )
        self.outcome = Outcome(lines, winner, code, Text(german, english))

    def _end(self, rest: str) -> None:
        seconds, cpu, delay, final, digest = json.loads(rest)
        self.end = (seconds, cpu, delay, final, digest)

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
        slowest: list[float | None] = [None] * len(outcome.seats)
        for move in self.moves:
            slowest[move.seat] = max(slowest[move.seat] or 0.0, move.seconds or 0.0)
        result = MatchResult(
            outcome, WAY, final, digest, seconds, tuple(slowest), delay, detail=detail
        )
        return MatchReport(result, tuple(self.moves), tuple(self.notes), tuple(self.outputs))


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
