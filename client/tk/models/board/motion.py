"""Schedule the animation of captured cells, which fill one after the other."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Final

FILL_S: Final = 0.2
"""How long one cell takes to fill, in seconds."""
GAP_S: Final = 0.07
"""The time between the starts of two cells, in seconds."""
LAG_S: Final = 0.8
"""The longest wait of a cell for its start, in seconds; long chains therefore run faster."""


class Fills:
    """The cells that are filling or wait to fill. Times are in seconds, all by one clock."""

    def __init__(self) -> None:
        # In the order of the starts.
        self._starts: dict[int, float] = {}

    @property
    def busy(self) -> bool:
        """Return whether any cell fills or waits."""
        return bool(self._starts)

    def add(self, cells: Iterable[int], now: float) -> None:
        """Schedule `cells` in this order, after the cells that wait already.

        If the last one would wait too long, all starts move closer together. No start moves to a
        later time; otherwise a stream of captures could delay a cell for ever.
        """
        for cell in cells:
            self._starts.pop(cell, None)
            latest = max(self._starts.values(), default=-math.inf)
            self._starts[cell] = max(now, latest + GAP_S)
        waiting = [cell for cell, start in self._starts.items() if start > now]
        if not waiting or self._starts[waiting[-1]] <= now + LAG_S:
            return
        first = min(self._starts[waiting[0]], now + GAP_S)
        gap = (now + LAG_S - first) / max(1, len(waiting) - 1)
        for number, cell in enumerate(waiting):
            self._starts[cell] = min(self._starts[cell], first + number * gap)

    def drop(self, cell: int) -> None:
        """Remove `cell` from the schedule."""
        self._starts.pop(cell, None)

    def clear(self) -> None:
        """Remove all cells from the schedule."""
        self._starts.clear()

    def starts_at(self, cell: int) -> float | None:
        """Return the start time of `cell`, or None if it is not scheduled."""
        return self._starts.get(cell)

    def step(self, now: float) -> list[tuple[int, float]]:
        """Return the cells that have started and how full each is, from 0 to 1.

        A full cell is returned once and then removed.
        """
        shares = [
            (cell, min(1.0, (now - start) / FILL_S))
            for cell, start in self._starts.items()
            if start <= now
        ]
        for cell, share in shares:
            if share >= 1:
                del self._starts[cell]
        return shares


def eased(share: float) -> float:
    """Return the part of the way after `share` of the time, for a motion that slows down."""
    return float(1 - (1 - share) ** 3)
