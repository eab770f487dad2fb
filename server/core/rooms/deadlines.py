"""Changes to a room that only time causes: lost on time, absent players, abandoned rooms.

`next_due` returns when `tick` has something to do, and `tick` does it. All times are milliseconds;
`now` is milliseconds since 1970 from a clock that never goes back. Dates have no part in this.
"""

from __future__ import annotations

from typing import Final

from doublecross.games.api.sentence import Sentence
from doublecross.protocol.common import DAY_MS
from doublecross.server.core.events import Event
from doublecross.server.core.rooms.room import Room
from doublecross.server.core.rooms.takeback_commands import expire, expires_at
from doublecross.server.core.terms import span

TOURNAMENT_LINGER_MS: Final = 60_000
"""How long a room of a tournament stays open after its game, at most, in milliseconds.

There is no rematch, and a large tournament finishes many games a minute.
"""

JOIN_BY_DAYS_MS: Final = 14 * DAY_MS
"""How long a correspondence game waits for a second player, in milliseconds."""
LINGER_BY_DAYS_MS: Final = 3 * DAY_MS
"""How long its room stays open for a rematch after a match, in milliseconds."""

WAIT_MS: Final = 3 * DAY_MS
"""How long a match without a clock against a bot waits for a move, in milliseconds."""

REMATCH_AWAY_MS: Final = 10_000
"""How long an offer of a rematch stays when its player is away, in milliseconds."""
ARRANGED_IDLE_MS: Final = 10 * 60_000
"""How long nobody may move in a match of two bots that a person has arranged, in milliseconds.

A bot that hangs must not keep the other one, which has not chosen its opponent.
"""


def next_due(room: Room) -> int | None:
    """Return when `tick` has something to do, or None: never.

    Any other change to the room can change this time.
    """
    if room.status == "playing":
        return _playing_deadline(room)
    if room.status == "closed":
        return None
    end = _joined_until(room) if room.status == "waiting" else _closes_at(room)
    end = min([end, *(at for _, at in _lapses(room))])
    return min(end, _all_away_until(room)) if _counts_absence(room) else end


def _counts_absence(room: Room) -> bool:
    """Return whether both players are away from a room where that matters."""
    waits = room.waits if room.status == "playing" else room.by_days
    return not waits and room.attendance.both_away


def _joined_until(room: Room) -> int:
    """Return how long a room waits for somebody to take its free seat."""
    return room.created_at + (JOIN_BY_DAYS_MS if room.by_days else room.times.join_ms)


def _playing_deadline(room: Room) -> int | None:
    assert room.match is not None
    clock = room.match.clock
    due = clock.deadline()
    # `_idle_until` returns None for all others. This test spares them the call at every move.
    if due is None or room.terms.asked_by is not None:
        idle = _idle_until(room, due)
        if due is None or (idle is not None and idle < due):
            due = idle
    # A look at the attribute spares the call: this runs at every move, and requests are rare.
    if room.match.takebacks.request is not None:
        answer = expires_at(room)
        if answer is not None and (due is None or answer <= due):
            # One less, because one is added below: a request ends at its time, not after it.
            due = answer - 1
    absent = _absent_from_tournament(room)
    # The mover is still in time at the deadline itself and loses one millisecond later. This first
    # case is the usual one, and it is checked at every move, so it must stay cheap.
    if due is not None and absent is None and not _counts_absence(room):
        return due + 1
    candidates = [] if due is None else [due + 1]
    if absent is not None:
        candidates.append(absent[1])
    # After a restart the clock waits for the mover, at most until then.
    if clock.running is None and not room.attendance.ready[room.match.state.current_player()]:
        candidates.append(room.attendance.wait_until)
    if _counts_absence(room):
        candidates.append(_all_away_until(room))
    return min(candidates, default=None)


