"""The connection for writing, which stays open: no pool, no check before use, no reset after it.

A statement outside `begin` and `commit` is a transaction by itself.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any, TypeAlias

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from doublecross.server.store.failures import FAILURES

Values: TypeAlias = Mapping[str, Any]
Steps: TypeAlias = Sequence[tuple[sa.Executable, Sequence[Values]]]
"""The statements of one transaction, each with the rows to execute it for."""


class Writer:
    """Write through SQLAlchemy, to any database. Only one caller may use it at a time.

    Exceptions of the database are not converted. The connections of `engine` must have the
    isolation level AUTOCOMMIT.
    """

    begin_sql = "BEGIN"
    finishes_when_cancelled = False
    """True when `transact`, `execute_alone` and `scalar` finish although their caller is cancelled.

    They then also finish before any later call.
    """

    def __init__(self, engine: AsyncEngine) -> None:
        self.engine = engine
        self._connection: AsyncConnection | None = None

    async def connection(self) -> AsyncConnection:
        """Return the connection; open a new one at first and after the last one was lost."""
        if self._connection is not None and self._connection.invalidated:
            await self.close()
        if self._connection is None:
            connection = await self.engine.connect()
            try:
                await self.opened(connection)
            except BaseException:
                await connection.close()
                raise
            self._connection = connection
        return self._connection

    async def opened(self, connection: AsyncConnection) -> None:
        """Prepare a new connection before its first use. Subclasses may override this.

        A database without a lock file takes its lock here.

        Raises:
            StoreError: another server has the lock.
        """

    async def prepare(self) -> None:
        """Prepare the database before tables are created. Subclasses may override this.

        At this time it is certain that the database belongs to this program.
        """

    async def set_up(self) -> None:
        """Note that the tables are up to date: `connection` is no longer needed from outside.

        Subclasses may override this.
        """

    # -- one step at a time, to create tables and to copy databases ------------------------------

    async def execute(self, statement: sa.Executable, rows: Sequence[Values]) -> None:
        """Execute the statement for each row. There must be a row; keys are column names."""
        connection = await self.connection()
        await connection.execute(statement, rows)

    async def begin(self) -> None:
        """Begin a transaction that may write."""
        await self.run(self.begin_sql)

    async def commit(self) -> None:
        """Make the transaction durable."""
        await self.run("COMMIT")

    async def rollback(self) -> None:
        """Roll the transaction back, if there is one."""
        connection = await self.connection()
        if not connection.invalidated:
            await self.run("ROLLBACK")

    async def run(self, sql: str) -> None:
        """Execute one SQL statement without parameters."""
        connection = await self.connection()
        await connection.exec_driver_sql(sql)

    async def abandon(self) -> None:
        """Roll the transaction back, or drop the connection when that fails."""
        try:
            await self.rollback()
        except FAILURES:
            with suppress(*FAILURES):
                await self.close()

    # -- whole transactions ----------------------------------------------------------------------

    async def transact(self, steps: Steps) -> None:
        """Execute all statements in one transaction; if one fails, nothing is stored."""
        try:
            await self.begin()
            for statement, rows in steps:
                await self.execute(statement, rows)
            await self.commit()
        except BaseException:
            await self.abandon()
            raise

    async def execute_alone(self, statement: sa.Executable, row: Values) -> None:
        """Execute the statement for one row as a transaction by itself."""
        await self.execute(statement, (row,))

    async def scalar(self, query: sa.Executable) -> Any:
        """Return the first value of a query, or None, after all earlier writes."""
        connection = await self.connection()
        return await connection.scalar(query)

    async def close(self) -> None:
        """Close the connection. The next use opens a new one."""
        connection, self._connection = self._connection, None
        if connection is not None:
            await connection.close()
