"""Restore the unfinished rooms from the journal when the server starts."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass
from typing import cast

import structlog

from doublecross.games.api.sentence import Sentence
from doublecross.server.core import commands
from doublecross.server.core.errors import CorruptLog
from doublecross.server.core.events import Event
from doublecross.server.core.records import game_row
from doublecross.server.core.rooms.replay import go_on, restore, salvage
from doublecross.server.core.rooms.room import Room
from doublecross.server.core.storage import GameRow, JournalEntry, Store
from doublecross.server.core.terms import RoomTimes
from doublecross.server.shell.journal.retention import ROSTER
from doublecross.server.shell.rooms.channel import split_frames
from doublecross.server.shell.rooms.live import LiveRooms
from doublecross.server.shell.rooms.sleeping import ASLEEP

_log = structlog.get_logger("recovery")


class RoomLog:
    """The stored events of one room."""

    __slots__ = ("at_ms", "entries", "events", "frames")

    def __init__(self) -> None:
        self.at_ms = 0
        """When the last of them was stored."""
        self.events: list[Event] = []
        self.frames: list[bytes] = []
        self.entries: list[int] = []

    @property
    def is_whole(self) -> bool:
        """False when events are missing; a room that has slept has those of its latest match."""
        first, last = (each.get("seq") for each in (self.events[0], self.events[-1]))
        if not (isinstance(first, int) and isinstance(last, int)):
            return True  # they make no sense anyway
        return last - first < len(self.events)


@dataclass(frozen=True, slots=True)
class Journal:
    """The contents of the journal.

    `logs` has the stored events of each room that is not closed, by room id. `entries` are the ids
    of all entries. `roster` is the entry with the last list of open rooms, or None (see
    `server/shell/journal/retention.py`).
    """

    logs: dict[str, RoomLog]
    entries: list[int]
    roster: int | None


async def read_journal(
    stored: AsyncIterator[JournalEntry],
    on_problem: Callable[[int, str], None],
    *,
    moves: bool = True,
) -> Journal:
    """Read the whole journal, perhaps without moves; skip what makes no sense.

    `on_problem` is called for each entry and event that is skipped, with the id of the entry and
    the reason.

    Raises:
        StoreError: the database fails.
    """
    roster: int | None = None
    open_logs: dict[str, RoomLog] = {}
    entries: list[int] = []
    async for entry in stored:
        entries.append(entry.entry_id)
        try:
            found = split_frames(entry.frames, moves=moves)
        except ValueError as error:
            on_problem(entry.entry_id, str(error))
            continue
        for event, frame in found:
            if event.get("type") == ROSTER:
                rooms = event.get("rooms")
                # `split_frames` reads lists as tuples.
                if not isinstance(rooms, tuple):
                    on_problem(entry.entry_id, "a list of open rooms without rooms")
                    continue
                roster = entry.entry_id
                still_open = set(rooms)
                # The last events of the other rooms may be in entries that were deleted.
                open_logs = {i: log for i, log in open_logs.items() if i in still_open}
                continue
            room_id = event.get("room")
            if not isinstance(room_id, str):
                on_problem(entry.entry_id, "an event without a room")
                continue
            # A room that sleeps is in a row of its own, and has all its events here when it wakes.
            if event.get("type") in ("room_closed", ASLEEP):
                open_logs.pop(room_id, None)
                continue
            if event.get("type") == "room_created":
                open_logs.pop(room_id, None)
            log = open_logs.setdefault(room_id, RoomLog())
            log.at_ms = entry.at_ms
            log.events.append(cast(Event, event))
            log.frames.append(frame)
            # The retention counts a room once for each entry, however many events of it are there.
            if not log.entries or log.entries[-1] != entry.entry_id:
                log.entries.append(entry.entry_id)
    return Journal(open_logs, entries, roster)


def log_problem(entry_id: int, reason: str) -> None:
    """Log an entry or an event of the journal that makes no sense."""
    _log.error("journal_entry_unreadable", entry=entry_id, reason=reason)


async def open_rooms(stored: AsyncIterator[JournalEntry]) -> dict[str, bytes]:
    """Return the stored events of each room that is not closed, as one entry, by room id.

    Raises:
        StoreError: the database fails.
    """
    journal = await read_journal(stored, log_problem)
    return {room: b"".join(log.frames) for room, log in journal.logs.items()}


async def recover(rooms: LiveRooms, store: Store, times: RoomTimes) -> int:
    """Restore every unfinished room of a journal; return how many there are.

    Raises:
        StoreError: the database fails.
    """
    await rooms.sleeping.load()
    journal = await read_journal(store.journal(), log_problem)
    for _ in restore_rooms(rooms, journal, times):
        pass
    return len(rooms.registry.channels)


def restore_rooms(rooms: LiveRooms, journal: Journal, times: RoomTimes) -> Iterator[list[GameRow]]:
    """Restore every unfinished room of a journal, and yield the rows of its finished matches.

    Between two rooms the caller may do something else. Nothing may clean the journal before the
    end: a roster of the rooms that are restored already would delete the others.

    A room whose events are corrupt is restored as far as they can be followed, and its match ends
    as void. The server's log names such rooms. The rows are stored again, because a crash may have
    prevented that before.
    """
    retention = rooms.registry.retention
    # Otherwise its entry would count as unneeded at the end.
    if journal.roster is not None:
        retention.keep_roster(journal.roster)

    started = rooms.now()
    rows: list[GameRow] = []

    def queue_row(room: Room) -> None:
        rows.append(game_row(room))
        rooms.committer.queue_game(rows[-1])

    for room_id, log in journal.logs.items():
        # Ask anew for each room, because the caller may let time pass in between.
        now = rooms.now()
        try:
            room = restore(log.events, times, now, queue_row, latest_match=not log.is_whole)
            go_on(room, min(log.at_ms, now), started)
        except CorruptLog as error:
            _log.error("room_corrupt", room=room_id, reason=str(error))
            salvaged = salvage(log.events, times, now)
            if salvaged is not None:
                rooms.registry.adopt(salvaged, log.events, log.frames, log.entries)
                reason = Sentence("The server could not restore this match.")
                rooms.publisher.publish(salvaged, commands.void(salvaged, reason, now))
        else:
            rooms.registry.rest(rooms.registry.adopt(room, log.events, log.frames, log.entries))
        # The list is the caller's only until the next room.
        yield rows
        rows.clear()
    retention.unneeded += [i for i in journal.entries if not retention.needs(i)]
