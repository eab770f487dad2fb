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
from tests.server.tournaments.halls import Hall, whole

# -- a storage that fails --------------------------------------------------------------------


@pytest.mark.parametrize("stored", [False, True])
async def test_a_failed_commit_of_new_games_begins_them_once(hall: Hall, stored: bool) -> None:
    tournament = await hall.create("Bo", "Cy", "Di", "Ed", started=False)
    hall.store.fail_next(stored=stored)
    await hall.send(hall.peer("Ann"), StartTournament, tournament=tournament)  # type: ignore[arg-type]
    await hall.until()
    if not stored:  # the organiser got an error, and sends the request again
        assert hall.running(tournament).core.status == "open"
        await hall.send(hall.peer("Ann"), StartTournament, tournament=tournament)  # type: ignore[arg-type]
        await hall.until()
    assert len(hall.games()) == 2
    assert await hall.play() == 12
    await hall.stored_games()
    assert hall.tags(tournament) == whole(6)


@pytest.mark.parametrize("stored", [False, True])
@pytest.mark.parametrize("at", range(6))
async def test_any_commit_may_fail_and_nothing_is_lost_or_counted_twice(
    hall: Hall, at: int, stored: bool
) -> None:
    tournament = await hall.create("Bo", "Cy", "Di")
    for number in range(40):
        if tournament not in hall.authority.director.registry.running:
            break
        for room in hall.games():
            if number == at:
                hall.store.fail_next(stored=stored)
            hall.finish(room)
            await hall.until()
            if hall.games():
                await hall.tick(RETRY_MS)
        await hall.tick(RETRY_MS)
    await hall.stored_games()
    assert hall.store.troubles == []
    assert hall.tags(tournament) == whole(3)
    assert hall.store.tournament_rows[tournament].status == "finished"


async def test_a_game_that_ends_while_the_tournament_is_read_counts_once(hall: Hall) -> None:
    tournament = await hall.create("Bo", "Cy", "Di", "Ed")
    first, second = hall.games()
    hall.store.hold_reads()
    hall.authority.director.game_lost(first.terms.tag)  # type: ignore[arg-type]
    await hall.settle()
    assert hall.running(tournament).stale
    hall.finish(first)  # it ends, and that is stored, while the rows are read
    await hall.settle()
    hall.store.hold()
    hall.finish(second)  # it ends, and that is not stored when they have been read
    await hall.settle()
    hall.store.release_reads()
    await hall.until()
    held = hall.running(tournament)
    assert not held.stale
    tags = [wire_tag(tag) for tag in held.core.live]
    assert second.terms.tag in tags  # its end is still to come
    assert first.terms.tag not in tags
    hall.store.release()
    await hall.settle()
    assert await hall.play() == 10
    await hall.stored_games()
    assert hall.tags(tournament) == whole(6)


async def test_an_unreadable_storage_is_read_again_after_a_while(hall: Hall) -> None:
    tournament = await hall.create("Bo", "Cy")
    hall.store.reading_fails = 2
    hall.authority.director.game_lost(hall.games()[0].terms.tag)  # type: ignore[arg-type]
    await hall.until()
    bo = hall.peer("Bo")
    assert bo is not None
    answer = await hall.call(bo, LeaveTournament, tournament=tournament)
    assert answer["code"] == "storage_failed"
    for fails in (1, 1, 0):
        assert hall.store.reading_fails == fails
        assert hall.running(tournament).stale
        await hall.tick(RETRY_MS - (fails and RETRY_MS - TICK_MS))
        hall.time += RETRY_MS
    await hall.tick()
    assert not hall.running(tournament).stale
    assert await hall.play() == 2
    assert hall.tags(tournament) == whole(1)


