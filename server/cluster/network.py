"""Send items to any run of the cluster, the own one included."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from typing import Any, Protocol

import msgpack
import structlog

_log = structlog.get_logger("cluster")


class Links(Protocol):
    """The links to other runs; `server/cluster/links/hub.py` implements them."""

    run: str

    def to(self, run: str) -> Any:
        """Return the link to another run."""

    def soon(self, work: Callable[[], None]) -> None:
        """Call `work` just before the next items leave."""


class Receiver(Protocol):
    """The part of a node that handles the items that arrive."""

    def take(self, run: str, fields: list[Any], item: bytes) -> None:
        """Handle an item from a run."""


class OwnLink:
    """The link of a run to itself: an item arrives in the next turn of the event loop."""

    def __init__(self, network: Network) -> None:
        self._network = network
        self._items: list[bytes] = []

    def send(self, item: bytes) -> bool:
        """Send an item to the own run."""
        if not self._items:
            asyncio.get_running_loop().call_soon(self._deliver)
        self._items.append(item)
        return True

    def _deliver(self) -> None:
        items, self._items = self._items, []
        rest = iter(items)
        while True:
            try:
                self._network.take(self._network.run, rest)
                return
            except Exception:  # noqa: BLE001 - no reset follows, so the other items must not be lost
                _log.exception("item_failed")


class FarLink:
    """The link to another run; it finds the present link of the hub for each item."""

    __slots__ = ("_links", "_run")

    def __init__(self, links: Links, run: str) -> None:
        self._links = links
        self._run = run

    def send(self, item: bytes) -> bool:
        """Send an item; return False if the run cannot be reached."""
        sent: bool = self._links.to(self._run).send(item)
        return sent


class Network:
    """The links of a node, which has all items that arrive after `deliver_to`."""

    def __init__(self, links: Links) -> None:
        self.run = links.run
        self.soon = links.soon
        self._links = links
        self._own = OwnLink(self)
        self._far: dict[str, FarLink] = {}
        self._receiver: Receiver | None = None

    def deliver_to(self, receiver: Receiver) -> None:
        """Let a receiver have all items from now on."""
        self._receiver = receiver

    def link(self, run: str) -> OwnLink | FarLink:
        """Return the link to a run, which may be the own one."""
        if run == self.run:
            return self._own
        found = self._far.get(run)
        if found is None:
            found = self._far[run] = FarLink(self._links, run)
        return found

    def send(self, run: str, item: bytes) -> bool:
        """Send an item; return False if the run cannot be reached."""
        return self.link(run).send(item)

    def forget(self, run: str) -> None:
        """Forget a run that has ended."""
        self._far.pop(run, None)

    def take(self, run: str, items: Iterable[bytes]) -> None:
        """Pass on the items that have arrived from a run."""
        assert self._receiver is not None
        take = self._receiver.take
        for item in items:
            take(run, msgpack.unpackb(item), item)
