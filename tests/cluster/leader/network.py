"""Links between runs in memory, with delays, breaks and deaths under the test's control."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable

OnItem = Callable[[str, bytes], None]
OnRun = Callable[[str], None]


class Network:
    """Deliver items in order, in a later turn of the event loop.

    `join` adds a run and links it to all others. `hold` keeps what one run sends to another until
    `release`. `cut` loses it, and both sides learn of the break; `link` begins anew.
    """

    def __init__(self) -> None:
        self._runs: dict[str, tuple[OnItem, OnRun, OnRun]] = {}
        self._queues: dict[tuple[str, str], deque[bytes]] = {}
        self._held: set[tuple[str, str]] = set()
        self._called = False

    def join(self, run: str, on_item: OnItem, on_up: OnRun, on_reset: OnRun) -> None:
        others = list(self._runs)
        self._runs[run] = on_item, on_up, on_reset
        for other in [*others, run]:
            self.link(run, other)

    def link(self, one: str, other: str) -> None:
        for pair in {(one, other), (other, one)}:
            self._queues[pair] = deque()
        for run, peer in {(one, other), (other, one)}:
            self._runs[run][1](peer)

    def cut(self, one: str, other: str) -> None:
        """Lose what is under way between two runs, and tell both, if there is a link."""
        if (one, other) not in self._queues:
            return
        for pair in {(one, other), (other, one)}:
            self._queues.pop(pair, None)
            self._held.discard(pair)
        for run, peer in {(one, other), (other, one)}:
            if run in self._runs:
                self._runs[run][2](peer)

    def die(self, run: str) -> None:
        """End a run like a killed process, and let the others learn of it."""
        del self._runs[run]
        for other in list(self._runs):
            self.cut(other, run)
        self._queues.pop((run, run), None)

    def hold(self, sender: str, receiver: str) -> None:
        self._held.add((sender, receiver))

    def release(self, sender: str, receiver: str) -> None:
        self._held.discard((sender, receiver))
        self._schedule()

    def waiting(self, sender: str, receiver: str) -> int:
        """Return how many items are held back."""
        return len(self._queues.get((sender, receiver), ()))

    def send(self, sender: str, receiver: str, item: bytes) -> bool:
        queue = self._queues.get((sender, receiver))
        if queue is None or sender not in self._runs:
            return False
        queue.append(item)
        self._schedule()
        return True

    def _schedule(self) -> None:
        if not self._called:
            self._called = True
            asyncio.get_running_loop().call_soon(self._deliver)

    def _deliver(self) -> None:
        self._called = False
        for pair, queue in list(self._queues.items()):
            if pair in self._held:
                continue
            for _ in range(len(queue)):
                if self._queues.get(pair) is not queue:
                    break  # cut meanwhile
                sender, receiver = pair
                self._runs[receiver][0](sender, queue.popleft())
