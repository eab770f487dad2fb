"""Nodes of a cluster for tests, and the connections of clients to them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Any

from doublecross.protocol.client_messages import Request
from doublecross.protocol.version import JSON, MSGPACK
from doublecross.server.cluster.gateway.connections import GatewayConnections
from doublecross.server.cluster.gateway.peer import GatewayPeer
from doublecross.server.cluster.network import Network
from doublecross.server.cluster.node import Node
from doublecross.server.cluster.parts import NodeParts
from doublecross.server.core.cluster_storage import LEADER, Claim
from doublecross.server.core.limits import Patience, ServerLimits
from doublecross.server.core.storage import Store
from doublecross.server.shell.authority import AuthorityConfig
from doublecross.server.shell.upkeep.service_time import TimeSource
from doublecross.server.shell.wire.websocket import Receive
from tests.cluster.network import Links, MemoryNetwork
from tests.fakes import peers as fakes
from tests.server.playing import ADDRESSES, TIMES

LIMITS = ServerLimits()
PATIENCE = Patience(5.0, 60.0, 1 << 20)


class FakeWebSocket(fakes.FakeWebSocket):
    """A websocket through which a test can say something."""

    def deliver_to(self, receive: Receive, peer: Any) -> None:
        self.receive, self.peer = receive, peer

    def say(self, message: Request) -> None:
        """Let the client send a request."""
        data = self.codec.encode(message)
        self.receive(self.peer, data.decode() if self.codec.text else data)


class Watch:
    """Notes whether players can be served."""

    def __init__(self) -> None:
        self.works: list[bool] = []

    def commit_began(self, who: object) -> None:
        """Do nothing."""

    def commit_ended(self, who: object) -> None:
        """Do nothing."""

    def storage_works(self, who: object, works: bool) -> None:
        if works != (self.works or [True])[-1]:
            self.works.append(works)


class Client:
    """A connection of a player who has logged in. `messages` are those that it has received."""

    def __init__(self, host: Host, peer: GatewayPeer, websocket: FakeWebSocket) -> None:
        self.host, self.run, self.number = host, host.run, peer.number
        self.peer, self.websocket, self.messages = peer, websocket, websocket.sent
        self.name = peer.name

    def take(self) -> list[dict[str, Any]]:
        """Return and forget all messages since the last call."""
        taken = list(self.messages)
        self.messages.clear()
        return taken

    def kinds(self) -> list[str]:
        return [message["type"] for message in self.take()]

    def answers(self, request_id: int) -> list[dict[str, Any]]:
        """Return the answers to a request that are among the messages."""
        return [message for message in self.messages if message.get("id") == request_id]


class Host:
    """A node, and what is around it. `holds` says whether its lease holds."""

    def __init__(
        self,
        run: str,
        network: MemoryNetwork,
        store_of: Callable[[Claim], Store],
        now: Callable[[], int],
        time_s: Callable[[], float],
    ) -> None:
        self.run, self.holds, self.watch = run, True, Watch()
        links = Links(network, run)
        parts = NodeParts(
            Network(links),  # type: ignore[arg-type]
            store_of,
            AuthorityConfig(TIMES, LIMITS, "epoch", ADDRESSES),
            replace(TimeSource.simple(now), watch=self.watch),
            lambda: self.holds,
            PATIENCE,
            Random(run),
        )
        self.node = Node(parts)
        self.gateway, self.logs, self.far = self.node.gateway, self.node.logs, self.node.far
        self.gateway._time = self.gateway.lobby._time = time_s
        self.away: list[str] = []
        """The logs that were taken away."""
        self.node.on_taken_away = self.away.append
        self.connections = GatewayConnections(self.gateway, LIMITS, PATIENCE)
        network.join(run, self.node)

    def open(self, *, text: bool = False) -> tuple[GatewayPeer, FakeWebSocket]:
        """Return a client that has not logged in."""
        websocket = FakeWebSocket(JSON if text else MSGPACK)
        peer = self.connections.open(websocket, "", "")
        assert isinstance(peer, GatewayPeer)
        return peer, websocket

    def peer_of(self, client: Client) -> Any:
        """Return the peer of a client among those who use the rooms of this node."""
        found = client.peer.introduction
        assert found is not None
        if client.host is self:
            return client.peer
        self.far._attach(client.run, client.number, found)
        return self.far.find(client.run, client.number)

    def runs(self, log: str) -> bool:
        """Return whether the rooms of a log run here, or whether the leader is open."""
        if log == LEADER:
            return self.node.leader is not None and self.node.leader.is_open
        return log in self.node.running
