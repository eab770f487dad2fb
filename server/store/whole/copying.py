"""Copy a whole database into an empty one, which may be of another kind.

Theory of operation
-------------------
The target is written in one transaction: its tables, all rows, and at last the sequences from which
PostgreSQL takes the numbers of new rows. Before the commit all rows of the target are read back. A
table was copied when the number of its rows and the sum of their hashes are those of the source.
The sum does not depend on the order, which differs between databases for texts. If anything fails,
the target is as before.

Neither database may be in use: the locks of a server are held on both. The nodes of a cluster are
not copied, because they have ended.
"""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Final

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from doublecross.server.core.storage import StoreError
from doublecross.server.store import migrate
from doublecross.server.store.database import Row, database_url
from doublecross.server.store.engines import engines_of, parsed_url
from doublecross.server.store.failures import FAILURES, failing_as, failure
from doublecross.server.store.schema import metadata, nodes
from doublecross.server.store.sqlite.files import UseLock
from doublecross.server.store.whole.reading import (
    check_current,
    count,
    file_of,
    name_of,
    pages,
    snapshot,
)

_HASH_BITS: Final = 256


@dataclass(frozen=True, slots=True)
class TableSum:
    """The number of rows of a table, and the sum of the hashes of its rows."""

    rows: int = 0
    checksum: int = 0

    def __add__(self, rows: Sequence[Row]) -> TableSum:
        added = sum(_hash(row) for row in rows)
        return TableSum(self.rows + len(rows), (self.checksum + added) % (1 << _HASH_BITS))


def _hash(row: Row) -> int:
    return int.from_bytes(hashlib.sha256(repr(tuple(row)).encode()).digest(), "big")


async def copy_database(
    source: str, target: str, on_rows: Callable[[str, int, int], None]
) -> dict[str, TableSum]:
    """Copy all tables but `nodes` from `source` to `target`, paths or URLs.

    Return what each table has. `on_rows` is called with the name of a table, how many of its rows
    are copied, and how many it has.

    Raises:
        StoreError: a server uses one of the databases, the source is of another version, the target
            is not empty, or one of them fails. Then the target is unchanged.
    """
    if _same(source, target):
        raise StoreError(f"{name_of(target)} is the same database; choose another one.")
    tables = [table for table in metadata.sorted_tables if table is not nodes]
    async with snapshot(source, alone=True) as old:
        await check_current(old, source)
        async with _empty(target) as new:
            await new.run_sync(migrate.upgrade)
            # A new database has rows already, those of its counters.
            for table in reversed(tables):
                await new.execute(sa.delete(table))
            sums = {table.name: await _copy(old, new, table, on_rows) for table in tables}
            await set_sequences(new, tables)
            for table in tables:
                found = TableSum()
                async for rows in pages(new, table):
                    found += rows
                if found != sums[table.name]:
                    raise StoreError(
                        f"The table {table.name} has other rows in {name_of(target)} than in"
                        f" {name_of(source)}, so nothing was copied."
                    )
    return sums


def _same(source: str, target: str) -> bool:
    """Return whether both are the same database, as far as their addresses tell.

    Raises:
        StoreError: an address is invalid, or names a file in a folder that does not exist.
    """
    old = file_of(source)
    if old is not None and not old.exists():
        return False
    new = file_of(database_url(target))
    if old is not None or new is not None:
        return old == new
    first, second = parsed_url(source), parsed_url(target)
    return first._replace(password=None) == second._replace(password=None)


async def _copy(
    old: AsyncConnection,
    new: AsyncConnection,
    table: sa.Table,
    on_rows: Callable[[str, int, int], None],
) -> TableSum:
    total, copied = await count(old, table), TableSum()
    on_rows(table.name, 0, total)
    async for rows in pages(old, table):
        with failing_as(f"Rows of the table {table.name} cannot be stored in the copy"):
            await new.execute(sa.insert(table), [dict(row._mapping) for row in rows])
        copied += rows
        on_rows(table.name, copied.rows, total)
    return copied


async def set_sequences(connection: AsyncConnection, tables: Sequence[sa.Table]) -> None:
    """Let the numbers that PostgreSQL gives to new rows follow those that were copied.

    SQLite takes the highest number of a table, so it needs nothing.
    """
    if connection.dialect.name != "postgresql":
        return
    for table in tables:
        for column in table.primary_key:
            if not isinstance(column.type, sa.Integer):
                continue
            name = sa.func.pg_get_serial_sequence(table.name, column.name)
            sequence = await connection.scalar(sa.select(name))
            highest = await connection.scalar(sa.select(sa.func.max(column)))
            if sequence is not None and highest is not None:
                await connection.execute(sa.select(sa.func.setval(sequence, highest)))


@asynccontextmanager
async def _empty(database: str) -> AsyncIterator[AsyncConnection]:
    """Give a connection to an empty database in a transaction, which is committed at the end.

    An SQLite file is made, and removed again when something fails.

    Raises:
        StoreError: the database is not empty, in use, or fails.
    """
    url, name = parsed_url(database_url(database)), name_of(database)
    file = file_of(database)
    made = file is not None and not file.exists()
    what = f"The database {name} cannot be written"
    lock: UseLock | None = None
    done = False
    try:
        with failing_as(what):
            if file is not None:
                taken = UseLock(file)
                taken.acquire()
                lock = taken
            writer, readers = engines_of(url, 1)
            await readers.dispose()
        try:
            with failing_as(what):
                connection = await writer.connection()
                if await connection.run_sync(lambda each: sa.inspect(each).get_table_names()):
                    raise StoreError(f"The database {name} is not empty; choose another one.")
                await writer.begin()
            try:
                yield connection
                with failing_as(what):
                    await writer.commit()
                done = True
            except FAILURES as error:
                raise failure(what, error) from error
            finally:
                if not done:
                    with contextlib.suppress(*FAILURES):
                        await writer.rollback()
        finally:
            await writer.close()
            await writer.engine.dispose()
    finally:
        if lock is not None:
            if made and not done and file is not None:
                # Before the lock is released, so that nobody has begun to use it.
                file.unlink(missing_ok=True)
                file.with_name(f"{file.name}.lock").unlink(missing_ok=True)
            lock.release()
