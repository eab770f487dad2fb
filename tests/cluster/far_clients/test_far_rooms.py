"""Players on one node play in rooms of another node."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest

from doublecross.protocol.client_messages import Leave, Move, Ping, Resign, Resume, Watch
from doublecross.protocol.version import CloseCode
from doublecross.server.cluster.far_clients import items
from doublecross.server.cluster.gateway.gateway import EARLY_S
from doublecross.server.cluster.gateway.peer import GatewayPeer
from doublecross.server.core.cluster_storage import LEADER
from doublecross.server.core.rooms.room import Room
from tests.cluster.far_clients.nodes import LIMITS, Cluster, FakeWebSocket, kinds, settle, taken


@pytest.fixture
async def cluster() -> AsyncIterator[Cluster]:
    made = Cluster()
    yield made
    await made.close()


def move(room: Room, ply: int, action: int) -> dict[str, Any]:
    return {"room": room.id, "match": 1, "ply": ply, "action": action}


async def two_players(cluster: Cluster) -> tuple[Room, Any, Any]:
    """Return a room of node b, with both of its players on node a."""
    room = cluster.room("Ann", "Ben")
    ann, ben = cluster.a.connect("Ann"), cluster.a.connect("Ben")
    for peer in (ann, ben):
        shown = await cluster.a.answer(peer, Resume, room=room.id, seq=0)
        assert shown["type"] == "room_state"
        assert shown["seat"] == room.seat_of(peer.name)
    taken(ann)
    return room, ann, ben


async def test_moves_cross_to_the_owner_and_back(cluster: Cluster) -> None:
    room, ann, ben = await two_players(cluster)
    answer = await cluster.a.answer(ann, Move, **move(room, 0, 3))
    assert (answer["type"], answer["action"]) == ("move", 3)
    (event,) = taken(ben)
    assert {**event, "id": answer["id"]} == answer
    refused = await cluster.a.answer(ann, Move, **move(room, 1, 4))
    assert refused["code"] == "not_your_turn"
    assert not ann.asked
    assert ann.waiting == 0


async def test_an_event_crosses_once_for_all_who_watch(cluster: Cluster) -> None:
    room, ann, _ = await two_players(cluster)
    crowd = [cluster.a.connect(f"Eve{n}", text=n % 2 == 1) for n in range(10)]
    for peer in crowd:
        await cluster.a.answer(peer, Watch, room=room.id)
    wire = cluster.wires["b", "a"]
    wire.sent.clear()
    await cluster.a.answer(ann, Move, **move(room, 0, 3))
    assert [kinds(peer)[-1] for peer in crowd] == ["move"] * 10
    # One for the mover, one for Ben and the binary half of the crowd, and one in JSON.
    frames = [fields for fields in wire.sent if fields[0] == items.FRAME]
    assert sorted(len(fields[2]) for fields in frames) == [1, 5, 6]


async def test_a_client_leaves_the_room_and_the_node_forgets_it(cluster: Cluster) -> None:
    room = cluster.room("Ann")
    ann = cluster.a.connect("Ann")
    await cluster.a.answer(ann, Resume, room=room.id, seq=0)
    assert ann.elsewhere == {room.id: "b"}
    assert (await cluster.a.answer(ann, Leave, room=room.id))["type"] == "done"
    assert ann.elsewhere == {}


async def test_a_lost_connection_leaves_its_rooms(cluster: Cluster) -> None:
    room, ann, ben = await two_players(cluster)
    cluster.a.gateway.lost(ann)
    await settle()
    assert room.attendance.connections == [0, 1]
    assert kinds(ben) == ["presence"]
    assert set(cluster.b.logs.sessions) == {"Ben"}


async def test_after_a_break_clients_see_the_room_as_it_is(cluster: Cluster) -> None:
    room, ann, ben = await two_players(cluster)
    await cluster.a.answer(ann, Move, **move(room, 0, 3))
    taken(ben)
    # The second move is stored, but nobody hears of it before the links break.
    cluster.wires["b", "a"].lose = lambda fields: fields[0] == items.FRAME
    asked = cluster.a.ask(ben, Move, **move(room, 1, 4))
    await settle()
    assert room.match is not None
    assert room.match.ply == 2
    assert list(ben.asked) == [asked]
    cluster.wires["b", "a"].lose = lambda _: False
    cluster.break_links()
    assert room.attendance.connections == [0, 0]
    cluster.mend_links()
    await settle()
    assert room.attendance.connections == [1, 1]
    for peer in (ann, ben):
        messages = taken(peer)
        state = next(m for m in messages if m["type"] == "room_state")
        assert "id" not in state or state["id"] is None
        assert state["snapshot"]["moves"] == (3, 4)
        answers = [m for m in messages if m.get("id") == asked]
        assert [m["type"] for m in answers] == (["move"] if peer is ben else [])
    assert room.match.ply == 2
    assert not ben.asked


async def test_clients_follow_a_room_again_although_a_commit_fails_meanwhile(
    cluster: Cluster,
) -> None:
    room, ann, ben = await two_players(cluster)
    taken(ben)
    cluster.store.hold()
    cluster.store.fail_next()
    asked = cluster.a.ask(ann, Move, **move(room, 0, 3))
    await settle()
    # The owner is asked to show the room while it stores the move.
    cluster.break_links()
    cluster.mend_links()
    await settle()
    assert "room_state" not in kinds(ben)
    cluster.store.release()
    await settle()
    (shown,) = [message for message in taken(ben) if message["type"] == "room_state"]
    assert shown["snapshot"]["moves"] == ()
    assert [m["code"] for m in taken(ann) if m.get("id") == asked] == ["storage_failed"]
    await cluster.a.answer(ann, Move, **move(room, 0, 3))
    assert "move" in kinds(ben)


async def test_who_resigned_into_a_break_has_to_come_again(cluster: Cluster) -> None:
    room, ann, ben = await two_players(cluster)
    cluster.wires["a", "b"].lose = lambda fields: fields[0] == items.ASKED
    cluster.a.ask(ann, Resign, room=room.id)
    cluster.a.ask(ben, Move, **move(room, 0, 3))
    cluster.break_links()
    assert (ann.websocket.ended_with, ben.websocket.ended_with) == (CloseCode.RESTART, 0)
    assert room.status == "playing"


async def test_requests_wait_for_an_owner_but_not_for_ever(cluster: Cluster) -> None:
    room, ann, _ = await two_players(cluster)
    del cluster.owners["bbbb"]
    asked = cluster.a.ask(ann, Move, **move(room, 0, 3))
    other = cluster.a.ask(ann, Ping)
    assert [m["id"] for m in taken(ann)] == [other]
    cluster.time_s += 9
    cluster.a.gateway.sweep()
    assert list(ann.asked) == [asked]
    cluster.time_s += 2
    cluster.a.gateway.sweep()
    (refused,) = taken(ann)
    assert (refused["id"], refused["code"]) == (asked, "storage_failed")
    assert not ann.asked


async def test_a_log_moves_to_another_node(cluster: Cluster) -> None:
    """The room goes from b to a, where its players are; then no request crosses any more."""
    room, ann, ben = await two_players(cluster)
    bea = cluster.b.connect("Bea")
    await cluster.b.answer(bea, Watch, room=room.id)
    for peer in (ann, ben, bea):
        taken(peer)
    frames = cluster.rooms.registry.channels[room.id].frames
    cluster.b.logs.drop("bbbb")
    assert bea.elsewhere == {room.id: ""}
    # A move that comes too late for b goes where the room is.
    asked = cluster.a.ask(ann, Move, **move(room, 0, 3))
    room.attendance.connections = [0, 0]
    cluster.run_log("bbbb", cluster.a, [(room, frames)])
    for node in (cluster.a, cluster.b):
        node.gateway.catch_up()
    await settle()
    assert [m.get("id") for m in taken(ann) if m["type"] == "move"] == [asked]
    for peer in (ben, bea):
        state = next(m for m in taken(peer) if m["type"] == "room_state")
        assert state["snapshot"]["moves"] == (3,)
    assert room.attendance.connections == [1, 1]
    assert ann.elsewhere == {}
    assert bea.elsewhere == {room.id: "a"}
    sent = len(cluster.wires["a", "b"].sent)
    await cluster.a.answer(ben, Move, **move(room, 1, 4))
    assert len(cluster.wires["a", "b"].sent) - sent == 1  # the event for Bea


async def test_an_owner_that_still_reads_the_rooms_lets_requests_wait(cluster: Cluster) -> None:
    room, ann, ben = await two_players(cluster)
    taken(ben)
    frames = cluster.rooms.registry.channels[room.id].frames
    cluster.b.logs.drop("bbbb")
    ann.elsewhere[room.id] = ""
    cluster.a.gateway.catch_up()
    asked = cluster.a.ask(ann, Move, **move(room, 0, 3))
    await settle()
    assert list(ann.asked) == [asked]
    assert taken(ann) == []
    room.attendance.connections = [0, 0]
    cluster.run_log("bbbb", cluster.b, [(room, frames)])
    cluster.a.gateway.catch_up()
    await settle()
    assert [m["type"] for m in taken(ann) if m["type"] != "presence"] == ["room_state", "move"]
    assert (ann.websocket.ended_with, ben.websocket.ended_with) == (0, 0)


async def test_without_a_lease_nobody_hears_that_a_room_is_unknown(cluster: Cluster) -> None:
    """Another node may have the log by then, and the room."""
    room, ann, _ = await two_players(cluster)
    bea = cluster.b.connect("Bea")
    await cluster.b.answer(bea, Watch, room=room.id)
    for peer in (ann, bea):
        taken(peer)
    cluster.b.may_serve = False
    for node, peer in ((cluster.a, ann), (cluster.b, bea)):
        node.ask(peer, Watch, room="bbbbnewroom1")
    cluster.b.gateway.catch_up()
    await settle()
    assert (taken(ann), taken(bea)) == ([], [])
    cluster.b.may_serve = True
    cluster.a.gateway.catch_up()
    cluster.b.gateway.catch_up()
    await settle()
    for peer in (ann, bea):
        assert [message.get("code") for message in taken(peer)] == ["unknown_room"]


async def test_requests_wait_for_an_owner_that_does_not_know_it_yet(cluster: Cluster) -> None:
    """Its gateway has read of the new owner before that has."""
    room, ann, ben = await two_players(cluster)
    frames = cluster.rooms.registry.channels[room.id].frames
    cluster.b.logs.drop("bbbb")
    cluster.b.send("a", items.pack((items.LOST, "bbbb")))
    await settle()
    assert ann.elsewhere == {room.id: ""}
    asked = cluster.a.ask(ann, Move, **move(room, 0, 3))
    cluster.a.gateway.catch_up()
    await settle()
    assert (ann.asked[asked].run, ann.elsewhere) == ("", {room.id: ""})
    assert (ann.websocket.ended_with, ben.websocket.ended_with) == (0, 0)
    room.attendance.connections = [0, 0]
    taken(ben)
    cluster.run_log("bbbb", cluster.b, [(room, frames)])
    cluster.a.gateway.catch_up()
    await settle()
    assert [m["type"] for m in taken(ann) if m["type"] != "presence"] == ["room_state", "move"]
    assert taken(ben)[0]["snapshot"]["moves"] == (3,)


async def test_an_owner_that_gets_its_log_back_is_asked_again(cluster: Cluster) -> None:
    """No gateway has seen another owner, so nothing but its word tells that requests were lost."""
    room, ann, ben = await two_players(cluster)
    cluster.store.hold()
    asked = cluster.a.ask(ann, Move, **move(room, 0, 3))
    resigned = cluster.a.ask(ben, Resign, room=room.id)
    await settle()
    assert [p.asked[i].run for p, i in ((ann, asked), (ben, resigned))] == ["b", "b"]
    cluster.b.logs.drop("bbbb")
    cluster.b.send("a", items.pack((items.LOST, "bbbb")))
    await settle()
    assert (ann.asked[asked].run, ann.websocket.ended_with) == ("", 0)
    assert ben.websocket.ended_with == CloseCode.RESTART


async def test_a_client_that_the_owner_does_not_know_is_introduced_again(
    cluster: Cluster,
) -> None:
    room, ann, ben = await two_players(cluster)
    cluster.b.far.gone("a", ann.number)
    await settle()
    taken(ben)
    answer = await cluster.a.answer(ann, Move, **move(room, 0, 3))
    assert answer["type"] == "move"
    assert room.attendance.connections == [1, 1]
    assert kinds(ben) == ["presence", "move"]
    assert ann.elsewhere == {room.id: "b"}
    cluster.b.far.gone("a", ann.number)
    ann.elsewhere[room.id] = ""
    cluster.a.gateway.catch_up()
    await settle()
    assert kinds(ann)[-1] == "room_state"
    assert ann.elsewhere == {room.id: "b"}


async def test_a_room_that_a_former_owner_has_shown_late_is_shown_again(cluster: Cluster) -> None:
    room, ann, _ = await two_players(cluster)
    del ann.elsewhere[room.id]
    cluster.a.gateway.take("c", [items.FOLLOWS, ann.number, room.id, True])
    await settle()
    assert ann.elsewhere == {room.id: "b"}
    assert kinds(ann) == ["room_state"]


async def test_own_requests_that_are_lost_with_a_log(cluster: Cluster) -> None:
    room = cluster.room("Ann", "Ben")
    ann, ben = cluster.b.connect("Ann"), cluster.b.connect("Ben")
    for peer in (ann, ben):
        await cluster.b.answer(peer, Resume, room=room.id, seq=0)
    # One that has waited for the rooms is known, and is sent to the next owner.
    frames = list(cluster.rooms.registry.channels[room.id].frames)
    del cluster.owners["bbbb"]
    cluster.b.logs.drop("bbbb")
    room.attendance.connections = [0, 0]
    asked = cluster.b.ask(ann, Move, **move(room, 0, 3))
    cluster.run_log("bbbb", cluster.b, [(room, frames)])
    cluster.store.hold()
    for _ in range(2):
        cluster.b.gateway.catch_up()
    await settle()
    assert ann.asked[asked].run == "b"
    cluster.b.gateway.lost_log("b", "bbbb")
    assert ann.asked[asked].run == ""
    assert room.match is not None
    assert room.match.ply == 1
    # Others were not kept: their clients come again.
    cluster.b.gateway.unanswered([(ann, asked), (ben, 77), (object(), 5)])
    assert (ann.websocket.ended_with, ben.websocket.ended_with) == (0, CloseCode.RESTART)


async def test_the_newer_login_wins(cluster: Cluster) -> None:
    room, ann, _ = await two_players(cluster)
    newer = cluster.b.connect("Ann", session=2, exclusive=True)
    assert cluster.b.logs.sessions.of("Ann") == (newer,)
    await cluster.b.answer(newer, Resume, room=room.id, seq=0)
    assert room.attendance.connections == [1, 1]
    # The older connection is still there, and its node introduces it again after a break.
    cluster.break_links()
    cluster.mend_links()
    cluster.a.ask(ann, Move, **move(room, 0, 3))
    await settle()
    assert cluster.b.logs.sessions.of("Ann") == (newer,)
    assert ann.websocket.ended_with == CloseCode.REPLACED


async def test_connections_of_one_player_at_two_nodes_play_one_game(cluster: Cluster) -> None:
    room, ann, ben = await two_players(cluster)
    phone = cluster.b.connect("Ann", session=2)
    await cluster.b.answer(phone, Resume, room=room.id, seq=0)
    assert (room.attendance.connections, taken(ann)) == ([2, 1], [])
    answer = await cluster.b.answer(phone, Move, **move(room, 0, 3))
    for other in (ann, ben):
        (event,) = taken(other)
        assert {**event, "id": answer["id"]} == answer
    repeated = await cluster.a.answer(ann, Move, **move(room, 0, 3))
    assert repeated["seq"] == answer["seq"]
    cluster.a.connections.lost(ann)
    await settle()
    assert room.attendance.connections == [1, 1]
    # The owner counts what all nodes pass on, so a second node gives no larger allowance.
    second = cluster.a.connect("Ann", session=3)
    phone.allowance.messages.charge(1e6)
    refused = await cluster.a.answer(second, Resume, room=room.id, seq=0)
    assert refused["code"] == "rate_limited"


async def test_a_room_that_has_ended_meanwhile_ends_the_connection(cluster: Cluster) -> None:
    room, ann, ben = await two_players(cluster)
    cluster.break_links()
    cluster.rooms.close(room, "An admin has closed the room.")
    await settle()
    cluster.mend_links()
    await settle()
    assert (ann.websocket.ended_with, ben.websocket.ended_with) == (CloseCode.RESTART,) * 2


async def test_a_new_connection_waits_a_while_for_a_leader(cluster: Cluster) -> None:
    del cluster.owners[LEADER]
    websocket = FakeWebSocket("doublecross.v1.msgpack")
    gateway = cluster.b.gateway
    gateway.open(GatewayPeer(websocket, LIMITS, cluster.time_s, 9, cluster.b.far.refusals))
    gateway.sweep()
    assert websocket.ended_with == 0
    cluster.time_s += EARLY_S + 1
    gateway.sweep()
    assert websocket.ended_with == CloseCode.RESTART
