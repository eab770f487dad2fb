"""The leader tells players of turns, because it knows all connections."""

from __future__ import annotations

from typing import Any

from doublecross.protocol.client_messages import AcceptChallenge, Challenge, Leave, Move
from tests.cluster.hosts import Client
from tests.cluster.world import World
from tests.server.shell.test_sleeping import DAYS


def notices(client: Client) -> list[int]:
    return [each["ply"] for each in client.take() if each["type"] == "your_turn"]


async def test_a_turn_reaches_a_player_at_any_node_or_the_messages(
    world: World,
) -> None:
    told: list[tuple[str, Any]] = []
    turns = world.authority.rooms.turns
    turns.wanting = {"Bob"}
    turns.on_turn = lambda name, notice: told.append((name, notice["ply"]))
    ann, bob = world.connect("Ann", "b"), world.connect("Bob", "c")
    await world.answer(ann, Challenge, key="k", player="Bob", settings=DAYS, seat=0)
    (offer,) = (o["challenge"] for o in bob.take() if o["type"] == "challenged")
    room = (await world.answer(bob, AcceptChallenge, key="l", challenge=offer))["room"]
    await world.answer(bob, Leave, room=room)
    first = world.authority.lobby.rooms[room].players[0]
    assert first is not None
    assert first.name == "Ann"
    move = {"room": room, "match": 1}
    await world.answer(ann, Move, ply=0, action=0, **move)
    await world.settle()
    assert (notices(bob), told.pop()) == ([1], ("Bob", 1))

    # The owner of the room does not know this connection.
    world.drop(bob)
    bob = world.connect("Bob", "a")
    bob.take()
    await world.answer(bob, Move, ply=1, action=1, **move)
    world.drop(bob)
    bob = world.connect("Bob", "a")
    await world.answer(ann, Move, ply=2, action=2, **move)
    await world.settle()
    assert (notices(bob), told[-1]) == ([3], ("Bob", 3))
