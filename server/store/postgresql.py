"""The PostgreSQL writer, with a lock that keeps other servers off the database."""

from __future__ import annotations

from contextlib import suppress
from typing import Final

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from doublecross.server.core.cluster_storage import LEASE_MS
from doublecross.server.core.storage import StoreError
from doublecross.server.store.failures import FAILURES
from doublecross.server.store.schema import nodes
from doublecross.server.store.writer import Values, Writer

# PostgreSQL identifies an advisory lock by a number that programs choose: "dblcross" in ASCII.
LOCK_KEY: Final = int.from_bytes(b"dblcross", "big")
NOW_MS: Final = "(extract(epoch FROM clock_timestamp()) * 1000)::bigint"
"""PostgreSQL's time, in milliseconds since 1970, UTC."""
# A lease that ends later than any renewal could have set it comes from a clock that was ahead, for
# example on the machine where PostgreSQL ran before. Such a lease counts as lapsed. Twice the
# length of a lease is allowed, for small corrections of the clock.
IS_LIVE: Final = f"(until_ms BETWEEN {NOW_MS} AND {NOW_MS} + {2 * LEASE_MS})"
"""A condition on a row of `nodes`: its lease has not lapsed."""
_LIVE_NODES: Final = sa.select(nodes.c.node).where(sa.text(IS_LIVE))


class ReopeningWriter(Writer):
    """Write to PostgreSQL, which may have been restarted since the last transaction.

    The driver knows by then that the connection has ended. So this opens a new connection first;
    otherwise the first write after a restart would fail.
    """

    async def begin(self) -> None:
        """Begin a transaction, on a new connection if the last one has ended."""
        await self._leave_ended()
        await super().begin()

    async def execute_alone(self, statement: sa.Executable, row: Values) -> None:
        """Execute the statement for one row, on a new connection if the last one has ended."""
        await self._leave_ended()
        await super().execute_alone(statement, row)

    async def _leave_ended(self) -> None:
        """Close a connection that has ended. In a transaction, statements must fail instead."""
        connection = self._connection
        if connection is None or connection.invalidated:
            return
        driver = (await connection.get_raw_connection()).driver_connection
        if driver is not None and driver.is_closed():
            with suppress(*FAILURES):
                await self.close()


class PostgresqlWriter(ReopeningWriter):
    """Write to PostgreSQL, with an advisory lock for as long as the connection is open."""

    async def opened(self, connection: AsyncConnection) -> None:
        """Take the advisory lock.

        Raises:
            StoreError: another server or a cluster uses the database.
        """
        await take_lock(connection)


async def take_lock(connection: AsyncConnection) -> None:
    """Take the lock of a server on its database, until the connection ends.

    The nodes of a cluster share this lock. Their connections may be broken for a moment, so this
    also looks for leases that have not lapsed.

    Raises:
        StoreError: another server or a cluster uses the database.
    """
    locked = await connection.scalar(sa.select(sa.func.pg_try_advisory_lock(LOCK_KEY)))
    if await connection.scalar(sa.select(sa.func.to_regclass(nodes.name).is_not(None))):
        found = await connection.scalars(_LIVE_NODES.order_by(nodes.c.node))
        if names := ", ".join(found):
            if locked:  # the connection may be kept
                await connection.execute(sa.select(sa.func.pg_advisory_unlock(LOCK_KEY)))
            raise StoreError(
                f"A cluster is using the database, or was 3 seconds ago: {names}. Stop all its"
                " processes first."
            )
    if not locked:
        raise StoreError("Another server is using the database.")
