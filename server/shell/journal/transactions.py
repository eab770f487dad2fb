"""Carry out single commits, and find out whether a failed one was stored after all."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from dataclasses import replace

from doublecross.server.core.storage import (
    Batch,
    DatabaseTakenError,
    JournalEntry,
    Store,
    StoreError,
)
from doublecross.server.shell.upkeep.histogram import COMMIT_EVENTS, COMMIT_S, Histogram
from doublecross.server.shell.upkeep.service_time import CommitWatch
from doublecross.server.shell.upkeep.troubles import TroubleLog
from doublecross.server.supervisor import UnrecoverableError


class JournalWriter:
    """Store batches one after another, number their journal entries, and count them.

    `now` returns milliseconds since 1970. `watch` is notified of every commit.
    """

    def __init__(
        self,
        store: Store,
        last_entry_id: int,
        now: Callable[[], int],
        watch: CommitWatch | None = None,
    ) -> None:
        self._store = store
        self._now = now
        self._watch = watch
        self.entry_id = last_entry_id
        """The id of the last journal entry."""
        self.commits = 0
        self.events = 0
        self.failures = 0
        self.durations = Histogram(COMMIT_S)
        """How long the commits took that were stored, in seconds."""
        self.sizes = Histogram(COMMIT_EVENTS)
        """How many events they had."""
        self.trouble = ""
        """Why the last commit or check could not be stored; empty while the storage works."""
        self.troubles = TroubleLog()
        self.last_s = time.monotonic()
        """When the storage was last found to work, in seconds."""
        self._busy_since_s: float | None = None

    def busy_s(self) -> float:
        """Return for how many seconds the current commit has been waiting; 0 between commits."""
        since = self._busy_since_s
        return 0.0 if since is None else time.monotonic() - since

    def unwatch(self) -> None:
        """Tell the watch nothing more, because another server has the journal."""
        watch, self._watch = self._watch, None
        if watch is not None:
            watch.commit_ended(self)
            watch.storage_works(self, True)

    async def commit(self, frames: Sequence[bytes], batch: Batch) -> bool:
        """Store a batch in one transaction, with the frames as its journal entry.

        Returns whether it is stored. After an error with a journal entry, that is decided by
        asking the store, because a commit can succeed although its confirmation was lost.

        Raises:
            UnrecoverableError: another server uses the database now.
        """
        entry = None
        if frames:
            # A commit that fails uses its number up, so an entry with that number can only be its
            # own.
            self.entry_id += 1
            entry = JournalEntry(self.entry_id, self._now(), b"".join(frames))
        self._busy_since_s = began_s = time.monotonic()
        if self._watch is not None:
            self._watch.commit_began(self)
        try:
            await self._store.commit(replace(batch, entry=entry))
            self._works()
        except Exception as error:  # noqa: BLE001 - no error may stop the committer
            self.failures += 1
            # A bug is logged with its traceback.
            bug = None if isinstance(error, StoreError) else error
            self.troubles.failed("commit_failed", str(error), events=len(frames), exc_info=bug)
            self._fails(error)
            if entry is None or not await self._was_stored(entry.entry_id):
                return False
        finally:
            self._busy_since_s = None
            if self._watch is not None:
                self._watch.commit_ended(self)
        self.commits += 1
        self.events += len(frames)
        self.durations.observe(time.monotonic() - began_s)
        self.sizes.observe(len(frames))
        return True

    async def check(self) -> None:
        """Find out whether the storage works, by writing to it.

        Raises:
            UnrecoverableError: another server uses the database now.
        """
        try:
            await self._store.check_writable()
            self._works()
        except Exception as error:  # noqa: BLE001 - every error means that nothing can be stored
            self.troubles.failed("storage_fails", str(error))
            self._fails(error)

    async def check_owner(self) -> None:
        """Find out whether another server uses the database, by reading only.

        Raises:
            UnrecoverableError: another server uses it now.
        """
        try:
            await self._store.check_owner()
        except StoreError as error:
            # `/health` shows whether the database can be read, and `check` whether it can be
            # written.
            if isinstance(error, DatabaseTakenError):
                self._fails(error)

    async def confirm(self) -> None:
        """Wait until the storage says that no other server writes there.

        Raises:
            UnrecoverableError: another server does.
        """
        wait = 0.05
        while True:
            try:
                await self._store.check_owner()
                return
            except DatabaseTakenError as error:
                raise UnrecoverableError(str(error)) from error
            except StoreError as error:
                self.troubles.failed("store_unavailable", str(error))
            await asyncio.sleep(wait)
            wait = min(2 * wait, 5.0)

    def _works(self) -> None:
        self.last_s = time.monotonic()
        if self.troubles.lasts:
            self.troubles.over()
        if self.trouble:
            self.trouble = ""
            if self._watch is not None:
                self._watch.storage_works(self, True)

    def _fails(self, error: Exception) -> None:
        """Note that something could not be stored.

        Raises:
            UnrecoverableError: another server uses the database now.
        """
        self.trouble = str(error) or type(error).__name__
        if self._watch is not None:
            self._watch.storage_works(self, False)
        if isinstance(error, DatabaseTakenError):
            raise UnrecoverableError(str(error)) from error

    async def _was_stored(self, entry_id: int) -> bool:
        """Return whether a commit that reported an error was stored nevertheless.

        Keep asking while the store does not answer, because players must not get a wrong answer.

        Raises:
            UnrecoverableError: another server writes there now, and decides.
        """
        wait = 0.05
        while True:
            try:
                return await self._store.has_entry(entry_id)
            except DatabaseTakenError as error:
                raise UnrecoverableError(str(error)) from error
            except Exception as error:  # noqa: BLE001 - every error means: ask again
                self.troubles.failed("store_unavailable", str(error))
                await asyncio.sleep(wait)
                wait = min(2 * wait, 5.0)
