"""The one connection that writes, kept open: no pool, no check before use, no reset after it.

A statement outside `begin` and `commit` is a transaction for itself.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine


class Writer:
    """Writes through SQLAlchemy, to any database. Callers take turns (one at a time).

    Whatever a database raises comes through as it is. `engine` must hand out connections in
    the isolation level AUTOCOMMIT."""

    begin_sql = "BEGIN"
    # Whether an `execute` whose caller is cancelled is still done, and before any later call.
    finishes_when_cancelled = False

    def __init__(self, engine: AsyncEngine) -> None:
        self.engine = engine
        self._connection: AsyncConnection | None = None

    async def connection(self) -> AsyncConnection:
        """The open connection; it is made anew when the last one was lost."""
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
        """What a new connection needs before its first use: a database without a lock on a file
        takes its lock on use here, and raises StoreError when another server has it."""

    async def prepare(self) -> None:
        """What the database needs once it is known to be ours and before tables are made."""

    async def execute(self, statement: sa.Executable, rows: Sequence[Mapping[str, Any]]) -> None:
        """Execute the statement for each of the rows (at least one), given by column name."""
        connection = await self.connection()
        await connection.execute(statement, rows)

    async def begin(self) -> None:
        """Begin a transaction that may write."""
        await self.run(self.begin_sql)

    async def commit(self) -> None:
        """Make the transaction durable."""
        await self.run("COMMIT")

    async def rollback(self) -> None:
        """Undo the transaction; there may be none any more."""
        connection = await self.connection()
        if not connection.invalidated:
            await self.run("ROLLBACK")

    async def run(self, sql: str) -> None:
        """Execute this text."""
        connection = await self.connection()
        await connection.exec_driver_sql(sql)

    async def close(self) -> None:
        """Let go of the connection; the next use opens another one."""
        connection, self._connection = self._connection, None
        if connection is not None:
            await connection.close()
