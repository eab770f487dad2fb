"""Choose among the moves of the root: Gumbel top-k sampling and sequential halving.

Theory of operation
-------------------
The search considers only some moves: those with the highest sum of the logarithm of their prior and
a random number with the Gumbel distribution, which is the same as drawing moves by their priors
without replacement. *Sequential halving* divides the simulations into phases. In each phase all
considered moves get equally many, and then the better half of them stays.

A move is as good as the sum of three terms: its random number, the logarithm of its prior, and its
mean utility times a factor that grows with the number of visits. With the same sum, but without the
random number and with an estimate for the moves without visits, the search improves the policy: a
network that learns the result becomes better, however few simulations there were.

Without the random numbers, the search plays as well as it can.

Source: I. Danihelka, A. Guez, J. Schrittwieser and D. Silver, Policy improvement by planning with
Gumbel, ICLR 2022.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from random import Random
from typing import Any, Final, Protocol

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

CONSIDERED: Final = 16
"""The most moves that the root considers."""
VISITS_OFFSET: Final = 50.0
"""Added to the visits of the most visited move in the factor of the utility."""
UTILITY_SCALE: Final = 0.5
"""The weight of a utility, from -1 to 1, in that factor."""


def gumbel_noise(rng: Random, count: int) -> Floats:
    """Return `count` random numbers with the Gumbel distribution."""
    # `random` can return 0, which has no logarithm.
    return np.array([-math.log(-math.log(rng.random() or 0.5)) for _ in range(count)])


@dataclass(frozen=True, slots=True)
class RootStatistics:
    """The statistics of a search about the moves of the root, an entry for each.

    `logits` are the logarithms of the priors, `noise` the random numbers (0 without them), `visits`
    the visits in the tree, `utilities` the mean utilities (any number without visits). `first` is
    the utility of the root by the network alone.
    """

    logits: Floats
    noise: Floats
    visits: Ints
    utilities: Floats
    first: float

    def completed(self) -> Floats:
        """Return the utilities, with an estimate for the moves without visits.

        The estimate mixes the network's utility of the root with the mean of the visited moves,
        weighted with their priors.
        """
        seen = self.visits > 0
        if not seen.any():
            return np.full(len(self.visits), self.first)
        priors = np.exp(self.logits)
        mean = float((priors * self.utilities)[seen].sum() / priors[seen].sum())
        total = float(self.visits.sum())
        mixed = (self.first + total * mean) / (1 + total)
        return np.where(seen, self.utilities, mixed)

    def terms(self) -> Floats:
        """Return the terms of the utilities."""
        factor = (VISITS_OFFSET + float(self.visits.max(initial=0))) * UTILITY_SCALE
        return factor * self.completed()

    def worths(self) -> Floats:
        """Return how good each move is: the sum of the three terms."""
        return self.noise + self.logits + self.terms()

    def improved(self) -> Floats:
        """Return the improved policy, which has the sum 1."""
        sums = self.logits + self.terms()
        shares = np.exp(sums - sums.max())
        return np.asarray(shares / shares.sum(), np.float64)


def halving_phases(moves: int) -> int:
    """Return the number of phases until only two of `moves` moves are considered."""
    return max(1, math.ceil(math.log2(moves))) if moves > 1 else 1


def rounds_of_phase(simulations: float, moves: int, phases: int) -> int:
    """Return how often a phase visits each of its `moves` moves.

    `phases` phases share `simulations` simulations.
    """
    return max(1, int(simulations / (phases * moves)))


def best_of(worths: Floats, allowed: Any, count: int) -> list[int]:
    """Return the `count` best of the moves that are `allowed`, the best first."""
    order = np.argsort(-np.where(allowed, worths, -np.inf), kind="stable")
    return [int(i) for i in order[:count] if allowed[i]]


class Root(Protocol):
    """The root of a search, as sequential halving uses it."""

    def statistics(self) -> RootStatistics:
        """Return the statistics of the moves now."""

    def allowed(self, *, last: bool) -> NDArray[np.bool_]:
        """Return for each move whether it may be the best; it is so for one at least.

        `last` says that one of them is played now.
        """

    def visit(self, move: int) -> bool:
        """Run a simulation that begins with the move; return whether the search must end."""


class HalvingBudget(Protocol):
    """Says how many simulations there are."""

    def is_over(self, done: int) -> bool:
        """Return whether to end after `done` simulations."""

    def expected(self, done: int) -> float:
        """Return the expected number of all simulations, after `done` of them."""


@dataclass(frozen=True, slots=True)
class Halved:
    """The result of sequential halving: the chosen move, and the simulations that began with each.

    `done` is the number of all simulations.
    """

    move: int
    tries: Ints
    done: int


def halve(root: Root, budget: HalvingBudget) -> Halved:
    """Search the moves of `root` by sequential halving until the budget is over.

    At least one simulation is run.
    """
    now = root.statistics()
    tries = np.zeros(len(now.logits), np.int64)
    considered = best_of(now.worths(), root.allowed(last=False), CONSIDERED)
    phases = halving_phases(len(considered))
    done, over = 0, False
    while not over:
        count = rounds_of_phase(budget.expected(done), len(considered), phases)
        for move in considered * count:
            over = root.visit(move)
            tries[move] += 1
            done += 1
            over = over or budget.is_over(done)
            if over:
                break
        allowed = root.allowed(last=over)
        worths = root.statistics().worths()
        left = [move for move in considered if allowed[move]]
        # The best moves may be among the others, if the last simulation proved the value.
        considered = left or best_of(worths, allowed, CONSIDERED)
        if not over:
            keep = np.zeros(len(allowed), bool)
            keep[considered] = True
            considered = best_of(worths, keep, max(2, len(considered) // 2))
    # The last round may have ended early, so only the moves with most simulations are compared.
    most = max(int(tries[move]) for move in considered)
    keep = np.zeros(len(tries), bool)
    keep[[move for move in considered if tries[move] == most]] = True
    return Halved(best_of(root.statistics().worths(), keep, 1)[0], tries, done)
