"""Players on one node play in rooms of another node."""

from __future__ import annotations

import asyncio
from typing import Any

from doublecross.protocol.client_messages import Leave, Move, Ping, Resign, Resume, Watch
from doublecross.protocol.version import CloseCode
from doublecross.server.cluster.far_clients import items
from doublecross.server.cluster.gateway.gateway import EARLY_S, PATIENCE_S
from doublecross.server.core.cluster_storage import LEADER
from doublecross.server.core.rooms.room import Room
from tests.cluster.hosts import Client
from tests.cluster.world import World
from tests.fakes.store import FakeStore


def move(room: Room, ply: int, action: int) -> dict[str, Any]:
    return {"room": room.id, "match": 1, "ply": ply, "action": action}


async def two_players(world: World, run: str = "a") -> tuple[Room, Client, Client]:
    """Return a room of node b, with both of its players on one node."""
    room = world.room("Ann", "Ben")
    ann, ben = world.connect("Ann", run), world.connect("Ben", run)
    for client in (ann, ben):
        shown = await world.answer(client, Resume, room=room.id, seq=0)
        assert (shown["type"], shown["seat"]) == ("room_state", room.seat_of(client.name))
    ann.take()
    return room, ann, ben


async def test_an_event_crosses_once_for_all_who_watch(world: World) -> None:
    room, ann, _ = await two_players(world)
    crowd = [world.connect(f"Eve{n}", "a", text=n % 2 == 1) for n in range(10)]
    for client in crowd:
        await world.answer(client, Watch, room=room.id)
    world.network.sent("b", "a")
    await world.answer(ann, Move, **move(room, 0, 3))
    assert [client.kinds()[-1] for client in crowd] == ["move"] * 10
    # One for the mover, one for Ben and the binary half of the crowd, and one in JSON.
    frames = [fields for fields in world.network.sent("b", "a") if fields[0] == items.FRAME]
    assert sorted(len(fields[2]) for fields in frames) == [1, 5, 6]


async def test_a_client_that_leaves_and_a_connection_that_is_lost_leave_the_room(
    world: World,
) -> None:
    room, ann, ben = await two_players(world)
    assert ann.peer.elsewhere == {room.id: "b"}
    ann.host.gateway.lost(ann.peer)
    await world.settle()
    assert room.attendance.connections == [0, 1]
    assert ben.kinds() == ["presence"]
    assert set(world.nodes["b"].logs.sessions) == {"Ben"}
    await world.answer(ben, Resign, room=room.id)
    assert (await world.answer(ben, Leave, room=room.id))["type"] == "done"
    assert ben.peer.elsewhere == {}


async def test_who_resigned_into_a_break_has_to_come_again(world: World) -> None:
    room, ann, ben = await two_players(world)
    world.network.lose["a", "b"] = lambda fields: fields[0] == items.ASKED
    world.ask(ann, Resign, room=room.id)
    world.ask(ben, Move, **move(room, 0, 3))
    world.network.cut("a", "b")
    assert (ann.websocket.ended_with, ben.websocket.ended_with) == (CloseCode.RESTART, 0)
    assert room.status == "playing"


async def test_requests_wait_for_an_owner_but_not_for_ever(world: World) -> None:
    room, ann, _ = await two_players(world)
    world.disown("bbbb")
    asked = world.ask(ann, Move, **move(room, 0, 3))
    other = world.ask(ann, Ping)
    assert [m["id"] for m in ann.take()] == [other]
    world.time_s += PATIENCE_S - 1
    ann.host.gateway.sweep()
    assert list(ann.peer.asked) == [asked]
    world.time_s += 2
    ann.host.gateway.sweep()
    (refused,) = ann.take()
    assert (refused["id"], refused["code"]) == (asked, "storage_failed")
    assert not ann.peer.asked


async def test_a_request_that_was_refused_is_answered_when_the_room_is_here(world: World) -> None:
    """Clients send a refused request again as it was."""
    room, ann, _ = await two_players(world)
    world.disown("bbbb")
    request = Resume(id=7, room=room.id, seq=0)
    data = ann.peer.codec.encode(request)
    ann.host.gateway.said(ann.peer, request, data)
    world.time_s += PATIENCE_S + 1
    ann.host.gateway.sweep()
    (refused,) = ann.take()
    assert refused["code"] == "storage_failed"
    await world.give("bbbb", "a")
    world.tell()
    await world.settle()
    ann.take()
    ann.host.gateway.said(ann.peer, request, data)
    await world.until()
    assert [(m["type"], m["id"]) for m in ann.take() if "id" in m] == [("room_state", 7)]


