"""UCT for Dots and Boxes of any size: the search tree as arrays, and the kernels that grow it.

Theory of operation
-------------------
A simulation has these steps. It walks down the tree, at each node to the child with the highest
upper confidence bound

    mean reward + c * sqrt(ln(visits of the node) / visits of the child)

(children without a visit first, in the random order in which they were made). If the leaf that it
reaches was visited before, it makes the children of that leaf. It plays the game from the last
position to its end and adds the final net score to every node on the path.

Only the edges of `doublecross.bots.search.sampling.moves` become children. With all edges, plain
UCT would search badly in sequences of captures: each of a dozen captures has twenty alternatives,
which UCT would have to try and which would distort the mean.

*Values.* A completed box keeps the turn, so the value does not change its sign from level to level.
Each node has the seat of the move that leads to it (the mover at its parent), and its sums are for
that seat. A simulation passes the final net score of seat 0 upwards, and each node converts it to
its own seat.

*Bounds.* Each node has bounds of the final net score under perfect play, for seat 0. A new node has
the net score so far minus and plus the incomplete boxes, which is exact when none is left. The
bounds of a node with children are the best bounds of the children for the mover. The search passes
them upwards as long as they change. It never enters a child whose upper bound is no better for the
mover than the lower bound of another child. Solved children therefore take no more simulations, and
the search continues until the root is solved: its bounds are equal. Each node on the path clamps
the result of a simulation to its bounds, so a mean cannot contradict proven bounds. This is
MCTS-Solver with scores instead of win and loss, or score bounded UCT.

*Memory.* A node takes `NODE_BYTES` in the arrays of `UctTree`. The children of a node have
consecutive numbers, and node 0 is the root. A leaf gets its children on its second visit, or on a
later one if the tree is fuller (`_patience`). A full tree gets no more nodes, and the search still
simulates from its leaves. After moves have been played, `keep_subtree` makes a node the root and
moves its descendants to the front. Children always have higher numbers than their parents, so this
works in passes in ascending order.

Sources: L. Kocsis and C. Szepesvári, Bandit based Monte-Carlo planning, ECML 2006; M. Winands,
Y. Björnsson and J.-T. Saito, Monte-Carlo tree search solver, CG 2008; T. Cazenave and A.
Saffidine, Score bounded Monte-Carlo tree search, CG 2010; OpenSpiel's `algorithms/mcts.py` (when
a leaf gets its children, their random order).
"""

from __future__ import annotations

import math
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from doublecross.bots.search.chance import random_below
from doublecross.bots.search.jit import kernel
from doublecross.bots.search.sampling.board import (
    BOXES,
    EDGES,
    MOVER,
    BoardArrays,
    BoardTables,
    Scratch,
    captured_by,
    copy_position,
    draw,
)
from doublecross.bots.search.sampling.endgame import control_rollout
from doublecross.bots.search.sampling.moves import worthwhile_edges
from doublecross.bots.search.sampling.rollouts import random_rollout, rules_rollout

NODE_BYTES: Final = 31
"""Memory for one node in bytes, including 4 bytes of working space for `keep_subtree`."""

WINS: Final = 0
"""The reward of a simulation is 1, 0 or -1 for a won, drawn or lost game."""
NET: Final = 1
"""The reward is the final net score divided by `UctArrays.scale`."""

RANDOM: Final = 0
"""Rollouts draw any edge at random."""
RULES: Final = 1
"""Rollouts play like the bot `rules`."""
CONTROL: Final = 2
"""Rollouts play like the bot `rules` at first, and fight for control in the endgame."""


class UctTree(NamedTuple):
    """The nodes: each array has one entry for a node. Entries from ``used[0]`` on are unused.

    `action`, int16: the edge that leads to the node; `seat`, int8: the seat that draws it.
    `visits`, int32: simulations through the node. `wins`, int32: how many of these were won minus
    how many were lost; `net`, int64: the sum of their final net scores; both for `seat`.
    `lower`, `upper`, int8: bounds of the final net score for seat 0.
    `first`, int32: the first child, 0 while there are none; `children`, int16: their number.
    `used`, int64 (1,): the number of nodes.
    """

    action: NDArray[np.int16]
    seat: NDArray[np.int8]
    visits: NDArray[np.int32]
    wins: NDArray[np.int32]
    net: NDArray[np.int64]
    lower: NDArray[np.int8]
    upper: NDArray[np.int8]
    first: NDArray[np.int32]
    children: NDArray[np.int16]
    used: NDArray[np.int64]


