"""An authority without a network for the tests of the shell."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from tests.server.world import World


@pytest.fixture
async def world() -> AsyncIterator[World]:
    world = await World().start()
    yield world
    await world.stop()
