"""The SQLite writer: whole transactions in a thread of its own, with `sqlite3` directly.

aiosqlite too runs SQLite in a thread, but each step of a transaction is a call of its own there:
the thread is woken, answers through the event loop, and is woken again. Here one call carries all
statements. SQLAlchemy compiles each statement once. In SQLite a statement outside `BEGIN` and
`COMMIT` is a transaction by itself, which most commits are.

The event loop carries out such a commit itself while the disk is quick. To wake the thread, and to
be woken by it, costs the loop as much as the commit, and all who play wait for the commit anyway.
The thread commits while a checkpoint makes commits slow, while another process writes, and for
`SLOW_S` after a slow commit, so that everybody else is served meanwhile.

The connection of SQLAlchemy serves only while tables are created or changed.
"""

from __future__ import annotations

import asyncio
import sqlite3
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from queue import SimpleQueue
from typing import Any, Final, TypeAlias, TypeVar, cast
from weakref import WeakKeyDictionary

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncEngine

from doublecross.server.store.sqlite import connections
from doublecross.server.store.sqlite.checkpoints import Checkpoints
from doublecross.server.store.writer import Steps, Writer

_Compiled: TypeAlias = tuple[str, Sequence[str], Mapping[str, Any]]
"""The SQL of a statement, the names of its parameters in their order, and their fixed values."""
_Result = TypeVar("_Result")
_Job: TypeAlias = tuple[asyncio.Future[Any], Callable[..., Any], tuple[Any, ...]]
QUICK_S: Final = 0.002
"""A commit that takes longer is slow, in seconds."""
SLOW_S: Final = 0.1
"""How long after a slow commit the thread commits, in seconds."""
_CODE: Final = 0xFF
"""The part of an extended error code of SQLite that says what kind of error it is."""
_PAGE_BYTES: Final = 4096
_ROW_PAGES: Final = 3
"""About how many pages a short row changes, indexes included."""


class SqliteWriter(Writer):
    """Write to an SQLite file. Values must have types of sqlite3: int, str, bytes, float, None."""

    begin_sql = "BEGIN IMMEDIATE"
    finishes_when_cancelled = True  # The thread runs all jobs in order, cancelled or not.

    def __init__(self, engine: AsyncEngine) -> None:
        super().__init__(engine)
        self._thread: JobThread | None = None
        self._slow_until_s = 0.0
        """The thread commits until then, by the machine's clock."""
        # The thread uses the rest, and the event loop while the thread has nothing to do.
        self._raw: sqlite3.Connection | None = None
        self._waits = True
        self._checkpoints: Checkpoints
        # Weak, because some statements are made for one transaction only.
        self._compiled: WeakKeyDictionary[sa.Executable, _Compiled] = WeakKeyDictionary()

    async def prepare(self) -> None:
        """Turn on the write-ahead log. The database file stores this mode."""
        await self.run("PRAGMA journal_mode=WAL")

    async def set_up(self) -> None:
        """Let the thread open its connection, and close SQLAlchemy's, which has made the tables."""
        await self._jobs().do(self._opened)
        await super().close()

    async def transact(self, steps: Steps) -> None:
        """Execute all statements in one transaction; if one fails, nothing is stored."""
        await self._jobs().do(self._transact, steps)

    async def execute_alone(self, statement: sa.Executable, row: Mapping[str, Any]) -> None:
        """Execute the statement for one row as a transaction by itself."""
        jobs, began_s = self._jobs(), time.monotonic()
        if began_s >= self._slow_until_s and not self._checkpoints.asked and jobs.idle:
            try:
                self._execute_alone(statement, row, waits=False)
                return
            except sqlite3.OperationalError as error:
                if error.sqlite_errorcode & _CODE != sqlite3.SQLITE_BUSY:
                    raise
            finally:
                if time.monotonic() - began_s > QUICK_S:
                    self._slow_until_s = began_s + SLOW_S
        await jobs.do(self._execute_alone, statement, row)

    async def scalar(self, query: sa.Executable) -> Any:
        """Return the first value of a query, or None, after all earlier writes."""
        return await self._jobs().do(self._scalar, query)

    async def close(self) -> None:
        """Close the connection after all jobs that are queued, and end the thread."""
        thread, self._thread = self._thread, None
        if thread is not None:
            closed = thread.do(self._close)
            thread.end()
            await closed
        await super().close()

    def _jobs(self) -> JobThread:
        if self._thread is None:
            self._thread = JobThread("database", self._after_job)
            self._checkpoints = Checkpoints(self._connect)
        return self._thread

    # -- in the thread, or while it is idle ----------------------------------------------------

    def _connect(self) -> sqlite3.Connection:
        return connections.connect(self.engine)

    def _opened(self, waits: bool = True) -> sqlite3.Connection:
        """Return the connection; open a new one at first and after the last one was lost.

        Unless it `waits`, statements fail at once while another process writes.
        """
        if self._raw is None:
            self._raw, self._waits = self._connect(), True
        raw = self._raw
        if waits != self._waits:
            self._raw = None  # if this fails, the next one opens another
            raw.execute(f"PRAGMA busy_timeout={connections.BUSY_MS if waits else 0}")
            self._raw, self._waits = raw, waits
        return raw

    def _transact(self, steps: Steps) -> None:
        raw = self._opened()
        try:
            raw.execute(self.begin_sql)
            for statement, rows in steps:
                sql, values = self._bound(statement, rows)
                if len(values) == 1:
                    raw.execute(sql, values[0])
                else:
                    raw.executemany(sql, values)
                self._checkpoints.wrote(sum(map(_pages, values)))
            raw.execute("COMMIT")
        except BaseException:
            self._abandon(raw)
            raise

    def _execute_alone(
        self, statement: sa.Executable, row: Mapping[str, Any], waits: bool = True
    ) -> None:
        raw = self._opened(waits)
        sql, (values,) = self._bound(statement, (row,))
        try:
            raw.execute(sql, values)
        except BaseException:
            self._abandon(raw)
            raise
        self._checkpoints.wrote(_pages(values))

    def _scalar(self, query: sa.Executable) -> Any:
        sql, (values,) = self._bound(query, ({},))
        row = self._opened().execute(sql, values).fetchone()
        return None if row is None else row[0]

    def _abandon(self, raw: sqlite3.Connection) -> None:
        """Roll the transaction back, or drop the connection when that fails."""
        try:
            # On some errors, such as a full disk, SQLite has already rolled it back.
            if raw.in_transaction:
                raw.execute("ROLLBACK")
        except sqlite3.Error:
            self._raw = None
            with suppress(sqlite3.Error):
                raw.close()

    def _close(self) -> None:
        self._checkpoints.end()
        raw, self._raw = self._raw, None
        if raw is not None:
            raw.close()

    def _after_job(self) -> None:
        if self._raw is not None:
            self._checkpoints.finish(self._raw)

    def _bound(
        self, statement: sa.Executable, rows: Sequence[Mapping[str, Any]]
    ) -> tuple[str, list[list[Any]]]:
        """Return the statement as SQL, and the parameters of each row in their order."""
        compiled = self._compiled.get(statement)
        if compiled is None:
            compiled = self._compiled[statement] = self._compile(statement)
        sql, names, fixed = compiled
        return sql, [[row[n] if n in row else fixed[n] for n in names] for row in rows]

    def _compile(self, statement: sa.Executable) -> _Compiled:
        compiled = cast("sa.ClauseElement", statement).compile(dialect=self.engine.dialect)
        assert isinstance(compiled, sa.sql.compiler.SQLCompiler)
        return str(compiled), compiled.positiontup or (), compiled.params


