"""What a node knows of the logs of its cluster."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

import pytest
from msgpack import packb, unpackb

from doublecross.protocol.client_messages import GetTournament, Hello, Move, Ping, Resume
from doublecross.protocol.common import PlayerInfo
from doublecross.protocol.version import PROTOCOL_VERSION, CloseCode
from doublecross.server.cluster.far_clients import items
from doublecross.server.cluster.far_clients.items import Introduction
from doublecross.server.cluster.gateway.connections import GatewayConnections
from doublecross.server.cluster.gateway.peer import GatewayPeer
from doublecross.server.cluster.items import Ask, Reporting, Runs, pack
from doublecross.server.cluster.leader.running import RunningLeader
from doublecross.server.cluster.network import Network
from doublecross.server.cluster.node import Node
from doublecross.server.cluster.parts import LeaderTerms, NodeParts
from doublecross.server.cluster.rooms.running import RunningLog
from doublecross.server.core.cluster_storage import (
    LEADER,
    Claim,
    ClusterSnapshot,
    Log,
    LogLostError,
)
from doublecross.server.core.cluster_storage import Node as KnownNode
from doublecross.server.core.limits import Patience, ServerLimits
from doublecross.server.core.rooms.room import Room
from doublecross.server.core.storage import StoreError
from doublecross.server.core.terms import RoomTerms
from doublecross.server.shell.authority import AuthorityConfig
from doublecross.server.shell.identity.rights import Rights
from doublecross.server.shell.rooms.live import LiveRooms
from doublecross.server.shell.upkeep.service_time import CommitWatch, TimeSource
from doublecross.server.tournaments.director import Director
from tests.cluster.far_clients.nodes import FakeWebSocket, kinds, taken
from tests.fakes.store import FakeStore
from tests.server.playing import ADDRESSES, T0, TIMES
from tests.server.world import dots


class NoLinks:
    """Links of which none is ever up."""

    run = "own"

    def send(self, run: str, item: bytes, *, late: bool = False) -> bool:
        return False

    def soon(self, work: Callable[[], None]) -> None:
        work()


class Links(NoLinks):
    """Links that are all up, and keep what is sent."""

    def __init__(self) -> None:
        self.sent: list[bytes] = []

    def send(self, run: str, item: bytes, *, late: bool = False) -> bool:
        self.sent.append(item)
        return True


def connected(node: Node, name: str) -> GatewayPeer:
    """Return a client of the node that is logged in."""
    websocket = FakeWebSocket("doublecross.v1.msgpack")
    peer = GatewayPeer(
        websocket, ServerLimits(), 0.0, len(node.gateway.peers) + 1, node.far.refusals
    )
    node.gateway.peers[peer.number] = peer
    rights = Rights(f"account of {name}")
    player = PlayerInfo(name=name, kind="human")
    found = Introduction(1, player, rights, websocket.subprotocol, "", "", "", False, False, False)
    peer.leader = "own"
    node.gateway.take("own", [items.ADMITTED, peer.number, list(found.fields())])
    return peer


def known(run: str, *, is_live: bool) -> KnownNode:
    return KnownNode(f"node {run}", run, is_live, T0, "1", "")


def new_node(
    store: FakeStore | None = None,
    links: NoLinks | None = None,
    may_show: Callable[[], bool] = lambda: True,
    reachable: Sequence[str] = (),
    watch: CommitWatch | None = None,
) -> Node:
    parts = NodeParts(
        Network(links or NoLinks()),
        lambda _: store or FakeStore(),
        AuthorityConfig(TIMES, ServerLimits(), "epoch", ADDRESSES),
        TimeSource.simple(lambda: T0),
        may_show,
        Patience(5.0, 60.0, 1 << 20),
        LeaderTerms(Random(1)),
    )
    return Node(parts, lambda: list(reachable), lambda _: None, lambda: None, watch)


async def test_the_leader_hears_of_logs_whose_owner_has_died() -> None:
    """Otherwise it would open without their rooms, and play games of tournaments again."""
    node = new_node()
    nodes = [known("own", is_live=True), known("dead", is_live=False)]
    logs = [
        Log("aaaa", 1, "own"),
        Log("bbbb", 1, "dead"),
        Log("cccc", 2, None),
        Log(LEADER, 3, "own"),
    ]
    snapshot = ClusterSnapshot(1, T0, {n.run: n for n in nodes}, {log.log: log for log in logs})
    node.changed(snapshot)
    assert node.owners() == {"aaaa": "own", "bbbb": None, "cccc": None}


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


async def test_time_stands_still_while_other_nodes_cannot_be_reached() -> None:
    watch = Watch()
    node = new_node(watch=watch)
    node.connected(False)  # it is alone, and its players are all here
    node.connected(True)
    assert watch.works == []
    runs = {run: known(run, is_live=True) for run in ("own", "other")}
    node.changed(ClusterSnapshot(1, T0, runs, {LEADER: Log(LEADER, 3, "other")}))
    node.connected(False)
    node.connected(True)
    assert watch.works == [False, True]
    node.connected(False)
    await node.close()  # the next run has its own links
    assert watch.works == [False, True, False, True]


async def test_a_node_without_a_lease_does_not_say_that_a_room_is_unknown() -> None:
    holds = True
    node = new_node(may_show=lambda: holds)
    assert not node.gateway._exists("zzzz")
    holds = False
    assert node.gateway._exists("zzzz")


def opened(number: int) -> list[Any]:
    return [items.OPENED, number, "doublecross.v1.msgpack", "", "", None, None]


async def open_leader(node: Node, token: int = 3) -> RunningLeader:
    """Let a node own the leader and a log, without which no leader opens."""
    node.taken(Claim("aaaa", 1))
    node.taken(Claim(LEADER, token))
    async with asyncio.timeout(5):
        while node.leader is None or not node.leader.is_open:  # noqa: ASYNC110 - it has no event
            await asyncio.sleep(0)
    return node.leader


def sent(links: Links) -> list[Any]:
    """Return and forget what a node has sent."""
    found = [unpackb(item) for item in links.sent]
    links.sent.clear()
    return found


async def test_a_leader_that_cannot_answer_sends_back_what_clients_say() -> None:
    """It may not be open yet, or have no lease; what it denies may exist at the next leader."""
    holds = True
    links = Links()
    node = new_node(links=links, may_show=lambda: holds, reachable=["far"])
    runs = unpackb(pack(Runs(LEADER)))

    def say() -> None:
        for fields in (
            opened(7),
            [items.SAID, 8, b"hello"],
            [items.SAID, 9, b"request", []],
            [items.ROOMS, [9]],
        ):
            node.take("far", fields)

    returned = [
        [items.NOT_YET, 7],
        [items.NOT_YET, 8],
        [items.BOUNCED, 9, b"request"],
        [items.NOT_YET, items.OF_NODE],
    ]
    say()
    assert sent(links) == returned
    leader = await open_leader(node)
    for _ in range(5):
        await asyncio.sleep(0)
    assert runs in sent(links)
    node.take("far", opened(7))
    first = leader.connections.peer_of("far", 7)
    assert first is not None
    holds = False
    say()
    assert sent(links) == returned
    holds = True
    node.resumed()
    assert runs in sent(links)
    node.take("far", opened(7))
    assert leader.connections.peer_of("far", 7) not in (None, first)
    node.take("far", [items.GONE, 7])
    assert leader.connections.peer_of("far", 7) is None
    node.ended()


async def test_all_nodes_hear_that_the_leader_has_forgotten_everything() -> None:
    """The same node may be the leader again at once, so they would not see another owner."""
    links = Links()
    node = new_node(links=links, reachable=["far"])
    await open_leader(node)
    links.sent.clear()
    node.lost(LEADER)
    assert [items.LOST, LEADER] in [unpackb(item) for item in links.sent]
    node.ended()


async def with_a_room(node: Node) -> tuple[LiveRooms, Room, list[GatewayPeer]]:
    """Let a node run the log `aaaa` with a room, whose players and a spectator are here."""
    node.taken(Claim("aaaa", 1))
    async with asyncio.timeout(5):
        while not node.logs.owns("aaaa"):  # noqa: ASYNC110 - it has no event
            await asyncio.sleep(0)
    rooms = node.running["aaaa"].side.rooms
    room, events = Room.open(RoomTerms("aaaaroom0", dots()), TIMES, T0)
    peers = [connected(node, name) for name in ("Ann", "Ben", "Eve")]
    for seat, name in enumerate(("Ann", "Ben")):
        events += room.sit(PlayerInfo(name=name, kind="human"), seat, T0)
    rooms.index.add(room)
    rooms.open(room, events, [(peer, None) for peer in peers])
    await rooms.settled()
    assert [kinds(peer)[0] for peer in peers] == ["room_state"] * 3
    return rooms, room, peers


async def test_players_of_a_node_that_lost_postgresql_go_on_where_their_room_is() -> None:
    links, holds = Links(), True
    node = new_node(links=links, may_show=lambda: holds)
    away: list[str] = []
    node.on_taken_away = away.append
    _, room, peers = await with_a_room(node)
    runs = pack(Runs("aaaa"))
    node.take("far", unpackb(runs))  # an old one
    assert node.owner("aaaa") == "own"
    links.sent.clear()
    node.linked("far")
    assert runs in links.sent
    holds = False
    links.sent.clear()
    node.linked("far")
    assert runs not in links.sent
    node.take("far", unpackb(runs))
    assert node.owner("aaaa") == "far"
    assert away == ["aaaa"]  # so it comes back if that was wrong
    assert [peer.elsewhere for peer in peers] == [{room.id: "far"}] * 3
    sent = [unpackb(item) for item in links.sent]
    shown = [fields[1:3] for fields in sent if fields and fields[0] == items.SHOW]
    assert shown == [[peer.number, room.id] for peer in peers]
    await node.close()
    node.ended()


async def test_no_request_stays_silent_when_a_log_is_taken_away() -> None:
    """The commit finds it; then nobody here knows what the next owner has."""
    store = FakeStore()
    node = new_node(store)
    away: list[str] = []
    node.on_taken_away = away.append
    rooms, room, (ann, ben, eve) = await with_a_room(node)
    store.hold()
    for peer, message in (
        (ann, Move(id=5, room=room.id, match=1, ply=0, action=3)),
        (ben, Resume(id=6, room=room.id, seq=1)),
    ):
        node.gateway.said(peer, message, peer.codec.encode(message))
        await asyncio.sleep(0)
    settling = asyncio.ensure_future(rooms.settled(games=True))
    await asyncio.sleep(0)
    store.fail_next(error=LogLostError(["aaaa"]))
    store.release()
    with pytest.raises(StoreError):
        await settling
    assert away == ["aaaa"]
    assert not node.logs.owns("aaaa")
    assert [peer.websocket.ended_with for peer in (ann, ben, eve)] == [CloseCode.RESTART] * 2 + [0]
    assert taken(ann) == taken(ben) == []
    assert eve.elsewhere == {room.id: ""}
    await node.close()
    node.ended()


async def test_the_leader_is_told_the_rooms_of_a_log_that_comes_back() -> None:
    """It asks only when it sees another owner, and this one has got its own log back."""
    links = Links()
    node = new_node(links=links)
    told = []
    for token in (1, 3):
        node.taken(Claim("aaaa", token))
        if token == 1:
            node.take("far", unpackb(pack(Ask(7, ("aaaa",)))))
        async with asyncio.timeout(5):
            while not node.logs.owns("aaaa"):  # noqa: ASYNC110 - it has no event
                await asyncio.sleep(0)
        kinds_sent = [unpackb(item)[0] for item in links.sent if unpackb(item)]
        told.append(unpackb(pack(Reporting("aaaa")))[0] in kinds_sent)
        links.sent.clear()
        node.lost("aaaa")
    assert told == [True, True]
    await node.close()
    node.ended()


async def test_a_leader_that_is_lost_while_it_opens_does_not_begin_to_work(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It would play games of tournaments beside the next leader, which may be on this node, too."""
    node = new_node()
    node.taken(Claim("aaaa", 1))
    reading, go_on = asyncio.Event(), asyncio.Event()
    load = Director.load

    async def slow(director: Director) -> None:
        await load(director)
        reading.set()
        await go_on.wait()

    monkeypatch.setattr(Director, "load", slow)
    node.taken(Claim(LEADER, 3))
    await reading.wait()
    leader = node.leader
    assert leader is not None
    node.lost(LEADER)
    go_on.set()
    for _ in range(100):
        await asyncio.sleep(0)
    assert not leader.is_open
    assert node.leader is None
    assert await open_leader(node, 5) is not leader
    await node.close()
    node.ended()


