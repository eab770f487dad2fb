"""Links and calls between runs in memory: tests control delays, losses, breaks and deaths."""

from __future__ import annotations

import asyncio
from collections import defaultdict, deque
from collections.abc import Awaitable, Callable, Set
from typing import Any

from msgpack import unpackb

from doublecross.server.cluster.links.calls import NodeCalls
from doublecross.server.cluster.node import Node


class Call:
    """A call under way."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.answer: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()

    async def respond(self, answer: bytes) -> None:
        if not self.answer.done():
            self.answer.set_result(answer)


class Links:
    """The links of one run, and its calls: see `Hub`."""

    most_bytes = 1 << 20

    def __init__(self, network: MemoryNetwork, run: str) -> None:
        self._network = network
        self.run = run
        self.on_call: Callable[[Call], Awaitable[None]]
        self.on_reset: list[Callable[[str], None]] = []
        network.links[run] = self

    async def request(self, run: str, payload: bytes, timeout_s: float) -> bytes:
        call = Call(payload)
        await self._network.links[run].on_call(call)
        answer = await call.answer
        self._network.longest = max(self._network.longest, len(payload), len(answer))
        return answer

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
    a node gets what is sent to it, and does nothing. `longest` is the size of the longest call.
    """

    def __init__(self) -> None:
        self.links: dict[str, Links] = {}
        self.longest = 0
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

    def calls(self, run: str) -> NodeCalls:
        """Add a run that has calls and no node."""
        calls = NodeCalls(Links(self, run))  # type: ignore[arg-type]
        self.join(run, None)
        return calls

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
            for tell in self.links[run].on_reset if run in self.links else ():
                tell(peer)
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
