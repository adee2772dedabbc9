"""The tables of the database. Opening and migrating it is the business of ``database``.

Columns that hold JSON are texts, so that a broken one can be named when it is read. Times are texts
as ISO 8601 has them, in UTC. Seeds are texts because they may be larger than numbers of SQLite.
"""

from __future__ import annotations

from sqlalchemy import (
    Boolean,
    Column,
    Float,
    ForeignKey,
    ForeignKeyConstraint,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
)

REVISIONS = ("0001",)
"""Every revision that this version knows, oldest first. The last one is what is written here."""

METADATA = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)
"""Constraints have names, because a migration can change nothing that it cannot name."""

RUN = Table(
    "run",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("key", Text, nullable=False, unique=True),
    Column("kind", Text, nullable=False),
    Column("game", Text, nullable=False),
    Column("created_at", Text, nullable=False),
    Column("plan", Text, nullable=False),
    Column("version", Text, nullable=False),
    Column("seed", Text, nullable=False),
    Column("machine", Text, nullable=False),
    Column("planned_matches", Integer),
)

BOT = Table(
    "bot",
    METADATA,
    Column("run_id", ForeignKey("run.id"), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("name", Text, nullable=False),
    Column("kind", Text, nullable=False),
    Column("words", Text, nullable=False),
    Column("hash", Text, nullable=False),
    Column("detail", Text, nullable=False),
)

MATCH = Table(
    "match",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("run_id", ForeignKey("run.id"), nullable=False),
    Column("number", Integer, nullable=False),
    Column("round", Integer, nullable=False),
    Column("pair", Integer, nullable=False),
    Column("first_bot", Integer, nullable=False),
    Column("second_bot", Integer, nullable=False),
    Column("seed", Text, nullable=False),
    Column("opening", Text, nullable=False),
    UniqueConstraint("run_id", "number"),
    ForeignKeyConstraint(["run_id", "first_bot"], ["bot.run_id", "bot.number"]),
    ForeignKeyConstraint(["run_id", "second_bot"], ["bot.run_id", "bot.number"]),
)

RESULT = Table(
    "result",
    METADATA,
    Column("match_id", ForeignKey("match.id"), primary_key=True),
    Column("winner", Integer),
    Column("code", Text, nullable=False),
    Column("reason_de", Text, nullable=False),
    Column("reason_en", Text, nullable=False),
    Column("points", Text, nullable=False),
    Column("scores", Text, nullable=False),
    Column("causes", Text, nullable=False),
    Column("reasons", Text, nullable=False),
    Column("way", Text, nullable=False),
    Column("final", Text, nullable=False),
    Column("digest", Text, nullable=False),
    Column("seconds", Float),
    Column("slowest", Text, nullable=False),
    Column("delay", Float),
    Column("was_cancelled", Boolean, nullable=False),
    Column("detail", Text, nullable=False),
    Column("finished_at", Text, nullable=False),
)
"""The primary key is the match, so a match cannot have two results."""

MOVE = Table(
    "move",
    METADATA,
    Column("match_id", ForeignKey("match.id"), primary_key=True),
    Column("ply", Integer, primary_key=True, autoincrement=False),
    Column("turn", Integer, nullable=False),
    Column("seat", Integer, nullable=False),
    Column("text", Text, nullable=False),
    Column("seconds", Float),
    Column("hints", Text, nullable=False),
    sqlite_with_rowid=False,
)
"""Most rows are here and all are small, so they lie in the tree of their key itself."""

NOTE = Table(
    "note",
    METADATA,
    Column("match_id", ForeignKey("match.id"), primary_key=True),
    Column("seat", Integer, primary_key=True, autoincrement=False),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("turn", Integer),
    Column("content", Text, nullable=False),
)

OUTPUT = Table(
    "output",
    METADATA,
    Column("match_id", ForeignKey("match.id"), primary_key=True),
    Column("seat", Integer, primary_key=True, autoincrement=False),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("stream", Text, nullable=False),
    Column("at", Float, nullable=False),
    Column("turn", Integer),
    Column("text", Text, nullable=False),
)

EVENT = Table(
    "event",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("run_id", ForeignKey("run.id"), nullable=False, index=True),
    Column("at", Text, nullable=False),
    Column("kind", Text, nullable=False),
    Column("text", Text, nullable=False),
)

VERSION = Table(
    "alembic_version",
    MetaData(),
    Column("version_num", String(32), primary_key=True),
)
"""The table in which alembic keeps the revision. It is not one of ours to migrate."""
