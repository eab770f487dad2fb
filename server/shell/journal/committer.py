"""Group commit: everything that waits goes into one transaction, and only then to the players.

Theory of operation
-------------------
Handlers change rooms at once and queue *deliveries* here, in order; those that are events bring
their bytes for the journal. One task takes the whole queue, stores it as one journal entry, and
then carries the deliveries out. While it waits for the disk, the next queue fills: under load
the batches grow by themselves, and the cost of a commit is shared; when they are large, the next
one even waits for up to a millisecond (`_gather`), because players who were answered together
move together, and two half batches cost two commits.

Rows of finished games wait beside (`finished.py`), and go into the next commit when it is time.

A delivery without data (a snapshot to send) takes its place in the queue too: so it leaves after
everything that it shows has been stored. With nothing to store it leaves at once.

When a commit fails, nobody knows at first whether it was stored, so the store is asked. If it
was not, every delivery of that batch fails, and, if it had events, every one queued meanwhile,
because it was computed from what is now undone; `on_failure` then rebuilds their rooms from the
log.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final, Protocol

import structlog

from server.core.storage import GameRow, PlayerRow, Store, StoreError, TournamentChange
from server.shell.journal.finished import WaitingGames
from server.shell.journal.transactions import JournalWriter

CROWD: Final = 24
"""From so many events in a commit on, the next one waits for more."""
GATHER_S: Final = 0.001
"""The longest that it waits, in seconds, ..."""
GATHER_STEPS: Final = 4
"""... looking so many times whether more has come."""
BACKLOG: Final = 100_000
"""Deliveries that may wait; past that, requests that need storage are refused."""

_log = structlog.get_logger("committer")


class Delivery(Protocol):
    """Something to do once all that was queued before it has been stored."""

    def deliver(self) -> None:
        """It is stored: go on."""

    def fail(self) -> None:
        """It could not be stored."""


class _Later:
    """A delivery made of two functions."""

    __slots__ = ("deliver", "fail")

    def __init__(self, deliver: Callable[[], None], fail: Callable[[], None]) -> None:
        self.deliver = deliver
        self.fail = fail


class _Waiter:
    """A delivery that somebody awaits, who may have given up meanwhile."""

    __slots__ = ("_sentence", "stored")

    def __init__(self, sentence: str) -> None:
        self.stored: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._sentence = sentence

    def deliver(self) -> None:
        if not self.stored.done():
            self.stored.set_result(None)

    def fail(self) -> None:
        if not self.stored.done():
            self.stored.set_exception(StoreError(self._sentence))


class _Work:
    """What has been queued for the next commit."""

    __slots__ = (
        "deliveries",
        "finished",
        "frames",
        "games_due",
        "players",
        "rooms",
        "tournaments",
    )

    def __init__(self) -> None:
        self.deliveries: list[Delivery] = []
        self.frames: list[bytes] = []
        self.rooms: set[str] = set()
        self.finished: list[GameRow] = []
        self.games_due = False
        self.players: list[PlayerRow] = []
        self.tournaments: list[TournamentChange] = []


class Committer:
    """See the module's docstring. `now` gives milliseconds since 1970."""

    def __init__(
        self,
        store: Store,
        last_entry_id: int,
        now: Callable[[], int],
        on_stored: Callable[[int, set[str]], None],
        on_failure: Callable[[set[str]], None],
    ) -> None:
        self.writer = JournalWriter(store, last_entry_id, now)
        self._on_stored = on_stored
        self._on_failure = on_failure
        self._work = _Work()
        self._busy = False
        self._wake = asyncio.Event()
        self._closing = False
        self._games = WaitingGames(self._wake.set)
        self._last = 0
        """Events of the last commit."""

    @property
    def backlog(self) -> int:
        """How many deliveries wait."""
        return len(self._work.deliveries)

    @property
    def idle(self) -> bool:
        """Whether nothing waits and nothing is being stored."""
        return not self._busy and not self._work.deliveries

    @property
    def full(self) -> bool:
        """Whether no more should be queued."""
        return self.backlog >= BACKLOG

    def event(self, room: str, frame: bytes, delivery: Delivery) -> None:
        """Store an event of `room`, then deliver it."""
        work = self._work
        work.frames.append(frame)
        work.rooms.add(room)
        work.deliveries.append(delivery)
        self._wake.set()

    def note(self, frame: bytes, deliver: Callable[[], None], fail: Callable[[], None]) -> None:
        """Store what is about no room alone, then call `deliver`."""
        self._work.frames.append(frame)
        self._work.deliveries.append(_Later(deliver, fail))
        self._wake.set()

    def game(self, row: GameRow) -> None:
        """Store a finished game soon after the events that are queued now."""
        self._work.finished.append(row)
        self._wake.set()

    def games_due(self) -> None:
        """Store all finished games with what is queued now, at the latest."""
        self._work.games_due = True
        self._wake.set()

    def player(self, row: PlayerRow) -> asyncio.Future[None]:
        """Store a player; the future fails with `StoreError` when that fails."""
        waiter = _Waiter("The player could not be stored.")
        self._work.players.append(row)
        self._work.deliveries.append(waiter)
        self._wake.set()
        return waiter.stored

    def tournament(
        self, change: TournamentChange, deliver: Callable[[], None], fail: Callable[[], None]
    ) -> None:
        """Store rows of a tournament, then call `deliver`."""
        self._work.tournaments.append(change)
        self._work.deliveries.append(_Later(deliver, fail))
        self._wake.set()

    def after(self, deliver: Callable[[], None], fail: Callable[[], None]) -> None:
        """Call `deliver` once everything queued so far is stored; at once if nothing waits."""
        if self.idle:
            deliver()
            return
        self._work.deliveries.append(_Later(deliver, fail))
        self._wake.set()

    async def settled(self, *, games: bool = False) -> None:
        """Wait until everything queued so far is stored; with `games`, finished games too.

        Raises:
            StoreError: it could not be.
        """
        waiter = _Waiter("The server could not store what came before.")
        if games and (self._games.rows or self._work.finished or not self.idle):
            self.games_due()
            self._work.deliveries.append(waiter)
        else:
            self.after(waiter.deliver, waiter.fail)
        await waiter.stored

    async def run(self) -> None:
        """Commit until `close`; everything queued by then is stored first."""
        while True:
            await self._wake.wait()
            if self._last >= CROWD:
                await self._gather()
            self._wake.clear()
            work, self._work = self._work, _Work()
            self._last = len(work.frames)
            # Busy to the last delivery: what a delivery asks for `after` it comes after all.
            self._busy = True
            if await self._store_work(work):
                for delivery in work.deliveries:
                    try:
                        delivery.deliver()
                    except Exception:  # noqa: BLE001 - one bad delivery must not stop the others
                        _log.exception("delivery_failed")
            else:
                self._fail(work)
            self._busy = False
            if self._closing and not self._work.deliveries:
                return

    async def _gather(self) -> None:
        """Let a queue that is filling fast grow to half as much again as the last one, as long
        as it does grow and for `GATHER_S` at most: what waits together pays together."""
        enough = self._last * 3 // 2
        for _ in range(GATHER_STEPS):
            before = len(self._work.frames)
            if before >= enough:
                return
            await asyncio.sleep(GATHER_S / GATHER_STEPS)
            if len(self._work.frames) == before:
                return

    async def _store_work(self, work: _Work) -> bool:
        """Store the work, and the rows of finished games if it is time; return whether that was
        done."""
        games = self._games
        before, rows = games.rows, [*games.rows, *work.finished]
        now = rows if work.games_due or self._closing or games.due else []
        stored = True
        if work.frames or work.players or work.tournaments or now:
            stored = await self.writer.commit(work.frames, now, work.players, work.tournaments)
        if stored and work.frames:
            self._on_stored(self.writer.entry_id, work.rooms)
        games.keep(before if not stored else [] if now else rows)
        return stored

    async def close(self) -> None:
        """Let `run` end after what is queued."""
        self._closing = True
        self._games.close()
        self._wake.set()

    def _fail(self, work: _Work) -> None:
        """Undo the work, and what was queued on top of its events, if it had any."""
        later = _Work()
        if work.frames or work.tournaments:
            later, self._work = self._work, later
        for delivery in work.deliveries + later.deliveries:
            try:
                delivery.fail()
            except Exception:  # noqa: BLE001 - one bad delivery must not stop the others
                _log.exception("failure_not_told")
        try:
            self._on_failure(work.rooms | later.rooms)
        except Exception:  # noqa: BLE001 - a bug there must not end all commits
            _log.exception("rooms_not_rebuilt")
