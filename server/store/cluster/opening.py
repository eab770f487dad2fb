"""Open the storage of a cluster, or say in one sentence why that is not possible."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import sqlalchemy as sa

from doublecross.server.core.storage import StoreError
from doublecross.server.store import migrate
from doublecross.server.store.engines import engines_of, parsed_url
from doublecross.server.store.failures import FAILURES, failure
from doublecross.server.store.whole.reading import check_current, name_of

if TYPE_CHECKING:
    from doublecross.server.store.cluster.store import ClusterStore


async def open_cluster(url: str, *, read_connections: int = 2) -> ClusterStore:
    """Open the database of a cluster, and make its tables if it is empty.

    Raises:
        StoreError: the database is not on PostgreSQL, its driver is missing, it cannot be reached,
            it is of another version or of another program, or a single server uses it.
    """
    need_postgresql(url)
    # This finds out whether the driver is installed, which the storage imports.
    writer, readers = engines_of(parsed_url(url), 1)
    await writer.engine.dispose()
    await readers.dispose()
    from doublecross.server.store.cluster.store import ClusterStore

    return await ClusterStore.open(url, read_connections=read_connections)


def need_postgresql(url: str) -> None:
    """Refuse databases of other kinds, which cannot serve several processes.

    Raises:
        StoreError: this is none on PostgreSQL.
    """
    if "://" not in url or parsed_url(url).get_backend_name() != "postgresql":
        raise StoreError(
            "A cluster needs PostgreSQL. Give the address of its database, such as"
            " postgresql://user@host/name."
        )


async def check_cluster_database(url: str) -> int:
    """Check that a node could open this database, without changing anything.

    Other nodes may be using it. Return PostgreSQL's time in milliseconds since 1970, UTC.

    Raises:
        StoreError: see `open_cluster`.
    """
    need_postgresql(url)
    writer, readers = engines_of(parsed_url(url), 1)
    await writer.engine.dispose()
    from doublecross.server.store.cluster import statements
    from doublecross.server.store.cluster.database import ALONE, TRY_SHARE_LOCK, silent
    from doublecross.server.store.cluster.session import ANSWER_S

    name = name_of(url)
    try:
        async with asyncio.timeout(ANSWER_S), readers.connect() as connection:
            if await connection.run_sync(migrate.revision_of) is not None:
                await check_current(connection, url)
            # This lock ends with its statement, because each is a transaction by itself.
            if not await connection.scalar(sa.text(TRY_SHARE_LOCK)):
                raise StoreError(ALONE)
            return int(await connection.scalar(sa.text(statements.NOW)) or 0)
    except TimeoutError:
        raise silent(name) from None
    except FAILURES as error:
        raise failure(f"The database {name} cannot be opened", error) from error
    finally:
        await readers.dispose()
