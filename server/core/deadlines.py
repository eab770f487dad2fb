"""What happens to a room with time alone: flags, absence, and rooms that nobody comes back to.

`next_due` says when `tick` has something to do; `tick` does what is due. All times are
milliseconds, `now` is since 1970 on a clock that never goes back.
"""

from __future__ import annotations

from typing import Final

from server.core.events import Event
from server.core.room import Room

TOURNAMENT_LINGER_MS: Final = 60_000
"""How long a room stays at most after its game of a tournament, in milliseconds."""


def next_due(room: Room) -> int | None:
    """Return when `tick` has something to do, if nothing happens before; None: never."""
    if room.status == "playing":
        return _playing_deadline(room)
    if room.status == "closed":
        return None
    if room.status == "finished":
        assert room.finished_at is not None
        end = room.finished_at + _linger_ms(room)
    else:
        end = room.created_at + room.times.join_ms
    return end if not room.attendance.nobody else min(end, _all_away_until(room))


def _playing_deadline(room: Room) -> int | None:
    assert room.match is not None
    clock = room.match.clock
    due = clock.deadline()
    absent = _absent_from_tournament(room)
    # A flag has fallen one millisecond after its deadline.
    if due is not None and absent is None and not room.attendance.nobody:
        return due + 1
    candidates = [] if due is None else [due + 1]
    if absent is not None:
        candidates.append(absent[1])
    if clock.running is None and not room.attendance.ready[room.match.state.current_player()]:
        candidates.append(room.attendance.hold_until)
    if room.attendance.nobody:
        candidates.append(_all_away_until(room))
    return min(candidates, default=None)


def tick(room: Room, now: int) -> list[Event]:
    """Carry out what is due at `now`: a flag, a match or a room that nobody comes back to."""
    if room.status == "closed":
        return []
    away = room.attendance.nobody and now >= _all_away_until(room)
    if room.status == "waiting":
        if away:
            return room.close("Its creator did not come back.")
        if now >= room.created_at + room.times.join_ms:
            return room.close("Nobody joined.")
        return []
    if room.status == "finished":
        if away or (room.finished_at or 0) + _linger_ms(room) <= now:
            return room.close("The match is over.")
        return []
    assert room.match is not None
    clock = room.match.clock
    if clock.fell(now):
        assert clock.running is not None
        return [room.finish("timeout", 1 - clock.running, "", now)]
    if away:
        return [room.finish("aborted", None, "Neither player came back.", now)]
    absent = _absent_from_tournament(room)
    if absent is not None and now >= absent[1]:
        return [room.finish("disconnect", 1 - absent[0], "", now)]
    mover = room.match.state.current_player()
    if clock.running is None and not room.attendance.ready[mover]:
        room.start_clock(now)
    return []


def _linger_ms(room: Room) -> int:
    """Return how long a finished room stays; without a rematch there is little to stay for."""
    linger = room.times.linger_ms
    return linger if room.terms.tag is None else min(linger, TOURNAMENT_LINGER_MS)


def _absent_from_tournament(room: Room) -> tuple[int, int] | None:
    """Return the one seat that is away from a game of a tournament, and when it loses by that.

    None: both are there, both are away, or it is no game of a tournament; elsewhere the opponent
    claims the win or waits.
    """
    here = room.attendance.connected
    if room.terms.tag is None or here[0] == here[1]:
        return None
    seat = here.index(False)
    return seat, room.attendance.away_since[seat] + room.times.grace_ms


def _all_away_until(room: Room) -> int:
    return room.attendance.nobody_since + room.times.away_ms
