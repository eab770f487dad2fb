"""The websocket of a client whose connection another node holds, and all of these at a node."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from doublecross.server.cluster.far_clients.items import ENDED, PAUSED, How, Introduction
from doublecross.server.cluster.far_clients.sending import ItemSender
from doublecross.server.cluster.items import Send
from doublecross.server.shell.peer import Peer
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
        "introduction",
        "is_open",
        "number",
        "place",
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
        self.introduction: Introduction | None = None
        """Who uses the connection, as the leader has told its node."""
        self.place: tuple[str | None, str | None] = (None, None)
        """The HTTP address of its node, and the version of the page there, if they are known."""
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
        self.tell(PAUSED, True)

    def resume(self) -> None:
        """Let the node that holds the connection read again."""
        self.tell(PAUSED, False)

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
            self.tell(ENDED, code, reason, int(how))
            self.is_open = False
            self.ended_with = code


def far(peer: Peer) -> FarWebSocket:
    """Return the websocket of a peer whose connection another node holds."""
    assert isinstance(peer.websocket, FarWebSocket)
    return peer.websocket


class FarClients:
    """The clients of other nodes, by their node's run and their number there.

    `send` sends an item to a run, and `soon` calls a function in the next turn of the event loop.
    """

    def __init__(self, send: Send, soon: Callable[[Callable[[], None]], object]) -> None:
        self._send = send
        self._soon = soon
        self._senders: dict[str, ItemSender] = {}
        self.peers: dict[str, dict[int, Peer]] = {}

    def sender(self, run: str) -> ItemSender:
        """Return the sender of items to the connections of a run."""
        found = self._senders.get(run)
        if found is None:
            found = self._senders[run] = ItemSender(run, self._send, self._soon)
        return found

    def websocket(self, run: str, number: int, subprotocol: str) -> FarWebSocket:
        """Return a new websocket of this connection."""
        return FarWebSocket(run, self.sender(run), number, subprotocol)

    def add(self, peer: Peer) -> None:
        """Note the peer of a connection."""
        websocket = far(peer)
        self.peers.setdefault(websocket.run, {})[websocket.number] = peer

    def find(self, run: str, number: int) -> Peer | None:
        """Return the peer of a connection, or None if it is gone."""
        return self.peers.get(run, {}).get(number)

    def lose(self, run: str, number: int) -> Peer | None:
        """Forget a connection that has ended, and return its peer, if it is known."""
        peer = self.peers.get(run, {}).pop(number, None)
        if peer is not None:
            far(peer).lose()
        return peer

    def lose_all(self, run: str) -> list[Peer]:
        """Forget all connections of a node whose link has broken, and return their peers."""
        if run in self._senders:
            self._senders[run].drop()
        peers = list(self.peers.pop(run, {}).values())
        for peer in peers:
            far(peer).lose()
        return peers
