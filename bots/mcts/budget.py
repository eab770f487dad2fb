"""The settings, the budget and the final choice of a search, common to both kinds of tree.

Theory of operation
-------------------
`best_candidate` chooses the action to play, for both kinds of tree, from the statistics of the
root's actions (`Candidate`, with all numbers for the mover):

1. If some actions are proven wins, it considers only those.
2. It leaves out an action whose upper bound is no higher than another one's lower bound.
3. It takes the most visited action among the unsolved ones (the *robust child*), and the best
   action among the solved ones. It plays the solved one unless the unsolved one has the higher
   mean.

Solved actions get no more simulations, so their number of visits is meaningless; their exact value
decides.

Sources: G. Chaslot, M. Winands, J. van den Herik, J. Uiterwijk and B. Bouzy, Progressive
strategies for Monte-Carlo tree search, NMNC 4 (2008) (robust child); M. Winands, Y. Björnsson and
J.-T. Saito, Monte-Carlo tree search solver, CG 2008 (proven wins first).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf
from typing import Final

from doublecross.bots.api import Limit, StopFlag
from doublecross.bots.clock import now

DEFAULT_SIMULATIONS: Final = 10_000
"""Simulations for a move without any limit."""


@dataclass(frozen=True, slots=True)
class UctSettings:
    """The settings of a search, fixed for a game.

    `c` is the exploration constant. `net` says whether the reward is the net score instead of the
    outcome. `rollout` is the kind of rollouts: ``random``, ``rules`` or ``control``.
    """

    c: float
    net: bool
    rollout: str


class SimulationBudget:
    """The simulations and the time for one move; the time starts when the budget is made.

    `simulations` is the largest number of simulations, None for no such limit. The time is
    `Limit.time_s`. The budget ignores clocks (see `doublecross.bots.api.timing.timed`).
    """

    def __init__(self, limit: Limit, stop: StopFlag, simulations: int | None) -> None:
        self._began = now()
        self._stop = stop
        self._time_s = limit.time_s
        wanted = [n for n in (simulations, limit.nodes) if n is not None]
        if not wanted and limit.time_s is None:
            wanted = [DEFAULT_SIMULATIONS]
        self.simulations: int | None = min(wanted, default=None)

    @property
    def elapsed(self) -> float:
        """Seconds since the budget was made."""
        return now() - self._began

    def left_s(self) -> float:
        """Return the seconds left, infinite without a limit of time."""
        return inf if self._time_s is None else self._time_s - self.elapsed

    def is_over(self, done: int) -> bool:
        """Return whether to stop after `done` simulations; this checks the stop flag too."""
        if self.simulations is not None and done >= self.simulations:
            return True
        return self._stop.is_set() or self.left_s() <= 0


@dataclass(frozen=True, slots=True)
class Candidate:
    """The statistics of one action, for its mover.

    `reward` and `net` are means over its `visits` (0 without any). If `lower` and `upper`, the
    bounds of the final net score, are equal, they are the exact values. `index` identifies the
    action's node in its tree.
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
        """Return whether its value is exact."""
        return self.lower == self.upper

    @property
    def score(self) -> float | None:
        """The expected final net score, within the bounds; None without visits and exact value."""
        if not self.visits and not self.is_solved:
            return None
        return min(max(self.net, self.lower), self.upper)


def best_candidate(candidates: Sequence[Candidate]) -> Candidate:
    """Return the action to play by the rules above; the first one if nothing was searched."""
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