class UctArrays(NamedTuple):
    """The settings of a search.

    `c` is the exploration constant, `scale` the net score that gives a reward of 1, `reward` either
    `WINS` or `NET`, `rollout` one of `RANDOM`, `RULES` and `CONTROL`.
    """

    c: float
    scale: float
    reward: int
    rollout: int


def new_tree(capacity: int) -> UctTree:
    """Return an empty tree for `capacity` nodes; the system allocates memory at the first write."""
    return UctTree(
        action=np.empty(capacity, dtype=np.int16),
        seat=np.empty(capacity, dtype=np.int8),
        visits=np.empty(capacity, dtype=np.int32),
        wins=np.empty(capacity, dtype=np.int32),
        net=np.empty(capacity, dtype=np.int64),
        lower=np.empty(capacity, dtype=np.int8),
        upper=np.empty(capacity, dtype=np.int8),
        first=np.empty(capacity, dtype=np.int32),
        children=np.empty(capacity, dtype=np.int16),
        used=np.zeros(1, dtype=np.int64),
    )


@kernel
def plant(tree: UctTree, position: BoardArrays) -> None:
    """Make a tree that has only a root, for `position`."""
    _clear(tree, 0, -1, 0, position, 0)
    tree.used[0] = 1


@kernel
def _clear(
    tree: UctTree, node: int, action: int, seat: int, position: BoardArrays, captured: int
) -> None:
    """Make `node` a leaf without visits.

    `seat` reaches it from `position` by drawing the edge `action`, which completes `captured`
    boxes.
    """
    gained = captured if seat == 0 else -captured
    so_far = position.counts[0] - position.counts[1] + gained
    open_boxes = position.counts[BOXES] - captured
    tree.action[node] = action
    tree.seat[node] = seat
    tree.visits[node] = 0
    tree.wins[node] = 0
    tree.net[node] = 0
    tree.lower[node] = so_far - open_boxes
    tree.upper[node] = so_far + open_boxes
    tree.first[node] = 0
    tree.children[node] = 0


@kernel
def _grow(
    tree: UctTree,
    tables: BoardTables,
    node: int,
    position: BoardArrays,
    scratch: Scratch,
    chance: NDArray[np.uint64],
) -> None:
    """Make the children of `node`, whose position is `position`, in random order."""
    left = worthwhile_edges(tables, position, scratch)
    order = scratch.order
    seat = int(position.counts[MOVER])
    child = int(tree.used[0])
    tree.first[node] = child
    tree.children[node] = left
    tree.used[0] += left
    while left > 0:
        pick = random_below(chance, left)
        left -= 1
        edge = int(order[pick])
        order[pick] = order[left]
        _clear(tree, child, edge, seat, position, captured_by(tables, position, edge))
        child += 1


@kernel
def _tighten(tree: UctTree, node: int) -> bool:
    """Compute the bounds of `node` from those of its children; return whether they changed."""
    first = int(tree.first[node])
    low, high = int(tree.lower[first]), int(tree.upper[first])
    maximise = tree.seat[first] == 0
    for child in range(first + 1, first + int(tree.children[node])):
        lower, upper = int(tree.lower[child]), int(tree.upper[child])
        if (lower > low) == maximise:
            low = lower
        if (upper > high) == maximise:
            high = upper
    changed = low != tree.lower[node] or high != tree.upper[node]
    tree.lower[node] = low
    tree.upper[node] = high
    return bool(changed)


@kernel
def _select(tree: UctTree, search: UctArrays, node: int) -> int:
    """Return the child of an unsolved `node` with the highest upper confidence bound."""
    first = int(tree.first[node])
    mine = tree.seat[first] == 0
    certain = int(tree.lower[node]) if mine else -int(tree.upper[node])
    log_visits = math.log(max(int(tree.visits[node]), 1))
    best, best_value = -1, -math.inf
    for child in range(first, first + int(tree.children[node])):
        possible = int(tree.upper[child]) if mine else -int(tree.lower[child])
        if possible <= certain:
            continue
        visits = int(tree.visits[child])
        if visits == 0:
            return child
        total = float(tree.wins[child])
        if search.reward == NET:
            total = float(tree.net[child]) / search.scale
        value = total / visits + search.c * math.sqrt(log_visits / visits)
        if value > best_value:
            best, best_value = child, value
    return best


