"""A turn in a correspondence game is told of once, to the player whose turn begins."""

from __future__ import annotations

import asyncio
from typing import Any

from doublecross.protocol.client_messages import AnswerTakeback, AskTakeback, Claim, Move, Watch
from doublecross.server.core.storage import StoreError
from tests.fakes.peers import FakePeer
from tests.server.shell.test_sleeping import DAYS, in_memory, move, rest, restarted, table
from tests.server.world import World

Told = list[tuple[str, int]]


def listen(world: World) -> Told:
    """Return the list that takes the player and the ply of each turn."""
    told: Told = []
    turns = world.authority.rooms.turns
    turns.wanting = {"Ann", "Bob"}

    def note(player: str, notice: dict[str, Any]) -> None:
        told.append((player, notice["ply"]))

    turns.on_turn = note
    return told


async def test_a_turn_is_told_of_once_whatever_happens_to_its_room() -> None:
    world = await World().start()
    told = listen(world)
    ann, bob, room = await table(world)
    assert told == [("Ann", 0)]
    await world.answer(ann, Move, **move(room, 0, 0))
    await world.answer(ann, Move, **move(room, 0, 0))  # sent again
    assert told.pop() == ("Bob", 1)
    await rest(world, ann, bob)
    assert not in_memory(world, room)
    await world.answer(world.arrive("Eve"), Watch, room=room)
    assert in_memory(world, room)
    world = await restarted(world)
    told = listen(world)
    bob = world.arrive("Bob")
    await world.answer(bob, Claim, room=room)  # refused, but it wakes the room
    await world.settle()
    assert told == []
    # A move that cannot be stored is none.
    world.store.fail_next(error=StoreError("The disk is full."))
    refused = await world.answer(bob, Move, **move(room, 1, 1))
    assert (refused["code"], told) == ("storage_failed", [])
    await world.answer(bob, Move, **move(room, 1, 1))
    assert told == [("Ann", 2)]
    await world.stop()


async def test_a_turn_does_not_overtake_the_welcome() -> None:
    world = await World().start()
    ann, first = world.arrive("Ann"), FakePeer()
    await world.hello(first, "Cat")
    token = first.take()[0]["token"]
    room = (await world.play_room(ann, first, DAYS)).id
    world.authority.depart(first)
    await world.settle()
    world.store.hold()
    world.ask(ann, Move, **move(room, 0, 0))
    await world.settle()
    back = FakePeer()
    greeting = asyncio.ensure_future(world.hello(back, token=token))
    await world.settle()
    world.store.release()
    await greeting
    await world.settle()
    assert [message["type"] for message in back.take()] == ["welcome", "your_turn"]
    await world.stop()


async def test_a_turn_that_goes_on_or_comes_back_is_no_new_one() -> None:
    world = await World().start()
    told = listen(world)
    ann, bob = world.arrive("Ann"), world.arrive("Bob")
    ann.takebacks = bob.takebacks = True
    room = (await world.play_room(ann, bob, DAYS)).id
    # The edges of the first box: 0 and 2 above and below, 6 and 7 beside it.
    for ply, (peer, action) in enumerate([(ann, 0), (bob, 2), (ann, 6), (bob, 7)]):
        await world.answer(peer, Move, **move(room, ply, action))
    assert told == [("Ann", 0), ("Bob", 1), ("Ann", 2), ("Bob", 3)]  # Bob has taken a box
    await world.answer(bob, Move, **move(room, 4, 1))
    assert told[4:] == [("Ann", 5)]
    await world.answer(bob, AskTakeback, room=room, match=1, ply=4, takebacks=0)
    await world.answer(ann, AnswerTakeback, room=room, match=1, ply=4, takebacks=0, accept=True)
    match = world.room(room).match
    assert match is not None
    assert (match.ply, match.to_move, told[5:]) == (4, 1, [])
    # Another move in its place is a new one, and Ann's time runs again.
    await world.answer(bob, Move, **move(room, 4, 3), takebacks=1)
    assert told[5:] == [("Ann", 5)]
    await world.stop()
