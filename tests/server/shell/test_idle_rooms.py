"""Players who never leave do not keep rooms open for ever."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest_asyncio

from doublecross.protocol.client_messages import Resign
from doublecross.protocol.common import TimeControl
from tests.server.playing import T0, TIMES, dots
from tests.server.world import World


@pytest_asyncio.fixture
async def world() -> AsyncIterator[World]:
    world = World()
    yield await world.start()
    await world.stop()


async def tick(world: World, now: int) -> None:
    world.time = now
    world.authority.tick()
    await world.settle()


async def test_rooms_in_which_nobody_moves_close_and_count_no_more(world: World) -> None:
    ann, bob = world.arrive("Ann"), world.arrive("Bob")
    untimed = dots(time=TimeControl())
    rooms = [await world.play_room(ann, bob, untimed) for _ in range(6)]
    ids = [room.id for room in rooms]
    over = [await world.play_room(ann, bob, untimed) for _ in range(2)]
    for room in over:
        world.ask(ann, Resign, room=room.id)
    await tick(world, T0 + TIMES.idle_ms // 2)
    assert len(world.authority.lobby.rooms) == 8
    world.move(ann, rooms[0], 0)  # only in one of them
    await world.settle()
    bob.take()
    await tick(world, T0 + TIMES.idle_ms + 1)
    assert list(world.authority.lobby.rooms) == ids[:1]
    assert [room.id for room in world.authority.lobby.rooms.of_player("Ann")] == ids[:1]
    closed = {m["room"]: m["reason"] for m in bob.take() if m["type"] == "room_closed"}
    idle = dict.fromkeys(ids[1:], "Nobody has moved for 1 day.")
    assert closed == idle | {room.id: "The match is over." for room in over}
    await world.authority.committer.settled(games=True)
    ends = {row.room: row.termination for row in world.store.games_by_id.values()}
    assert ends == dict.fromkeys(ids[1:], "aborted") | {room.id: "resigned" for room in over}
    await tick(world, T0 + TIMES.idle_ms // 2 + TIMES.idle_ms)
    assert list(world.authority.lobby.rooms) == ids[:1]
    await tick(world, T0 + TIMES.idle_ms // 2 + TIMES.idle_ms + 1)
    assert list(world.authority.lobby.rooms) == []
