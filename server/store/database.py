"""A database in use: one connection that writes, others that read, a lock against other servers.

Writes take turns in the order of the calls; reads have connections of their own and never wait for
them. A single statement outside a transaction is one for itself, and the cheapest way to write.
Everything else begins a transaction, in a task of its own that goes on to its end when the caller
is cancelled, so that no half of it stays behind.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, Self, TypeAlias, TypeVar

import sqlalchemy as sa
from sqlalchemy.exc import InvalidRequestError, NoSuchModuleError, SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine
from sqlalchemy.pool import NullPool

from server.core.storage import StoreError
from server.store import migrate, sqlite
from server.store.failures import FAILURES, failing_as, failure
from server.store.postgresql import PostgresqlWriter
from server.store.writer import Writer

Row: TypeAlias = sa.Row[*tuple[Any, ...]]
Query: TypeAlias = sa.Select[*tuple[Any, ...]]
Values: TypeAlias = Mapping[str, Any]
Steps: TypeAlias = Sequence[tuple[sa.Executable, Sequence[Values]]]
"""Statements of one transaction, each with the rows that it is executed for."""
_Result = TypeVar("_Result")

# What a URL without a driver means; the synchronous drivers cannot be used.
_DRIVERS: Final = {
    "sqlite": "sqlite+aiosqlite",
    "postgresql": "postgresql+asyncpg",
    "postgres": "postgresql+asyncpg",
}
_READ_WAIT_S: Final = 10.0  # for a free connection

_NOT_WRITTEN: Final = "The database could not be written"
_NOT_READ: Final = "The database could not be read"


def database_url(path_or_url: str) -> str:
    """Return the URL of a database given by its URL, which stays as it is, or by the path of an
    SQLite file, whose folder is made if there is none.

    Raises:
        StoreError: the folder cannot be made.
    """
    if "://" in path_or_url:
        return path_or_url
    path = Path(path_or_url).expanduser()
    with failing_as(f"The folder of the database {path} could not be made"):
        path.parent.mkdir(parents=True, exist_ok=True)
    return sa.URL.create("sqlite+aiosqlite", database=str(path.absolute())).render_as_string()


class Database:
    """Run statements. Make one with `open`, end it with `close`."""

    def __init__(self, writer: Writer, readers: AsyncEngine, lock: sqlite.UseLock | None) -> None:
        self._writer = writer
        self._readers = readers
        self._lock = lock
        self._turn = asyncio.Lock()  # whose holder uses the writer
        self._closed = False
        self._tasks: set[asyncio.Future[Any]] = set()

    @classmethod
    async def open(cls, url: str, *, read_connections: int, check: sa.Executable) -> Self:
        """Open the database, make or bring up to date its tables, and keep other servers off.
        `check` is a statement without values that is executed to see that it can be written.

        Raises:
            StoreError: the URL is no good, its driver is missing, the database cannot be opened or
                written, is in use by another server, is of a newer version or of another program.
                Nothing is left open then, and the database is as it was.
        """
        parsed = _parsed(url)
        is_sqlite = parsed.drivername.startswith("sqlite")
        name = parsed.database if is_sqlite else parsed.render_as_string(hide_password=True)
        lock: sqlite.UseLock | None = None
        with failing_as(f"The database {name} cannot be opened"):
            if is_sqlite:
                lock = sqlite.UseLock(sqlite.database_file(parsed))
                lock.acquire()
            try:
                database = cls(*_engines(parsed, read_connections), lock)
            except BaseException:
                if lock is not None:
                    lock.release()
                raise
            try:
                await database._bring_up_to_date(check)
            except BaseException:
                await database.close()
                raise
        return database

    async def _bring_up_to_date(self, check: sa.Executable) -> None:
        connection = await self._writer.connection()
        current = await connection.run_sync(migrate.is_current)
        await self._writer.prepare()
        await self._writer.begin()
        try:
            if not current:
                await connection.run_sync(migrate.upgrade)
            # To learn now, not at the first move, whether the database can be written.
            await self._writer.execute(check, [{}])
            await self._writer.commit()
        except BaseException:
            await self._abandon()
            raise

    async def close(self) -> None:
        """Wait for what is being written, then let go; more than one call is fine."""
        await self._to_its_end(self._close())

    async def _close(self) -> None:
        async with self._turn:
            if self._closed:
                return
            self._closed = True
            try:
                await self._readers.dispose()
                await self._writer.close()
                await self._writer.engine.dispose()
            except FAILURES as error:
                raise failure("The database could not be closed", error) from error
            finally:
                if self._lock is not None:
                    self._lock.release()

    # -- reading -----------------------------------------------------------------------------

    async def read(self, query: Query) -> Sequence[Row]:
        """Return the rows of a query, by a connection of the readers."""
        self._check_open()
        with failing_as(_NOT_READ):
            async with self._readers.connect() as connection:
                return (await connection.execute(query)).all()

    async def read_written(self, query: Query) -> Any:
        """Return the first value of a query, None if there is none, asked where it is written,
        after all that came before. It goes on to its end when the caller is cancelled."""
        return await self._to_its_end(self._read_written(query))

    async def _read_written(self, query: Query) -> Any:
        async with self._turn:
            self._check_open()
            with failing_as(_NOT_READ):
                connection = await self._writer.connection()
                return await connection.scalar(query)

    # -- writing -----------------------------------------------------------------------------

    async def write_one(self, statement: sa.Executable, row: Values) -> None:
        """Execute one statement for one row, which is a transaction for itself. It goes on to its
        end when the caller is cancelled."""
        if self._writer.finishes_when_cancelled:
            await self._write_one(statement, row)  # a task would cost a fifth more
        else:
            await self._to_its_end(self._write_one(statement, row))

    async def _write_one(self, statement: sa.Executable, row: Values) -> None:
        async with self._turn:
            self._check_open()
            try:
                await self._writer.execute(statement, (row,))
            except FAILURES as error:
                raise failure(_NOT_WRITTEN, error) from error

    async def write(self, steps: Steps) -> None:
        """Execute all statements in one transaction. It goes on to its end when the caller is
        cancelled."""
        await self._to_its_end(self._write(steps))

    async def _write(self, steps: Steps) -> None:
        async with self._turn:
            self._check_open()
            try:
                await self._writer.begin()
                for statement, rows in steps:
                    await self._writer.execute(statement, rows)
                await self._writer.commit()
            except BaseException as error:
                await self._abandon()
                if isinstance(error, FAILURES):
                    raise failure(_NOT_WRITTEN, error) from error
                raise

    async def _abandon(self) -> None:
        """Undo the transaction, with a new connection when there is no other way."""
        try:
            await self._writer.rollback()
        except FAILURES:
            with suppress(*FAILURES):
                await self._writer.close()

    async def _to_its_end(self, work: Coroutine[Any, Any, _Result]) -> _Result:
        """Do the work in a task, which goes on when the caller is cancelled."""
        task = asyncio.ensure_future(work)
        self._tasks.add(task)  # the event loop itself does not keep it alive
        task.add_done_callback(self._tasks.discard)
        return await asyncio.shield(task)

    def _check_open(self) -> None:
        if self._closed:
            raise StoreError("The database is closed.")


def _parsed(url: str) -> sa.URL:
    """The URL with a driver. Raises StoreError; the URL is not repeated, it may hold a password."""
    try:
        parsed = sa.make_url(url)
    except (SQLAlchemyError, ValueError) as error:
        raise StoreError(
            "The address of the database cannot be read: it must be such as"
            " sqlite+aiosqlite:///folder/file.db or postgresql+asyncpg://user@host/name."
        ) from error
    return parsed.set(drivername=_DRIVERS.get(parsed.drivername, parsed.drivername))


def _engines(url: sa.URL, read_connections: int) -> tuple[Writer, AsyncEngine]:
    """The writer and the engine of the readers; no connection is open yet."""
    kinds: dict[str, Callable[[AsyncEngine], Writer]] = {
        "sqlite": sqlite.SqliteWriter,
        "postgresql": PostgresqlWriter,
    }
    try:
        writing = create_async_engine(url, poolclass=NullPool, isolation_level="AUTOCOMMIT")
        reading = create_async_engine(
            url,
            pool_size=read_connections,
            max_overflow=0,
            pool_timeout=_READ_WAIT_S,
            pool_reset_on_return=None,  # each read is a transaction for itself
            isolation_level="AUTOCOMMIT",
        )
    except (ImportError, NoSuchModuleError, InvalidRequestError) as error:
        raise StoreError(
            f"The driver {url.drivername} of the database is not installed or not asynchronous."
        ) from error
    if url.get_backend_name() == "sqlite":
        sqlite.prepare(writing, read_only=False)
        sqlite.prepare(reading, read_only=True)
    return kinds.get(url.get_backend_name(), Writer)(writing), reading
