"""Group commit: nothing is delivered before it is stored, even when the store fails."""

from __future__ import annotations

import asyncio
import dataclasses
from collections.abc import AsyncIterator

import pytest

from doublecross.server.core.people.accounts import PlayerRow
from doublecross.server.core.records import game_row
from doublecross.server.core.storage import (
    DatabaseTakenError,
    GameRow,
    StoreError,
    TournamentChange,
)
from doublecross.server.shell.journal import committer, finished
from doublecross.server.shell.journal.committer import Committer
from doublecross.server.shell.upkeep.service_time import TimeSource
from doublecross.server.supervisor import UnrecoverableError
from tests.fakes.store import FakeStore
from tests.server.playing import T0, play_out, room_in_play


class Note:
    """A delivery that records whether it was delivered or failed."""

    asker = "Ann"
    request_id = 5

    def __init__(self, bench: Bench, name: str) -> None:
        self.bench = bench
        self.name = name

    def deliver(self) -> None:
        self.bench.log.append(self.name)
        if self.name == "bad":
            raise RuntimeError("a bug in a delivery")

    def fail(self) -> None:
        self.bench.log.append(f"{self.name} failed")
        if self.name == "bad":
            raise RuntimeError("a bug in a failure")

    def facts(self) -> dict[str, str]:
        return {"note": self.name}


class Bench:
    """A committer on a fake store; `log` has its deliveries and callbacks in order."""

    def __init__(self) -> None:
        self.log: list[str] = []
        self.store = FakeStore()
        self.lease_holds = True
        self.committer = Committer(
            self.store,
            6,
            TimeSource.simple(lambda: T0),
            may_show=lambda: self.lease_holds,
        )
        self.committer.on_stored.append(self._stored)
        self.committer.on_failed.append(self._failed)
        self.task = asyncio.get_running_loop().create_task(self.committer.run())
        self.rebuild_raises = False

    def _stored(self, entry_id: int, rooms: set[str]) -> None:
        self.log.append(f"entry {entry_id} of {' '.join(sorted(rooms))}".rstrip())

    def _failed(self, rooms: set[str]) -> None:
        self.log.append(f"rebuild {' '.join(sorted(rooms))}".rstrip())
        if self.rebuild_raises:
            raise RuntimeError("a bug in the rebuilding")

    def event(self, room: str, name: str) -> None:
        self.committer.queue_event(room, name.encode(), Note(self, name))

    def after(self, name: str) -> None:
        note = Note(self, name)
        self.committer.after(note.deliver, note.fail)

    async def end_game(self) -> None:
        """Store an event; the row of the game that it ends waits."""
        self.event("a", "a1")
        self.committer.queue_game(finished_game())
        await self.rest()

    async def rest(self) -> None:
        """Run the event loop until nothing is ready."""
        for _ in range(12):
            await asyncio.sleep(0)

    async def take(self) -> list[str]:
        await self.rest()
        log, self.log = self.log, []
        return log


@pytest.fixture
async def bench() -> AsyncIterator[Bench]:
    bench = Bench()
    yield bench
    bench.store.release()
    await bench.committer.close()
    async with asyncio.timeout(5):
        await bench.task


async def test_an_event_goes_out_after_its_commit_and_not_before(bench: Bench) -> None:
    bench.store.hold()
    bench.event("a", "a1")
    assert await bench.take() == []
    assert bench.store.waiting == 1
    assert bench.committer.writer.busy_s() > 0
    bench.store.release()
    assert await bench.take() == ["entry 7 of a", "a1"]
    assert bench.committer.writer.busy_s() == 0
    assert bench.store.entries[7].frames == b"a1"
    assert bench.store.entries[7].at_ms == T0