async def test_a_log_moves_to_another_node(world: World) -> None:
    """The room goes from b to a, where its players are; then no request crosses any more."""
    room, ann, ben = await two_players(world)
    bea = world.connect("Bea", "b")
    await world.answer(bea, Watch, room=room.id)
    for client in (ann, ben, bea):
        client.take()
    # A move that comes too late for b goes where the room is, even if nobody hears that from b.
    world.network.lose["b", "a"] = lambda fields: fields[0] in (items.LOST, items.BOUNCED)
    world.nodes["b"].node.lost("bbbb")
    assert bea.peer.elsewhere == {room.id: ""}
    asked = world.ask(ann, Move, **move(room, 0, 3))
    await world.settle()
    assert ann.peer.asked[asked].run == "b"
    await world.give("bbbb", "a")
    world.tell()
    await world.settle()
    assert [m.get("id") for m in ann.take() if m["type"] == "move"] == [asked]
    for client in (ben, bea):
        messages = client.take()
        state = next(m for m in messages if m["type"] == "room_state")
        moved = [m["action"] for m in messages if m["type"] == "move"]
        assert (*state["snapshot"]["moves"], *moved) == (3,)
    assert world.real(room.id).attendance.connections == [1, 1]
    assert ann.peer.elsewhere == {}
    assert bea.peer.elsewhere == {room.id: "a"}
    world.network.sent("a", "b")
    await world.answer(ben, Move, **move(room, 1, 4))
    assert len(world.network.sent("a", "b")) == 1  # the event for Bea


async def test_who_asks_while_a_log_is_given_up_gets_an_answer_that_can_be_read(
    world: World,
) -> None:
    room, ann, ben = await two_players(world)
    ben.take()
    owner = world.nodes["b"].node
    store = world.side("bbbb").rooms.committer.store
    assert isinstance(store, FakeStore)
    store.hold()
    world.ask(ann, Move, **move(room, 0, 3))
    asked = world.ask(ben, Resume, room=room.id, seq=0)
    await world.settle()
    giving = asyncio.ensure_future(owner.settle_log("bbbb"))
    await world.settle()
    store.release()
    await giving
    await world.settle()
    (answer,) = ben.answers(asked)
    assert answer["presence"]["spectators"] == 0


async def test_an_owner_that_gets_its_log_back_is_asked_again(world: World) -> None:
    """No gateway has seen another owner, so nothing but its word tells that requests were lost."""
    room, ann, ben = await two_players(world)
    ben.take()
    world.stores["bbbb"].hold()
    asked = world.ask(ann, Move, **move(room, 0, 3))
    resigned = world.ask(ben, Resign, room=room.id)
    await world.settle()
    assert [each.peer.asked[i].run for each, i in ((ann, asked), (ben, resigned))] == ["b", "b"]
    world.nodes["b"].node.lost("bbbb")
    await world.settle()
    assert (ann.peer.asked[asked].run, ann.websocket.ended_with) == ("", 0)
    assert ben.websocket.ended_with == CloseCode.RESTART
    # The owner still reads the rooms. It has to answer that, and requests wait for it.
    world.claim("bbbb", "b")
    ann.host.gateway.catch_up()
    assert ann.peer.elsewhere == {room.id: "b"}
    await world.until()
    assert [m["type"] for m in ann.take() if m["type"] != "presence"] == ["room_state", "move"]


async def test_without_a_lease_nobody_hears_that_a_room_is_unknown(world: World) -> None:
    """Another node may have the log by then, and the room."""
    room, ann, _ = await two_players(world)
    bea = world.connect("Bea", "b")
    await world.answer(bea, Watch, room=room.id)
    for client in (ann, bea):
        client.take()
    assert not bea.host.gateway._exists("zzzz")
    world.nodes["b"].holds = False
    assert bea.host.gateway._exists("zzzz")
    for client in (ann, bea):
        world.ask(client, Watch, room="bbbbnewroom1")
    bea.host.gateway.catch_up()
    await world.settle()
    assert (ann.take(), bea.take()) == ([], [])
    world.nodes["b"].holds = True
    world.nodes["b"].node.resumed()
    await world.settle()
    for client in (ann, bea):
        assert [message.get("code") for message in client.take()] == ["unknown_room"]


