"""Rooms in play while the leader dies, links break and logs change hands."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest

from doublecross.protocol.client_messages import (
    CreateRoom,
    QuickMatch,
    Rematch,
)
from doublecross.server.cluster.items import (
    Ask,
    Gone,
    Happened,
    Order,
    Reporting,
)
from doublecross.server.cluster.leader import reports
from doublecross.server.cluster.rooms import running
from doublecross.server.core.cluster_storage import LEADER
from doublecross.server.core.rating_book import RatedGame
from doublecross.server.core.rooms.room import Room
from doublecross.server.core.storage import GameRow, JournalEntry, StoreError
from tests.cluster.hosts import Client
from tests.cluster.world import LogStore, World
from tests.server.playing import dots


async def match(
    world: World, first: str = "Ann", second: str = "Bob"
) -> tuple[str, Client, Client]:
    """Let two players begin a rated match; the room is in the log of node b."""
    one, other = world.connect(first, "b"), world.connect(second, "c")
    made = await world.answer(one, CreateRoom, key=world.key(), settings=dots(rated=True), seat=0)
    await world.join(other, made["room"])
    return made["room"], one, other


def rated(world: World, name: str) -> int:
    """Return how many games count for a player."""
    return sum(entry.games for entry in world.authority.ratings.of(name))


async def play_three(world: World, room_id: str, one: Client, other: Client) -> None:
    """End the match in play, play a second one, and begin a third."""
    for _ in range(2):
        world.play(room_id)
        await world.settle()
        for client in (one, other):
            world.ask(client, Rematch, room=room_id)
        await world.settle()


async def test_an_older_leader_is_not_obeyed(world: World) -> None:
    """The former leader, whose lease has lapsed, does not know it yet."""
    room_id, *_ = await match(world)
    await world.move_leader("c")
    orders = [Order(number, "close", room_id) for number in (1, 2)]
    world.send("a", "b", orders[0], Ask(1, ("bbbb",)), orders[1])
    await world.settle()
    assert world.real(room_id).status == "playing"
    assert world.side("bbbb").reporter.leader == "c"
    world.check_agreement()


async def test_what_others_than_the_owner_report_does_not_count(world: World) -> None:
    room_id, *_ = await match(world)
    offered = {"type": "rematch_offered", "room": room_id, "seq": 99, "seat": 0}
    world.send("c", "a", Happened(offered), Gone(room_id), Reporting("bbbb"))  # type: ignore[arg-type]
    await world.settle()
    assert world.shadow(room_id).status == "playing"
    world.check_agreement()


async def test_a_match_that_ends_while_the_leader_opens_counts_once(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its row may be stored too late for the leader to read it."""
    room_id, *_ = await match(world)
    reads, read = LogStore.rated_games, asyncio.Event()

    async def slow(store: LogStore) -> AsyncIterator[RatedGame]:
        await read.wait()
        async for played in reads(store):
            yield played

    monkeypatch.setattr(LogStore, "rated_games", slow)
    opening = asyncio.ensure_future(world.move_leader("c"))
    await world.until()
    world.play(room_id)
    await world.settle()
    assert f"{room_id}-1" not in world.tables.games_by_id
    assert rated(world, "Ann") == 0
    read.set()
    await opening
    assert rated(world, "Ann") == 1


# -- links break -------------------------------------------------------------------------------


async def test_matches_that_end_during_a_break_count_once(world: World) -> None:
    """A shadow shows only the last match of a room; earlier ones are read from the storage."""
    room_id, ann, bob = await match(world)
    gone_id, *_ = await match(world, "Cat", "Dan")
    world.network.cut("a", "b")
    await play_three(world, room_id, ann, bob)
    world.play(room_id)
    world.play(gone_id)
    await world.settle()
    world.close(gone_id)
    await world.settle()
    assert [rated(world, name) for name in ("Ann", "Cat")] == [0, 0]
    played = world.real(room_id).match_number
    world.network.link("a", "b")
    await world.until()
    assert [rated(world, name) for name in ("Ann", "Bob", "Cat", "Dan")] == [played, played, 1, 1]
    assert gone_id not in world.authority.lobby.rooms
    world.check_agreement()
    world.network.reset("a", "b")
    await world.until()
    assert rated(world, "Ann") == played


