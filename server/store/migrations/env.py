"""The script that alembic runs for every command, on the caller's open connection.

The caller begins and ends the transaction. When a server is killed in the middle of a migration,
the tables are therefore unchanged.
"""

from __future__ import annotations

from alembic import context

from doublecross.server.store.schema import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    compare_type=True,
    render_as_batch=True,  # SQLite can change most parts of a table only by copying it.
)
context.run_migrations()