async def test_everything_that_waits_is_stored_in_one_transaction_in_order(bench: Bench) -> None:
    bench.store.hold()
    bench.event("a", "a1")
    await bench.rest()
    for room, name in [("b", "b1"), ("a", "a2"), ("b", "b2")]:
        bench.event(room, name)
        bench.after(f"after {name}")
    bench.store.release()
    assert await bench.take() == [
        "entry 7 of a",
        "a1",
        "entry 8 of a b",
        "b1",
        "after b1",
        "a2",
        "after a2",
        "b2",
        "after b2",
    ]
    assert bench.store.entries[8].frames == b"b1a2b2"
    assert bench.committer.writer.commits == 2
    assert bench.committer.writer.events == 4


async def test_a_database_that_another_server_took_ends_the_committer_without_an_answer() -> None:
    bench = Bench()
    bench.store.fail_next(error=DatabaseTakenError("Another server is here."))
    bench.event("a", "a1")
    bench.after("after a1")
    with pytest.raises(UnrecoverableError, match="Another server is here"):
        async with asyncio.timeout(5):
            await bench.task
    assert bench.log == []
    assert bench.committer.writer.trouble == "Another server is here."


async def test_without_a_lease_the_store_is_asked_before_anything_is_shown(bench: Bench) -> None:
    bench.lease_holds = False
    assert not bench.committer.idle
    bench.after("shown")
    assert bench.log == []
    assert await bench.take() == ["shown"]
    assert bench.store.batches == []
    # A commit shows by itself that nobody else writes there.
    bench.event("a", "a1")
    bench.store.hold_checks = True
    assert await bench.take() == ["entry 7 of a", "a1"]
    bench.after("later")
    assert await bench.take() == []
    bench.store.hold_checks = False
    async with asyncio.timeout(5):
        await bench.committer.settled()
    assert await bench.take() == ["later"]


async def test_without_a_lease_nothing_is_shown_that_another_server_may_have_changed() -> None:
    bench = Bench()
    bench.lease_holds = False
    bench.store.taken = True
    bench.after("shown")
    with pytest.raises(UnrecoverableError, match="Another server is here"):
        async with asyncio.timeout(5):
            await bench.task
    assert bench.log == []


async def test_the_storage_is_in_trouble_until_a_commit_or_a_check_succeeds(bench: Bench) -> None:
    writer = bench.committer.writer
    for again in ("commit", "check"):
        bench.store.fail_next()
        bench.event("a", "a1")
        assert "a1 failed" in await bench.take()
        assert writer.trouble == "The disk is full."
        bench.store.checking_fails = 1
        await writer.check()
        assert writer.trouble == "The disk is still full."
        if again == "commit":
            bench.event("a", "a2")
            assert "a2" in await bench.take()
        else:
            await writer.check()
        assert writer.trouble == ""


async def test_the_committer_is_not_idle_during_a_commit(bench: Bench) -> None:
    bench.store.hold()
    bench.event("a", "a1")
    assert not bench.committer.idle
    await bench.rest()
    assert bench.committer.backlog == 0
    assert not bench.committer.idle
    bench.after("later")
    assert bench.log == []
    bench.store.release()
    assert await bench.take() == ["entry 7 of a", "a1", "later"]
    assert bench.committer.idle


async def test_a_delivery_that_asks_for_another_does_not_jump_the_queue(bench: Bench) -> None:
    bench.store.hold()
    bench.event("a", "a1")
    bench.committer.after(lambda: bench.after("nested"), lambda: None)
    bench.event("a", "a2")
    bench.store.release()
    assert await bench.take() == ["entry 7 of a", "a1", "a2", "nested"]


async def test_a_failed_commit_fails_everything_and_rebuilds_its_rooms(bench: Bench) -> None:
    bench.store.hold()
    bench.store.fail_next()
    bench.event("a", "a1")
    await bench.rest()
    bench.event("b", "b1")
    bench.after("look")
    bench.store.release()
    assert await bench.take() == ["a1 failed", "b1 failed", "look failed", "rebuild a b"]
    assert bench.store.entries == {}
    assert bench.committer.writer.failures == 1
    bench.event("a", "a1 again")
    assert await bench.take() == ["entry 8 of a", "a1 again"]  # no entry id twice


