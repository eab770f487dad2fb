"""Serve the connections of clients to a node of a cluster."""

from __future__ import annotations

import structlog

from doublecross.protocol.client_messages import Request
from doublecross.protocol.version import CloseCode
from doublecross.server.cluster.gateway.gateway import Gateway
from doublecross.server.cluster.gateway.peer import GatewayPeer
from doublecross.server.core.limits import Patience, ServerLimits
from doublecross.server.shell.connection import MAX_EARLY
from doublecross.server.shell.peer import Peer
from doublecross.server.shell.traffic import CLOSE_REASON, PeerTraffic
from doublecross.server.shell.wire.websocket import WebSocket

_log = structlog.get_logger("connection")


class GatewayConnections(PeerTraffic):
    """Decode and limit the messages of clients, and pass them to the gateway.

    The leader checks the hello of a connection, and ends a connection without one.
    """

    def __init__(self, gateway: Gateway, limits: ServerLimits, patience: Patience) -> None:
        super().__init__(limits, patience)
        self._gateway = gateway
        gateway.on_admitted = self._admitted

    def open(self, websocket: WebSocket, source: str, address: str) -> Peer:
        """Serve a websocket until it is lost, and tell the gateway; see `PeerTraffic.open`."""
        self.opened += 1
        peer = GatewayPeer(
            websocket, self.limits, self._time(), self.opened, self.refusals, source, address
        )
        self.peers.add(peer)
        self._websockets += 1
        websocket.deliver_to(self._receive_early, peer)
        self._gateway.open(peer)
        return peer

    def _receive_early(self, peer: GatewayPeer, data: bytes | str) -> None:
        if peer.is_closing:
            return
        peer.last_message_s = self._time()
        if len(peer.early) >= MAX_EARLY:
            peer.end(CloseCode.ABUSE, CLOSE_REASON[CloseCode.ABUSE])
        else:
            self._gateway.said_early(peer, data)

    def _admitted(self, peer: GatewayPeer) -> None:
        assert peer.player is not None
        _log.info(
            "joined",
            connection=peer.number,
            address=peer.address,
            player=peer.name,
            kind=peer.player.kind,
            client=peer.client,
        )
        peer.websocket.deliver_to(self._receive, peer)

    def _handle(self, peer: Peer, message: Request, data: bytes | str) -> None:
        """Pass an admitted request to the gateway."""
        assert isinstance(peer, GatewayPeer)
        self._gateway.said(peer, message, data)

    def lost(self, peer: Peer) -> None:
        """Forget a peer whose websocket has ended, here and in the gateway."""
        assert isinstance(peer, GatewayPeer)
        self._gateway.lost(peer)
        self._note_left(peer)
        self._websocket_lost()
