"""Conditional moves in rooms that sleep, on a storage that fails, and after a crash."""

from __future__ import annotations

from typing import Any

import pytest

from doublecross.protocol.client_messages import (
    GetPlan,
    Move,
    Resign,
    Resume,
    SetPlan,
    Watch,
)
from tests.fakes.peers import FakePeer
from tests.server.shell.test_sleeping import in_memory, move, rest, restarted, table
from tests.server.world import World

LINES = ((3, 4), (5, 6, 7, 8), (5, 6, 9, 10))


async def planned(world: World) -> tuple[FakePeer, FakePeer, str]:
    """Return Ann, who has moved and planned, Bob, and their room."""
    ann, bob, room = await table(world)
    await world.answer(ann, Move, **move(room, 0, 0))  # type: ignore[arg-type]
    assert (await plan(world, ann, room))["lines"] == LINES
    return ann, bob, room


async def plan(
    world: World, peer: FakePeer, room: str, ply: int = 1, lines: Any = LINES
) -> dict[str, Any]:
    return await world.answer(peer, SetPlan, room=room, match=1, ply=ply, takebacks=0, lines=lines)


async def left(world: World, peer: FakePeer, room: str) -> Any:
    answer = await world.answer(peer, GetPlan, room=room)
    return answer.get("lines", answer.get("code"))


def moves(world: World, room: str) -> list[int]:
    match = world.room(room).match
    assert match is not None
    return [action for action, _ in match.moves]


async def test_the_server_answers_at_once_and_nobody_else_sees_the_plan() -> None:
    world = await World().start()
    ann, bob, room = await planned(world)
    eve = world.arrive("Eve")
    await world.answer(eve, Watch, room=room)
    assert [await left(world, each, room) for each in (bob, eve)] == [(), "not_seated"]
    ann.take(), eve.take()
    answer = await world.answer(bob, Move, **move(room, 1, 5))  # type: ignore[arg-type]
    assert (answer["type"], answer["action"]) == ("move", 5)
    for each in (ann, eve):
        said = [message for message in each.take() if message["type"] == "move"]
        assert [event["action"] for event in said] == [5, 6]
        assert said[1].keys() == said[0].keys()
        assert said[1]["elapsed_ms"] == 0
    assert await left(world, ann, room) == ((7, 8), (9, 10))
    assert world.room(room).match.clock.running == 1  # type: ignore[union-attr]
    assert (await plan(world, ann, room))["code"] == "stale_ply"
    assert await left(world, ann, room) == ((7, 8), (9, 10))
    await world.answer(bob, Resign, room=room)
    assert await left(world, ann, room) == ()
    assert all(row.plan is None for row in world.store.plans.rows.values())
    await world.stop()


async def test_a_plan_survives_sleep_and_a_restart_and_is_played_once() -> None:
    world = await World().start()
    ann, bob, room = await planned(world)
    await rest(world, ann, bob)
    assert not in_memory(world, room)
    world = await restarted(world)
    bob = world.arrive("Bob")
    assert (await world.answer(bob, Move, **move(room, 1, 5)))["seq"] == 6  # type: ignore[arg-type]
    assert moves(world, room) == [0, 5, 6]
    world = await restarted(world)  # the journal has the room now
    bob, ann = world.arrive("Bob"), world.arrive("Ann")
    assert (await world.answer(bob, Move, **move(room, 1, 5)))["seq"] == 6  # type: ignore[arg-type]
    assert await left(world, ann, room) == ((7, 8), (9, 10))
    await world.answer(bob, Move, **move(room, 3, 9))  # type: ignore[arg-type]
    assert moves(world, room) == [0, 5, 6, 9, 10]
    assert not any(row.plan for row in world.store.plans.rows.values())
    await world.stop()


@pytest.mark.parametrize("stored", [False, True])
async def test_a_crash_stores_a_move_with_its_answer_or_neither(stored: bool) -> None:
    world = await World().start()
    _, bob, room = await planned(world)
    bob.take()
    world.store.hold()
    world.ask(bob, Move, **move(room, 1, 5))
    await world.settle()
    assert not [each for each in bob.take() if each["type"] == "move"]
    if stored:
        world.store.release()
        await world.settle()
    world = await restarted(world)
    world.store.release()
    bob, ann = world.arrive("Bob"), world.arrive("Ann")
    shown = await world.answer(ann, Resume, room=room, seq=5)
    assert [event["action"] for event in shown["events"]] == ([5, 6] if stored else [])
    answer = await world.answer(bob, Move, **move(room, 1, 5))  # type: ignore[arg-type]
    assert (answer["seq"], moves(world, room)) == (6, [0, 5, 6])
    await world.stop()


async def test_a_plan_that_is_not_stored_changes_nothing() -> None:
    world = await World().start()
    ann, bob, room = await planned(world)
    world.store.fail_next()
    refused = world.ask(ann, SetPlan, room=room, match=1, ply=1, takebacks=0, lines=((5, 9),))
    # Its answer would be that of a plan which is not there.
    lost = world.ask(bob, Move, **move(room, 1, 5))
    await world.settle()
    for peer, request in ((ann, refused), (bob, lost)):
        (answer,) = [each for each in peer.take() if each.get("id") == request]
        assert answer["code"] == "storage_failed"
    assert await left(world, ann, room) == LINES
    await world.answer(bob, Move, **move(room, 1, 5))  # type: ignore[arg-type]
    assert moves(world, room) == [0, 5, 6]
    await world.stop()


async def test_a_plan_ends_without_lines_and_with_another_move() -> None:
    world = await World().start()
    ann, bob, room = await planned(world)
    assert (await plan(world, ann, room, lines=()))["lines"] == ()
    assert await left(world, ann, room) == ()
    await plan(world, ann, room)
    await world.answer(bob, Move, **move(room, 1, 11))  # type: ignore[arg-type]
    assert moves(world, room) == [0, 11]
    assert not any(row.plan for row in world.store.plans.rows.values())
    await world.stop()


async def test_a_game_that_is_lost_on_time_after_a_restart_ends_its_plans() -> None:
    world = await World().start()
    _, _, room = await planned(world)
    world = await restarted(world)
    world.time += 4 * 86_400_000
    world.authority.tick()
    await world.settle()
    assert world.room(room).status == "finished"
    assert not any(row.plan for row in world.store.plans.rows.values())
    await world.stop()
