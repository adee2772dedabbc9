"""Write runs to the database, from one thread, many things in one commit.

Every call returns a Future that is done when what it asked for is on the disk, and not before.
Nothing here reads for reports, see ``reader``.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from pathlib import Path
from typing import Any, Self, TypeVar

from sqlalchemy import Connection, exc, select
from sqlalchemy.dialects.sqlite import insert

from spielleiter.arena.store import encoding, schema
from spielleiter.arena.store.database import (
    find_database,
    keep_in_one_file,
    mark,
    open_writing,
)
from spielleiter.arena.store.errors import StoreError, StoreFault, explain, gone, too_slow
from spielleiter.arena.store.jobs import Job, JobQueue
from spielleiter.arena.store.values import (
    CreatedRun,
    MatchReport,
    NewRun,
    PlannedMatch,
    StoredBot,
    StoredEvent,
)

T = TypeVar("T")

MOST_WAITING = 1000
"""Jobs that may wait. Whoever has one more waits to get it into the queue."""
MOST_AT_ONCE = 256
"""Jobs in one commit, so that the first of them does not wait for thousands of others."""
PATIENCE_SECONDS = 120.0
"""How long a full queue, or the end of the thread, is waited for."""

_ADD_RESULT = insert(schema.RESULT).on_conflict_do_nothing(index_elements=["match_id"])
_ADD_MATCHES = insert(schema.MATCH).on_conflict_do_nothing(index_elements=["run_id", "number"])
_OWN_MISTAKES = (
    StoreError,
    exc.IntegrityError,
    exc.DataError,
    exc.ProgrammingError,
    exc.InterfaceError,
    ValueError,
    TypeError,
    LookupError,
    ArithmeticError,
    AttributeError,
    RecursionError,
)
"""What is wrong with one job alone. Everything else is wrong with the database."""


class StoreWriter:
    """The only writer of one database, from ``__init__`` until ``close``.

    Safe to use from any thread. From asyncio, ``asyncio.wrap_future`` makes a Future awaitable.
    When the disk is full or fails, everybody who waits gets the StoreError, and what comes later is
    tried again. When the file is gone, everything after that fails, too.
    """

    def __init__(self, place: Path, *, most_waiting: int = MOST_WAITING) -> None:
        """Open the database in this folder, or this file, and create it where there is none.

        Raises StoreError, also if another process writes this run.
        """
        self.path = find_database(place)
        engine, self._lock = open_writing(self.path)
        try:
            self._connection = engine.connect()
            try:
                with self._connection.begin():
                    mark(self._connection)  # it is marked already, but not if it is read-only
                self._files = _identify(self.path)
            except BaseException:
                self._connection.close()
                raise
        except BaseException as error:
            self._lock.release()
            if isinstance(error, (exc.SQLAlchemyError, OSError)):
                raise explain(error, self.path) from error
            raise
        self._queue = JobQueue(most_waiting)
        self._gone: StoreError | None = None
        self._thread = threading.Thread(target=self._run, name="store", daemon=True)
        self._thread.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Write what waits, then end. A second call does nothing. Raises StoreError."""
        self._queue.close()
        self._thread.join(PATIENCE_SECONDS)
        if self._thread.is_alive():
            raise too_slow(self.path, PATIENCE_SECONDS)

    # What can be written

    def add_run(
        self, run: NewRun, bots: Sequence[StoredBot], matches: Sequence[PlannedMatch] = ()
    ) -> Future[CreatedRun]:
        """Store a new run with its bots and the matches that are known, together or not at all."""
        return self.submit(lambda connection: _add_run(connection, run, bots, matches))

    def add_matches(
        self,
        run_id: int,
        matches: Sequence[PlannedMatch],
        *,
        planned_matches: int | None = None,
    ) -> Future[tuple[int, ...]]:
        """Store further matches of a run, such as the next round, and return their ids.

        Matches that are there already are left as they are. The Future raises StoreError if they
        differ. ``planned_matches`` is how many the run has in all, if that is known by now.
        """
        return self.submit(
            lambda connection: _add_matches(connection, run_id, matches, planned_matches)
        )

    def add_result(self, match_id: int, finished: MatchReport) -> Future[bool]:
        """Store a match that is over, with its moves, notes and output.

        The Future says whether the result is new. Where the match has one already, nothing changes.
        """
        return self.submit(lambda connection: _add_result(connection, match_id, finished))

    def add_event(self, run_id: int, event: StoredEvent) -> Future[None]:
        """Store that something happened to a run."""
        return self.submit(lambda connection: _add_event(connection, run_id, event))

    def submit(self, work: Callable[[Connection], T]) -> Future[T]:
        """Call ``work`` in a transaction, and return what it returns once that is on the disk.

        It is called in the writer's thread. Waits while too much else is waiting. Raises StoreError
        if the writer is closed or does not get on at all.
        """
        job = Job(work)
        try:
            if not self._queue.put(job, PATIENCE_SECONDS):
                raise StoreError(
                    StoreFault.CLOSED, f"{self.path} is closed, nothing more is stored"
                )
        except TimeoutError:
            raise too_slow(self.path, PATIENCE_SECONDS) from None
        return job.future

    # The thread

    def _run(self) -> None:
        try:
            while jobs := self._queue.take(MOST_AT_ONCE):
                self._serve(jobs)
        finally:
            self._queue.close()
            left = StoreError(StoreFault.CLOSED, f"{self.path} is closed, nothing more is stored")
            _fail(self._queue.take_all(), left)
            try:
                if self._gone is None:
                    keep_in_one_file(self._connection)
                self._connection.close()
            finally:
                self._lock.release()

    def _serve(self, jobs: list[Job]) -> None:
        try:
            answers = self._commit(jobs)
        except Exception as error:
            # Whoever waits behind them would only wait for the same error.
            _fail([*jobs, *self._queue.take_all()], explain(error, self.path))
            return
        except BaseException as error:
            _fail(jobs, explain(error, self.path))
            raise
        for job, (value, mistake) in zip(jobs, answers, strict=True):
            if mistake is None:
                job.future.set_result(value)
            else:
                job.future.set_exception(mistake)

    def _commit(self, jobs: Sequence[Job]) -> list[tuple[Any, StoreError | None]]:
        if self._gone is not None:
            raise self._gone
        with self._connection.begin():
            answers = [self._do(job) for job in jobs]
        self._check_place()
        return answers

    def _do(self, job: Job) -> tuple[Any, StoreError | None]:
        """Do one job, or undo it if it is at fault itself, without harm to the others."""
        connection = self._connection
        connection.exec_driver_sql("SAVEPOINT job")
        try:
            answer: tuple[Any, StoreError | None] = (job.work(connection), None)
        except _OWN_MISTAKES as error:
            connection.exec_driver_sql("ROLLBACK TO job")
            answer = (None, _explain_mistake(error))
        connection.exec_driver_sql("RELEASE job")
        return answer

    def _check_place(self) -> None:
        """Raise StoreError if the file is not where it was.

        A system lets us write to a file that was deleted, and forgets all of it when we end.
        """
        if _identify(self.path) != self._files:
            self._gone = gone(self.path)
            raise self._gone


