"""The websocket of a client whose connection another node holds."""

from __future__ import annotations

from typing import Any

from doublecross.server.cluster.far_clients.items import ENDED, FOLLOWS, PAUSED, How
from doublecross.server.cluster.far_clients.sending import ItemSender
from doublecross.server.shell.wire.websocket import Receive


class FarWebSocket:
    """Implement `WebSocket` with items to the node that holds the connection.

    `run` is that node's run, and `number` the number that it has given to the connection.
    """

    __slots__ = (
        "_peer",
        "_receive",
        "_sender",
        "ended_with",
        "is_open",
        "number",
        "run",
        "subprotocol",
    )

    def __init__(self, run: str, sender: ItemSender, number: int, subprotocol: str) -> None:
        self._sender = sender
        self.run = run
        self.number = number
        self.subprotocol = subprotocol
        self.is_open = True
        self.ended_with = 0
        self._receive: Receive | None = None
        self._peer: Any = None

    def deliver_to(self, receive: Receive, peer: Any) -> None:
        """Call `receive(peer, message)` for each message from now on."""
        self._receive, self._peer = receive, peer

    def take(self, message: bytes | str) -> None:
        """Pass a message of the client on."""
        if self._receive is not None and self.is_open:
            self._receive(self._peer, message)

    def lose(self) -> None:
        """Note that the connection is gone."""
        self.is_open = False
        self._receive = self._peer = None

    def pause(self) -> None:
        """Let the node that holds the connection read nothing more until `resume`."""
        self._sender.send(PAUSED, self.number, True)

    def resume(self) -> None:
        """Let the node that holds the connection read again."""
        if self.is_open:
            self._sender.send(PAUSED, self.number, False)

    def write(self, frame: bytes, /) -> None:
        """Send a frame that `framed` has made."""
        if self.is_open:
            self._sender.frame(self.number, frame)

    def buffered(self) -> int:
        """Return 0: the node that holds the connection counts the bytes that its client leaves."""
        return 0

    def tell(self, kind: int, *fields: Any) -> None:
        """Send an item of this kind about the connection."""
        if self.is_open:
            self._sender.send(kind, self.number, *fields)

    def follows(self, room: str, on: bool) -> None:
        """Note that the client follows a room from now on, or no longer."""
        if self.is_open:
            self._sender.send(FOLLOWS, self.number, room, on)

    def close(self, code: int, reason: str) -> None:
        """Begin the closing handshake; ignore what still arrives."""
        self._end(code, reason, How.CLOSE)

    def end(self, code: int, reason: str) -> None:
        """Send a close frame, and end the connection; ignore what still arrives."""
        self._end(code, reason, How.END)

    def abort(self) -> None:
        """End the connection at once, without a close frame."""
        self._end(0, "", How.ABORT)

    def _end(self, code: int, reason: str, how: How) -> None:
        if self.is_open:
            self.is_open = False
            self.ended_with = code
            self._sender.send(ENDED, self.number, code, reason, int(how))
