"""When captured cells fill: one after the other, so that a chain is seen to run."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Final

FILL_S: Final = 0.2
"""How long one cell takes to fill, in seconds."""
GAP_S: Final = 0.07
"""From the start of one cell to that of the next, in seconds."""
LAG_S: Final = 0.8
"""No cell waits longer than this for its start, in seconds: long chains run faster."""


class Fills:
    """The cells that are being filled or wait for it. Times are in seconds, of any one clock."""

    def __init__(self) -> None:
        # In the order of the starts.
        self._starts: dict[int, float] = {}

    @property
    def busy(self) -> bool:
        """Whether anything moves or waits."""
        return bool(self._starts)

    def add(self, cells: Iterable[int], now: float) -> None:
        """Let `cells` fill in this order, after those that wait already.

        Where they would wait too long, all that wait move closer together. Nothing that waits is
        put off, or a stream of captures could hold up its first one for ever.
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
        """Move `cell` no more."""
        self._starts.pop(cell, None)

    def clear(self) -> None:
        """Move nothing any more."""
        self._starts.clear()

    def starts_at(self, cell: int) -> float | None:
        """When `cell` starts, or did; None: it does not move."""
        return self._starts.get(cell)

    def step(self, now: float) -> list[tuple[int, float]]:
        """The cells that have started and how full each is, from 0 to 1. Those that are full are
        told of this once."""
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
    """`share` of a movement's time as a share of its way: fast first, then slower."""
    return float(1 - (1 - share) ** 3)
