"""The database of a node: shared with other nodes, and fenced by the run of the node.

Rows that belong to no log (accounts, tokens, reports) are written through this database. Each write
is one transaction, which keeps the run from ending until it is over. A run that has ended writes
nothing.

All nodes share one advisory lock, which a single server takes alone. So a single server and a
cluster keep each other out, and the connection that has lost the lock cannot write either.
"""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any, Final, Self

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from doublecross.server.core.cluster_storage import RunEndedError
from doublecross.server.core.storage import StoreError
from doublecross.server.store import migrate
from doublecross.server.store.cluster import statements
from doublecross.server.store.cluster.session import (
    ANSWER_S,
    SETTINGS,
    Compiled,
    Connection,
    Session,
)
from doublecross.server.store.database import (
    READ_FAILED,
    WRITE_FAILED,
    Database,
    Query,
    ReadQueue,
)
from doublecross.server.store.engines import engines_of, parsed_url
from doublecross.server.store.failures import FAILURES, failing_as, failure
from doublecross.server.store.postgresql import LOCK_KEY, ReopeningWriter
from doublecross.server.store.schema import nodes
from doublecross.server.store.statements import FENCE
from doublecross.server.store.whole.reading import check_current
from doublecross.server.store.writer import Steps, Values

_SHARE_LOCK: Final = f"SELECT pg_try_advisory_lock_shared({LOCK_KEY})"
ALONE: Final = (
    "A server that is no part of the cluster is using the database. Stop it before you start the"
    " cluster."
)
TRY_SHARE_LOCK: Final = f"SELECT pg_try_advisory_xact_lock_shared({LOCK_KEY})"
"""Take the shared lock until the end of the transaction, to see whether a node could take it."""
_ALONE_LOCK: Final = f"SELECT pg_advisory_xact_lock({LOCK_KEY + 1})"
"""Held while tables are made or rooms are moved, because several nodes may start at once."""


FAST: Final = 2
"""How many connections a node opens for logins and the like, at most."""


async def _nothing(_: Connection) -> None:
    """Prepare nothing: these connections only read."""


async def share_lock(connection: Connection) -> None:
    """Take the lock that all nodes share on a connection of the driver.

    Raises:
        StoreError: a single server has the lock.
    """
    if not await connection.fetchval(_SHARE_LOCK):
        raise StoreError(ALONE)


def silent(name: str) -> StoreError:
    """Return the error of a database that accepts connections but does not answer."""
    return StoreError(
        f"The database {name} has not answered within {ANSWER_S:g} s; is its address right?"
    )


class ClusterWriter(ReopeningWriter):
    """Write to PostgreSQL with the lock that all nodes share."""

    async def opened(self, connection: AsyncConnection) -> None:
        """Take the shared lock.

        Raises:
            StoreError: a single server has the lock.
        """
        if not await connection.scalar(sa.text(_SHARE_LOCK)):
            raise StoreError(ALONE)


