"""Read from the storage what was not reported: games that have ended, and games that sleep."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from itertools import count
from typing import Final

import structlog

from doublecross.server.background import BackgroundTasks
from doublecross.server.core.lobby.room_index import RoomIndex
from doublecross.server.core.rating_book import RatedGame
from doublecross.server.core.records import rated_row
from doublecross.server.core.storage import SleepingStore, Store, StoreError

ATTEMPTS: Final = 3
"""How often the storage is asked."""

_log = structlog.get_logger("leader")


class MissedGames:
    """Read games that have ended during a break, and rate them.

    `settled` waits until the rows of all finished games are stored.
    """

    def __init__(
        self,
        store: Store,
        settled: Callable[[], Awaitable[None]],
        rate: Callable[[RatedGame], None],
    ) -> None:
        self._store = store
        self._settled = settled
        self._rate = rate
        self._tasks = BackgroundTasks()

    def read(self, room_id: str, first: int, until: int | None) -> None:
        """Rate the matches of a room from number `first` to before `until`; None: as many as exist.

        The storage is read later.
        """
        self._tasks.start(self._read(room_id, first, until))

    async def ended(self) -> None:
        """Wait until all games that are known to be missed are rated."""
        await self._tasks.ended()

    async def close(self) -> None:
        """Read nothing more."""
        await self._tasks.close()

    async def _read(self, room_id: str, first: int, until: int | None) -> None:
        for _ in range(ATTEMPTS):
            try:
                await self._settled()
                for number in count(first) if until is None else range(first, until):
                    row = await self._store.game(f"{room_id}-{number}")
                    if row is None:
                        break
                    played = rated_row(row)
                    if played is not None:
                        self._rate(played)
                return
            except StoreError as error:
                _log.warning("missed_games_not_read", room=room_id, reason=str(error))
        _log.error("missed_games_not_rated", room=room_id, first=first)


class SleepingCounts:
    """Count in `index` how many games of each player sleep, after the leader has read a log.

    Reports of rooms that went to sleep, or came back, may have been lost before.
    """

    def __init__(self, store: SleepingStore, index: RoomIndex) -> None:
        self._store = store
        self._index = index
        self._due = 0
        """How many attempts to count are left; 0 when everything is counted."""
        self._tasks = BackgroundTasks()

    def count(self) -> None:
        """Count soon."""
        if not self._due:
            self._tasks.start(self._count())
        self._due = ATTEMPTS

    async def _count(self) -> None:
        while self._due:
            self._due -= 1
            left = self._due
            try:
                self._index.sleeping = await self._store.counts()
            except StoreError as error:
                _log.warning("sleeping_games_not_counted", reason=str(error))
                continue
            if left == self._due:
                self._due = 0

    async def close(self) -> None:
        """Count nothing more."""
        await self._tasks.close()
