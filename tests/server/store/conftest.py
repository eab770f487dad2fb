"""Provide an open store for each test, on SQLite and on PostgreSQL.

It is a new SQLite file, and an empty database of a PostgreSQL server that the tests start. With
DOUBLECROSS_TEST_DATABASE it is the database with that address instead of the latter; its tables are
dropped before each test.
"""

from __future__ import annotations

import os
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import sqlalchemy as sa
from sqlalchemy.ext.asyncio import create_async_engine

from doublecross.server.store.sql import SqlStore, database_url
from tests.fakes.database import new_database
from tests.services.shared import empty_database, running_server


def _drop_all(connection: sa.Connection) -> None:
    found = sa.MetaData()
    found.reflect(connection)
    found.drop_all(connection)


async def drop_tables(url: str) -> None:
    """Make a database empty."""
    engine = create_async_engine(url)
    async with engine.begin() as connection:
        await connection.run_sync(_drop_all)
    await engine.dispose()


async def empty_postgresql() -> str:
    """Empty the PostgreSQL database of the tests, and return its URL."""
    named = os.environ.get("DOUBLECROSS_TEST_DATABASE")
    if named is None:
        return await running_server().create_database("store", "template0")
    await drop_tables(named)
    return named


@pytest.fixture(
    params=[
        "sqlite",
        pytest.param("postgresql", marks=[pytest.mark.processes, pytest.mark.slow]),
    ]
)
async def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Return the URL of a database without rows."""
    if request.param == "sqlite":
        return database_url(new_database(tmp_path / "games.db"))
    if "DOUBLECROSS_TEST_DATABASE" in os.environ:
        return await empty_postgresql()
    # With tables, which take longer to make than most tests.
    return await empty_database(running_server(), "store")


@pytest.fixture
async def postgresql_url() -> str:
    """Return the URL of an empty PostgreSQL database."""
    return await empty_postgresql()


@pytest.fixture
async def store(url: str) -> AsyncIterator[SqlStore]:
    """Yield an open store."""
    opened = await SqlStore.open(url)
    yield opened
    await opened.close()
