"""Search a position of Dots and Boxes with the network: `ZeroSearch`.

Theory of operation
-------------------
The root is chosen by sequential halving (`doublecross.bots.zero.gumbel`), the moves below it by
PUCT in a tree of compiled kernels (`doublecross.bots.zero.tree`). Between two kernels Python only
asks the network. The tree stays for the whole game, because it finds positions by their contents.
Positions within reach of the exact search get its values instead of the network's.
"""

from __future__ import annotations

from random import Random
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from doublecross.bots.api import Limit, NeverStop
from doublecross.bots.mcts.budget import SimulationBudget
from doublecross.bots.search.exact.layout import IMAGES, kernels_for
from doublecross.bots.search.exact.solver import SearchWatch, Solver
from doublecross.bots.search.jit import warm_up
from doublecross.bots.search.sampling.playout_tree import utility
from doublecross.bots.zero.budget import ZeroBudget
from doublecross.bots.zero.gumbel import Halved, RootStatistics, gumbel_noise, halve
from doublecross.bots.zero.means import view
from doublecross.bots.zero.net import SPAN, Evaluator, NetError, Uniform
from doublecross.bots.zero.planes import PLANES, cells, space
from doublecross.bots.zero.result import ZeroMove, ZeroResult
from doublecross.bots.zero.simulation import ASK, FULL, Drawing, descend, learn
from doublecross.bots.zero.tree import (
    EVALUATED,
    EVALUATIONS,
    FIRST,
    FIRST_UTILITY,
    HIGH,
    KEEPS,
    LOW,
    MOVES,
    POSITION,
    SCORE,
    STATS,
    TAKES,
    TRIES,
    UTILITY,
    H,
    Rules,
    V,
    ZeroTree,
    clear,
    filled,
    new_tree,
    node_of,
    position_of,
)
from doublecross.games.dots_and_boxes.board import Board

EXACT_MOVES: Final = 14
"""The exact search values positions with at most so many moves: some hundred nodes."""
SOLVE_NODES: Final = 4000
"""The most nodes for that; without a result the network evaluates the position."""
EXPLORE: Final = 1.1
"""The weight of the bonus in PUCT."""
LESS: Final = 0.2
"""The amount by which a move without a visit counts less than its node, if all were visited."""
_REPLACED: Final = 0.5
"""A tree that is fuller than this is emptied before the next search."""
_SPEED: Final = 2500.0
"""Simulations a second, until they are measured."""


