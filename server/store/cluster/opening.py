"""Open the storage of a cluster, or say in one sentence why that is not possible."""

from __future__ import annotations

from typing import TYPE_CHECKING

from server.core.storage import StoreError
from server.store.engines import engines_of, parsed_url

if TYPE_CHECKING:
    from server.store.cluster.store import ClusterStore


async def open_cluster(url: str, *, read_connections: int = 3) -> ClusterStore:
    """Open the database of a cluster, and make its tables if it is empty.

    Raises:
        StoreError: the database is not on PostgreSQL, its driver is missing, it cannot be reached,
            it is of another version or of another program, or a single server uses it.
    """
    if "://" not in url or parsed_url(url).get_backend_name() != "postgresql":
        raise StoreError(
            "A cluster needs PostgreSQL. Give the address of its database, such as"
            " postgresql://user@host/name."
        )
    # This finds out whether the driver is installed, which the storage imports.
    writer, readers = engines_of(parsed_url(url), 1)
    await writer.engine.dispose()
    await readers.dispose()
    from server.store.cluster.store import ClusterStore

    return await ClusterStore.open(url, read_connections=read_connections)
