"""A node alone: what its lease holder and its links tell it, and what it sends."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest
from msgpack import packb, unpackb

from doublecross.protocol.client_messages import GetTournament, Hello, Move, Ping, Resume
from doublecross.protocol.version import MSGPACK, PROTOCOL_VERSION, CloseCode
from doublecross.server.cluster.far_clients import items
from doublecross.server.cluster.items import Ask, Reporting, Runs, pack
from doublecross.server.cluster.leader.running import RunningLeader
from doublecross.server.cluster.network import Network
from doublecross.server.cluster.rooms.running import RunningLog
from doublecross.server.core.cluster_storage import (
    LEADER,
    Claim,
    ClusterSnapshot,
    Log,
    LogLostError,
)
from doublecross.server.core.cluster_storage import Node as KnownNode
from doublecross.server.core.rooms.room import Room
from doublecross.server.core.storage import StoreError
from doublecross.server.core.terms import RoomTerms
from doublecross.server.tournaments.director import Director
from tests.cluster.alone import ROOM, RUNS, Alone, Links, turns, until
from tests.cluster.far_clients.nodes import introduction, taken
from tests.server.playing import T0, TIMES, dots


@pytest.fixture
async def alone() -> AsyncIterator[Alone]:
    made = Alone()
    yield made
    await made.node.close()
    made.node.ended()


def snapshot(logs: dict[str, str | None], **runs: bool) -> ClusterSnapshot:
    """Return what the database has: the owner of each log, and whether each run is live."""
    nodes = {run: KnownNode(f"node {run}", run, live, T0, "1", "") for run, live in runs.items()}
    return ClusterSnapshot(1, T0, nodes, {log: Log(log, 1, owner) for log, owner in logs.items()})


async def test_the_leader_hears_of_logs_whose_owner_has_died(alone: Alone) -> None:
    """Otherwise it would open without their rooms, and play games of tournaments again."""
    logs = {"aaaa": "own", "bbbb": "dead", "cccc": None, LEADER: "own"}
    alone.node.changed(snapshot(logs, own=True, dead=False))
    assert alone.node.owners() == {"aaaa": "own", "bbbb": None, "cccc": None}


async def test_time_stands_still_while_other_nodes_cannot_be_reached(alone: Alone) -> None:
    node, works = alone.node, alone.watch.works
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


async def test_a_node_without_a_lease_does_not_say_that_a_room_is_unknown(alone: Alone) -> None:
    assert not alone.node.gateway._exists("zzzz")
    alone.holds = False
    assert alone.node.gateway._exists("zzzz")


async def test_a_leader_that_cannot_answer_sends_back_what_clients_say(alone: Alone) -> None:
    """It may not be open yet, or have no lease; what it denies may exist at the next leader."""
    opened = [items.OPENED, 7, MSGPACK, "", "", None, None]
    runs = unpackb(pack(Runs(LEADER)))

    def say() -> None:
        said = [items.SAID, 8, b"hello"], [items.SAID, 9, b"request", []]
        alone.take(opened, *said, [items.ROOMS, [9]])

    returned = [
        [items.NOT_YET, 7],
        [items.NOT_YET, 8],
        [items.BOUNCED, 9, b"request"],
        [items.NOT_YET, items.OF_NODE],
    ]
    say()
    assert alone.sent() == returned
    leader = await alone.lead()
    await turns()
    assert runs in alone.sent()
    alone.take(opened)
    first = leader.connections.peer_of("far", 7)
    assert first is not None
    alone.holds = False
    say()
    assert alone.sent() == returned
    alone.holds = True
    alone.node.resumed()
    await turns()
    assert runs in alone.sent()
    alone.take(opened)
    assert leader.connections.peer_of("far", 7) not in (None, first)
    alone.take([items.GONE, 7])
    assert leader.connections.peer_of("far", 7) is None


async def test_all_nodes_hear_that_the_leader_has_forgotten_everything(alone: Alone) -> None:
    """The same node may be the leader again at once, so they would not see another owner."""
    await alone.lead()
    alone.node.lost(LEADER)
    assert [items.LOST, LEADER] in alone.sent()


async def test_players_of_a_node_that_lost_postgresql_go_on_where_their_room_is(
    alone: Alone,
) -> None:
    _, room, peers = await alone.with_a_room()
    alone.take(Runs("aaaa"))  # an old one
    assert alone.node.owner("aaaa") == "own"
    alone.sent()
    alone.node.linked("far")
    assert RUNS in alone.sent()
    alone.holds = False
    alone.node.linked("far")
    assert RUNS not in alone.sent()
    alone.take(Runs("aaaa"))
    assert alone.node.owner("aaaa") == "far"
    assert alone.away == ["aaaa"]  # so it comes back if that was wrong
    assert [peer.elsewhere for peer in peers] == [{room.id: "far"}] * 3
    shown = [fields[1:3] for fields in alone.sent() if fields[0] == items.SHOW]
    assert shown == [[peer.number, room.id] for peer in peers]


async def test_no_request_stays_silent_when_a_log_is_taken_away(alone: Alone) -> None:
    """The commit finds it; then nobody here knows what the next owner has."""
    rooms, room, (ann, ben, eve) = await alone.with_a_room()
    alone.stores["aaaa"].hold()
    alone.ask(ann, Move(id=5, room=room.id, match=1, ply=0, action=3))
    await turns(1)
    alone.ask(ben, Resume(id=6, room=room.id, seq=1))
    await turns(1)
    settling = asyncio.ensure_future(rooms.settled(games=True))
    await turns(1)
    alone.stores["aaaa"].fail_next(error=LogLostError(["aaaa"]))
    alone.stores["aaaa"].release()
    with pytest.raises(StoreError):
        await settling
    assert alone.away == ["aaaa"]
    assert not alone.node.logs.owns("aaaa")
    assert [peer.websocket.ended_with for peer in (ann, ben, eve)] == [CloseCode.RESTART] * 2 + [0]
    assert taken(ann) == taken(ben) == []
    assert eve.elsewhere == {room.id: ""}


async def test_the_leader_is_told_the_rooms_of_a_log_that_comes_back(alone: Alone) -> None:
    """It asks only when it sees another owner, and this one has got its own log back."""
    alone.take(Ask(7, ("aaaa",)))
    for token in (1, 3):
        await alone.own(token)
        await turns()
        assert unpackb(pack(Reporting("aaaa"))) in alone.sent()
        alone.node.lost("aaaa")


async def test_a_leader_that_is_lost_while_it_opens_does_not_begin_to_work(
    alone: Alone, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It would play games of tournaments beside the next leader, which may be on this node, too."""
    reading, go_on = asyncio.Event(), asyncio.Event()
    load = Director.load

    async def slow(director: Director) -> None:
        await load(director)
        reading.set()
        await go_on.wait()

    monkeypatch.setattr(Director, "load", slow)
    await alone.own()
    alone.node.taken(Claim(LEADER, 3))
    await reading.wait()
    leader = alone.node.leader
    assert leader is not None
    alone.node.lost(LEADER)
    go_on.set()
    await turns(100)
    assert not leader.is_open
    assert alone.node.leader is None
    assert await alone.lead(5) is not leader