def _identify(path: Path) -> tuple[tuple[int, int] | None, ...]:
    """Return what tells the database, and what is not yet moved into it, from other files."""
    found: list[tuple[int, int] | None] = []
    for file in (path, path.with_name(path.name + "-wal")):
        try:
            status = file.stat()
            found.append((status.st_dev, status.st_ino))
        except OSError:
            found.append(None)
    return tuple(found)


def _fail(jobs: Sequence[Job], error: StoreError) -> None:
    for job in jobs:
        job.future.set_exception(error.again())


def _explain_mistake(error: Exception) -> StoreError:
    if isinstance(error, StoreError):
        return error
    if isinstance(error, exc.IntegrityError):
        message = f"this contradicts what is in the database: {error.orig}"
    else:
        message = f"this cannot be stored: {type(error).__name__}: {error}"
    return StoreError(StoreFault.REFUSED, message)


# Jobs, each within a transaction


def _add_run(
    connection: Connection,
    run: NewRun,
    bots: Sequence[StoredBot],
    matches: Sequence[PlannedMatch],
) -> CreatedRun:
    row = connection.execute(schema.RUN.insert(), encoding.run_row(run))
    assert row.inserted_primary_key is not None
    run_id: int = row.inserted_primary_key[0]
    if bots:
        connection.execute(schema.BOT.insert(), [encoding.bot_row(run_id, bot) for bot in bots])
    return CreatedRun(run_id, _add_matches(connection, run_id, matches, None))


def _add_matches(
    connection: Connection,
    run_id: int,
    matches: Sequence[PlannedMatch],
    planned_matches: int | None,
) -> tuple[int, ...]:
    if planned_matches is not None:
        connection.execute(
            schema.RUN.update()
            .where(schema.RUN.c.id == run_id)
            .values(planned_matches=planned_matches)
        )
    if not matches:
        return ()
    wanted = [encoding.match_row(run_id, match) for match in matches]
    connection.execute(_ADD_MATCHES, wanted)
    numbers = [row["number"] for row in wanted]
    there = connection.execute(
        select(schema.MATCH).where(
            schema.MATCH.c.run_id == run_id,
            schema.MATCH.c.number.between(min(numbers), max(numbers)),
        )
    )
    found = {row["number"]: dict(row) for row in there.mappings()}
    ids = [found[number]["id"] for number in numbers]
    for row in wanted:
        if found[row["number"]] != row | {"id": found[row["number"]]["id"]}:
            raise StoreError(
                StoreFault.REFUSED,
                f"match {row['number']} of run {run_id} is planned otherwise already",
            )
    return tuple(ids)


def _add_result(connection: Connection, match_id: int, finished: MatchReport) -> bool:
    row = encoding.result_row(match_id, finished.result)
    if connection.execute(_ADD_RESULT, row).rowcount == 0:
        return False
    for table, rows in (
        (schema.MOVE, encoding.move_rows(match_id, finished)),
        (schema.NOTE, encoding.note_rows(match_id, finished)),
        (schema.OUTPUT, encoding.output_rows(match_id, finished)),
    ):
        if rows:
            connection.execute(table.insert(), rows)
    return True


def _add_event(connection: Connection, run_id: int, event: StoredEvent) -> None:
    connection.execute(schema.EVENT.insert(), encoding.event_row(run_id, event))
