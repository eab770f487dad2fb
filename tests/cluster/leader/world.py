"""A cluster in one process: real authorities, rooms and handlers, a network and a store in memory.

There is no gateway: a connection is at a node, all its messages arrive in one list, and a request
goes directly to the owner of its room or to the leader.
"""

from __future__ import annotations

import asyncio
import contextlib
import inspect
import itertools
from collections.abc import Awaitable
from concurrent.futures import ThreadPoolExecutor
from random import Random
from typing import Any

from doublecross.protocol.client_messages import (
    AcceptChallenge,
    AcceptSeek,
    Challenge,
    JoinRoom,
    Move,
    QuickMatch,
    Rematch,
    Request,
)
from doublecross.protocol.common import EngineInfo, PlayerInfo
from doublecross.server.cluster.asked import AskedLogs
from doublecross.server.cluster.items import Ask, Handlers, Settle, Settled, pack, unpack
from doublecross.server.cluster.leader.leader import Leader
from doublecross.server.cluster.leader.rooms import Clients
from doublecross.server.cluster.rooms.side import RoomsSide
from doublecross.server.core.cards import card_of
from doublecross.server.core.cluster_ids import log_of_room
from doublecross.server.core.errors import Refused
from doublecross.server.core.limits import ServerLimits
from doublecross.server.core.rooms.room import Room
from doublecross.server.core.storage import JournalEntry
from doublecross.server.shell.analysis.advice import AdviceService
from doublecross.server.shell.authority import Authority, AuthorityConfig
from doublecross.server.shell.handlers.rooms import ROOM_HANDLERS, awake_first
from doublecross.server.shell.handlers.table import HANDLERS
from doublecross.server.shell.identity.rights import Rights
from doublecross.server.shell.journal.committer import Committer
from doublecross.server.shell.sessions import Sessions
from doublecross.server.shell.upkeep.service_time import TimeSource
from tests.cluster.leader.network import Network
from tests.cluster.leader.parts import Client, NodeStore
from tests.fakes.peers import FakePeer
from tests.fakes.store import FakeStore
from tests.server.playing import ADDRESSES, T0, TIMES

LIMITS = ServerLimits()


