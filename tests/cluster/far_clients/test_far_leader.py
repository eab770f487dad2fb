"""Clients of one node log in at the leader on another node, and meet there."""

from __future__ import annotations

from typing import Any

import pytest

from doublecross.protocol.client_messages import (
    FollowLobby,
    GetGames,
    Hello,
    Ping,
    QuickMatch,
    Seek,
    Watch,
)
from doublecross.protocol.common import DAY_MS, PlayerInfo, TimeControl
from doublecross.protocol.version import PROTOCOL_VERSION, CloseCode
from doublecross.server.cluster.far_clients import items
from doublecross.server.cluster.gateway.peer import Asked
from doublecross.server.cluster.leader.connections import show
from doublecross.server.core.cluster_storage import LEADER
from doublecross.server.core.rooms.room import Room
from doublecross.server.core.rooms.sleeping import asleep
from tests.cluster.hosts import Client
from tests.cluster.world import World
from tests.server.playing import T0, TIMES, dots

KEY = "key-of-Ann-123456"


def hello(name: str | None = None, **more: Any) -> Hello:
    return Hello(id=1, protocol=PROTOCOL_VERSION, kind="human", name=name, **more)


def online(world: World) -> set[str]:
    return set(world.authority.peers.sessions)


async def login(world: World, run: str, name: str, **more: Any) -> Client:
    """Return a client that has said hello."""
    peer, websocket = world.nodes[run].open()
    websocket.say(hello(name, **more))
    await world.settle()
    client = Client(world.nodes[run], peer, websocket)
    (welcome,) = client.take()
    assert (welcome["type"], welcome["player"]["name"]) == ("welcome", name)
    return client


async def test_a_hello_reaches_the_leader(world: World) -> None:
    host = world.nodes["b"]
    peer, websocket = host.open(text=True)
    websocket.say(Ping(id=7))
    websocket.say(hello(token="x" * 22))
    websocket.say(hello("Ann"))
    host.gateway.catch_up()  # this leader has been told everything
    await world.settle()
    first, second, welcome = websocket.sent
    assert (first["id"], first["code"]) == (7, "hello_first")
    assert second["code"] == "bad_token"
    assert welcome["type"] == "welcome"
    assert peer.name == "Ann"
    assert online(world) == {"Ann"}
    websocket.say(Ping(id=8))
    assert websocket.sent[3]["type"] == "pong"
    host.connections.lost(peer)
    await world.settle()
    assert not online(world)
    assert not host.connections.peers


async def test_requests_may_follow_the_hello_at_once(world: World) -> None:
    room = world.room("Bea", "Ben")
    peer, websocket = world.nodes["a"].open()
    for message in (hello("Ann"), Watch(id=2, room=room.id), FollowLobby(id=3)):
        websocket.say(message)
    await world.settle()
    got = {m.get("id"): m["type"] for m in websocket.sent if m.get("id")}
    assert got == {1: "welcome", 2: "room_state", 3: "lobby_state"}
    assert peer.elsewhere == {room.id: "b"}
    assert not peer.asked


async def test_whoever_says_more_than_hello_waits_for_a_leader_too(world: World) -> None:
    world.disown(LEADER)
    _, websocket = world.nodes["b"].open()
    websocket.say(hello("Ann"))
    websocket.say(Ping(id=7))
    await world.move_leader("a", "a", "c")
    world.tell("b")
    await world.settle()
    assert sorted(message["id"] for message in websocket.sent) == [1, 7]


async def test_the_leader_moves_and_nobody_has_to_log_in_again(world: World) -> None:
    ann, ben = await login(world, "a", "Ann"), await login(world, "b", "Ben")
    await world.answer(ann, FollowLobby)
    half, waiting = world.nodes["b"].open()
    # The leader dies with a request that it never got.
    world.network.lose["b", "a"] = lambda _: True
    asked = world.ask(ben, QuickMatch, key="q", settings=dots())
    await world.settle()
    world.network.lose.clear()
    world.network.reset("a", "b")
    await world.move_leader("b")
    assert waiting.ended_with == 0
    assert half.introduction is None
    assert online(world) == {"Ann", "Ben"}
    assert ann.kinds()[0] == "lobby_state"
    world.tick()
    await world.settle()
    (posted,) = ben.take()
    assert (posted["type"], posted["id"]) == ("seek_posted", asked)
    assert not ben.peer.asked
    assert (await world.answer(ann, Seek, key="s", settings=dots()))["type"] == "seek_posted"
    assert (ann.websocket.ended_with, ben.websocket.ended_with) == (0, 0)


