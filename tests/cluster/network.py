"""Links between runs in memory, with delays, losses, breaks and deaths under the test's control."""

from __future__ import annotations

import asyncio
from collections import defaultdict, deque
from collections.abc import Callable, Set
from typing import Any

from msgpack import unpackb

from doublecross.server.cluster.node import Node


class Links:
    """The links of one run: see `Hub`."""

    def __init__(self, network: MemoryNetwork, run: str) -> None:
        self._network = network
        self.run = run

    def send(self, run: str, item: bytes, *, late: bool = False) -> bool:
        return self._network.send(self.run, run, item)

    def soon(self, work: Callable[[], None]) -> None:
        asyncio.get_running_loop().call_soon(work)

    def reachable(self) -> list[str]:
        return [other for run, other in self._network.queues if run == self.run]

    def keep(self, runs: Set[str]) -> None:
        """Do nothing: `MemoryNetwork.join` makes the links."""


class MemoryNetwork:
    """Deliver items in order, in a later turn of the event loop.

    `join` adds a node and links it to all others. `hold` keeps what one run sends to another until
    `release`. `cut` loses it, and both sides learn of the break; `link` begins anew. `lose` has
    functions that return whether an item gets lost although the link seems to be up. A run without
    a node gets what is sent to it, and does nothing.
    """

    def __init__(self) -> None:
        self.nodes: dict[str, Node | None] = {}
        self.queues: dict[tuple[str, str], deque[bytes]] = {}
        self.lose: dict[tuple[str, str], Callable[[list[Any]], object]] = {}
        self._sent: dict[tuple[str, str], list[bytes]] = defaultdict(list)
        self._held: set[tuple[str, str]] = set()
        self._called = False

    def join(self, run: str, node: Node | None) -> None:
        others = list(self.nodes)
        self.nodes[run] = node
        for other in others:
            self.link(run, other)

    def link(self, one: str, other: str) -> None:
        pairs = ((one, other), (other, one))
        for pair in pairs:
            self.queues[pair] = deque()
        for run, peer in pairs:
            node = self.nodes[run]
            if node is not None:
                node.linked(peer)

    def cut(self, one: str, other: str) -> None:
        """Lose what is under way between two runs, and tell both, if there is a link."""
        pairs = ((one, other), (other, one))
        if pairs[0] not in self.queues:
            return
        for pair in pairs:
            del self.queues[pair]
            self._held.discard(pair)
        for run, peer in pairs:
            node = self.nodes.get(run)
            if node is not None:
                node.reset(peer)

    def reset(self, one: str, other: str) -> None:
        """Let a link break for a moment."""
        self.cut(one, other)
        self.link(one, other)

    def die(self, run: str) -> None:
        """End a run like a killed process, and let the others learn of it."""
        del self.nodes[run]
        for other in self.nodes:
            self.cut(other, run)

    def hold(self, sender: str, receiver: str) -> None:
        self._held.add((sender, receiver))

    def release(self, sender: str, receiver: str) -> None:
        self._held.discard((sender, receiver))
        self._schedule()

    def waiting(self, sender: str, receiver: str) -> int:
        """Return how many items are held back."""
        return len(self.queues.get((sender, receiver), ()))

    def sent(self, sender: str, receiver: str) -> list[list[Any]]:
        """Return and forget everything that was sent."""
        return [unpackb(item) for item in self._sent.pop((sender, receiver), ())]

    def send(self, sender: str, receiver: str, item: bytes) -> bool:
        pair = sender, receiver
        if pair not in self.queues:
            return False
        self._sent[pair].append(item)
        lose = self.lose.get(pair)
        if lose is None or not lose(unpackb(item)):
            self.queues[pair].append(item)
            self._schedule()
        return True

    def _schedule(self) -> None:
        if not self._called:
            self._called = True
            asyncio.get_running_loop().call_soon(self._deliver)

    def _deliver(self) -> None:
        self._called = False
        for pair, queue in list(self.queues.items()):
            for _ in range(len(queue)):
                if self.queues.get(pair) is not queue or pair in self._held:
                    break  # cut meanwhile
                sender, receiver = pair
                node, item = self.nodes[receiver], queue.popleft()
                if node is not None:
                    node.take(sender, unpackb(item, use_list=False))
