"""The PostgreSQL writer, with a lock that keeps other servers off the database."""

from __future__ import annotations

from typing import Final

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from server.core.storage import StoreError
from server.store.writer import Writer

# PostgreSQL identifies an advisory lock by a number that programs choose: "dblcross" in ASCII.
LOCK_KEY: Final = int.from_bytes(b"dblcross", "big")


class PostgresqlWriter(Writer):
    """Write to PostgreSQL, with an advisory lock for as long as the connection is open."""

    async def opened(self, connection: AsyncConnection) -> None:
        """Take the advisory lock.

        Raises:
            StoreError: another server has the lock.
        """
        await take_lock(connection)


async def take_lock(connection: AsyncConnection) -> None:
    """Take the lock of a server on its database, until the connection ends.

    Raises:
        StoreError: another server has the lock.
    """
    if not await connection.scalar(sa.select(sa.func.pg_try_advisory_lock(LOCK_KEY))):
        raise StoreError("Another server is using the database.")
