"""Databases that are created, migrated, refused, and never harmed."""

from __future__ import annotations

import errno
import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
import sqlalchemy
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy.pool import NullPool

from arena.store.samples import BOTS, new_run, planned
from spielleiter.arena.store import database, schema
from spielleiter.arena.store.errors import StoreError, StoreFault
from spielleiter.arena.store.reader import StoreReader
from spielleiter.arena.store.writer import StoreWriter

SECOND = """
import sqlalchemy as sa
from alembic import op
revision, down_revision = "0002", "0001"
def upgrade():
    with op.batch_alter_table("bot") as batch:
        batch.add_column(sa.Column("elo", sa.Integer, nullable=False, server_default="1500"))
        batch.alter_column("hash", new_column_name="digest")
"""


def create(folder: Path) -> Path:
    with StoreWriter(folder) as writer:
        writer.add_run(new_run(), BOTS, [planned(1)]).result()
    return folder / "run.db"


def change(path: Path, *statements: str) -> None:
    with closing(sqlite3.connect(path)) as connection, connection:
        for statement in statements:
            connection.execute(statement)


def fault_of(call: Callable[[], object]) -> StoreError:
    with pytest.raises(StoreError) as caught:
        call()
    error = caught.value
    assert error.message
    assert not error.message.endswith(".")
    return error


def test_a_new_database_is_at_the_newest_revision(tmp_path: Path) -> None:
    path = create(tmp_path)
    assert database.inspect(path) == schema.REVISIONS[-1]
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("delete",)
    assert sorted(file.name for file in tmp_path.iterdir()) == ["run.db", "run.db.lock"]


def test_revisions_are_those_of_the_migrations() -> None:
    found = ScriptDirectory(database.MIGRATIONS).walk_revisions()
    assert [script.revision for script in found] == list(reversed(schema.REVISIONS))


def tables_without_rowid(connection: sqlalchemy.Connection) -> set[str]:
    listed = connection.exec_driver_sql("PRAGMA table_list").mappings()
    return {row["name"] for row in listed if row["wr"]}


def test_migrations_lead_to_the_tables_of_the_schema() -> None:
    engine = sqlalchemy.create_engine("sqlite://", poolclass=NullPool)
    migrated, created = engine.connect(), engine.connect()
    with migrated, created:
        database.upgrade(migrated)
        context = MigrationContext.configure(migrated, opts={"compare_server_default": True})
        assert compare_metadata(context, schema.METADATA) == []
        schema.METADATA.create_all(created)
        assert tables_without_rowid(migrated) == tables_without_rowid(created) == {"move"}


