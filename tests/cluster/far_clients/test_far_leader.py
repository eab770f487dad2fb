"""Clients of one node log in at the leader on another node, and meet there."""

from __future__ import annotations

from collections.abc import AsyncIterator
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
from doublecross.protocol.common import DAY_MS, MatchSettings, PlayerInfo, TimeControl
from doublecross.protocol.version import PROTOCOL_VERSION, CloseCode
from doublecross.server.cluster.far_clients import items
from doublecross.server.cluster.gateway.peer import Asked, GatewayPeer
from doublecross.server.cluster.leader.connections import show
from doublecross.server.core.cluster_storage import LEADER
from doublecross.server.core.rooms.room import Room
from doublecross.server.core.rooms.sleeping import asleep
from doublecross.server.shell.authority import Authority
from tests.cluster.far_clients.nodes import Cluster, FakeWebSocket, Node, kinds, settle, taken
from tests.server.playing import T0, TIMES, dots


@pytest.fixture
async def cluster() -> AsyncIterator[Cluster]:
    made = Cluster()
    made.run_leader(made.a)
    yield made
    await made.close()


def authority(node: Node) -> Authority:
    assert node.leader is not None
    return node.leader.authority


def hello(name: str | None = None, **more: Any) -> Hello:
    return Hello(id=1, protocol=PROTOCOL_VERSION, kind="human", name=name, **more)


async def login(node: Node, name: str, **more: Any) -> tuple[GatewayPeer, FakeWebSocket, str]:
    """Return a client that has said hello, and its token."""
    peer, websocket = node.open()
    websocket.say(hello(name, **more))
    await settle()
    (welcome,) = taken(peer)
    assert (welcome["type"], welcome["player"]["name"]) == ("welcome", name)
    return peer, websocket, welcome["token"]


async def test_a_hello_reaches_the_leader(cluster: Cluster) -> None:
    peer, websocket = cluster.b.open(text=True)
    websocket.say(Ping(id=7))
    websocket.say(Hello(id=1, protocol=PROTOCOL_VERSION, kind="human", token="x" * 22))
    websocket.say(hello("Ann"))
    await settle()
    first, second, welcome = taken(peer)
    assert (first["id"], first["code"]) == (7, "hello_first")
    assert second["code"] == "bad_token"
    assert welcome["type"] == "welcome"
    assert peer.name == "Ann"
    assert set(authority(cluster.a).peers.sessions) == {"Ann"}
    websocket.say(Ping(id=8))
    assert kinds(peer) == ["pong"]
    cluster.b.connections.lost(peer)
    await settle()
    assert not authority(cluster.a).peers.sessions
    assert not cluster.b.connections.peers


async def test_requests_may_follow_the_hello_at_once(cluster: Cluster) -> None:
    room = cluster.room("Bea", "Ben")
    peer, websocket = cluster.a.open()
    websocket.say(hello("Ann"))
    websocket.say(Watch(id=2, room=room.id))
    websocket.say(FollowLobby(id=3))
    await settle()
    await settle()
    got = {m.get("id"): m["type"] for m in taken(peer) if m.get("id")}
    assert got == {1: "welcome", 2: "room_state", 3: "lobby_state"}
    assert peer.elsewhere == {room.id: "b"}
    assert not peer.asked


async def test_whoever_says_more_than_hello_waits_for_a_leader_too(cluster: Cluster) -> None:
    del cluster.owners[LEADER]
    peer, websocket = cluster.b.open()
    websocket.say(hello("Ann"))
    websocket.say(Ping(id=7))
    cluster.owners[LEADER] = "a"
    cluster.b.gateway.catch_up()
    await settle()
    assert sorted(message["id"] for message in taken(peer)) == [1, 7]


async def test_a_change_of_the_lobby_crosses_once_for_all_who_follow_at_a_node(
    cluster: Cluster,
) -> None:
    followers = []
    for name in ("Ann", "Ben", "Cat"):
        peer, websocket, _ = await login(cluster.b, name)
        websocket.say(FollowLobby(id=2))
        await settle()
        authority(cluster.a).sweep()
        await settle()
        followers.append(peer)
    for peer in followers:
        taken(peer)
    wire = cluster.wires["a", "b"]
    await login(cluster.a, "Dan")
    wire.sent.clear()
    authority(cluster.a).sweep()
    await settle()
    assert [len(taken(peer)) for peer in followers] == [1, 1, 1]
    frames = [fields for fields in wire.sent if fields[0] == items.FRAME]
    assert [fields[2] for fields in frames] == [[items.OF_NODE]]


