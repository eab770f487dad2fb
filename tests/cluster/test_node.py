"""A node alone: what its lease holder and its links tell it, and what it sends."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest
from msgpack import packb, unpackb

from doublecross.protocol.client_messages import GetTournament, Hello, Move, Ping, Resume, Watch
from doublecross.protocol.version import MSGPACK, PROTOCOL_VERSION, CloseCode
from doublecross.server.cluster import parts
from doublecross.server.cluster.far_clients import items
from doublecross.server.cluster.items import Ask, Reporting, Runs, pack
from doublecross.server.cluster.leader.running import RunningLeader
from doublecross.server.cluster.rooms.running import RunningLog
from doublecross.server.core.cluster_storage import (
    LEADER,
    Claim,
    ClusterSnapshot,
    Log,
)
from doublecross.server.core.cluster_storage import Node as KnownNode
from doublecross.server.tournaments.director import Director
from tests.cluster.hosts import Host
from tests.cluster.world import World
from tests.server.playing import T0

RUNS = unpackb(pack(Runs("bbbb")))


@pytest.fixture
async def world() -> AsyncIterator[World]:
    """Yield a node that is alone, but for links to the run `far`."""
    made = World()
    made.add("own")
    made.network.join("far", None)
    yield made
    await made.stop()


@pytest.fixture
def host(world: World) -> Host:
    return world.nodes["own"]


def arrive(host: Host, *sent: Any) -> None:
    """Let items arrive from the run `far`."""
    for item in sent:
        packed = pack(item) if isinstance(item, tuple) else packb(item)
        host.node.take("far", unpackb(packed, use_list=False))


async def lead(world: World) -> RunningLeader:
    """Let the node own a log and the leader, which would not open without it."""
    await world.give("bbbb", "own")
    await world.move_leader("own")
    return world.leader


def snapshot(logs: dict[str, str | None], **runs: bool) -> ClusterSnapshot:
    """Return what the database has: the owner of each log, and whether each run is live."""
    nodes = {run: KnownNode(f"node {run}", run, live, T0, "1", "") for run, live in runs.items()}
    return ClusterSnapshot(1, T0, nodes, {log: Log(log, 1, owner) for log, owner in logs.items()})


async def test_the_leader_hears_of_logs_whose_owner_has_died(world: World, host: Host) -> None:
    """Otherwise it would open without their rooms, and play games of tournaments again."""
    logs = {"bbbb": "own", "dddd": "dead", "cccc": None, LEADER: "own"}
    host.node.changed(snapshot(logs, own=True, dead=False))
    assert host.node.owners() == {"bbbb": "own", "dddd": None, "cccc": None}


async def test_time_stands_still_while_other_nodes_cannot_be_reached(
    world: World, host: Host
) -> None:
    node, works = host.node, host.watch.works
    node.connected(False)  # it is alone, and its players are all here
    node.connected(True)
    assert works == []
    node.changed(snapshot({LEADER: "other"}, own=True, other=True))
    node.connected(False)
    node.connected(True)
    assert works == [False, True]
    node.connected(False)
    await node.close()  # the next run has its own links
    assert works == [False, True, False, True]


async def test_a_leader_that_cannot_answer_sends_back_what_clients_say(
    world: World, host: Host
) -> None:
    """It may not be open yet, or have no lease; what it denies may exist at the next leader."""
    opened = [items.OPENED, 7, MSGPACK, "", "", None, None]
    runs = unpackb(pack(Runs(LEADER)))

    def say() -> None:
        said = [items.SAID, 8, b"hello"], [items.SAID, 9, b"request", []]
        arrive(host, opened, *said, [items.ROOMS, [9]])

    returned = [
        [items.NOT_YET, 7],
        [items.NOT_YET, 8],
        [items.BOUNCED, 9, b"request"],
        [items.NOT_YET, items.OF_NODE],
    ]
    say()
    assert world.network.sent("own", "far") == returned
    leader = await lead(world)
    await world.settle()
    assert runs in world.network.sent("own", "far")
    arrive(host, opened)
    first = leader.connections.peer_of("far", 7)
    assert first is not None
    host.holds = False
    say()
    assert world.network.sent("own", "far") == returned
    host.holds = True
    host.node.resumed()
    await world.settle()
    assert runs in world.network.sent("own", "far")
    arrive(host, opened)
    assert leader.connections.peer_of("far", 7) not in (None, first)
    arrive(host, [items.GONE, 7])
    assert leader.connections.peer_of("far", 7) is None


async def test_all_nodes_hear_that_the_leader_has_forgotten_everything(
    world: World, host: Host
) -> None:
    """The same node may be the leader again at once, so they would not see another owner."""
    await lead(world)
    host.node.lost(LEADER)
    await world.settle()
    assert [items.LOST, LEADER] in world.network.sent("own", "far")


async def test_players_of_a_node_that_lost_postgresql_go_on_where_their_room_is(
    world: World, host: Host
) -> None:
    await world.give("bbbb", "own")
    room = world.room("Ann", "Ben")
    clients = [world.connect(name, "own") for name in ("Ann", "Ben", "Eve")]
    for client in clients:
        await world.answer(client, Watch, room=room.id)
    arrive(host, Runs("bbbb"))  # an old one
    assert host.node.owner("bbbb") == "own"
    world.network.sent("own", "far")
    host.node.linked("far")
    assert RUNS in world.network.sent("own", "far")
    host.holds = False
    host.node.linked("far")
    assert RUNS not in world.network.sent("own", "far")
    arrive(host, Runs("bbbb"))
    assert host.node.owner("bbbb") == "far"
    assert host.away == ["bbbb"]  # so it comes back if that was wrong
    assert [client.peer.elsewhere for client in clients] == [{room.id: "far"}] * 3
    shown = [fields[1:3] for fields in world.network.sent("own", "far") if fields[0] == items.SHOW]
    assert shown == [[client.number, room.id] for client in clients]


async def test_the_leader_is_told_the_rooms_of_a_log_that_comes_back(
    world: World, host: Host
) -> None:
    """It asks only when it sees another owner, and this one has got its own log back."""
    arrive(host, Ask(7, ("bbbb",)))
    for _ in range(2):
        await world.give("bbbb", "own")
        await world.settle()
        assert unpackb(pack(Reporting("bbbb"))) in world.network.sent("own", "far")
        host.node.lost("bbbb")


async def test_a_leader_that_is_lost_while_it_opens_does_not_begin_to_work(
    world: World, host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It would play games of tournaments beside the next leader, which may be on this node, too."""
    reading, go_on = asyncio.Event(), asyncio.Event()
    load = Director.load

    async def slow(director: Director) -> None:
        await load(director)
        reading.set()
        await go_on.wait()

    monkeypatch.setattr(Director, "load", slow)
    await world.give("bbbb", "own")
    world.claim(LEADER, "own")
    await reading.wait()
    leader = host.node.leader
    assert leader is not None
    host.node.lost(LEADER)
    go_on.set()
    await world.settle(100)
    assert not leader.is_open
    assert host.node.leader is None
    await world.move_leader("own")
    assert world.leader is not leader


