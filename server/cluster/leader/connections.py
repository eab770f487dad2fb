"""Serve connections that other nodes hold, with the authority of the leader."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from doublecross.protocol.client_messages import FollowLobby, Request
from doublecross.protocol.version import MSGPACK, CloseCode
from doublecross.server.cluster.far_clients import items
from doublecross.server.cluster.far_clients.far_websocket import FarWebSocket
from doublecross.server.cluster.far_clients.items import (
    ADMITTED,
    RETURNED,
    RIGHTS,
    SEATED,
    SHOWING,
    Introduction,
    rights_fields,
)
from doublecross.server.cluster.far_clients.sending import ItemSender, Link
from doublecross.server.core.limits import Patience
from doublecross.server.shell.authority import Authority
from doublecross.server.shell.connection import Connections
from doublecross.server.shell.handlers.hello import Place
from doublecross.server.shell.handlers.rooms import ROOM_HANDLERS
from doublecross.server.shell.peer import Peer
from doublecross.server.shell.traffic import CLOSE_REASON


def run_of(peer: Peer) -> str:
    """Return the run of the node that holds the connection of a peer of the leader."""
    assert isinstance(peer.websocket, FarWebSocket)
    return peer.websocket.run


def show(peer: Peer, room_id: str, request_id: int | None) -> None:
    """Let the node of a peer show it a room, as the answer to a request if there is one."""
    assert isinstance(peer.websocket, FarWebSocket)
    if request_id is None:
        peer.websocket.tell(SEATED, [room_id])
    else:
        peer.websocket.tell(SHOWING, room_id, request_id)


class LeaderConnections(Connections):
    """The clients of all nodes, by their node's run and their number there.

    `link` returns the link to a run, and `soon` calls a function in the next turn of the event
    loop. `session` is greater than the number of every login before.
    """

    def __init__(
        self,
        authority: Authority,
        link: Callable[[str], Link],
        soon: Callable[[Callable[[], None]], object],
        session: int,
        patience: Patience,
    ) -> None:
        super().__init__(authority, patience)
        self._link = link
        self._soon = soon
        self._session = session
        self._senders: dict[str, ItemSender] = {}
        self._by_number: dict[str, dict[int, Peer]] = {}
        self._introductions: dict[Peer, Introduction] = {}
        self._nodes: dict[str, Peer] = {}
        """The nodes that follow the lobby for their clients, by run."""
        self._places: dict[Peer, tuple[str | None, str | None]] = {}
        """The HTTP address and the version of the page at each client's node, until its login."""

    def _sender(self, run: str) -> ItemSender:
        found = self._senders.get(run)
        if found is None:
            found = self._senders[run] = ItemSender(self._link(run).later, self._soon)
        return found

    def peer_of(self, run: str, number: int) -> Peer | None:
        """Return the peer of a connection, or None if it is gone."""
        return self._by_number.get(run, {}).get(number)

    # -- from gateways ----------------------------------------------------------------------------

    def take(self, run: str, fields: Sequence[Any]) -> bool:
        """Carry out an item from a gateway; return False when it is none for the leader."""
        kind, number = fields[0], fields[1]
        if kind == items.OPENED:
            self._forget(
                run, number
            )  # it is said again if this leader could not answer for a while
            subprotocol, source, address, *place = fields[2:]
            websocket = FarWebSocket(run, self._sender(run), number, subprotocol)
            opened = self._by_number.setdefault(run, {})[number] = self.open(
                websocket, source, address
            )
            if len(place) >= 2:
                self._places[opened] = place[0], place[1]
        elif kind == items.SAID:
            peer = self.peer_of(run, number)
            if peer is not None:
                assert isinstance(peer.websocket, FarWebSocket)
                if len(fields) > 3:
                    # A player who follows a private room may read its record.
                    peer.followed = dict.fromkeys(fields[3])
                peer.websocket.take(fields[2])
        elif kind == items.BACK and self.peer_of(run, number) is None:
            self._come_back(run, number, Introduction.of(fields[2]))
        elif kind == items.ROOMS:
            for each in number:
                peer = self.peer_of(run, each)
                if peer is not None and peer.player is not None:
                    self._tell_rooms(peer)
        elif kind == items.LOBBY:
            self._show_lobby(run)
        elif kind == items.GONE:
            self._forget(run, number)
        else:
            return bool(kind == items.BACK)
        return True

    def _tell_rooms(self, peer: Peer) -> None:
        """Tell the node of a client in which rooms the player has a seat."""
        if not peer.may_play:
            return
        assert isinstance(peer.websocket, FarWebSocket)
        rooms = self.authority.lobby.rooms.of_player(peer.name)
        seated = [room.id for room in rooms if not room.left_by(peer.name)]
        if seated:
            peer.websocket.tell(SEATED, seated)

    def link_broke(self, run: str) -> None:
        """Forget all clients of a node; it introduces them again when the link is up again."""
        sender = self._senders.get(run)
        if sender is not None:
            sender.drop()
        for peer in self._by_number.pop(run, {}).values():
            self._lose(peer)
        node = self._nodes.pop(run, None)
        if node is not None:
            self.authority.lobby_feed.follow(node, False)

    def _show_lobby(self, run: str) -> None:
        """Send a node the lobby and its changes, which it shows to its clients."""
        websocket = FarWebSocket(run, self._sender(run), items.OF_NODE, MSGPACK)
        node = Peer(websocket, self.limits, self._time(), items.OF_NODE, self.refusals)
        former, self._nodes[run] = self._nodes.get(run), node
        feed, committer = self.authority.lobby_feed, self.authority.committer
        if former is not None:
            feed.follow(former, False)

        def show() -> None:
            feed.flush_unread()
            # Made before the wait, so that all of what it shows is stored after it.
            frame = feed.listing.frame(node.codec.text)

            def deliver() -> None:
                if self._nodes.get(run) is node:
                    node.send_frame(frame)
                    feed.follow(node, True)

            committer.after(deliver, fail)

        def fail() -> None:
            committer.after(show, fail)  # what has failed is undone then

        show()

    def _forget(self, run: str, number: int) -> None:
        """Forget a connection, if it is known."""
        peer = self._by_number.get(run, {}).pop(number, None)
        if peer is not None:
            self._lose(peer)

    def _lose(self, peer: Peer) -> None:
        assert isinstance(peer.websocket, FarWebSocket)
        peer.websocket.lose()
        self.lost(peer)

    def _come_back(self, run: str, number: int, found: Introduction) -> None:
        """Serve a client whose player a former leader has admitted."""
        websocket = FarWebSocket(run, self._sender(run), number, found.subprotocol)
        peer = Peer(
            websocket,
            self.limits,
            self._time(),
            self.opened + 1,
            self.refusals,
            found.source,
            found.address,
        )
        found.introduce(peer)
        rivals = self.authority.peers.sessions.rivals(peer)
        if any(self.introduction_of(each).session > found.session for each in rivals):
            websocket.close(CloseCode.REPLACED, CLOSE_REASON[CloseCode.REPLACED])
            return
        self.opened += 1
        self.peers.add(peer)
        self._websockets += 1
        self._by_number.setdefault(run, {})[number] = peer
        self._session = max(self._session, found.session)
        self._introductions[peer] = found
        for old in self.authority.arrive(peer, found.player):
            self._close(old, CloseCode.REPLACED)
        websocket.deliver_to(self._receive, peer)

    # -- towards gateways and owners --------------------------------------------------------------

    def introduction_of(self, peer: Peer) -> Introduction:
        """Return who has a connection; the first call gives the login its number."""
        found = self._introductions.get(peer)
        if found is None:
            assert peer.player is not None
            self._session += 1
            found = self._introductions[peer] = Introduction(
                self._session,
                peer.player,
                peer.rights,
                peer.websocket.subprotocol,
                peer.source,
                peer.address,
                peer.client,
                peer.boards,
                peer.takebacks,
                peer.exclusive,
            )
        return found

    def _place_of(self, peer: Peer) -> Place:
        """Return what the node of a client has said of its place."""
        http, page = self._places.get(peer, (None, None))
        return Place(http, page, round(self._patience.silence_s * 1000))

    def _joined(self, peer: Peer) -> None:
        """Tell the node of a client which player has logged in."""
        self._places.pop(peer, None)
        assert isinstance(peer.websocket, FarWebSocket)
        peer.websocket.tell(ADMITTED, self.introduction_of(peer).fields())

    def rights_changed(self, peer: Peer) -> None:
        """Tell the node of a client what its player may do from now on.

        The node introduces the client with these rights when the leader has moved.
        """
        found = self._introductions.get(peer)
        if found is not None:
            assert isinstance(peer.websocket, FarWebSocket)
            self._introductions[peer] = replace(found, rights=peer.rights)
            peer.websocket.tell(RIGHTS, rights_fields(peer.rights))

    def lost(self, peer: Peer) -> None:
        """Forget a client, its login and its place; see `Connections.lost`."""
        super().lost(peer)
        self._introductions.pop(peer, None)
        self._places.pop(peer, None)

    def _handle(self, peer: Peer, message: Request, data: bytes | str) -> None:
        """Carry out a request, but send one about a room or the lobby back to the node.

        After a login the node itself sends such requests to the owner of the room, and shows the
        lobby.
        """
        if type(message) in ROOM_HANDLERS or isinstance(message, FollowLobby):
            assert isinstance(peer.websocket, FarWebSocket)
            peer.websocket.tell(RETURNED, data)
        else:
            super()._handle(peer, message, data)

    def sweep(self, *, silent: bool = True) -> None:
        """Do nothing: the nodes that hold the connections know which of them are silent or slow."""
