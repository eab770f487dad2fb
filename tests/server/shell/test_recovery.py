"""Recovery from the journal: open, closed and corrupt rooms, and entries to delete."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from random import Random
from typing import Any

import msgpack
import pytest

from doublecross.protocol.client_messages import CreateRoom, Leave, Resign, Resume
from doublecross.protocol.common import TimeControl
from doublecross.server.core.records import game_row
from doublecross.server.core.rooms.room import Room
from doublecross.server.core.rooms.snapshot import snapshot
from doublecross.server.core.storage import JournalEntry
from doublecross.server.shell.rooms.channel import split_frames
from tests.fakes.peers import FakePeer
from tests.fakes.store import FakeStore
from tests.server.playing import TIMES, dots
from tests.server.world import World


@pytest.fixture
async def world() -> AsyncIterator[World]:
    world = await World().start()
    yield world
    world.crash()


async def restarted(world: World) -> World:
    """Crash the server and return another one on the same store."""
    world.crash()
    again = World(world.store)
    again.time = world.time + 1000
    return await again.start()


def still(room: Room) -> dict[str, Any]:
    assert room.match is not None
    return {**snapshot(room, 0), "clock_runs": False, "clock_ms": room.match.clock.left}


async def closed(world: World, peer: FakePeer, room_id: str) -> None:
    await world.answer(peer, Leave, room=room_id)
    assert room_id not in world.authority.rooms.registry.channels


async def test_rooms_are_restored_unchanged_and_event_numbers_continue(world: World) -> None:
    ann, bob, room = await world.table()
    world.time += 700
    world.move(ann, room, 0)
    await world.settle()
    again = await restarted(world)
    back = again.room(room.id)
    assert still(back) == still(room)
    assert back.clock_ms(again.time) == (10_500, 10_000)
    assert not back.clock_runs
    ann, bob = again.arrive("Ann"), again.arrive("Bob")
    shown = await again.answer(bob, Resume, room=room.id, seq=2)
    assert [e["seq"] for e in shown["events"]] == [3, 4, 5]
    assert shown["presence"]["first_move_in_ms"] == back.times.first_move_ms
    again.move(bob, back, 2)
    await again.settle()
    assert [m["seq"] for m in bob.take() if m["type"] == "move"] == [6]
    await again.stop()


async def test_a_finished_game_without_its_row_gets_it_after_a_restart(world: World) -> None:
    """The server dies between the end of the match and the commit of its row."""
    ann, _bob, room = await world.table()
    await world.answer(ann, Resign, room=room.id)
    row = game_row(world.room(room.id))
    assert world.store.games_by_id == {}
    again = await restarted(world)
    await again.authority.committer.settled(games=True)
    assert again.store.games_by_id == {row.game_id: row}
    await again.stop()


# -- entries that are needed and those that are not --------------------------------------------


async def test_the_journal_is_empty_when_all_rooms_are_closed(world: World) -> None:
    ann, bob = world.arrive("Ann"), world.arrive("Bob")
    for _ in range(2):
        made = await world.answer(ann, CreateRoom, key=world.key(), settings=dots(), seat=0)
        room = await world.play_room(ann, bob)
        await closed(world, ann, made["room"])
        await world.authority.rooms.registry.retention.clean()
        assert len(world.store.entries) == 2 + 1  # of the match, and the roster
        await world.answer(ann, Resign, room=room.id)
        await world.answer(bob, Leave, room=room.id)
        await closed(world, ann, room.id)
        await world.authority.rooms.registry.retention.clean()
        assert world.store.entries == {}
        assert world.authority.rooms.registry.retention._holds == {}


async def test_a_roster_alone_causes_no_new_roster(world: World) -> None:
    ann = world.arrive("Ann")
    await world.answer(ann, CreateRoom, key="stays", settings=dots(), seat=0)
    for key in ("k1", "k2"):
        made = await world.answer(ann, CreateRoom, key=key, settings=dots(), seat=0)
        await closed(world, ann, made["room"])
        await world.authority.rooms.registry.retention.clean()
        commits = world.authority.committer.writer.commits
        for _ in range(3):
            await world.authority.rooms.registry.retention.clean()
        assert world.authority.committer.writer.commits == commits
        assert len(world.store.entries) == 2


async def both_in_one_entry(world: World, ann: FakePeer, bob: FakePeer) -> tuple[str, str]:
    """Create two rooms in one commit."""
    world.store.hold()
    world.ask(ann, CreateRoom, key="k-a", settings=dots(), seat=0)
    await world.settle()
    # The first is under way; these two wait together.
    one = world.ask(ann, CreateRoom, key="k-b", settings=dots(), seat=0)
    two = world.ask(bob, CreateRoom, key="k-c", settings=dots(), seat=0)
    world.store.release()
    await world.settle()
    rooms = [m["room"] for p in (ann, bob) for m in p.take() if m.get("id") in (one, two)]
    return rooms[0], rooms[1]


async def test_the_end_of_a_closed_room_does_not_take_others_with_it(world: World) -> None:
    """Its last event but one shares an entry with an open room; its first ones are deleted."""
    ann, bob, cat = world.arrive("Ann"), world.arrive("Bob"), world.arrive("Cat")
    dead = await world.play_room(ann, bob)
    world.store.hold()
    world.ask(cat, CreateRoom, key="other", settings=dots(), seat=0)
    await world.settle()
    world.ask(ann, Resign, room=dead.id)
    world.ask(cat, CreateRoom, key="alive", settings=dots(), seat=0)
    world.store.release()
    await world.settle()
    await world.answer(bob, Leave, room=dead.id)
    await closed(world, ann, dead.id)
    alive = set(world.authority.rooms.registry.channels)
    await world.authority.rooms.registry.retention.clean()
    for _ in range(3):
        world = await restarted(world)
        assert set(world.authority.rooms.registry.channels) == alive
        await world.authority.rooms.registry.retention.clean()
    await world.stop()


@pytest.mark.parametrize("trouble", ["commit", "delete"])
async def test_entries_that_could_not_be_deleted_are_deleted_later(
    world: World, trouble: str
) -> None:
    ann, bob = world.arrive("Ann"), world.arrive("Bob")
    await both_in_one_entry(world, ann, bob)
    alone = await world.answer(ann, CreateRoom, key=world.key(), settings=dots(), seat=0)
    before = set(world.store.entries)
    await closed(world, ann, alone["room"])
    retention = world.authority.rooms.registry.retention
    spent = {entry_id for entry_id in world.store.entries if not retention.needs(entry_id)}
    assert spent & before
    if trouble == "commit":
        world.store.fail_next()
    else:
        world.store.deleting_fails = 1
    await retention.clean()
    assert spent <= world.store.entries.keys()
    await world.authority.committer.writer.check()  # the server does that every second
    await retention.clean()
    assert not spent & world.store.entries.keys()
    assert not [i for i in world.store.entries if not retention.needs(i)]


@pytest.mark.parametrize("seed", range(4))
async def test_whatever_is_deleted_a_restart_finds_exactly_the_open_rooms(seed: int) -> None:
    rng = Random(seed)
    world = await World(seed=seed).start()
    ann = world.arrive("Ann")
    for step in range(60):
        if rng.random() < 0.5:
            world.store.hold()
        for _ in range(rng.randrange(4)):
            world.ask(ann, CreateRoom, key=f"{seed}-{step}-{rng.random()}", settings=dots(), seat=0)
            await world.settle()
        for room_id in rng.sample(
            sorted(world.authority.rooms.registry.channels),
            k=len(world.authority.rooms.registry.channels) // 3,
        ):
            world.ask(ann, Leave, room=room_id)
        world.store.release()
        await world.settle()
        if rng.random() < 0.5:
            await world.authority.rooms.registry.retention.clean()
        if rng.random() < 0.3:
            expected = set(world.authority.rooms.registry.channels)
            world = await restarted(world)
            assert set(world.authority.rooms.registry.channels) == expected
            ann = world.arrive("Ann")
    for room_id in list(world.authority.rooms.registry.channels):
        world.ask(ann, Leave, room=room_id)
    await world.settle()
    await world.authority.rooms.registry.retention.clean()
    assert world.store.entries == {}
    await world.stop()


# -- a journal that is damaged -----------------------------------------------------------------


def damage(store: FakeStore, room_id: str, kind: str, **fields: Any) -> None:
    """Change the room's event of that type in the stored journal."""
    for entry_id, entry in store.entries.items():
        events = [event for event, _ in split_frames(entry.frames)]
        for event in events:
            if event.get("room") == room_id and event["type"] == kind:
                event.update(fields)
        frames = b"".join(msgpack.packb(event) for event in events)
        store.entries[entry_id] = JournalEntry(entry_id, entry.at_ms, frames)


