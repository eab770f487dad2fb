"""The director when the storage fails, and after a restart."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import msgpack
import pytest

from doublecross.protocol.client_messages import (
    EndTournament,
    GetTournament,
    JoinTournament,
    LeaveTournament,
    StartTournament,
)
from doublecross.server.core.rooms.room import Room
from doublecross.server.core.storage import Batch, JournalEntry, StoreError
from doublecross.server.shell.rooms.channel import split_frames
from doublecross.server.tournaments.director import TICK_MS
from doublecross.server.tournaments.loading import RETRY_MS
from doublecross.server.tournaments.messages import wire_tag
from tests.server.tournaments.world import TournamentWorld, whole

# -- a storage that fails --------------------------------------------------------------------


@pytest.mark.parametrize("stored", [False, True])
@pytest.mark.parametrize("at", range(6))
async def test_any_commit_may_fail_and_nothing_is_lost_or_counted_twice(
    world: TournamentWorld, at: int, stored: bool
) -> None:
    tournament = await world.create("Bo", "Cy", "Di")
    for number in range(40):
        if tournament not in world.authority.director.registry.running:
            break
        for room in world.games():
            if number == at:
                world.store.fail_next(stored=stored)
            world.finish(room)
            await world.until()
            if world.games():
                await world.tick(RETRY_MS)
        await world.tick(RETRY_MS)
    await world.stored_games()
    assert world.store.troubles == []
    assert world.tags(tournament) == whole(3)
    assert world.store.tournament_rows[tournament].status == "finished"


async def test_a_game_that_ends_while_the_tournament_is_read_counts_once(
    world: TournamentWorld,
) -> None:
    tournament = await world.create("Bo", "Cy", "Di", "Ed")
    first, second = world.games()
    world.store.hold_reads()
    world.authority.director.game_lost(first.terms.tag)  # type: ignore[arg-type]
    await world.settle()
    assert world.running(tournament).stale
    world.finish(first)  # it ends, and that is stored, while the rows are read
    await world.settle()
    world.store.hold()
    world.finish(second)  # it ends, and that is not stored when they have been read
    await world.settle()
    world.store.release_reads()
    await world.until()
    held = world.running(tournament)
    assert not held.stale
    tags = [wire_tag(tag) for tag in held.core.live]
    assert second.terms.tag in tags  # its end is still to come
    assert first.terms.tag not in tags
    world.store.release()
    await world.settle()
    assert await world.play() == 10
    await world.stored_games()
    assert world.tags(tournament) == whole(6)


async def test_an_unreadable_storage_is_read_again_after_a_while(world: TournamentWorld) -> None:
    tournament = await world.create("Bo", "Cy")
    world.store.reading_fails = 2
    world.authority.director.game_lost(world.games()[0].terms.tag)  # type: ignore[arg-type]
    await world.until()
    bo = world.peer("Bo")
    assert bo is not None
    answer = await world.call(bo, LeaveTournament, tournament=tournament)
    assert answer["code"] == "storage_failed"
    for fails in (1, 1, 0):
        assert world.store.reading_fails == fails
        assert world.running(tournament).stale
        await world.tick(RETRY_MS - (fails and RETRY_MS - TICK_MS))
        world.time += RETRY_MS
    await world.tick()
    assert not world.running(tournament).stale
    assert await world.play() == 2
    assert world.tags(tournament) == whole(1)


async def test_a_full_disk_is_retried_only_after_a_pause(
    world: TournamentWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    tournament = await world.create("Bo", "Cy")
    failed = 0
    commit = world.store.commit

    async def fails(batch: Batch) -> None:
        nonlocal failed
        if batch.entry is not None and b"room_created" in batch.entry.frames:
            failed += 1
            raise StoreError("The disk is full.")
        await commit(batch)

    with monkeypatch.context() as patched:
        patched.setattr(world.store, "commit", fails)
        world.finish(world.games()[0])
        for _ in range(20):
            await world.until()
        assert failed == 2  # once again at once, as most failures are over by then
        await world.tick(RETRY_MS - TICK_MS)
        assert failed == 2
        await world.tick(TICK_MS)
        await world.until()
        assert 3 <= failed <= 4
    await world.tick()
    await world.tick()
    assert await world.play() == 1
    await world.stored_games()
    assert world.tags(tournament) == whole(1)


@pytest.mark.parametrize("stored", [False, True])
async def test_an_end_that_was_not_stored_is_repeated(
    world: TournamentWorld, monkeypatch: pytest.MonkeyPatch, stored: bool
) -> None:
    tournament = await world.create("Bo", "Cy")
    bo = world.peer("Bo")
    assert bo is not None
    assert await world.play(1) == 1
    bo.take()
    commit = world.store.commit

    async def fails_once(batch: Batch) -> None:
        if any(c.row is not None and c.row.status == "finished" for c in batch.tournaments):
            monkeypatch.undo()
            world.store.fail_next(stored=stored)
        await commit(batch)

    monkeypatch.setattr(world.store, "commit", fails_once)
    world.finish(world.games()[0])
    await world.until()
    await world.tick()
    await world.until()
    assert world.store.tournament_rows[tournament].status == "finished"
    assert tournament not in world.authority.director.registry.running
    notices = [m["status"] for m in bo.take() if m["type"] == "tournament_state"]
    assert notices
    assert set(notices) == {"finished"}
    await world.stored_games()
    assert world.tags(tournament) == whole(1)


async def test_a_bug_in_a_tournament_rebuilds_it(
    world: TournamentWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    tournament = await world.create("Bo", "Cy")

    def breaks(*_: object) -> None:
        raise RuntimeError("a bug")

    with monkeypatch.context() as patched:
        patched.setattr(Room, "open", breaks)
        world.finish(world.games()[0])
        await world.settle()
    assert world.games() == []
    for _ in range(3):
        await world.tick()
    assert await world.play() == 1
    assert world.tags(tournament) == whole(1)


# -- restarts --------------------------------------------------------------------------------


async def test_a_restart_goes_on_with_live_games(world: TournamentWorld) -> None:
    tournament = await world.create("Bo", "Cy", "Di", "Ed")
    assert await world.play(3) == 3
    live = {room.id for room in world.games()}
    assert live
    again = await world.again()
    assert {room.id for room in again.games()} == live
    for name in ("Ann", "Bo", "Cy", "Di", "Ed"):
        again.arrive(name) if name == "Ann" else again.bot(name)
    await again.settle()
    assert live <= {room.id for room in again.games()}
    assert await again.play() == 9
    await again.stored_games()
    assert again.tags(tournament) == whole(6)
    again.crash()


async def test_a_restart_after_an_end_with_live_games_counts_them(world: TournamentWorld) -> None:
    tournament = await world.create("Bo", "Cy", pairs=2)
    assert await world.play(1) == 1
    ann = world.peer("Ann")
    assert ann is not None
    await world.call(ann, EndTournament, tournament=tournament)
    again = await world.again()
    ann = again.arrive("Ann")
    again.bot("Bo")
    again.bot("Cy")
    assert len(again.games()) == 1
    state = await again.call(ann, GetTournament, tournament=tournament)
    assert [e["playing"] for e in state["entrants"]] == [1, 1]
    assert await again.play() == 1
    await again.until()
    assert again.authority.director.registry.running == {}
    assert [p.state for p in again.store.pairings[tournament].values()] == ["done"]
    state = await again.call(ann, GetTournament, tournament=tournament)
    assert (state["status"], state["games_played"]) == ("cancelled", 2)
    again.crash()


async def test_a_game_whose_log_is_corrupt_is_played_again(world: TournamentWorld) -> None:
    tournament = await world.create("Bo", "Cy")
    (room,) = world.games()
    assert room.match is not None
    mover = world.peer(room.players[0].name)  # type: ignore[union-attr]
    assert mover is not None
    world.move(mover, room, room.match.state.legal_actions()[0])
    await world.settle()
    for entry in list(world.store.entries.values()):
        events = [event for event, _ in split_frames(entry.frames)]
        if any(event["type"] == "move" for event in events):
            spoilt = b"".join(
                msgpack.packb({**e, "action": 99} if e["type"] == "move" else e) for e in events
            )
            world.store.entries[entry.entry_id] = JournalEntry(entry.entry_id, entry.at_ms, spoilt)
    again = await world.again()
    assert again.games() == []
    again.bot("Bo")
    again.bot("Cy")
    await again.settle()
    assert await again.play() == 2
    await again.stored_games()
    assert again.tags(tournament) == whole(1, attempt=2) + Counter([(0, 0, 1)])
    assert again.store.tournament_rows[tournament].status == "finished"
    again.crash()


@pytest.mark.parametrize("fault", ["terms", "entrants", "pairings"])
async def test_a_corrupt_tournament_does_not_run_and_requests_about_it_are_refused(
    world: TournamentWorld, fault: str
) -> None:
    bad, good = await world.create("Bo", "Cy"), await world.create("Di", "Ed")
    store = world.store
    if fault == "terms":
        store.tournament_rows[bad] = replace(store.tournament_rows[bad], terms='{"terms": 3}')
    elif fault == "entrants":
        del store.entrants[bad][0]
    else:
        store.pairings[bad][0] = replace(store.pairings[bad][0], first=7)
    again = await world.again()
    assert list(again.authority.director.registry.running) == [good]
    ann = again.arrive("Ann")
    for kind in (
        GetTournament,
        JoinTournament,
        StartTournament,
    ):
        answer = await again.call(ann, kind, tournament=bad)
        assert answer["code"] == "internal"
        assert "cannot be read" in answer["message"]
    for name in ("Bo", "Cy", "Di", "Ed"):
        again.bot(name)
    await again.play()
    assert again.store.tournament_rows[good].status == "finished"
    again.crash()


async def test_a_storage_that_fails_at_the_start_stops_the_server(world: TournamentWorld) -> None:
    await world.create("Bo", "Cy")
    world.crash()
    world.store.reading_fails = 1
    again = TournamentWorld(world.store)
    with pytest.raises(Exception, match="could not be read"):
        await again.start()
    again.crash()


async def test_a_replaced_program_loses_its_game_of_a_tournament_that_cannot_be_read(
    world: TournamentWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The game goes on, and may count for ratings, which are of a program."""
    tournament = await world.create("Bo", "Cy")
    (room,) = world.games()

    def fail(*_: object) -> None:
        raise ValueError("these rows make no sense")

    monkeypatch.setattr("doublecross.server.tournaments.loading.rebuild", fail)
    director = world.authority.director
    director._loader.reload(world.running(tournament))
    await world.until()
    assert director.registry.unreadable == {tournament}
    world.bot("Bo", version="2")
    await world.until()
    assert room.status != "playing"
