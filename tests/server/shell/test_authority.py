"""The authority on a fake store: answers and events only after the commit, failures undone."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from doublecross.protocol.client_messages import (
    AcceptSeek,
    Challenge,
    CreateRoom,
    FollowLobby,
    JoinRoom,
    Leave,
    QuickMatch,
    Rematch,
    Resign,
    Resume,
    Seek,
    Watch,
)
from doublecross.server.core.rooms.snapshot import snapshot
from doublecross.server.shell.rooms import channel as channels
from doublecross.server.shell.rooms import following
from tests.fakes.peers import FakePeer
from tests.server.playing import T0, dots
from tests.server.world import World

Messages = list[dict[str, Any]]


def kinds(messages: Messages) -> list[str]:
    return [message["type"] for message in messages]


# -- nothing before its commit -----------------------------------------------------------------


async def test_a_move_is_answered_and_sent_on_only_when_it_is_stored(world: World) -> None:
    ann, cat = world.arrive("Ann"), world.arrive("Cat")
    bob = world.arrive("Bob", text=True, bot=True)
    room = await world.play_room(ann, bob)
    await world.answer(cat, Watch, room=room.id)
    for peer in (ann, bob, cat):
        peer.take()
    world.store.hold()
    request = world.move(ann, room, 0)
    await world.settle()
    assert [ann.take(), bob.take(), cat.take()] == [[], [], []]
    world.store.release()
    await world.settle()
    (mine,), (his,), (hers,) = ann.take(), bob.take(), cat.take()
    assert mine.pop("id") == request
    assert his.pop("id") is None  # the message names the event as JSON models do
    assert mine == hers
    assert his["action"] == 0
    assert his["seq"] == hers["seq"] == room.seq


async def test_nobody_loses_on_time_while_a_stopping_server_refuses_moves(world: World) -> None:
    ann, _bob, room = await world.table()
    ann.take()
    world.authority.close()
    world.time += 3_600_000
    world.move(ann, room, 0)
    world.authority.tick()
    await world.settle()
    assert [m["code"] for m in ann.take()] == ["closing"]
    assert room.status == "playing"


async def test_a_clock_runs_from_the_commit_of_its_position(world: World) -> None:
    ann, _bob, room = await world.table(bots=True)
    world.store.hold()
    world.time += 1000
    world.move(ann, room, 0)
    await world.settle()
    world.time += 5000  # the commit is slow
    world.authority.tick()
    world.store.release()
    await world.settle()
    world.time += 100
    assert room.clock_ms(world.time) == (9500, 9900)
    assert snapshot(room, world.time)["clock_runs"]


async def test_a_snapshot_waits_for_the_commit_of_what_it_shows(world: World) -> None:
    ann, bob, cat = world.arrive("Ann"), world.arrive("Bob"), world.arrive("Cat")
    room = await world.play_room(ann, bob)
    world.store.hold()
    world.move(ann, room, 0)
    request = world.ask(cat, Watch, room=room.id)
    world.move(bob, room, 2)
    await world.settle()
    assert cat.take() == []
    world.store.release()
    await world.settle()
    shown, *events = [m for m in cat.take() if m["type"] != "presence"]
    assert shown["id"] == request
    assert shown["snapshot"]["moves"] == (0,)
    assert [e["seq"] for e in events] == [shown["snapshot"]["seq"] + 1]


async def test_a_clock_does_not_start_under_a_move_that_waits_for_its_commit(world: World) -> None:
    ann, bob, room = await world.table()
    world.store.hold()
    world.move(ann, room, 0)  # first commit
    await world.settle()
    world.ask(ann, Resume, room=room.id, seq=1)
    world.move(bob, room, 2)  # second commit
    ann.take()
    world.store.release()
    batches = len(world.store.batches)
    while len(world.store.batches) == batches:
        await world.settle()
    await world.settle()
    states = [m for m in ann.take() if m["type"] == "room_state"]
    assert [len(s["events"]) for s in states] == [room.seq - 2]
    assert states[0]["clock_ms"] == (10_500, 10_000)  # not with Bob's increment
    assert states[0]["clock_runs"] is False


async def test_everybody_sees_once_how_long_the_room_waits_for_a_first_move(world: World) -> None:
    ann, bob, room = await world.table()
    world.time += 1000
    world.move(ann, room, 0)
    await world.settle()
    for peer in (ann, bob):
        move, shown = peer.take()
        assert move["clock_ms"] == (10_500, 10_000)
        assert shown["first_move_in_ms"] == room.times.first_move_ms
    world.move(bob, room, 1)
    await world.settle()
    assert [m["type"] for m in bob.take()] == ["move"]


async def test_the_joining_player_sees_that_the_clock_runs(world: World) -> None:
    ann, bob = world.arrive("Ann", bot=True), world.arrive("Bob")
    made = await world.answer(ann, CreateRoom, key="k", settings=dots(), seat=0)
    shown = await world.answer(bob, JoinRoom, room=made["room"])
    assert shown["snapshot"]["clock_runs"] is True
    assert shown["clock_runs"] is True


# -- failures ----------------------------------------------------------------------------------


async def test_a_failed_commit_is_undone_and_reported(world: World) -> None:
    ann, bob, cat = world.arrive("Ann"), world.arrive("Bob"), world.arrive("Cat")
    room = await world.play_room(ann, bob)
    world.move(ann, room, 0)
    await world.settle()
    before = snapshot(room, world.time)
    ann.take(), bob.take()
    world.store.hold()
    world.store.fail_next()
    first = world.move(bob, room, 2)
    await world.settle()
    second = world.move(ann, room, 4)  # This command waits behind it.
    look = world.ask(cat, Watch, room=room.id)
    world.store.release()
    await world.settle()
    for peer, request in ((bob, first), (ann, second), (cat, look)):
        (answer,) = peer.take()
        assert (answer["id"], answer["code"]) == (request, "storage_failed")
    again = world.room(room.id)
    assert again is not room
    assert snapshot(again, world.time) == {**before, "clock_ms": again.clock_ms(world.time)}
    assert again.attendance.connections == [1, 1]
    # The room continues with the event number that nobody has seen.
    request = world.move(bob, again, 2)
    await world.settle()
    (answer,) = bob.take()
    assert (answer["id"], answer["seq"]) == (request, before["seq"] + 1)
    assert kinds(ann.take()) == ["move"]
    assert again.clock_runs


async def test_a_failed_commit_does_not_stop_the_clock_of_an_absent_player(world: World) -> None:
    ann, bob, room = await world.table(bots=True)
    world.authority.depart(ann)  # the mover
    world.store.fail_next()
    assert (await world.answer(bob, Resign, room=room.id))["code"] == "storage_failed"
    again = world.room(room.id)
    assert again.clock_runs
    world.time += 10_001
    world.authority.tick()
    assert again.status == "finished"


async def test_a_room_that_was_never_stored_vanishes(world: World) -> None:
    ann, bob = world.arrive("Ann"), world.arrive("Bob")
    world.store.fail_next()
    answer = await world.answer(ann, CreateRoom, key="k", settings=dots(), seat=0)
    assert answer["code"] == "storage_failed"
    assert world.authority.rooms.registry.channels == {}
    assert world.authority.lobby.rooms == {}
    assert world.authority.lobby.rooms._keys == {}
    again = await world.answer(ann, CreateRoom, key="k", settings=dots(), seat=0)
    assert again["type"] == "room_state"
    await world.answer(bob, JoinRoom, room=again["room"])
    assert world.room(again["room"]).status == "playing"


async def test_a_join_that_was_not_stored_leaves_the_seat_free(world: World) -> None:
    ann, bob, cat = world.arrive("Ann"), world.arrive("Bob"), world.arrive("Cat")
    made = await world.answer(ann, CreateRoom, key="k", settings=dots(), seat=0)
    world.store.fail_next()
    answer = await world.answer(bob, JoinRoom, room=made["room"])
    assert answer["code"] == "storage_failed"
    assert ann.take() == []
    assert list(world.authority.lobby.rooms.of_player("Bob")) == []
    answer = await world.answer(cat, JoinRoom, room=made["room"])
    assert answer["seat"] == 1
    assert "match_started" in kinds(ann.take())


async def test_a_seek_whose_room_was_not_stored_is_open_again(world: World) -> None:
    ann, bob = world.arrive("Ann"), world.arrive("Bob")
    posted = await world.answer(ann, Seek, key="k", settings=dots())
    world.store.fail_next()
    answer = await world.answer(bob, AcceptSeek, key="k", seek=posted["seek"])
    assert answer["code"] == "storage_failed"
    assert ann.take() == []
    again = await world.answer(bob, AcceptSeek, key="k", seek=posted["seek"])
    assert again["origin"] == posted["seek"]
    (notice,) = [m for m in ann.take() if m["type"] == "room_state"]
    assert "id" not in notice
    assert notice["origin"] == posted["seek"]


async def test_a_hello_is_answered_even_if_the_commit_before_it_fails(world: World) -> None:
    ann, _bob, room = await world.table()
    cat = FakePeer()
    await world.hello(cat, "Cat", key="k" * 20)
    token = cat.take()[0]["token"]
    world.authority.depart(cat)
    world.store.hold()
    world.store.fail_next()
    world.move(ann, room, 0)
    await world.settle()
    back = FakePeer()
    greeting = asyncio.ensure_future(world.hello(back, token=token))
    await world.settle()
    assert back.take() == []
    assert not greeting.done()  # no connection receives the answer
    world.store.release()
    await greeting
    assert kinds(back.take()) == ["welcome"]


async def test_a_notice_does_not_overtake_the_welcome(world: World) -> None:
    ann, bob, room = await world.table()
    cat = FakePeer()
    await world.hello(cat, "Cat")
    token = cat.take()[0]["token"]
    world.ask(ann, Challenge, key="k1", player="Cat", settings=dots())
    await world.settle()
    world.store.hold()
    world.move(ann, room, 0)
    back = FakePeer()
    greeting = asyncio.ensure_future(world.hello(back, token=token))
    await world.settle()
    world.ask(bob, Challenge, key="k2", player="Cat", settings=dots())
    world.store.release()
    await greeting
    assert kinds(back.take()) == ["welcome", "challenged", "challenged"]


NOTICE = {"type": "announcement", "text": "Hello.", "until_ms": None}


async def test_a_notice_to_many_does_not_overtake_the_welcome(world: World) -> None:
    ann, _bob, room = await world.table()
    cat = FakePeer()
    await world.hello(cat, "Cat")
    token = cat.take()[0]["token"]
    world.store.hold()
    world.move(ann, room, 0)
    await world.settle()
    world.authority.peers.notify_all(["Cat", "Dan"], NOTICE)
    back = FakePeer()
    greeting = asyncio.ensure_future(world.hello(back, token=token))
    await world.settle()
    world.store.release()
    await greeting
    assert kinds(cat.take()) == ["announcement"]
    assert kinds(back.take()) == ["welcome"]


@pytest.mark.parametrize("matches", [1, 2, 3])
async def test_a_failed_commit_leaves_a_room_whose_first_events_are_not_in_memory(
    world: World, monkeypatch: pytest.MonkeyPatch, matches: int
) -> None:
    monkeypatch.setattr("doublecross.server.shell.rooms.channel.HISTORY", 4)
    ann, bob, room = await world.table()
    for _ in range(matches - 1):
        await world.answer(ann, Resign, room=room.id)
        await world.answer(ann, Rematch, room=room.id)
        await world.answer(bob, Rematch, room=room.id)
    movers = (ann, bob) if matches % 2 else (bob, ann)
    world.move(movers[0], room, 0)
    await world.settle()
    before = snapshot(room, world.time)
    assert world.authority.rooms.registry.channels[room.id].first > 1
    world.store.fail_next()
    world.move(movers[1], room, 2)
    await world.settle()
    again = world.room(room.id)
    assert again is not room
    assert snapshot(again, world.time) == before
    assert again.match_number == matches
    world.move(movers[1], room.id, 2)
    await world.settle()
    restarted = await World(world.store).start()
    match = restarted.room(room.id).match
    assert match is not None
    assert [action for action, _ in match.moves] == [0, 2]
    restarted.authority.rooms.registry.rebuild({room.id})
    assert restarted.room(room.id).match_number == matches
    await restarted.stop()


# -- time and limits ---------------------------------------------------------------------------


async def test_a_timeout_whose_commit_failed_happens_again(world: World) -> None:
    _ann, _bob, room = await world.table(bots=True)
    world.store.fail_next()
    world.time = T0 + 10_001
    world.authority.tick()
    await world.settle()
    again = world.room(room.id)
    assert again.status == "playing"
    # the clock restarts, because no player should lose time to the server's disk
    assert again.clock_runs
    world.time += 10_001
    world.authority.tick()
    await world.settle()
    assert again.status == "finished"


async def test_changes_are_refused_while_closing_or_when_the_store_is_far_behind(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, _bob, room = await world.table()
    before = snapshot(room, T0)
    world.authority.close()
    world.move(ann, room, 0)
    assert [m["code"] for m in ann.take()] == ["closing"]
    world.authority.availability.closing = False
    monkeypatch.setattr("doublecross.server.shell.journal.committer.BACKLOG", 0)
    world.move(ann, room, 0)
    assert [m["code"] for m in ann.take()] == ["storage_failed"]
    assert snapshot(room, T0) == before


async def test_a_peer_may_follow_only_so_many_rooms(world: World) -> None:
    small = await World(followed_rooms=1).start()
    ann, cat = small.arrive("Ann"), small.arrive("Cat")
    rooms = []
    for key in ("k1", "k2"):
        ann = small.arrive(f"Ann{key}")
        made = await small.answer(ann, CreateRoom, key=key, settings=dots(), seat=0)
        rooms.append(made["room"])
    await small.answer(cat, Watch, room=rooms[0])
    for kind, more in ((Watch, {}), (JoinRoom, {}), (Resume, {"seq": 0})):
        answer = await small.answer(cat, kind, room=rooms[1], **more)  # type: ignore[type-abstract]
        assert answer["code"] == "too_many"
    for kind in (CreateRoom, QuickMatch):
        answer = await small.answer(cat, kind, key="k3", settings=dots())
        assert answer["code"] == "too_many"
    await small.answer(cat, Leave, room=rooms[0])
    assert (await small.answer(cat, Watch, room=rooms[1]))["type"] == "room_state"
    # Whoever watches a room already may take its free seat.
    assert (await small.answer(cat, JoinRoom, room=rooms[1]))["type"] == "room_state"
    await small.stop()


# -- requests are carried out in the order in which they arrive ----------------------------------


async def test_whoever_leaves_while_missed_events_are_encoded_does_not_follow(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(channels, "JSON_STEP", 1)
    ann, bob, room = await world.table()
    for ply in range(3):
        assert room.match is not None
        mover = (ann, bob)[room.match.state.current_player()]
        world.move(mover, room, room.match.state.legal_actions()[0], ply)
        await world.settle()
    cat = world.arrive("Cat", text=True)
    resumed = world.ask(cat, Resume, room=room.id, seq=1)
    left = world.ask(cat, Leave, room=room.id)
    await world.settle()
    assert [m["id"] for m in cat.take() if m.get("id")] == [resumed, left]
    assert room.id not in cat.followed
    assert cat not in world.authority.rooms.registry.channels[room.id].peers


async def test_whoever_stops_following_the_lobby_during_a_commit_does_not_follow(
    world: World,
) -> None:
    ann, cat = world.arrive("Ann"), world.arrive("Cat")
    world.store.hold()
    world.ask(ann, CreateRoom, key="k", settings=dots(), seat=0)
    await world.settle()
    followed = world.ask(cat, FollowLobby, on=True)
    stopped = world.ask(cat, FollowLobby, on=False)
    world.store.release()
    await world.settle()
    assert [m["id"] for m in cat.take() if m.get("id")] == [followed, stopped]
    world.arrive("Dee")
    world.authority.sweep()
    await world.settle()
    assert cat.take() == []


async def test_an_announcement_during_a_hello_reaches_the_newcomer_once(world: World) -> None:
    key = "k" * 32
    await world.hello(FakePeer(), "Ann", key=key)
    bob = world.arrive("Bob")
    world.store.hold()
    world.ask(bob, CreateRoom, key="k", settings=dots(), seat=0)
    ann = FakePeer()
    # The welcome has to wait for Bob's room, but Ann is connected already.
    greeting = asyncio.ensure_future(world.hello(ann, "Ann", key=key))
    await world.settle()
    assert world.authority.peers.of("Ann")[-1] is ann
    world.authority.announcements.announce("We stop at ten.", 5)
    world.store.release()
    await greeting
    await world.settle()
    assert ann.take_types() == ["welcome", "announcement"]


async def test_a_crowd_gets_the_latest_presence_in_parts(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    room = await world.play_room(world.arrive("Ann"), world.arrive("Bob"))
    crowd = [world.arrive(f"C{number}") for number in range(6)]
    for peer in crowd:
        await world.answer(peer, Watch, room=room.id)
    authority = world.authority
    authority.sweep()
    await world.settle()
    for peer in crowd:
        peer.take()
    monkeypatch.setattr(following, "CROWD", 3)
    for gone in crowd[4:]:
        authority.rooms.following.unfollow(gone, room.id)
        authority.sweep()
    # Ann and Bob are the first two followers.
    assert [len(peer.take()) for peer in crowd] == [2, 0, 0, 0, 0, 0]
    await world.settle()
    last = [peer.take() for peer in crowd]
    assert [len(messages) for messages in last] == [0, 1, 1, 1, 0, 0]
    assert last[1][0]["spectators"] == 4