async def test_a_corrupt_match_ends_as_void_and_the_others_go_on(world: World) -> None:
    ann, bob = world.arrive("Ann"), world.arrive("Bob")
    bad, good = await world.play_room(ann, bob), await world.play_room(ann, bob)
    for room in (bad, good):
        world.move(ann, room, 0)
    await world.settle()
    damage(world.store, bad.id, "move", scores=[5, 5])
    again = await restarted(world)
    await again.settle()
    assert list(again.authority.rooms.registry.channels) == [good.id]
    row = again.store.games_by_id[f"{bad.id}-1"]
    assert (row.termination, row.result) == ("void", "*")
    await again.authority.rooms.registry.retention.clean()
    last = await restarted(again)
    assert list(last.authority.rooms.registry.channels) == [good.id]
    await last.stop()


async def test_a_corrupt_match_whose_end_cannot_be_stored_waits_for_another_restart(
    world: World,
) -> None:
    ann, _bob, bad = await world.table()
    world.move(ann, bad, 0)
    await world.settle()
    damage(world.store, bad.id, "move", scores=[5, 5])
    world.store.fail_next()
    again = await restarted(world)
    await again.settle()
    ann = again.arrive("Ann")
    other = await again.answer(ann, CreateRoom, key="k", settings=dots(), seat=0)
    await closed(again, ann, other["room"])
    await again.authority.rooms.registry.retention.clean()
    last = await restarted(again)
    await last.settle()
    assert last.store.games_by_id[f"{bad.id}-1"].termination == "void"
    await last.stop()


