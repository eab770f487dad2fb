"""The measures of a score plot: from plies and scores to pixels and back."""

from __future__ import annotations

import math
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class PlotScale:
    """Places the columns of `total` moves and the start, and the scores from `low` to `high`.

    All measures are in pixels: columns lie from `left` to `right`, scores from `top` down to
    `bottom`.
    """

    total: int
    low: int
    high: int
    left: float
    right: float
    top: float
    bottom: float

    @property
    def column(self) -> float:
        """How wide a column is."""
        return (self.right - self.left) / (self.total + 1)

    def x(self, column: float) -> float:
        """Return the left end of a column."""
        return self.left + column * self.column

    def y(self, net: float) -> float:
        """Return the height of a net score."""
        return self.top + (self.high - net) * (self.bottom - self.top) / (self.high - self.low)

    def middle_of(self, ply: int) -> float:
        """Return the middle of the column of `ply`."""
        return self.x(ply + 0.5)

    def ply_at(self, x: float) -> int:
        """Return the ply whose column is at `x` or nearest to it."""
        return min(max(0, int((x - self.left) / self.column)), self.total)


def nice_step(span: int, most: int) -> int:
    """Return the smallest of 1, 2, 5, 10, 20, 50 ... of which at most `most` fit into `span`."""
    least = max(1.0, span / max(1, most))
    power = 10 ** math.floor(math.log10(least))
    return next(int(n * power) for n in (1, 2, 5, 10) if n * power >= least)
