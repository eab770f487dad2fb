"""Find the driver of a database, and make the engines that connect to it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.exc import InvalidRequestError, NoSuchModuleError, SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine
from sqlalchemy.pool import NullPool

from doublecross.processes.installation import how_to_add
from doublecross.server.core.storage import StoreError
from doublecross.server.store.postgresql import PostgresqlWriter
from doublecross.server.store.sqlite import connections
from doublecross.server.store.sqlite.writer import SqliteWriter
from doublecross.server.store.writer import Writer

# The driver for a URL without one. SQLAlchemy's default drivers are synchronous and cannot be used.
_DRIVERS: Final = {
    "sqlite": "sqlite+aiosqlite",
    "postgresql": "postgresql+asyncpg",
    "postgres": "postgresql+asyncpg",
}
READ_S: Final = 10.0
"""How long a read may take, the wait for a free connection included, in seconds."""


def parsed_url(url: str) -> sa.URL:
    """Return the parsed URL with an asynchronous driver.

    Raises:
        StoreError: the URL is invalid. The message does not repeat it, as it may have a password.
    """
    try:
        parsed = sa.make_url(url)
    except (SQLAlchemyError, ValueError) as error:
        raise StoreError(
            "The address of the database is invalid. Write it like"
            " sqlite+aiosqlite:///folder/file.db or postgresql+asyncpg://user@host/name."
        ) from error
    return parsed.set(drivername=_DRIVERS.get(parsed.drivername, parsed.drivername))


def engines_of(
    url: sa.URL,
    read_connections: int,
    *,
    postgresql: Callable[[AsyncEngine], Writer] = PostgresqlWriter,
    options: Mapping[str, Any] | None = None,
) -> tuple[Writer, AsyncEngine]:
    """Return the writer and the engine of the readers; neither has an open connection yet.

    From SQLite read with `SqliteReaders` instead.
    `postgresql` makes the writer for PostgreSQL, and `options` go to the driver.

    Raises:
        StoreError: the driver is not installed or not asynchronous.
    """
    kinds: dict[str, Callable[[AsyncEngine], Writer]] = {
        "sqlite": SqliteWriter,
        "postgresql": postgresql,
    }
    passed = dict(options or {})
    try:
        # The writer keeps the only connection of this engine itself.
        # Errors are logged, and the log must not contain the values of statements.
        writing = create_async_engine(
            url,
            poolclass=NullPool,
            isolation_level="AUTOCOMMIT",
            hide_parameters=True,
            connect_args=passed,
        )
        reading = create_async_engine(
            url,
            pool_size=read_connections + 1,  # one for checks
            max_overflow=0,
            pool_timeout=READ_S,
            pool_reset_on_return=None,  # A reading connection never has an open transaction.
            isolation_level="AUTOCOMMIT",
            hide_parameters=True,
            connect_args=passed,
        )
    except (ImportError, NoSuchModuleError, InvalidRequestError) as error:
        if isinstance(error, ImportError) and url.drivername == _DRIVERS["postgresql"]:
            raise StoreError(
                f"The driver of PostgreSQL is not installed: {how_to_add('server', 'postgresql')}."
            ) from error
        raise StoreError(
            f"The database driver {url.drivername} is not installed or not asynchronous."
            " Use an SQLite file, or PostgreSQL with an address such as postgresql://host/name."
        ) from error
    if url.get_backend_name() == "sqlite":
        connections.prepare(writing.sync_engine, read_only=False)
    return kinds.get(url.get_backend_name(), Writer)(writing), reading