class ZeroSearch:
    """Searches the positions of games on `board` with `net`; `rng` draws the noise of the root.

    With `exact` the exact search values positions with at most `exact_moves` moves. Without it only
    positions without junctions have exact values. The tree takes about `memory_mb` MiB. It is kept
    between searches; `forget` empties it.

    Raises:
        NetError: the network does not fit.
    """

    def __init__(
        self,
        board: Board,
        net: Evaluator,
        rng: Random,
        *,
        exact: bool = True,
        exact_moves: int = EXACT_MOVES,
        explore: float = EXPLORE,
        memory_mb: float = 64.0,
    ) -> None:
        if net.span != SPAN or net.planes != PLANES:
            raise NetError(
                f"The network has {net.planes} planes and scores up to {net.span}; "
                f"the search needs {PLANES} and {SPAN}."
            )
        self.board = board
        self.net = net
        self.rng = rng
        self.solver = Solver(board, memory_mb / 4)
        self._tree = new_tree(board, memory_mb * 3 / 4, self.solver.kind)
        few = exact_moves if exact else -1
        self._rules = Rules(board.num_boxes, explore, LESS, few, SOLVE_NODES)
        size = (board.rows + 1) * (board.cols + 1)
        self._input = np.zeros((1, PLANES, board.rows + 1, board.cols + 1), np.float32)
        drawing = Drawing(
            self._input.reshape(PLANES, size),
            np.zeros((2, size), np.uint8),
            space(board),
            np.array([board.rows, board.cols], np.int64),
        )
        solver = self.solver
        # The kernels of the tree have no means to take more of the table.
        solver.table = solver.whole
        self._exact: tuple[Any, ...] = (solver.stack, solver.table, solver.tables)
        self._more: tuple[Any, ...] = (self._tree, self._rules, drawing, *self._exact)
        self._cells = size
        self._places = cells(board)
        self._edge_at = {int(cell): edge for edge, cell in enumerate(self._places)}
        self._speed = _SPEED

    @property
    def full(self) -> bool:
        """Return whether the next search will empty the tree first."""
        return filled(self._tree) > _REPLACED

    def forget(self) -> None:
        """Empty the tree."""
        clear(self._tree)

    def run(
        self,
        edges: int,
        net_score: int,
        simulations: int,
        *,
        gumbel: bool = True,
        budget: SimulationBudget | None = None,
    ) -> ZeroResult:
        """Search the position with the drawn `edges`, which must have no captures and not be over.

        `net_score` is the net score so far of the player to move. `simulations` are run, or as many
        as `budget` allows. Without `gumbel` there is no noise, and the best move is chosen.

        Raises:
            ValueError: `simulations` is below 1.
        """
        if simulations < 1:
            raise ValueError(f"A search needs a simulation at least, not {simulations}.")
        budget = budget or SimulationBudget(Limit(), NeverStop(), simulations)
        limits = ZeroBudget(budget, self._speed)
        if self.full:
            self.forget()
        # The tree finds positions by their words, so it needs no keys.
        self.solver.tables.masks[IMAGES] = 0
        before = int(self._tree.used[EVALUATIONS])
        root = self._plant(edges, net_score)
        tree = self._tree
        position = int(tree.nodes[root, POSITION])
        if tree.positions[position, MOVES] == 0:
            return self._known(edges, root, net_score)
        tree_root = _TreeRoot(self, root, int(tree.positions[position, MOVES]), gumbel)
        halved = halve(tree_root, limits)
        self._speed = limits.speed(halved.done)
        return self._result(edges, tree_root, halved, int(tree.used[EVALUATIONS]) - before)

    def edge_of(self, edges: int, move: ZeroMove) -> int:
        """Return the edge to draw for `move` in the searched position with the drawn `edges`."""
        words = [0, 0]
        for edge in move.edges:
            half, cell = divmod(int(self._places[edge]), self._cells)
            words[half] |= 1 << cell
        return self.solver.edge_of(edges, *words)

    def simulate(self, root: int, move: int) -> bool:
        """Run one simulation from the node `root`, beginning with `move` unless this is negative.

        Returns whether the tree is full.
        """
        answer = descend(root, move, *self._more)
        if answer == ASK:
            seen = self.net.evaluate(self._input)
            learn(seen.policy.reshape(-1), seen.score[0], self._tree, self._rules)
        return answer == FULL

    # -- implementation ----------------------------------------------------------------------

    def _plant(self, edges: int, net_score: int) -> int:
        """Return the node of the position, which the network has evaluated."""
        tree = self._tree
        h, v = self.solver.words(edges)
        position = position_of(h, v, tree, self._rules, *self._exact)
        root = node_of(position, net_score, tree, self._rules)
        if tree.positions[position, MOVES] and not tree.positions[position, EVALUATED]:
            self.simulate(root, -1)
        return root

    def _known(self, edges: int, root: int, net_score: int) -> ZeroResult:
        """Return the result for a position whose value the exact search knows."""
        tree = self._tree
        position = int(tree.nodes[root, POSITION])
        value = int(tree.positions[position, LOW])
        found = self.solver.best(edges, value, SearchWatch(), every=False)
        assert found, "a search without limits finds a best move"
        final = net_score + value
        none = np.zeros(0)
        return ZeroResult(
            edges, (), none, none.astype(np.int64), none.astype(np.int64), none,
            found[0], -1, float(utility(final, self.board.num_boxes)), final, final, final, 0, 0,
        )  # fmt: skip

    def _result(
        self, edges: int, tree_root: _TreeRoot, halved: Halved, evaluations: int
    ) -> ZeroResult:
        tree, root = self._tree, tree_root.root
        position = int(tree.nodes[root, POSITION])
        seen = self._drawn(tree.words[position])
        now = tree_root.statistics()
        first, net_score = int(tree.positions[position, FIRST]), tree_root.net_score
        moves = tuple(self._move(first + i) for i in range(tree_root.count))
        return ZeroResult(
            seen,
            moves,
            np.exp(now.logits),
            now.visits,
            halved.tries,
            now.improved(),
            self.edge_of(edges, moves[halved.move]),
            halved.move,
            float(tree.means[root, UTILITY]),
            float(tree.means[root, SCORE]),
            net_score + int(tree.positions[position, LOW]),
            net_score + int(tree.positions[position, HIGH]),
            halved.done,
            evaluations,
        )

    def _drawn(self, words: NDArray[Any]) -> int:
        """Return the set of drawn edges, given the words of the free ones."""
        return self.board.full & ~sum(1 << edge for edge in self._edges(words))

    def _edges(self, words: NDArray[Any]) -> tuple[int, ...]:
        """Return the edges in two words, ascending."""
        both = int(words[H]) | int(words[V]) << self._cells
        found = []
        while both:
            lowest = both & -both
            both ^= lowest
            found.append(self._edge_at[lowest.bit_length() - 1])
        return tuple(found)

    def _move(self, row: int) -> ZeroMove:
        tree = self._tree
        takes, keeps = int(tree.moves[row, TAKES]), int(tree.moves[row, KEEPS])
        return ZeroMove(self._edges(tree.move_words[row]), takes, keeps)


