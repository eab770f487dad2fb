"""Forecast how many nodes a search takes, and how many the limits of a move allow."""

from __future__ import annotations

import math
from typing import Final

SPEED: Final = 1.3e6
"""Nodes of playouts a second, until a search has shown the speed of this machine."""
_DEARER: Final = 1.8
"""How many times as long as a node of playouts one of the exact search takes."""
FURTHER: Final = 0.6
"""The speed that each further thread adds, as a share of the first thread's speed."""
_LEAST_S: Final = 0.02
"""A shorter search says too little about the speed."""
_OLD: Final = 0.5
"""The weight of all searches before, against that of the last one."""


def expected_nodes(moves: int) -> float:
    """Estimate how many nodes the exact search of a position with `moves` moves takes.

    Fitted to 840 random positions of careful play on boards from 3x6 to 6x6. Half of them take
    between 0.65 and 1.5 times as many.
    """
    return math.exp(0.436 * moves - 0.07)


class Pace:
    """A running estimate of the nodes of playouts a second, from the searches of a game."""

    def __init__(self) -> None:
        self._nodes = 0.0
        self._seconds = 0.0

    @property
    def speed(self) -> float:
        """Nodes of playouts a second."""
        return self._nodes / self._seconds if self._seconds else SPEED

    def learn(self, nodes: int, seconds: float) -> None:
        """Count playouts."""
        if seconds >= _LEAST_S and nodes > 0:
            self._nodes = _OLD * self._nodes + nodes
            self._seconds = _OLD * self._seconds + seconds

    def affordable(self, seconds: float | None, nodes: int | None, threads: int) -> float:
        """Return how many nodes of the exact search the limits allow; None is no limit."""
        speed = self.speed / _DEARER
        if nodes is None:  # With a limit of nodes one thread searches.
            speed *= 1 + FURTHER * (threads - 1)
        can = math.inf if seconds is None else seconds * speed
        return can if nodes is None else min(can, nodes)
