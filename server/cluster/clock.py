"""The clock for leases: it goes on while the machine is suspended, and nobody can set it."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable


class CarefulClock:
    """A clock for systems without one that counts suspension.

    It adds what either of two clocks has counted, whichever is more. So it is never slow: it is too
    fast when somebody sets the time of day forward, and then a lease lapses early, which is safe.
    """

    def __init__(self, steady: Callable[[], float], of_day: Callable[[], float]) -> None:
        self._clocks = (steady, of_day)
        self._read = (steady(), of_day())
        self._now_s = 0.0

    def __call__(self) -> float:
        """Return the time in seconds since some moment."""
        read = (self._clocks[0](), self._clocks[1]())
        self._now_s += max(0.0, *(new - old for new, old in zip(read, self._read, strict=True)))
        self._read = read
        return self._now_s


def lease_clock() -> Callable[[], float]:
    """Return the clock of this system that counts suspension, in seconds since some moment."""
    if sys.platform == "linux":
        return lambda: time.clock_gettime(time.CLOCK_BOOTTIME)
    if sys.platform == "darwin":
        # There, and only there, this clock goes on while the machine sleeps.
        return lambda: time.clock_gettime(time.CLOCK_MONOTONIC)
    return CarefulClock(time.monotonic, time.time)