async def test_a_log_and_a_leader_that_meet_a_bug_are_started_again(
    alone: Alone, monkeypatch: pytest.MonkeyPatch
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
    await alone.lead()
    assert failures == {RunningLog: -1, RunningLeader: -1}


async def test_a_log_that_comes_back_while_it_is_read_is_run_once(
    alone: Alone, monkeypatch: pytest.MonkeyPatch
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
    for _ in range(2):
        alone.node.lost("aaaa")
        alone.node.taken(Claim("aaaa", 1))
        await turns(1)
    go_on.set()
    await until(lambda: alone.node.logs.owns("aaaa"))
    await turns()
    assert [running in stopped for running in begun] == [True, False]


async def test_an_item_to_the_own_run_that_fails_does_not_take_others_with_it() -> None:
    """No link is reset then, so nobody would send them again."""
    network = Network(Links())  # type: ignore[arg-type]
    took: list[bytes] = []

    def take(run: str, fields: list[Any], item: bytes) -> None:
        if not fields:
            raise KeyError("a bug")
        took.append(item)

    network.on_item = take
    items_sent = [packb([1]), packb([]), packb([2]), packb([]), packb([3])]
    for item in items_sent:
        network.send("own", item)
    await turns()
    assert took == items_sent[::2]


async def test_a_log_and_a_leader_whose_work_fails_are_dropped_and_read_again(
    alone: Alone,
) -> None:
    """Their committers answer nobody any more, and the lease of the node would go on."""
    leader = await alone.lead()
    ann = alone.connect("Ann")

    def fail(*_: Any) -> None:
        raise KeyError("a bug")

    room, events = Room.open(RoomTerms(ROOM, dots()), TIMES, T0)
    rooms, committer = alone.node.running["aaaa"].side.rooms, leader.authority.committer
    for each in (rooms.committer, committer):
        each.on_stored.append(fail)
    rooms.index.add(room)
    rooms.open(room, events, [(ann, None)])
    committer.queue_note(b"", lambda: None, lambda: None)
    await until(lambda: len(alone.away) == 2)
    assert sorted(alone.away) == ["aaaa", LEADER]
    assert not alone.node.logs.owns("aaaa")
    assert alone.node.leader is None
    assert ann.websocket.ended_with == CloseCode.RESTART


@pytest.mark.parametrize("what", ["client", "request"])
async def test_what_an_own_leader_sent_back_is_sent_again_when_it_can_answer(
    alone: Alone, what: str
) -> None:
    """Its lease holds again before this node has what it sent back to itself."""
    await alone.lead()
    ann = alone.connect("Ann", leader="")
    alone.holds = False
    if what == "client":
        alone.node.gateway.catch_up()
        await turns(1)
        alone.holds = True
    alone.ask(ann, GetTournament(id=5, tournament="none"))
    await turns(3 if what == "client" else 1)
    alone.holds = True
    alone.node.resumed()
    await until(lambda: not ann.asked)
    assert [message["id"] for message in taken(ann)] == [5]


HELLO = Hello(id=1, protocol=PROTOCOL_VERSION, kind="human", name="Ann")


@pytest.mark.parametrize("logs_in", [False, True])
async def test_what_was_said_before_the_login_is_answered_once_or_the_connection_ends(
    alone: Alone, logs_in: bool
) -> None:
    """The leader cannot answer for a moment, and has handled something before that."""
    leader = await alone.lead()
    peer, websocket = alone.open()
    if logs_in:
        alone.stores[LEADER].hold()
    websocket.say(HELLO if logs_in else Ping(id=1))
    await turns()
    alone.holds = False
    websocket.say(Ping(id=2))
    await turns(9)
    if not logs_in:
        websocket.say(Ping(id=3))
    alone.stores[LEADER].release()
    alone.holds = not logs_in
    await turns()
    alone.holds = True
    alone.node.resumed()
    await turns()
    ids = [message.get("id") for message in taken(peer)]
    assert websocket.ended_with == CloseCode.RESTART, ids
    assert len(set(ids)) == len(ids)
    # The leader hears of the end of a client whose hello it has; its player is not online for ever.
    alone.connections.lost(peer)
    await turns()
    assert not leader.authority.peers.sessions
    assert not leader.connections.peers


async def test_what_was_sent_back_leaves_before_the_word_that_the_log_runs(alone: Alone) -> None:
    """Otherwise the node of the client believes that the owner has it, and sends nothing again."""
    await alone.own()
    await turns()
    alone.sent()
    alone.holds = False
    data = packb({"type": "resume", "id": 5, "room": ROOM, "seq": 0})
    alone.take(
        [items.ATTACHED, 9, introduction("Ann")],
        [items.ASKED, 9, data],
        [items.SHOW, 9, ROOM, False, None],
    )
    alone.holds = True
    alone.node.resumed()
    await turns(1)
    assert alone.sent() == [[items.BOUNCED, 9, data], [items.FOLLOWS, 9, ROOM, None], RUNS]


async def test_a_request_that_waits_for_a_room_when_its_log_is_lost_is_not_forgotten(
    alone: Alone, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The room slept, and nobody else has the request of a client of this node."""
    await alone.own()
    reading = asyncio.Event()

    async def late(room: str) -> None:
        await reading.wait()

    monkeypatch.setattr(alone.stores["aaaa"].sleeping, "room", late)
    ann = alone.connect("Ann")
    alone.ask(ann, Resume(id=5, room=ROOM, seq=0))
    await turns(2)
    alone.node.lost("aaaa")
    reading.set()
    await turns()
    assert ann.websocket.ended_with == CloseCode.RESTART
    assert taken(ann) == []
