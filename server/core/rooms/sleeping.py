"""Games that nobody looks at and that wait: all that is kept of one, and how its room comes back.

A server may have very many of them, so a room that sleeps takes no memory, only a row. The row has
the room's events: those before the first match and those of the latest match.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from dataclasses import dataclass

from doublecross.server.core.events import Event
from doublecross.server.core.rooms import deadlines
from doublecross.server.core.rooms.replay import go_on, restore
from doublecross.server.core.rooms.room import Room
from doublecross.server.core.terms import RoomTimes


@dataclass(frozen=True, slots=True)
class SleepingRoom:
    """A room that is in the database only.

    `to_move` is the name of the player whose turn it is, or empty after the match. `due_ms` is when
    time changes the room, and `since_ms` since when its clock runs, both in milliseconds of
    service time. `tournament` is the id of the tournament of its game, or empty. `packed` are its
    events.
    """

    room: str
    players: tuple[str, str]
    to_move: str
    due_ms: int
    since_ms: int
    tournament: str
    packed: bytes


def may_sleep(room: Room) -> bool:
    """Return whether a room may leave memory when nobody follows it."""
    if not room.waits or room.match is None:
        return False
    if room.status == "playing":
        return room.match.takebacks.request is None and room.match.clock.running is not None
    return room.by_days and room.status == "finished"


def asleep(room: Room, frames: Sequence[bytes]) -> SleepingRoom:
    """Return the row of a room that may sleep; `frames` are its events in msgpack."""
    match, (first, second) = room.match, room.players
    assert match is not None
    assert first is not None
    assert second is not None
    due, tag = deadlines.next_due(room), room.terms.tag
    assert due is not None
    mover = room.players[match.state.current_player()] if room.status == "playing" else None
    return SleepingRoom(
        room.id,
        (first.name, second.name),
        "" if mover is None else mover.name,
        due,
        match.clock.since,
        "" if tag is None else tag.tournament,
        zlib.compress(b"".join(frames)),
    )


def awake(
    row: SleepingRoom, events: Sequence[Event], times: RoomTimes, now: int, started: int
) -> Room:
    """Return the room of a row; `started` is when the server was started.

    Raises:
        CorruptLog: the events are inconsistent or malformed.
    """
    room = restore(events, times, now, latest_match=True)
    go_on(room, row.since_ms, started)
    return room
