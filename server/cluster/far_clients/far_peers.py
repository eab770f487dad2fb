"""Serve players whose connections other nodes hold, at a node that runs rooms."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any, Protocol

from doublecross.protocol.client_messages import Request
from doublecross.protocol.errors import DecodeError
from doublecross.protocol.version import CloseCode
from doublecross.server.cluster.far_clients import items
from doublecross.server.cluster.far_clients.far_websocket import FarWebSocket
from doublecross.server.cluster.far_clients.items import (
    BOUNCED,
    FOLLOWS,
    LOST,
    RESTARTED,
    UNKNOWN,
    Introduction,
)
from doublecross.server.cluster.far_clients.sending import ItemSender, Link
from doublecross.server.core.cluster_ids import log_of_room
from doublecross.server.core.limits import ServerLimits
from doublecross.server.shell.peer import Peer
from doublecross.server.shell.sessions import Sessions
from doublecross.server.shell.traffic import refuse_excess


class ServedRooms(Protocol):
    """The rooms of this node, for players who are connected elsewhere."""

    sessions: Sessions

    def arrive(self, peer: Peer, session: int) -> bool:
        """Note that a player is connected through this peer.

        Return False when a newer connection of the player has taken its place already.
        """
        ...

    def depart(self, peer: Peer) -> None:
        """Note that the connection of a player is gone."""

    def ask(self, peer: Peer, message: Request) -> bool:
        """Carry out a request about a room; return False if the room's log is not here."""
        ...

    def show(self, peer: Peer, room: str, *, offered: bool, request_id: int | None) -> bool:
        """Let a peer follow a room from a snapshot on; see `OwnedLogs.show`."""
        ...

    def owns(self, log: str) -> bool:
        """Return whether this node runs the rooms of a log."""
        ...


class _Followed(dict[str, None]):
    """The rooms that a far peer follows; its own node hears of each change."""

    __slots__ = ("_websocket",)

    def __init__(self, websocket: FarWebSocket) -> None:
        self._websocket = websocket

    def __setitem__(self, room: str, value: None) -> None:
        if room not in self:
            self._websocket.follows(room, True)
        super().__setitem__(room, value)

    def pop(self, room: str, *default: Any) -> Any:
        if room in self:
            self._websocket.follows(room, False)
        return super().pop(room, *default)


class FarPeers:
    """The far peers of this node, by their own node's run and their number there.

    `link` returns the link to a run, `soon` calls a function in the next turn of the event loop,
    and `time` returns its seconds.
    """

    def __init__(
        self,
        rooms: ServedRooms,
        link: Callable[[str], Link],
        limits: ServerLimits,
        soon: Callable[[Callable[[], None]], object],
        time: Callable[[], float],
    ) -> None:
        self._rooms = rooms
        self._link = link
        self._limits = limits
        self._soon = soon
        self._time = time
        self._peers: dict[str, dict[int, Peer]] = {}
        self._senders: dict[str, ItemSender] = {}
        self.refusals: Counter[str] = Counter()
        """How many requests were refused with each error code."""

    def sender(self, run: str) -> ItemSender:
        """Return the sender of items to the connections of a run."""
        found = self._senders.get(run)
        if found is None:
            found = self._senders[run] = ItemSender(self._link(run).send, self._soon)
        return found

    def take(self, run: str, fields: Sequence[Any]) -> bool:
        """Carry out an item from a gateway; return False when it is not for this object."""
        kind = fields[0]
        if kind == items.ASKED:
            self._asked(run, fields[1], fields[2])
        elif kind == items.ATTACHED:
            self.attach(run, fields[1], Introduction.of(fields[2]))
        elif kind == items.SHOW:
            self._show(run, *fields[1:])
        elif kind == items.GONE:
            self.gone(run, fields[1])
        else:
            return False
        return True

    def attach(self, run: str, number: int, found: Introduction) -> Peer | None:
        """Return the peer of a connection; make it if it is new.

        Return None when a newer connection of its player has taken its place.
        """
        peers = self._peers.setdefault(run, {})
        known = peers.get(number)
        if known is not None:
            return known
        sender = self.sender(run)
        websocket = FarWebSocket(run, sender, number, found.subprotocol)
        peer = Peer(
            websocket,
            self._limits,
            self._time(),
            number,
            self.refusals,
            found.source,
            found.address,
        )
        peer.followed = _Followed(websocket)
        found.introduce(peer)
        if not self._rooms.arrive(peer, found.session):
            websocket.close(CloseCode.REPLACED, "you have connected again elsewhere")
            return None
        peers[number] = peer
        return peer

    def _find(self, run: str, number: int) -> Peer | None:
        return self._peers.get(run, {}).get(number)

    def _asked(self, run: str, number: int, data: bytes | str) -> None:
        peer = self._find(run, number)
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
        peer = self._find(run, number)
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

    def lost(self, log: str) -> None:
        """Tell the gateways that a log is not here any more.

        The gateways cannot see every loss for themselves: the next owner may be this run again,
        with another token.
        """
        for run in self._peers:
            self.sender(run).send(LOST, log)

    def gone(self, run: str, number: int) -> None:
        """Forget a connection that has ended."""
        peer = self._peers.get(run, {}).pop(number, None)
        if peer is not None:
            self._depart(peer)

    def _depart(self, peer: Peer) -> None:
        assert isinstance(peer.websocket, FarWebSocket)
        peer.websocket.lose()
        if not peer.replaced:
            self._rooms.depart(peer)

    def link_broke(self, run: str) -> None:
        """Forget all peers of a run; it introduces them again when the link is up again."""
        sender = self._senders.get(run)
        if sender is not None:
            sender.drop()
        for peer in self._peers.pop(run, {}).values():
            self._depart(peer)
