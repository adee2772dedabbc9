"""Read runs from databases, also while another process writes them. Changes nothing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from sqlalchemy import RowMapping, Select, case, exc, func, select

from spielleiter.arena.store import encoding, schema
from spielleiter.arena.store.database import find_database, open_reading
from spielleiter.arena.store.errors import StoreError, StoreFault, explain
from spielleiter.arena.store.values import (
    StoredBot,
    StoredEvent,
    StoredMatch,
    StoredMove,
    StoredNote,
    StoredOutput,
    StoredRun,
)

PAGE = 500
"""Matches that are read at a time. A longer read would keep the writer's file from shrinking."""

# The two tables have no name of a column in common.
_MATCHES = select(schema.MATCH, schema.RESULT).join_from(schema.MATCH, schema.RESULT, isouter=True)


class StoreReader:
    """One database, open for reading until ``close``. For use in one thread."""

    def __init__(self, place: Path) -> None:
        """Open the database in this folder, or this file. Raises StoreError."""
        self.path = find_database(place)
        self._engine = open_reading(self.path)
        try:
            self._connection = self._engine.connect()
        except exc.SQLAlchemyError as error:
            raise explain(error, self.path) from error

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._connection.close()

    # Runs

    def runs(self) -> tuple[StoredRun, ...]:
        """Return all runs in this database, oldest first."""
        rows = self._read(select(schema.RUN).order_by(schema.RUN.c.id))
        return tuple(encoding.read_run(row) for row in rows)

    def run(self, run_id: int) -> StoredRun:
        """Return the run with this id. Raises StoreError."""
        rows = self._read(select(schema.RUN).where(schema.RUN.c.id == run_id))
        if not rows:
            raise StoreError(StoreFault.MISSING, f"there is no run {run_id} in {self.path}")
        return encoding.read_run(rows[0])

    def bots(self, run_id: int) -> tuple[StoredBot, ...]:
        """Return the bots of a run in the order of their numbers."""
        table = schema.BOT
        rows = self._read(select(table).where(table.c.run_id == run_id).order_by(table.c.number))
        return tuple(encoding.read_bot(row) for row in rows)

    def events(self, run_id: int) -> tuple[StoredEvent, ...]:
        """Return what happened to a run, in that order."""
        table = schema.EVENT
        rows = self._read(select(table).where(table.c.run_id == run_id).order_by(table.c.id))
        return tuple(encoding.read_event(row) for row in rows)

    # Matches

    def matches(self, run_id: int, *, finished: bool | None = None) -> Iterator[StoredMatch]:
        """Yield the matches of a run in the order of their numbers, each with its result.

        With ``finished`` only those with a result, or only those without one. They are read as they
        are asked for, so matches that end meanwhile may or may not be among them.
        """
        table = schema.MATCH
        wanted = _MATCHES.where(table.c.run_id == run_id).order_by(table.c.number).limit(PAGE)
        if finished is not None:
            column = schema.RESULT.c.match_id
            wanted = wanted.where(column.is_not(None) if finished else column.is_(None))
        last: int | None = None
        while True:
            page = wanted if last is None else wanted.where(table.c.number > last)
            rows = self._read(page)
            for row in rows:
                yield encoding.read_match(row)
            if len(rows) < PAGE:
                return
            last = rows[-1]["number"]

    def unfinished(self, run_id: int) -> Iterator[StoredMatch]:
        """Yield the matches that are still to be played."""
        return self.matches(run_id, finished=False)

    def match(self, run_id: int, number: int) -> StoredMatch:
        """Return the match with this number. Raises StoreError."""
        table = schema.MATCH
        rows = self._read(_MATCHES.where(table.c.run_id == run_id, table.c.number == number))
        if not rows:
            raise StoreError(
                StoreFault.MISSING, f"there is no match {number} in run {run_id} of {self.path}"
            )
        return encoding.read_match(rows[0])

    def count_matches(self, run_id: int) -> int:
        """Return how many matches of a run are in the database, played or not."""
        wanted = select(func.count().label("count")).where(schema.MATCH.c.run_id == run_id)
        return int(self._read(wanted)[0]["count"])

    def count_results(self, run_id: int) -> int:
        """Return how many matches of a run have been played."""
        joined = schema.RESULT.join(schema.MATCH)
        wanted = (
            select(func.count().label("count"))
            .select_from(joined)
            .where(schema.MATCH.c.run_id == run_id)
        )
        return int(self._read(wanted)[0]["count"])

    # What belongs to a match

    def moves(self, match: StoredMatch) -> tuple[StoredMove, ...]:
        """Return the moves of the bots, without those of the opening."""
        table = schema.MOVE
        rows = self._read(select(table).where(table.c.match_id == match.id).order_by(table.c.ply))
        where = _name(match)
        return tuple(encoding.read_move(row, where) for row in rows)

    def notes(self, match: StoredMatch) -> tuple[StoredNote, ...]:
        """Return what the bots kept beside their moves, in the order in which they did."""
        table = schema.NOTE
        wanted = select(table).where(table.c.match_id == match.id).order_by(table.c.number)
        return tuple(encoding.read_note(row, _name(match)) for row in self._read(wanted))

    def outputs(self, match: StoredMatch) -> tuple[StoredOutput, ...]:
        """Return what the bots printed, seat by seat."""
        table = schema.OUTPUT
        wanted = select(table).where(table.c.match_id == match.id).order_by(table.c.number)
        return tuple(encoding.read_output(row, _name(match)) for row in self._read(wanted))

    def count_move_times(
        self, run_id: int, edges: Sequence[float]
    ) -> tuple[tuple[int, int, int], ...]:
        """Return how long moves took, as bots, ranges and how many moves fell into them.

        Range 0 is below the first of the ``edges``, which rise, and the last one from the last edge
        on. Moves whose time is not known are left out. The database counts, so that no move has to
        be read.
        """
        match, move = schema.MATCH, schema.MOVE
        bot = case((move.c.seat == 0, match.c.first_bot), else_=match.c.second_bot).label("bot")
        below = [(move.c.seconds < edge, place) for place, edge in enumerate(edges)]
        span = case(*below, else_=len(edges)).label("span")
        wanted = (
            select(bot, span, func.count().label("count"))
            .join_from(move, match)
            .where(match.c.run_id == run_id, move.c.seconds.is_not(None))
            .group_by(bot, span)
            .order_by(bot, span)
        )
        return tuple((row["bot"], row["span"], row["count"]) for row in self._read(wanted))

    def read_rows(self, statement: str) -> list[tuple[Any, ...]]:
        """Return what a statement in SQL or a pragma answers. Raises StoreError."""
        try:
            with self._connection.begin():
                return [tuple(row) for row in self._connection.exec_driver_sql(statement)]
        except exc.SQLAlchemyError as error:
            raise explain(error, self.path) from error

    def _read(self, wanted: Select[Any]) -> Sequence[RowMapping]:
        try:
            with self._connection.begin():
                return self._connection.execute(wanted).mappings().all()
        except exc.SQLAlchemyError as error:
            raise explain(error, self.path) from error


def _name(match: StoredMatch) -> str:
    return f"match {match.plan.number} of run {match.run_id}"


# Several databases


@dataclass(frozen=True, slots=True)
class RunPlace:
    """A run, and the open database in which it is."""

    reader: StoreReader
    stored: StoredRun


def join_runs(readers: Sequence[StoreReader]) -> tuple[tuple[RunPlace, ...], tuple[str, ...]]:
    """Return the runs of several databases, each once, and sentences about those left out.

    Of a run that was copied it is the copy with the most results, the first one if they are equal.
    """
    chosen: dict[str, RunPlace] = {}
    left_out: list[str] = []
    for reader in readers:
        for stored in reader.runs():
            place = RunPlace(reader, stored)
            other = chosen.setdefault(stored.run.key, place)
            if other is place:
                continue
            if _count(place) > _count(other):
                chosen[stored.run.key], place, other = place, other, place
            left_out.append(
                f"run {place.stored.id} of {place.reader.path} is the same as run "
                f"{other.stored.id} of {other.reader.path} and counts once"
            )
    return tuple(chosen.values()), tuple(left_out)


def _count(place: RunPlace) -> int:
    return place.reader.count_results(place.stored.id)
