"""Decide when the window switches to a tournament game that has begun.

Theory of operation
-------------------
A tournament game begins when both players are free in the tournament, whatever the person at this
window is doing. The window does not leave a match in progress for it: it reports that the game
waits. After a match has ended, the window shows the end for a moment before it switches. The clock
of the waiting game runs meanwhile, so the moment is shorter in fast games. The window switches to
each game only once; a person who leaves a game can return to it from the lobby.
"""

from __future__ import annotations

import math
from typing import Final

from doublecross.client.tk.models.snapshots import RoomSnapshot

MOMENT_S: Final = 2.5
"""The longest time for which the end of a match is shown before the next game, in seconds."""
_SHARE: Final = 0.05
"""The part of the next game's thinking time that this may take."""


class WaitingGames:
    """The tournament games that have begun and that this window has not shown yet.

    Times are in seconds by the client's clock.
    """

    def __init__(self) -> None:
        self._seen: set[str] = set()
        self._waiting: dict[str, RoomSnapshot] = {}
        self._busy_at = -math.inf

    def take(self, snapshot: RoomSnapshot) -> None:
        """Apply a snapshot of a room, from the connection of the person at the window."""
        room = snapshot.room
        if snapshot.tournament is None or snapshot.seat is None:
            return
        if snapshot.status != "playing":
            self._waiting.pop(room, None)
        elif room not in self._seen or room in self._waiting:
            self._seen.add(room)
            self._waiting[room] = snapshot

    def gone(self, room: str) -> None:
        """Forget a room that is no longer followed."""
        self._seen.discard(room)
        self._waiting.pop(room, None)

    def enter(self, room: str) -> None:
        """Note that the window shows a room."""
        self._waiting.pop(room, None)

    def forget(self) -> None:
        """Forget all games, because the connection has ended."""
        self._seen.clear()
        self._waiting.clear()

    @property
    def waiting(self) -> RoomSnapshot | None:
        """The game that has waited longest, or None."""
        return next(iter(self._waiting.values()), None)

    def due(self, now: float, *, busy: bool) -> str | None:
        """Return the room to show at `now`, or None; `busy` says that a match is in progress."""
        if busy:
            self._busy_at = now
        first = self.waiting
        if busy or first is None or now < self._busy_at + _moment(first):
            return None
        return first.room


def _moment(snapshot: RoomSnapshot) -> float:
    """Return how long this game may wait after the end of a match, in seconds."""
    times = [MOMENT_S]
    if snapshot.clock_ms is not None and snapshot.seat is not None:
        times.append(snapshot.clock_ms[snapshot.seat] / 1000 * _SHARE)
    if snapshot.time.move_ms is not None:
        times.append(snapshot.time.move_ms / 1000 * _SHARE)
    return min(times)
