"""Collect the items and calls for one other run, and make messages of them."""

from __future__ import annotations

from typing import Final, Protocol

from doublecross.server.cluster.core.batches import ITEM_OVERHEAD, encode, split
from doublecross.server.cluster.core.link import Link

MOST_WAITING: Final = 16 << 20
"""The most bytes that wait for one run or for the NATS server. With more, links break."""


class Sender(Protocol):
    """The object that sends the messages of all peers: the hub."""

    most_bytes: int

    def queue(self, peer: Peer) -> None:
        """Send what waits for this peer soon."""

    def cut(self, peer: Peer, reason: str) -> None:
        """Break the link to this peer."""


class TooLargeError(ValueError):
    """An item that does not fit into a message of this NATS server."""


class Peer:
    """The link to one other run, and what waits to be sent over it."""

    __slots__ = ("_hub", "calls", "command", "items", "link", "queued", "run", "size")

    def __init__(self, hub: Sender, run: str, link: Link, command: bytes) -> None:
        self._hub = hub
        self.run = run
        self.link = link
        self.command = command
        """The beginning of the NATS command that sends to this run."""
        self.queued = False
        """True while the hub has noted that a batch for this run is due."""
        self.items: list[bytes] = []
        self.calls: list[bytes] = []
        self.size = 0
        """How many bytes wait."""

    @property
    def up(self) -> bool:
        """True while the link is up, so that the run can be reached as far as is known."""
        return self.link.up

    def send(self, item: bytes) -> bool:
        """Send an item at the end of this turn of the event loop.

        Return False, and send nothing, if the link is down.

        Raises:
            TooLargeError: the item does not fit into one message.
        """
        if not self.link.up:
            return False
        size = self.size + len(item) + ITEM_OVERHEAD
        if size > self._hub.most_bytes and not self._fits(item, size):
            return False
        self.size = size
        self.items.append(item)
        if not self.queued:
            self._hub.queue(self)
        return True

    def send_call(self, item: bytes) -> bool:
        """Send an item of `calls` as `send` does. Within a batch, calls follow the items."""
        if not self.link.up:
            return False
        size = self.size + len(item) + ITEM_OVERHEAD
        if size > self._hub.most_bytes and not self._fits(item, size):
            return False
        self.size = size
        self.calls.append(item)
        self._hub.queue(self)
        return True

    def _fits(self, item: bytes, size: int) -> bool:
        """Return whether `size` bytes may wait; otherwise break the link."""
        if len(item) + ITEM_OVERHEAD > self._hub.most_bytes:
            raise TooLargeError(
                f"an item of {len(item)} bytes is larger than the NATS server takes "
                f"({self._hub.most_bytes}); raise its max_payload"
            )
        if size > MOST_WAITING:
            self._hub.cut(self, "too many bytes wait for it")
        return size <= MOST_WAITING

    def drop(self) -> None:
        """Drop what waits, because it is sent or the link has broken."""
        if self.size:
            self.items = []
            self.calls = []
            self.size = 0

    def take(self, run: str, most: int) -> list[bytes]:
        """Return messages of `run` with all that waits, or with a beat."""
        if self.size <= most:
            stamp = self.link.stamp(self.size > 0)
            payloads = [encode(run, stamp, self.items, self.calls)]
        else:
            payloads = [
                encode(run, self.link.stamp(items=True), items, calls)
                for items, calls in (
                    *((part, ()) for part in split(self.items, most)),
                    *(((), part) for part in split(self.calls, most)),
                )
                if items or calls
            ]
        self.drop()
        return payloads
