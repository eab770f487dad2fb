"""Hubs on a real NATS server, and what their users see."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Protocol

import pytest

from doublecross.server.cluster.core import link
from doublecross.server.cluster.links import access, hub
from doublecross.server.cluster.links.access import Access
from doublecross.server.cluster.links.calls import NodeCalls
from doublecross.server.cluster.links.hub import Hub
from tests.services.cuts import Cuts
from tests.services.nats import Nats

WAIT_S = 20.0


class Node:
    """A hub, and what it has told its user."""

    def __init__(self, hub: Hub) -> None:
        self.hub = hub
        self.run = hub.run
        self.calls = NodeCalls(hub)
        self.batches: list[list[bytes]] = []
        self._log: list[tuple[str, str | bytes]] = []
        self._news = asyncio.Event()
        hub.on_items.append(self._take)
        hub.on_up.append(lambda run: self._note(run, "up"))
        hub.on_reset.append(lambda run: self._note(run, "reset"))

    def told(self, run: str) -> list[str | bytes]:
        """Return the items of a run, and "up" and "reset" between them."""
        return [what for other, what in self._log if other == run]

    def items(self, run: str) -> list[str | bytes]:
        return [what for what in self.told(run) if isinstance(what, bytes)]

    def changes(self, run: str) -> list[str | bytes]:
        return [what for what in self.told(run) if isinstance(what, str)]

    def _take(self, run: str, items: list[bytes]) -> None:
        self.batches.append(items)
        for item in items:
            self._note(run, item)

    def _note(self, run: str, what: str | bytes) -> None:
        self._log.append((run, what))
        self._news.set()

    async def until(self, true: Callable[[], object]) -> None:
        """Wait until something is true that this node's log decides."""
        async with asyncio.timeout(WAIT_S):
            while not true():
                self._news.clear()
                await self._news.wait()

    async def until_up(self, *others: Node) -> None:
        await self.until(lambda: {other.run for other in others} <= {*self.hub.reachable()})


class Open(Protocol):
    def __call__(self, *urls: str, run: str, cluster: str = "test") -> Awaitable[Node]: ...


async def pair(node: Open, *urls: str, cluster: str) -> tuple[Node, Node]:
    """Return two nodes whose link is up on both sides; each uses one of the URLs."""
    a = await node(urls[0], run="A", cluster=cluster)
    b = await node(urls[-1], run="B", cluster=cluster)
    await a.until_up(b)
    await b.until_up(a)
    return a, b


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let tests wait less for silence."""
    monkeypatch.setattr(link, "BEAT_S", 0.05)
    monkeypatch.setattr(link, "SILENCE_S", 0.4)
    monkeypatch.setattr(access, "PING_S", 0.2)


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let batches leave after each turn of the event loop."""
    monkeypatch.setattr(hub, "GATHER_S", 0.0)


@pytest.fixture(scope="session")
def shared_nats(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Nats]:
    """A server that tests leave alone."""
    with closing(Nats(tmp_path_factory.mktemp("nats"))) as server:
        yield server.start()


@pytest.fixture
def nats(tmp_path: Path) -> Iterator[Nats]:
    """A server that the test may end or freeze."""
    with closing(Nats(tmp_path)) as server:
        yield server.start()


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
    """Open nodes that know each other by name, and are closed after the test."""
    nodes: list[Node] = []

    async def open_node(*urls: str, run: str, cluster: str = "test") -> Node:
        node = Node(Hub(Access(urls), cluster, run))
        await node.hub.open()
        node.hub.keep({*"ABC"} - {run})
        nodes.append(node)
        return node

    yield open_node
    for node in nodes:
        await node.hub.close()