async def test_a_log_and_a_leader_that_meet_a_bug_are_started_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Nobody else takes them from a node with a lease, so all clients would wait without end."""
    failures = {RunningLog: 1, RunningLeader: 1}
    for kind in (RunningLog, RunningLeader):
        start = kind.start

        async def fail_once(self: Any, *args: Any, start: Any = start, kind: Any = kind) -> Any:
            failures[kind] -= 1
            if failures[kind] == 0:
                raise KeyError("a bug")
            return await start(self, *args)

        monkeypatch.setattr(kind, "start", fail_once)
    monkeypatch.setattr("doublecross.server.cluster.node.RETRY_S", 0.0)
    monkeypatch.setattr("doublecross.server.cluster.own_leader.RETRY_S", 0.0)
    node = new_node()
    await open_leader(node)
    assert failures == {RunningLog: -1, RunningLeader: -1}
    await node.close()
    node.ended()


async def test_a_log_that_comes_back_while_it_is_read_is_run_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Two of them would write entries with the same ids."""
    begun: list[RunningLog] = []
    start, go_on = RunningLog.start, asyncio.Event()

    async def slow(running: RunningLog) -> int:
        begun.append(running)
        await go_on.wait()
        return await start(running)

    monkeypatch.setattr(RunningLog, "start", slow)
    monkeypatch.setattr("doublecross.server.cluster.node.RETRY_S", 0.0)
    node = new_node()
    stopped = []
    stop = RunningLog.stop

    def noted(running: RunningLog) -> Any:
        stopped.append(running)
        return stop(running)

    monkeypatch.setattr(RunningLog, "stop", noted)
    node.taken(Claim("aaaa", 1))
    await asyncio.sleep(0)
    node.lost("aaaa")
    node.taken(Claim("aaaa", 1))
    await asyncio.sleep(0)
    go_on.set()
    async with asyncio.timeout(5):
        while not node.logs.owns("aaaa"):  # noqa: ASYNC110 - it has no event
            await asyncio.sleep(0)
    for _ in range(20):
        await asyncio.sleep(0)
    assert [running in stopped for running in begun] == [True, False]
    await node.close()
    node.ended()


