"""Find out whether a server could open a database, without changing anything."""

from __future__ import annotations

import asyncio
import os
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Final

import sqlalchemy as sa

from doublecross.server.core.storage import StoreError
from doublecross.server.store import migrate
from doublecross.server.store.engines import engines_of, parsed_url
from doublecross.server.store.failures import failing_as
from doublecross.server.store.sqlite.files import database_file, reading_address

ANSWER_S: Final = 10.0
"""How long a database may take to answer, in seconds."""


async def check_database(path_or_url: str) -> None:
    """Check that a server could open this database; a server may be using it.

    A missing SQLite file is fine if the server could create it.

    Raises:
        StoreError: the URL is invalid, its driver is missing, the database cannot be reached, read
            or written, or it belongs to a newer version, to one that is too old, or to another
            program.
    """
    if "://" not in path_or_url:
        _check_file(path_or_url)
        return
    url = parsed_url(path_or_url)
    engines = engines_of(url, 1)
    if url.get_backend_name() == "sqlite":
        file = database_file(url)
        with failing_as(f"The database {file} cannot be opened"):
            _check_file(str(file))
        return
    writer, reading = engines
    name = url.render_as_string(hide_password=True)
    try:
        async with asyncio.timeout(ANSWER_S):
            with failing_as(f"The database {name} cannot be opened"):
                async with reading.connect() as connection:
                    await connection.run_sync(migrate.is_current)
    except TimeoutError:
        raise StoreError(
            f"The database {name} has not answered within {ANSWER_S:g} s; is its address right?"
        ) from None
    finally:
        await reading.dispose()
        await writer.engine.dispose()


def _check_file(name: str) -> None:
    path = Path(name).expanduser().absolute()
    what = f"The database {path} cannot be opened"
    if path.is_dir():
        raise StoreError(f"{what}: it is a folder.")
    if not path.exists():
        # The server creates missing folders.
        above = next(folder for folder in path.parents if folder.exists())
        if not above.is_dir():
            raise StoreError(f"{what}: {above} is no folder.")
        if not os.access(above, os.W_OK | os.X_OK):
            raise StoreError(f"{what}: the folder {above} is not writable.")
        return
    # SQLite creates files beside the database.
    for needed in (path, path.parent):
        if not os.access(needed, os.R_OK | os.W_OK):
            raise StoreError(f"{what}: {needed} is not readable and writable.")
    address = reading_address(path)
    engine = sa.create_engine(
        "sqlite://", creator=lambda: sqlite3.connect(address, uri=True), poolclass=sa.NullPool
    )
    with failing_as(what), closing(engine.connect()) as connection:
        migrate.is_current(connection)
