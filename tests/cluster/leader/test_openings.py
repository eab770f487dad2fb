"""Rooms that are opened while their owner fails, dies, or cannot be reached."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from doublecross.protocol.client_messages import (
    AcceptChallenge,
    ArrangeMatch,
    CreateRoom,
    QuickMatch,
    Watch,
)
from tests.cluster.hosts import Client
from tests.cluster.world import World
from tests.server.playing import dots


async def seek_and_accept(world: World) -> tuple[Client, Client, int]:
    """Let Ann, at node b, seek a match, and Bob, at node a, accept; return Bob's request.

    The room is in the log of node b.
    """
    ann, bob = world.connect("Ann", "b"), world.connect("Bob", "a")
    world.ask(ann, QuickMatch, key="k1", settings=dots())
    await world.until()
    world.authority.sweep()  # posts it
    await world.until()
    return ann, bob, world.ask(bob, QuickMatch, key="k2", settings=dots())


def one(client: Client, request_id: int) -> dict[str, Any]:
    """Return the only answer to a request."""
    (answer,) = client.answers(request_id)
    return answer


async def test_nobody_reads_of_a_room_before_it_is_stored(world: World) -> None:
    world.stores["bbbb"].hold()
    _, bob, request_id = await seek_and_accept(world)
    await world.settle()
    rooms, feed = world.authority.lobby.rooms, world.authority.lobby_feed
    assert bob.answers(request_id) == []
    assert (len(rooms), feed.rooms(9)[0], list(rooms.of_player("Bob"))) == (1, [], [])
    assert list(rooms.newest_public()) == []
    assert feed.state()["rooms"] == ()
    (room,) = rooms.seated("Bob")
    assert not world.authority.all_rooms.is_stored(room)
    again = world.ask(bob, QuickMatch, key="k2", settings=dots())
    await world.settle()
    assert bob.answers(again) == []

    world.stores["bbbb"].release()
    await world.settle()
    assert one(bob, request_id)["room"] == one(bob, again)["room"] == room.id
    assert [r.id for r in rooms.of_player("Bob")] == [room.id]
    assert feed.state()["rooms"][0]["room"] == room.id
    assert world.leader.connections.peer_of(bob.run, bob.number).waiting == 0
    world.check_agreement()


@pytest.mark.parametrize("fate", ["commit fails", "owner dies", "link breaks"])
async def test_a_room_that_is_not_stored_is_undone(world: World, fate: str) -> None:
    store = world.stores["bbbb"]
    store.hold()
    if fate == "link breaks":  # the owner does not hear of the room
        world.network.hold("a", "b")
    ann, bob, request_id = await seek_and_accept(world)
    await world.settle()
    if fate == "commit fails":
        store.fail_next()
    elif fate == "owner dies":
        world.kill("b")
        await world.settle()
        assert bob.answers(request_id) == []  # its successor decides
        await world.take_over("b", "c")
    else:
        world.network.reset("a", "b")
    store.release()
    await world.settle()
    assert one(bob, request_id)["code"] == "storage_failed"
    assert not len(world.authority.lobby.rooms)
    assert [o.owner.name for o in world.authority.lobby.offers.seeks()] == ["Ann"]
    world.check_agreement()
    if fate == "commit fails":
        again = await world.answer(bob, QuickMatch, key="k3", settings=dots())
        assert again["type"] == "room_state"
        assert "room_state" in ann.kinds()


@pytest.mark.parametrize("fate", ["owner dies", "owner dies unheard", "link breaks"])
async def test_a_room_that_is_stored_is_shown_at_last(world: World, fate: str) -> None:
    """The leader reads a log after what it had opened before is stored."""
    store = world.stores["bbbb"]
    store.hold()
    _, bob, request_id = await seek_and_accept(world)
    await world.settle()
    if fate == "owner dies unheard":
        world.network.hold("b", "a")
    elif fate == "link breaks":
        world.network.reset("a", "b")
        await world.settle()
        assert bob.answers(request_id) == []
    store.release()
    await world.settle()
    if fate != "link breaks":
        assert bool(bob.answers(request_id)) is (fate == "owner dies")
        world.kill("b")
        await world.take_over("b", "c")
    room = world.shadow(one(bob, request_id)["room"])
    assert room.status == "playing"
    assert not len(world.authority.lobby.offers)
    world.check_agreement()


async def test_without_an_owner_nothing_opens(world: World) -> None:
    ann = world.connect("Ann", "a")
    seek = await world.answer(ann, QuickMatch, key="k1", settings=dots())
    bob = world.connect("Bob", "a")
    world.owners |= dict.fromkeys(("aaaa", "bbbb", "cccc"))
    world.tell()
    refused = await world.answer(bob, QuickMatch, key="k2", settings=dots())
    assert refused["code"] == "storage_failed"
    assert list(world.authority.lobby.offers) == [seek["seek"]]
    assert not len(world.authority.lobby.rooms)


@pytest.mark.parametrize("dies", [False, True])
async def test_an_arranged_match(world: World, dies: bool) -> None:
    ann = world.connect("Ann", "a")
    bots = [world.connect("Bot1", "c", bot=True), world.connect("Bot2", "b", bot=True)]
    asked = world.ask(ann, ArrangeMatch, key="k", players=("Bot1", "Bot2"), settings=dots())
    await world.settle()
    (notice,) = bots[0].take()
    if dies:
        world.stores["cccc"].hold()
    requests = [
        world.ask(bot, AcceptChallenge, key="k", challenge=notice["challenge"]) for bot in bots
    ]
    await world.settle()
    if not dies:
        room_id = one(ann, asked)["room"]
        assert {one(bot, r)["room"] for bot, r in zip(bots, requests, strict=True)} == {room_id}
        world.play(room_id)
        await world.settle()
        world.check_agreement()
        return
    world.kill("c")
    await world.take_over("c", "b")
    assert one(ann, asked)["code"] == one(bots[1], requests[1])["code"] == "storage_failed"
    assert not len(world.authority.lobby.rooms)


async def test_a_room_that_was_created_is_shown_again(world: World) -> None:
    """The same key shows the room, whether or not the leader can reach its owner now."""
    ann = world.connect("Ann", "b")
    made = await world.answer(ann, CreateRoom, key="k1", settings=dots(), seat=0)
    world.network.cut("a", "b")
    ann = world.connect("Ann", "c")
    again = await world.answer(ann, CreateRoom, key="k1", settings=dots(), seat=0)
    assert again["room"] == made["room"]


@pytest.mark.parametrize("comes_back", [False, True])
async def test_a_room_whose_player_has_gone_while_it_was_stored(
    world: World, comes_back: bool
) -> None:
    """Who comes back is shown it: the welcome does not list it yet, and nobody has asked there."""
    world.stores["bbbb"].hold()
    _, bob, _ = await seek_and_accept(world)
    await world.settle()
    world.drop(bob)
    again = world.connect("Bob", "c") if comes_back else None
    world.stores["bbbb"].release()
    await world.settle()
    (room,) = world.rooms()
    if again is not None:
        assert {m["room"] for m in again.take() if m["type"] == "room_state"} == {room.id}
        return
    assert (room.attendance.ready, room.attendance.wait_until) == ([True, True], 0)
    assert sorted(room.attendance.connections) == [0, 1]
    cat = world.connect("Cat", "c")
    assert (await world.answer(cat, Watch, room=room.id))["type"] == "room_state"
    world.check_agreement()


async def test_each_node_may_have_so_many_rooms(world: World) -> None:
    index = world.authority.lobby.rooms
    index.limits = replace(index.limits, rooms=1)
    nodes = {run for log, run in world.owners.items() if run is not None}
    assert index.nodes == len(nodes) > 1
    ann = world.connect("Ann", "b")
    for number in range(len(nodes)):
        opened = await world.answer(ann, CreateRoom, key=f"k{number}", settings=dots())
        assert opened["type"] == "room_state"
    full = await world.answer(ann, CreateRoom, key="one-too-many", settings=dots())
    assert full["code"] == "too_many"
