"""Correspondence games that leave the memory of their node, and of the leader."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from doublecross.protocol.client_messages import (
    AcceptChallenge,
    Challenge,
    CreateRoom,
    GetOpenGames,
    Leave,
    Move,
)
from doublecross.protocol.common import DAY_MS, TimeControl
from doublecross.server.cluster.items import Order, Woken
from doublecross.server.cluster.leader import missed
from doublecross.server.core.cards import card_of
from doublecross.server.core.cluster_storage import LEADER
from doublecross.server.core.rooms.sleeping import SleepingRoom
from doublecross.server.shell.rooms.sleeping import BACK_MS, REST_MS
from tests.cluster.hosts import Client
from tests.cluster.leader.test_tournaments import begin, games
from tests.cluster.world import World
from tests.server.playing import dots

DAYS = dots().model_copy(update={"time": TimeControl(move_ms=3 * DAY_MS)})


async def match(world: World) -> tuple[str, Client, Client]:
    """Let Ann and Bob play; the room is in the log of node b, and Ann is to move."""
    ann, bob = world.connect("Ann", "b"), world.connect("Bob", "c")
    offer = (
        await world.answer(ann, Challenge, key=world.key(), player="Bob", settings=DAYS, seat=0)
    )["challenge"]
    room = (await world.answer(bob, AcceptChallenge, key=world.key(), challenge=offer))["room"]
    assert world.owner(room).run == "b"
    return room, ann, bob


async def rest(world: World, *clients: Client) -> None:
    """Let players go, and time pass until their rooms sleep."""
    for client in clients:
        world.drop(client)
    world.tick()
    world.tick(REST_MS)
    await world.until()


def is_asleep(world: World, room: str) -> bool:
    assert (room in world.tables.sleeping.rows) == (room not in world.authority.lobby.rooms)
    assert (room in world.authority.lobby.rooms) == (room in [r.id for r in world.rooms()])
    return room in world.tables.sleeping.rows


@pytest.mark.parametrize("luck", ["nobody dies", "owner dies", "leader dies"])
async def test_a_room_sleeps_until_a_move(world: World, luck: str) -> None:
    room, ann, bob = await match(world)
    await rest(world, ann, bob)
    if luck == "owner dies":
        world.kill("b")
        await world.take_over("b", "c")
        await world.until()
    elif luck == "leader dies":
        world.kill("a")
        await world.take_over("a", "b")
        await world.until()
    assert is_asleep(world, room)
    world.check_agreement()
    index = world.authority.lobby.rooms
    assert index.sleeping == {"Ann": 1, "Bob": 1}
    # They are at a node that never heard of the room.
    ann, bob = world.connect("Ann", "c"), world.connect("Bob", "c")
    (game,) = (await world.answer(ann, GetOpenGames))["games"]
    assert (game["room"], game["to_move"], game["plies"]) == (room, 0, 0)
    assert game["left_ms"] == 3 * DAY_MS - REST_MS
    moved = await world.answer(ann, Move, room=room, match=1, ply=0, action=0)
    assert moved["type"] == "move"
    assert not is_asleep(world, room)
    world.check_agreement()
    assert index.sleeping == {}
    (notice,) = [m for m in bob.take() if m["type"] == "your_turn"]
    assert (notice["room"], notice["ply"], notice["opponent"]) == (room, 1, "Ann")
    await rest(world)
    assert is_asleep(world, room)


@pytest.mark.parametrize("troubles", [0, 1, missed.ATTEMPTS - 1])
async def test_a_report_of_sleep_is_lost(world: World, troubles: int) -> None:
    """After the break its log does not show the room, but the storage has it asleep."""
    room, ann, bob = await match(world)
    world.network.hold("b", "a")
    await rest(world, ann, bob)
    assert room in world.authority.lobby.rooms
    world.stores[LEADER].sleeping.fails = troubles
    world.network.reset("a", "b")
    world.network.release("b", "a")
    await world.until()
    assert is_asleep(world, room)
    assert world.authority.lobby.rooms.sleeping == {"Ann": 1, "Bob": 1}
    world.check_agreement()


async def test_a_command_wakes_a_room(world: World) -> None:
    """The leader sent it before it heard that the room sleeps."""
    room, ann, bob = await match(world)
    await rest(world, ann, bob)
    orders = [
        Order(7, "close", each, reason="A host closes it.") for each in (room, "bbbbnowhere1")
    ]
    world.send("a", "b", *orders)
    await world.until()
    assert room not in world.tables.sleeping.rows
    world.check_agreement()


async def test_a_former_owner_wakes_nothing(world: World) -> None:
    room, ann, bob = await match(world)
    card = card_of(world.real(room))
    await rest(world, ann, bob)
    await world.take_over("b", "c")
    world.send("b", "a", Woken(card))
    await world.until()
    assert is_asleep(world, room)


async def test_a_room_of_a_game_that_the_leader_does_not_know_stays_unknown(
    world: World,
) -> None:
    """The owner may have a newer version. An error would break the link to it, again and again."""
    room, ann, bob = await match(world)
    card = card_of(world.real(room))
    await rest(world, ann, bob)
    settings = {**card["opened"]["settings"], "game": "new-game"}
    card["opened"]["settings"] = settings  # type: ignore[typeddict-item]
    world.leader.handlers[Woken]("b", Woken(card))
    assert room not in world.authority.lobby.rooms


async def test_a_room_that_wakes_while_the_leader_reads_its_log_is_not_lost(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The log showed that it slept, and when the leader looks for its row, there is none."""
    await begin(world, settings=DAYS)
    room = next(room for room in games(world) if world.owner(room.id).run == "b")
    world.network.hold("b", "a")
    await rest(world)
    assert room.id in world.tables.sleeping.rows
    begun = {each.id for each in world.authority.lobby.rooms.values()} | set(
        world.tables.sleeping.rows
    )
    store, go_on = world.stores[LEADER].sleeping, asyncio.Event()
    find = store.room

    async def late(room_id: str) -> SleepingRoom | None:
        if room_id == room.id:
            await go_on.wait()
        return await find(room_id)

    monkeypatch.setattr(store, "room", late)
    for node in "bc":  # when it has read the other log, it reads the tournament again
        world.network.reset("a", node)
    await world.until()
    assert room.match is not None
    mover = room.players[room.match.state.current_player()]
    assert mover is not None
    (bot,) = [each for each in world.clients if each.name == mover.name]
    action = room.match.state.legal_actions()[0]
    move = await world.answer(bot, Move, room=room.id, match=1, ply=0, action=action)
    assert move["type"] == "move"
    go_on.set()
    for _ in range(3):
        await world.until()
        world.tick(1000)
    assert {each.id for each in world.rooms()} | set(world.tables.sleeping.rows) == begun
    world.check_agreement()


async def test_a_room_is_not_undone_that_began_and_fell_asleep_during_a_break(
    world: World,
) -> None:
    """The leader knows it without the bot, as a room that does not sleep."""
    ann, bot = world.connect("Ann", "b"), world.connect("Bot", "c", bot=True)
    untimed = DAYS.model_copy(update={"time": TimeControl()})
    world.stores["bbbb"].hold()
    made = world.ask(ann, CreateRoom, key="r", settings=untimed, seat=0)
    await world.settle()
    world.network.hold("b", "a")
    world.stores["bbbb"].release()
    (room,) = world.rooms()
    await world.join(bot, room.id)
    await world.answer(bot, Leave, room=room.id)
    world.tick()
    world.tick(BACK_MS)
    await world.until()
    assert room.id in world.tables.sleeping.rows
    world.network.reset("a", "b")
    await world.until()
    (answer,) = ann.answers(made)  # she asks again, and the room wakes for her
    assert answer["room"] == room.id
    world.check_agreement()


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
