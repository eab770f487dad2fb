"""A cluster in one process: real nodes, a network and storage in memory."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

from doublecross.protocol.client_messages import JoinRoom, Move, QuickMatch, Request
from doublecross.protocol.common import EngineInfo, MatchSettings, PlayerInfo
from doublecross.protocol.version import JSON, MSGPACK
from doublecross.server.cluster.far_clients import items
from doublecross.server.cluster.far_clients.items import Introduction
from doublecross.server.cluster.gateway.peer import GatewayPeer
from doublecross.server.cluster.items import pack
from doublecross.server.cluster.leader.running import RunningLeader
from doublecross.server.cluster.rooms.running import RunningLog
from doublecross.server.core.cards import card_of
from doublecross.server.core.cluster_ids import log_of_room
from doublecross.server.core.cluster_storage import (
    LEADER,
    Claim,
    ClusterSnapshot,
    Log,
    LogLostError,
)
from doublecross.server.core.cluster_storage import Node as KnownNode
from doublecross.server.core.rooms.room import Room
from doublecross.server.core.storage import Batch, JournalEntry
from doublecross.server.core.terms import RoomTerms
from doublecross.server.shell.authority import Authority
from doublecross.server.shell.identity.rights import Rights
from tests.cluster.hosts import LIMITS, Client, FakeWebSocket, Host
from tests.cluster.network import MemoryNetwork
from tests.fakes.store import FakeSleeping, FakeStore
from tests.server.playing import T0, TIMES, dots


class LogStore(FakeStore):
    """The storage of one log, for one owner. All share the tables of the world."""

    def __init__(self, world: World, claim: Claim) -> None:
        super().__init__()
        tables = world.tables
        self.players, self.accounts = tables.players, tables.accounts
        self.games_by_id, self.tournament_rows = tables.games_by_id, tables.tournament_rows
        self.entrants, self.pairings = tables.entrants, tables.pairings
        self.entries = world.entries.setdefault(claim.log, {})
        self.highest = max(self.entries, default=0)
        self.sleeping = FakeSleeping(
            tables.sleeping.all, lambda room: claim.log in (LEADER, log_of_room(room))
        )
        self._world = world
        self._claim = claim

    def _store(self, batch: Batch) -> None:
        if self._world.tokens[self._claim.log] != self._claim.token:
            raise LogLostError([self._claim.log])
        super()._store(batch)

    async def journal(self) -> AsyncIterator[JournalEntry]:
        for entry in list(self.entries.values()):
            await asyncio.sleep(0)  # as from a database, where others go on meanwhile
            yield entry


class World:
    """Nodes, connections, and the requests of players; `settle` runs all tasks that are ready."""

    def __init__(self) -> None:
        self.time, self.time_s = T0, 100.0
        self.tables = FakeStore()
        self.entries: dict[str, dict[int, JournalEntry]] = {}
        self.tokens: dict[str, int] = {}
        self.owners: dict[str, str | None] = {}
        self.stores: dict[str, LogStore] = {}
        """The storage of each log as its present owner has it."""
        self.network = MemoryNetwork()
        self.nodes: dict[str, Host] = {}
        self._hosts: list[Host] = []
        """All nodes, also those that have died."""
        self.clients: list[Client] = []
        self._numbers = itertools.count(1)

    def store_of(self, claim: Claim) -> LogStore:
        store = LogStore(self, claim)
        if self.tokens.get(claim.log) == claim.token:
            self.stores[claim.log] = store
        return store

    async def start(self, **logs: str) -> World:
        """Start nodes, each with a log, and the leader on the first one: ``start(a="aaaa")``."""
        # With a single thread, a job is done when the next one is, however busy the machine is.
        asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(1))
        for run, log in logs.items():
            self.add(run)
            await self.give(log, run)
        await self.move_leader(next(iter(logs)))
        return self

    def add(self, run: str) -> Host:
        host = self.nodes[run] = Host(
            run, self.network, self.store_of, lambda: self.time, lambda: self.time_s
        )
        self._hosts.append(host)
        return host

    async def stop(self) -> None:
        for host in self._hosts:
            host.node.ended()
            await host.node.close()

    async def settle(self, turns: int = 100) -> None:
        for _ in range(turns):
            await asyncio.sleep(0)

    async def reach(self, reached: Callable[[], object]) -> None:
        """Let tasks run until something is true."""
        async with asyncio.timeout(5):
            while not reached():  # noqa: ASYNC110 - it has no event
                await asyncio.sleep(0)

    async def until(self) -> None:
        """Wait until no request, task or thread has anything left to do."""
        for _ in range(3):
            await self.settle()
            # The handlers of requests that wait for something.
            names = {task: getattr(task.get_coro(), "__name__", "") for task in asyncio.all_tasks()}
            async with asyncio.timeout(5):
                await asyncio.gather(*(task for task, name in names.items() if name == "_finish"))
            await asyncio.to_thread(int)
        await self.settle()

    def send(self, sender: str, receiver: str, *sent: NamedTuple) -> None:
        """Let a node send items between the leader and the owner of a log."""
        for item in sent:
            self.network.send(sender, receiver, pack(item))

    # -- logs, the leader, and deaths ------------------------------------------------------------

    def claim(self, log: str, run: str) -> None:
        """Let a node own a log, which it has to read first."""
        self.tokens[log] = self.tokens.get(log, 0) + 1
        self.owners[log] = run
        node = self.nodes[run].node
        if log in node._claims:
            node.lost(log)  # it has not heard that another node had it
        node.taken(Claim(log, self.tokens[log]))

    async def give(self, log: str, run: str) -> None:
        """Let a node own a log, and run its rooms."""
        self.claim(log, run)
        await self.reach(lambda: self.nodes[run].runs(log))

    async def regain(self) -> None:
        """Let nodes have again what they dropped by mistake, as their lease holders do."""
        for log, run in self.owners.items():
            host = self.nodes[run or ""]
            if log not in host.node._claims:
                host.node.taken(Claim(log, self.tokens[log]))
                await self.reach(lambda log=log, host=host: host.runs(log))  # type: ignore[misc]

    def snapshot(self) -> ClusterSnapshot:
        nodes = {run: KnownNode(run, run, True, T0, "1", "") for run in self.nodes}
        logs = {log: Log(log, self.tokens[log], run) for log, run in self.owners.items()}
        return ClusterSnapshot(1, T0, nodes, logs)

    def tell(self, *runs: str) -> None:
        """Let nodes read who owns which log: these, or all."""
        found = self.snapshot()
        for run in runs or self.nodes:
            node = self.nodes[run].node
            for log in list(node._claims):
                if self.owners.get(log) != run:
                    node.lost(log)
            node.changed(found)

    def disown(self, log: str) -> None:
        """Let a log have no owner, as all nodes know."""
        self.owners[log] = None
        self.tell()

    async def take_over(self, dead: str, by: str) -> None:
        """Let a node own all that another one had, which does not know it yet."""
        logs = {log for log, run in self.owners.items() if run == dead}
        for log in sorted(logs - {LEADER}):
            await self.give(log, by)
        if LEADER in logs:
            await self.move_leader(by)
        self.tell(*self.nodes.keys() - {dead})
        await self.settle()

    def kill(self, run: str) -> Host:
        """Kill a node, with the connections that it holds."""
        host = self.nodes.pop(run)
        self.clients = [client for client in self.clients if client.host is not host]
        self.network.die(run)
        host.node.ended()
        return host

    @property
    def leader(self) -> RunningLeader:
        found = self.nodes[self.owners[LEADER] or ""].node.leader
        assert found is not None
        return found

    @property
    def authority(self) -> Authority:
        return self.leader.authority

    async def move_leader(self, run: str, *told: str) -> None:
        """Make a leader at a node, tell these nodes or all, and wait until it is open."""
        self.claim(LEADER, run)
        self.tell(*told)
        await self.reach(lambda: self.nodes[run].runs(LEADER))
        await self.settle()

    # -- players -------------------------------------------------------------------------------

    def connect(
        self,
        name: str,
        run: str,
        *,
        bot: bool = False,
        session: int = 1,
        text: bool = False,
        exclusive: bool = False,
    ) -> Client:
        """Connect a player to a node; the leader knows at once."""
        engine = EngineInfo(name="rules", version="1") if bot else None
        player = PlayerInfo(name=name, kind="bot" if bot else "human", engine=engine)
        host, number = self.nodes[run], 1000 + next(self._numbers)
        websocket = FakeWebSocket(JSON if text else MSGPACK)
        peer = host.gateway.peers[number] = GatewayPeer(
            websocket, LIMITS, 0.0, number, host.far.refusals
        )
        rights = Rights(f"account of {name}")
        found = Introduction(
            session, player, rights, websocket.subprotocol, "", "", "", False, False, exclusive
        )
        fields = list(found.fields())
        leader = peer.leader = host.node.owner(LEADER) or ""
        host.gateway.take(leader, [items.ADMITTED, number, fields])
        at = self.nodes.get(leader)
        if at is not None and at.node.leader is not None:
            at.node.leader.connections.take(run, [items.BACK, number, fields])
        client = Client(host, peer, websocket)
        self.clients.append(client)
        return client

    def drop(self, client: Client) -> None:
        """End a connection; all nodes learn of it."""
        self.clients.remove(client)
        client.host.connections.lost(client.peer)
        for host in self.nodes.values():
            host.far.gone(client.run, client.number)
            if host.node.leader is not None:
                host.node.leader.connections.take(client.run, [items.GONE, client.number])

    def key(self) -> str:
        return f"key-{next(self._numbers)}"

    def ask(self, client: Client, kind: type[Request], **fields: Any) -> int:
        """Let a client send a request, and return its id."""
        message = kind(id=next(self._numbers), **fields)
        data = client.peer.codec.encode(message)
        text = client.peer.codec.text
        client.host.gateway.said(client.peer, message, data.decode() if text else data)
        return message.id

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

    def owner(self, room_id: str) -> Host:
        """Return the node that runs a room."""
        return self.nodes[self.owners[log_of_room(room_id)] or ""]

    def side(self, log: str) -> RunningLog:
        """Return the rooms of a log, or of a room's log, where they are run."""
        return self.owner(log).node.running[log_of_room(log)]

    def real(self, room_id: str) -> Room:
        """Return a room where it is run."""
        return self.side(room_id).rooms.index[room_id]

    def shadow(self, room_id: str) -> Room:
        """Return a room as the leader knows it."""
        return self.authority.lobby.rooms[room_id]

    def rooms(self) -> list[Room]:
        """Return all rooms where they are run."""
        sides = [self.side(log) for log in sorted(self.owners.keys() - {LEADER})]
        return [room for side in sides for room in side.rooms.index.values()]

    def room(self, *names: str, settings: MatchSettings | None = None) -> Room:
        """Open a room in the log of node b for players who need not be connected."""
        rooms = self.side("bbbb").rooms
        room, events = Room.open(
            RoomTerms(f"bbbbroom{len(rooms.index)}", settings or dots()), TIMES, self.time
        )
        for seat, name in enumerate(names):
            events += room.sit(PlayerInfo(name=name, kind="bot"), seat, self.time)
        rooms.index.add(room)
        rooms.open(room, events, [])
        return room

    def close(self, room_id: str) -> None:
        """Let the owner of a room close it."""
        self.side(room_id).rooms.close(self.real(room_id), "Gone.")

    def play(self, room_id: str, moves: int | None = None) -> None:
        """Let the players play so many moves, or to the end; each is stored at once or fails."""
        clients = {client.name: client for client in self.clients}
        room, host = self.real(room_id), self.owner(room_id)
        played = 0
        while room.status == "playing" and played != moves:
            assert room.match is not None
            mover = room.players[room.match.state.current_player()]
            assert mover is not None
            move = Move(
                id=next(self._numbers),
                room=room_id,
                match=room.match_number,
                ply=room.match.ply,
                action=room.match.state.legal_actions()[0],
            )
            host.logs.ask(host.peer_of(clients[mover.name]), move)
            played += 1

    async def join(self, client: Client, room_id: str) -> dict[str, Any]:
        return await self.answer(client, JoinRoom, room=room_id)

    def check_agreement(self) -> None:
        """Check that the leader's shadows are the rooms that run, and that none is left over."""
        index, leader = self.authority.lobby.rooms, self.leader
        assert sorted(index) == sorted(room.id for room in self.rooms())
        for room in self.rooms():
            shadow, real = card_of(index[room.id]), card_of(room)
            for card in (shadow, real):
                card["opened"]["at"] = card["seq"] = 0
            differing = [(key, value, real.get(key)) for key, value in shadow.items()]
            assert shadow == real, [each for each in differing if each[1] != each[2]]
        assert leader.rooms.openings == {}
        assert leader.rooms.orders == {}
        assert not leader.logs.missing

    def tick(self, ms: int = 0) -> None:
        """Let time pass, and do what is due."""
        self.time += ms
        if self.owners[LEADER] in self.nodes:
            self.authority.tick()
            self.authority.sweep()
        for host in self.nodes.values():
            for side in host.node.running.values():
                side.tick()
                side.sweep()
