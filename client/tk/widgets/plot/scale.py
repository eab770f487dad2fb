"""Convert between plies or scores and the pixels of a score plot."""

from __future__ import annotations

import math
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class PlotScale:
    """The geometry of a plot with a column for the start and for each of `total` moves.

    Net scores range from `low` to `high`. Columns span `left` to `right`, scores `top` down to
    `bottom`, all in pixels.
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
        """The width of a column, in pixels."""
        return (self.right - self.left) / (self.total + 1)

    def x(self, column: float) -> float:
        """Return the left end of a column, in pixels."""
        return self.left + column * self.column

    def y(self, net: float) -> float:
        """Return the y coordinate of a net score, in pixels."""
        return self.top + (self.high - net) * (self.bottom - self.top) / (self.high - self.low)

    def middle_of(self, ply: int) -> float:
        """Return the x coordinate of the middle of the column of `ply`, in pixels."""
        return self.x(ply + 0.5)

    def ply_at(self, x: float) -> int:
        """Return the ply whose column is at or nearest to the x coordinate `x`, in pixels."""
        return min(max(0, int((x - self.left) / self.column)), self.total)


def nice_step(span: int, most: int) -> int:
    """Return the smallest of 1, 2, 5, 10, 20, 50 ... of which at most `most` fit into `span`."""
    least = max(1.0, span / max(1, most))
    power = 10 ** math.floor(math.log10(least))
    return next(int(n * power) for n in (1, 2, 5, 10) if n * power >= least)
