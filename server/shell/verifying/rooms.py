"""Check the journal, and replay the rooms that are not closed."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Final

from doublecross.server.core.errors import CorruptLog
from doublecross.server.core.records import game_row
from doublecross.server.core.rooms.replay import restore
from doublecross.server.core.rooms.room import Room
from doublecross.server.core.storage import GameRow, JournalEntry
from doublecross.server.core.terms import RoomTimes
from doublecross.server.core.tournament_rows import Tag
from doublecross.server.shell.rooms.recovery import read_journal
from doublecross.server.shell.verifying.problem import Wrong
from doublecross.server.tournaments.messages import tag_of

_ENTRY: Final = (
    "The server skips what it cannot read, so moves may be missing in rooms; compare with a backup."
)
_ROOM: Final = "The server ends its match as void at the next start; compare with a backup."


@dataclass(slots=True)
class OpenRooms:
    """The contents of a journal about the rooms that are not closed.

    `ids` are those of the rooms. `finished` has the rows of their finished games by id, and `live`
    the tags of the games of tournaments for which there is a room with a match.
    """

    entries: int = 0
    ids: set[str] = field(default_factory=set)
    last_entry: int = 0
    finished: dict[str, GameRow] = field(default_factory=dict)
    live: set[Tag] = field(default_factory=set)
    wrong: list[Wrong] = field(default_factory=list)

    def add(self, other: OpenRooms) -> None:
        """Add the rooms of another log, whose entries may have the same numbers."""
        self.entries += other.entries
        self.ids |= other.ids
        self.finished |= other.finished
        self.live |= other.live
        self.wrong += other.wrong


async def check_rooms(
    journal: AsyncIterator[JournalEntry],
    times: RoomTimes,
    now_ms: int,
    what: str = "journal entry",
) -> OpenRooms:
    """Read the journal, and replay each room that is not closed, as a server does at its start.

    `what` names an entry for people.
    """
    found = OpenRooms()

    def on_problem(entry_id: int, reason: str) -> None:
        found.wrong.append(Wrong(what, str(entry_id), f"it has {reason}", _ENTRY))

    read = await read_journal(journal, on_problem)
    found.entries, found.ids = len(read.entries), set(read.logs)
    found.last_entry = max(read.entries, default=0)

    def on_finished(room: Room) -> None:
        row = game_row(room)
        found.finished[row.game_id] = row

    for room_id, log in read.logs.items():
        try:
            room = restore(log.events, times, now_ms, on_finished)
        except CorruptLog as error:
            found.wrong.append(Wrong("room", room_id, f"it cannot be replayed ({error})", _ROOM))
            continue
        if room.terms.tag is not None and room.match is not None:
            found.live.add(tag_of(room.terms.tag))
    return found