@pytest.fixture
def second_revision(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A version of the program that knows one revision more."""
    folder = tmp_path / "100 % new" / "migrations"
    shutil.copytree(database.MIGRATIONS, folder)
    script = folder / "versions" / "v0002_more.py"
    script.write_text(SECOND)
    monkeypatch.setattr(database, "MIGRATIONS", folder)
    monkeypatch.setattr(schema, "REVISIONS", ("0001", "0002"))
    return script


@pytest.fixture
def old(tmp_path: Path) -> Path:
    folder = tmp_path / "old"
    folder.mkdir()
    return create(folder)


def bots(path: Path) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute("SELECT * FROM bot").fetchall()


@pytest.mark.parametrize("opened", [StoreWriter, StoreReader])
def test_an_older_database_is_copied_and_migrated(
    old: Path, second_revision: Path, opened: type[StoreReader | StoreWriter]
) -> None:
    before = bots(old)
    opened(old).close()
    assert database.inspect(old) == "0002"
    assert [row[-1] for row in bots(old)] == [1500, 1500]
    backup = old.with_name("run.db.backup-0001")
    assert bots(backup) == before
    assert database.inspect(backup) == "0001"
    with closing(sqlite3.connect(old)) as connection:
        assert connection.execute("PRAGMA foreign_key_check").fetchall() == []


def test_a_migration_that_fails_changes_nothing(old: Path, second_revision: Path) -> None:
    before = bots(old)
    second_revision.write_text(SECOND + '    op.execute("SELECT * FROM nowhere")\n')
    fault_of(lambda: StoreWriter(old))
    assert bots(old) == before
    assert database.inspect(old) == "0001"
    second_revision.write_text(SECOND)
    StoreWriter(old).close()
    assert database.inspect(old) == "0002"


def test_an_older_database_that_is_written_is_not_migrated_by_a_reader(
    old: Path, second_revision: Path
) -> None:
    lock = database.WriterLock(old)
    assert fault_of(lambda: StoreReader(old)).fault is StoreFault.IN_USE
    lock.release()


@pytest.mark.parametrize("opened", [StoreWriter, StoreReader])
def test_a_newer_database_is_refused(
    tmp_path: Path, opened: type[StoreReader | StoreWriter]
) -> None:
    path = create(tmp_path)
    change(path, "UPDATE alembic_version SET version_num = '0999'")
    before = path.read_bytes()
    error = fault_of(lambda: opened(tmp_path))
    assert error.fault is StoreFault.NEWER
    assert "0999" in error.message
    assert "update spielleiter" in error.advice
    assert path.read_bytes() == before


@pytest.mark.parametrize("opened", [StoreWriter, StoreReader])
@pytest.mark.parametrize(
    "content",
    [b"once upon a time", b"SQLite format 3\0" + bytes(84), b"x" * 5000],
    ids=["text", "header", "long"],
)
def test_what_is_not_a_database_is_left_alone(
    tmp_path: Path, content: bytes, opened: type[StoreReader | StoreWriter]
) -> None:
    path = tmp_path / "run.db"
    path.write_bytes(content)
    assert fault_of(lambda: opened(path)).fault in (StoreFault.NOT_OURS, StoreFault.DAMAGED)
    assert path.read_bytes() == content
    assert [file.name for file in tmp_path.iterdir()] == ["run.db"]


@pytest.mark.parametrize("opened", [StoreWriter, StoreReader])
def test_a_database_of_another_program_is_left_alone(
    tmp_path: Path, opened: type[StoreReader | StoreWriter]
) -> None:
    path = tmp_path / "run.db"
    change(path, "CREATE TABLE recipe (name)")
    before = path.read_bytes()
    assert fault_of(lambda: opened(path)).fault is StoreFault.NOT_OURS
    assert path.read_bytes() == before


def test_places_without_a_run(tmp_path: Path) -> None:
    assert fault_of(lambda: StoreReader(tmp_path)).fault is StoreFault.MISSING
    assert fault_of(lambda: StoreReader(tmp_path / "x")).fault is StoreFault.MISSING
    assert fault_of(lambda: StoreWriter(tmp_path / "x" / "run.db")).fault is StoreFault.MISSING
    (tmp_path / "run.db").touch()
    assert fault_of(lambda: StoreReader(tmp_path)).fault is StoreFault.MISSING
    (tmp_path / "run.db").unlink()
    (tmp_path / "run.db").mkdir()
    assert fault_of(lambda: StoreWriter(tmp_path)).fault is StoreFault.NOT_OURS
    assert fault_of(lambda: StoreReader(tmp_path)).fault is StoreFault.NOT_OURS


def test_an_empty_file_becomes_a_database(tmp_path: Path) -> None:
    (tmp_path / "run.db").touch()
    assert database.inspect(create(tmp_path)) == schema.REVISIONS[-1]


@pytest.mark.parametrize("name", ["a ? b # c % d", "ümlaut 'quoted'", "file:x?mode=ro"])
def test_folders_may_have_any_name(tmp_path: Path, name: str) -> None:
    if sys.platform == "win32" and set(name) & set('?:"'):
        pytest.skip("Windows has no such names")
    folder = tmp_path / name
    folder.mkdir()
    create(folder)
    assert (folder / "run.db").is_file()
    with StoreReader(folder) as reader:
        assert len(reader.runs()) == 1


def test_a_fixed_folder_can_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    create(tmp_path)
    monkeypatch.setattr(os, "access", lambda *_: False)
    with StoreReader(tmp_path) as reader:
        assert len(reader.runs()) == 1
        assert not (tmp_path / "run.db-shm").exists(), "nothing is put beside it"


@pytest.mark.parametrize("what", ["new", "there already"])
def test_a_database_that_cannot_be_written_is_refused_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    if what == "there already":
        create(tmp_path)
    connect = database._connect

    def connect_reading(path: Path, mode: str, pragmas: tuple[str, ...]) -> sqlite3.Connection:
        return connect(path, "ro", pragmas)

    monkeypatch.setattr(database, "_connect", connect_reading)
    error = fault_of(lambda: StoreWriter(tmp_path))
    assert error.fault is (StoreFault.READ_ONLY if what == "there already" else StoreFault.MISSING)
    monkeypatch.undo()
    StoreWriter(tmp_path).close()


@pytest.mark.parametrize(
    ("number", "fault"),
    [
        (errno.ENOSPC, StoreFault.FULL),
        (errno.EACCES, StoreFault.READ_ONLY),
        (errno.EROFS, StoreFault.READ_ONLY),
        (errno.EIO, StoreFault.DISK),
    ],
)
def test_a_folder_in_which_no_lock_can_be_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int, fault: StoreFault
) -> None:
    def fail(*_: object) -> int:
        raise OSError(number, os.strerror(number))

    with monkeypatch.context() as broken:
        broken.setattr(os, "open", fail)
        error = fault_of(lambda: StoreWriter(tmp_path))
    assert error.fault is fault
    assert error.advice
    assert list(tmp_path.iterdir()) == []


def test_a_disk_too_full_for_the_name_of_the_holder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> int:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "write", fail)
    with StoreWriter(tmp_path):
        assert (tmp_path / "run.db.lock").read_bytes() == b""
        assert fault_of(lambda: StoreWriter(tmp_path)).fault is StoreFault.IN_USE


def test_a_reader_changes_nothing(tmp_path: Path) -> None:
    create(tmp_path)
    with StoreReader(tmp_path) as reader:
        error = fault_of(lambda: reader.read_rows("DELETE FROM match"))
        assert error.fault is StoreFault.READ_ONLY


def test_a_database_that_another_program_holds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "BUSY_SECONDS", 0.01)
    path = create(tmp_path)
    with StoreWriter(tmp_path) as writer, closing(sqlite3.connect(path)) as other:
        other.execute("BEGIN IMMEDIATE")
        waiting = writer.add_run(new_run(), BOTS)
        assert fault_of(waiting.result).fault is StoreFault.LOCKED
        other.rollback()
        assert writer.add_run(new_run(), BOTS).result().id == 2


def test_nothing_of_it_is_loaded_with_the_arena() -> None:
    program = (
        "import sys, spielleiter.arena.match, spielleiter.arena.store.values, "
        "spielleiter.arena.store.errors, spielleiter.cli.play, spielleiter.cli.serve;"
        "print([name for name in sys.modules if name in ('sqlalchemy', 'alembic')])"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=True
    )
    assert done.stdout == "[]\n"
    program = (
        "import sys, spielleiter.arena.store.writer, spielleiter.arena.store.reader;"
        "print('alembic' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=True
    )
    assert done.stdout == "False\n"


SWITCH = """
import sqlite3, sys
connection = sqlite3.connect(sys.argv[1], timeout=0)
try:
    print(connection.execute("PRAGMA journal_mode = DELETE").fetchone()[0])
except sqlite3.OperationalError as error:
    print(error)
"""


def test_reading_beside_the_writer_frees_none_of_its_locks(tmp_path: Path) -> None:
    """A system frees all locks of a process on a file when it closes the file once."""
    path = create(tmp_path)
    with StoreWriter(tmp_path) as writer:
        writer.add_run(new_run(), BOTS).result()
        StoreReader(tmp_path).close()
        fault_of(lambda: StoreWriter(tmp_path))
        done = subprocess.run(
            [sys.executable, "-c", SWITCH, str(path)],
            capture_output=True,
            text=True,
            timeout=60,
            check=True,
        )
        assert done.stdout == "database is locked\n"
