"""Two nodes in one process: real rooms and gateways, and links in memory that a test can break."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

import msgpack

from doublecross.protocol.client_messages import Request
from doublecross.protocol.common import MatchSettings, PlayerInfo
from doublecross.server.cluster.far_clients import items
from doublecross.server.cluster.far_clients.far_peers import FarPeers
from doublecross.server.cluster.far_clients.items import Introduction
from doublecross.server.cluster.gateway.connections import GatewayConnections
from doublecross.server.cluster.gateway.gateway import Gateway
from doublecross.server.cluster.gateway.peer import GatewayPeer
from doublecross.server.cluster.leader.connections import LeaderConnections
from doublecross.server.cluster.owned_logs import OwnedLogs
from doublecross.server.core.cluster_storage import LEADER
from doublecross.server.core.limits import Patience, ServerLimits
from doublecross.server.core.lobby.room_index import RoomIndex
from doublecross.server.core.rooms.room import Room
from doublecross.server.core.terms import RoomTerms
from doublecross.server.shell.analysis.advice import AdviceService
from doublecross.server.shell.authority import Authority, AuthorityConfig
from doublecross.server.shell.identity.rights import Rights
from doublecross.server.shell.journal.committer import Committer
from doublecross.server.shell.rooms.channel import read_frame
from doublecross.server.shell.rooms.live import LiveRooms
from doublecross.server.shell.rooms.subscribers import RoomSubscriber
from doublecross.server.shell.upkeep.service_time import TimeSource
from doublecross.server.shell.wire.websocket import Receive
from tests.fakes import peers as fakes
from tests.fakes.store import FakeStore
from tests.server.playing import ADDRESSES
from tests.server.world import T0, TIMES, dots

LIMITS = ServerLimits()
FOR_THE_LEADER = (items.OPENED, items.SAID, items.BACK, items.ROOMS, items.LOBBY)


class Wire:
    """A link to a node. It delivers in the next turn of the event loop, unless it is down."""

    def __init__(self, sender: str, node: Node) -> None:
        self._sender = sender
        self._node = node
        self.up = True
        self.sent: list[list[Any]] = []
        """Everything that was sent."""
        self.lose: Callable[[list[Any]], bool] = lambda _: False
        """Returns whether an item gets lost although the link seems to be up."""
        self.session = 0

    def send(self, item: bytes) -> bool:
        if not self.up:
            return False
        fields = msgpack.unpackb(item, use_list=True)
        self.sent.append(fields)
        if not self.lose(fields):
            asyncio.get_running_loop().call_soon(self._deliver, fields, self.session)
        return True

    later = send

    def _deliver(self, fields: list[Any], session: int) -> None:
        if self.up and session == self.session:
            self._node.take(self._sender, fields)


class FakeWebSocket(fakes.FakeWebSocket):
    """A websocket through which a test can say something."""

    def deliver_to(self, receive: Receive, peer: Any) -> None:
        self.receive, self.peer = receive, peer

    def say(self, message: Request) -> None:
        """Let the client send a request."""
        data = self.codec.encode(message)
        self.receive(self.peer, data.decode() if self.codec.text else data)


class Node:
    """A node of a `Cluster`, with its gateway and the rooms of its logs."""

    def __init__(self, cluster: Cluster, run: str) -> None:
        self.cluster = cluster
        self.run = run
        self.may_serve = True
        self.logs = OwnedLogs(lambda: self.may_serve)
        loop = asyncio.get_running_loop()
        self.gateway = Gateway(
            run, cluster.owners.get, self.link, self.logs, lambda: cluster.time_s
        )
        self.logs.moved_away = self.gateway.moved_away
        self.far = FarPeers(self.logs, self.link, LIMITS, loop.call_soon, loop.time)
        self.leader: LeaderConnections | None = None
        self.connections = GatewayConnections(self.gateway, LIMITS, Patience(5.0, 60.0, 1 << 20))

    def link(self, run: str) -> Wire:
        return self.cluster.wires[self.run, run]

    def take(self, run: str, fields: list[Any]) -> None:
        in_leader = self.leader is not None and self.leader.take(run, list(fields))
        at_rooms = self.far.take(run, list(fields))
        if not in_leader and not at_rooms and fields[0] not in FOR_THE_LEADER:
            assert self.gateway.take(run, fields), fields

    def open(self, *, text: bool = False) -> tuple[GatewayPeer, FakeWebSocket]:
        """Return a client that has not logged in."""
        websocket = FakeWebSocket("doublecross.v1.json" if text else "doublecross.v1.msgpack")
        peer = self.connections.open(websocket, "", "")
        assert isinstance(peer, GatewayPeer)
        return peer, websocket

    def connect(
        self, name: str, session: int = 1, *, text: bool = False, exclusive: bool = False
    ) -> GatewayPeer:
        """Return a client of this node that is logged in."""
        websocket = FakeWebSocket("doublecross.v1.json" if text else "doublecross.v1.msgpack")
        number = next(self.cluster.numbers)
        peer = GatewayPeer(websocket, LIMITS, 0.0, number, self.far.refusals)
        self.gateway.open(peer)
        found = Introduction(
            session,
            PlayerInfo(name=name, kind="human"),
            Rights(f"account of {name}"),
            websocket.subprotocol,
            "",
            "",
            "",
            boards=False,
            takebacks=False,
            exclusive=exclusive,
        )
        leader = self.cluster.owners[LEADER]
        self.gateway.take(leader, [items.ADMITTED, number, list(found.fields())])
        return peer

    def ask(self, peer: GatewayPeer, kind: type[Request], **fields: Any) -> int:
        """Let a client send a request; return its id."""
        message = kind(id=next(self.cluster.numbers), **fields)
        data = peer.codec.encode(message)
        self.gateway.said(peer, message, data.decode() if peer.codec.text else data)
        return message.id

    async def answer(self, peer: GatewayPeer, kind: type[Request], **fields: Any) -> dict[str, Any]:
        """Let a client send a request, and return its only answer; drop all other messages."""
        request_id = self.ask(peer, kind, **fields)
        await settle()
        (found,) = [m for m in taken(peer) if m.get("id") == request_id]
        return found


class Cluster:
    """Nodes with the runs `a` and `b`; `a` has the leader, and `b` the log `bbbb`."""

    def __init__(self) -> None:
        self.numbers = iter(range(1, 10_000))
        self.time_s = 100.0
        self.store = FakeStore()
        self.owners: dict[str, str] = {LEADER: "a", "bbbb": "b"}
        self.wires: dict[tuple[str, str], Wire] = {}
        self.a, self.b = Node(self, "a"), Node(self, "b")
        for one in (self.a, self.b):
            for other in (self.a, self.b):
                self.wires[one.run, other.run] = Wire(one.run, other)
        self._tasks: list[asyncio.Task[None]] = []
        self.rooms = self.run_log("bbbb", self.b)

    def run_log(
        self, log: str, node: Node, before: Sequence[tuple[Room, list[bytes]]] = ()
    ) -> LiveRooms:
        """Let a node run the rooms of a log; `before` are those of before, with their frames."""
        time = TimeSource.simple(lambda: T0)
        committer = Committer(self.store, self.store.highest, time)
        live = LiveRooms(
            RoomIndex(LIMITS),
            committer,
            node.logs.sessions,
            RoomSubscriber(),
            lambda _: True,
            AdviceService(None),
            TIMES,
            time,
        )
        committer.on_failed.append(lambda rooms: live.registry.rebuild(rooms) and None)
        for room, frames in before:
            events = [read_frame(frame) for frame in frames]
            live.registry.adopt(room, events, frames, [])
        node.logs.add(log, live)
        self.owners[log] = node.run
        self._tasks.append(asyncio.get_running_loop().create_task(committer.run()))
        return live

    def run_leader(self, node: Node) -> Authority:
        """Let a node be the leader, with an authority that knows nothing of before."""
        authority = Authority(
            self.store,
            Random(1),
            AuthorityConfig(TIMES, LIMITS, "epoch1", ADDRESSES),
            TimeSource.simple(lambda: T0),
            self.store.highest,
        )
        loop = asyncio.get_running_loop()
        for each in (self.a, self.b):
            each.leader = None
        node.leader = LeaderConnections(
            authority,
            node.link,
            loop.call_soon,
            1000,
            Patience(5.0, 60.0, 1 << 20),
        )
        self.owners[LEADER] = node.run
        self._tasks.append(loop.create_task(authority.committer.run()))
        return authority

    def room(self, *names: str, settings: MatchSettings | None = None) -> Room:
        """Open a room of `bbbb` with these players, who need not be connected."""
        terms = RoomTerms(f"bbbbroom{len(self.rooms.index)}", settings or dots())
        room, events = Room.open(terms, TIMES, T0)
        for seat, name in enumerate(names):
            events += room.sit(PlayerInfo(name=name, kind="bot"), seat, T0)
        self.rooms.index.add(room)
        self.rooms.open(room, events, [])
        return room

    def break_links(self) -> None:
        """Break the links between the nodes, and tell both sides."""
        for pair in (("a", "b"), ("b", "a")):
            self.wires[pair].up = False
            self.wires[pair].session += 1
        for node, run in ((self.a, "b"), (self.b, "a")):
            node.gateway.link_broke(run)
            node.far.link_broke(run)
            if node.leader is not None:
                node.leader.link_broke(run)

    def mend_links(self) -> None:
        for pair in (("a", "b"), ("b", "a")):
            self.wires[pair].up = True
        self.a.gateway.catch_up()
        self.b.gateway.catch_up()

    async def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)


async def settle() -> None:
    for _ in range(20):
        await asyncio.sleep(0)


def taken(peer: GatewayPeer) -> list[dict[str, Any]]:
    """Return and forget all messages that a client has received."""
    websocket = peer.websocket
    assert isinstance(websocket, FakeWebSocket)
    found, websocket.sent = websocket.sent, []
    return found


def kinds(peer: GatewayPeer) -> list[str]:
    return [message["type"] for message in taken(peer)]
