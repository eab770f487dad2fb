"""Read a whole database as it is at one moment, without changing it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final

import aiosqlite
import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection, create_async_engine

from doublecross.server.core.storage import StoreError
from doublecross.server.store import migrate
from doublecross.server.store.database import Row
from doublecross.server.store.engines import engines_of, parsed_url
from doublecross.server.store.failures import FAILURES, failing_as, failure
from doublecross.server.store.postgresql import take_lock
from doublecross.server.store.sqlite.files import UseLock, database_file, reading_address

PAGE: Final = 200
"""How many rows are in memory at the same time. Reports of games are large."""
_POSTGRESQL_SNAPSHOT: Final = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"


def name_of(database: str) -> str:
    """Return the database, a path or a URL, as people read it: without its password.

    Raises:
        StoreError: the URL is invalid.
    """
    if "://" not in database:
        return database
    url = parsed_url(database)
    if url.get_backend_name() == "sqlite":
        return str(url.database)
    return url.set(drivername="postgresql").render_as_string(hide_password=True)


def file_of(database: str) -> Path | None:
    """Return the file of an SQLite database, given as a path or a URL; None for other databases.

    Raises:
        StoreError: the URL is invalid, of another kind, or names no file in a folder that exists.
    """
    if "://" not in database:
        url = sa.URL.create("sqlite", database=str(Path(database).expanduser().absolute()))
    else:
        url = parsed_url(database)
    if url.get_backend_name() == "sqlite":
        return database_file(url)
    if url.get_backend_name() != "postgresql":
        raise StoreError(
            f"A database of the kind {url.get_backend_name()} cannot be used here; give an SQLite"
            " file, or the URL of a PostgreSQL database."
        )
    return None


@asynccontextmanager
async def snapshot(database: str, *, alone: bool) -> AsyncIterator[AsyncConnection]:
    """Give a connection that reads the database, a path or a URL, as it is at this moment.

    With `alone` this takes the lock of a server, so that none runs meanwhile. Otherwise a server
    may go on writing.

    Raises:
        StoreError: there is no such database, it cannot be read, or a server uses it.
    """
    file, name = file_of(database), name_of(database)
    if file is None:
        writer, readers = engines_of(parsed_url(database), 1)
        await readers.dispose()
        engine, begin, lock = writer.engine, _POSTGRESQL_SNAPSHOT, None
    else:
        if not file.is_file():
            raise StoreError(f"There is no database {name}.")
        lock = UseLock(file) if alone else None
        if lock is not None:
            lock.acquire()
        address = reading_address(file)
        engine = create_async_engine(
            "sqlite+aiosqlite://",
            async_creator=lambda: aiosqlite.connect(address, uri=True),
            poolclass=sa.NullPool,
            isolation_level="AUTOCOMMIT",
        )
        begin = "BEGIN"
    try:
        with failing_as(f"The database {name} cannot be read"):
            connection = await engine.connect()
        try:
            if file is None and alone:
                await take_lock(connection)
            with failing_as(f"The database {name} cannot be read"):
                await connection.exec_driver_sql(begin)
                # SQLite begins to read, and so the moment of the snapshot, with the first table.
                await connection.run_sync(lambda each: sa.inspect(each).get_table_names())
            before = None if file is None else _state(file)
            try:
                yield connection
            except FAILURES as error:
                raise failure(f"The database {name} cannot be read", error) from error
            # SQLite does not notice writes to a file that it reads as immutable.
            if file is not None and before is not None and _state(file) != before:
                raise StoreError(f"A server has started with the database {name}; try again.")
        finally:
            await connection.close()
    finally:
        await engine.dispose()
        if lock is not None:
            lock.release()


def _state(file: Path) -> tuple[int, int] | None:
    """Return the time and the size of a file that SQLite reads as immutable; otherwise None.

    They change when somebody writes to the file.
    """
    if "immutable" not in reading_address(file):
        return None
    found = file.stat()
    return found.st_mtime_ns, found.st_size


async def check_current(connection: AsyncConnection, database: str) -> str:
    """Check that a database has the tables of this version; return their revision.

    Raises:
        StoreError: it is empty, or belongs to another version or to another program.
    """
    name = name_of(database)
    revision = await connection.run_sync(migrate.revision_of)
    if revision is None:
        raise StoreError(f"The database {name} is empty.")
    newest = migrate.revisions()[-1]
    if revision != newest:
        raise StoreError(
            f"The database {name} is of an earlier version (its revision is {revision}, this"
            f" version has {newest}). Upgrade it first: doublecross database upgrade {name}"
        )
    return revision


async def pages(
    connection: AsyncConnection, table: sa.Table, size: int = PAGE
) -> AsyncIterator[list[Row]]:
    """Yield all rows of a table in the order of its primary key, in pages of at most `size`."""
    key = sa.tuple_(*table.primary_key)
    query = sa.select(table).order_by(*table.primary_key).limit(size)
    names = [column.key for column in table.primary_key]
    rows = list((await connection.execute(query)).all())
    while rows:
        yield rows
        if len(rows) < size:
            return
        last: list[Any] = [rows[-1]._mapping[name] for name in names]
        rows = list((await connection.execute(query.where(key > sa.tuple_(*last)))).all())


async def count(connection: AsyncConnection, table: sa.Table) -> int:
    """Return how many rows a table has."""
    return int(await connection.scalar(sa.select(sa.func.count()).select_from(table)) or 0)
