"""Let games that wait leave memory while nobody looks at them, and come back.

Theory of operation
-------------------
A room *rests* from the moment when nobody follows it. After `REST_MS` it goes to sleep: a commit
stores a row with its events, and a note in the journal, after which its events there do not count.
Then it leaves memory. `wake` brings it back from its row, when somebody asks for it or when it is
due, such as when a player is out of time.

A room that was woken has its events in the row only (`Channel.asleep`). If nothing happens, it may
just leave memory again. Its next event is stored together with all events before and with the end
of the row. So each room has its events in one place at any time, and a crash loses none.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from typing import Final

import structlog

from doublecross.server.background import BackgroundTasks
from doublecross.server.core.errors import CorruptLog
from doublecross.server.core.events import Event
from doublecross.server.core.lobby.room_index import RoomIndex
from doublecross.server.core.rooms.room import Room
from doublecross.server.core.rooms.sleeping import SleepingRoom, asleep, awake, may_sleep
from doublecross.server.core.storage import SleepingStore, StoreError
from doublecross.server.core.terms import RoomTimes
from doublecross.server.shell.journal.committer import Committer
from doublecross.server.shell.peer import MSGPACK_CODEC
from doublecross.server.shell.rooms.channel import Channel, split_events
from doublecross.server.shell.rooms.registry import RoomRegistry
from doublecross.server.shell.upkeep.service_time import TimeSource

REST_MS: Final = 5_000
"""How long nobody follows a room before it goes to sleep, so that a page may be reloaded."""
BACK_MS: Final = 60_000
"""The same where a bot waits in the room, so that both may come back after a restart."""
PAGE: Final = 50
"""How many rooms are woken at once because they are due."""
ASLEEP: Final = "room_asleep"
"""The journal's event after which the earlier events of a room do not count."""

_log = structlog.get_logger("rooms")