async def test_a_room_that_was_played_and_closed_during_a_break_is_not_undone(
    world: World,
) -> None:
    """The leader has not heard that it was stored, and its log does not show it any more."""
    ann, bob = world.connect("Ann", "b"), world.connect("Bob", "a")
    await world.answer(ann, QuickMatch, key="k1", settings=dots(rated=True))
    world.network.hold("b", "a")
    world.ask(bob, QuickMatch, key="k2", settings=dots(rated=True))
    await world.settle()
    (room,) = world.rooms()
    world.play(room.id)
    await world.settle()
    world.close(room.id)
    await world.settle()
    world.network.reset("a", "b")
    await world.until()
    assert not len(world.authority.lobby.offers)
    assert rated(world, "Ann") == 1
    world.check_agreement()


async def test_a_log_that_its_owner_empties_while_the_leader_reads_it(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The end of the last room is deleted with all else after the leader has read its beginning."""
    room_id, *_ = await match(world)
    world.network.hold("b", "a")
    world.close(room_id)
    await world.settle()
    reader = world.leader._reader
    reads = reader._entries

    async def in_pages(log: str) -> AsyncIterator[JournalEntry]:
        async for entry in reads(log):
            if b"room_closed" not in entry.frames:
                yield entry
        world.entries[log].clear()

    monkeypatch.setattr(reader, "_entries", in_pages)
    world.network.reset("a", "b")
    await world.until()
    assert not world.leader.logs.missing
    assert room_id not in world.authority.lobby.rooms


async def test_a_log_that_is_deleted_while_the_leader_reads_it(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its last room has closed meanwhile."""
    room_id, *_ = await match(world)
    read, go_on = world.stores[LEADER].game, asyncio.Event()

    async def late(game_id: str) -> GameRow | None:
        await go_on.wait()
        return await read(game_id)

    gone_id, *_ = await match(world, "Cat", "Dan")
    monkeypatch.setattr(world.stores[LEADER], "game", late)
    world.network.hold("b", "a")
    world.close(gone_id)
    await world.settle()
    world.network.reset("a", "b")
    await world.settle()  # it has read the entries
    world.network.hold("b", "a")
    world.close(room_id)
    await world.settle()
    del world.owners["bbbb"]
    world.tell()
    go_on.set()
    world.network.release("b", "a")
    await world.until()
    assert not list(world.authority.lobby.rooms)


async def test_a_log_whose_reading_meets_a_bug_is_read_again(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody else reads it, so the leader would not open, and would settle nothing."""
    room_id, *_ = await match(world)
    logs, subscribers = world.leader.logs, world.leader.reports._subscribers
    changed, bugs = subscribers.room_changed, [KeyError("a bug")]

    def fail_once(room: Room) -> None:
        if bugs:
            raise bugs.pop()
        changed(room)

    monkeypatch.setattr(subscribers, "room_changed", fail_once)
    monkeypatch.setattr(reports, "RETRY_S", 0.0)
    world.network.cut("a", "b")
    world.play(room_id)
    world.network.link("a", "b")
    await world.until()
    assert not bugs
    assert not logs.missing
    world.check_agreement()


async def test_a_former_owner_does_not_say_that_rooms_are_gone(world: World) -> None:
    """Its commits fail before the leader knows that the log has another owner."""
    room_id, *_ = await match(world)
    store, writer = world.stores["bbbb"], world.side("bbbb").rooms.committer.writer
    store.hold()
    world.play(room_id, 1)
    await world.settle()
    await world.give("bbbb", "c")
    store.release()
    await world.settle()
    assert writer.failures == 1
    assert world.nodes["b"].away == ["bbbb"]
    assert world.shadow(room_id).status == "playing"
    world.tell()
    await world.settle()
    assert world.real(room_id).match.moves == []
    world.check_agreement()


# -- orders ------------------------------------------------------------------------------------


@pytest.mark.parametrize("breaks", [False, True])
@pytest.mark.parametrize("what", ["close", "forfeit"])
async def test_an_admin_closes_and_a_player_forfeits(world: World, what: str, breaks: bool) -> None:
    """A command that is lost with a link is carried out after the break."""
    room_id, _, bob = await match(world)
    world.play(room_id, 2)
    await world.until()
    bob.take()
    rooms, room = world.authority.all_rooms, world.shadow(room_id)
    if breaks:
        world.network.hold("a", "b")
    if what == "close":
        rooms.close(room, "An admin has closed the room.")
    else:
        rooms.forfeit(room, "Ann", "Ann is gone.")
        rooms.forfeit(room, "Ann", "Ann is gone.")
    assert not rooms.is_stored(room)
    if breaks:
        await world.settle()
        world.network.reset("a", "b")
    await rooms.settled(games=True)
    assert room_id + "-1" in world.tables.games_by_id
    if what == "close":
        assert room_id not in world.authority.lobby.rooms
        assert [m["type"] for m in bob.take()][-1] == "room_closed"
        assert rated(world, "Ann") == 0
    else:
        assert (room.status, rooms.is_stored(room)) == ("finished", True)
        assert rated(world, "Bob") == 1
    world.check_agreement()


async def test_settling_fails_if_a_node_cannot_store(world: World) -> None:
    room_id, ann, _ = await match(world)
    rooms = world.authority.all_rooms
    world.stores["bbbb"].fail_next()
    rooms.close(world.shadow(room_id), "An admin has closed the room.")
    with pytest.raises(StoreError, match="could not store"):
        await rooms.settled()
    assert rooms.is_stored(world.shadow(room_id))
    assert world.real(room_id).status == "playing"
    world.play(room_id, 1)
    world.stores["bbbb"].hold()
    world.play(room_id)
    waiting = asyncio.ensure_future(rooms.settled(games=True))
    await world.settle()
    assert not waiting.done()
    world.kill("b")  # nobody has seen what it had not stored
    await world.settle()
    assert not waiting.done()
    await world.take_over("b", "c")
    async with asyncio.timeout(5):
        await waiting
    assert world.shadow(room_id).status == "playing"
    assert ann.name not in world.authority.lobby.online


# -- leaving, and games of other nodes ---------------------------------------------------------


async def test_moves_are_not_reported(world: World) -> None:
    room_id, *_ = await match(world)
    await world.settle()
    world.network.hold("b", "a")
    world.play(room_id, 4)
    await world.settle()
    assert world.network.waiting("b", "a") == 0
    world.play(room_id)
    await world.settle()
    assert world.network.waiting("b", "a") == 1
    world.network.release("b", "a")
    await world.settle()
    world.check_agreement()


async def test_a_room_on_its_way_to_an_owner_that_answers_by_itself_is_not_refused(
    world: World,
) -> None:
    """The owner has lost its log and got it back. It gets the room after its answer."""
    ann = world.connect("Ann", "b")
    world.network.hold("a", "b")
    asked = world.ask(ann, CreateRoom, key=world.key(), settings=dots(), seat=0)
    await world.settle()
    assert world.network.waiting("a", "b")
    world.side("bbbb").reporter.report(Reporting("bbbb"))
    await world.settle()
    world.network.release("a", "b")
    await world.settle()
    (answer,) = ann.answers(asked)
    assert answer["type"] == "room_state"
    assert not world.leader.logs.missing
    world.check_agreement()


async def test_a_successor_stores_finished_games_first(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The row of a match may be lost with its node; its events are not."""
    monkeypatch.setattr(running, "RETRY_S", 0.0)
    room_id, *_ = await match(world)
    world.play(room_id)
    await world.settle()
    assert f"{room_id}-1" not in world.tables.games_by_id
    world.kill("b")
    world.claim("bbbb", "c")
    await asyncio.sleep(0)
    world.stores["bbbb"].fail_next()
    await world.reach(lambda: "bbbb" in world.nodes["c"].node.running)
    world.tell()
    await world.settle()
    assert world.side("bbbb").rooms.committer.writer.failures == 1
    assert f"{room_id}-1" in world.tables.games_by_id
    world.check_agreement()
