"""What alembic runs for every command; the caller hands over an open connection.

The caller (`server.store.migrate`) has begun a transaction and ends it, so that a server killed
in the middle of a migration finds the tables as they were.
"""

from __future__ import annotations

from alembic import context

from server.store.schema import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    compare_type=True,
    render_as_batch=True,  # SQLite alters a table by copying it
)
context.run_migrations()