async def test_rows_of_a_tournament_that_fail_undo_what_was_computed_from_them(
    bench: Bench,
) -> None:
    bench.store.hold()
    bench.store.fail_next()
    note = Note(bench, "rows")
    bench.committer.queue_tournament(TournamentChange("t1"), note.deliver, note.fail)
    await bench.rest()
    bench.event("b", "b1")  # a game that they let begin
    bench.store.release()
    assert await bench.take() == ["rows failed", "b1 failed", "rebuild b"]
    assert bench.store.entries == {}


async def test_a_commit_that_failed_but_was_stored_counts(bench: Bench) -> None:
    bench.store.fail_next(stored=True)
    bench.event("a", "a1")
    assert await bench.take() == ["entry 7 of a", "a1"]
    assert bench.committer.writer.failures == 1


async def test_nothing_is_delivered_while_the_store_does_not_answer(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    slept: list[float] = []
    wait = asyncio.sleep

    async def no_time(seconds: float) -> None:
        slept.append(seconds)
        await wait(0)

    monkeypatch.setattr("doublecross.server.shell.journal.committer.asyncio.sleep", no_time)
    bench.store.fail_next(stored=True)
    bench.store.asking_fails = 3
    bench.event("a", "a1")
    for _ in range(30):
        await wait(0)
    assert bench.log == ["entry 7 of a", "a1"]
    assert slept[:1] == [0.05]
    assert sorted(slept) == slept
    assert len([s for s in slept if s]) == 3


@pytest.mark.parametrize("stored", [True, False])
async def test_an_unexpected_error_of_the_store_does_not_stop_the_committer(
    bench: Bench, stored: bool
) -> None:
    bench.store.fail_next(stored=stored, error=ValueError("a bug in the store"))
    bench.event("a", "a1")
    expected = ["entry 7 of a", "a1"] if stored else ["a1 failed", "rebuild a"]
    assert await bench.take() == expected
    bench.event("a", "a2")
    assert (await bench.take())[-1] == "a2"


async def test_one_bad_delivery_does_not_stop_the_others(bench: Bench) -> None:
    bench.event("a", "bad")
    bench.event("a", "a2")
    assert await bench.take() == ["entry 7 of a", "bad", "a2"]
    bench.store.fail_next()
    bench.rebuild_raises = True
    bench.event("a", "bad")
    bench.event("a", "a3")
    assert await bench.take() == ["bad failed", "a3 failed", "rebuild a"]
    bench.event("a", "a4")
    assert (await bench.take())[-1] == "a4"


async def test_settled_waits_for_all_before_it(bench: Bench) -> None:
    await bench.committer.settled()
    bench.store.hold()
    bench.event("a", "a1")
    waiting = asyncio.ensure_future(bench.committer.settled())
    await bench.rest()
    assert not waiting.done()
    bench.store.release()
    await waiting
    bench.store.fail_next()
    bench.event("a", "a2")
    with pytest.raises(StoreError):
        await bench.committer.settled()


def finished_game(number: int = 1) -> GameRow:
    room, _ = room_in_play()
    play_out(room)
    return dataclasses.replace(game_row(room), game_id=f"game-{number}")


async def test_rows_of_games_are_stored_together_and_before_they_are_read(bench: Bench) -> None:
    for number in (1, 2):
        bench.event("a", f"a{number}")
        bench.committer.queue_game(finished_game(number))
        await bench.rest()
    assert bench.store.games_by_id == {}
    bench.event("b", "b1")
    await bench.committer.settled(games=True)
    assert list(bench.store.games_by_id) == ["game-1", "game-2"]
    assert [len(batch.games) for batch in bench.store.batches] == [0, 0, 2]


async def test_the_row_is_stored_in_the_commit_that_closes_its_room(bench: Bench) -> None:
    await bench.end_game()
    bench.event("b", "b1")
    bench.committer.queue_game(finished_game(2))
    bench.committer.games_due()
    await bench.rest()
    assert [len(batch.games) for batch in bench.store.batches] == [0, 2]


async def test_many_rows_that_are_due_are_stored_in_pieces(bench: Bench) -> None:
    most = finished.GAMES_PIECE
    bench.event("a", "a1")
    for number in range(2 * most + 3):
        bench.committer.queue_game(finished_game(number))
    await bench.rest()
    bench.committer._games._on_timer()
    bench.store.hold()
    await bench.rest()
    bench.event("b", "b1")  # waits for a piece only
    bench.store.release()
    await bench.rest()
    assert [len(batch.games) for batch in bench.store.batches] == [0, most, most, 3]
    assert bench.store.batches[2].entry is not None
    assert len(bench.store.games_by_id) == 2 * most + 3


async def test_all_rows_are_stored_at_once_when_they_are_needed(bench: Bench) -> None:
    bench.event("a", "a1")
    for number in range(2 * finished.GAMES_PIECE):
        bench.committer.queue_game(finished_game(number))
    await bench.committer.settled(games=True)
    assert len(bench.store.games_by_id) == 2 * finished.GAMES_PIECE
    assert len(bench.store.batches[-1].games) == 2 * finished.GAMES_PIECE


async def test_a_timer_that_fires_during_a_commit_counts(bench: Bench) -> None:
    await bench.end_game()
    bench.store.hold()
    bench.event("b", "b1")
    await bench.rest()
    bench.committer._games._on_timer()
    bench.store.release()
    await bench.rest()
    assert list(bench.store.games_by_id) == ["game-1"]


async def test_due_rows_that_could_not_be_stored_wait_anew(bench: Bench) -> None:
    await bench.end_game()
    bench.store.fail_next()
    bench.committer._games._on_timer()
    await bench.rest()
    assert len(bench.store.batches) == 2  # it does not try again and again
    bench.committer._games._on_timer()
    await bench.rest()
    assert list(bench.store.games_by_id) == ["game-1"]


async def test_rows_of_games_survive_a_failed_commit_unless_it_had_their_events(
    bench: Bench,
) -> None:
    await bench.end_game()
    bench.store.fail_next()
    bench.event("b", "b1")
    bench.committer.queue_game(finished_game(2))  # its end is not stored, so it has not ended
    bench.committer.games_due()
    await bench.rest()
    assert bench.store.games_by_id == {}
    await bench.committer.settled(games=True)
    assert list(bench.store.games_by_id) == ["game-1"]


async def test_players_are_stored_with_the_rest(bench: Bench) -> None:
    player = PlayerRow("Ann", "human", "", "", b"x" * 32, T0)
    bench.store.hold()
    stored = bench.committer.queue_player(player)
    await bench.rest()
    assert not stored.done()
    bench.event("a", "a1")
    bench.store.release()
    await stored
    assert bench.store.players == {"ann": player}
    assert bench.store.batches[0].entry is None  # no entry for a player alone


async def test_a_player_that_could_not_be_stored(bench: Bench) -> None:
    bench.store.fail_next()
    stored = bench.committer.queue_player(PlayerRow("Ann", "human", "", "", b"x" * 32, T0))
    with pytest.raises(StoreError):
        await stored
    assert await bench.take() == ["rebuild"]


async def test_a_cancelled_waiter_does_not_stop_the_committer(bench: Bench) -> None:
    for fails in (False, True):
        bench.store.hold()
        if fails:
            bench.store.fail_next()
        bench.event("a", "a1")
        bench.committer.queue_player(PlayerRow("Ann", "human", "", "", b"x" * 32, T0)).cancel()
        settled = asyncio.ensure_future(bench.committer.settled())
        await bench.rest()
        settled.cancel()
        bench.store.release()
        await bench.rest()
    bench.event("a", "a2")
    assert (await bench.take())[-1] == "a2"


async def test_a_journal_note_belongs_to_no_room(bench: Bench) -> None:
    note = Note(bench, "note")
    bench.committer.queue_note(b"n", note.deliver, note.fail)
    assert await bench.take() == ["entry 7 of", "note"]
    assert bench.committer.writer.entry_id == 7


@pytest.mark.parametrize("fails", [False, True])
async def test_closing_stores_what_is_queued_and_then_ends(bench: Bench, fails: bool) -> None:
    if fails:
        bench.store.fail_next()
    bench.event("a", "a1")
    await bench.committer.close()
    async with asyncio.timeout(1):
        await bench.task
    assert bench.log[-1] == ("rebuild a" if fails else "a1")


async def test_closing_while_a_commit_is_under_way_stores_what_came_meanwhile(
    bench: Bench,
) -> None:
    bench.store.hold()
    bench.event("a", "a1")
    await bench.rest()
    bench.event("a", "a2")
    await bench.committer.close()
    assert not bench.task.done()
    bench.store.release()
    async with asyncio.timeout(1):
        await bench.task
    assert [e for e in bench.log if e.startswith("a")] == ["a1", "a2"]


async def test_after_a_large_commit_the_next_waits_for_more_events(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(committer, "GATHER_S", 0.0)  # once around the event loop for each step
    monkeypatch.setattr(committer, "GATHER_STEPS", 1000)
    for number in range(committer.CROWD):
        bench.event("a", f"a{number}")
    await bench.rest()
    for number in range(committer.CROWD):
        bench.event("b", f"b{number}")
        await asyncio.sleep(0)
    await bench.rest()
    entries = [line for line in bench.log if line.startswith("entry")]
    assert entries == ["entry 7 of a", "entry 8 of b"]
    assert bench.log[-1] == f"b{committer.CROWD - 1}"


async def test_rows_of_games_that_end_while_it_closes_are_stored(bench: Bench) -> None:
    bench.store.hold()
    bench.event("a", "a1")
    bench.committer.queue_game(finished_game())
    await bench.rest()
    await bench.committer.close()  # during the commit, in which the row waits for more of them
    bench.store.release()
    await bench.task
    assert list(bench.store.games_by_id) == ["game-1"]


async def test_a_failed_commit_of_game_rows_alone_undoes_no_events(bench: Bench) -> None:
    """Events queued during such a commit do not depend on it."""
    bench.event("a", "a1")
    bench.committer.queue_game(finished_game())
    await bench.take()
    bench.store.hold()
    bench.store.fail_next()
    bench.committer._games._on_timer()
    await bench.rest()
    bench.event("b", "b1")
    bench.store.release()
    assert await bench.take() == ["rebuild", "entry 8 of b", "b1"]
    await bench.committer.settled(games=True)
    assert list(bench.store.games_by_id) == ["game-1"]


async def test_others_get_a_turn_between_deliveries(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(committer, "STEP_S", 0.0)
    bench = Bench()
    for number in range(4):
        bench.event("r1", f"event {number}")
    before = len(bench.log)
    turns: list[int] = []
    async with asyncio.timeout(5):
        while len(bench.log) < before + 5:
            turns.append(len(bench.log))
            await asyncio.sleep(0)
    assert bench.log == ["entry 7 of r1", *(f"event {number}" for number in range(4))]
    assert set(turns) >= {2, 3, 4}
    await bench.committer.close()
    await bench.task


async def test_who_waits_for_a_journal_that_another_server_has(bench: Bench) -> None:
    bench.event("a", "a1")
    bench.committer.after(lambda: None, lambda: None, "Bea")
    await bench.take()
    bench.store.hold()
    bench.event("a", "a2")
    await bench.rest()
    bench.committer.after(lambda: None, lambda: None, "Ben", 7)
    settled = asyncio.ensure_future(bench.committer.settled())
    await bench.rest()
    bench.task.cancel()
    await bench.rest()
    # What was delivered is not among it, and neither is what nobody has asked for.
    assert bench.committer.abandon() == [("Ann", 5), ("Ben", 7)]
    with pytest.raises(StoreError):
        await settled
    with pytest.raises(DatabaseTakenError):
        await bench.committer.settled()
    assert bench.committer.abandon() == []
    assert await bench.take() == []
    bench.task = asyncio.ensure_future(asyncio.sleep(0))
