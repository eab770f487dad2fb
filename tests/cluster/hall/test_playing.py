"""Play in a cluster whose hall and rooms are on different nodes."""

from __future__ import annotations

from doublecross.protocol.client_messages import CreateRoom, QuickMatch, Rematch
from tests.cluster.hall.world import ClusterWorld
from tests.server.playing import dots


async def test_quick_match_of_players_on_two_nodes(world: ClusterWorld) -> None:
    ann, bob = world.connect("Ann", "b"), world.connect("Bob", "c")
    settings = dots(rated=True)
    assert (await world.answer(ann, QuickMatch, key="k1", settings=settings))[
        "type"
    ] == "seek_posted"
    shown = await world.answer(bob, QuickMatch, key="k2", settings=settings)
    assert shown["type"] == "room_state"
    room_id = shown["room"]
    assert room_id.startswith("bbbb")  # where the one who waited is connected
    (to_ann,) = [m for m in ann.take() if m["type"] == "room_state"]
    assert to_ann["room"] == room_id
    assert world.shadow(room_id).status == "playing"
    world.check_agreement()

    world.play(room_id)
    await world.settle()
    assert world.shadow(room_id).status == "finished"
    assert "match_finished" in [m["type"] for m in ann.take()]
    assert [r.games for r in world.authority.ratings.of("Ann")] == [1]
    world.check_agreement()
    for client in (ann, bob):
        world.ask(client, Rematch, room=room_id)
    await world.settle()
    assert world.shadow(room_id).match_number == 2
    world.check_agreement()


async def test_create_and_join(world: ClusterWorld) -> None:
    ann, bob = world.connect("Ann", "b"), world.connect("Bob", "c")
    made = await world.answer(ann, CreateRoom, key="k1", settings=dots(), seat=0)
    again = await world.answer(ann, CreateRoom, key="k1", settings=dots(), seat=0)
    assert made["room"] == again["room"]
    assert world.shadow(made["room"]).status == "waiting"
    await world.join(bob, made["room"])
    assert world.shadow(made["room"]).status == "playing"
    assert [r.id for r in world.authority.lobby.rooms.of_player("Bob")] == [made["room"]]
    world.check_agreement()
