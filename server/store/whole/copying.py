"""Copy a whole database into an empty one, which may be of another kind.

Theory of operation
-------------------
The target is written in one transaction: its tables, all rows, and at last the sequences from which
PostgreSQL takes the numbers of new rows. An SQLite file is built under another name beside the
target and gets its name at the end. In PostgreSQL, a table marks the target until the commit. So no
server takes what a killed copy has left for a new database. Before the commit all rows of the
target are read back. A table was copied when the number of its rows and the sum of their hashes are
those of the source. The sum does not depend on the order, which differs between databases for
texts. If anything fails, the target is as before.

Neither database may be in use: the locks of a server are held on both. The nodes of a cluster are
not copied, because they have ended.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import os
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from doublecross.server.core.storage import StoreError
from doublecross.server.store import migrate
from doublecross.server.store.database import Row, database_url
from doublecross.server.store.engines import engines_of, parsed_url
from doublecross.server.store.failures import FAILURES, failing_as, failure
from doublecross.server.store.migrate import unfinished_copy
from doublecross.server.store.schema import metadata, nodes, row_counts
from doublecross.server.store.sqlite.files import UseLock
from doublecross.server.store.whole.archive import sync_folder
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
    source: str,
    target: str,
    on_rows: Callable[[str, int, int], None],
    before_commit: Callable[[], None] = lambda: None,
) -> dict[str, TableSum]:
    """Copy all tables but `nodes` from `source` to `target`, paths or URLs.

    Return what each table has. `on_rows` is called with the name of a table, how many of its rows
    are copied, and how many it has. `before_commit` is called when all rows are compared.

    Raises:
        StoreError: a server uses one of the databases, the source is of another version, the target
            is not empty, or one of them fails. Then the target is unchanged.
    """
    if _same(source, target):
        raise StoreError(f"{name_of(target)} is the same database; choose another one.")
    tables = [table for table in metadata.sorted_tables if table not in (nodes, row_counts)]
    tables.append(row_counts)  # At last, because it changes with each row that is added.
    async with snapshot(source, alone=True) as old:
        await check_current(old, source)
        async with _empty(target) as new:
            await new.run_sync(migrate.upgrade)
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
            before_commit()
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
    # A new database has rows already, those of its counters.
    await new.execute(sa.delete(table))
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

    Raises:
        StoreError: the database is not empty, in use, or fails.
    """
    if (file := file_of(database_url(database))) is None:
        async with _transaction(parsed_url(database), name_of(database), marked=True) as connection:
            yield connection
        return
    async with _built_beside(file) as part:
        url = sa.URL.create("sqlite+aiosqlite", database=str(part))
        async with _transaction(url, name_of(database), marked=False) as connection:
            yield connection


def _exists(file: Path) -> StoreError:
    return StoreError(f"{file} exists already; choose another file.")


@asynccontextmanager
async def _built_beside(file: Path) -> AsyncIterator[Path]:
    """Give an empty file, which gets the name `file` at the end.

    Raises:
        StoreError: `file` exists, another copy is being made there, or the system fails.
    """
    if await asyncio.to_thread(file.exists):
        raise _exists(file)
    part = file.with_name(f"{file.name}.part")
    with failing_as(f"The database {file} cannot be written"):
        lock = UseLock(part)
        lock.acquire()
        try:
            # A copy that was killed has left its files.
            journal = part.with_name(f"{part.name}-journal")
            journal.unlink(missing_ok=True)
            os.truncate(part, 0)
            yield part
            try:
                os.link(part, file)
            except FileExistsError:
                raise _exists(file) from None
            sync_folder(file.parent)
        finally:
            for left in (part, journal, part.with_name(f"{part.name}.lock")):
                left.unlink(missing_ok=True)
            lock.release()


@asynccontextmanager
async def _transaction(url: sa.URL, name: str, *, marked: bool) -> AsyncIterator[AsyncConnection]:
    """Give a connection to an empty database in a transaction, which is committed at the end.

    With `marked`, other programs see until then that the database is not complete, also when this
    one is killed.

    Raises:
        StoreError: the database is not empty, in use, or fails.
    """
    what = f"The database {name} cannot be written"
    with failing_as(what):
        writer, readers = engines_of(url, 1)
        await readers.dispose()
    done = False
    try:
        with failing_as(what):
            connection = await writer.connection()
            tables = await connection.run_sync(lambda each: sa.inspect(each).get_table_names())
            if set(tables) - {unfinished_copy.name}:
                raise StoreError(f"The database {name} is not empty; choose another one.")
            if marked:
                await connection.run_sync(unfinished_copy.create, checkfirst=True)
            await writer.begin()
            if marked:
                await connection.run_sync(unfinished_copy.drop)
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
                    if marked:
                        await connection.run_sync(unfinished_copy.drop)
    finally:
        await writer.close()
        await writer.engine.dispose()
