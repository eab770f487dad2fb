"""Run the compiled search for Dots and Boxes: one game's tree, searched in short slices.

Theory of operation
-------------------
The kernels of `doublecross.bots.search.sampling.uct` run the simulations. Between slices of about
`SLICE_S` seconds, Python checks the clock and the stop flag. The first slice is short, since the
speed is unknown, and it always runs, so that a search that is stopped before it begins has a result
too. The slices do not affect the result: the random generator keeps its state between them.
"""

from __future__ import annotations

from random import Random
from typing import Final

import numpy as np

from doublecross.bots.api import Choice
from doublecross.bots.clock import now
from doublecross.bots.mcts.budget import Candidate, SimulationBudget, UctSettings, best_candidate
from doublecross.bots.mcts.tree import continuation
from doublecross.bots.search.chance import seeded
from doublecross.bots.search.jit import warm_up
from doublecross.bots.search.sampling.board import (
    BOXES,
    empty_position,
    position_of,
    scratch_of,
    tables_of,
)
from doublecross.bots.search.sampling.uct import (
    CONTROL,
    NET,
    NODE_BYTES,
    RANDOM,
    RULES,
    WINS,
    UctArrays,
    UctTree,
    keep_subtree,
    new_tree,
    plant,
    simulate,
)
from doublecross.games.api import Game
from doublecross.games.dots_and_boxes.rules import DotsAndBoxes, DotsAndBoxesState

SLICE_S: Final = 0.005
"""Seconds between two checks of the stop flag."""

_FIRST_SLICE: Final = 16
"""Simulations in the first slice; under a millisecond on 10x10."""

_GROWTH: Final = 8
"""The largest ratio of a slice's length to that of the slice before."""

_ROLLOUTS: Final = {"random": RANDOM, "rules": RULES, "control": CONTROL}

_UNLIMITED_MB: Final = 1024
"""MiB for the tree if the limit sets none."""