class _TreeRoot:
    """The root of a search for sequential halving; it draws its noise once."""

    def __init__(self, search: ZeroSearch, root: int, count: int, gumbel: bool) -> None:
        tree: ZeroTree = search._tree
        self.root = root
        self.count = count
        self.net_score = int(tree.nodes[root, 1])
        self._search = search
        self._tree = tree
        position = tree.nodes[root, POSITION]
        first = tree.positions[position, FIRST]
        self._position = int(position)
        self._logits = np.log(tree.priors[first : first + count].astype(np.float64))
        self._noise = gumbel_noise(search.rng, count) if gumbel else np.zeros(count)
        self._utilities = np.zeros(count)
        self._lows, self._highs = np.zeros(count, np.int64), np.zeros(count, np.int64)
        self._visits = tree.stats[tree.nodes[root, STATS] :][:count, TRIES]

    def statistics(self) -> RootStatistics:
        """Return the statistics of the moves now."""
        view(self.root, self._tree, self._utilities, self._lows, self._highs)
        first = float(self._tree.means[self.root, FIRST_UTILITY])
        return RootStatistics(
            self._logits, self._noise, self._visits.astype(np.int64), self._utilities.copy(), first
        )

    def allowed(self, *, last: bool) -> NDArray[np.bool_]:
        """Return which moves may be the best; at last only sure wins, if there are any."""
        view(self.root, self._tree, self._utilities, self._lows, self._highs)
        least = int(self._lows.max())
        if least == self._tree.positions[self._position, HIGH]:
            # The value is proved, but only these moves are proved to reach it.
            return np.asarray(self._lows == least)
        if last and self.net_score + least > 0:
            return np.asarray(self.net_score + self._lows > 0)
        return np.asarray(self._highs >= least)

    def visit(self, move: int) -> bool:
        """Run a simulation; return whether the root is solved, or the tree is full."""
        full = self._search.simulate(self.root, move)
        low, high = self._tree.positions[self._position, LOW : HIGH + 1]
        return full or bool(low == high)


def prepare(shape: Board | None = None) -> None:
    """Compile the kernels for boards like `shape`; this takes time only once on each machine.

    Without `shape`, they are those for boards of up to 64 dots.
    """
    name, board = kernels_for("zero", shape)
    warm_up(name, lambda: _use_kernels(board))


def _use_kernels(board: Board) -> None:
    search = ZeroSearch(board, Uniform(PLANES), Random(1), exact_moves=4, memory_mb=1)
    search.run(0, 0, 4)