async def test_the_leader_moves_and_nobody_has_to_log_in_again(cluster: Cluster) -> None:
    ann, websocket, _ = await login(cluster.a, "Ann")
    ben, other, _ = await login(cluster.b, "Ben")
    websocket.say(FollowLobby(id=2))
    await settle()
    taken(ann)
    half, waiting = cluster.b.open()
    # The leader dies with a request that it never got.
    cluster.wires["b", "a"].lose = lambda _: True
    settings = MatchSettings(game="dots-and-boxes", params={"rows": 2, "cols": 2})
    other.say(QuickMatch(id=5, key="q", settings=settings))
    await settle()
    cluster.wires["b", "a"].lose = lambda _: False
    cluster.break_links()
    cluster.a.gateway.link_broke("a")
    assert waiting.ended_with == 0
    assert half.introduction is None
    cluster.run_leader(cluster.b)
    cluster.mend_links()
    await settle()
    leader = authority(cluster.b)
    assert set(leader.peers.sessions) == {"Ann", "Ben"}
    assert kinds(ann)[0] == "lobby_state"
    (posted,) = taken(ben)
    assert (posted["type"], posted["id"]) == ("seek_posted", 5)
    assert not ben.asked
    websocket.say(Seek(id=6, key="s", settings=settings))
    await settle()
    assert "seek_posted" in kinds(ann)
    assert (websocket.ended_with, other.ended_with) == (0, 0)


async def test_the_older_of_two_logins_does_not_come_back(cluster: Cluster) -> None:
    """Its node may not know yet that the leader has ended it."""
    first, websocket, _ = await login(cluster.b, "Ann", key="key-of-Ann-123456")
    cluster.wires["a", "b"].lose = lambda _: True
    second, newer = cluster.a.open()
    newer.say(hello("Ann", key="key-of-Ann-123456", exclusive=True))
    await settle()
    assert kinds(second) == ["welcome"]
    assert websocket.ended_with == 0
    cluster.wires["a", "b"].lose = lambda _: False
    cluster.break_links()
    cluster.a.gateway.link_broke("a")
    cluster.run_leader(cluster.b)
    cluster.mend_links()
    await settle()
    assert (websocket.ended_with, newer.ended_with) == (CloseCode.REPLACED, 0)
    assert first.name == second.name == "Ann"


def show_in_lobby(cluster: Cluster, *rooms: Room) -> None:
    """Let the leader know rooms in which Ann has a seat."""
    lobby = authority(cluster.a).lobby
    for each in rooms:
        known, _ = Room.open(each.terms, TIMES, T0)
        known.sit(PlayerInfo(name="Ann", kind="human"), 0, T0)
        lobby.rooms.add(known)
        lobby.rooms.seat_taken(known, "Ann")


async def test_a_room_that_was_shown_during_a_break_is_shown_after_it(cluster: Cluster) -> None:
    """The leader has opened it, for example for a tournament, and nobody has asked for it."""
    ann, _, _ = await login(cluster.a, "Ann")
    cluster.break_links()
    room, left = cluster.room("Ann", "Ben"), cluster.room("Ann", "Ben")
    left.attendance.left[0] = True  # the leader does not know it yet
    leader = cluster.a.leader
    assert leader is not None
    peer = leader.authority.peers.of("Ann")[-1]
    show(peer, room.id, None)
    show(peer, left.id, None)
    asked = QuickMatch(id=7, key="k", settings=dots())
    ann.asked[7], ann.waiting = Asked(LEADER, asked, b"", 0.0, "a"), 1
    other = cluster.room("Ann", "Eve")
    show(peer, other.id, 7)
    await settle()
    assert kinds(ann) == []
    cluster.mend_links()
    await settle()
    states = [message for message in taken(ann) if message["type"] == "room_state"]
    assert [(each["room"], each.get("id")) for each in states] == [(room.id, None), (other.id, 7)]
    assert (ann.elsewhere, ann.offered) == ({room.id: "b", other.id: "b"}, set())
    # What a client follows already is not shown once more.
    cluster.a.gateway.catch_up()
    await settle()
    assert kinds(ann) == []


