"""Correspondence games: they leave memory while nobody looks, and lose nothing."""

from __future__ import annotations

from pathlib import Path

from doublecross.protocol.client_messages import (
    AcceptChallenge,
    Challenge,
    Claim,
    CreateRoom,
    GetOpenGames,
    Leave,
    Move,
    Resign,
    Resume,
    Watch,
)
from doublecross.protocol.common import DAY_MS, MatchSettings, TimeControl
from doublecross.server.core.people.accounts import PlayerRow
from doublecross.server.core.rooms.deadlines import WAIT_MS
from doublecross.server.core.rooms.room import Room
from doublecross.server.core.rooms.sleeping import SleepingRoom
from doublecross.server.core.storage import Batch, JournalEntry
from doublecross.server.shell.rooms.sleeping import BACK_MS, REST_MS
from doublecross.server.shell.web.links.invitations import invitation_of
from doublecross.server.store.sql import SqlStore, database_url
from tests.fakes.peers import FakePeer
from tests.server.world import World

DAYS = MatchSettings(
    game="dots-and-boxes", params={"rows": 2, "cols": 2}, time=TimeControl(move_ms=3 * DAY_MS)
)


async def table(world: World) -> tuple[FakePeer, FakePeer, str]:
    ann, bob = world.arrive("Ann"), world.arrive("Bob")
    room = await world.play_room(ann, bob, DAYS)
    return ann, bob, room.id


async def rest(world: World, *peers: FakePeer) -> None:
    """Let players go, and time pass until their rooms sleep."""
    for peer in peers:
        world.authority.depart(peer)
    world.authority.sweep()
    world.time += REST_MS
    world.authority.sweep()
    await world.settle()


async def restarted(world: World) -> World:
    world.crash()
    await world.settle()
    again = World(world.store)
    again.time = world.time
    return await again.start()


def in_memory(world: World, room: str) -> bool:
    index, channels = world.authority.lobby.rooms, world.authority.rooms.registry.channels
    assert (room in index) == (room in channels)
    return room in index


def move(room: Room, ply: int, action: int) -> dict[str, object]:
    return {"room": room, "match": 1, "ply": ply, "action": action}


async def test_a_room_sleeps_when_nobody_looks_and_wakes_for_a_move() -> None:
    world = await World().start()
    ann, bob, room = await table(world)
    assert (await world.answer(ann, Move, **move(room, 0, 0)))["type"] == "move"
    await rest(world, ann)
    assert in_memory(world, room)  # Bob still looks at it
    await rest(world, bob)
    assert not in_memory(world, room)
    assert world.authority.lobby.rooms.sleeping == {"Ann": 1, "Bob": 1}
    await world.authority.rooms.registry.retention.clean()
    assert world.store.entries == {}

    world.time += DAY_MS
    bob = world.arrive("Bob")
    answer = await world.answer(bob, Move, **move(room, 1, 1))
    assert (answer["type"], answer["seq"]) == ("move", 6)
    assert (await world.answer(bob, Move, **move(room, 1, 1)))["seq"] == 6  # played once
    assert world.store.sleeping.rows == {}
    # A restart finds the room in the journal, and the time that Ann has used.
    world.time += DAY_MS
    world = await restarted(world)
    ann = world.arrive("Ann")
    shown = await world.answer(ann, Resume, room=room, seq=5)
    assert [event["seq"] for event in shown["events"]] == [6]
    clock = world.room(room).match.clock  # type: ignore[union-attr]
    assert clock.deadline() == world.time + 2 * DAY_MS
    await world.stop()


