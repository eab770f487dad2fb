"""The SQLite writer: its pragmas, the lock on the database file, and a fast way to write.

Durability: in WAL mode with `synchronous=FULL`, SQLite syncs the write-ahead log to the disk at
every commit, so that a committed entry survives a power failure. After every `_CHECKPOINT_PAGES`
pages the log is copied into the database, on the writer's thread. Readers never wait for the
writer.

Speed: aiosqlite runs SQLite in a thread. SQLAlchemy needs four calls to this thread for one
statement and its commit (create a cursor, execute, close it, commit), and each call costs as much
as the insert itself. In SQLite a statement outside `BEGIN` and `COMMIT` is a transaction by
itself. The writer compiles each statement once and then runs it with a single call.
"""

from __future__ import annotations

import errno
import os
import sqlite3
import struct
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
"""How long a statement waits for a lock of another process, in milliseconds."""
_CHECKPOINT_PAGES: Final = 1000
_LOG_LIMIT_BYTES: Final = 64 * 1024 * 1024
"""SQLite truncates the file of the write-ahead log to this size after a checkpoint."""
_LOCK_BYTE: Final = 2**62
"""The byte of the database file that a server locks. SQLite locks bytes from 2**30 on."""
_LOCAL_PRAGMAS: Final = (
    f"busy_timeout={_BUSY_MS}",
    "synchronous=FULL",
    "fullfsync=ON",  # macOS only: there a plain fsync does not reach the disk
    "foreign_keys=ON",
    f"wal_autocheckpoint={_CHECKPOINT_PAGES}",
    f"journal_size_limit={_LOG_LIMIT_BYTES}",
)


def database_file(url: sa.URL) -> Path:
    """Return the file of this database, with symbolic links resolved.

    Raises:
        StoreError: the URL names no file, a folder, or a file in a missing folder.
    """
    name = url.database
    if not name or name == ":memory:" or name.startswith("file:"):
        raise StoreError("The database must be a file; give its path.")
    path = Path(name).resolve()
    if path.is_dir():
        raise StoreError(f"The database {path} cannot be opened: it is a folder.")
    if not path.parent.is_dir():
        raise StoreError(f"The database {path} cannot be opened: there is no folder {path.parent}.")
    return path


def reading_address(path: Path) -> str:
    """Return the URI with which SQLite reads this file and leaves no files beside it.

    As long as no server writes, the file is read as it is. With a write-ahead log, SQLite reads
    that too.
    """
    # Without its write-ahead log the file alone is the whole database. Then SQLite need not create
    # its files beside it, not even to read.
    log = path.with_name(f"{path.name}-wal")
    alone = not log.exists() or log.stat().st_size == 0
    return f"{path.as_uri()}?mode=ro{'&immutable=1' if alone else ''}"


class UseLock:
    """The lock of a server on its database, from `acquire` to `release`.

    It is an operating-system lock on an empty file beside the database, which remains after
    `release`, and on Linux also a lock on the database file itself. The system frees both when the
    process ends, even by a crash. A forked child process shares them; a child that executes another
    program does not.

    The first lock alone would not do: somebody may delete the empty file, and a hard link to the
    database has another one beside it. The second lock belongs to the file, whatever its name.
    SQLite locks the same file with POSIX locks, which a process loses as soon as it closes any
    descriptor of the file. So this is an open file description lock (`man 2 fcntl`), on a byte that
    SQLite never locks, and its descriptor is closed only after SQLite's. A `flock` would work too,
    but network file systems turn it into a POSIX lock on the whole file, which collides with those
    of SQLite.
    """

    def __init__(self, database: Path) -> None:
        self._database = database
        # Append ".lock" and do not replace the suffix: a.db and a.sqlite are different databases.
        self._file = open(f"{database}.lock", "ab")  # noqa: SIM115, PTH123 - held until release
        self._database_file: int | None = None

    def acquire(self) -> None:
        """Take the lock without waiting. Call it before SQLite opens the database.

        Raises:
            StoreError: another server has the lock.
            OSError: the database file cannot be opened or locked.
        """
        try:
            if sys.platform == "win32":
                msvcrt.locking(self._file.fileno(), msvcrt.LK_NBLCK, 1)
            else:
                fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            self._file.close()
            raise self._taken() from error
        try:
            self._lock_database()
        except OSError as error:
            self.release()
            if error.errno == errno.EAGAIN:
                raise self._taken() from error
            raise

    def _lock_database(self) -> None:
        if sys.platform == "linux":
            # SQLite would create a missing file in the same way.
            self._database_file = os.open(self._database, os.O_RDWR | os.O_CREAT, 0o644)
            # struct flock: type, whence, start, length, process
            lock = struct.pack("hhqqi4x", fcntl.F_WRLCK, os.SEEK_SET, _LOCK_BYTE, 1, 0)
            fcntl.fcntl(self._database_file, fcntl.F_OFD_SETLK, lock)

    def _taken(self) -> StoreError:
        return StoreError(f"Another server is using the database {self._database}.")

    def release(self) -> None:
        """Release the lock, so that another server can use the database."""
        descriptor, self._database_file = self._database_file, None
        if descriptor is not None:
            os.close(descriptor)
        self._file.close()


def prepare(engine: AsyncEngine, *, read_only: bool) -> None:
    """Make every new connection of this engine set its pragmas.

    These pragmas affect only the connection. Opening the database of another program therefore
    changes nothing in it.
    """
    pragmas = (*_LOCAL_PRAGMAS, "query_only=ON") if read_only else _LOCAL_PRAGMAS

    def connected(connection: Any, _record: object) -> None:
        cursor = connection.cursor()
        for pragma in pragmas:
            cursor.execute(f"PRAGMA {pragma}")
        cursor.close()

    sa.event.listen(engine.sync_engine, "connect", connected)


class SqliteWriter(Writer):
    """Write with direct calls of aiosqlite, one call to its thread for each statement."""

    begin_sql = "BEGIN IMMEDIATE"
    finishes_when_cancelled = True  # The thread runs all queued calls in order, cancelled or not.

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
        """Turn on the write-ahead log. The database file stores this mode."""
        connection = await self.connection()
        await connection.exec_driver_sql("PRAGMA journal_mode=WAL")

    async def execute(self, statement: sa.Executable, rows: Sequence[Mapping[str, Any]]) -> None:
        """See `Writer.execute`. Values must have types of sqlite3: int, str, bytes, float, None."""
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
        """See `Writer.rollback`."""
        driver = await self._opened()
        # On some errors, such as a full disk, SQLite has already rolled the transaction back.
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