async def test_an_unrestorable_room_costs_no_other_room_its_entries(world: World) -> None:
    ann, bob = world.arrive("Ann"), world.arrive("Bob")
    bad, good = await both_in_one_entry(world, ann, bob)
    damage(world.store, bad, "room_created", settings={"game": "go"})
    for _ in range(3):
        world = await restarted(world)
        assert good in world.authority.rooms.registry.channels
        assert bad not in world.authority.rooms.registry.channels
        await world.authority.rooms.registry.retention.clean()
    await world.stop()


@pytest.mark.parametrize(
    "frames",
    [
        b"\xc1",
        msgpack.packb(5),
        msgpack.packb({"no": "room"}),
        msgpack.packb({"room": 5, "type": "move"}),
        msgpack.packb({"room": "r", "type": "move", "seq": "x"}),
        msgpack.packb({"room": "r"}),
    ],
)
async def test_unreadable_journal_entries_do_not_stop_the_server(
    world: World, frames: bytes
) -> None:
    _ann, _bob, room = await world.table()
    junk = world.store.highest + 1
    world.store.highest = junk
    world.store.entries[junk] = JournalEntry(junk, 0, frames)
    again = await restarted(world)
    assert list(again.authority.rooms.registry.channels) == [room.id]
    await again.stop()


async def test_a_move_does_not_put_off_the_start_of_the_clock_of_who_is_still_away(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A check that was due before, for the mover's own clock, may come after that start."""
    times = replace(TIMES, restart_ms=30_000, away_ms=300_000, grace_ms=30_000)
    monkeypatch.setattr("tests.server.world.TIMES", times)
    before = await World().start()
    players = before.arrive("Ann"), before.arrive("Bob")
    settings = dots(1, 2).model_copy(update={"time": TimeControl(move_ms=25_000)})
    played = await before.play_room(*players, settings)
    for ply, action in enumerate((0, 2, 6, 4)):
        before.move(players[ply % 2], played, action)
        await before.settle()
    world = await restarted(before)
    began = world.time

    async def after(seconds: float) -> None:
        world.time = began + round(seconds * 1000)
        world.authority.tick()
        await world.settle()

    ann = world.arrive("Ann")
    await world.answer(ann, Resume, room=played.id, seq=0)
    room = world.room(played.id)
    assert room.match is not None
    await after(10)
    world.move(ann, room, 5)  # she takes a box and moves again, so her clock runs
    await world.settle()
    await after(26)
    await after(28)
    world.move(ann, room, 1)
    await world.settle()
    assert room.match.clock.running is None  # it waits for Bob, but not for ever
    await after(30.1)
    assert room.match.clock.running == 1
    await world.stop()
