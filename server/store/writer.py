"""The connection for writing, which stays open: no pool, no check before use, no reset after it.

A statement outside `begin` and `commit` is a transaction by itself.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine


class Writer:
    """Write through SQLAlchemy, to any database. Only one caller may use it at a time.

    Exceptions of the database are not converted. The connections of `engine` must have the
    isolation level AUTOCOMMIT.
    """

    begin_sql = "BEGIN"
    finishes_when_cancelled = False
    """Whether `execute` finishes, and before any later call, even when its caller is cancelled."""

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

    async def execute(self, statement: sa.Executable, rows: Sequence[Mapping[str, Any]]) -> None:
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

    async def close(self) -> None:
        """Close the connection. The next use opens a new one."""
        connection, self._connection = self._connection, None
        if connection is not None:
            await connection.close()
