"""Count in the storage how many games of each player sleep, after the leader has read a log.

Reports of rooms that went to sleep, or came back, may have been lost before.
"""

from __future__ import annotations

from typing import Final

import structlog

from doublecross.server.background import BackgroundTasks
from doublecross.server.core.lobby.room_index import RoomIndex
from doublecross.server.core.storage import SleepingStore, StoreError

ATTEMPTS: Final = 3
"""How often the storage is asked."""

_log = structlog.get_logger("leader")


class SleepingCounts:
    """Keep the counts in `index` right."""

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