async def test_a_match_without_a_clock_against_a_bot_waits_asleep() -> None:
    world = await World().start()
    ann, bot = world.arrive("Ann"), world.arrive("Bot", bot=True)
    settings = MatchSettings(game="dots-and-boxes", params={"rows": 2, "cols": 2})
    room = (await world.play_room(ann, bot, settings)).id
    await world.answer(ann, Move, **move(room, 0, 0))
    await world.answer(bot, Move, **move(room, 1, 1))
    await rest(world, ann)
    assert (await world.answer(bot, Leave, room=room))["type"] == "done"
    await rest(world)
    assert in_memory(world, room)  # both may come back after a restart
    world.time += BACK_MS
    await rest(world)
    assert not in_memory(world, room)
    # It counts for the person only.
    assert not world.authority.lobby.rooms.has_too_many("Bot")
    assert list(world.authority.lobby.opponents("Bot")) == []

    world.time += DAY_MS
    world = await restarted(world)
    ann, bot = world.arrive("Ann"), world.arrive("Bot", bot=True)
    (waits,) = (await world.answer(ann, GetOpenGames))["games"]
    assert (waits["room"], waits["to_move"], waits["seat"]) == (room, 0, 0)
    assert (await world.answer(bot, GetOpenGames))["games"] == ()
    assert (await world.answer(ann, Watch, room=room))["seat"] == 0
    bot.take()
    await world.answer(ann, Move, **move(room, 2, 2))
    (turn,) = [each for each in bot.take() if each["type"] == "your_turn"]
    assert (turn["room"], turn["ply"], turn["opponent"]) == (room, 3, "Ann")
    (waits,) = (await world.answer(bot, GetOpenGames))["games"]
    assert waits["to_move"] == 1
    await world.answer(bot, Watch, room=room)
    assert (await world.answer(bot, Move, **move(room, 3, 3)))["type"] == "move"
    assert all(each["type"] != "your_turn" for each in ann.take())
    await world.stop()


async def test_a_match_without_a_clock_ends_without_a_loser_at_last() -> None:
    world = await World().start()
    ann, bot = world.arrive("Ann"), world.arrive("Bot", bot=True)
    settings = MatchSettings(game="dots-and-boxes", params={"rows": 2, "cols": 2})
    room = (await world.play_room(ann, bot, settings)).id
    await rest(world, ann, bot)
    world.time += BACK_MS
    await rest(world)
    assert not in_memory(world, room)
    world.time += WAIT_MS
    await rest(world)
    world.authority.tick()
    await world.settle()
    (row,) = world.store.games_by_id.values()
    assert (row.termination, row.winner) == ("aborted", None)
    await world.stop()


async def test_a_room_that_was_only_looked_at_is_not_stored_again() -> None:
    world = await World().start()
    ann, bob, room = await table(world)
    await rest(world, ann, bob)
    stored = dict(world.store.sleeping.rows)
    entries = dict(world.store.entries)
    eve = world.arrive("Eve")
    assert (await world.answer(eve, Watch, room=room))["seat"] is None
    assert in_memory(world, room)
    await rest(world, eve)
    assert not in_memory(world, room)
    assert (world.store.sleeping.rows, world.store.entries) == (stored, entries)
    assert (await world.answer(world.arrive("Eve"), Watch, room="nothing"))[
        "code"
    ] == "unknown_room"
    await world.stop()


async def test_time_runs_out_while_a_room_sleeps() -> None:
    world = await World().start()
    ann, bob, room = await table(world)
    await rest(world, ann, bob)
    world.time += 3 * DAY_MS + 1
    for _ in range(2):
        world.authority.sweep()
        await world.settle()
        world.authority.tick()
        await world.settle()
    world.time += DAY_MS
    await world.authority.committer.settled(games=True)
    (game,) = world.store.games_by_id.values()
    assert (game.room, game.termination, game.winner) == (room, "timeout", 1)
    # The room stays open for a rematch, asleep again, and then it ends.
    await rest(world)
    assert not in_memory(world, room)
    world.time += 3 * DAY_MS
    world.authority.sweep()
    await world.settle()
    world.authority.tick()
    await world.settle()
    assert world.store.sleeping.rows == {}
    assert world.authority.lobby.rooms.sleeping == {}
    await world.stop()


