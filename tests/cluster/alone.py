"""A node of a cluster alone, with links in memory that keep what it sends."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from random import Random
from typing import Any

from msgpack import packb, unpackb

from doublecross.protocol.client_messages import Request
from doublecross.protocol.version import MSGPACK
from doublecross.server.cluster.far_clients import items
from doublecross.server.cluster.gateway.connections import GatewayConnections
from doublecross.server.cluster.gateway.peer import GatewayPeer
from doublecross.server.cluster.items import Runs, pack
from doublecross.server.cluster.leader.running import RunningLeader
from doublecross.server.cluster.network import Network
from doublecross.server.cluster.node import Node
from doublecross.server.cluster.parts import LeaderTerms, NodeParts
from doublecross.server.core.cluster_storage import (
    LEADER,
    Claim,
)
from doublecross.server.core.limits import Patience, ServerLimits
from doublecross.server.core.rooms.room import Room
from doublecross.server.core.terms import RoomTerms
from doublecross.server.shell.authority import AuthorityConfig
from doublecross.server.shell.rooms.live import LiveRooms
from doublecross.server.shell.upkeep.service_time import TimeSource
from tests.cluster.far_clients.nodes import FakeWebSocket, introduction, kinds
from tests.fakes.store import FakeStore
from tests.server.playing import ADDRESSES, T0, TIMES, dots

ROOM = "aaaaroom0"
RUNS = unpackb(pack(Runs("aaaa")))


class Links:
    """Links that are all up, and keep what is sent."""

    run = "own"

    def __init__(self) -> None:
        self.sent: list[bytes] = []

    def send(self, run: str, item: bytes) -> bool:
        self.sent.append(item)
        return True

    def soon(self, work: Callable[[], None]) -> None:
        asyncio.get_running_loop().call_soon(work)


class Watch:
    """Notes whether players can be served."""

    def __init__(self) -> None:
        self.works: list[bool] = []

    def commit_began(self) -> None:
        """Do nothing."""

    def commit_ended(self) -> None:
        """Do nothing."""

    def storage_works(self, works: bool) -> None:
        self.works.append(works)


async def turns(count: int = 50) -> None:
    for _ in range(count):
        await asyncio.sleep(0)


async def until(reached: Callable[[], object]) -> None:
    async with asyncio.timeout(5):
        while not reached():  # noqa: ASYNC110 - it has no event
            await asyncio.sleep(0)


class Alone:
    """A node with the storage of its logs, its clients, and a link to the run `far`."""

    def __init__(self) -> None:
        self.holds = True
        """Whether its lease holds."""
        self.stores: dict[str, FakeStore] = {"aaaa": FakeStore(), LEADER: FakeStore()}
        self.links, self.watch = Links(), Watch()
        patience = Patience(5.0, 60.0, 1 << 20)
        parts = NodeParts(
            Network(self.links),  # type: ignore[arg-type]
            lambda claim: self.stores[claim.log],
            AuthorityConfig(TIMES, ServerLimits(), "epoch", ADDRESSES),
            TimeSource.simple(lambda: T0),
            lambda: self.holds,
            patience,
            LeaderTerms(Random(1)),
        )
        self.node = Node(parts, lambda: ["far"], lambda _: None, lambda: None, self.watch)
        self.away: list[str] = []
        """The logs that were taken away."""
        self.node.on_taken_away = self.away.append
        self.connections = GatewayConnections(self.node.gateway, ServerLimits(), patience)

    async def own(self, token: int = 1) -> None:
        """Let the node own a log."""
        self.node.taken(Claim("aaaa", token))
        await until(lambda: self.node.logs.owns("aaaa"))

    async def lead(self, token: int = 3) -> RunningLeader:
        """Let the node own a log and the leader, which would not open without it."""
        self.node.taken(Claim("aaaa", 1))
        self.node.taken(Claim(LEADER, token))
        await until(lambda: self.node.leader is not None and self.node.leader.is_open)
        await until(lambda: self.node.logs.owns("aaaa"))
        assert self.node.leader is not None
        return self.node.leader

    def open(self) -> tuple[GatewayPeer, FakeWebSocket]:
        """Return a client that has not logged in."""
        websocket = FakeWebSocket(MSGPACK)
        peer = self.connections.open(websocket, "", "")
        assert isinstance(peer, GatewayPeer)
        return peer, websocket

    def connect(self, name: str, leader: str = "own") -> GatewayPeer:
        """Return a client that is logged in, and known to a leader."""
        peer, _ = self.open()
        peer.leader = "own"
        self.node.gateway.take("own", [items.ADMITTED, peer.number, introduction(name)])
        peer.leader = leader
        return peer

    def ask(self, peer: GatewayPeer, message: Request) -> None:
        self.node.gateway.said(peer, message, peer.codec.encode(message))

    def take(self, *items: Any) -> None:
        """Let items arrive from the run `far`."""
        for item in items:
            packed = pack(item) if isinstance(item, tuple) else packb(item)
            self.node.take("far", unpackb(packed), packed)

    def sent(self) -> list[Any]:
        """Return and forget what the node has sent."""
        found = [unpackb(item) for item in self.links.sent]
        self.links.sent.clear()
        return found

    async def with_a_room(self) -> tuple[LiveRooms, Room, list[GatewayPeer]]:
        """Own a log with a room, whose players and a spectator are here."""
        await self.own()
        rooms = self.node.running["aaaa"].side.rooms
        room, events = Room.open(RoomTerms(ROOM, dots()), TIMES, T0)
        peers = [self.connect(name) for name in ("Ann", "Ben", "Eve")]
        for seat, peer in enumerate(peers[:2]):
            assert peer.player is not None
            events += room.sit(peer.player, seat, T0)
        rooms.index.add(room)
        rooms.open(room, events, [(peer, None) for peer in peers])
        await rooms.settled()
        assert [kinds(peer)[0] for peer in peers] == ["room_state"] * 3
        return rooms, room, peers
