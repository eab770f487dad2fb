"""What the journal says when the server starts: the rooms that go on, and entries to forget."""

from __future__ import annotations

import structlog

from server.authority import Authority
from server.channel import split_frames
from server.errors import CorruptLog
from server.events import Event
from server.replay import restore, salvage
from server.store.api import Store

_log = structlog.get_logger("recovery")


class _Log:
    """The stored events of one room."""

    __slots__ = ("entries", "events", "frames")

    def __init__(self) -> None:
        self.events: list[Event] = []
        self.frames: list[bytes] = []
        self.entries: list[int] = []


async def read_journal(store: Store) -> tuple[dict[str, _Log], list[int]]:
    """The logs of the rooms that are not closed, and the entries that hold nothing else.

    Raises:
        StoreError: the database fails.
    """
    open_logs: dict[str, _Log] = {}
    entries: list[int] = []
    async for entry in store.journal():
        entries.append(entry.entry_id)
        try:
            found = split_frames(entry.frames)
        except ValueError as error:
            _log.error("journal_entry_unreadable", entry=entry.entry_id, reason=str(error))
            continue
        for event, frame in found:
            room_id = event["room"]
            if event["type"] == "room_closed":
                open_logs.pop(room_id, None)
                continue
            log = open_logs.setdefault(room_id, _Log())
            log.events.append(event)
            log.frames.append(frame)
            if not log.entries or log.entries[-1] != entry.entry_id:
                log.entries.append(entry.entry_id)
    needed = {entry_id for log in open_logs.values() for entry_id in log.entries}
    return open_logs, [entry_id for entry_id in entries if entry_id not in needed]


async def recover(authority: Authority) -> int:
    """Put every unfinished room back; returns how many. A room whose log is corrupt ends as void,
    as far as its log can be followed, and says so in the server's log.

    Raises:
        StoreError: the database fails.
    """
    logs, spent = await read_journal(authority.store)
    authority.spent_entries.extend(spent)
    for room_id, log in logs.items():
        now = authority.now()
        try:
            room = restore(log.events, authority.times, now)
        except CorruptLog as error:
            _log.error("room_corrupt", room=room_id, reason=str(error))
            salvaged = salvage(log.events, authority.times, now)
            if salvaged is None:
                authority.spent_entries.extend(log.entries)
                continue
            authority.adopt(salvaged, log.frames, log.entries)
            authority.publish(
                salvaged, salvaged.void("The server could not restore this match.", now)
            )
            continue
        authority.adopt(room, log.frames, log.entries)
    return len(authority.channels)
