"""The listing of the lobby: shared while nothing changes, and always up to date."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from typing import Any

import msgpack
import pytest

from doublecross.protocol.client_messages import (
    CancelSeek,
    CreateRoom,
    FollowLobby,
    Leave,
    Resume,
    Seek,
)
from doublecross.server.core.rooms.snapshot import lobby_room
from doublecross.server.shell.lobby.listing import LobbyListing
from doublecross.server.shell.rooms.following import MOST_PRESENCES
from tests.fakes.peers import FakePeer
from tests.server.playing import dots
from tests.server.world import World


def listing(world: World) -> LobbyListing:
    return world.authority.lobby_feed.listing


def shown(world: World) -> dict[str, Any]:
    """Return the listing, which is the same in both codecs."""
    binary = msgpack.unpackb(listing(world).frame(False))
    assert json.loads(listing(world).frame(True)) == binary
    assert isinstance(binary, dict)
    return binary


async def test_all_who_ask_between_two_changes_share_one_picture(world: World) -> None:
    world.arrive("Ann")
    for text in (False, True):
        assert listing(world).frame(text) is listing(world).frame(text)


async def test_every_change_shows_in_the_next_picture(world: World) -> None:
    ann, bob = world.arrive("Ann"), world.arrive("Bob")
    assert [p["name"] for p in shown(world)["players"]] == ["Bob", "Ann"]
    seek = await world.answer(ann, Seek, key="s", settings=dots(2, 2))
    assert [s["seek"] for s in shown(world)["seeks"]] == [seek["seek"]]
    assert shown(world)["seeks_total"] == 1
    await world.answer(ann, CancelSeek, seek=seek["seek"])
    assert (shown(world)["seeks"], shown(world)["seeks_total"]) == ([], 0)
    room = await world.play_room(ann, bob, dots(rated=True))
    (line,) = shown(world)["rooms"]
    assert (line["status"], [p["name"] for p in line["players"]]) == ("playing", ["Ann", "Bob"])
    while room.status == "playing":
        assert room.match is not None
        mover = (ann, bob)[room.match.state.current_player()]
        world.move(mover, room, room.match.state.legal_actions()[0])
        await world.settle()
    after = shown(world)
    assert [line["status"] for line in after["rooms"]] == ["finished"]
    assert sorted(rating["player"] for rating in after["ratings"]) == ["Ann", "Bob"]
    world.authority.depart(bob)
    after = shown(world)
    assert [p["name"] for p in after["players"]] == ["Ann"]
    assert [rating["player"] for rating in after["ratings"]] == ["Ann"]
    await world.answer(ann, Leave, room=room.id)
    private = await world.answer(ann, CreateRoom, key="p", settings=dots(), private=True)
    after = shown(world)
    assert (private["room"] in str(after["rooms"]), after["rooms_total"]) == (False, 2)


async def test_a_room_that_was_not_stored_leaves_the_picture(world: World) -> None:
    ann = world.arrive("Ann")
    world.store.hold()
    world.store.fail_next()
    world.ask(ann, CreateRoom, key="k", settings=dots())
    assert len(shown(world)["rooms"]) == 1  # its answer waits for the commit
    world.store.release()
    await world.settle()
    assert shown(world)["rooms"] == []


async def test_a_room_is_encoded_again_only_when_its_line_changes(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    encoded: list[str] = []

    def counted(room: Any) -> Any:
        encoded.append(room.id)
        return lobby_room(room)

    monkeypatch.setattr("doublecross.server.shell.lobby.listing.lobby_room", counted)
    ann, _bob, room = await world.table()
    listing(world).frame(False)
    world.move(ann, room, 0)
    world.arrive("Cat")
    await world.settle()
    listing(world).frame(False)
    assert encoded == [room.id]


# -- what followers receive --------------------------------------------------------------------


async def follow(world: World, name: str) -> FakePeer:
    peer = world.arrive(name)
    await world.answer(peer, FollowLobby)
    world.authority.sweep()
    await world.settle()
    peer.take()
    return peer


async def test_a_seek_that_nobody_has_seen_is_never_sent(world: World) -> None:
    cat, ann = await follow(world, "Cat"), world.arrive("Ann")
    world.authority.sweep()
    await world.settle()
    cat.take()
    for number in range(5):
        seek = await world.answer(ann, Seek, key=f"k{number}", settings=dots())
        await world.answer(ann, CancelSeek, seek=seek["seek"])
    world.authority.sweep()
    await world.settle()
    assert cat.take() == []


@pytest.mark.parametrize("text", [False, True])
async def test_a_seek_that_a_picture_has_shown_is_sent_when_it_ends(
    world: World, text: bool
) -> None:
    await follow(world, "Cat")
    ann, dan = world.arrive("Ann"), world.arrive("Dan", text=text)
    seek = await world.answer(ann, Seek, key="k", settings=dots())
    state = await world.answer(dan, FollowLobby)
    assert len(state["seeks"]) == 1
    await world.answer(ann, CancelSeek, seek=seek["seek"])
    world.authority.sweep()
    await world.settle()
    (changed,) = dan.take()
    assert changed["seeks_gone"] == (seek["seek"],)


async def test_a_seek_that_ends_again_before_the_next_update_is_sent_too(world: World) -> None:
    """The room that has taken it could not be stored, so the seek was open again for a moment."""
    cat, ann = await follow(world, "Cat"), world.arrive("Ann")
    seek = await world.answer(ann, Seek, key="k", settings=dots())
    world.authority.sweep()
    await world.settle()
    cat.take()
    offer = world.authority.lobby.offers[seek["seek"]]
    for is_open in (False, True, False):
        world.authority.lobby_feed.seek_changed(offer, is_open)
    world.authority.sweep()
    await world.settle()
    (changed,) = cat.take()
    assert changed["seeks_gone"] == (seek["seek"],)


async def test_requests_for_the_lobby_send_no_update_to_all(world: World) -> None:
    cat = await follow(world, "Cat")
    ann = world.arrive("Ann")
    for number in range(5):
        await world.answer(ann, Seek, key=f"k{number}", settings=dots())
        await world.answer(ann, FollowLobby)
    assert cat.take() == []
    world.authority.sweep()
    await world.settle()
    (changed,) = cat.take()
    assert len(changed["seeks"]) == 5


async def test_a_player_who_comes_and_goes_does_not_flood_the_room(world: World) -> None:
    ann, bob, cat = world.arrive("Ann"), world.arrive("Bob"), world.arrive("Cat")
    room = await world.play_room(ann, bob)
    await world.answer(cat, Resume, room=room.id, seq=1)
    world.authority.sweep()
    cat.take()
    for _ in range(10):
        world.authority.rooms.following.unfollow(bob, room.id)
        await world.answer(bob, Resume, room=room.id, seq=1)
    assert cat.take_types() == ["presence"] * MOST_PRESENCES
    world.authority.sweep()
    (last,) = cat.take()
    assert [seat["connected"] for seat in last["seats"]] == [True, True]
    assert last["spectators"] == 1
    world.authority.sweep()
    assert cat.take() == []


# -- more than the lists have places for -------------------------------------------------------


@pytest.fixture
async def small(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[World]:
    """A server whose lobby lists two players and one room."""
    monkeypatch.setattr("doublecross.server.shell.lobby.listing.MAX_PLAYERS", 2)
    monkeypatch.setattr("doublecross.server.shell.lobby.listing.MAX_ROOMS", 1)
    world = await World().start()
    yield world
    await world.stop()


async def changed(world: World, peer: FakePeer) -> list[dict[str, Any]]:
    world.authority.sweep()
    await world.settle()
    return [message for message in peer.take() if message["type"] == "lobby_changed"]


async def test_followers_hear_only_of_what_the_lists_show(small: World) -> None:
    cat = await follow(small, "Cat")
    players = [small.arrive(name) for name in ("Ann", "Bob", "Dan", "Eve")]
    (change,) = await changed(small, cat)
    assert [player["name"] for player in change["players"]] == ["Ann"]
    assert (change["players_total"], shown(small)["players_total"]) == (5, 5)
    ann, bob, dan, eve = players
    first = await small.play_room(ann, bob, dots(rated=True))
    second = await small.play_room(dan, eve, dots(rated=True))
    (change,) = await changed(small, cat)
    assert [room["room"] for room in change["rooms"]] == [first.id]
    while second.status == "playing":
        assert second.match is not None
        mover = (dan, eve)[second.match.state.current_player()]
        small.move(mover, second, second.match.state.legal_actions()[0])
        await small.settle()
    # Neither the end of that match nor the ratings of its players are for the lobby.
    assert await changed(small, cat) == []
    small.authority.depart(dan)
    assert await changed(small, cat) == []
    # Bob has a place in the list of rooms only, and his rating goes with it.
    while first.status == "playing":
        assert first.match is not None
        mover = (ann, bob)[first.match.state.current_player()]
        small.move(mover, first, first.match.state.legal_actions()[0])
        await small.settle()
    (change,) = await changed(small, cat)
    assert {rating["player"] for rating in change["ratings"]} == {"Ann", "Bob"}


async def test_bots_and_rooms_that_wait_come_first(small: World) -> None:
    cat = await follow(small, "Cat")
    ann, bob = small.arrive("Ann"), small.arrive("Bob")
    playing = await small.play_room(ann, bob, dots())
    await changed(small, cat)
    small.arrive("Robot", bot=True)
    waiting = await small.answer(bob, CreateRoom, key="w", settings=dots())
    (change,) = await changed(small, cat)
    assert [player["name"] for player in change["players"]] == ["Robot"]
    assert change["players_gone"] == ("Cat",)
    assert [room["room"] for room in change["rooms"]] == [waiting["room"]]
    assert change["rooms_gone"] == (playing.id,)
    assert [room["room"] for room in shown(small)["rooms"]] == [waiting["room"]]
    # When it has closed, the other one has its place again.
    await small.answer(bob, Leave, room=waiting["room"])
    (change,) = await changed(small, cat)
    assert [room["room"] for room in change["rooms"]] == [playing.id]
