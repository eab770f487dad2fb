"""What one search may spend, and what it found: the words that both kinds of tree share.

Theory of operation
-------------------
Which action is played is decided here, for both trees alike, from what a root knows of each of
its actions (`Candidate`, all numbers as the mover sees them):

1. Where some actions are proven to win, only those are looked at.
2. An action that can at best reach what another one has for certain is left out.
3. Of the actions not solved the most visited one is taken (the *robust child*), of the solved
   ones the best one; the solved one is played unless the other one promises more.

Solved actions get no more simulations, so their visits say nothing; their value does.

Sources: G. Chaslot, M. Winands, J. van den Herik, J. Uiterwijk and B. Bouzy, Progressive
strategies for Monte-Carlo tree search, NMNC 4 (2008) (robust child); M. Winands, Y. Björnsson and
J.-T. Saito, Monte-Carlo tree search solver, CG 2008 (proven wins first).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf
from time import perf_counter
from typing import Final

from bots.api import Limit, StopFlag

DEFAULT_SIMULATIONS: Final = 10_000
"""Simulations for a move that nothing limits."""


@dataclass(frozen=True, slots=True)
class UctSettings:
    """How to search, fixed for a game: the exploration constant `c`; whether the reward is the
    `net` score instead of the outcome; what rollouts follow: ``random``, ``rules``, ``control``."""

    c: float
    net: bool
    rollout: str


class SimulationBudget:
    """What is left for one move; counted from its making.

    `simulations` is the most that may be run, None for no such limit. The time is `Limit.time_s`;
    clocks are not looked at (see `bots.api.timing.timed`).
    """

    def __init__(self, limit: Limit, stop: StopFlag, simulations: int | None) -> None:
        self._began = perf_counter()
        self._stop = stop
        self._time_s = limit.time_s
        wanted = [n for n in (simulations, limit.nodes) if n is not None]
        if not wanted and limit.time_s is None:
            wanted = [DEFAULT_SIMULATIONS]
        self.simulations: int | None = min(wanted, default=None)

    @property
    def elapsed(self) -> float:
        """Seconds since the budget was made."""
        return perf_counter() - self._began

    def left_s(self) -> float:
        """Seconds left, infinite without a limit of time."""
        return inf if self._time_s is None else self._time_s - self.elapsed

    def is_over(self, done: int) -> bool:
        """Whether to stop after `done` simulations; asks the stop flag."""
        if self.simulations is not None and done >= self.simulations:
            return True
        return self._stop.is_set() or self.left_s() <= 0


@dataclass(frozen=True, slots=True)
class Candidate:
    """What is known of one action, as its mover sees it.

    `reward` and `net` are means over its `visits` (0 without any), replaced by the exact values
    when `lower` and `upper`, the bounds of the final net score, are equal. `index` is for whoever
    made it, to find the action's node again.
    """

    action: int
    index: int
    visits: int
    reward: float
    net: float
    lower: float
    upper: float

    @property
    def is_solved(self) -> bool:
        """Whether its value is exact."""
        return self.lower == self.upper

    @property
    def score(self) -> float | None:
        """The expected final net score within what is proven; None when nothing is known."""
        if not self.visits and not self.is_solved:
            return None
        return min(max(self.net, self.lower), self.upper)


def best_candidate(candidates: Sequence[Candidate]) -> Candidate:
    """The one to play, by the rules above; the first one when nothing was searched."""
    pool = [c for c in candidates if c.lower > 0] or list(candidates)
    certain = max(c.lower for c in pool)
    pool = [c for c in pool if c.upper > certain or c.lower == certain]
    solved = [c for c in pool if c.is_solved]
    searched = [c for c in pool if c.visits and not c.is_solved]
    exact = max(solved, key=lambda c: (c.reward, c.net, c.visits), default=None)
    robust = max(searched, key=lambda c: (c.visits, c.reward), default=None)
    if exact is None:
        return robust or pool[0]
    if robust is None or (exact.reward, exact.net) >= (robust.reward, robust.net):
        return exact
    return robust
