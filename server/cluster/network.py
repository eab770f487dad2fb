"""Send items to any run of the cluster, the own one included."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from typing import Any

import msgpack
import structlog

from doublecross.server.cluster.links.hub import Hub

_log = structlog.get_logger("cluster")


class Network:
    """The links of a node, which sets `on_item`."""

    def __init__(self, hub: Hub) -> None:
        self.run, self.reachable, self.keep = hub.run, hub.reachable, hub.keep
        self.soon = hub.soon
        self.on_item: Callable[[str, tuple[Any, ...]], None]
        """Takes each item that arrives: its run and its fields."""
        self._hub = hub
        self._own: list[bytes] = []
        """The items to the own run, which arrive in the next turn of the event loop."""

    def later(self, run: str, item: bytes) -> bool:
        """Send an item that is not urgent; see `Hub.send`."""
        return self.send(run, item, late=True)

    def send(self, run: str, item: bytes, *, late: bool = False) -> bool:
        """Send an item; return False if the run cannot be reached."""
        if run != self.run:
            return self._hub.send(run, item, late=late)
        if not self._own:
            asyncio.get_running_loop().call_soon(self._deliver)
        self._own.append(item)
        return True

    def send_all(self, item: bytes) -> None:
        """Send an item to all other runs that can be reached, after all that was sent before."""

        def send() -> None:
            for run in self.reachable():
                self._hub.send(run, item)

        # What goes to clients of other nodes is collected until then.
        self.soon(send)

    def _deliver(self) -> None:
        rest, self._own = iter(self._own), []
        while True:
            try:
                self.take(self.run, rest)
                return
            except Exception:  # noqa: BLE001 - no reset follows, so the other items must not be lost
                _log.exception("item_failed")

    def take(self, run: str, items: Iterable[bytes]) -> None:
        """Pass on the items that have arrived from a run."""
        take = self.on_item
        for item in items:
            take(run, msgpack.unpackb(item, use_list=False))
