"""Give deadlines that do not run while the machine stands still.

Theory of operation
-------------------
A machine that sleeps, or whose processes somebody has stopped, also stops the bots. The process
that waits for them notices that only by a gap in its own time: it checks its clock several times a
second, so a check that comes seconds late says that everything stood still. Then each deadline
begins again with all its time.

A busy machine delays checks too, so a deadline begins again a few times only.
"""

from __future__ import annotations

import math
from typing import Final

STANDSTILL_S: Final = 2.0
"""Seconds between two checks that count as a standstill."""
MOST_RESTARTS: Final = 3
"""How often one deadline begins again."""


class StandstillWatch:
    """Counts the standstills. Times are seconds of one clock; `now` is that of the first check."""

    def __init__(self, now: float) -> None:
        self.count = 0
        """How many standstills there have been."""
        self._checked_at = now

    def check(self, now: float) -> None:
        """Check the clock; call this several times a second, and before every decision."""
        if now - self._checked_at > STANDSTILL_S:
            self.count += 1
        self._checked_at = now


class Deadline:
    """The time by which something must happen; there is none before the first `expect_within`."""

    def __init__(self, watch: StandstillWatch) -> None:
        self._watch = watch
        self.clear()

    def expect_within(self, seconds: float, now: float) -> None:
        """Begin a deadline of so many seconds at `now`."""
        self._seconds, self._began = seconds, now
        self._known, self._restarts = self._watch.count, 0

    def clear(self) -> None:
        """Expect nothing."""
        self.expect_within(math.inf, 0.0)

    def waited_s(self, now: float) -> float:
        """Return the seconds since the deadline began, the last time."""
        return now - self._began

    def is_over(self, now: float) -> bool:
        """Return whether it is too late at `now`; begin again after a standstill."""
        if self._known != self._watch.count:
            self._known = self._watch.count
            if self._restarts < MOST_RESTARTS:
                self._restarts += 1
                self._began = now
        return self.waited_s(now) > self._seconds