def _pages(values: Sequence[Any]) -> int:
    """Return about how many pages of the log a row takes."""
    size = sum(len(value) for value in values if isinstance(value, bytes))
    return _ROW_PAGES + size // _PAGE_BYTES


class JobThread:
    """Run jobs in the order in which they were given, whether or not anybody waits for them.

    A job costs the event loop one wake-up of the thread and one callback. `after_job` runs in the
    thread after each job, when its result is on the way already. It must not raise.
    """

    def __init__(self, name: str, after_job: Callable[[], None] = lambda: None) -> None:
        self._jobs: SimpleQueue[_Job | None] = SimpleQueue()
        self._after_job = after_job
        # A daemon, so that a process can end without closing it.
        self._thread = threading.Thread(target=self._work, name=name, daemon=True)
        self._started = False
        self._given = self._done = 0

    def do(self, job: Callable[..., _Result], *args: Any) -> asyncio.Future[_Result]:
        """Queue `job(*args)`; return the future of its result. Call it in an event loop.

        Cancelling the future does not cancel the job.
        """
        if not self._started:
            self._started = True
            self._thread.start()
        future: asyncio.Future[_Result] = asyncio.get_running_loop().create_future()
        self._given += 1
        self._jobs.put((future, job, args))
        return future

    @property
    def idle(self) -> bool:
        """True while no job waits or runs, and `after_job` does not run."""
        return self._done == self._given

    def end(self) -> None:
        """End the thread after all jobs that are queued."""
        self._jobs.put(None)

    def _work(self) -> None:
        while (item := self._jobs.get()) is not None:
            future, job, args = item
            outcome: Any
            try:
                outcome, failed = job(*args), False
            except BaseException as error:  # noqa: BLE001 - the caller gets it
                outcome, failed = error, True
            # The loop may be closed by now; then nobody waits.
            with suppress(RuntimeError):
                future.get_loop().call_soon_threadsafe(_finish, future, outcome, failed)
            # The thread must not keep them until the next job.
            del item, future, job, args, outcome
            self._after_job()
            self._done += 1


def _finish(future: asyncio.Future[Any], outcome: Any, failed: bool) -> None:
    if future.done():
        return  # cancelled
    if failed:
        future.set_exception(outcome)
    else:
        future.set_result(outcome)
