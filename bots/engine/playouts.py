"""Playouts of one game: run them within the limits, and rank the moves by them."""

from __future__ import annotations

from random import Random
from typing import Final

from doublecross.bots.clock import now
from doublecross.bots.search.exact.solver import SearchWatch, Solver
from doublecross.bots.search.forecast import Pace
from doublecross.bots.search.sampling.playout_tree import (
    FIRST,
    MOVES,
    NETS,
    NODES,
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


class Playouts:
    """The playouts of a game, in a tree of at most `memory_mb` MiB.

    A playout ends where `few` moves are left. `pace` learns the speed.
    """

    def __init__(self, solver: Solver, memory_mb: float, rng: Random, few: int, pace: Pace) -> None:
        self.solver = solver
        self.tree = new_tree(memory_mb, rng, solver.kind)
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
        solver = self.solver
        solver.make_room()
        grow(
            end,
            net,
            solver.board.num_boxes,
            self.few,
            SOLVE_NODES,
            MOST,
            _EXPLORE,
            self.tree,
            solver.stack,
            solver.table,
            solver.tables,
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
