"""Alembic runs this file to migrate. The connection is handed in by ``database.upgrade``."""

from __future__ import annotations

from alembic import context

from spielleiter.arena.store.schema import METADATA

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=METADATA,
    render_as_batch=True,  # SQLite changes a table by making it anew
    transactional_ddl=True,
)
with context.begin_transaction():
    context.run_migrations()
