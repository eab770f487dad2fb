"""Provide nodes of a cluster on PostgreSQL."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable

import pytest

from doublecross.server.store.cluster.opening import open_cluster
from doublecross.server.store.cluster.store import ClusterStore
from tests.services.postgresql import Postgres
from tests.services.shared import postgres, url

__all__ = ["postgres", "url"]

Open = Callable[..., Awaitable[ClusterStore]]


@pytest.fixture
async def opened(url: str, postgres: Postgres) -> AsyncIterator[Open]:
    """Return a function that opens the storage of one more node, which joins unless told not to."""
    stores: list[ClusterStore] = []

    async def more(name: str = "", *, at: str = url) -> ClusterStore:
        store = await open_cluster(at)
        stores.append(store)
        if name:
            await store.join(name, f"run-{name}")
        return store

    yield more
    postgres.recover()  # a test may have failed while it stood still
    for store in stores:
        await store.close()
