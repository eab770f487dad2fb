"""Pass what one client asks, and the rooms that it follows, to their owners."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from doublecross.protocol.version import CloseCode
from doublecross.server.cluster.far_clients import items
from doublecross.server.cluster.far_clients.items import RESTARTED, pack
from doublecross.server.cluster.gateway.peer import NOWHERE, Asked, GatewayPeer
from doublecross.server.cluster.gateway.repeating import SAFE
from doublecross.server.cluster.network import Network
from doublecross.server.cluster.owned_logs import OwnedLogs
from doublecross.server.core.cluster_ids import log_of_room
from doublecross.server.core.cluster_storage import LEADER


class Passing:
    """Pass requests to the owners that can be reached; `gateway.py` explains when.

    `owner` returns the run that owns a log, or None.
    """

    def __init__(
        self, network: Network, owner: Callable[[str], str | None], rooms: OwnedLogs
    ) -> None:
        self._run = network.run
        self._owner = owner
        self._send, self._later = network.send, network.later
        self._rooms = rooms

    # -- to owners -----------------------------------------------------------------------------

    def to_leader(self, *fields: Any) -> bool:
        """Send an item to the leader; return whether there is one that can be reached."""
        leader = self._owner(LEADER)
        return leader is not None and self._later(leader, pack(fields))

    def _return_to(self, peer: GatewayPeer, leader: str) -> bool:
        """Make sure that the leader knows the client; return whether it can be reached."""
        if peer.leader != leader:
            assert peer.introduction is not None
            fields = (items.BACK, peer.number, peer.introduction.fields())
            if not self._later(leader, pack(fields)):
                return False
            peer.leader = leader
        return True

    def _to_rooms(self, peer: GatewayPeer, run: str, kind: int, *fields: Any) -> bool:
        """Send a node with rooms an item about the client; first say who that is."""
        if run not in peer.attached:
            assert peer.introduction is not None
            attached = (items.ATTACHED, peer.number, peer.introduction.fields())
            if not self._send(run, pack(attached)):
                return False
            peer.attached.add(run)
        return self._send(run, pack((kind, peer.number, *fields)))

    def request(self, peer: GatewayPeer, asked: Asked) -> None:
        """Send a request to its owner, if there is one that can be reached."""
        run = self._owner(asked.log)
        if run is None:
            return
        if asked.log == LEADER:
            follows = [*peer.followed, *peer.elsewhere]
            sent = self._return_to(peer, run) and self._later(
                run, pack((items.SAID, peer.number, asked.data, follows))
            )
        elif run == self._run:
            if self._rooms.owns(asked.log):
                asked.run = run
                if asked.room:
                    request_id = asked.message.id
                    self._rooms.show(peer, asked.room, offered=True, request_id=request_id)
                else:
                    self._rooms.ask(peer, asked.message)
            return
        elif asked.room:
            sent = self._to_rooms(peer, run, items.SHOW, asked.room, True, asked.message.id)
        else:
            sent = self._to_rooms(peer, run, items.ASKED, asked.data)
        if sent:
            asked.run = run

    def request_elsewhere(self, peer: GatewayPeer, asked: Asked) -> None:
        """Send a request again that has reached a node without the log of its room."""
        left, asked.run = asked.run, NOWHERE
        # If this node believes that the log is there, it will soon know better.
        if self._owner(asked.log) != left:
            self.request(peer, asked)

    def catch_up(self, peer: GatewayPeer) -> None:
        """Send what is `NOWHERE` of a player's requests and rooms to their owners."""
        leader = self._owner(LEADER)
        if leader is not None and leader != peer.leader:
            # If it did not know the client when it could answer at last, it dropped what was said.
            self.forget(peer, leader, LEADER.__eq__)
            self._return_to(peer, leader)
        for room, shown in list(peer.elsewhere.items()):
            run, offered = self._owner(log_of_room(room)), room in peer.offered
            if run is None or shown == run:
                continue
            if run == self._run:
                if self._rooms.owns(log_of_room(room)):
                    del peer.elsewhere[room]
                    peer.offered.discard(room)
                    found = self._rooms.show(peer, room, offered=offered, request_id=None)
                    if not found and not offered:
                        # The client has missed the end of the room, and must find out.
                        self.end(peer)
            elif self._to_rooms(peer, run, items.SHOW, room, offered, None):
                peer.elsewhere[room] = run
        for asked in list(peer.asked.values()):
            if asked.run not in (NOWHERE, self._owner(asked.log)):
                self._take_back(peer, asked)
            if asked.run == NOWHERE and not peer.is_closing:
                self.request(peer, asked)

    # -- owners that answer no more ------------------------------------------------------------

    def forget(self, peer: GatewayPeer, run: str, is_lost: Callable[[str], bool]) -> None:
        """Note that a run does not know the client any more in some logs, and will not answer."""
        for room, shown in peer.elsewhere.items():
            if shown == run and is_lost(log_of_room(room)):
                peer.elsewhere[room] = NOWHERE
        for asked in peer.asked.values():
            if asked.run == run and is_lost(asked.log):
                self._take_back(peer, asked)

    def not_leader(self, peer: GatewayPeer, run: str) -> None:
        """Note that a run does not know a client as the leader."""
        if peer.leader == run:
            peer.leader = NOWHERE
            # It may have begun to answer before. Only the hello may be said again: it has the same
            # effect.
            if peer.introduction is None and (peer.heard or len(peer.early) > 1):
                self.end(peer)

    def forget_leader(self, peer: GatewayPeer, run: str) -> None:
        """Note that a run does not know a client as the leader, and will answer nothing."""
        self.not_leader(peer, run)
        self.forget(peer, run, LEADER.__eq__)

    def forget_node(self, peer: GatewayPeer, run: str) -> None:
        """Note that a node with rooms does not know a client, and will answer nothing."""
        peer.attached.discard(run)
        self.forget(peer, run, LEADER.__ne__)

    def _take_back(self, peer: GatewayPeer, asked: Asked) -> None:
        """Take a request back, of which nobody knows whether it was carried out."""
        asked.run = NOWHERE
        if not asked.room and type(asked.message) not in SAFE and not peer.is_closing:
            self.end(peer)

    def end(self, peer: GatewayPeer) -> None:
        """End a connection whose client has to find out what has happened."""
        peer.is_closing = True
        peer.websocket.close(CloseCode.RESTART, RESTARTED)
