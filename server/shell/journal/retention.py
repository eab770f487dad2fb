"""Which journal entries are still needed, and the end of those that are not.

Theory of operation
-------------------
An entry holds events of many rooms; it is needed while one of them is open. When it stays for
one room, it may hold the first events of another that is closed by now and whose last events
stood in an entry that is deleted: a restart would take that one for an open room and bring it
back. So before anything is deleted, the journal is told which rooms are open (the *roster*, in
an entry like all others): of the rooms that are not in the last roster, nothing before it counts.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from typing import Final

import structlog

from server.core.storage import Store, StoreError
from server.shell.journal.committer import Committer
from server.shell.peer import MSGPACK_CODEC

ROSTER: Final = "open_rooms"
"""The type of the roster in the journal."""

_log = structlog.get_logger("retention")


class Retention:
    """See the module's docstring. `open_rooms` gives the ids of all that may not be forgotten."""

    def __init__(
        self, store: Store, committer: Committer, open_rooms: Callable[[], Iterable[str]]
    ) -> None:
        self._store = store
        self._committer = committer
        self._open_rooms = open_rooms
        self._holds: dict[int, int] = {}
        """How many open rooms each entry has events of, and one more for the roster."""
        self._roster: int | None = None
        """The entry with the last roster."""
        self.spent: list[int] = []
        """Entries that nobody needs any more."""

    def hold(self, entry_id: int, count: int = 1) -> None:
        """So many more need the entry."""
        self._holds[entry_id] = self._holds.get(entry_id, 0) + count

    def let_go(self, entry_ids: Iterable[int]) -> None:
        """One less needs each of the entries."""
        for entry_id in entry_ids:
            self._holds[entry_id] -= 1
            if not self._holds[entry_id]:
                del self._holds[entry_id]
                self.spent.append(entry_id)

    def needs(self, entry_id: int) -> bool:
        """Whether the entry has to stay."""
        return entry_id in self._holds

    def keep_roster(self, entry_id: int) -> int | None:
        """The last roster stands in this entry; returns the entry of the one before."""
        before, self._roster = self._roster, entry_id
        self.hold(entry_id)
        return before

    async def clean(self) -> None:
        """Delete the entries that nobody needs; tried again next time when that fails."""
        spent, self.spent = self.spent, []
        if not spent:
            return
        try:
            before = self._roster
            if any(count > (entry == before) for entry, count in self._holds.items()):
                before = await self._store_roster()
            else:
                self._roster = None
            if before is not None:
                # Not left to the next time, or every roster would be the reason for another.
                self.let_go((before,))
                if not self.needs(before):
                    self.spent.remove(before)
                    spent.append(before)
            await self._store.delete_entries(spent)
        except StoreError as error:
            _log.warning("journal_not_cleaned", reason=str(error))
            self.spent += spent

    async def _store_roster(self) -> int | None:
        """Store a roster; returns the entry of the one before."""
        stored: asyncio.Future[int | None] = asyncio.get_running_loop().create_future()

        def deliver() -> None:
            before = self.keep_roster(self._committer.writer.entry_id)
            if not stored.done():
                stored.set_result(before)

        def fail() -> None:
            if not stored.done():
                stored.set_exception(StoreError("The list of open rooms could not be stored."))

        roster = {"type": ROSTER, "rooms": tuple(self._open_rooms())}
        self._committer.note(MSGPACK_CODEC.encode(roster), deliver, fail)
        return await stored
