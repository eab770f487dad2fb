"""Read from the storage which rooms a log has, for the leader."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable
from typing import Final, NamedTuple

import structlog

from doublecross.server.core.cards import shadow_after
from doublecross.server.core.errors import Refused
from doublecross.server.core.rooms.room import Room
from doublecross.server.core.storage import JournalEntry, Store, StoreError
from doublecross.server.core.terms import RoomTimes
from doublecross.server.shell.rooms.recovery import log_problem, read_journal
from doublecross.server.shell.upkeep.periodic import Breaks

STEP_S: Final = 0.003
"""For how long entries are read before other work of the node gets a turn, in seconds."""
RETRY_S: Final = 0.2
"""Seconds until a log that could not be read is read again."""

_log = structlog.get_logger("leader")


class StoredLog(NamedTuple):
    """The rooms of a log that are open, as shadows by id, and what became of others.

    The rooms `asleep` are in the storage of rooms that sleep. Of those in `played` the storage has
    a finished game.
    """

    rooms: dict[str, Room]
    asleep: set[str]
    played: set[str]


class LogReader:
    """Read logs until that succeeds. `entries` yields the entries of a log."""

    def __init__(
        self,
        store: Store,
        entries: Callable[[str], AsyncIterator[JournalEntry]],
        times: RoomTimes,
        now: Callable[[], int],
    ) -> None:
        self._store = store
        self._entries = entries
        self.times = times
        self.now = now

    async def read(self, log: str, known: Callable[[], Iterable[Room]]) -> StoredLog:
        """Return what the storage has of a log. `known` returns the rooms that the leader knows."""
        while True:
            try:
                rooms = await self._rooms(log)
                asleep, played = set(), set()
                for room in known():
                    if room.id in rooms:
                        continue
                    if await self._store.sleeping.room(room.id) is not None:
                        asleep.add(room.id)
                    elif await self._store.game(f"{room.id}-1") is not None:
                        played.add(room.id)
                return StoredLog(rooms, asleep, played)
            except StoreError as error:
                _log.warning("log_not_read", log=log, reason=str(error))
                await asyncio.sleep(RETRY_S)

    async def _rooms(self, log: str) -> dict[str, Room]:
        breaks = Breaks(STEP_S)
        entries = _with_breaks(self._entries(log), breaks)
        journal = await read_journal(entries, log_problem, moves=False)
        # The owner keeps all entries of an open room. If the first one was deleted meanwhile, the
        # room is closed, and the event of that may be deleted too.
        kept = await anext(aiter(self._entries(log)), None) if journal.logs else None
        rooms: dict[str, Room] = {}
        for room_id, found in journal.logs.items():
            if kept is None or found.entries[0] < kept.entry_id:
                continue
            try:
                rooms[room_id] = shadow_after(found.events, self.times, self.now())
            except (Refused, LookupError, TypeError, ValueError) as error:
                _log.error("room_not_read", room=room_id, reason=str(error))
            await breaks.take()
        return rooms


async def _with_breaks(
    entries: AsyncIterator[JournalEntry], breaks: Breaks
) -> AsyncIterator[JournalEntry]:
    async for entry in entries:
        await breaks.take()
        yield entry
