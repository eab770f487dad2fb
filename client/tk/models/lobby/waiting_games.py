"""Games of tournaments that have begun: the window leads the player to each of them, once.

Theory of operation
-------------------
Such a game begins when its players are free in the tournament, whatever the person at this window
does at that moment. A match that is being played is not left for it: the game waits, and is said to
wait. A match that has just ended is shown for a moment, as one wants to see how it ended; a clock
runs meanwhile, so that moment is short where the time is. Whoever leaves a game is not led to it
again: the lobby has a way back.
"""

from __future__ import annotations

import math
from typing import Final

from client.tk.models.pictures import RoomPicture

MOMENT_S: Final = 2.5
"""How long the end of a match is shown at most before the next game, in seconds."""
_SHARE: Final = 0.05
"""The part of the time to think that this may take."""


class WaitingGames:
    """The games of tournaments to which this window has not led yet. Times are in seconds of the
    client's clock."""

    def __init__(self) -> None:
        self._seen: set[str] = set()
        self._waiting: dict[str, RoomPicture] = {}
        self._busy_at = -math.inf

    def take(self, picture: RoomPicture) -> None:
        """Take a room of the person's own connection as it is now."""
        room = picture.room
        if picture.tournament is None or picture.seat is None:
            return
        if picture.status != "playing":
            self._waiting.pop(room, None)
        elif room not in self._seen or room in self._waiting:
            self._seen.add(room)
            self._waiting[room] = picture

    def gone(self, room: str) -> None:
        """Forget a room that is not followed any more."""
        self._seen.discard(room)
        self._waiting.pop(room, None)

    def enter(self, room: str) -> None:
        """Note that the window has gone to a room."""
        self._waiting.pop(room, None)

    def forget(self) -> None:
        """Forget all games: the connection has ended."""
        self._seen.clear()
        self._waiting.clear()

    @property
    def waiting(self) -> RoomPicture | None:
        """The game that has waited longest."""
        return next(iter(self._waiting.values()), None)

    def due(self, now: float, *, busy: bool) -> str | None:
        """Return the room to go to at `now`; None: none, or a match is being played (`busy`)."""
        if busy:
            self._busy_at = now
        first = self.waiting
        if busy or first is None or now < self._busy_at + _moment(first):
            return None
        return first.room


def _moment(picture: RoomPicture) -> float:
    """How long this game may wait for the end of a match to be seen, in seconds."""
    times = [MOMENT_S]
    if picture.clock_ms is not None and picture.seat is not None:
        times.append(picture.clock_ms[picture.seat] / 1000 * _SHARE)
    if picture.time.move_ms is not None:
        times.append(picture.time.move_ms / 1000 * _SHARE)
    return min(times)
