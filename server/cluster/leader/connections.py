"""Serve connections that other nodes hold, with the authority of the leader."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from doublecross.protocol.client_messages import FollowLobby, Request
from doublecross.protocol.version import MSGPACK, CloseCode
from doublecross.server.cluster.far_clients import items
from doublecross.server.cluster.far_clients.far_websocket import FarClients, far
from doublecross.server.cluster.far_clients.items import (
    ADMITTED,
    RETURNED,
    RIGHTS,
    SEATED,
    SHOWING,
    Introduction,
)
from doublecross.server.core.limits import Patience
from doublecross.server.shell.authority import Authority
from doublecross.server.shell.connection import Connections
from doublecross.server.shell.handlers.hello import Place
from doublecross.server.shell.handlers.rooms import ROOM_HANDLERS
from doublecross.server.shell.peer import Peer
from doublecross.server.shell.traffic import CLOSE_REASON


def run_of(peer: Peer) -> str:
    """Return the run of the node that holds the connection of a peer of the leader."""
    return far(peer).run


def show(peer: Peer, room_id: str, request_id: int | None) -> None:
    """Let the node of a peer show it a room, as the answer to a request if there is one."""
    if request_id is None:
        far(peer).tell(SEATED, [room_id])
    else:
        far(peer).tell(SHOWING, room_id, request_id)


class LeaderConnections(Connections):
    """The clients of all nodes; `clients` has them by node and number.

    `session` is greater than the number of every login before.
    """

    def __init__(
        self, authority: Authority, clients: FarClients, session: int, patience: Patience
    ) -> None:
        super().__init__(authority, patience)
        self._clients = clients
        self.peer_of = clients.find
        self._session = session
        self._nodes: dict[str, Peer] = {}
        """The nodes that follow the lobby for their clients, by run."""

    # -- from gateways ----------------------------------------------------------------------------

    def take(self, run: str, fields: Sequence[Any]) -> None:
        """Carry out an item from a gateway."""
        kind, number = fields[0], fields[1]
        if kind == items.OPENED:
            # It is said again if this leader could not answer for a while.
            self._forget(run, number)
            subprotocol, source, address, *place = fields[2:]
            websocket = self._clients.websocket(run, number, subprotocol)
            if len(place) >= 2:
                websocket.place = place[0], place[1]
            self._clients.add(self.open(websocket, source, address))
        elif kind == items.SAID:
            peer = self.peer_of(run, number)
            if peer is not None:
                if len(fields) > 3:
                    # A player who follows a private room may read its record.
                    peer.followed = dict.fromkeys(fields[3])
                far(peer).take(fields[2])
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

    def _tell_rooms(self, peer: Peer) -> None:
        """Tell the node of a client in which rooms the player has a seat."""
        if not peer.may_play:
            return
        rooms = self.authority.lobby.rooms.of_player(peer.name)
        seated = [room.id for room in rooms if not room.left_by(peer.name)]
        if seated:
            far(peer).tell(SEATED, seated)

    def link_broke(self, run: str) -> None:
        """Forget all clients of a node; it introduces them again when the link is up again."""
        for peer in self._clients.lose_all(run):
            self.lost(peer)
        node = self._nodes.pop(run, None)
        if node is not None:
            self.authority.lobby_feed.follow(node, False)

    def _show_lobby(self, run: str) -> None:
        """Send a node the lobby and its changes, which it shows to its clients."""
        websocket = self._clients.websocket(run, items.OF_NODE, MSGPACK)
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
        peer = self._clients.lose(run, number)
        if peer is not None:
            self.lost(peer)

    def _come_back(self, run: str, number: int, found: Introduction) -> None:
        """Serve a client whose player a former leader has admitted."""
        websocket = self._clients.websocket(run, number, found.subprotocol)
        about = self.opened + 1, self.refusals, found.source, found.address
        peer = Peer(websocket, self.limits, self._time(), *about)
        found.introduce(peer)
        rivals = self.authority.peers.sessions.rivals(peer)
        if any(self.introduction_of(each).session > found.session for each in rivals):
            websocket.close(CloseCode.REPLACED, CLOSE_REASON[CloseCode.REPLACED])
            return
        self.opened += 1
        self.peers.add(peer)
        self._websockets += 1
        self._clients.add(peer)
        self._session = max(self._session, found.session)
        websocket.introduction = found
        for old in self.authority.arrive(peer, found.player):
            self._close(old, CloseCode.REPLACED)
        websocket.deliver_to(self._receive, peer)

    # -- towards gateways and owners --------------------------------------------------------------

    def introduction_of(self, peer: Peer) -> Introduction:
        """Return who has a connection; the first call gives the login its number."""
        websocket = far(peer)
        if websocket.introduction is None:
            assert peer.player is not None
            self._session += 1
            websocket.introduction = Introduction(
                self._session,
                peer.player,
                peer.rights,
                websocket.subprotocol,
                peer.source,
                peer.address,
                peer.client,
                peer.boards,
                peer.takebacks,
                peer.exclusive,
            )
        return websocket.introduction

    def _place_of(self, peer: Peer) -> Place:
        """Return what the node of a client has said of its place."""
        return Place(*far(peer).place, round(self._patience.silence_s * 1000))

    def _joined(self, peer: Peer) -> None:
        """Tell the node of a client which player has logged in."""
        far(peer).tell(ADMITTED, self.introduction_of(peer).fields())

    def rights_changed(self, peer: Peer) -> None:
        """Tell the node of a client what its player may do from now on.

        The node introduces the client with these rights when the leader has moved.
        """
        websocket = far(peer)
        if websocket.introduction is not None:
            found = websocket.introduction = websocket.introduction._replace(rights=peer.rights)
            websocket.tell(RIGHTS, found.fields())

    def _handle(self, peer: Peer, message: Request, data: bytes | str) -> None:
        """Carry out a request, but send one about a room or the lobby back to the node.

        After a login the node itself sends such requests to the owner of the room, and shows the
        lobby.
        """
        if type(message) in ROOM_HANDLERS or isinstance(message, FollowLobby):
            far(peer).tell(RETURNED, data)
        else:
            super()._handle(peer, message, data)