async def test_a_server_that_was_down_decides_no_game() -> None:
    world = await World().start()
    ann, bob, room = await table(world)
    await rest(world, ann, bob)
    world.time += 4 * DAY_MS
    world = await restarted(world)
    world.authority.sweep()
    await world.settle()
    world.authority.tick()
    await world.settle()
    assert world.room(room).status == "playing"
    clock = world.room(room).match.clock  # type: ignore[union-attr]
    assert clock.deadline() == world.time + 3_600_000
    await world.stop()


async def test_a_row_that_cannot_be_stored_leaves_the_room_in_memory() -> None:
    world = await World().start()
    ann, bob, room = await table(world)
    world.store.fail_next()
    await rest(world, ann, bob)
    assert in_memory(world, room)
    assert world.store.sleeping.rows == {}
    await rest(world)
    assert not in_memory(world, room)
    await world.stop()


async def test_a_player_who_comes_while_the_row_is_stored_is_shown_the_room() -> None:
    world = await World().start()
    ann, bob, room = await table(world)
    world.store.hold()
    await rest(world, ann, bob)
    ann = world.arrive("Ann")
    asked = world.ask(ann, Watch, room=room)
    world.store.release()
    await world.settle()
    assert [m["type"] for m in ann.take() if m.get("id") == asked] == ["room_state"]
    # So is one who waits for a commit of others when the room, which has a row, would go.
    cat, bob = world.arrive("Cat"), world.arrive("Bob")
    world.store.hold()
    world.ask(cat, CreateRoom, key=world.key(), settings=DAYS)
    asked = world.ask(bob, Watch, room=room)
    await rest(world, ann)
    world.store.release()
    await world.settle()
    assert [m["type"] for m in bob.take() if m.get("id") == asked] == ["room_state"]
    await rest(world, bob)
    assert not in_memory(world, room)
    await world.stop()


async def test_a_move_that_comes_while_the_row_is_stored_is_kept() -> None:
    world = await World().start()
    ann, bob, room = await table(world)
    world.store.hold()
    await rest(world, ann, bob)
    ann = world.arrive("Ann")
    asked = world.ask(ann, Move, **move(room, 0, 0))
    world.store.release()
    await world.settle()
    assert any(message.get("id") == asked for message in ann.take())
    assert world.store.sleeping.rows == {}
    world = await restarted(world)
    assert world.room(room).seq == 5
    await world.stop()


async def test_a_move_that_cannot_be_stored_leaves_the_row() -> None:
    world = await World().start()
    ann, bob, room = await table(world)
    await rest(world, ann, bob)
    stored = dict(world.store.sleeping.rows)
    world.store.fail_next()
    ann = world.arrive("Ann")
    refused = await world.answer(ann, Move, **move(room, 0, 0))
    assert refused["code"] == "storage_failed"
    assert world.store.sleeping.rows == stored
    assert (await world.answer(ann, Move, **move(room, 0, 0)))["seq"] == 5
    world = await restarted(world)
    assert world.room(room).seq == 5
    await world.stop()


async def test_a_match_that_has_ended_is_recorded_before_its_room_sleeps() -> None:
    world = await World().start()
    ann, bob, room = await table(world)
    await world.answer(ann, Resign, room=room)
    await rest(world, ann, bob)
    assert in_memory(world, room)
    await world.authority.committer.settled(games=True)
    await rest(world)
    assert not in_memory(world, room)
    assert [game.room for game in world.store.games_by_id.values()] == [room]
    await world.stop()


async def test_nobody_has_to_be_here_and_nobody_can_claim_the_win() -> None:
    world = await World().start()
    ann, bob, room = await table(world)
    world.authority.depart(bob)
    world.time += 2 * DAY_MS
    world.authority.tick()
    await world.settle()
    assert (await world.answer(ann, Claim, room=room))["code"] == "wrong_state"
    assert (await world.answer(ann, Leave, room=room))["type"] == "done"
    assert world.room(room).status == "playing"
    assert (await world.answer(ann, Resign, room=room))["type"] == "match_finished"
    await world.stop()