async def test_a_room_of_its_own_node_is_shown_after_a_break_of_the_leader(
    cluster: Cluster,
) -> None:
    ann, _, _ = await login(cluster.b, "Ann")
    cluster.break_links()
    room, left = cluster.room("Ann", "Ben"), cluster.room("Ann", "Ben")
    await settle()
    cluster.rooms.depart(ann)
    taken(ann)
    left.attendance.left[0] = True
    show_in_lobby(cluster, room, left)
    cluster.mend_links()
    await settle()
    state, presence = taken(ann)
    assert presence["type"] == "presence"
    assert (state["type"], state["room"], state["seat"]) == ("room_state", room.id, 0)
    assert (ann.elsewhere, ann.offered) == ({}, set())


@pytest.mark.parametrize("first", ["a", "b"])
async def test_two_leaders_that_answer_a_hello_say_welcome_once(
    cluster: Cluster, first: str
) -> None:
    """The answer of the former one was under way for longer than its lease."""
    late: list[list[Any]] = []
    cluster.wires["a", "b"].lose = lambda fields: late.append(fields) or True
    peer, websocket = cluster.b.open()
    websocket.say(hello("Ann", key="key-of-Ann-123456"))
    await settle()
    cluster.run_leader(cluster.b)
    cluster.b.gateway.catch_up()
    if first == "b":
        await settle()
    for fields in late:
        cluster.b.gateway.take("a", fields)
    await settle()
    assert kinds(peer) == ["welcome"]
    assert peer.leader == "b"


async def test_a_room_is_shown_if_the_leader_knew_its_player_too_late(cluster: Cluster) -> None:
    """It could not answer yet when the client was introduced, but when it was asked for rooms."""
    room = cluster.room("Ann", "Ben")
    ann, _, _ = await login(cluster.b, "Ann")
    cluster.break_links()
    show_in_lobby(cluster, room)
    cluster.wires["b", "a"].lose = lambda fields: fields[0] == items.BACK
    cluster.mend_links()
    await settle()
    cluster.wires["b", "a"].lose = lambda _: False
    cluster.b.gateway.take("a", [items.NOT_YET, ann.number])
    cluster.b.gateway.catch_up()  # the leader says that it runs
    await settle()
    assert [m["room"] for m in taken(ann) if m["type"] == "room_state"] == [room.id]


@pytest.mark.parametrize("node", ["a", "b"])
async def test_a_room_that_fell_asleep_before_it_was_shown_is_woken(
    cluster: Cluster, node: str
) -> None:
    """A link was broken between its opening and the answer."""
    days = dots().model_copy(update={"time": TimeControl(move_ms=DAY_MS)})
    room = cluster.room("Ann", "Ben", settings=days)
    await settle()
    registry = cluster.rooms.registry
    channel = registry.channels[room.id]
    cluster.store.sleeping.all[room.id] = asleep(room, channel.frames)
    registry.close(channel)
    home = getattr(cluster, node)
    ann, websocket, _ = await login(home, "Ann")
    cluster.wires[node, "a"].lose = lambda _: True
    websocket.say(QuickMatch(id=7, key="k", settings=days))
    await settle()
    home.gateway.take("a", [items.SHOWING, ann.number, room.id, 7])
    await settle()
    await settle()
    assert [(m["type"], m["id"]) for m in taken(ann) if "id" in m] == [("room_state", 7)]
    assert not ann.asked


async def test_a_node_that_is_the_leader_again_is_told_everything_again(cluster: Cluster) -> None:
    """It has forgotten all clients, and its run is the owner as before."""
    ben, websocket, _ = await login(cluster.b, "Ben")
    waiting, half = cluster.b.open()
    cluster.wires["b", "a"].lose = lambda _: True
    websocket.say(FollowLobby(id=5))
    half.say(hello("Cat"))
    await settle()
    cluster.wires["b", "a"].lose = lambda _: False
    cluster.run_leader(cluster.a)
    cluster.b.gateway.take("a", [items.LOST, LEADER])
    cluster.b.gateway.catch_up()
    await settle()
    assert set(authority(cluster.a).peers.sessions) == {"Ben", "Cat"}
    assert kinds(ben) == ["lobby_state"]
    assert not ben.asked
    assert (waiting.player.name, kinds(waiting)) == ("Cat", ["welcome"])  # type: ignore[union-attr]
    assert (half.ended_with, websocket.ended_with) == (0, 0)


