"""A node shows the lobby to its clients: the leader sends it once, and then its changes."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable

import msgpack
import pytest

from doublecross.protocol.client_messages import CreateRoom, FollowLobby, Leave, Seek
from doublecross.protocol.common import EngineInfo, PlayerInfo
from doublecross.server.cluster.far_clients import items
from doublecross.server.cluster.gateway import lobby
from doublecross.server.cluster.gateway.gateway import PATIENCE_S
from doublecross.server.core.cluster_storage import LEADER
from doublecross.server.core.rating_book import RatedGame
from tests.cluster.far_clients.nodes import Cluster, settle, taken
from tests.cluster.far_clients.test_far_leader import login
from tests.server.playing import dots
from tests.server.world import World


@pytest.fixture
async def cluster() -> AsyncIterator[Cluster]:
    made = Cluster()
    made.run_leader(made.a)
    yield made
    await made.close()


def asked(cluster: Cluster) -> int:
    """Return how often the node has asked the leader for the lobby."""
    return [fields[0] for fields in cluster.wires["b", "a"].sent].count(items.LOBBY)


async def change(cluster: Cluster) -> None:
    leader = cluster.a.leader or cluster.b.leader
    assert leader is not None
    leader.authority.sweep()
    await settle()


async def test_the_leader_sends_the_lobby_once_for_all_clients_of_a_node(cluster: Cluster) -> None:
    ann, ben = cluster.b.connect("Ann"), cluster.b.connect("Ben", text=True)
    first = await cluster.b.answer(ann, FollowLobby)
    assert first["type"] == "lobby_state"
    leader = cluster.a.leader
    assert leader is not None
    leader.authority.lobby.arrive(PlayerInfo(name="Cat", kind="human"))
    leader.authority.lobby_feed.player_changed("Cat")
    await change(cluster)
    (told,) = taken(ann)
    assert [player["name"] for player in told["players"]] == ["Cat"]
    crossed = len(cluster.wires["a", "b"].sent)
    state = await cluster.b.answer(ben, FollowLobby)
    assert [player["name"] for player in state["players"]] == ["Cat"]
    assert state["players_total"] == 1
    assert (asked(cluster), len(cluster.wires["a", "b"].sent)) == (1, crossed)
    # Each one hears of changes until it stops to follow, or is gone.
    assert (await cluster.b.answer(ann, FollowLobby, on=False))["type"] == "done"
    leader.authority.lobby.depart("Cat", 0)
    leader.authority.lobby_feed.player_changed("Cat")
    await change(cluster)
    assert ([m["players_gone"] for m in taken(ben)], taken(ann)) == ([("Cat",)], [])
    cluster.b.gateway.lost(ben)
    leader.authority.lobby_feed.player_changed("Ann")
    await change(cluster)
    assert taken(ben) == []


async def test_requests_wait_until_the_lobby_is_known(cluster: Cluster) -> None:
    ann, ben = cluster.b.connect("Ann"), cluster.b.connect("Ben")
    cluster.owners.pop(LEADER)
    on = cluster.b.ask(ann, FollowLobby)
    off = cluster.b.ask(ann, FollowLobby, on=False)
    late = cluster.b.ask(ben, FollowLobby)
    await settle()
    assert (taken(ann), ann.waiting) == ([], 2)
    cluster.owners[LEADER] = "a"
    cluster.b.gateway.lost(ben)
    cluster.b.gateway.catch_up()
    await settle()
    assert [(m["type"], m["id"]) for m in taken(ann)] == [("lobby_state", on), ("done", off)]
    assert (ann.waiting, late in [m.get("id") for m in taken(ben)]) == (0, False)


async def test_a_request_that_waits_for_too_long_is_refused(cluster: Cluster) -> None:
    ann = cluster.b.connect("Ann")
    cluster.owners.pop(LEADER)
    request_id = cluster.b.ask(ann, FollowLobby)
    cluster.time_s += PATIENCE_S
    cluster.b.gateway.sweep()
    assert taken(ann) == []
    cluster.time_s += 1
    cluster.b.gateway.sweep()
    (refused,) = taken(ann)
    assert (refused["id"], refused["code"], ann.waiting) == (request_id, "storage_failed", 0)


async def test_whoever_follows_gets_the_lobby_of_the_next_leader(cluster: Cluster) -> None:
    ann = cluster.b.connect("Ann")
    state = await cluster.b.answer(ann, FollowLobby)
    cluster.break_links()
    cluster.mend_links()
    await settle()
    again = [m for m in taken(ann) if m["type"] == "lobby_state"]
    assert [m["id"] for m in again] == [state["id"]]
    assert asked(cluster) == 2
    # What the former leader still says is ignored.
    cluster.run_leader(cluster.b)
    cluster.b.gateway.catch_up()
    await settle()
    assert [m["id"] for m in taken(ann) if m["type"] == "lobby_state"] == [state["id"]]
    cluster.b.gateway.lobby.take("a", msgpack.packb({"type": "lobby_changed"}))


async def test_whoever_has_asked_for_too_much_has_to_wait(cluster: Cluster) -> None:
    ann = cluster.b.connect("Ann")
    await cluster.b.answer(ann, FollowLobby)
    ann.allowance.answers.charge(1e9)
    assert (await cluster.b.answer(ann, FollowLobby))["code"] == "rate_limited"


async def test_the_node_shows_what_the_leader_would_show(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever happens, a newcomer sees the same as one who has asked the leader itself."""
    for name, most in (("PLAYERS", 3), ("ROOMS", 2), ("SEEKS", 2), ("RATINGS", 4)):
        monkeypatch.setattr(f"doublecross.server.shell.lobby.listing.MAX_{name}", most)
    world = await World().start()
    feed = world.authority.lobby_feed
    follower = world.arrive("Zoe")
    await world.answer(follower, FollowLobby)
    mirror = lobby._Mirror(feed.state())
    monkeypatch.setitem(lobby._MOST, "seeks", 2)
    rating = RatedGame("g1", "dots-and-boxes", "5x5", ("Ann", "Bob"), ("", ""), 0, 1)
    world.authority.ratings.add(rating)

    async def compare() -> None:
        world.authority.sweep()
        await world.settle()
        for message in follower.take():
            if message["type"] == "lobby_changed":
                mirror.change(message)
        shown = msgpack.unpackb(mirror.frame(follower.codec))
        for name, wanted in msgpack.unpackb(feed.listing.frame(False)).items():
            if name == "ratings":
                # Of those who have gone, the node keeps them while they are in a room or a seek.
                assert set(map(str, wanted)) <= set(map(str, shown[name]))
            elif isinstance(wanted, list):
                assert sorted(map(str, shown[name])) == sorted(map(str, wanted)), name
            else:
                assert shown[name] == wanted

    await compare()
    ann, bob = world.arrive("Ann"), world.arrive("Bob")
    await compare()
    world.arrive("Cat")
    seek = await world.answer(ann, Seek, key="s", settings=dots())
    await compare()
    room = await world.answer(bob, CreateRoom, key="r", settings=dots())
    await world.answer(bob, CreateRoom, key="q", settings=dots())
    await world.answer(bob, CreateRoom, key="p", settings=dots())
    await compare()
    await world.answer(bob, Leave, room=room["room"])
    world.authority.depart(ann)
    await compare()
    world.arrive("Robot", bot=True)
    await compare()
    assert seek["seek"] in str(feed.state())
    assert EngineInfo(name="rules", version="1").model_dump() in [
        player["engine"] for player in feed.state()["players"]
    ]
    await world.stop()


