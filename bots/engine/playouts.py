"""Playouts of one game: run them within the limits, and rank the moves by them."""

from __future__ import annotations

from random import Random
from typing import Any, Final, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from bots.clock import now
from bots.engine.forecast import Pace
from bots.search.exact.solver import SearchWatch, Solver
from bots.search.sampling.playout_tree import (
    ASKED,
    FIRST,
    MOVES,
    NETS,
    NODES,
    NOTHING,
    PRIOR,
    SOLVED,
    TAKES,
    VALUE,
    VISITS,
    WINS,
    H,
    V,
    grow,
    new_tree,
    plant,
)

SOLVE_NODES: Final = 4000
"""The most nodes for the exact search at the end of a playout."""
MOST: Final = 49
"""With more boxes left, playouts end in estimates instead of exact values."""
_EXPLORE: Final = 0.5
"""The exploration constant of the playout tree."""
_SLICE: Final = 15_000
"""Nodes of playouts between two checks of the limits."""


class Advice(NamedTuple):
    """What an adviser says about a position.

    `priors` has a number for each move; the higher it is, the earlier and more often the search
    tries the move. 0 for all moves has no influence. `value` is the expected utility, from -1 to 1,
    for the player to move; it counts as `weight` playouts.
    """

    priors: NDArray[np.float64]
    value: float = 0.0
    weight: int = 0


class Adviser(Protocol):
    """A source of priors and values, such as a neural net."""

    def __call__(self, words: NDArray[Any], moves: NDArray[Any]) -> Advice:
        """Advise about a position that the search expands.

        `words` has its free edges, the words H and V of `bots.search.exact.layout`; each row of
        `moves` has those that a move uses.
        """


class Playouts:
    """The playouts of a game, in a tree of at most `memory_mb` MiB.

    A playout ends where `few` moves are left. `adviser` is asked about each position that the tree
    expands. `pace` learns the speed.
    """

    def __init__(
        self,
        solver: Solver,
        memory_mb: float,
        rng: Random,
        few: int,
        pace: Pace,
        adviser: Adviser | None = None,
    ) -> None:
        self.solver = solver
        self.tree = new_tree(memory_mb, rng, solver.kind)
        self.adviser = adviser
        self.few = few
        self._pace = pace

    def run(self, edges: int, net: int, watch: SearchWatch) -> float:
        """Run playouts from a position without captures until `watch` ends them.

        Returns the mean net score of the player to move from here on; `net` is its net score so
        far.
        """
        if edges == self.solver.board.full:
            return 0.0
        tree, registers = self.tree, self.tree.registers
        plant(tree, *self.solver.words(edges))
        start = now()
        while True:
            piece = _SLICE if watch.nodes_left is None else min(_SLICE, watch.nodes_left)
            before = int(registers[NODES])
            self._grow(before + max(1, piece), net)
            watch.spent(int(registers[NODES]) - before)
            if watch.over() or tree.ints[0, SOLVED]:
                break
        self._pace.learn(int(registers[NODES]), now() - start)
        if tree.ints[0, SOLVED]:
            return float(tree.ints[0, VALUE])
        return float(tree.sums[0, NETS] / tree.ints[0, VISITS]) - net

    def _grow(self, end: int, net: int) -> None:
        """Run playouts until the counter of nodes reaches `end`."""
        tree, solver = self.tree, self.solver
        while True:
            solver.make_room()
            grow(
                end,
                net,
                solver.board.num_boxes,
                self.few,
                SOLVE_NODES,
                MOST,
                _EXPLORE,
                self.adviser is not None,
                tree,
                solver.stack,
                solver.table,
                solver.tables,
            )
            node = int(tree.registers[ASKED])
            if node == NOTHING or self.adviser is None:
                return
            self._take(node, self.adviser)

    def _take(self, node: int, adviser: Adviser) -> None:
        """Take the advice about a node that the tree has just expanded."""
        ints, sums = self.tree.ints, self.tree.sums
        first, count = int(ints[node, FIRST]), int(ints[node, MOVES])
        rows = slice(first, first + count)
        advice = adviser(self.tree.words[node], self.tree.moves[rows])
        sums[rows, PRIOR] = advice.priors
        if advice.weight and node:
            # The statistics of a node belong to the player who makes the move that leads to it.
            ints[node, VISITS] += advice.weight
            sums[node, WINS] -= advice.weight * advice.value
            sums[node, NETS] += (
                advice.weight * sums[node, NETS] / max(1, ints[node, VISITS] - advice.weight)
            )

    def ranking(self, edges: int) -> tuple[list[int], float | None]:
        """Return the moves with a playout, the best first, and the first one's mean net score.

        `edges` are the drawn edges at the root. The best move has most visits; a solved move with a
        better value replaces it.
        """
        ints, sums, moves = self.tree.ints, self.tree.sums, self.tree.moves
        first, count = int(ints[0, FIRST]), int(ints[0, MOVES])
        seen = [row for row in range(first, first + count) if ints[row, VISITS]]
        if not seen:
            # The moves exist only after the second playout.
            return [self.solver.cheapest(edges)], None
        # Of equally visited moves prefer the one that gives fewer boxes away.
        seen.sort(key=lambda i: (ints[i, VISITS], -ints[i, TAKES]), reverse=True)
        solved = [i for i in seen if ints[i, SOLVED]]
        if solved:
            best = max(solved, key=self._mean)
            if self._mean(best) > self._mean(seen[0]):
                seen.remove(best)
                seen.insert(0, best)
        order = [self.solver.edge_of(edges, int(moves[i, H]), int(moves[i, V])) for i in seen]
        return order, float(sums[seen[0], NETS] / ints[seen[0], VISITS])

    def _mean(self, row: int) -> float:
        """Return the mean utility of a move."""
        return float(self.tree.sums[row, WINS] / max(1, self.tree.ints[row, VISITS]))