async def test_a_client_that_the_owner_does_not_know_is_introduced_again(world: World) -> None:
    room, ann, ben = await two_players(world)
    far = world.nodes["b"].far
    far.gone("a", ann.number)
    await world.settle()
    ben.take()
    answer = await world.answer(ann, Move, **move(room, 0, 3))
    assert answer["type"] == "move"
    assert room.attendance.connections == [1, 1]
    assert ben.kinds() == ["presence", "move"]
    assert ann.peer.elsewhere == {room.id: "b"}
    far.gone("a", ann.number)
    ann.peer.elsewhere[room.id] = ""
    ann.host.gateway.catch_up()
    await world.settle()
    assert ann.kinds()[-1] == "room_state"
    assert ann.peer.elsewhere == {room.id: "b"}


async def test_a_room_that_a_former_owner_has_shown_late_is_shown_again(world: World) -> None:
    room, ann, _ = await two_players(world)
    del ann.peer.elsewhere[room.id]
    ann.host.gateway.take("c", [items.FOLLOWS, ann.number, room.id, True])
    await world.settle()
    assert ann.peer.elsewhere == {room.id: "b"}
    assert ann.kinds() == ["room_state"]


async def test_own_requests_that_are_lost_with_a_log(world: World) -> None:
    room, ann, ben = await two_players(world, "b")
    gateway = ann.host.gateway
    # One that has waited for the rooms is known, and is sent to the next owner.
    world.disown("bbbb")
    asked = world.ask(ann, Move, **move(room, 0, 3))
    await world.give("bbbb", "b")
    world.stores["bbbb"].hold()
    await world.settle()
    assert ann.peer.asked[asked].run == "b"
    gateway.lost_log("b", "bbbb")
    assert ann.peer.asked[asked].run == ""
    assert world.real(room.id).match.ply == 1  # type: ignore[union-attr]
    # Others were not kept: their clients come again.
    gateway.unanswered([(ann.peer, asked), (ben.peer, 77), (object(), 5)])
    assert (ann.websocket.ended_with, ben.websocket.ended_with) == (0, CloseCode.RESTART)


async def test_the_newer_login_wins(world: World) -> None:
    room, ann, _ = await two_players(world)
    newer = world.connect("Ann", "b", session=2, exclusive=True)
    sessions = world.nodes["b"].logs.sessions
    assert sessions.of("Ann") == (newer.peer,)
    await world.answer(newer, Resume, room=room.id, seq=0)
    assert room.attendance.connections == [1, 1]
    # The older connection is still there, and its node introduces it again after a break.
    ann.peer.is_closing, ann.websocket.ended_with = False, 0
    world.network.reset("a", "b")
    world.ask(ann, Move, **move(room, 0, 3))
    await world.settle()
    assert sessions.of("Ann") == (newer.peer,)
    assert ann.websocket.ended_with == CloseCode.REPLACED


async def test_connections_of_one_player_at_two_nodes_play_one_game(world: World) -> None:
    room, ann, ben = await two_players(world)
    phone = world.connect("Ann", "b", session=2)
    await world.answer(phone, Resume, room=room.id, seq=0)
    assert (room.attendance.connections, ann.take()) == ([2, 1], [])
    answer = await world.answer(phone, Move, **move(room, 0, 3))
    for other in (ann, ben):
        (event,) = other.take()
        assert {**event, "id": answer["id"]} == answer
    repeated = await world.answer(ann, Move, **move(room, 0, 3))
    assert repeated["seq"] == answer["seq"]
    ann.host.connections.lost(ann.peer)
    await world.settle()
    assert room.attendance.connections == [1, 1]
    # The owner counts what all nodes pass on, so a second node gives no larger allowance.
    second = world.connect("Ann", "a", session=3)
    phone.peer.allowance.messages.charge(1e6)
    refused = await world.answer(second, Resume, room=room.id, seq=0)
    assert refused["code"] == "rate_limited"


async def test_a_room_that_has_ended_meanwhile_ends_the_connection(world: World) -> None:
    room, ann, ben = await two_players(world)
    world.network.cut("a", "b")
    world.close(room.id)
    await world.settle()
    world.network.link("a", "b")
    await world.settle()
    assert (ann.websocket.ended_with, ben.websocket.ended_with) == (CloseCode.RESTART,) * 2


async def test_a_new_connection_waits_a_while_for_a_leader(world: World) -> None:
    world.disown(LEADER)
    gateway = world.nodes["b"].gateway
    peer, websocket = world.nodes["b"].open()
    peer.last_message_s = world.time_s
    gateway.sweep()
    assert websocket.ended_with == 0
    world.time_s += EARLY_S + 1
    gateway.sweep()
    assert websocket.ended_with == CloseCode.RESTART
