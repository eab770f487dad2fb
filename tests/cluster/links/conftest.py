"""Hubs on a real NATS server, and what their users see."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Protocol

import pytest

from doublecross.server.cluster.core.link import TIMING, Timing
from doublecross.server.cluster.links.access import Access
from doublecross.server.cluster.links.hub import Hub
from doublecross.server.supervisor import Supervisor
from tests.cluster.harness.cuts import Cuts
from tests.cluster.harness.nats import Nats

AT_ONCE = replace(TIMING, gather_s=0.0)
"""Batches do not wait for others."""
QUICK = Timing(beat_s=0.05, silence_s=0.4, hello_s=0.1, deaf_s=0.4)
"""For tests that wait for silence."""
WAIT_S = 20.0


class Node:
    """A hub, and what it has told its user: ("up", run), ("reset", run) and ("item", run, item)."""

    def __init__(self, hub: Hub, supervisor: Supervisor) -> None:
        self.hub = hub
        self.supervisor = supervisor
        self.log: list[tuple[str, ...] | tuple[str, str, bytes]] = []
        self.batches: list[list[bytes]] = []
        self._news = asyncio.Event()
        hub.on_items.append(self._take)
        hub.on_up.append(lambda run: self._note("up", run))
        hub.on_reset.append(lambda run: self._note("reset", run))

    @property
    def run(self) -> str:
        return self.hub.run

    def items(self, run: str) -> list[bytes]:
        """Return all items of a run."""
        return [entry[2] for entry in self.log if entry[0] == "item" and entry[1] == run]  # type: ignore[misc]

    def changes(self, run: str) -> list[str]:
        return [entry[0] for entry in self.log if entry[0] != "item" and entry[1] == run]

    def _take(self, run: str, items: list[bytes]) -> None:
        self.batches.append(items)
        for item in items:
            self.log.append(("item", run, item))
        self._news.set()

    def _note(self, what: str, run: str) -> None:
        self.log.append((what, run))
        self._news.set()

    async def until(self, true: Callable[[], object]) -> None:
        """Wait until something is true that this node's log decides."""
        async with asyncio.timeout(WAIT_S):
            while not true():
                self._news.clear()
                await self._news.wait()

    async def until_up(self, *others: Node) -> None:
        for other in others:
            await self.until(lambda run=other.run: run in self.hub.peers and self.hub.to(run).up)  # type: ignore[misc]


class Open(Protocol):
    def __call__(
        self, *urls: str, run: str, timing: Timing = TIMING, cluster: str = "test"
    ) -> Awaitable[Node]: ...


@pytest.fixture(scope="session")
def shared_nats(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Nats]:
    """A server that tests leave alone."""
    server = Nats(tmp_path_factory.mktemp("nats"))
    try:
        yield server.start()
    finally:
        server.close()


@pytest.fixture
def nats(tmp_path: Path) -> Iterator[Nats]:
    """A server that the test may end or freeze."""
    server = Nats(tmp_path)
    try:
        yield server.start()
    finally:
        server.close()


def url_of(cuts: Cuts) -> str:
    """Return the URL of the NATS server behind a proxy."""
    return f"nats://127.0.0.1:{cuts.port}"


@pytest.fixture
async def cuts(shared_nats: Nats) -> AsyncIterator[Cuts]:
    """A proxy in front of the shared server."""
    async with Cuts.before(shared_nats.port) as cuts:
        yield cuts


@pytest.fixture
async def node() -> AsyncIterator[Open]:
    """Open nodes that are closed after the test."""
    nodes: list[Node] = []

    async def open_node(
        *urls: str, run: str, timing: Timing = TIMING, cluster: str = "test"
    ) -> Node:
        supervisor = Supervisor()
        node = Node(Hub(Access(urls), cluster, run, timing), supervisor)
        await node.hub.open(supervisor)
        nodes.append(node)
        return node

    yield open_node
    for node in nodes:
        await node.hub.close()
        await node.supervisor.close(WAIT_S)
        assert not node.supervisor.failed.done()
