"""Read from an SQLite file in threads, each whole read in one call.

aiosqlite has a thread for each connection too, but wakes it for each step of a read: five times for
one row. That took the event loop a millisecond, and a login reads once or twice.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import sqlalchemy as sa

from doublecross.server.store.sqlite import connections
from doublecross.server.store.writer import Values

Row = sa.Row[*tuple[Any, ...]]


class SqliteReaders:
    """The reading connections of one SQLite file, at most `most` of them."""

    def __init__(self, url: sa.URL, most: int) -> None:
        self.engine = sa.create_engine(
            url.set(drivername="sqlite"),
            pool_size=most,
            max_overflow=0,
            pool_reset_on_return=None,  # A reading connection never has an open transaction.
            isolation_level="AUTOCOMMIT",
            hide_parameters=True,
        )
        connections.prepare(self.engine, read_only=True)
        self.threads = ThreadPoolExecutor(most, thread_name_prefix="read")

    def rows(self, query: sa.Executable, values: Values | None = None) -> Sequence[Row]:
        """Return the rows of a query with these values; call this in one of the `threads`."""
        with self.engine.connect() as connection:
            return connection.execute(query, values).all()

    def dispose(self) -> None:
        """Close all connections that are not in use."""
        self.threads.shutdown(wait=False)
        self.engine.dispose()
