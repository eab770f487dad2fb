"""Forecast how many simulations the limits of a move allow."""

from __future__ import annotations

import math
from typing import Final

from doublecross.bots.mcts.budget import SimulationBudget

_MEASURED: Final = 16
"""So many simulations measure the speed."""


class ZeroBudget:
    """The limits of one search, in simulations or time."""

    def __init__(self, budget: SimulationBudget, speed: float) -> None:
        self._budget = budget
        self._speed = speed

    def is_over(self, done: int) -> bool:
        """Return whether to end after `done` simulations."""
        return self._budget.is_over(done)

    def expected(self, done: int) -> float:
        """Return how many simulations there will probably be."""
        left = self._budget.left_s()
        most = self._budget.simulations
        timed = math.inf if left == math.inf else done + max(0.0, left) * self.speed(done)
        return timed if most is None else min(timed, most)

    def speed(self, done: int) -> float:
        """Return the simulations a second, measured if there were enough of them."""
        elapsed = self._budget.elapsed
        return done / elapsed if done >= _MEASURED and elapsed > 0 else self._speed
