"""Forecast how many nodes a search takes, and how many the limits of a move allow."""

from __future__ import annotations

import math
from typing import Final

SPEED: Final = 1.6e6
"""Nodes a second of one thread, until a search has shown the speed of this machine."""
FURTHER: Final = 0.6
"""What a further thread adds to the speed of the first."""
_LEAST_S: Final = 0.02
"""A shorter search says too little about the speed."""
_OLD: Final = 0.5
"""The weight of all searches before, against that of the last one."""


def expected_nodes(moves: int) -> float:
    """Estimate how many nodes the exact search of a position with `moves` moves takes."""
    return 0.7 * math.exp(0.185 + 0.47 * moves)


class Pace:
    """A running estimate of the nodes a second of one thread, from the searches of a game."""

    def __init__(self) -> None:
        self._nodes = 0.0
        self._seconds = 0.0

    @property
    def speed(self) -> float:
        """Nodes a second of one thread."""
        return self._nodes / self._seconds if self._seconds else SPEED

    def learn(self, nodes: int, seconds: float) -> None:
        """Count a search of one thread."""
        if seconds >= _LEAST_S and nodes > 0:
            self._nodes = _OLD * self._nodes + nodes
            self._seconds = _OLD * self._seconds + seconds

    def affordable(self, seconds: float | None, nodes: int | None, threads: int) -> float:
        """Return how many nodes the limits allow; None is no limit."""
        # With a limit of nodes one thread searches.
        speed = self.speed if nodes is not None else self.speed * (1 + FURTHER * (threads - 1))
        can = math.inf if seconds is None else seconds * speed
        return can if nodes is None else min(can, nodes)
