"""An open database: one connection for writing, others for reading, a lock against other servers.

The lock keeps a second server from starting. If one starts nevertheless, for example on another
machine with a shared file system that ignores locks, the *epoch* keeps the first one from writing:
each server raises this number when it opens the database, and every write checks, in its own
transaction, that the number has not changed.

Writes run one at a time, in the order of the calls. Reads use other connections and never wait for
writes. Each read waits in one of three queues (`ReadQueue`), so that slow reads of records delay no
login, and neither delays a check of the database. A read that takes too long fails with a sentence.
Its connection stays in use until the database has answered, so that a database that hangs ties up
few threads.

A single statement outside `BEGIN` and `COMMIT` is a transaction by itself, which is the cheapest
way to write. Everything else runs in an explicit transaction. A cancelled caller does not interrupt
it: it is one job of the writer's thread, or runs in a task of its own, and always finishes.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Any, Final, Self, TypeAlias, TypeVar

import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncEngine

from doublecross.server.core.storage import DatabaseTakenError, StoreError
from doublecross.server.store import migrate
from doublecross.server.store.engines import READ_S, engines_of, parsed_url
from doublecross.server.store.failures import FAILURES, failing_as, failure
from doublecross.server.store.sqlite.files import UseLock, database_file
from doublecross.server.store.sqlite.readers import SqliteReaders
from doublecross.server.store.writer import Steps, Values, Writer

Row: TypeAlias = sa.Row[*tuple[Any, ...]]
Writing: TypeAlias = Coroutine[Any, Any, None]
Query: TypeAlias = sa.Select[*tuple[Any, ...]]
_Result = TypeVar("_Result")

WRITE_FAILED: Final = "The database could not be written"
READ_FAILED: Final = "The database could not be read"
_TAKEN: Final = (
    "Another server has opened the database, so this one cannot store anything more."
    " Stop the other one before you start this one again."
)


def _mapping(row: Any) -> Any:
    """Return a row by the names of its columns; those of the driver are so already."""
    return getattr(row, "_mapping", row)


def database_url(path_or_url: str) -> str:
    """Return the URL of a database from its URL or from the path of an SQLite file.

    A URL is returned unchanged. For a path, the folder of the file is created if necessary.

    Raises:
        StoreError: the folder cannot be created.
    """
    if "://" in path_or_url:
        return path_or_url
    path = Path(path_or_url).expanduser()
    with failing_as(f"The folder of the database {path} could not be created"):
        path.parent.mkdir(parents=True, exist_ok=True)
    return sa.URL.create("sqlite+aiosqlite", database=str(path.absolute())).render_as_string()


@dataclass(frozen=True, slots=True)
class Fence:
    """The statements on the epoch, which is raised by every server that opens the database.

    `raise_epoch` raises it and `read` reads it. `check` takes the parameter `own_epoch` and fails
    when the epoch is another one.
    """

    raise_epoch: sa.Executable
    read: Query
    check: sa.Executable


class ReadQueue(Enum):
    """The queues in which reads wait for a free connection."""

    ORDINARY = "ordinary"
    LOGIN = "login"
    """One connection is free of ordinary reads, so slow ones delay no login."""
    CHECK = "check"
    """One connection is for checks only, so that slow reads do not look like a failure."""


class Database:
    """Run statements on a database. Create it with `open`, and end it with `close`."""

    def __init__(
        self,
        writer: Writer,
        readers: AsyncEngine,
        lock: UseLock | None,
        fence: Fence,
        read_connections: int,
    ) -> None:
        self._writer = writer
        self._readers = readers
        is_sqlite = readers.dialect.name == "sqlite"
        self._sqlite = SqliteReaders(readers.url, read_connections + 1) if is_sqlite else None
        """Read from SQLite, in place of `_readers`."""
        everybody = asyncio.Semaphore(read_connections)
        self._queues = {
            ReadQueue.ORDINARY: (asyncio.Semaphore(max(1, read_connections - 1)), everybody),
            ReadQueue.LOGIN: (everybody,),
            ReadQueue.CHECK: (asyncio.Semaphore(1),),
        }
        """The semaphores that a read of each queue must take, in this order."""
        self.read_s = READ_S
        self._lock = lock
        self._fence = fence
        self.epoch = 0
        """The epoch of this server; see `Fence`."""
        self._write_lock = asyncio.Lock()
        """Only its holder may use the writer."""
        self._closed = False
        self._tasks: set[asyncio.Future[Any]] = set()
        self._reads: set[asyncio.Future[Any]] = set()

    @classmethod
    async def open(cls, url: str, *, read_connections: int, fence: Fence) -> Self:
        """Open the database, lock out other servers, and create or upgrade the tables.

        Raise the epoch with `fence`, which also tests that the database is writable.

        Raises:
            StoreError: the URL is invalid, its driver is missing, the database cannot be opened or
                written, another server uses it, or it belongs to a newer version, to one that is
                too old, or to another program. Then nothing stays open, and the database is
                unchanged.
        """
        parsed = parsed_url(url)
        is_sqlite = parsed.drivername.startswith("sqlite")
        name = parsed.database if is_sqlite else parsed.render_as_string(hide_password=True)
        lock: UseLock | None = None
        with failing_as(f"The database {name} cannot be opened"):
            if is_sqlite:
                # Lock first: while another server runs, nothing may be opened or changed.
                lock = UseLock(database_file(parsed))
                lock.acquire()
            try:
                engines = engines_of(parsed, read_connections)
                database = cls(*engines, lock, fence, read_connections)
            except BaseException:
                if lock is not None:
                    lock.release()
                raise
            try:
                await database._bring_up_to_date()
            except BaseException:
                await database.close()
                raise
        return database

    async def _bring_up_to_date(self) -> None:
        connection = await self._writer.connection()
        # This only reads, so the database of another program is refused unchanged.
        current = await connection.run_sync(migrate.is_current)
        # Before the transaction, because SQLite cannot change the journal mode inside one.
        await self._writer.prepare()
        await self._writer.begin()
        try:
            if not current:
                await connection.run_sync(migrate.upgrade)
            # A read-only database must fail now, not at the first move of a game.
            await self._writer.execute(self._fence.raise_epoch, [{}])
            self.epoch = int(await connection.scalar(self._fence.read) or 0)
            await self._writer.commit()
        except BaseException:
            await self._writer.abandon()
            raise
        await self._writer.set_up()

    async def close(self) -> None:
        """Wait for current writes and reads, then close all connections.

        Reads have up to `read_s` seconds. Further calls do nothing.
        """
        await self._shielded(self._close())

    async def _close(self) -> None:
        async with self._write_lock:
            if self._closed:
                return
            self._closed = True
            try:
                # A connection that is still in use then would stay open for ever.
                if self._reads:
                    await asyncio.wait(self._reads, timeout=self.read_s)
                await self._readers.dispose()
                if self._sqlite is not None:
                    self._sqlite.dispose()
                await self._writer.close()
                await self._writer.engine.dispose()
            except FAILURES as error:
                raise failure("The database could not be closed", error) from error
            finally:
                if self._lock is not None:
                    self._lock.release()

    # -- reading -----------------------------------------------------------------------------

    async def first(
        self,
        convert: Callable[[sa.RowMapping], _Result],
        query: Query,
        queue: ReadQueue = ReadQueue.ORDINARY,
        values: Values | None = None,
    ) -> _Result | None:
        """Return the first row of a query, converted, or None without rows; see `read`."""
        rows = await self.read(query, queue, values)
        return convert(_mapping(rows[0])) if rows else None

    async def all(
        self,
        convert: Callable[[sa.RowMapping], _Result],
        query: Query,
        queue: ReadQueue = ReadQueue.ORDINARY,
        values: Values | None = None,
    ) -> list[_Result]:
        """Return the rows of a query, each converted; see `read`."""
        return [convert(_mapping(row)) for row in await self.read(query, queue, values)]

    async def read(
        self,
        query: Query,
        queue: ReadQueue = ReadQueue.ORDINARY,
        values: Values | None = None,
    ) -> Sequence[Row]:
        """Return the rows of a query, on one of the reading connections.

        A query that is made once, and gets its `values` here, costs the least.

        A query on a connection that is lost is tried once more on a new one.

        Raises:
            StoreError: the database fails, or did not answer within `read_s` seconds.
        """
        self._check_open()
        turns = AsyncExitStack()
        try:
            async with asyncio.timeout(self.read_s), turns:
                for turn in self._queues[queue]:
                    await turns.enter_async_context(turn)
                # The task gives the turns back even when its caller was cancelled.
                reading = self._read(query, values, turns.pop_all())
                return await self._shielded(reading, self._reads)
        except TimeoutError:
            raise StoreError(
                f"The database has not answered a read within {self.read_s:g} s; try again later."
            ) from None

    async def _read(
        self, query: Query, values: Values | None, turns: AsyncExitStack
    ) -> Sequence[Row]:
        async with turns:
            try:
                try:
                    return await self._rows(query, values)
                except DBAPIError as error:
                    if not error.connection_invalidated:
                        raise
                # A database that was restarted has closed idle connections. The first use of one
                # fails, and then the pool drops all of them. So try once more. A test of the
                # connection before each read would make every read slower.
                return await self._rows(query, values)
            except FAILURES as error:
                raise failure(READ_FAILED, error) from error

    async def _rows(self, query: Query, values: Values | None) -> Sequence[Row]:
        sqlite = self._sqlite
        if sqlite is not None:
            loop = asyncio.get_running_loop()
            return await loop.run_in_executor(sqlite.threads, sqlite.rows, query, values)
        async with self._readers.connect() as connection:
            return (await connection.execute(query, values)).all()

    async def check_owner(self) -> None:
        """Check that no other server has raised the epoch, without writing.

        Raises:
            DatabaseTakenError: another server has opened the database.
            StoreError: the database fails.
        """
        rows = await self.read(self._fence.read, ReadQueue.CHECK)
        if not rows or rows[0][0] != self.epoch:
            raise DatabaseTakenError(_TAKEN)

    async def read_written(self, query: Query) -> Any:
        """Return the first value of a query, or None, on the writing connection.

        The query runs after all earlier writes. It finishes even when the caller is cancelled.
        """
        return await self._finishing(self._read_written(query))

    async def _read_written(self, query: Query) -> Any:
        async with self._write_lock:
            self._check_open()
            with failing_as(READ_FAILED):
                return await self._writer.scalar(query)

    # -- writing -----------------------------------------------------------------------------

    def write_one(self, statement: sa.Executable, row: Values) -> Writing:
        """Execute one statement for one row as a transaction by itself.

        The statement must check the epoch itself. It finishes even when the caller is cancelled.

        Raises:
            DatabaseTakenError: another server has opened the database.
            StoreError: the database fails.
        """
        return self._finishing(self._write_one(statement, row))

    async def _write_one(self, statement: sa.Executable, row: Values) -> None:
        async with self._write_lock:
            self._check_open()
            try:
                await self._writer.execute_alone(statement, row)
            except FAILURES as error:
                await self._check_epoch()
                raise failure(WRITE_FAILED, error) from error

    def write(self, steps: Steps) -> Writing:
        """Execute all statements in one transaction, unless another server has raised the epoch.

        It finishes even when the caller is cancelled.

        Raises:
            DatabaseTakenError: another server has opened the database.
            StoreError: the database fails.
        """
        return self._finishing(self._write(steps))

    async def _write(self, steps: Steps) -> None:
        async with self._write_lock:
            self._check_open()
            try:
                await self._writer.transact(
                    [(self._fence.check, ({"own_epoch": self.epoch},)), *steps]
                )
            except FAILURES as error:
                await self._check_epoch()
                raise failure(WRITE_FAILED, error) from error

    async def _check_epoch(self) -> None:
        """Find out whether a write has failed because of another server.

        Raises:
            DatabaseTakenError: another server has opened the database.
        """
        try:
            epoch = await self._writer.scalar(self._fence.read)
        except (*FAILURES, StoreError):
            return  # the write has another reason to fail
        if epoch != self.epoch:
            raise DatabaseTakenError(_TAKEN)

    def _finishing(self, work: Coroutine[Any, Any, _Result]) -> Coroutine[Any, Any, _Result]:
        """Do `work` with the writer so that it finishes even if the caller is cancelled."""
        if self._writer.finishes_when_cancelled:
            # This writer is safe without a task, which would make a small write a fifth slower.
            return work
        return self._shielded(work)

    async def _shielded(
        self, work: Coroutine[Any, Any, _Result], among: set[asyncio.Future[Any]] | None = None
    ) -> _Result:
        """Run `work` in a task of the set `among` that finishes even if the caller is cancelled."""
        tasks = self._tasks if among is None else among
        task = asyncio.ensure_future(work)
        tasks.add(task)  # The event loop has only weak references to its tasks.
        task.add_done_callback(tasks.discard)
        # If the caller was cancelled, nobody asks for an error.
        task.add_done_callback(lambda done: done.cancelled() or done.exception())
        return await asyncio.shield(task)

    def _check_open(self) -> None:
        if self._closed:
            raise StoreError("The database is closed.")