class DotsTree:
    """The tree of one game: `follow` the game, `run` simulations, and get the `choice`."""

    def __init__(
        self, state: DotsAndBoxesState, settings: UctSettings, rng: Random, memory_mb: int | None
    ) -> None:
        board = state.board
        self._settings = settings
        self._chance = seeded(rng)
        self._tables = tables_of(board)
        self._work = empty_position(board)
        self._scratch = scratch_of(board)
        # A simulation visits the root and at most one node for each edge.
        self._path = np.zeros(board.num_edges + 1, dtype=np.int32)
        # The root and its children must fit even under the smallest limit.
        self._least = board.num_edges + 1
        self._tree = new_tree(self._capacity(memory_mb))
        self._set_root(state)
        plant(self._tree, self._position)

    def _capacity(self, memory_mb: int | None) -> int:
        memory = (_UNLIMITED_MB if memory_mb is None else memory_mb) << 20
        # Nodes are numbered by int32.
        return min(max(self._least, memory // NODE_BYTES), 2**31 - 1)

    def _set_root(self, state: DotsAndBoxesState) -> None:
        self._state = state.clone()
        self._position = position_of(state)
        scale = float(max(1, self._position.counts[BOXES]))
        self._search = UctArrays(
            self._settings.c,
            scale,
            NET if self._settings.net else WINS,
            _ROLLOUTS[self._settings.rollout],
        )

    @property
    def game(self) -> Game:
        """The game of the tree, including its size."""
        return self._state.game

    @property
    def visits(self) -> int:
        """The number of simulations through the root, including those of earlier moves."""
        return int(self._tree.visits[0])

    @property
    def used(self) -> int:
        """The number of nodes in the tree."""
        return int(self._tree.used[0])

    @property
    def nbytes(self) -> int:
        """The size of the tree's arrays in bytes, used or not."""
        return sum(array.nbytes for array in self._tree)

    def follow(self, state: DotsAndBoxesState, memory_mb: int | None) -> bool:
        """Make `state`, on the same board, the root; return whether the tree had it.

        If it had not, or its nodes do not fit into the new memory, a new tree begins.
        """
        node = self._find(state)
        if node > 0:
            keep_subtree(self._tree, node, np.empty(self.used, dtype=np.int32))
        found = node >= 0 and self._resize(self._capacity(memory_mb))
        self._set_root(state)
        if not found:
            plant(self._tree, self._position)
        return found

    def _find(self, state: DotsAndBoxesState) -> int:
        """Return the node of `state`, or -1."""
        played = continuation(self._state, state)
        if played is None:
            return -1
        node = 0
        for action in played:
            first = int(self._tree.first[node])
            row = self._tree.action[first : first + int(self._tree.children[node])]
            places = np.flatnonzero(row == action)
            # Node 0 is the root and nobody's child, so 0 means that there are no children yet.
            if not first or len(places) == 0:
                return -1
            node = first + int(places[0])
        return node

    def _resize(self, capacity: int) -> bool:
        """Change the capacity to `capacity` nodes; return whether the nodes were kept."""
        old = self._tree
        if capacity == old.visits.size:
            return True
        used = self.used
        self._tree = new_tree(capacity)
        if used > capacity:
            return False
        for name in UctTree._fields:
            # `used` has one element for the whole tree, not one for each node.
            if name != "used":
                getattr(self._tree, name)[:used] = getattr(old, name)[:used]
        self._tree.used[0] = used
        return True

    def run(self, budget: SimulationBudget) -> int:
        """Simulate until the root is solved or the budget is spent; return the simulations run."""
        done, size = 0, _FIRST_SLICE
        while True:
            if budget.simulations is not None:
                size = min(size, budget.simulations - done)
            began = now()
            ran = self._simulate(size)
            spent = now() - began
            done += ran
            # Fewer simulations than requested: the root is solved.
            if ran < size or budget.is_over(done):
                return done
            # The clock may show no progress during a very short slice.
            share = min(SLICE_S, budget.left_s()) / max(spent, 1e-6)
            size = max(1, int(size * min(share, _GROWTH)))

    def _simulate(self, simulations: int) -> int:
        return simulate(
            self._tree,
            self._tables,
            self._position,
            self._work,
            self._scratch,
            self._path,
            self._search,
            self._chance,
            simulations,
        )

    def choice(self, done: int, elapsed: float) -> Choice:
        """Return the edge to draw after `run`, with the principal variation."""
        best = best_candidate(self.candidates())
        pv, node = [best.action], best.index
        while self._tree.first[node]:
            onward = best_candidate(self._candidates(node))
            if onward.score is None:
                break
            pv.append(onward.action)
            node = onward.index
        return Choice(best.action, best.score, tuple(pv), done, elapsed)

    def candidates(self) -> list[Candidate]:
        """Return the statistics of the edges at the root that the search considers."""
        return self._candidates(0)

    def _candidates(self, node: int) -> list[Candidate]:
        tree: UctTree = self._tree
        first = int(tree.first[node])
        found = []
        for child in range(first, first + int(tree.children[node])):
            lower, upper = int(tree.lower[child]), int(tree.upper[child])
            # The tree keeps bounds for seat 0, a candidate those of the mover.
            if tree.seat[child] == 1:
                lower, upper = -upper, -lower
            visits = int(tree.visits[child])
            net = float(lower) if lower == upper else int(tree.net[child]) / max(visits, 1)
            wins = int(tree.wins[child]) / max(visits, 1)
            if lower == upper:
                wins = float((lower > 0) - (lower < 0))
            reward = net / self._search.scale if self._settings.net else wins
            action = int(tree.action[child])
            found.append(Candidate(action, child, visits, reward, net, lower, upper))
        return found


def warm_up_kernels() -> None:
    """Compile and load the kernels, so that this takes no time of a move."""
    warm_up("uct", _use_kernels)


def _use_kernels() -> None:
    """Search a short game with each kind of rollouts, and step to its next position."""
    state = DotsAndBoxes({"rows": 2, "cols": 2}).initial_state()
    for rollout in _ROLLOUTS:
        tree = DotsTree(state, UctSettings(1.0, True, rollout), Random(0), 1)
        tree._simulate(50)
        after = state.clone()
        after.apply(0)
        tree.follow(after, 1)
