"""Serve players whose connections other nodes hold, at a node that runs rooms."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from doublecross.protocol.errors import DecodeError
from doublecross.protocol.version import CloseCode
from doublecross.server.cluster.far_clients import items
from doublecross.server.cluster.far_clients.far_websocket import FarClients, FarWebSocket
from doublecross.server.cluster.far_clients.items import (
    BOUNCED,
    FOLLOWS,
    RESTARTED,
    UNKNOWN,
    Introduction,
)
from doublecross.server.cluster.items import Send
from doublecross.server.cluster.owned_logs import OwnedLogs
from doublecross.server.core.cluster_ids import log_of_room
from doublecross.server.core.limits import ServerLimits
from doublecross.server.shell.peer import Peer
from doublecross.server.shell.traffic import CLOSE_REASON, refuse_excess


class _Followed(dict[str, None]):
    """The rooms that a far peer follows; its own node hears of each change."""

    __slots__ = ("_websocket",)

    def __init__(self, websocket: FarWebSocket) -> None:
        self._websocket = websocket

    def __setitem__(self, room: str, value: None) -> None:
        if room not in self:
            self._websocket.tell(FOLLOWS, room, True)
        super().__setitem__(room, value)

    def pop(self, room: str, *default: Any) -> Any:
        if room in self:
            self._websocket.tell(FOLLOWS, room, False)
        return super().pop(room, *default)


class FarPeers(FarClients):
    """The far peers of this node. `time` returns seconds of the event loop."""

    def __init__(
        self,
        rooms: OwnedLogs,
        send: Send,
        limits: ServerLimits,
        soon: Callable[[Callable[[], None]], object],
        time: Callable[[], float],
    ) -> None:
        super().__init__(send, soon)
        self._rooms = rooms
        self._limits = limits
        self._time = time
        self.refusals: Counter[str] = Counter()
        """How many requests were refused with each error code."""

    def take(self, run: str, fields: Sequence[Any]) -> None:
        """Carry out an item from a gateway, if it is for a node with rooms."""
        kind = fields[0]
        if kind == items.ASKED:
            self._asked(run, fields[1], fields[2])
        elif kind == items.ATTACHED:
            self._attach(run, fields[1], Introduction.of(fields[2]))
        elif kind == items.SHOW:
            self._show(run, *fields[1:])
        elif kind == items.GONE:
            self.gone(run, fields[1])

    def _attach(self, run: str, number: int, found: Introduction) -> None:
        """Make the peer of a connection, unless there is one.

        A newer connection of its player may have taken its place.
        """
        if self.find(run, number) is not None:
            return
        websocket = self.websocket(run, number, found.subprotocol)
        about = number, self.refusals, found.source, found.address
        peer = Peer(websocket, self._limits, self._time(), *about)
        peer.followed = _Followed(websocket)
        found.introduce(peer)
        if self._rooms.arrive(peer, found.session):
            self.add(peer)
        else:
            websocket.close(CloseCode.REPLACED, CLOSE_REASON[CloseCode.REPLACED])

    def _asked(self, run: str, number: int, data: bytes | str) -> None:
        peer = self.find(run, number)
        if peer is None:
            # A newer connection of the player has taken its place.
            self.sender(run).send(UNKNOWN, number)
            return
        if peer.is_closing:
            return
        peer.last_message_s = self._time()
        try:
            message = peer.codec.decode_request(data)
        except DecodeError as error:  # its own node could decode it: that has another version
            peer.refuse(error.request_id, error.code, error.sentence)
            return
        # Its own node limits its messages, but knows only the player's connections to that node.
        others = len(self._rooms.sessions.of(peer.name)) > 1
        if others and not peer.allowance.messages.take(peer.last_message_s):
            refuse_excess(peer, message, self._limits)
            return
        if not self._rooms.ask(peer, message):
            self.sender(run).send(BOUNCED, number, data)

    def _show(
        self, run: str, number: int, room: str, offered: bool, request_id: int | None
    ) -> None:
        peer = self.find(run, number)
        if peer is None:
            self.sender(run).send(UNKNOWN, number)
        elif not self._rooms.owns(log_of_room(room)):
            self.sender(run).send(FOLLOWS, number, room, None)
        elif self._rooms.show(peer, room, offered=offered, request_id=request_id):
            return
        elif offered:
            self.sender(run).send(FOLLOWS, number, room, False)
        else:
            # The client has missed the end of the room. It will find out when it comes again.
            peer.websocket.close(CloseCode.RESTART, RESTARTED)

    def gone(self, run: str, number: int) -> None:
        """Forget a connection that has ended."""
        peer = self.lose(run, number)
        if peer is not None and not peer.replaced:
            self._rooms.depart(peer)

    def link_broke(self, run: str) -> None:
        """Forget all peers of a run; it introduces them again when the link is up again."""
        for peer in self.lose_all(run):
            if not peer.replaced:
                self._rooms.depart(peer)
