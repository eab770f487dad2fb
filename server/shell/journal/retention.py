"""Decide which journal entries are still needed, and delete the others.

Theory of operation
-------------------
An entry holds events of many rooms and is needed while one of these rooms is open. Such an entry
may also hold the first events of a room that is closed by now. If the entry with the last events of
that room were simply deleted, a restart would find only the first events and restore the closed
room. So before anything is deleted, a list of the open rooms (the *roster*) is stored as an event
in an entry of its own. A restart ignores everything before the last roster that belongs to a room
outside it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from typing import Final

from doublecross.server.core.storage import StoreError
from doublecross.server.shell.journal.committer import Committer
from doublecross.server.shell.peer import MSGPACK_CODEC

ROSTER: Final = "open_rooms"
"""The event type of the roster in the journal."""


class Retention:
    """Count who needs each journal entry, and delete the entries that nobody needs.

    `open_rooms` returns the ids of the rooms whose entries must stay.
    """

    def __init__(self, committer: Committer, open_rooms: Callable[[], Iterable[str]]) -> None:
        self._committer = committer
        self._open_rooms = open_rooms
        self._holds: dict[int, int] = {}
        """By entry, the number of open rooms with events in it, plus 1 for the last roster."""
        self._of_rooms: dict[str, list[int]] = {}
        """By room, the entries that have events of it."""
        self._roster: int | None = None
        """The entry with the last roster."""
        self.unneeded: list[int] = []
        """Entries that the next cleaning deletes."""

    def stored(self, entry_id: int, room_ids: set[str]) -> None:
        """Note that an entry with events of these rooms was stored."""
        if room_ids:
            for room_id in room_ids:
                self._of_rooms.setdefault(room_id, []).append(entry_id)
            self.hold(entry_id, len(room_ids))

    def adopt(self, room_id: str, entries: list[int]) -> None:
        """Hold the entries of a room that was restored from them."""
        self._of_rooms[room_id] = entries
        for entry_id in entries:
            self.hold(entry_id)

    def release_room(self, room_id: str) -> None:
        """Release the entries of a room that is closed."""
        self.release(self._of_rooms.pop(room_id, ()))

    def forget_room(self, room_id: str) -> None:
        """Forget which entries have events of a room that does not run here any more.

        They stay: another server has the room now, or only a restart can restore it.
        """
        self._of_rooms.pop(room_id, None)

    def hold(self, entry_id: int, count: int = 1) -> None:
        """Add `count` holds on an entry."""
        self._holds[entry_id] = self._holds.get(entry_id, 0) + count

    def release(self, entry_ids: Iterable[int]) -> None:
        """Release one hold on each of these entries."""
        holds = self._holds
        for entry_id in entry_ids:
            count = holds[entry_id] - 1
            if count:
                holds[entry_id] = count
            else:
                del holds[entry_id]
                self.unneeded.append(entry_id)

    def drop_unheld(self, entry_id: int) -> None:
        """Delete an entry at the next cleaning if no room has an event in it."""
        if entry_id not in self._holds and entry_id not in self.unneeded:
            self.unneeded.append(entry_id)

    @property
    def has_entries(self) -> bool:
        """True when entries are stored, as far as is known."""
        return bool(self._holds or self.unneeded)

    def needs(self, entry_id: int) -> bool:
        """Return whether the entry must stay."""
        return entry_id in self._holds

    def keep_roster(self, entry_id: int) -> int | None:
        """Hold the entry with a new roster; return the entry of the former one, or None."""
        before, self._roster = self._roster, entry_id
        self.hold(entry_id)
        return before

    async def clean(self) -> None:
        """Delete the entries that nobody needs; if that fails, the next call tries again.

        Do nothing while nothing can be stored.
        """
        if self._committer.writer.trouble:
            return  # cleaning would write, too
        # More entries may become unneeded while this waits.
        entries, self.unneeded = self.unneeded, []
        if not entries:
            return
        try:
            before = self._roster
            # A roster is needed only while an entry stays for some other reason than a roster.
            if any(count > (entry == before) for entry, count in self._holds.items()):
                before = await self._store_roster()
            else:
                self._roster = None
            if before is not None:
                # Delete the former roster now. Left for the next call, it would require another
                # cleaning, which stores another roster, without end.
                self.release((before,))
                if not self.needs(before):
                    self.unneeded.remove(before)
                    entries.append(before)
            await self._committer.store.delete_entries(entries)
        except StoreError as error:
            self._committer.writer.troubles.failed("journal_not_cleaned", str(error))
            self.unneeded += entries

    async def _store_roster(self) -> int | None:
        """Store a roster; return the entry of the former one, or None."""
        stored: asyncio.Future[int | None] = asyncio.get_running_loop().create_future()

        def deliver() -> None:
            # No other commit has begun yet, so the last entry is the one with this roster. Hold it
            # also if `clean` was cancelled meanwhile.
            before = self.keep_roster(self._committer.writer.entry_id)
            if not stored.done():
                stored.set_result(before)

        def fail() -> None:
            if not stored.done():
                stored.set_exception(StoreError("The list of open rooms could not be stored."))

        roster = {"type": ROSTER, "rooms": tuple(self._open_rooms())}
        self._committer.queue_note(MSGPACK_CODEC.encode(roster), deliver, fail)
        return await stored
