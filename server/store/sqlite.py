"""All that is special about SQLite: its pragmas, the lock on its file and the short way to write.

Durability: WAL with `synchronous=FULL` syncs the log at every commit, so a committed entry
survives a loss of power. The log is copied into the database every `_CHECKPOINT_PAGES` pages, on
the writer's own thread, and readers never wait for the writer.

The short way: SQLAlchemy takes four trips to aiosqlite's thread for one statement and its commit
(make a cursor, execute, close it, commit), and each trip costs as much as the insert itself.
A statement outside a transaction is one for itself in SQLite, so the writer sends it, compiled
by SQLAlchemy once, in a single trip.
"""

from __future__ import annotations

import sqlite3
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final, cast

import aiosqlite
import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from server.core.storage import StoreError
from server.store.writer import Writer

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

DriverError: Final = sqlite3.Error

_BUSY_MS: Final = 5000
_CHECKPOINT_PAGES: Final = 1000
_LOG_LIMIT_BYTES: Final = 64 * 1024 * 1024
_LOCAL_PRAGMAS: Final = (
    f"busy_timeout={_BUSY_MS}",
    "synchronous=FULL",
    "fullfsync=ON",  # macOS only: there a plain fsync does not reach the disk
    "foreign_keys=ON",
    f"wal_autocheckpoint={_CHECKPOINT_PAGES}",
    f"journal_size_limit={_LOG_LIMIT_BYTES}",
)


def database_file(url: sa.URL) -> Path:
    """The file of this database, its links resolved. Raises StoreError when the URL names no
    file, or a folder."""
    name = url.database
    if not name or name == ":memory:" or name.startswith("file:"):
        raise StoreError("The database must be a file, named by its path.")
    path = Path(name).resolve()
    if path.is_dir():
        raise StoreError(f"The database {path} cannot be opened: it is a folder.")
    if not path.parent.is_dir():
        raise StoreError(f"The database {path} cannot be opened: there is no folder {path.parent}.")
    return path


class UseLock:
    """The lock that a server holds on its database from `acquire` to `release`.

    It is a lock of the kernel on a file beside the database, which stays there empty. The kernel
    takes it back when the process ends, however it ends. A child made by a bare `fork` would
    share it; one that runs another program does not."""

    def __init__(self, database: Path) -> None:
        self._database = database
        # Appended, as the program's own files may share the stem.
        self._file = open(f"{database}.lock", "ab")  # noqa: SIM115, PTH123 - held until release

    def acquire(self) -> None:
        """Take the lock without waiting. Raises StoreError when another server holds it."""
        try:
            if sys.platform == "win32":
                msvcrt.locking(self._file.fileno(), msvcrt.LK_NBLCK, 1)
            else:
                fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            self._file.close()
            raise StoreError(f"Another server is using the database {self._database}.") from error

    def release(self) -> None:
        """Let another server have the database."""
        self._file.close()


def prepare(engine: AsyncEngine, *, read_only: bool) -> None:
    """Have every new connection of this engine set its pragmas. They are those that only bind
    the connection, so looking into a foreign database changes nothing in it."""
    pragmas = (*_LOCAL_PRAGMAS, "query_only=ON") if read_only else _LOCAL_PRAGMAS

    def connected(connection: Any, _record: object) -> None:
        cursor = connection.cursor()
        for pragma in pragmas:
            cursor.execute(f"PRAGMA {pragma}")
        cursor.close()

    sa.event.listen(engine.sync_engine, "connect", connected)


class SqliteWriter(Writer):
    """Writes through aiosqlite's own calls, each one trip to its thread."""

    begin_sql = "BEGIN IMMEDIATE"
    finishes_when_cancelled = True  # the thread does what stands in its queue, in order

    def __init__(self, engine: AsyncEngine) -> None:
        super().__init__(engine)
        self._driver: aiosqlite.Connection | None = None
        self._compiled: dict[sa.Executable, tuple[str, Sequence[str], Mapping[str, Any]]] = {}

    async def connection(self) -> AsyncConnection:
        """See `Writer.connection`."""
        connection = await super().connection()
        if self._driver is None:
            raw = await connection.get_raw_connection()
            self._driver = cast("aiosqlite.Connection", raw.driver_connection)
        return connection

    async def prepare(self) -> None:
        """Turn on the write-ahead log, which stays on in the file."""
        connection = await self.connection()
        await connection.exec_driver_sql("PRAGMA journal_mode=WAL")

    async def execute(self, statement: sa.Executable, rows: Sequence[Mapping[str, Any]]) -> None:
        """See `Writer.execute`. The values must be what sqlite3 takes: int, str, bytes, None."""
        driver = await self._opened()
        compiled = self._compiled.get(statement)
        if compiled is None:
            compiled = self._compiled[statement] = self._compile(statement)
        sql, names, fixed = compiled
        if len(rows) == 1:
            row = rows[0]
            await driver.execute_fetchall(sql, [row[n] if n in row else fixed[n] for n in names])
        else:
            values = [[row[n] if n in row else fixed[n] for n in names] for row in rows]
            async with driver.executemany(sql, values):
                pass

    async def rollback(self) -> None:
        """See `Writer.rollback`. SQLite may have ended the transaction itself (disk full)."""
        driver = await self._opened()
        if driver.in_transaction:
            await driver.execute_fetchall("ROLLBACK")

    async def run(self, sql: str) -> None:
        """See `Writer.run`."""
        driver = await self._opened()
        await driver.execute_fetchall(sql)

    async def close(self) -> None:
        """See `Writer.close`."""
        self._driver = None
        await super().close()

    async def _opened(self) -> aiosqlite.Connection:
        await self.connection()
        assert self._driver is not None
        return self._driver

    def _compile(self, statement: sa.Executable) -> tuple[str, Sequence[str], Mapping[str, Any]]:
        compiled = cast("sa.ClauseElement", statement).compile(dialect=self.engine.dialect)
        assert isinstance(compiled, sa.sql.compiler.SQLCompiler)
        return str(compiled), compiled.positiontup or (), compiled.params