async def test_a_log_and_a_leader_that_meet_a_bug_are_started_again(
    world: World, host: Host, monkeypatch: pytest.MonkeyPatch
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
    await lead(world)
    assert failures == {RunningLog: -1, RunningLeader: -1}


async def test_a_log_that_comes_back_while_it_is_read_is_run_once(
    world: World, host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two of them would write entries with the same ids."""
    begun: list[RunningLog] = []
    stopped: list[RunningLog] = []
    start, stop, go_on = RunningLog.start, RunningLog.stop, asyncio.Event()

    async def slow(running: RunningLog) -> int:
        begun.append(running)
        await go_on.wait()
        return await start(running)

    def noted(running: RunningLog) -> Any:
        stopped.append(running)
        return stop(running)

    monkeypatch.setattr(RunningLog, "start", slow)
    monkeypatch.setattr(RunningLog, "stop", noted)
    monkeypatch.setattr("doublecross.server.cluster.node.RETRY_S", 0.0)
    world.claim("bbbb", "own")
    await world.settle(1)
    host.node.lost("bbbb")
    host.node.taken(Claim("bbbb", 1))
    await world.settle(1)
    go_on.set()
    await world.reach(lambda: host.node.logs.owns("bbbb"))
    await world.settle()
    assert [running in stopped for running in begun] == [True, False]


async def test_a_log_in_which_nobody_plays_does_not_fail_for_good(
    world: World, host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parts, "CHECK_S", 0.0)
    await world.give("bbbb", "own")
    world.stores["bbbb"].fail_next()
    world.room("Ann")
    await world.reach(lambda: host.watch.works == [False, True])


async def test_a_log_and_a_leader_whose_work_fails_are_dropped_and_read_again(
    world: World, host: Host
) -> None:
    """Their committers answer nobody any more, and the lease of the node would go on."""
    leader = await lead(world)
    ann = world.connect("Ann", "own")

    def fail(*_: Any) -> None:
        raise KeyError("a bug")

    rooms, committer = world.side("bbbb").rooms, leader.authority.committer
    room = world.room("Ann", "Ben")
    await world.answer(ann, Watch, room=room.id)
    for each in (rooms.committer, committer):
        each.on_stored.append(fail)
    world.ask(ann, Move, room=room.id, match=1, ply=0, action=3)
    committer.queue_note(b"", lambda: None, lambda: None)
    await world.reach(lambda: len(host.away) == 2)
    assert sorted(host.away) == ["bbbb", LEADER]
    assert not host.node.logs.owns("bbbb")
    assert host.node.leader is None
    assert ann.websocket.ended_with == CloseCode.RESTART


@pytest.mark.parametrize("what", ["client", "request"])
async def test_what_an_own_leader_sent_back_is_sent_again_when_it_can_answer(
    world: World, host: Host, what: str
) -> None:
    """Its lease holds again before this node has what it sent back to itself."""
    leader = await lead(world)
    ann = world.connect("Ann", "own")
    leader.connections.take("own", [items.GONE, ann.number])
    ann.peer.leader = ""
    host.holds = False
    if what == "client":
        host.node.gateway.catch_up()
        await world.settle(1)
        host.holds = True
    asked = world.ask(ann, GetTournament, tournament="none")
    await world.settle(3 if what == "client" else 1)
    host.holds = True
    host.node.resumed()
    await world.reach(lambda: not ann.peer.asked)
    assert [message["id"] for message in ann.take()] == [asked]


HELLO = Hello(id=1, protocol=PROTOCOL_VERSION, kind="human", name="Ann")


@pytest.mark.parametrize("logs_in", [False, True])
async def test_what_was_said_before_the_login_is_answered_once_or_the_connection_ends(
    world: World, host: Host, logs_in: bool
) -> None:
    """The leader cannot answer for a moment, and has handled something before that."""
    leader = await lead(world)
    peer, websocket = host.open()
    if logs_in:
        world.stores[LEADER].hold()
    websocket.say(HELLO if logs_in else Ping(id=1))
    await world.settle()
    host.holds = False
    websocket.say(Ping(id=2))
    await world.settle(9)
    if not logs_in:
        websocket.say(Ping(id=3))
    world.stores[LEADER].release()
    host.holds = not logs_in
    await world.settle()
    host.holds = True
    host.node.resumed()
    await world.settle()
    ids = [message.get("id") for message in websocket.sent]
    assert websocket.ended_with == CloseCode.RESTART, ids
    assert len(set(ids)) == len(ids)
    # The leader hears of the end of a client whose hello it has; its player is not online for ever.
    host.connections.lost(peer)
    await world.settle()
    assert not leader.authority.peers.sessions
    assert not leader.connections.peers


async def test_what_was_sent_back_leaves_before_the_word_that_the_log_runs(
    world: World, host: Host
) -> None:
    """Otherwise the node of the client believes that the owner has it, and sends nothing again."""
    await world.give("bbbb", "own")
    found = world.connect("Ann", "own").peer.introduction
    assert found is not None
    await world.settle()
    world.network.sent("own", "far")
    host.holds = False
    data = packb({"type": "resume", "id": 5, "room": "bbbbroom0", "seq": 0})
    arrive(
        host,
        [items.ATTACHED, 9, list(found.fields())],
        [items.ASKED, 9, data],
        [items.SHOW, 9, "bbbbroom0", False, None],
    )
    host.holds = True
    host.node.resumed()
    await world.settle(1)
    assert world.network.sent("own", "far") == [
        [items.BOUNCED, 9, data],
        [items.FOLLOWS, 9, "bbbbroom0", None],
        RUNS,
    ]


async def test_a_request_that_waits_for_a_room_when_its_log_is_lost_is_not_forgotten(
    world: World, host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The room slept, and nobody else has the request of a client of this node."""
    await world.give("bbbb", "own")
    reading = asyncio.Event()

    async def late(room: str) -> None:
        await reading.wait()

    monkeypatch.setattr(world.stores["bbbb"].sleeping, "room", late)
    ann = world.connect("Ann", "own")
    world.ask(ann, Resume, room="bbbbroom0", seq=0)
    await world.settle(2)
    host.node.lost("bbbb")
    reading.set()
    await world.settle()
    assert ann.websocket.ended_with == CloseCode.RESTART
    assert ann.take() == []