async def test_the_older_of_two_logins_does_not_come_back(world: World) -> None:
    """Its node may not know yet that the leader has ended it."""
    first = await login(world, "b", "Ann", key=KEY)
    world.network.lose["a", "b"] = lambda _: True
    newer = await login(world, "c", "Ann", key=KEY, exclusive=True)
    assert first.websocket.ended_with == 0
    # The newer one is introduced to the next leader before the older one, and twice.
    world.network.lose["b", "c"] = lambda fields: fields[0] == items.BACK
    world.kill("a")
    await world.take_over("a", "c")
    world.network.lose.clear()
    newer.peer.leader = ""
    newer.host.gateway.catch_up()
    first.host.gateway.take("c", [items.NOT_YET, first.number])
    first.host.gateway.catch_up()
    await world.settle()
    assert (first.websocket.ended_with, newer.websocket.ended_with) == (CloseCode.REPLACED, 0)


def show_in_lobby(world: World, *rooms: Room) -> None:
    """Let the leader know rooms in which Ann has a seat."""
    lobby = world.authority.lobby
    for each in rooms:
        known, _ = Room.open(each.terms, TIMES, T0)
        known.sit(PlayerInfo(name="Ann", kind="human"), 0, T0)
        lobby.rooms.add(known)
        lobby.rooms.seat_taken(known, "Ann")


def wait_for(client: Client, request_id: int) -> None:
    """Let a client wait for what the leader does, which has its request."""
    asked = QuickMatch(id=request_id, key="k", settings=dots())
    client.peer.asked[request_id] = Asked(LEADER, asked, b"", 0.0, "a")
    client.peer.waiting += 1


async def test_a_room_that_was_shown_during_a_break_is_shown_after_it(world: World) -> None:
    """The leader has opened it, for example for a tournament, and nobody has asked for it."""
    ann = await login(world, "a", "Ann")
    world.network.cut("a", "b")
    room, left, other = (world.room("Ann", name) for name in ("Ben", "Ben", "Eve"))
    left.attendance.left[0] = True  # the leader does not know it yet
    peer = world.authority.peers.of("Ann")[-1]
    wait_for(ann, 7)
    for each, request_id in ((room, None), (left, None), (other, 7)):
        show(peer, each.id, request_id)
    await world.settle()
    assert ann.kinds() == []
    world.network.link("a", "b")
    await world.settle()
    states = [message for message in ann.take() if message["type"] == "room_state"]
    assert [(each["room"], each.get("id")) for each in states] == [(room.id, None), (other.id, 7)]
    assert ann.peer.elsewhere == {room.id: "b", other.id: "b"}
    assert ann.peer.offered == set()
    # What a client follows already is not shown once more.
    ann.host.gateway.catch_up()
    await world.settle()
    assert ann.kinds() == []


@pytest.mark.parametrize("first", ["a", "b"])
async def test_two_leaders_that_answer_a_hello_say_welcome_once(world: World, first: str) -> None:
    """The answer of the former one was under way for longer than its lease."""
    late: list[list[Any]] = []
    world.network.lose["a", "b"] = lambda fields: late.append(fields) or True
    host = world.nodes["b"]
    peer, websocket = host.open()
    websocket.say(hello("Ann", key=KEY))
    await world.settle()
    world.network.lose.clear()
    world.claim(LEADER, "b")
    host.gateway.catch_up()
    if first == "b":
        world.tell()
        await world.settle()
    for fields in late:
        host.gateway.take("a", fields)
    world.tell()
    await world.settle()
    assert [message["type"] for message in websocket.sent] == ["welcome"]
    assert peer.leader == "b"


async def test_a_room_is_shown_if_the_leader_knew_its_player_too_late(world: World) -> None:
    """It could not answer yet when the client was introduced, but when it was asked for rooms."""
    room = world.room("Ann", "Ben")
    ann = await login(world, "b", "Ann")
    world.network.cut("a", "b")
    show_in_lobby(world, room)
    world.network.lose["b", "a"] = lambda fields: fields[0] == items.BACK
    world.network.link("a", "b")
    await world.settle()
    world.network.lose.clear()
    ann.host.gateway.take("a", [items.NOT_YET, ann.number])
    ann.host.gateway.catch_up()  # the leader says that it runs
    await world.settle()
    assert [m["room"] for m in ann.take() if m["type"] == "room_state"] == [room.id]


