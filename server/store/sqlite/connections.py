"""Open connections to an SQLite database, with the pragmas that make commits durable.

Durability: in WAL mode with `synchronous=FULL`, SQLite syncs the write-ahead log to the disk at
every commit, so that a committed entry survives a power failure. Readers never wait for the writer.
"""

from __future__ import annotations

import sqlite3
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncEngine

BUSY_MS: Final = 5000
"""How long a statement waits for a lock of another process, in milliseconds."""
_LOG_PAGES: Final = 4000
"""How many pages in the write-ahead log make a commit copy them into the database itself.

Usually `checkpoints.py` has done that before.
"""
_LOG_LIMIT_BYTES: Final = 64 * 1024 * 1024
"""SQLite truncates the file of the write-ahead log to this size after a checkpoint."""
_PRAGMAS: Final = (
    f"busy_timeout={BUSY_MS}",
    "synchronous=FULL",
    "fullfsync=ON",  # macOS only: there a plain fsync does not reach the disk
    "foreign_keys=ON",
    f"wal_autocheckpoint={_LOG_PAGES}",
    f"journal_size_limit={_LOG_LIMIT_BYTES}",
)


def prepare(engine: sa.Engine, *, read_only: bool) -> None:
    """Make every new connection of this engine set its pragmas.

    These pragmas affect only the connection. Opening the database of another program therefore
    changes nothing in it.
    """
    pragmas = (*_PRAGMAS, "query_only=ON") if read_only else _PRAGMAS

    def connected(connection: Any, _record: object) -> None:
        cursor = connection.cursor()
        for pragma in pragmas:
            cursor.execute(f"PRAGMA {pragma}")
        cursor.close()

    sa.event.listen(engine, "connect", connected)


def connect(engine: AsyncEngine) -> sqlite3.Connection:
    """Return a new connection to the database of this engine, without SQLAlchemy.

    A statement outside `BEGIN` and `COMMIT` is a transaction by itself. Any thread may use the
    connection, one at a time.

    Raises:
        sqlite3.Error: the file cannot be opened.
    """
    (name,), options = engine.dialect.create_connect_args(engine.url)
    own: dict[str, Any] = {**options, "check_same_thread": False, "isolation_level": None}
    connection: sqlite3.Connection = sqlite3.connect(name, **own)
    try:
        for pragma in _PRAGMAS:
            connection.execute(f"PRAGMA {pragma}").close()
    except BaseException:
        connection.close()
        raise
    return connection
