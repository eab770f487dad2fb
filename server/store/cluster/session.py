"""One connection to PostgreSQL, used through its driver without SQLAlchemy.

A commit of one entry costs a fifth of the processor time that it costs through SQLAlchemy.

A node that stands still, or whose machine has lost its network, must not keep others waiting: a
claim on a log waits for a transaction that has locked the log. `SETTINGS` makes PostgreSQL end such
a transaction and the connection with it. In the other direction, a call to a PostgreSQL that does
not answer ends after `answer_s` seconds together with the connection. Its outcome is unknown then.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any, Final, TypeAlias, cast

import asyncpg
import sqlalchemy as sa
from sqlalchemy.dialects.postgresql.asyncpg import PGDialect_asyncpg

from doublecross.server.core.storage import StoreError
from doublecross.server.store.failures import FAILURES, failure

ANSWER_S: Final = 5.0
"""How long PostgreSQL may take to answer a call, in seconds."""
SETTINGS: Final[Mapping[str, str]] = {
    # A transaction in which a client has sent nothing for so long is rolled back.
    "idle_in_transaction_session_timeout": "1000",
    # A statement that waits for a lock longer than this fails.
    "lock_timeout": "3000",
    # A client that does not acknowledge data, or does not exist any more, is given up.
    "tcp_user_timeout": "3000",
    "tcp_keepalives_idle": "1",
    "tcp_keepalives_interval": "1",
    "tcp_keepalives_count": "3",
}
"""Settings of every connection of a node; times are in milliseconds, of keepalives in seconds."""
_KEPT: Final = 200
"""How many compiled statements are kept. Most are constants, but some are made for each use."""
_OF_SQLALCHEMY: Final = (
    *("async_fallback", "async_creator_fn", "prepared_statement_cache_size"),
    "prepared_statement_name_func",
)
"""Options in URLs that are not for the driver."""
# SQLAlchemy has no types for its dialects.
_DIALECT: Final = cast("Any", PGDialect_asyncpg)()
_FAILURES: Final = (
    *FAILURES,
    *(asyncpg.PostgresError, asyncpg.InterfaceError, asyncpg.InternalClientError, TimeoutError),
)

Connection: TypeAlias = asyncpg.Connection


class Session:
    """A connection that is opened when it is needed, and opened again after it was lost.

    `opened` prepares each new connection. Messages about failures begin with `what`. Only the
    holder of `use()` may use the connection.
    """

    def __init__(
        self,
        url: sa.URL,
        opened: Callable[[Connection], Awaitable[None]],
        *,
        what: str,
        answer_s: float = ANSWER_S,
    ) -> None:
        _, options = _DIALECT.create_connect_args(url)
        self._options = {name: options[name] for name in options if name not in _OF_SQLALCHEMY}
        self._opened = opened
        self._what = what
        self._connection: Connection | None = None
        self._lock = asyncio.Lock()
        self._closed = False
        self._late = False
        self._prepared: dict[str, Any] = {}
        self._loop = asyncio.get_running_loop()
        self.answer_s = answer_s

    @property
    def is_busy(self) -> bool:
        """True while a caller has the connection."""
        return self._lock.locked()

    async def value(self, sql: str, *values: object) -> Any:
        """Return the first value of the first row of a statement, or None; see `rows`."""
        rows = await self.rows(sql, *values)
        return rows[0][0] if rows else None

    async def rows(self, sql: str, *values: object) -> list[asyncpg.Record]:
        """Return the rows of a statement, which is prepared once for each connection.

        Raises:
            StoreError: see `use`.
        """
        async with self._lock:
            timer = None
            try:
                connection = await self._ready()
                prepared = self._prepared.get(sql)
                if prepared is None:
                    prepared = self._prepared[sql] = await connection.prepare(sql)
                timer = self._loop.call_later(self.answer_s, self._give_up, connection)
                found: list[asyncpg.Record] = await prepared.fetch(*values)
                return found
            except asyncio.CancelledError:
                # The connection may be in the middle of something.
                self._drop()
                raise
            except _FAILURES as error:
                raise self._failure(error) from error
            finally:
                if timer is not None:
                    timer.cancel()

    @asynccontextmanager
    async def use(self) -> AsyncIterator[Connection]:
        """Give the connection to one caller at a time, for `answer_s` seconds at most.

        Raises:
            StoreError: PostgreSQL cannot be reached, fails, or does not answer in time. Exceptions
                of the driver in the `with` block become one.
        """
        async with self._lock:
            connection = None
            timer = None
            try:
                connection = await self._ready()
                timer = self._loop.call_later(self.answer_s, self._give_up, connection)
                yield connection
            except asyncio.CancelledError:
                self._drop()
                raise
            except _FAILURES as error:
                raise self._failure(error) from error
            finally:
                if timer is not None:
                    timer.cancel()
                # What has failed half way must not go on as a transaction.
                kept = connection if connection is self._connection else None
                if kept is not None and kept.is_in_transaction():
                    self._drop()

    def _failure(self, error: BaseException) -> StoreError:
        late, self._late = self._late, False
        if isinstance(error, asyncpg.InternalClientError):
            # The driver does not know what its connection is doing, such as when PostgreSQL has
            # ended between two calls and the end of the connection has not been noticed yet.
            self._drop()
        if late or isinstance(error, TimeoutError):
            return StoreError(f"{self._what}: it has not answered within {self.answer_s:g} s.")
        return failure(self._what, error)

    async def _ready(self) -> Connection:
        if self._closed:
            raise StoreError("The database is closed.")
        if self._connection is None or self._connection.is_closed():
            self._connection = None
            self._late = False
            self._prepared = {}
            # PostgreSQL may stop answering between the two as well.
            async with asyncio.timeout(self.answer_s):
                connection: Connection = await asyncpg.connect(
                    **self._options,
                    server_settings=dict(SETTINGS),
                    # Statements are few, and preparing them again every five minutes takes time.
                    max_cached_statement_lifetime=0,
                )
                try:
                    await self._opened(connection)
                except BaseException:
                    connection.terminate()
                    raise
            self._connection = connection
        return self._connection

    def _give_up(self, connection: Connection) -> None:
        self._late = True
        self._connection = None
        connection.terminate()

    def _drop(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.terminate()

    async def close(self) -> None:
        """Close the connection after the current call. Further calls do nothing."""
        async with self._lock:
            self._closed = True
            connection, self._connection = self._connection, None
            if connection is not None and not connection.is_closed():
                with contextlib.suppress(*_FAILURES):
                    await connection.close(timeout=self.answer_s)


class Compiled:
    """SQL for the driver, compiled from statements of SQLAlchemy and kept."""

    def __init__(self) -> None:
        self._known: dict[sa.Executable, tuple[str, Sequence[str], Mapping[str, Any]]] = {}

    async def execute(
        self, connection: Connection, statement: sa.Executable, rows: Sequence[Mapping[str, Any]]
    ) -> None:
        """Execute a statement once for each row, whose keys are names of parameters."""
        ready = [self.ready(statement, row) for row in rows]
        if len(ready) == 1:
            await connection.fetch(ready[0][0], *ready[0][1])
        elif ready:
            await connection.executemany(ready[0][0], [values for _, values in ready])

    def ready(self, statement: sa.Executable, row: Mapping[str, Any]) -> tuple[str, list[Any]]:
        """Return the SQL of a statement, and its values for a row."""
        known = self._known.get(statement)
        if known is None:
            if len(self._known) >= _KEPT:
                self._known.clear()
            known = self._known[statement] = _compile(statement)
        sql, names, fixed = known
        return sql, [row[n] if n in row else fixed[n] for n in names]


def _compile(statement: sa.Executable) -> tuple[str, Sequence[str], Mapping[str, Any]]:
    assert isinstance(statement, sa.ClauseElement)
    compiled = statement.compile(dialect=_DIALECT)
    assert isinstance(compiled, sa.sql.compiler.SQLCompiler)
    return str(compiled), compiled.positiontup or (), compiled.params
