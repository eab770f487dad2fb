"""A node shows the lobby to its clients: the leader sends it once, and then its changes."""

from __future__ import annotations

from collections.abc import Callable

import msgpack
import pytest

from doublecross.protocol.client_messages import CreateRoom, FollowLobby, Leave, Seek
from doublecross.protocol.common import EngineInfo, PlayerInfo
from doublecross.server.cluster.far_clients import items
from doublecross.server.cluster.gateway import lobby
from doublecross.server.cluster.gateway.gateway import PATIENCE_S
from doublecross.server.core.cluster_storage import LEADER
from doublecross.server.core.rating_book import RatedGame
from tests.cluster.world import World
from tests.server.playing import dots
from tests.server.world import World as Single


def asked(world: World) -> int:
    """Return how often node b has asked the leader for the lobby since the last call."""
    return [fields[0] for fields in world.network.sent("b", "a") if fields].count(items.LOBBY)


async def change(world: World, *names: str) -> None:
    """Let the leader tell of changes, and of changes of these players."""
    for name in names:
        world.authority.lobby_feed.player_changed(name)
    world.authority.sweep()
    await world.settle()


async def test_the_leader_sends_the_lobby_once_for_all_clients_of_a_node(world: World) -> None:
    ann, ben = world.connect("Ann", "b"), world.connect("Ben", "b", text=True)
    first = await world.answer(ann, FollowLobby)
    assert first["type"] == "lobby_state"
    world.network.sent("a", "b")
    state = await world.answer(ben, FollowLobby)
    assert {player["name"] for player in state["players"]} == {"Ann", "Ben"}
    assert state["players_total"] == 2
    assert asked(world) == 1
    world.authority.lobby.arrive(PlayerInfo(name="Cat", kind="human"))
    await change(world, "Cat")
    for client in (ann, ben):
        (told,) = client.take()
        assert [player["name"] for player in told["players"]] == ["Cat"]
    frames = [fields[2] for fields in world.network.sent("a", "b") if fields[0] == items.FRAME]
    assert frames == [[items.OF_NODE]]
    # Each one hears of changes until it stops to follow, or is gone.
    assert (await world.answer(ann, FollowLobby, on=False))["type"] == "done"
    world.authority.lobby.depart("Cat", 0)
    await change(world, "Cat")
    assert ([m["players_gone"] for m in ben.take()], ann.take()) == ([("Cat",)], [])
    ben.host.gateway.lost(ben.peer)
    await change(world, "Ann")
    assert ben.take() == []


async def test_requests_wait_until_the_lobby_is_known(world: World) -> None:
    ann, ben, cat = (world.connect(name, "b") for name in ("Ann", "Ben", "Cat"))
    gateway = ann.host.gateway
    world.disown(LEADER)
    on = world.ask(ann, FollowLobby)
    off = world.ask(ann, FollowLobby, on=False)
    world.ask(ben, FollowLobby)
    await world.settle()
    assert (ann.take(), ann.peer.waiting) == ([], 2)
    # But they do not wait for ever.
    world.time_s += PATIENCE_S
    late = world.ask(cat, FollowLobby)
    gateway.sweep()
    assert ben.take() == []
    gateway.lost(ben.peer)
    await world.move_leader("a")
    await world.reach(lambda: len(ann.messages) == 2 and cat.messages)
    assert [(m["type"], m["id"]) for m in ann.take()] == [("lobby_state", on), ("done", off)]
    assert (ann.peer.waiting, ben.take()) == (0, [])
    assert [m["id"] for m in cat.take()] == [late]
    world.disown(LEADER)
    await world.settle()
    late = world.ask(cat, FollowLobby)
    world.time_s += PATIENCE_S + 1
    gateway.sweep()
    (refused,) = cat.take()
    assert (refused["id"], refused["code"], cat.peer.waiting) == (late, "storage_failed", 0)


async def test_whoever_follows_gets_the_lobby_of_the_next_leader(world: World) -> None:
    ann = world.connect("Ann", "b")
    follows = [(await world.answer(ann, FollowLobby))["id"]]
    world.network.reset("a", "b")
    await world.settle()
    assert [m["id"] for m in ann.take() if m["type"] == "lobby_state"] == follows
    assert asked(world) == 2
    # What the former leader still says is ignored.
    await world.move_leader("b")
    assert [m["id"] for m in ann.take() if m["type"] == "lobby_state"] == follows
    ann.host.gateway.lobby.take("a", msgpack.packb({"type": "lobby_changed"}))


async def test_whoever_has_asked_for_too_much_has_to_wait(world: World) -> None:
    ann = world.connect("Ann", "b")
    await world.answer(ann, FollowLobby)
    ann.peer.allowance.answers.charge(1e9)
    assert (await world.answer(ann, FollowLobby))["code"] == "rate_limited"


async def test_the_node_shows_what_the_leader_would_show(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever happens, a newcomer sees the same as one who has asked the leader itself."""
    for name, most in (("PLAYERS", 3), ("ROOMS", 2), ("SEEKS", 2), ("RATINGS", 4)):
        monkeypatch.setattr(f"doublecross.server.shell.lobby.listing.MAX_{name}", most)
    world = await Single().start()
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


async def test_who_stops_to_follow_before_the_answer_does_not_follow(world: World) -> None:
    """The node answers those who have waited one after the other, because there may be many."""
    ann = world.connect("Ann", "b")
    on = world.ask(ann, FollowLobby)
    gateway = ann.host.gateway.lobby
    turns: list[Callable[[], None]] = []
    gateway._turns.wait = lambda _, answer: turns.append(answer)  # type: ignore[method-assign]
    await world.settle()
    assert (len(turns), ann.take()) == (1, [])
    off = world.ask(ann, FollowLobby, on=False)
    turns[0]()
    assert [m["id"] for m in ann.take()] == [on, off]
    assert ann.peer not in gateway._followers


@pytest.mark.parametrize("fails", [False, True])
async def test_the_leader_shows_a_node_only_what_is_stored(world: World, fails: bool) -> None:
    ann, *hosts = (world.connect(name, "b") for name in ("Ann", "Ben", "Cat", "Dan"))
    store = world.stores[LEADER]

    def shown() -> set[str]:
        messages = [m for m in ann.messages if m["type"] in ("lobby_state", "lobby_changed")]
        return {seek["player"]["name"] for message in messages for seek in message["seeks"]}

    store.hold()
    if fails:
        store.fail_next()
    world.ask(hosts[0], Seek, key="k", settings=dots())
    await world.settle()
    world.ask(ann, FollowLobby)
    await world.settle()
    for host in hosts[1:]:
        world.ask(host, Seek, key="k", settings=dots())
        await world.settle()
        store.release()
        store.hold()
        await world.settle()
    assert [m["type"] for m in ann.messages] == ["lobby_state"]
    assert shown() == (set() if fails else {"Ben"})
    store.release()
    await world.settle()
    await change(world)
    assert shown() == ({"Dan"} if fails else {"Ben", "Cat", "Dan"})