async def test_who_stops_to_follow_before_the_answer_does_not_follow(cluster: Cluster) -> None:
    """The node answers those who have waited one after the other, because there may be many."""
    ann = cluster.b.connect("Ann")
    on = cluster.b.ask(ann, FollowLobby)
    gateway = cluster.b.gateway.lobby
    turns: list[Callable[[], None]] = []
    gateway._turns.wait = lambda _, answer: turns.append(answer)  # type: ignore[method-assign]
    await settle()
    assert (len(turns), taken(ann)) == (1, [])
    off = cluster.b.ask(ann, FollowLobby, on=False)
    turns[0]()
    assert [m["id"] for m in taken(ann)] == [on, off]
    assert ann not in gateway._followers


async def test_the_leader_shows_a_node_only_what_is_stored(cluster: Cluster) -> None:
    ann = cluster.b.connect("Ann")
    hosts = [await login(cluster.a, name) for name in ("Ben", "Cat", "Dan")]
    opening = iter(hosts)
    cluster.store.hold()

    async def open_room() -> None:
        peer, websocket, _ = next(opening)
        websocket.say(CreateRoom(id=9, key=peer.name, settings=dots()))
        await settle()

    await open_room()
    cluster.b.ask(ann, FollowLobby)
    await settle()
    for _ in range(2):
        await open_room()
        cluster.store.release()
        cluster.store.hold()
        await settle()
    state = next(m for m in taken(ann) if m["type"] == "lobby_state")
    shown = {each["name"] for room in state["rooms"] for each in room["players"] if each}
    # Dan's room is not stored yet.
    assert shown <= {"Ben", "Cat"}
    cluster.store.release()
    await change(cluster)
    changed = [m for m in taken(ann) if m["type"] == "lobby_changed"]
    rooms = [room for m in changed for room in m["rooms"]]
    shown |= {each["name"] for room in rooms for each in room["players"] if each}
    assert shown == {"Ben", "Cat", "Dan"}


async def test_the_leader_shows_a_node_nothing_that_could_not_be_stored(cluster: Cluster) -> None:
    ann = cluster.b.connect("Ann")
    _, websocket, _ = await login(cluster.a, "Ben")
    cluster.store.hold()
    cluster.store.fail_next()
    websocket.say(CreateRoom(id=9, key="k", settings=dots()))
    await settle()
    asked = cluster.b.ask(ann, FollowLobby)
    await settle()
    cluster.store.release()
    await settle()
    await settle()
    (state,) = (m for m in taken(ann) if m["type"] == "lobby_state")
    assert (state["id"], state["rooms"]) == (asked, ())
