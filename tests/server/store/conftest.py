"""Provide an open store for each test.

It is a new SQLite file, or the database that DOUBLECROSS_TEST_DATABASE names, whose tables are
dropped before each test.
"""

from __future__ import annotations

import os
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import sqlalchemy as sa
from sqlalchemy.ext.asyncio import create_async_engine

from server.store.sql import SqlStore, database_url


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


@pytest.fixture
async def url(tmp_path: Path) -> str:
    """Return the URL of an empty database."""
    named = os.environ.get("DOUBLECROSS_TEST_DATABASE")
    if named is None:
        return database_url(str(tmp_path / "games.db"))
    await drop_tables(named)
    return named


@pytest.fixture
async def store(url: str) -> AsyncIterator[SqlStore]:
    """Yield an open store."""
    opened = await SqlStore.open(url)
    yield opened
    await opened.close()
