"""Send items about connections to another node, each frame once for all its connections."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from doublecross.server.cluster.far_clients.items import FRAME, pack

SendItem = Callable[[bytes], bool]


class Link(Protocol):
    """The link to one run; `server/cluster/network.py` has one."""

    @property
    def send(self) -> SendItem:
        """Sends an item soon; returns False if the link is down."""
        ...

    @property
    def later(self) -> SendItem:
        """Sends an item that is not urgent."""
        ...


class ItemSender:
    """Collect what goes to one node in a turn of the event loop, and send it in order.

    An event is framed once for all who follow a room, so the same frame comes for one connection
    after the other. It becomes one item with all these connections. Several frames may collect
    connections at the same time, such as those of the two codecs, as long as each connection gets
    only one of them: then their order does not matter. `send` is a function of the link, and `soon`
    calls a function in the next turn of the event loop.
    """

    __slots__ = ("_due", "_items", "_open", "_send", "_served", "_soon")

    def __init__(self, send: SendItem, soon: Callable[[Callable[[], None]], object]) -> None:
        self._send = send
        self._soon = soon
        self._due = False
        self._items: list[bytes] = []
        self._open: dict[int, tuple[bytes, list[int]]] = {}
        """The open frames with their connections, by the frame's identity."""
        self._served: set[int] = set()
        """The connections that get one of the open frames."""

    def frame(self, number: int, frame: bytes) -> None:
        """Send a websocket frame to a connection."""
        if number in self._served:
            self._close_frames()
        self._served.add(number)
        found = self._open.get(id(frame))
        if found is not None:
            found[1].append(number)
            return
        self._open[id(frame)] = (frame, [number])
        if not self._due:
            self._due = True
            self._soon(self.flush)

    def send(self, *fields: Any) -> None:
        """Send an item of another kind, after all frames so far."""
        self._close_frames()
        self._items.append(pack(fields))
        if not self._due:
            self._due = True
            self._soon(self.flush)

    def drop(self) -> None:
        """Forget what was not sent yet, because the link has broken."""
        self._items.clear()
        self._open.clear()
        self._served.clear()

    def _close_frames(self) -> None:
        for frame, numbers in self._open.values():
            self._items.append(pack((FRAME, frame, numbers)))
        self._open.clear()
        self._served.clear()

    def flush(self) -> None:
        """Send everything so far."""
        self._due = False
        self._close_frames()
        items, self._items = self._items, []
        for item in items:
            if not self._send(item):
                return  # the link is down, and its reset does the rest
