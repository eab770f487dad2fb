"""Read from the storage which correspondence games sleep, after a census of a log.

Reports of rooms that went to sleep, or came back, may be lost before it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Final

import structlog

from doublecross.server.background import BackgroundTasks
from doublecross.server.core.lobby.room_index import RoomIndex
from doublecross.server.core.storage import SleepingStore, StoreError

ATTEMPTS: Final = 3
"""How often the storage is asked."""

_log = structlog.get_logger("hall")


class SleepingGames:
    """Find out what became of rooms, and count the games of each player that sleep.

    `found` is called with each room and whether it sleeps.
    """

    def __init__(
        self, store: SleepingStore, index: RoomIndex, found: Callable[[str, bool], None]
    ) -> None:
        self._store = store
        self._index = index
        self._found = found
        self._doubtful: set[str] = set()
        self._due = 0
        """How many attempts to read are left; 0 when everything is read."""
        self._tasks = BackgroundTasks()

    def counted(self, doubtful: Collection[str]) -> None:
        """Note that a census is over that did not count these rooms."""
        self._doubtful.update(doubtful)
        if not self._due:
            self._tasks.start(self._read())
        self._due = ATTEMPTS

    async def _read(self) -> None:
        while self._due:
            self._due -= 1
            try:
                for room_id in sorted(self._doubtful):
                    row = await self._store.room(room_id)
                    self._doubtful.discard(room_id)
                    self._found(room_id, row is not None)
                left = self._due
                self._index.sleeping = await self._store.counts()
                if left == self._due:
                    self._due = 0
            except StoreError as error:
                _log.warning("sleeping_games_not_read", reason=str(error))

    async def close(self) -> None:
        """Read nothing more."""
        await self._tasks.close()