class ClusterDatabase(Database):
    """Run statements on the database of a cluster. Create it with `open_shared`."""

    run = ""
    """The run that writes; nothing is written before it is set."""

    _fast: Sequence[Session]
    """The connections of queries that are made once."""

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self._compiled = Compiled()

    @classmethod
    async def open_shared(cls, url: str, read_connections: int) -> Self:
        """Open the database, and make its tables if it is empty.

        Raises:
            StoreError: the database cannot be reached, is of another version or of another program,
                or is in use by a single server.
        """
        parsed = parsed_url(url)
        options = {
            "server_settings": dict(SETTINGS),
            "timeout": ANSWER_S,
            "command_timeout": ANSWER_S,
        }
        engines = engines_of(parsed, read_connections, postgresql=ClusterWriter, options=options)
        database = cls(*engines, None, FENCE, read_connections)
        database._fast = [Session(parsed, _nothing, what=READ_FAILED) for _ in range(FAST)]
        name = parsed.set(drivername="postgresql").render_as_string(hide_password=True)
        try:
            with failing_as(f"The database {name} cannot be opened"):
                try:
                    await database._bring_up(url)
                except TimeoutError:
                    raise silent(name) from None
        except BaseException:
            await database.close()
            raise
        return database

    async def _bring_up(self, url: str) -> None:
        connection = await self._writer.connection()
        if await connection.run_sync(migrate.revision_of) is None:
            await self._make_tables()
        await check_current(connection, url)
        await connection.execute(sa.text(statements.ADD_LEADER))
        # Nodes do not raise the epoch, so it is the same for all of them.
        self.epoch = int(await connection.scalar(self._fence.read) or 0)

    async def _make_tables(self) -> None:
        async with self._alone() as connection:
            if await connection.run_sync(migrate.revision_of) is None:
                await connection.run_sync(migrate.upgrade)

    @asynccontextmanager
    async def _alone(self) -> AsyncIterator[AsyncConnection]:
        """Give the writing connection in a transaction that only one node has at a time."""
        await self._writer.begin()
        connection = await self._writer.connection()
        try:
            await connection.execute(sa.text(_ALONE_LOCK))
            yield connection
            await self._writer.commit()
        except BaseException:
            await self._writer.abandon()
            raise

    @asynccontextmanager
    async def one_at_a_time(self) -> AsyncIterator[AsyncConnection]:
        """Give a connection in a transaction that only one node has at a time.

        It is for nodes that have not joined yet, and may raise the epoch.

        Raises:
            StoreError: the database fails.
        """
        async with self._write_lock:
            self._check_open()
            with failing_as(WRITE_FAILED):
                async with self._alone() as connection:
                    yield connection
                    # A node that has waited for the lock reads the epoch that the other node has
                    # raised.
                    self.epoch = int(await connection.scalar(self._fence.read) or 0)

    async def _write_one(self, statement: sa.Executable, row: Values) -> None:
        # The statement checks the epoch. The run needs a transaction.
        await self._write([(statement, [row])])

    async def _write(self, steps: Steps) -> None:
        async with self._write_lock:
            self._check_open()
            try:
                await self._writer.begin()
                await self._check_run()
                for statement, rows in steps:
                    await self._writer.execute(statement, rows)
                await self._writer.commit()
            except BaseException as error:
                await self._writer.abandon()
                if isinstance(error, FAILURES):
                    raise failure(WRITE_FAILED, error) from error
                raise

    async def _check_run(self) -> None:
        """Keep the run from ending until the transaction is over.

        Raises:
            RunEndedError: it has ended already.
        """
        connection = await self._writer.connection()
        query = sa.select(nodes.c.run).where(nodes.c.run == self.run)
        # Renewals of the lease need not wait for this lock.
        if await connection.scalar(query.with_for_update(read=True, key_share=True)) is None:
            raise RunEndedError

    async def read(
        self,
        query: Query,
        queue: ReadQueue = ReadQueue.ORDINARY,
        values: Values | None = None,
    ) -> Sequence[Any]:
        """Return the rows of a query; see `Database.read`.

        One with `values` goes to the driver without SQLAlchemy and its pool. That takes a sixth of
        the time, and every login reads. If it fails, the ordinary way finds out why, or succeeds on
        another connection.
        """
        if values is not None:
            self._check_open()
            sql, arguments = self._compiled.ready(query, values)
            # The first one that is free, so that a node that rarely reads opens one.
            free = (session for session in self._fast if not session.is_busy)
            session = next(free, self._fast[0])
            with contextlib.suppress(StoreError):
                return await session.rows(sql, *arguments)
        return await super().read(query, queue, values)

    async def _close(self) -> None:
        for session in self._fast:
            await session.close()
        await super()._close()

    async def check_owner(self) -> None:
        """Check that the run has not ended, without writing.

        Raises:
            RunEndedError: it has ended.
            StoreError: the database fails.
        """
        query = sa.select(nodes.c.run).where(nodes.c.run == self.run)
        if not await self.read(query, ReadQueue.CHECK):
            raise RunEndedError
