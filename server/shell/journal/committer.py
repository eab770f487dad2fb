"""Group commit: store everything that waits in one transaction, and only then send it to players.

Theory of operation
-------------------
Handlers change rooms at once and queue *deliveries* here, in order. A delivery of an event comes
with the event's bytes for the journal. One task takes the whole queue, stores it as one journal
entry, and then carries out the deliveries. While it waits for the disk, the next queue fills. So
batches grow under load and share the cost of a commit. After a large batch the task even waits for
up to a millisecond (`_gather`): players who were answered together move together, and two half
batches would cost two commits.

Rows of finished games wait in a buffer of their own (`finished.py`) and join a later commit.

A delivery without data, such as a snapshot to send, takes its place in the queue too. So it is
sent after everything that it shows has been stored. When nothing waits, it is sent at once.

When a commit fails, it is not yet certain that nothing was stored, so the committer asks the store.
If the batch was not stored, all its deliveries fail. If the batch had events, everything queued
meanwhile fails too, because it was computed from state that is now undone. The functions in
`on_failed` then rebuild the rooms from the journal.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Final

import structlog

from doublecross.server.core.people.accounts import PlayerRow
from doublecross.server.core.rooms.plans import PlanRow
from doublecross.server.core.rooms.sleeping import SleepingRoom
from doublecross.server.core.storage import (
    Batch,
    DatabaseTakenError,
    GameRow,
    Store,
    TournamentChange,
)
from doublecross.server.shell.journal.deliveries import CallbackDelivery, Delivery, Waiter
from doublecross.server.shell.journal.finished import FinishedGameBuffer
from doublecross.server.shell.journal.transactions import JournalWriter
from doublecross.server.shell.upkeep.service_time import TimeSource

CROWD: Final = 24
"""After a commit with at least so many events, the next commit waits for more of them."""
GATHER_S: Final = 0.001
"""The longest such wait, in seconds."""
GATHER_STEPS: Final = 4
"""How many times the queue is checked during that wait."""
BACKLOG: Final = 100_000
"""The most deliveries that may wait. Beyond it, requests that need storage are refused."""

STEP_S: Final = 0.002
"""How long deliveries may go on before the event loop gets a turn, in seconds."""

_log = structlog.get_logger("committer")


class _Batch:
    """The rows, events and deliveries that wait for the next commit."""

    __slots__ = (
        "asleep",
        "deliveries",
        "finished",
        "frames",
        "games_due",
        "plans",
        "players",
        "rooms",
        "tournaments",
        "woken",
    )

    def __init__(self) -> None:
        self.deliveries: list[Delivery] = []
        self.frames: list[bytes] = []
        self.rooms: set[str] = set()
        self.finished: list[GameRow] = []
        self.games_due = False
        self.players: list[PlayerRow] = []
        self.tournaments: list[TournamentChange] = []
        self.asleep: list[SleepingRoom] = []
        self.woken: list[str] = []
        self.plans: list[PlanRow] = []

    def batch(self, games: Sequence[GameRow]) -> Batch:
        """Return its rows, and those of `games`, without a journal entry."""
        rows = (games, self.players, self.tournaments, self.asleep, self.woken, self.plans)
        return Batch(None, *rows)


# It stands for no batch, and nobody changes it.
_NOTHING: Final = _Batch()


class Committer:
    """Store events and rows in groups, then carry out the deliveries that waited for them.

    `may_show` returns whether nobody else can write to the journal at this moment; None: nobody
    ever can without a commit here that fails. When it returns False, whatever shows stored state
    without a commit waits until the store confirms that.
    """

    def __init__(
        self,
        store: Store,
        last_entry_id: int,
        time: TimeSource,
        may_show: Callable[[], bool] | None = None,
    ) -> None:
        self._may_show = may_show
        self.store = store
        self.writer = JournalWriter(store, last_entry_id, time.now, time.watch)
        self.on_stored: list[Callable[[int, set[str]], None]] = []
        """Called with the number of each journal entry and the ids of the rooms in it."""
        self.on_failed: list[Callable[[set[str]], None]] = []
        """Called with the ids of the rooms to rebuild, when a commit has failed."""
        self._work = _Batch()
        self._storing = _NOTHING
        """The batch that the last commit has stored, or stores now."""
        self._abandoned = False
        self._busy = False
        self._wake = asyncio.Event()
        self._closing = False
        self._games = FinishedGameBuffer(self._wake.set)
        self._last = 0
        """The number of events in the last commit."""

    @property
    def backlog(self) -> int:
        """The number of deliveries that wait."""
        return len(self._work.deliveries)

    @property
    def idle(self) -> bool:
        """True when what is stored may be shown now: nothing waits, and no commit is under way."""
        if self._busy or self._work.deliveries:
            return False
        return self._may_show is None or self._may_show()

    @property
    def full(self) -> bool:
        """True when no more should be queued."""
        return self.backlog >= BACKLOG

    def queue_event(self, room: str, frame: bytes, delivery: Delivery) -> None:
        """Queue an event of `room` to be stored, then delivered."""
        work = self._work
        if not work.deliveries:
            self._wake.set()  # Whoever queued the first delivery has done it.
        work.frames.append(frame)
        work.rooms.add(room)
        work.deliveries.append(delivery)

    def queue_note(
        self, frame: bytes, deliver: Callable[[], None], fail: Callable[[], None]
    ) -> None:
        """Queue a journal event that belongs to no single room, then call `deliver`."""
        self._work.frames.append(frame)
        self._work.deliveries.append(CallbackDelivery(deliver, fail))
        self._wake.set()

    def queue_game(self, row: GameRow) -> None:
        """Queue the row of a finished game, to be stored soon after the events queued now."""
        self._work.finished.append(row)
        self._wake.set()

    def has_game_of(self, room: str) -> bool:
        """Return whether the row of a finished game of this room is not stored yet."""
        waiting = self._games.rows, self._storing.finished, self._work.finished
        return any(row.room == room for rows in waiting for row in rows)

    def games_due(self) -> None:
        """Store all waiting rows of finished games in the next commit, not later."""
        self._work.games_due = True
        self._wake.set()

    def queue_player(self, row: PlayerRow) -> asyncio.Future[None]:
        """Queue a player; return a future that fails with `StoreError` when the commit fails."""
        waiter = Waiter("The player could not be stored.")
        self._work.players.append(row)
        self._work.deliveries.append(waiter)
        self._wake.set()
        return waiter.stored

    def queue_tournament(
        self, change: TournamentChange, deliver: Callable[[], None], fail: Callable[[], None]
    ) -> None:
        """Queue rows of a tournament, then call `deliver`."""
        self._work.tournaments.append(change)
        self._work.deliveries.append(CallbackDelivery(deliver, fail))
        self._wake.set()

    def queue_sleep(
        self, row: SleepingRoom, note: bytes, deliver: Callable[[], None], fail: Callable[[], None]
    ) -> None:
        """Queue the row of a room, then call `deliver`.

        From the journal's event `note` on, the events of the room before it do not count.
        """
        self._work.asleep.append(row)
        self.queue_note(note, deliver, fail)

    def queue_wake(
        self,
        room: str,
        frames: Sequence[bytes],
        deliver: Callable[[], None],
        fail: Callable[[], None],
    ) -> None:
        """Queue all events of a room that has slept, and the end of its row; then call `deliver`.

        Call this before its next event is queued, so that both are stored together.
        """
        self._work.woken.append(room)
        self._work.frames.extend(frames)
        self._work.rooms.add(room)
        self._work.deliveries.append(CallbackDelivery(deliver, fail))
        self._wake.set()

    def queue_plan(self, row: PlanRow) -> None:
        """Queue a plan, or its end. If this fails, its room is rebuilt, as after an event."""
        self._work.plans.append(row)
        self._work.deliveries.append(CallbackDelivery(lambda: None, lambda: None))
        self._wake.set()

    def after(
        self,
        deliver: Callable[[], None],
        fail: Callable[[], None],
        asker: object | None = None,
        request_id: int | None = None,
    ) -> None:
        """Call `deliver` once everything queued so far is stored, at once if nothing waits.

        Call `fail` instead when it cannot be stored. `asker` is the peer that it is for, and
        `request_id` the request that it answers, if there are such.
        """
        if self.idle:
            deliver()
            return
        self._work.deliveries.append(CallbackDelivery(deliver, fail, asker, request_id))
        self._wake.set()

    async def settled(self, *, games: bool = False) -> None:
        """Wait until everything queued so far is stored; with `games`, finished games too.

        Raises:
            StoreError: it could not be stored.
            DatabaseTakenError: this committer stores nothing any more; see `abandon`.
        """
        if self._abandoned:
            raise DatabaseTakenError("Another server stores the requests now; try again.")
        waiter = Waiter("The server could not store the requests before this one; try again.")
        # The games of a commit under way are neither in the buffer nor in the next batch.
        if games and (self._games.rows or self._work.finished or not self.idle):
            self.games_due()
        elif self.idle:
            return
        self._work.deliveries.append(waiter)
        self._wake.set()
        await waiter.stored

    async def run(self) -> None:
        """Commit until `close` is called and everything queued by then is stored.

        Raises:
            UnrecoverableError: another server uses the database now. Nobody gets an answer any
                more, because this server no longer knows what is true.
        """
        while True:
            await self._wake.wait()
            if self._last >= CROWD:
                await self._gather()
            # Nothing is awaited between these two lines, so whatever is queued later wakes the task
            # again.
            self._wake.clear()
            work, self._work = self._work, _Batch()
            self._storing = work
            self._last = len(work.frames)
            # The committer stays busy until the last delivery. So when a delivery calls `after`,
            # its callback is queued and runs after the other deliveries of this batch.
            self._busy = True
            stored = await self._store_work(work)
            if stored:
                await _deliver(work.deliveries)
            else:
                self._fail(work)
            self._storing = _NOTHING
            self._busy = False
            if self._closing and not self._work.deliveries:
                # Games may have ended while this commit was under way.
                if not stored or not (self._work.finished or self._games.rows):
                    return
                self._wake.set()

    async def _gather(self) -> None:
        """Wait while the queue grows, so that more events share the cost of one commit.

        Stop when the queue has half as many events again as the last batch, when it no longer
        grows, or after `GATHER_S` seconds.
        """
        enough = self._last * 3 // 2
        for _ in range(GATHER_STEPS):
            before = len(self._work.frames)
            if before >= enough:
                return
            await asyncio.sleep(GATHER_S / GATHER_STEPS)
            if len(self._work.frames) == before:
                return

    async def _store_work(self, work: _Batch) -> bool:
        """Store a batch, and the rows of finished games when they are due.

        Returns whether everything was stored.
        """
        games = self._games
        # If the commit fails, only `before` stays: the journal has these games. Those of this batch
        # may have ended by events that are undone.
        before, rows = games.rows, [*games.rows, *work.finished]
        count = len(rows)
        # Most commits have no row, and every move waits for one.
        if rows and not (work.games_due or self._closing):
            count = games.due
        now = rows[:count]
        stored = True
        if work.frames or work.players or work.tournaments or work.plans or now:
            stored = await self.writer.commit(work.frames, work.batch(now))
        # Nothing to store, but the deliveries show what is stored, and another node may have it by
        # now.
        elif self._may_show is not None and not self._may_show():
            await self.writer.confirm()
        # Before the deliveries: one of them may close a room, which releases its journal entries.
        if stored and work.frames:
            for note in self.on_stored:
                note(self.writer.entry_id, work.rooms)
        if rows:
            if stored:
                games.keep(rows[count:])
            else:
                games.keep(before, failed=True)
        return stored

    async def close(self) -> None:
        """Let `run` end once everything queued is stored."""
        self._closing = True
        self._games.close()
        self._wake.set()

    def abandon(self) -> list[tuple[object, int | None]]:
        """Give up what waits, because another server has the journal; `run` must have ended.

        Return the peers to whom something was not delivered, each with the request that it would
        have answered, if any. Nobody knows here whether it was stored. Whoever awaits `settled`
        gets an error.
        """
        self._abandoned = True
        waiting = [*self._storing.deliveries, *self._work.deliveries]
        self._storing, self._work = _NOTHING, _Batch()
        for delivery in waiting:
            if isinstance(delivery, Waiter):
                delivery.fail()
        return [(each.asker, each.request_id) for each in waiting if each.asker is not None]

    def _fail(self, work: _Batch) -> None:
        """Fail a batch; if it had events, plans or tournament rows, fail the next batch too.

        The next batch was computed from the state that the failed one left.
        """
        later = _Batch()
        if work.frames or work.plans or work.tournaments:
            later, self._work = self._work, later
        for delivery in work.deliveries + later.deliveries:
            try:
                delivery.fail()
            except Exception:  # noqa: BLE001 - one bad delivery must not stop the others
                _log.exception("failure_not_told", **delivery.facts())
        rooms = work.rooms | later.rooms | {row.room for row in (*work.plans, *later.plans)}
        for rebuild in self.on_failed:
            try:
                rebuild(rooms)
            except Exception:  # noqa: BLE001 - a bug there must not end all commits
                _log.exception("rooms_not_rebuilt")


async def _deliver(deliveries: Sequence[Delivery]) -> None:
    """Carry out deliveries; after every `STEP_S` seconds let the event loop serve others."""
    time = asyncio.get_running_loop().time
    until = time() + STEP_S
    for delivery in deliveries:
        try:
            delivery.deliver()
        except Exception:  # noqa: BLE001 - one error must not stop the others
            _log.exception("delivery_failed", **delivery.facts())
        if time() >= until:
            await asyncio.sleep(0)
            until = time() + STEP_S
