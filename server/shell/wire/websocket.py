"""The interface of a peer's websocket, whether this node or another one holds it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

Receive = Callable[[Any, "bytes | str"], None]
"""A function that takes the peer of a websocket and one message from it."""


class WebSocketEndedError(Exception):
    """The websocket has ended, and all its messages are read."""


class WebSocket(Protocol):
    """The websocket of a peer, which carries whole messages in both directions.

    No method waits. All of them may be called at any time; after the end they do nothing.
    """

    @property
    def subprotocol(self) -> str:
        """The subprotocol that the handshake has chosen."""
        ...

    @property
    def is_open(self) -> bool:
        """True while neither side has ended the websocket, so that messages may be sent."""
        ...

    @property
    def ended_with(self) -> int:
        """The close code with which the server has ended the websocket; 0 when it has not."""
        ...

    def deliver_to(self, receive: Receive, peer: Any) -> None:
        """Call `receive(peer, message)` for each message from now on."""
        ...

    def pause(self) -> None:
        """Read nothing more from the other side until `resume`."""
        ...

    def resume(self) -> None:
        """Read again."""
        ...

    def write(self, frame: bytes, /) -> None:
        """Send a frame that `framed` has made."""
        ...

    def buffered(self) -> int:
        """Return how many sent bytes the other side has not taken yet."""
        ...

    def close(self, code: int, reason: str) -> None:
        """Begin the closing handshake; ignore what still arrives."""
        ...

    def end(self, code: int, reason: str) -> None:
        """Send a close frame, end the stream, and ignore everything else that arrives."""
        ...

    def abort(self) -> None:
        """End the connection at once, without a close frame."""
        ...