def tick(room: Room, now: int) -> list[Event]:
    """Do what is due at `now` and return the events.

    This ends matches by timeout or absence, closes rooms that nobody needs, and starts the clock
    of a mover who did not come back in time after a restart.
    """
    if room.status == "closed":
        return []
    # Compute the conditions anew: whoever scheduled this check, the room may have changed since.
    away = _counts_absence(room) and now >= _all_away_until(room)
    if room.status == "waiting":
        if away:
            return room.close(Sentence("Its creator did not come back."))
        if now >= _joined_until(room):
            return room.close(Sentence("Nobody joined."))
        return []
    if room.status == "finished":
        if away or now >= _closes_at(room):
            return room.close(Sentence("The match is over."))
        return [room.end_rematch(seat, "away") for seat, at in _lapses(room) if now >= at]
    assert room.match is not None
    clock = room.match.clock
    # The clock comes first: who has lost on time has lost, even if both players are away by now.
    if clock.is_out_of_time(now):
        assert clock.running is not None
        return [room.lose_on_time(clock, clock.running, now)]
    idle = _idle_until(room, clock.deadline())
    # The room closes too, because both players may stay connected without end.
    if idle is not None and now > idle:
        reason = Sentence("Nobody has moved for {time}.", span(_idle_ms(room)))
        return [room.finish("aborted", None, reason, now), *room.close(reason)]
    # With both players gone, neither has a claim to the win.
    if away:
        return [room.finish("aborted", None, Sentence("Neither player came back."), now)]
    absent = _absent_from_tournament(room)
    if absent is not None and now >= absent[1]:
        return [room.finish("disconnect", 1 - absent[0], "", now)]
    mover = room.match.state.current_player()
    if clock.running is None and not room.attendance.ready[mover]:
        room.start_clock(now)
    return expire(room, now)


def _idle_until(room: Room, due: int | None) -> int | None:
    """Return until when somebody must move in a match that no clock ends, or None.

    `due` is the deadline of the clock, if it has one.
    Tournaments have a limit of their own. In an arranged match the limit holds beside the clock.
    """
    assert room.match is not None
    clock, terms = room.match.clock, room.terms
    if clock.running is None or terms.tag is not None:
        return None
    if due is not None and terms.asked_by is None:
        return None
    return clock.since + _idle_ms(room)


def _idle_ms(room: Room) -> int:
    """Return after how long without a move a room counts as idle, in milliseconds."""
    longest = room.times.idle_ms
    if room.waits and room.status == "playing":
        return max(longest, WAIT_MS)
    return longest if room.terms.asked_by is None else min(longest, ARRANGED_IDLE_MS)


def _lapses(room: Room) -> list[tuple[int, int]]:
    """Return the seats that offer a rematch and are away, and when each offer ends."""
    if room.by_days:
        return []
    here, since = room.attendance.connections, room.attendance.away_since
    return [(s, since[s] + REMATCH_AWAY_MS) for s in (0, 1) if room.rematch[s] and not here[s]]


def _closes_at(room: Room) -> int:
    """Return when a finished room closes.

    While both players are connected they may agree on a rematch, so the room stays until it counts
    as idle. Otherwise the time counts from the end of the match, or from when the first player went
    away. A room of a tournament closes soon in any case.
    """
    assert room.over_since is not None
    linger = room.times.linger_ms
    if room.terms.tag is not None:
        return room.over_since + min(linger, TOURNAMENT_LINGER_MS)
    if room.by_days:
        return room.over_since + LINGER_BY_DAYS_MS
    # Without it, two clients that stay connected would keep the room open for ever.
    idle = room.over_since + _idle_ms(room)
    attendance = room.attendance
    away = [
        since
        for seat, since in enumerate(attendance.away_since)
        if not attendance.connections[seat]
    ]
    return min(idle, max(room.over_since, min(away)) + linger) if away else idle


def _absent_from_tournament(room: Room) -> tuple[int, int] | None:
    """Return the only absent seat in a game of a tournament, and when it loses by absence.

    Return None when both seats are present or both are away. Also return None outside tournaments,
    where the opponent decides between claiming the win and waiting.
    """
    first, second = room.attendance.connections
    # While both are away, `_all_away_until` ends the match without a winner.
    if room.terms.tag is None or room.by_days or bool(first) == bool(second):
        return None
    seat = 1 if first else 0
    return seat, room.attendance.away_since[seat] + room.times.grace_ms


def _all_away_until(room: Room) -> int:
    return room.attendance.both_away_since + room.times.away_ms
