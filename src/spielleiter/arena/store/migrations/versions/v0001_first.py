"""Create the first tables."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "run",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("key", sa.Text, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("game", sa.Text, nullable=False),
        sa.Column("created_at", sa.Text, nullable=False),
        sa.Column("plan", sa.Text, nullable=False),
        sa.Column("version", sa.Text, nullable=False),
        sa.Column("seed", sa.Text, nullable=False),
        sa.Column("machine", sa.Text, nullable=False),
        sa.Column("planned_matches", sa.Integer),
        sa.PrimaryKeyConstraint("id", name="pk_run"),
        sa.UniqueConstraint("key", name="uq_run_key"),
    )
    op.create_table(
        "bot",
        sa.Column("run_id", sa.Integer, nullable=False),
        sa.Column("number", sa.Integer, nullable=False, autoincrement=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("words", sa.Text, nullable=False),
        sa.Column("hash", sa.Text, nullable=False),
        sa.Column("detail", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("run_id", "number", name="pk_bot"),
        sa.ForeignKeyConstraint(["run_id"], ["run.id"], name="fk_bot_run_id"),
    )
    op.create_table(
        "match",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("run_id", sa.Integer, nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("round", sa.Integer, nullable=False),
        sa.Column("pair", sa.Integer, nullable=False),
        sa.Column("first_bot", sa.Integer, nullable=False),
        sa.Column("second_bot", sa.Integer, nullable=False),
        sa.Column("seed", sa.Text, nullable=False),
        sa.Column("opening", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_match"),
        sa.UniqueConstraint("run_id", "number", name="uq_match_run_id_number"),
        sa.ForeignKeyConstraint(["run_id"], ["run.id"], name="fk_match_run_id"),
        sa.ForeignKeyConstraint(
            ["run_id", "first_bot"],
            ["bot.run_id", "bot.number"],
            name="fk_match_run_id_first_bot",
        ),
        sa.ForeignKeyConstraint(
            ["run_id", "second_bot"],
            ["bot.run_id", "bot.number"],
            name="fk_match_run_id_second_bot",
        ),
    )
    op.create_table(
        "result",
        sa.Column("match_id", sa.Integer, nullable=False),
        sa.Column("winner", sa.Integer),
        sa.Column("code", sa.Text, nullable=False),
        sa.Column("reason_de", sa.Text, nullable=False),
        sa.Column("reason_en", sa.Text, nullable=False),
        sa.Column("points", sa.Text, nullable=False),
        sa.Column("scores", sa.Text, nullable=False),
        sa.Column("causes", sa.Text, nullable=False),
        sa.Column("reasons", sa.Text, nullable=False),
        sa.Column("way", sa.Text, nullable=False),
        sa.Column("final", sa.Text, nullable=False),
        sa.Column("digest", sa.Text, nullable=False),
        sa.Column("seconds", sa.Float),
        sa.Column("slowest", sa.Text, nullable=False),
        sa.Column("delay", sa.Float),
        sa.Column("was_cancelled", sa.Boolean, nullable=False),
        sa.Column("detail", sa.Text, nullable=False),
        sa.Column("finished_at", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("match_id", name="pk_result"),
        sa.ForeignKeyConstraint(["match_id"], ["match.id"], name="fk_result_match_id"),
    )
    op.create_table(
        "move",
        sa.Column("match_id", sa.Integer, nullable=False),
        sa.Column("ply", sa.Integer, nullable=False, autoincrement=False),
        sa.Column("turn", sa.Integer, nullable=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("seconds", sa.Float),
        sa.Column("hints", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("match_id", "ply", name="pk_move"),
        sa.ForeignKeyConstraint(["match_id"], ["match.id"], name="fk_move_match_id"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "note",
        sa.Column("match_id", sa.Integer, nullable=False),
        sa.Column("seat", sa.Integer, nullable=False, autoincrement=False),
        sa.Column("number", sa.Integer, nullable=False, autoincrement=False),
        sa.Column("turn", sa.Integer),
        sa.Column("content", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("match_id", "seat", "number", name="pk_note"),
        sa.ForeignKeyConstraint(["match_id"], ["match.id"], name="fk_note_match_id"),
    )
    op.create_table(
        "output",
        sa.Column("match_id", sa.Integer, nullable=False),
        sa.Column("seat", sa.Integer, nullable=False, autoincrement=False),
        sa.Column("number", sa.Integer, nullable=False, autoincrement=False),
        sa.Column("stream", sa.Text, nullable=False),
        sa.Column("at", sa.Float, nullable=False),
        sa.Column("turn", sa.Integer),
        sa.Column("text", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("match_id", "seat", "number", name="pk_output"),
        sa.ForeignKeyConstraint(["match_id"], ["match.id"], name="fk_output_match_id"),
    )
    op.create_table(
        "event",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("run_id", sa.Integer, nullable=False),
        sa.Column("at", sa.Text, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_event"),
        sa.ForeignKeyConstraint(["run_id"], ["run.id"], name="fk_event_run_id"),
    )
    op.create_index("ix_event_run_id", "event", ["run_id"])