async def test_an_item_to_the_own_run_that_fails_does_not_take_others_with_it() -> None:
    """No link is reset then, so nobody would send them again."""
    network = Network(NoLinks())
    took: list[Any] = []

    class Taker:
        def take(self, run: str, fields: Any) -> None:
            if not fields:
                raise KeyError("a bug")
            took.extend(fields)

    network.on_item = Taker().take
    items_sent = [packb([1]), packb([]), packb([2]), packb([]), packb([3])]
    for item in items_sent:
        network.send("own", item)
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    assert took == [1, 2, 3]


async def test_a_log_and_a_leader_whose_work_fails_are_dropped_and_read_again() -> None:
    """Their committers answer nobody any more, and the lease of the node would go on."""
    node = new_node()
    away: list[str] = []
    node.on_taken_away = away.append
    leader = await open_leader(node)
    async with asyncio.timeout(5):
        while not node.logs.owns("aaaa"):  # noqa: ASYNC110 - it has no event
            await asyncio.sleep(0)
    ann = connected(node, "Ann")

    def fail(*_: Any) -> None:
        raise KeyError("a bug")

    room, events = Room.open(RoomTerms("aaaaroom0", dots()), TIMES, T0)
    side = node.running["aaaa"].side
    side.rooms.committer.on_stored.append(fail)
    side.rooms.index.add(room)
    side.rooms.open(room, events, [(ann, None)])
    committer = leader.authority.committer
    committer.on_stored.append(fail)
    committer.queue_note(b"", lambda: None, lambda: None)
    async with asyncio.timeout(5):
        while len(away) < 2:  # noqa: ASYNC110 - it has no event
            await asyncio.sleep(0)
    assert sorted(away) == ["aaaa", LEADER]
    assert not node.logs.owns("aaaa")
    assert node.leader is None
    assert ann.websocket.ended_with == CloseCode.RESTART
    await node.close()
    node.ended()


