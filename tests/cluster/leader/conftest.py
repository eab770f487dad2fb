"""A cluster of three nodes for the tests of this folder."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from doublecross.server.cluster.leader import reading, settling
from tests.cluster.leader.world import ClusterWorld


@pytest.fixture
async def world(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[ClusterWorld]:
    """Yield a cluster: the leader is at node a, and each node has a log such as ``aaaa``."""
    for module in (reading, settling):
        monkeypatch.setattr(module, "RETRY_S", 0.0)
    world = await ClusterWorld().start(a="aaaa", b="bbbb", c="cccc")
    yield world
    await world.stop()
