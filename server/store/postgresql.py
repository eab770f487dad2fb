"""All that is special about PostgreSQL: the lock that keeps a second server away."""

from __future__ import annotations

from typing import Final

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from server.core.storage import StoreError
from server.store.writer import Writer

# Advisory locks are numbers that the programs of one database agree on: "dblcross" in ASCII.
_LOCK_KEY: Final = int.from_bytes(b"dblcross", "big")


class PostgresqlWriter(Writer):
    """Holds the advisory lock of the database for as long as its connection is open."""

    async def opened(self, connection: AsyncConnection) -> None:
        """Take the lock. Raises StoreError when another server holds it."""
        if not await connection.scalar(sa.select(sa.func.pg_try_advisory_lock(_LOCK_KEY))):
            raise StoreError("Another server is using the database.")