@kernel
def _patience(used: int, capacity: int) -> int:
    """Return how many visits a leaf needs before it gets children.

    This is 1 while half of the tree is free, and more later, so that frequently visited leaves get
    the last of the memory.
    """
    if 2 * used < capacity:
        return 1
    if 4 * used < 3 * capacity:
        return 4
    return 16


@kernel
def simulate(
    tree: UctTree,
    tables: BoardTables,
    root: BoardArrays,
    work: BoardArrays,
    scratch: Scratch,
    path: NDArray[np.int32],
    search: UctArrays,
    chance: NDArray[np.uint64],
    simulations: int,
) -> int:
    """Run `simulations` simulations from `root`, the position of node 0, or until it is solved.

    `work` is a position and `path` (int32, E + 1) an array that the simulations overwrite. Returns
    how many simulations were run.
    """
    capacity = tree.visits.size
    for done in range(simulations):
        # Even a solved root needs children, from which the move is chosen.
        if tree.first[0] != 0 and tree.lower[0] == tree.upper[0]:
            return done
        copy_position(root, work)
        depth, node = 0, 0
        path[0] = 0
        while tree.lower[node] != tree.upper[node]:
            if tree.first[node] == 0:
                used = int(tree.used[0])
                # At most all undrawn edges become children.
                if used + work.counts[EDGES] > capacity:
                    break
                # The root does not wait: without children there would be no move to choose.
                if depth > 0 and tree.visits[node] < _patience(used, capacity):
                    break
                _grow(tree, tables, node, work, scratch, chance)
                level = depth
                while level >= 0 and _tighten(tree, int(path[level])):
                    level -= 1
                if tree.lower[node] == tree.upper[node]:
                    break
            node = _select(tree, search, node)
            draw(tables, work, int(tree.action[node]))
            depth += 1
            path[depth] = node
        # A solved node needs no rollout: clamping to its equal bounds below sets its value.
        if tree.lower[node] != tree.upper[node]:
            if search.rollout == CONTROL:
                control_rollout(tables, work, scratch, chance)
            elif search.rollout == RULES:
                rules_rollout(tables, work, scratch, chance)
            else:
                random_rollout(tables, work, scratch, chance)
        net = int(work.counts[0] - work.counts[1])
        for level in range(depth, -1, -1):
            node = int(path[level])
            net = min(max(net, int(tree.lower[node])), int(tree.upper[node]))
            mine = net if tree.seat[node] == 0 else -net
            tree.visits[node] += 1
            tree.net[node] += mine
            tree.wins[node] += int(mine > 0) - int(mine < 0)
    return simulations


@kernel
def keep_subtree(tree: UctTree, root: int, moved: NDArray[np.int32]) -> None:
    """Make the node `root` node 0 and drop all nodes that are not its descendants.

    `moved`, int32 with ``used[0]`` entries, receives the new numbers of the nodes. The time is
    linear in the number of nodes.
    """
    used = int(tree.used[0])
    for node in range(used):
        moved[node] = -1
    moved[root] = 0
    # First pass: keep nodes whose parents are kept, and number them in ascending order.
    place = 0
    for node in range(root, used):
        if moved[node] < 0:
            continue
        moved[node] = place
        place += 1
        first = int(tree.first[node])
        if first != 0:
            for child in range(first, first + int(tree.children[node])):
                moved[child] = 0
    # Second pass: no node gets a higher number, so no node is overwritten before it is moved.
    for node in range(root, used):
        to = int(moved[node])
        if to < 0:
            continue
        first = int(tree.first[node])
        tree.action[to] = tree.action[node]
        tree.seat[to] = tree.seat[node]
        tree.visits[to] = tree.visits[node]
        tree.wins[to] = tree.wins[node]
        tree.net[to] = tree.net[node]
        tree.lower[to] = tree.lower[node]
        tree.upper[to] = tree.upper[node]
        tree.first[to] = 0 if first == 0 else moved[first]
        tree.children[to] = tree.children[node]
    tree.used[0] = place
