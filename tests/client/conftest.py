"""Provide a scripted server, a controllable clock, and welcomed clients."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from random import Random
from typing import Any

import pytest

from doublecross.client.options import Login, Waiting
from doublecross.client.transport import Client
from doublecross.protocol.server_messages import Limits
from tests.client.talking import Connect
from tests.fakes.clock import FakeTime
from tests.fakes.server import LIMITS, FakeServer, Peer


@pytest.fixture
async def server() -> AsyncIterator[FakeServer]:
    async with FakeServer() as fake:
        yield fake


@pytest.fixture
def time() -> FakeTime:
    """Return a clock whose delays end at once, except the ten seconds between pings."""
    return FakeTime(instant=6.0)


@pytest.fixture
async def connect(server: FakeServer, time: FakeTime) -> AsyncIterator[Connect]:
    """Yield a function that makes a welcomed client and the server's end of its connection."""
    clients = []

    async def make(*rooms: str, limits: Limits = LIMITS, **kw: Any) -> tuple[Client, Peer]:
        login = Login("human", name="Ann")
        waiting = Waiting(clock=time.clock, sleep=time.sleep)
        client = Client(server.url, login, waiting=waiting, **({"rng": Random(1)} | kw))
        clients.append(client)
        starting = asyncio.create_task(client.start())
        peer = await server.accept()
        await peer.welcome(*rooms, limits=limits)
        await starting
        return client, peer

    yield make
    for client in clients:
        await client.close()
