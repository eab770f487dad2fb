"""Provide a cluster in memory, and PostgreSQL."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from doublecross.server.cluster.leader import reading, rooms, running
from doublecross.server.cluster.rooms import running as running_log
from tests.cluster.world import World
from tests.services.shared import postgres, url

__all__ = ["postgres", "url"]


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