async def test_a_full_disk_is_retried_only_after_a_pause(
    hall: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    tournament = await hall.create("Bo", "Cy")
    failed = 0
    commit = hall.store.commit

    async def fails(batch: Batch) -> None:
        nonlocal failed
        if batch.entry is not None and b"room_created" in batch.entry.frames:
            failed += 1
            raise StoreError("The disk is full.")
        await commit(batch)

    with monkeypatch.context() as patched:
        patched.setattr(hall.store, "commit", fails)
        hall.finish(hall.games()[0])
        for _ in range(20):
            await hall.until()
        assert failed == 2  # once again at once, as most failures are over by then
        await hall.tick(RETRY_MS - TICK_MS)
        assert failed == 2
        await hall.tick(TICK_MS)
        await hall.until()
        assert 3 <= failed <= 4
    await hall.tick()
    await hall.tick()
    assert await hall.play() == 1
    await hall.stored_games()
    assert hall.tags(tournament) == whole(1)


@pytest.mark.parametrize("stored", [False, True])
async def test_an_end_that_was_not_stored_is_repeated(
    hall: Hall, monkeypatch: pytest.MonkeyPatch, stored: bool
) -> None:
    tournament = await hall.create("Bo", "Cy")
    bo = hall.peer("Bo")
    assert bo is not None
    assert await hall.play(1) == 1
    bo.take()
    commit = hall.store.commit

    async def fails_once(batch: Batch) -> None:
        if any(c.row is not None and c.row.status == "finished" for c in batch.tournaments):
            monkeypatch.undo()
            hall.store.fail_next(stored=stored)
        await commit(batch)

    monkeypatch.setattr(hall.store, "commit", fails_once)
    hall.finish(hall.games()[0])
    await hall.until()
    await hall.tick()
    await hall.until()
    assert hall.store.tournament_rows[tournament].status == "finished"
    assert tournament not in hall.authority.director.registry.running
    notices = [m["status"] for m in bo.take() if m["type"] == "tournament_state"]
    assert notices
    assert set(notices) == {"finished"}
    await hall.stored_games()
    assert hall.tags(tournament) == whole(1)


async def test_a_bug_in_a_tournament_rebuilds_it(
    hall: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    tournament = await hall.create("Bo", "Cy")

    def breaks(*_: object) -> None:
        raise RuntimeError("a bug")

    with monkeypatch.context() as patched:
        patched.setattr(Room, "open", breaks)
        hall.finish(hall.games()[0])
        await hall.settle()
    assert hall.games() == []
    for _ in range(3):
        await hall.tick()
    assert await hall.play() == 1
    assert hall.tags(tournament) == whole(1)


# -- restarts --------------------------------------------------------------------------------


async def test_a_restart_goes_on_with_live_games(hall: Hall) -> None:
    tournament = await hall.create("Bo", "Cy", "Di", "Ed")
    assert await hall.play(3) == 3
    live = {room.id for room in hall.games()}
    assert live
    again = await hall.again()
    assert {room.id for room in again.games()} == live
    for name in ("Ann", "Bo", "Cy", "Di", "Ed"):
        again.arrive(name) if name == "Ann" else again.bot(name)
    await again.settle()
    assert live <= {room.id for room in again.games()}
    assert await again.play() == 9
    await again.stored_games()
    assert again.tags(tournament) == whole(6)
    again.crash()


async def test_a_restart_after_an_end_with_live_games_counts_them(hall: Hall) -> None:
    tournament = await hall.create("Bo", "Cy", pairs=2)
    assert await hall.play(1) == 1
    ann = hall.peer("Ann")
    assert ann is not None
    await hall.call(ann, EndTournament, tournament=tournament)
    again = await hall.again()
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


async def test_a_game_whose_log_is_corrupt_is_played_again(hall: Hall) -> None:
    tournament = await hall.create("Bo", "Cy")
    (room,) = hall.games()
    assert room.match is not None
    mover = hall.peer(room.players[0].name)  # type: ignore[union-attr]
    assert mover is not None
    hall.move(mover, room, room.match.state.legal_actions()[0])
    await hall.settle()
    for entry in list(hall.store.entries.values()):
        events = [event for event, _ in split_frames(entry.frames)]
        if any(event["type"] == "move" for event in events):
            spoilt = b"".join(
                msgpack.packb({**e, "action": 99} if e["type"] == "move" else e) for e in events
            )
            hall.store.entries[entry.entry_id] = JournalEntry(entry.entry_id, entry.at_ms, spoilt)
    again = await hall.again()
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
    hall: Hall, fault: str
) -> None:
    bad, good = await hall.create("Bo", "Cy"), await hall.create("Di", "Ed")
    store = hall.store
    if fault == "terms":
        store.tournament_rows[bad] = replace(store.tournament_rows[bad], terms='{"terms": 3}')
    elif fault == "entrants":
        del store.entrants[bad][0]
    else:
        store.pairings[bad][0] = replace(store.pairings[bad][0], first=7)
    again = await hall.again()
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


async def test_a_storage_that_fails_at_the_start_stops_the_server(hall: Hall) -> None:
    await hall.create("Bo", "Cy")
    hall.crash()
    hall.store.reading_fails = 1
    again = Hall(hall.store)
    with pytest.raises(Exception, match="could not be read"):
        await again.start()
    again.crash()