async def test_a_request_of_a_client_that_the_leader_did_not_know_is_sent_again() -> None:
    """The client was introduced before the leader could answer, and asked when it could."""
    holds = True
    node = new_node(may_show=lambda: holds)
    await open_leader(node)
    ann = connected(node, "Ann")
    ann.leader = ""
    holds = False
    node.gateway.catch_up()
    await asyncio.sleep(0)
    holds = True
    asked = GetTournament(id=5, tournament="none")
    node.gateway.said(ann, asked, ann.codec.encode(asked))
    for _ in range(3):
        await asyncio.sleep(0)
    node.resumed()
    async with asyncio.timeout(5):
        while ann.asked:  # noqa: ASYNC110 - it has no event
            await asyncio.sleep(0)
    assert [message["id"] for message in taken(ann)] == [5]
    await node.close()
    node.ended()


@pytest.mark.parametrize("logs_in", [False, True])
async def test_what_was_said_before_the_login_is_answered_once_or_the_connection_ends(
    logs_in: bool,
) -> None:
    """The leader cannot answer for a moment, and has handled something before that."""
    holds, store = True, FakeStore()
    node = new_node(store, may_show=lambda: holds)
    await open_leader(node)
    clients = GatewayConnections(node.gateway, ServerLimits(), Patience(5.0, 60.0, 1 << 20))
    websocket = FakeWebSocket("doublecross.v1.msgpack")
    peer = clients.open(websocket, "", "")
    if logs_in:
        store.hold()
        websocket.say(Hello(id=1, protocol=PROTOCOL_VERSION, kind="human", name="Ann"))
    else:
        websocket.say(Ping(id=1))
    for _ in range(50):
        await asyncio.sleep(0)
    holds = False
    websocket.say(Ping(id=2))
    for _ in range(9):
        await asyncio.sleep(0)
    if not logs_in:
        websocket.say(Ping(id=3))
    store.release()
    holds = not logs_in
    for _ in range(50):
        await asyncio.sleep(0)
    holds = True
    node.resumed()
    for _ in range(50):
        await asyncio.sleep(0)
    ids = [message.get("id") for message in taken(peer)]
    assert websocket.ended_with == CloseCode.RESTART, ids
    assert len(set(ids)) == len(ids)
    await node.close()
    node.ended()


