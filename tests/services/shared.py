"""The PostgreSQL server that all tests of one process share: starting one takes a second.

A `conftest.py` imports the fixtures that its folder needs.
"""

from __future__ import annotations

import atexit
import shutil
from functools import cache
from pathlib import Path
from typing import Final

import pytest

from doublecross.server.store.cluster.opening import open_cluster
from tests.services.binaries import need
from tests.services.postgresql import Postgres, make_template

PREPARED: Final = "with_tables"
"""A database with empty tables, from which those of the tests are made."""
_TABLES: Final = "SELECT tablename FROM pg_tables WHERE schemaname = 'public'"
_END_OTHERS: Final = """
    SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid()
"""


@cache
def template() -> Path:
    """Return the data folder that servers of this process start from."""
    need("postgres", "initdb", "pg_ctl", "pg_basebackup")
    made = make_template()
    atexit.register(shutil.rmtree, made.parent, ignore_errors=True)
    return made


@cache
def _shared() -> Postgres:
    server = Postgres.start_new(template())
    atexit.register(server.close)
    return server


def running_server() -> Postgres:
    """Return the shared server, started again or thawed if the last test left it so."""
    server = _shared()
    server.recover()
    return server


async def empty_database(server: Postgres, name: str = "cluster") -> str:
    """Return the address of a database with the rows of a new one, and with no connections.

    Making a database takes PostgreSQL a fifth of a second, so the tests of a process share one.
    """
    if PREPARED not in server.made:
        url = await server.create_database(PREPARED)
        await (await open_cluster(url)).close()
        connection = await server.connect(PREPARED)
        names = [row[0] for row in await connection.fetch(_TABLES)]
        server.made[PREPARED] = {
            table: [tuple(row) for row in await connection.fetch(f'SELECT * FROM "{table}"')]
            for table in names
        }
        await connection.close()
    if name not in server.made:
        url = await server.create_database(name, PREPARED)
        server.made[name] = server.made[PREPARED]
        return url
    connection = await server.connect(name)
    await connection.execute(_END_OTHERS)
    async with connection.transaction():
        tables = server.made[name]
        await connection.execute(f"TRUNCATE {', '.join(tables)}")
        for table, rows in tables.items():
            if rows:
                await connection.copy_records_to_table(table, records=rows)
    await connection.close()
    return server.url(name)


@pytest.fixture
def postgres() -> Postgres:
    """Return the server that the tests of this process share. It runs, whatever a test did."""
    return running_server()


@pytest.fixture
async def url(postgres: Postgres) -> str:
    """Return the address of a database with empty tables."""
    return await empty_database(postgres)