async def test_who_has_not_logged_in_waits_for_the_next_leader(cluster: Cluster) -> None:
    """The former leader knew of the connection, the next one does not. No link has broken yet."""
    peer, websocket = cluster.b.open()
    cluster.wires["b", "a"].lose = lambda _: True
    websocket.say(hello("Ann"))
    await settle()
    cluster.wires["b", "a"].lose = lambda _: False
    cluster.run_leader(cluster.b)
    cluster.b.gateway.catch_up()
    await settle()
    assert kinds(peer) == ["welcome"]


@pytest.mark.parametrize("answered", [False, True])
async def test_only_a_hello_is_said_again_to_the_next_leader(
    cluster: Cluster, answered: bool
) -> None:
    """Nobody knows what the former leader has done for this client."""
    _, websocket = cluster.b.open()
    websocket.say(Ping(id=7) if answered else hello("Ann"))
    if answered:
        await settle()
    else:
        websocket.say(QuickMatch(id=2, key="k", settings=dots()))
    cluster.run_leader(cluster.b)
    cluster.b.gateway.link_broke("a")
    assert websocket.ended_with == CloseCode.RESTART


async def test_a_request_to_a_new_leader_does_not_keep_the_lobby_from_being_followed(
    cluster: Cluster,
) -> None:
    """A node knows that it is the leader before it catches up, and clients go on meanwhile."""
    ann, websocket, _ = await login(cluster.b, "Ann")
    websocket.say(FollowLobby(id=2))
    await settle()
    taken(ann)
    cluster.run_leader(cluster.b)
    websocket.say(GetGames(id=3))
    cluster.b.gateway.catch_up()
    await settle()
    assert sorted(message["id"] for message in taken(ann) if "id" in message) == [2, 3]
    await login(cluster.b, "Ben")
    authority(cluster.b).sweep()
    await settle()
    assert kinds(ann) == ["lobby_changed"]


async def test_a_leader_hears_of_the_end_of_a_connection_while_its_lease_seems_to_have_lapsed(
    cluster: Cluster,
) -> None:
    """It may renew its lease a moment later, and would count the player as connected for ever."""
    ann, _, _ = await login(cluster.b, "Ann")
    early, _ = cluster.b.open()
    del cluster.owners[LEADER]
    cluster.b.connections.lost(ann)
    cluster.b.connections.lost(early)
    cluster.owners[LEADER] = "a"
    await settle()
    leader = cluster.a.leader
    assert leader is not None
    assert not authority(cluster.a).peers.sessions
    assert leader.peer_of("b", early.number) is None


async def test_a_node_that_is_the_leader_again_says_again_who_has_seats(cluster: Cluster) -> None:
    await login(cluster.b, "Ann")
    cluster.b.gateway.catch_up()
    await settle()
    cluster.run_leader(cluster.a)
    cluster.wires["b", "a"].sent.clear()
    cluster.b.gateway.take("a", [items.LOST, LEADER])
    cluster.b.gateway.catch_up()
    assert [fields[0] for fields in cluster.wires["b", "a"].sent] == [items.BACK, items.ROOMS]


async def test_a_leader_forgets_the_logins_of_players_who_have_left(cluster: Cluster) -> None:
    first, websocket, _ = await login(cluster.b, "Ann", key="key-of-Ann-123456")
    second, newer = cluster.a.open()
    newer.say(hello("Ann", key="key-of-Ann-123456", exclusive=True))
    await settle()
    assert kinds(second) == ["welcome"]
    assert websocket.ended_with == CloseCode.REPLACED
    leader = cluster.a.leader
    assert leader is not None
    cluster.b.connections.lost(first)
    await settle()
    assert set(leader.authority.peers.sessions) == {"Ann"}
    assert [peer.name for peer in leader.peers] == ["Ann"]
    cluster.a.connections.lost(second)
    await settle()
    assert not leader.peers
