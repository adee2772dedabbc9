"""Look for mistakes in a database of runs. It is not changed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from spielleiter.arena.store.errors import StoreError
from spielleiter.arena.store.limits import LINE_COST, LONGEST_TEXT, MOST_OUTPUT
from spielleiter.arena.store.reader import StoreReader
from spielleiter.arena.store.replay import MatchFault, play_again
from spielleiter.arena.store.values import MatchResult, StoredMatch, StoredRun, digest_of
from spielleiter.games import get_game
from spielleiter.rules import LOSS, AnyGame, AnyState, Cause, Outcome, UnknownGame

MOST_FINDINGS = 100
"""A database in which so much is wrong is not looked at any further."""
_ROOM_FOR_MARKS = LINE_COST + 200

_TWICE = "SELECT match_id, count(*) FROM result NOT INDEXED GROUP BY match_id HAVING count(*) > 1"
_STRAY = """
SELECT 'moves', match_id FROM move WHERE match_id NOT IN (SELECT match_id FROM result)
UNION SELECT 'notes', match_id FROM note WHERE match_id NOT IN (SELECT match_id FROM result)
UNION SELECT 'output', match_id FROM output WHERE match_id NOT IN (SELECT match_id FROM result)
"""
_TOO_LONG = f"""
SELECT match_id, seat,
    sum(CASE stream WHEN 'cut' THEN 0 ELSE length(CAST(text AS BLOB)) + {LINE_COST} END) AS bytes,
    max(length(text)) AS longest
FROM output GROUP BY match_id, seat
HAVING bytes > {MOST_OUTPUT} OR longest > {LONGEST_TEXT + _ROOM_FOR_MARKS}
"""  # noqa: S608 - the numbers are ours


def check_store(place: Path) -> list[str]:
    """Return what is wrong with the database in this folder, or this file, as sentences.

    An empty list says that every match was played by the rules to the result that is stored. Raises
    StoreError if it cannot be opened as a database of runs.
    """
    with StoreReader(place) as reader:
        findings: list[str] = []
        try:
            for finding in _check(reader):
                findings.append(finding)
                if len(findings) >= MOST_FINDINGS:
                    findings.append("There may be more, but no more is looked for.")
                    break
        except StoreError as error:  # damage can be anywhere, and ends the search
            findings.append(_sentence(error.message))
        return findings


def _check(reader: StoreReader) -> Iterator[str]:
    for (answer,) in reader.read_rows("PRAGMA integrity_check"):
        if answer != "ok":
            yield _sentence(f"the file is damaged: {answer}")
    for table, row, parent, _ in reader.read_rows("PRAGMA foreign_key_check"):
        yield f"Row {row} of the table {table} belongs to nothing in the table {parent}."
    for match_id, count in reader.read_rows(_TWICE):
        yield f"The match with id {match_id} has {count} results."
    for what, match_id in reader.read_rows(_STRAY):
        yield f"There are {what} of the match with id {match_id}, which has no result."
    for match_id, seat, size, longest in reader.read_rows(_TOO_LONG):
        yield (
            f"The output of seat {seat} in the match with id {match_id} is longer than is kept "
            f"({size} bytes, its longest line has {longest} characters)."
        )
    for stored in reader.runs():
        yield from _check_run(reader, stored)


def _check_run(reader: StoreReader, stored: StoredRun) -> Iterator[str]:
    planned, there = stored.run.planned_matches, reader.count_matches(stored.id)
    if planned is not None and planned != there:
        yield f"Run {stored.id} is planned with {planned} matches and has {there}."
    try:
        game = get_game(stored.run.game)
    except UnknownGame as error:
        yield _sentence(f"run {stored.id} cannot be checked: {error}")
        return
    for match in reader.matches(stored.id, finished=True):
        try:
            faults = list(_check_match(reader, game, match))
        except (StoreError, MatchFault) as error:
            faults = [str(error)]
        for fault in faults:
            yield f"Match {match.plan.number} of run {stored.id}: {_period(fault)}"


def _check_match(reader: StoreReader, game: AnyGame, match: StoredMatch) -> Iterator[str]:
    result = match.result
    assert result is not None
    moves = reader.moves(match)
    again = play_again(game, match.plan.opening, moves)
    if game.format_position(again.final) != result.final:
        yield "its moves do not lead to the last position that is stored"
    start = game.format_position(again.start)
    if digest_of(game.id, start, (move.text for move in moves)) != result.digest:
        yield "its digest does not fit its moves"
    yield from _check_result(again.final, result)


def _check_result(final: AnyState, result: MatchResult) -> Iterator[str]:
    outcome = result.outcome
    if len(outcome.seats) != final.game.seats:
        yield f"its result is about {len(outcome.seats)} seats"
        return
    if result.was_cancelled or not outcome.is_regular:
        if final.is_over:
            yield "it was over by the rules, but its result says that it was cut short"
    elif not final.is_over:
        yield "its result says that it was played to its end, but by the rules it was not over"
    expected = _expect(final, result)
    if _essence(expected) != _essence(outcome):
        yield (
            f"its result is stored as {_describe(outcome)}, but by the rules it is "
            f"{_describe(expected)}"
        )


def _expect(final: AnyState, result: MatchResult) -> Outcome:
    """Return the outcome that follows from the last position and from who was at fault."""
    outcome = final.outcome()
    stored = result.outcome
    at_fault = [n for n, seat in enumerate(stored.seats) if seat.cause is not Cause.REGULAR]
    for number in at_fault:
        outcome = outcome.forfeit(number, stored.seats[number].cause, stored.reason)
    if len(at_fault) > 1:  # nobody wins, as the referee says of those who never came
        lost = tuple(
            replace(seat, points=LOSS, cause=stored.seats[number].cause, reason=stored.reason)
            for number, seat in enumerate(outcome.seats)
        )
        outcome = Outcome(lost, None, outcome.code, outcome.reason)
    return outcome


def _essence(outcome: Outcome) -> object:
    """Return all of an outcome but its sentences, which may change from version to version."""
    seats = [(seat.points, seat.parts, seat.cause) for seat in outcome.seats]
    return outcome.winner, outcome.code, seats


def _describe(outcome: Outcome) -> str:
    winner = "a draw" if outcome.winner is None else f"a win of seat {outcome.winner}"
    scores = " : ".join(" ".join(map(str, parts)) for parts in outcome.scores)
    points = " : ".join(str(seat.points) for seat in outcome.seats)
    return f"{winner} ({outcome.code}, points {points}, scores {scores})"


def _sentence(text: str) -> str:
    return _period(text[:1].upper() + text[1:])


def _period(text: str) -> str:
    return text if text.endswith((".", "!", "?")) else f"{text}."