class Node:
    """A process of the cluster: the rooms of its logs, and perhaps the leader."""

    def __init__(self, world: ClusterWorld, run: str) -> None:
        self.world = world
        self.run = run
        self.store = NodeStore(world.tables, world.logs)
        time = TimeSource.simple(world.now)
        self.committer = Committer(self.store, 0, time)
        self.peers: dict[tuple[str, int], FakePeer] = {}
        """The connections that are attached to the rooms here."""
        self.sessions = Sessions()
        self.side = RoomsSide(
            self.send,
            self.sessions,
            self.committer,
            AdviceService(None),
            LIMITS,
            TIMES,
            time,
        )
        self.asked = AskedLogs()
        self.leader: Leader | None = None
        self.authority: Authority | None = None
        self.leader_peers: dict[tuple[str, int], FakePeer] = {}
        self.clients: dict[FakePeer, Client] = {}
        """The connection of each peer of the leader."""
        self.alive = True
        self.linked: list[str] = []
        self.tasks = [asyncio.get_running_loop().create_task(self.committer.run())]
        world.network.join(run, self.receive, self.up, self.reset)

    # -- links ---------------------------------------------------------------------------------

    def send(self, run: str, item: bytes) -> bool:
        return self.alive and self.world.network.send(self.run, run, item)

    def receive(self, run: str, data: bytes) -> None:
        item = unpack(data)
        if isinstance(item, Ask):
            self.asked.note(run, item)
        if isinstance(item, Settle):
            stored = self.side.settled(item.games)
            self.tasks.append(asyncio.ensure_future(self.settle(run, item.number, stored)))
        handlers: Handlers = self.side.handlers
        if self.leader is not None and type(item) in self.leader.handlers:
            handlers = self.leader.handlers
        if type(item) in handlers:  # what is for the leader reaches nobody if it is elsewhere
            handlers[type(item)](run, item)

    async def settle(self, run: str, number: int, stored: Awaitable[bool]) -> None:
        self.send(run, pack(Settled(number, await stored)))

    def up(self, run: str) -> None:
        self.linked.append(run)
        if self.leader is not None:
            self.leader.linked(run)

    def reset(self, run: str) -> None:
        self.linked.remove(run)
        self.side.reset(run)
        self.asked.reset(run)
        if self.leader is not None:
            self.leader.reset(run)
        for key in [key for key in self.peers if key[0] == run]:
            self.peer_gone(*key)

    # -- peers ---------------------------------------------------------------------------------

    def find_peer(self, client: Client) -> FakePeer:
        peer = self.peers.get((client.run, client.number))
        if peer is None:
            peer = self.peers[client.run, client.number] = self.world.peer_of(client)
            self.sessions.add(peer)
        return peer

    def peer_gone(self, run: str, connection: int) -> None:
        peer = self.peers.pop((run, connection), None)
        if peer is not None:
            self.side.rooms.depart(peer)
            self.sessions.remove(peer)

    # -- the leader ------------------------------------------------------------------------------

    def make_leader(self, token: int) -> None:
        """Make the leader here; it learns nothing before `ClusterWorld.tell_owners`."""
        store = NodeStore(self.world.tables, self.world.logs)
        store.owns = {"leader"}
        self.leader_store = store
        self.leader = Leader(
            token,
            self.send,
            Clients(
                lambda peer: self.clients[peer].run,  # type: ignore[index]
                lambda peer, *what: self.world.show(self.clients[peer], *what),  # type: ignore[index]
            ),
            store,
            store.entries_of,
            TIMES,
            self.world.now,
            lambda: True,
        )
        self.authority = Authority(
            store,
            Random(self.world.seed + token),
            AuthorityConfig(TIMES, LIMITS, f"epoch{token}", ADDRESSES),
            TimeSource.simple(self.world.now),
            max((entry.entry_id for entry in self.world.logs.get("leader", ())), default=0),
            elsewhere=self.leader,
        )
        self.tasks.append(asyncio.get_running_loop().create_task(self.authority.committer.run()))
        for run in self.linked:
            self.leader.linked(run)

    def arrive(self, client: Client) -> None:
        """Let the leader know a connection, as after its hello."""
        assert self.authority is not None
        peer = self.world.peer_of(client)
        peer.player = None
        self.clients[peer] = client
        self.leader_peers[client.run, client.number] = peer
        peer.rights = Rights(f"account of {client.name}")
        self.authority.arrive(peer, client.player)


AT_ONCE = (JoinRoom, QuickMatch, Challenge, AcceptSeek, AcceptChallenge, Rematch)
"""Requests whose handlers only read who blocks whom."""


