"""Send items about connections to another node, each frame once for all its connections."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from server.cluster.lines.items import FRAME, pack


class Link(Protocol):
    """The link to one run; `server/cluster/links/hub.py` has one."""

    def send(self, item: bytes) -> bool:
        """Send an item at the end of this turn of the event loop; return False if it is down."""
        ...


class LineSender:
    """Collect what goes to one node in a turn of the event loop, and send it in order.

    An event is framed once for all who follow a room, so its frame comes again and again for one
    connection after the other. Such a frame becomes one item with all the connections. `soon` calls
    a function in the next turn of the event loop.
    """

    __slots__ = ("_frame", "_items", "_link", "_numbers", "_soon")

    def __init__(self, link: Link, soon: Callable[[Callable[[], None]], object]) -> None:
        self._link = link
        self._soon = soon
        self._items: list[bytes] = []
        self._frame: bytes | None = None
        """The last frame, which is not an item yet."""
        self._numbers: list[int] = []

    def frame(self, number: int, frame: bytes) -> None:
        """Send a websocket frame to a connection."""
        if frame is self._frame:
            self._numbers.append(number)
            return
        if self._frame is not None:
            self._items.append(pack((FRAME, self._frame, self._numbers)))
        elif not self._items:
            self._soon(self._flush)
        self._frame, self._numbers = frame, [number]

    def send(self, *fields: Any) -> None:
        """Send an item of another kind, after all frames so far."""
        if self._frame is not None:
            self._items.append(pack((FRAME, self._frame, self._numbers)))
            self._frame = None
        elif not self._items:
            self._soon(self._flush)
        self._items.append(pack(fields))

    def drop(self) -> None:
        """Forget what was not sent yet, because the link has broken."""
        self._items, self._frame = [], None

    def _flush(self) -> None:
        if self._frame is not None:
            self._items.append(pack((FRAME, self._frame, self._numbers)))
            self._frame = None
        items, self._items = self._items, []
        send = self._link.send
        for item in items:
            if not send(item):
                return  # the link is down, and its reset does the rest
