"""Provide PostgreSQL, nodes of a cluster on it, and a cluster in memory."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable

import pytest

from doublecross.server.cluster.leader import reading, rooms, running
from doublecross.server.cluster.rooms import running as running_log
from doublecross.server.store.cluster.opening import open_cluster
from doublecross.server.store.cluster.store import ClusterStore
from tests.cluster.harness.postgresql import Postgres
from tests.cluster.harness.shared import empty_database, running_server
from tests.cluster.world import World

Open = Callable[..., Awaitable[ClusterStore]]


@pytest.fixture
def postgres() -> Postgres:
    """Return the server that the tests of this process share. It runs, whatever a test did."""
    return running_server()


@pytest.fixture
async def url(postgres: Postgres) -> str:
    """Return the address of a database with empty tables."""
    return await empty_database(postgres)


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


@pytest.fixture
async def world(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[World]:
    """Yield a cluster: the leader is at node a, and each node has a log such as ``aaaa``."""
    for module in (reading, rooms):
        monkeypatch.setattr(module, "RETRY_S", 0.0)
    for timed in (running, running_log):
        for name in ("TICK_S", "SWEEP_S", "CLEAN_S"):
            monkeypatch.setattr(timed, name, 3600.0)
    world = await World().start(a="aaaa", b="bbbb", c="cccc")
    yield world
    await world.stop()
