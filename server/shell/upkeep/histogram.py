"""Count measured values in ranges with plain ints, which costs less than the metrics library."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from typing import Final

COMMIT_S: Final = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)
"""The bounds for the duration of a commit, in seconds."""
COMMIT_EVENTS: Final = (0.0, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0, 500.0, 1000.0)
"""The bounds for the number of events in a commit."""
LAG_S: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)
"""The bounds for the delay of the event loop, in seconds."""


class Histogram:
    """How many values lie in each range, and their sum. A bound belongs to the range below it."""

    __slots__ = ("bounds", "counts", "total")

    def __init__(self, bounds: Sequence[float]) -> None:
        self.bounds = tuple(bounds)
        self.counts = [0] * (len(self.bounds) + 1)
        self.total = 0.0

    def observe(self, value: float) -> None:
        """Count a value."""
        self.counts[bisect_left(self.bounds, value)] += 1
        self.total += value

    def include(self, counts: Sequence[int], total: float) -> None:
        """Add the counts and the sum of another histogram with the same bounds."""
        self.counts = [own + more for own, more in zip(self.counts, counts, strict=True)]
        self.total += total
