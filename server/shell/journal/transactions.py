"""Carry out single commits, and find out whether a failed one was stored after all."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

import structlog

from server.core.storage import (
    Batch,
    GameRow,
    JournalEntry,
    PlayerRow,
    Store,
    StoreError,
    TournamentChange,
)

_log = structlog.get_logger("committer")


class JournalWriter:
    """Store batches one after another, number their journal entries, and count them.

    `now` returns milliseconds since 1970.
    """

    def __init__(self, store: Store, last_entry_id: int, now: Callable[[], int]) -> None:
        self._store = store
        self._now = now
        self.entry_id = last_entry_id
        """The id of the last journal entry."""
        self.commits = 0
        self.events = 0
        self.failures = 0
        self.busy_since: int | None = None
        """When the current commit began, in milliseconds since 1970; None between commits."""

    async def commit(
        self,
        frames: Sequence[bytes],
        games: Sequence[GameRow],
        players: Sequence[PlayerRow],
        tournaments: Sequence[TournamentChange],
    ) -> bool:
        """Store everything in one transaction, the frames as one journal entry.

        Returns whether it is stored. After an error with a journal entry, that is decided by
        asking the store, because a commit can succeed although its confirmation was lost.
        """
        entry = None
        self.busy_since = self._now()
        if frames:
            self.entry_id += 1
            entry = JournalEntry(self.entry_id, self.busy_since, b"".join(frames))
        try:
            await self._store.commit(Batch(entry, games, players, tournaments))
        except Exception as error:  # noqa: BLE001 - no error may stop the committer
            self.failures += 1
            _log.error("commit_failed", reason=str(error), events=len(frames))
            if not isinstance(error, StoreError):
                _log.exception("commit_raised")
            if entry is None or not await self._was_stored(entry.entry_id):
                return False
        finally:
            self.busy_since = None
        self.commits += 1
        self.events += len(frames)
        return True

    async def _was_stored(self, entry_id: int) -> bool:
        """Return whether a commit that reported an error was stored all the same.

        Keep asking while the store does not answer, because players must not get a wrong answer.
        """
        wait = 0.05
        while True:
            try:
                return await self._store.has_entry(entry_id)
            except Exception as error:  # noqa: BLE001 - every error means: ask again
                _log.error("store_unavailable", reason=str(error))
                await asyncio.sleep(wait)
                wait = min(2 * wait, 5.0)
