"""Open a database of runs. An empty one is created, an older one migrated, a newer one refused.

What is in it is the business of ``writer`` and ``reader``.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import quote

import sqlalchemy
from sqlalchemy import Connection, Engine, event
from sqlalchemy.pool import NullPool

from spielleiter.arena.store import schema
from spielleiter.arena.store.errors import StoreError, StoreFault, explain
from spielleiter.arena.store.lock import WriterLock
from spielleiter.arena.store.values import FILE_NAME

APPLICATION_ID = 0x53504C52
"""What marks a database as ours, in the place that SQLite has for it ("SPLR")."""
MIGRATIONS = Path(__file__).parent / "migrations"
BUSY_SECONDS = 10.0
"""How long another program may hold the database before we give up."""
_WRITING = (
    "PRAGMA journal_mode = WAL",
    "PRAGMA synchronous = FULL",  # NORMAL may lose what was committed when the power fails
    "PRAGMA fullfsync = ON",  # macOS calls a disk's cache the disk otherwise
    "PRAGMA foreign_keys = ON",
)


def find_database(place: Path) -> Path:
    """Return the database that is meant by a folder or by the file itself."""
    return place / FILE_NAME if place.is_dir() else place


def inspect(path: Path) -> str | None:
    """Return the revision of a database, or None if there is nothing in it or no file.

    Raises StoreError if it is not a database of runs, or of a revision that this version does not
    know.
    """
    try:
        if not path.exists():
            return None
        if not path.is_file():
            raise StoreError(
                StoreFault.NOT_OURS, f"{path} is not a file", "name the folder of a run"
            )
        if path.stat().st_size == 0:
            return None
    except OSError as error:
        raise explain(error, path) from error
    # Only SQLite may open the file. If this process closed it, all of SQLite's locks on it were
    # gone, also those of a writer in another thread.
    try:
        with contextlib.closing(_connect_reading(path)) as connection:
            return _read_revision(connection, path)
    except sqlite3.Error as error:
        raise explain(error, path) from error


def _read_revision(connection: sqlite3.Connection, path: Path) -> str | None:
    (mark,) = connection.execute("PRAGMA application_id").fetchone()
    tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_master")}
    if mark == 0 and not tables:
        return None
    if mark != APPLICATION_ID or schema.VERSION.name not in tables:
        raise StoreError(
            StoreFault.NOT_OURS,
            f"{path} is a database of another program",
            "name the folder of a run, or another folder for a new one",
        )
    row = connection.execute("SELECT version_num FROM alembic_version").fetchone()
    revision = str(row[0]) if row is not None else ""
    if revision not in schema.REVISIONS:
        raise StoreError(
            StoreFault.NEWER,
            f"{path} was written by a newer version of spielleiter (it has revision "
            f"{revision or 'none'}, this version knows up to {schema.REVISIONS[-1]})",
            "update spielleiter: pip install --upgrade spielleiter",
        )
    return revision


# Opening


def mark(connection: Connection) -> None:
    """Mark the database as ours, which fails at once where nothing can be written."""
    connection.exec_driver_sql(f"PRAGMA application_id = {APPLICATION_ID}")


def keep_in_one_file(connection: Connection) -> None:
    """Move what is beside the database into it, so that one file is left that can be copied.

    Otherwise everybody who reads it would leave two more files there. It is put off while somebody
    reads, and what is beside the database stays then.
    """
    driver = connection.connection.driver_connection
    assert driver is not None
    with contextlib.suppress(sqlite3.Error):
        driver.execute("PRAGMA busy_timeout = 0")
        driver.execute("PRAGMA journal_mode = DELETE").fetchall()


def open_writing(path: Path) -> tuple[Engine, WriterLock]:
    """Open a database for the one process that may write it, and hold the lock for it.

    Where there is none, one is created, but its folder must be there. Raises StoreError.
    """
    if not path.parent.is_dir():
        raise StoreError(
            StoreFault.MISSING, f"there is no folder {path.parent}", "make it, or name another one"
        )
    inspect(path)  # before the lock makes a file beside something that is not ours
    lock = WriterLock(path)
    try:
        _bring_up_to_date(path)
        return _make_engine(path, "rw", _WRITING, "BEGIN IMMEDIATE"), lock
    except BaseException:
        lock.release()
        raise


def open_reading(path: Path) -> Engine:
    """Open a database in which nothing can be changed. Raises StoreError.

    One of an older version is migrated first.
    """
    if not path.exists():
        raise StoreError(
            StoreFault.MISSING,
            f"there is no run in {path.parent}",
            "name a folder with a run.db in it",
        )
    revision = inspect(path)
    if revision is None:
        raise StoreError(
            StoreFault.MISSING,
            f"{path} is empty: the run never began",
            "start it again, or name another folder",
        )
    if revision != schema.REVISIONS[-1]:
        lock = WriterLock(path)
        try:
            _bring_up_to_date(path)
        finally:
            lock.release()
    options = "ro&immutable=1" if _is_finished_and_fixed(path) else "ro"
    return _make_engine(path, options, ("PRAGMA query_only = ON",), "BEGIN")


def _is_finished_and_fixed(path: Path) -> bool:
    """Return whether the folder cannot be written and nobody has written to it.

    SQLite wants to put files beside the database even to read it, unless it is told that nobody
    will change it.
    """
    wal = path.with_name(path.name + "-wal")
    return not os.access(path.parent, os.W_OK) and not wal.exists()


def _make_engine(path: Path, mode: str, pragmas: Sequence[str], begin: str) -> Engine:
    def connect() -> sqlite3.Connection:
        return _connect(path, mode, pragmas)

    engine = sqlalchemy.create_engine("sqlite://", creator=connect, poolclass=NullPool)
    # Python's own module would begin transactions late and not for every statement.
    event.listen(engine, "begin", lambda connection: connection.exec_driver_sql(begin))
    return engine


def _connect(path: Path, mode: str, pragmas: Sequence[str]) -> sqlite3.Connection:
    try:
        connection = sqlite3.connect(
            f"{_uri(path)}?mode={mode}",
            uri=True,
            timeout=BUSY_SECONDS,
            isolation_level=None,
            check_same_thread=False,
        )
    except sqlite3.Error as error:
        raise explain(error, path) from error
    try:
        for pragma in pragmas:
            connection.execute(pragma).fetchall()
    except sqlite3.Error as error:
        connection.close()
        raise explain(error, path) from error
    return connection


def _connect_reading(path: Path) -> sqlite3.Connection:
    return _connect(path, "ro&immutable=1" if _is_finished_and_fixed(path) else "ro", ())


def _uri(path: Path) -> str:
    """Return the path as SQLite reads it, in which any character may stand."""
    place = os.fsencode(path.absolute().as_posix())
    return f"file://{'' if place.startswith(b'/') else '/'}{quote(place)}"


# Creating and migrating


def _bring_up_to_date(path: Path) -> None:
    """Create or migrate the database, whole or not at all. The lock must be held."""
    revision = inspect(path)
    try:
        if revision is None:
            _create(path)
        elif revision != schema.REVISIONS[-1]:
            _back_up(path, path.with_name(f"{path.name}.backup-{revision}"))
            _migrate(path)
    except (sqlite3.Error, sqlalchemy.exc.SQLAlchemyError, OSError) as error:
        raise explain(error, path) from error


def _create(path: Path) -> None:
    engine = _make_engine(path, "rwc", _WRITING, "BEGIN IMMEDIATE")
    with engine.begin() as connection:
        schema.METADATA.create_all(connection)
        schema.VERSION.create(connection)
        connection.execute(schema.VERSION.insert(), {"version_num": schema.REVISIONS[-1]})
        mark(connection)
    _sync_folder(path.parent)


def _sync_folder(folder: Path) -> None:
    """Put the name of the new file on the disk as well, where the system can."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _back_up(path: Path, copy: Path) -> None:
    """Copy the database, complete or not at all."""
    draft = copy.with_name(copy.name + ".part")
    draft.unlink(missing_ok=True)
    try:
        with (
            contextlib.closing(_connect_reading(path)) as source,
            contextlib.closing(_connect(draft, "rwc", ())) as target,
        ):
            source.backup(target)
        draft.replace(copy)
    finally:
        draft.unlink(missing_ok=True)


def _migrate(path: Path) -> None:
    # A table is changed by making it anew, during which keys lead nowhere.
    pragmas = [*_WRITING, "PRAGMA foreign_keys = OFF"]
    engine = _make_engine(path, "rw", pragmas, "BEGIN IMMEDIATE")
    with engine.begin() as connection:
        upgrade(connection)
        broken = connection.exec_driver_sql("PRAGMA foreign_key_check").fetchall()
        if broken:
            raise StoreError(
                StoreFault.DAMAGED,
                f"{path} cannot be migrated: {len(broken)} rows belong to nothing",
                "look for more with the version of spielleiter that wrote it",
            )


def upgrade(connection: Connection) -> None:
    """Bring the tables to the newest revision within the transaction that is open."""
    # Loaded here because it takes its time, and is needed once in the life of a database.
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    config.attributes["connection"] = connection
    command.upgrade(config, schema.REVISIONS[-1])