class ClusterWorld:
    """Nodes, connections, and the requests of players; `settle` runs all tasks that are ready."""

    def __init__(self, seed: int = 0) -> None:
        self.seed = seed
        self.time = T0
        self.tables = FakeStore()
        self.logs: dict[str, list[JournalEntry]] = {}
        self.network = Network()
        self.nodes: dict[str, Node] = {}
        self.owners: dict[str, str | None] = {}
        """The run that owns each log, the leader's left out."""
        self.clients: dict[tuple[str, int], Client] = {}
        self.leader_node: Node | None = None
        self._unshown: list[tuple[Client, str, int | None]] = []
        """What could not be shown yet, because its log runs nowhere."""
        self._requests: list[asyncio.Future[None]] = []
        """The requests whose handlers are coroutines."""
        self._token = 0
        self._ids = itertools.count(1)
        self._keys = itertools.count(1)
        self._connections = itertools.count(1)

    def now(self) -> int:
        return self.time

    async def start(self, **logs: str) -> ClusterWorld:
        """Start nodes, each with a log, and the leader on the first one: ``start(a="aaaa")``."""
        # With a single thread, a job is done when the next one is, however busy the machine is.
        asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(1))
        for run, log in logs.items():
            self.nodes[run] = Node(self, run)
            await self.give(log, run)
        await self.move_leader(next(iter(logs)))
        return self

    async def stop(self) -> None:
        for node in self.nodes.values():
            for task in node.tasks:
                task.cancel()
            if node.leader is not None:
                await node.leader.close()
            await node.side.close()
            if node.authority is not None:
                await node.authority.director.close()

    async def settle(self) -> None:
        for _ in range(60):
            await asyncio.sleep(0)

    async def until(self) -> None:
        """Wait until no request, task or thread has anything left to do."""
        requests, self._requests = self._requests, []
        async with asyncio.timeout(5):
            await asyncio.gather(*requests)
        for _ in range(3):
            await asyncio.to_thread(int)
            await self.settle()

    # -- logs, the leader, and deaths ------------------------------------------------------------

    async def give(self, log: str, run: str) -> None:
        """Let a node own a log, and run its rooms."""
        former = self.owners.get(log)
        if former in self.nodes:
            self.nodes[former].store.owns.discard(log)
        node = self.nodes[run]
        node.store.owns.add(log)
        self.owners[log] = run
        await node.side.take(log, node.store.entries_of(log))
        asked = node.asked.of(log)
        if asked is not None:
            node.side.handlers[Ask](*asked)
        unshown, self._unshown = self._unshown, []
        for what in unshown:
            self.show(*what)

    def tell_owners(self) -> None:
        """Let the leader know who owns which log."""
        assert self.leader.leader is not None
        self.leader.leader.owners_changed(self.owners)

    async def take_over(self, dead: str, by: str) -> None:
        """Let a node own all logs of another one, which does not know it yet."""
        for log in [log for log, run in self.owners.items() if run == dead]:
            await self.give(log, by)
        self.tell_owners()
        await self.settle()

    def kill(self, run: str) -> Node:
        """Kill a node, with the connections that it holds."""
        node = self.nodes.pop(run)
        node.alive = False
        for task in node.tasks:
            task.cancel()
        for key in [key for key in self.clients if key[0] == run]:
            self.drop(self.clients[key])
        self.network.die(run)
        if self.leader_node is node:
            self.leader_node = None
        return node

    @property
    def leader(self) -> Node:
        assert self.leader_node is not None
        return self.leader_node

    @property
    def authority(self) -> Authority:
        assert self.leader.authority is not None
        return self.leader.authority

    async def move_leader(self, run: str) -> None:
        """Make a leader at a node, let everybody connect to it again, and wait until it is open."""
        self._token += 1
        node = self.leader_node = self.nodes[run]
        node.make_leader(self._token)
        assert node.leader is not None
        self.tell_owners()
        async with asyncio.timeout(5):
            await node.leader.open(self.authority, node.store.entries_of("leader"))
        for client in self.clients.values():
            node.arrive(client)
        await self.settle()

    # -- players -------------------------------------------------------------------------------

    def peer_of(self, client: Client) -> FakePeer:
        """Return a new peer whose messages are those of the connection."""
        peer = FakePeer(client.name)
        peer.log_in(client.player)
        peer.socket.sent = client.messages
        return peer

    def connect(self, name: str, run: str, *, bot: bool = False) -> Client:
        """Connect a player to a node; the leader knows at once."""
        engine = EngineInfo(name="rules", version="1") if bot else None
        player = PlayerInfo(name=name, kind="bot" if bot else "human", engine=engine)
        client = Client(run, next(self._connections), player)
        self.clients[run, client.number] = client
        if self.leader_node is not None:
            self.leader.arrive(client)
        return client

    def drop(self, client: Client) -> None:
        """End a connection; all nodes learn of it."""
        key = client.run, client.number
        del self.clients[key]
        for node in self.nodes.values():
            peer = node.leader_peers.pop(key, None)
            if peer is not None and node is self.leader_node:
                self.authority.depart(peer)
            node.peer_gone(*key)

    def key(self) -> str:
        return f"key-{next(self._keys)}"

    def ask(self, client: Client, kind: type[Request], **fields: Any) -> int:
        """Send a request to the node that handles it, and return its id."""
        message = kind(id=next(self._ids), **fields)
        peer: FakePeer | None
        try:
            if kind in ROOM_HANDLERS:
                node = self.owner(fields["room"])
                peer = node.find_peer(client)
                waiting = awake_first(node.side.rooms, ROOM_HANDLERS[kind])(peer, message)
            else:
                peer = self.leader.leader_peers[client.run, client.number]
                waiting = HANDLERS[kind](self.authority, peer, message)
            if inspect.iscoroutine(waiting) and kind in AT_ONCE:
                # The fake store answers at once, so these never wait.
                with contextlib.suppress(StopIteration):
                    waiting.send(None)
            elif inspect.isawaitable(waiting):
                self._requests.append(asyncio.ensure_future(_finish(waiting, peer, message.id)))
        except Refused as refused:
            assert peer is not None
            peer.refuse(message.id, refused.code, refused.sentence)
        return message.id

    def show(self, client: Client, room_id: str, request_id: int | None) -> None:
        """Show a room to a client, as its gateway does when the leader says so."""
        node = self.nodes.get(self.owners[log_of_room(room_id)] or "")
        if node is None:
            self._unshown.append((client, room_id, request_id))
        elif (client.run, client.number) in self.clients:
            peer, room = node.find_peer(client), node.side.rooms.index.get(room_id)
            if room is not None:
                node.side.rooms.following.show(peer, room, request_id, origin=room.terms.origin)

    async def answer(self, client: Client, kind: type[Request], **fields: Any) -> dict[str, Any]:
        """Send a request and return its only answer; drop all other messages."""
        request_id = self.ask(client, kind, **fields)
        await self.until()
        if kind is QuickMatch:
            self.authority.sweep()  # its seek waits for that
            await self.until()
        (answer,) = [m for m in client.take() if m.get("id") == request_id]
        return answer

    # -- rooms ---------------------------------------------------------------------------------

    def owner(self, room_id: str) -> Node:
        """Return the node that runs a room."""
        run = self.owners[log_of_room(room_id)]
        assert run is not None
        return self.nodes[run]

    def real(self, room_id: str) -> Room:
        """Return a room where it is run."""
        return self.owner(room_id).side.rooms.index[room_id]

    def shadow(self, room_id: str) -> Room:
        """Return a room as the leader knows it."""
        return self.authority.lobby.rooms[room_id]

    def rooms(self) -> list[Room]:
        """Return all rooms where they are run."""
        return [room for node in self.nodes.values() for room in node.side.rooms.index.values()]

    def play(self, room_id: str, moves: int | None = None) -> None:
        """Let the players play so many moves, or to the end; each is stored at once or fails."""
        clients = {client.name: client for client in self.clients.values()}
        room = self.real(room_id)
        played = 0
        while room.status == "playing" and played != moves:
            assert room.match is not None
            mover = room.players[room.match.state.current_player()]
            assert mover is not None
            self.ask(
                clients[mover.name],
                Move,
                room=room_id,
                match=room.match_number,
                ply=room.match.ply,
                action=room.match.state.legal_actions()[0],
            )
            played += 1

    async def join(self, client: Client, room_id: str) -> dict[str, Any]:
        return await self.answer(client, JoinRoom, room=room_id)

    def check_agreement(self) -> None:
        """Check that the leader's shadows are the rooms that run, and that none is left over."""
        index = self.authority.lobby.rooms
        assert sorted(index) == sorted(room.id for room in self.rooms())
        for room in self.rooms():
            shadow, real = card_of(index[room.id]), card_of(room)
            for card in (shadow, real):
                card["opened"]["at"] = card["seq"] = 0
            differing = [(key, value, real.get(key)) for key, value in shadow.items()]
            assert shadow == real, [each for each in differing if each[1] != each[2]]
        leader = self.leader.leader
        assert leader is not None
        openings = [each.room.id for each in leader.rooms.openings]
        assert openings == [], openings
        assert leader.rooms.orders == {}
        assert not leader.logs.missing

    def tick(self, ms: int = 0) -> None:
        """Let time pass, and do what is due."""
        self.time += ms
        if self.leader_node is not None:
            self.authority.tick()
            self.authority.sweep()
        for node in self.nodes.values():
            node.side.tick()
            node.side.sweep()


async def _finish(waiting: Awaitable[None], peer: FakePeer, request_id: int) -> None:
    """Await a handler that is a coroutine, and answer for it if it refuses."""
    try:
        await waiting
    except Refused as refused:
        peer.refuse(request_id, refused.code, refused.sentence)