class SleepingRooms:
    """Send rooms to sleep, and wake them; `store` has those that sleep."""

    def __init__(
        self,
        store: SleepingStore,
        committer: Committer,
        registry: RoomRegistry,
        index: RoomIndex,
        times: RoomTimes,
        time: TimeSource,
    ) -> None:
        self._store = store
        self._committer = committer
        self._registry = registry
        self._index = index
        self._times = times
        self._now = time.now
        self._started = 0
        """When the server was started; time that passed before must not decide a game."""
        self._resting: dict[str, int] = {}
        """The rooms that nobody follows, and since when."""
        self._waking: dict[str, asyncio.Future[bool]] = {}
        self._next_due: int | None = None
        self._tasks = BackgroundTasks()
        self._checking = False
        self.closed = False
        """True when nothing sleeps or wakes here any more, such as when another node does that."""
        self.woken: Callable[[Room], None] = lambda _: None
        """Called with a room that has come back into memory."""
        registry.rest = self.rest

    async def load(self) -> None:
        """Find out who has games that sleep, and when the first one is due.

        Raises:
            StoreError: the database failed.
        """
        self._started = self._now()
        self._index.sleeping = await self._store.counts()
        self._next_due = await self._store.first_due(0)

    # -- going to sleep ------------------------------------------------------------------------

    def rest(self, channel: Channel) -> None:
        """Note that nobody follows a room, or that it has changed while nobody did."""
        if channel.room.waits:
            self._resting.setdefault(channel.room.id, self._now())

    def sweep(self) -> None:
        """Send rooms to sleep that have rested for long enough, and wake those that are due."""
        now = self._now()
        for room_id, since in list(self._resting.items()):
            channel = self._registry.channels.get(room_id)
            if channel is None or channel.peers:
                del self._resting[room_id]
            elif now - since >= _rest_ms(channel.room) and self._is_stored(channel):
                del self._resting[room_id]
                if may_sleep(channel.room):
                    self._send_to_sleep(channel)
        if self._next_due is not None and self._next_due <= now and not self._checking:
            self._checking = True
            self._tasks.start(self._wake_due(now))

    def _is_stored(self, channel: Channel) -> bool:
        # After the row of a room is stored, the journal does not have the room's earlier matches.
        is_recorded = not self._committer.has_game_of(channel.room.id)
        return is_recorded and channel.room.seq == channel.last_seq

    def _send_to_sleep(self, channel: Channel) -> None:
        if channel.asleep:
            # Otherwise the commit is under way that stores the row.
            if channel.has_row:
                self._leave_memory(channel)
            return
        row = asleep(channel.room, channel.essential_frames())
        note = MSGPACK_CODEC.encode({"type": ASLEEP, "room": row.room})
        # At once: an event that comes before the commit must store all events again.
        channel.asleep = True

        def stored() -> None:
            self._soon(row.due_ms)
            channel.has_row = True
            self._registry.retention.drop_unheld(self._committer.writer.entry_id)
            # Otherwise an event has come meanwhile, and the next commit ends the row.
            if channel.asleep and not channel.peers:
                self._leave_memory(channel)

        def fail() -> None:
            channel.asleep = False
            self.rest(channel)

        self._committer.queue_sleep(row, note, stored, fail)

    def _leave_memory(self, channel: Channel) -> None:
        if channel.awaited:
            self.rest(channel)
            return
        room = channel.room
        self._registry.close(channel)
        self._index.sleeping.update(player.name for player in room.players if player is not None)
        self._registry.room_changed(room)

    def _soon(self, due_ms: int) -> None:
        if self._next_due is None or due_ms < self._next_due:
            self._next_due = due_ms

    # -- coming back ---------------------------------------------------------------------------

    async def wake(self, room_id: str) -> bool:
        """Bring a room back into memory; return False if no such room sleeps.

        Raises:
            StoreError: the database failed.
        """
        if room_id in self._registry.channels:
            return True
        if self.closed:
            return False
        waking = self._waking.get(room_id)
        if waking is None:
            waking = self._waking[room_id] = asyncio.ensure_future(self._wake(room_id))
            waking.add_done_callback(lambda _: self._waking.pop(room_id, None))
        # Shielded, because others may wait for the same room.
        return await asyncio.shield(waking)

    async def _wake(self, room_id: str) -> bool:
        row = await self._store.room(room_id)
        return row is not None and not self.closed and self._adopt(row)

    async def find(self, room_id: str) -> Room | None:
        """Return a room that sleeps, without waking it, or None.

        Raises:
            StoreError: the database failed.
        """
        row = await self._store.room(room_id)
        found = None if row is None else self._read(row)
        return None if found is None else found[0]

    def _read(self, row: SleepingRoom) -> tuple[Room, list[Event], list[bytes]] | None:
        """Return the room of a row with its events, or None if the row is damaged."""
        try:
            events, frames = split_events(row.packed)
            room = awake(row, events, self._times, self._now(), self._started)
        except (CorruptLog, ValueError) as error:
            _log.error("room_not_woken", room=row.room, reason=str(error))
            return None
        return room, events, frames

    def _adopt(self, row: SleepingRoom) -> bool:
        """Take a room in; return whether it is in memory now."""
        if row.room in self._registry.channels:
            return True
        found = self._read(row)
        if found is None:
            return False
        room, events, frames = found
        counts = self._index.sleeping
        for player in row.players:
            counts[player] -= 1
            if not counts[player]:
                del counts[player]
        channel = self._registry.adopt(room, events, frames, [])
        channel.asleep = channel.has_row = True
        self.rest(channel)
        self.woken(room)
        return True

    async def of_player(self, player: str, *, waiting: bool = False) -> AsyncIterator[Room]:
        """Yield the rooms of a player that sleep, without waking them.

        With `waiting`, only those in which the player is to move, and those of tournaments.

        Raises:
            StoreError: the database failed.
        """
        for row in await self._store.of_player(player):
            passed = waiting and row.to_move != player and not row.tournament
            if row.room not in self._registry.channels and not passed:
                room = self._read(row)
                if room is not None:
                    yield room[0]

    async def _wake_due(self, now: int) -> None:
        """Wake all rooms that are due; their own deadlines do the rest."""
        try:
            after = (0, "")
            while rows := await self._store.due(now, after, PAGE):
                for row in () if self.closed else rows:
                    self._adopt(row)
                after = (rows[-1].due_ms, rows[-1].room)
            self._next_due = await self._store.first_due(now)
        except StoreError as error:
            _log.warning("due_rooms_not_read", reason=str(error))
        finally:
            self._checking = False

    async def close(self) -> None:
        """Wake nothing more."""
        self.closed = True
        await self._tasks.close()


def _rest_ms(room: Room) -> int:
    return REST_MS if room.by_days else BACK_MS