class Hub(Links):
    """Links that call `soon` at the end of a turn, as those over NATS do."""

    def soon(self, work: Callable[[], None]) -> None:
        asyncio.get_running_loop().call_soon(work)


async def test_what_was_sent_back_leaves_before_the_word_that_the_log_runs() -> None:
    """Otherwise the node of the client believes that the owner has it, and sends nothing again."""
    holds, links = True, Hub()
    node = new_node(links=links, may_show=lambda: holds, reachable=["far"])
    node.taken(Claim("aaaa", 1))
    async with asyncio.timeout(5):
        while not node.logs.owns("aaaa"):  # noqa: ASYNC110 - it has no event
            await asyncio.sleep(0)
    ann = connected(node, "Ann")
    assert ann.introduction is not None
    await asyncio.sleep(0)
    sent(links)
    holds = False
    data = ann.codec.encode(Resume(id=5, room="aaaaroom0", seq=0))
    for fields in (
        [items.ATTACHED, 9, list(ann.introduction.fields())],
        [items.ASKED, 9, data],
        [items.SHOW, 9, "aaaaroom0", False, None],
    ):
        node.take("far", fields)
    holds = True
    node.resumed()
    await asyncio.sleep(0)
    assert sent(links) == [
        [items.BOUNCED, 9, data],
        [items.FOLLOWS, 9, "aaaaroom0", None],
        unpackb(pack(Runs("aaaa"))),
    ]
    await node.close()
    node.ended()


