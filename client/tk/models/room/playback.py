"""Decide which position of a match a spectator sees, and when the next move appears.

Theory of operation
-------------------
The room follows the match all the time; `Playback` only chooses how many of its moves are shown.
`at` is that number, or None while the spectator sees the latest position. `follow` learns of new
moves, `tick` shows the next one when it is due, and the other methods are what a person can do.
It keeps time by the `now` of its callers, in seconds.
"""

from __future__ import annotations

import math
from typing import Final

REPLAY_S: Final = 1.0
"""The speed at which moves are played again if none was chosen, in seconds a move."""


class Playback:
    """The playback of a room's matches for one spectator.

    `pace` is the chosen time a move in seconds, or None to show moves as they come. While `paused`,
    nothing moves by itself.
    """

    def __init__(self) -> None:
        self.pace: float | None = None
        self.paused = False
        self._at: int | None = None
        self._match = 0
        self._total = 0
        self._over = False
        self._end_seen = False
        self._shown_at = -math.inf

    @property
    def at(self) -> int | None:
        """The number of moves that are shown, or None for all, also for those that will come."""
        return self._at

    @property
    def behind(self) -> int:
        """How many moves of the match are not shown."""
        return 0 if self._at is None else self._total - self._at

    @property
    def hides_end(self) -> bool:
        """Return whether the match is over, and the spectator has not been led to its end yet."""
        return self._over and not self._end_seen

    @property
    def still(self) -> bool:
        """Return whether nothing is going to move: it is paused, or the end of a match is shown."""
        return self.paused or (self._over and self._at is None)

    # -- the match -----------------------------------------------------------------------------

    def follow(self, match: int, total: int, *, over: bool, now: float) -> None:
        """Note that `match` has `total` moves at `now` and whether it is over."""
        if match != self._match:
            self._match, self._end_seen, self.paused = match, False, False
            self._at = None
            # The first match that this spectator sees began before: show its latest position.
            self._total = 0 if self.pace is not None else total
        self._over = over
        self._end_seen = self._end_seen and over
        if total > self._total and self._at is None and self.pace is not None:
            self._at = self._total
        self._total = total
        self._settle()
        self.tick(now)

    def tick(self, now: float) -> bool:
        """Show the next move if it is due at `now`; return whether it was."""
        if self._at is None or self.paused or now < self._shown_at + (self.pace or REPLAY_S):
            return False
        self._at += 1
        self._shown_at = now
        self._settle()
        return True

    # -- what a person can do ------------------------------------------------------------------

    def play_or_pause(self, now: float) -> None:
        """Pause or go on at `now`; at the end of a match play it again from its start."""
        if self._over and self._at is None:
            self.restart(now)
        elif self.paused:
            self._play(now)
        else:
            self.paused = True
            self._at = self._total if self._at is None else self._at

    def restart(self, now: float) -> None:
        """Play the match from its start, with the next move one pace after `now`."""
        self._at = 0
        self._play(now)

    def live(self) -> None:
        """Show the latest position, and moves as they come."""
        self._at, self.pace, self.paused = None, None, False
        self._settle()

    def go_to(self, ply: int) -> None:
        """Pause in the position after `ply` moves, limited to those of the match."""
        self._at, self.paused = min(max(0, ply), self._total), True
        self._settle()

    def choose(self, pace: float | None) -> None:
        """Show moves at `pace` from now on; None leads to the latest position unless paused."""
        self.pace = pace
        if pace is None and not self.paused:
            self._at = None
        self._settle()

    def _play(self, now: float) -> None:
        self.paused = False
        if self.behind and self.pace is None:
            self.pace = REPLAY_S
        self._shown_at = now
        self._settle()

    def _settle(self) -> None:
        if self._at is not None:
            self._at = min(self._at, self._total)
            if self._at == self._total and (self._over or not self.paused):
                self._at, self.paused = None, False
        if self._over and self._at is None:
            self._end_seen = True