async def test_a_player_lists_the_games_and_hears_of_a_turn() -> None:
    world = await World().start()
    ann, bob, room = await table(world)
    live = await world.play_room(bob, ann)
    await rest(world, ann)
    ann = world.arrive("Ann")
    assert (await world.answer(bob, GetOpenGames))["games"][1]["room"] == room
    await rest(world, bob)
    assert not in_memory(world, room)
    first, second = (await world.answer(ann, GetOpenGames))["games"]
    assert not in_memory(world, room)
    assert (first["room"], first["seat"], first["to_move"]) == (room, 0, 0)
    assert first["left_ms"] == 3 * DAY_MS - 2 * REST_MS
    assert set(first["board"]["legal"]) == {"1"}
    assert (second["room"], second["to_move"], second["left_ms"]) == (live.id, 0, 20_000)
    bob = world.arrive("Bob")
    await world.answer(ann, Move, **move(room, 0, 0))
    (notice,) = [message for message in bob.take() if message["type"] == "your_turn"]
    assert notice == {
        "type": "your_turn",
        "room": room,
        "match": 1,
        "ply": 1,
        "opponent": "Ann",
        "left_ms": 3 * DAY_MS,
    }
    await world.stop()


async def test_a_challenge_by_days_waits_for_players_who_are_away() -> None:
    world = await World().start()
    world.store.players["bob"] = PlayerRow("Bob", "human", "", "", b"", 0, "", "id")
    ann, key = world.arrive("Ann"), world.key()
    unknown = await world.answer(ann, Challenge, key=key, player="Eve", settings=DAYS)
    assert unknown["code"] == "unknown_player"
    sent = await world.answer(ann, Challenge, key=key, player="bob", settings=DAYS)
    world.authority.depart(ann)
    world.time += 13 * DAY_MS
    world.authority.sweep()
    bob = world.arrive("Bob")
    accept = {"key": world.key(), "challenge": sent["challenge"]}
    begun = await world.answer(bob, AcceptChallenge, **accept)
    assert begun["snapshot"]["status"] == "playing"
    ann = world.arrive("Ann")
    late = await world.answer(ann, Challenge, key=world.key(), player="Bob", settings=DAYS)
    world.authority.depart(ann)
    for days in (1, 14):
        world.time += days * DAY_MS
        world.authority.sweep()
        assert (late["challenge"] in world.authority.lobby.offers) == (days == 1)
    await world.stop()


async def test_a_database_keeps_rooms_that_sleep(tmp_path: Path) -> None:
    rows = [
        SleepingRoom(f"room{n}", ("Ann", f"P{n % 2}"), "Ann", 100 * n, 5, f"t{n % 2}", bytes([n]))
        for n in range(4)
    ]
    store = await SqlStore.open(database_url(str(tmp_path / "games.sqlite")))
    await store.commit(Batch(JournalEntry(1, 5, b""), asleep=rows))
    await store.commit(Batch(JournalEntry(2, 5, b""), asleep=[rows[1]], woken=["room3"]))
    sleeping = store.sleeping
    assert await sleeping.room("room1") == rows[1]
    assert await sleeping.room("room3") is None
    assert await sleeping.due(200, (0, "room0"), 5) == rows[1:3]
    assert [await sleeping.first_due(at) for at in (0, 100, 200)] == [100, 200, None]
    assert await sleeping.of_player("P0") == [rows[0], rows[2]]
    assert await sleeping.counts() == {"Ann": 3, "P0": 2, "P1": 1}
    assert await sleeping.of_tournament("t0", {"Ann", "P0"}) == [rows[0], rows[2]]
    assert await sleeping.of_tournament("t0", {"P0"}) == []
    await store.close()


async def test_the_link_of_a_room_that_sleeps_still_says_what_it_leads_to() -> None:
    world = await World().start()
    ann, bob, room = await table(world)
    await rest(world, ann, bob)
    assert not in_memory(world, room)
    found = await invitation_of(world.authority, room, None)
    assert found is not None
    assert (found.state, found.settings) == ("playing", DAYS)
    await world.stop()