@pytest.mark.parametrize("run", ["a", "b"])
async def test_a_room_that_fell_asleep_before_it_was_shown_is_woken(world: World, run: str) -> None:
    """A link was broken between its opening and the answer."""
    days = dots().model_copy(update={"time": TimeControl(move_ms=DAY_MS)})
    room = world.room("Ann", "Ben", settings=days)
    await world.settle()
    registry = world.side("bbbb").rooms.registry
    channel = registry.channels[room.id]
    world.tables.sleeping.all[room.id] = asleep(room, channel.frames)
    registry.close(channel)
    ann = await login(world, run, "Ann")
    wait_for(ann, 7)
    ann.host.gateway.take("a", [items.SHOWING, ann.number, room.id, 7])
    await world.until()
    assert [(m["type"], m["id"]) for m in ann.take() if "id" in m] == [("room_state", 7)]
    assert not ann.peer.asked


async def test_a_node_that_is_the_leader_again_is_told_everything_again(world: World) -> None:
    """It has forgotten all clients, and its run is the owner as before."""
    ben = await login(world, "b", "Ben")
    waiting, half = world.nodes["b"].open()
    world.network.lose["b", "a"] = lambda _: True
    world.ask(ben, FollowLobby)
    half.say(hello("Cat"))
    await world.settle()
    world.network.lose.clear()
    world.network.sent("b", "a")
    world.nodes["a"].node.lost(LEADER)
    await world.move_leader("a")
    assert online(world) == {"Ben", "Cat"}
    assert items.ROOMS in [fields[0] for fields in world.network.sent("b", "a") if fields]
    assert ben.kinds() == ["lobby_state"]
    assert not ben.peer.asked
    assert waiting.name == "Cat"
    assert [message["type"] for message in half.sent] == ["welcome"]
    assert (half.ended_with, ben.websocket.ended_with) == (0, 0)


@pytest.mark.parametrize("answered", [False, True])
async def test_only_a_hello_is_said_again_to_the_next_leader(world: World, answered: bool) -> None:
    """Nobody knows what the former leader has done for this client."""
    _, websocket = world.nodes["b"].open()
    websocket.say(Ping(id=7) if answered else hello("Ann"))
    if answered:
        await world.settle()
    else:
        websocket.say(QuickMatch(id=2, key="k", settings=dots()))
    world.network.cut("a", "b")
    assert websocket.ended_with == CloseCode.RESTART


async def test_a_request_to_a_new_leader_does_not_keep_the_lobby_from_being_followed(
    world: World,
) -> None:
    """A node knows that it is the leader before it catches up, and clients go on meanwhile."""
    ann = await login(world, "b", "Ann")
    follows = (await world.answer(ann, FollowLobby))["id"]
    world.claim(LEADER, "b")
    asked = world.ask(ann, GetGames)
    world.tell()
    await world.settle()
    assert {message["id"] for message in ann.take() if "id" in message} == {follows, asked}
    await login(world, "b", "Ben")
    world.authority.sweep()
    await world.settle()
    assert ann.kinds() == ["lobby_changed"]


async def test_a_leader_hears_of_the_end_of_a_connection_while_its_lease_seems_to_have_lapsed(
    world: World,
) -> None:
    """It may renew its lease a moment later, and would count the player as connected for ever."""
    ann = await login(world, "b", "Ann")
    early, _ = ann.host.open()
    del ann.host.node._owners[LEADER]
    for peer in (ann.peer, early):
        ann.host.connections.lost(peer)
    await world.settle()
    assert not online(world)
    assert world.leader.connections.peer_of("b", early.number) is None


async def test_a_leader_forgets_the_logins_of_players_who_have_left(world: World) -> None:
    first = await login(world, "b", "Ann", key=KEY)
    newer = await login(world, "a", "Ann", key=KEY, exclusive=True)
    assert first.websocket.ended_with == CloseCode.REPLACED
    connections = world.leader.connections
    for client, left in ((first, ["Ann"]), (newer, [])):
        client.host.connections.lost(client.peer)
        await world.settle()
        assert [*online(world)] == [peer.name for peer in connections.peers] == left
