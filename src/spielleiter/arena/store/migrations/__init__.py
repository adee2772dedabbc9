"""The steps from each revision of the tables to the next, for alembic.

A step that was ever released is not changed any more. A new one gets the next number, in its own
file, and in ``schema.REVISIONS``.
"""