async def test_a_request_that_waits_for_a_room_when_its_log_is_lost_is_not_forgotten(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The room slept, and nobody else has the request of a client of this node."""
    store = FakeStore()
    node = new_node(store)
    node.taken(Claim("aaaa", 1))
    async with asyncio.timeout(5):
        while not node.logs.owns("aaaa"):  # noqa: ASYNC110 - it has no event
            await asyncio.sleep(0)
    reading = asyncio.Event()

    async def late(room: str) -> None:
        await reading.wait()

    monkeypatch.setattr(store.sleeping, "room", late)
    ann = connected(node, "Ann")
    asked = Resume(id=5, room="aaaaroom0", seq=0)
    node.gateway.said(ann, asked, ann.codec.encode(asked))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    node.lost("aaaa")
    reading.set()
    for _ in range(9):
        await asyncio.sleep(0)
    assert ann.websocket.ended_with == CloseCode.RESTART
    assert taken(ann) == []
    await node.close()
    node.ended()


async def test_what_an_own_leader_sent_back_is_sent_again_when_it_can_answer() -> None:
    """Its lease holds again before this node has what it sent back to itself."""
    holds = True
    node = new_node(may_show=lambda: holds)
    await open_leader(node)
    ann = connected(node, "Ann")
    ann.leader = ""
    holds = False
    asked = GetTournament(id=5, tournament="none")
    node.gateway.said(ann, asked, ann.codec.encode(asked))
    await asyncio.sleep(0)
    holds = True
    node.resumed()
    async with asyncio.timeout(5):
        while ann.asked:  # noqa: ASYNC110 - it has no event
            await asyncio.sleep(0)
    assert [message["id"] for message in taken(ann)] == [5]
    await node.close()
    node.ended()


async def test_the_leader_hears_of_the_end_of_a_client_whose_hello_it_has() -> None:
    """Otherwise its player would be online for ever."""
    holds, store = True, FakeStore()
    node = new_node(store, may_show=lambda: holds)
    leader = await open_leader(node)
    clients = GatewayConnections(node.gateway, ServerLimits(), Patience(5.0, 60.0, 1 << 20))
    websocket = FakeWebSocket("doublecross.v1.msgpack")
    peer = clients.open(websocket, "", "")
    store.hold()
    websocket.say(Hello(id=1, protocol=PROTOCOL_VERSION, kind="human", name="Ann"))
    for _ in range(50):
        await asyncio.sleep(0)
    holds = False
    websocket.say(Ping(id=2))
    for _ in range(9):
        await asyncio.sleep(0)
    assert websocket.ended_with == CloseCode.RESTART
    clients.lost(peer)
    store.release()
    for _ in range(50):
        await asyncio.sleep(0)
    assert not leader.authority.peers.sessions
    assert not leader.connections.peers
    await node.close()
    node.ended()
