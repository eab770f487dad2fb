"""The PostgreSQL server that all tests of one process share: starting one takes a second."""

from __future__ import annotations

import atexit
import shutil
from functools import cache
from pathlib import Path
from typing import Final

from doublecross.server.store.cluster.opening import open_cluster
from tests.cluster.harness.binaries import need
from tests.cluster.harness.postgresql import Postgres, make_folder, make_template

PREPARED: Final = "with_tables"
"""A database with empty tables, from which those of the tests are made."""


@cache
def template() -> Path:
    """Return the data folder that servers of this process start from."""
    need("postgres", "initdb", "pg_ctl", "pg_basebackup")
    folder = make_folder()
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return make_template(folder)


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
    """Make a database with empty tables on a server, and return its address."""
    if PREPARED not in server.made:
        url = await server.create_database(PREPARED)
        await (await open_cluster(url)).close()
        server.made.add(PREPARED)
    return await server.create_database(name, PREPARED)
