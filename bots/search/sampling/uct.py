"""UCT for Dots and Boxes of any size: the search tree as arrays, and the kernels that grow it.

Theory of operation
-------------------
A simulation walks down the tree, at each node to the child with the highest upper confidence bound

    mean reward + c * sqrt(ln(visits of the node) / visits of the child)

(children without a visit first, in the random order in which they were made), makes the children
of the leaf it reaches if that leaf was visited before, plays the game out from the last position
and adds the final net score to every node on its way. Only edges that a search has to look at
become children (`bots.search.sampling.moves`). Without that, plain UCT gets lost in sequences of
captures: each of a dozen strokes has twenty alternatives, all of which it has to try and which all
blur the mean.

*Whose value.* A completed box keeps the turn, so nothing is flipped from level to level: each node
knows the seat that moved into it (the mover at its parent) and its sums are that seat's. A
simulation carries the final net score of seat 0, and each node turns it to its own seat.

*Bounds.* Each node has bounds on the final net score under perfect play, as seen by seat 0: at
first the net score so far minus and plus the incomplete boxes, which is exact when none is left.
A node's bounds are then the best of its children's for its mover, passed upwards as long as they
change. A child whose upper bound is no better for the mover than what another one has for certain
is never walked into again: so solved children take no more simulations, and the search goes on
until the root is solved, lower bound equal to upper bound. A result that comes up from below is
clamped into the bounds of every node on its way, so that a mean cannot contradict what is proven.
This is MCTS-Solver with scores for win and loss, or score bounded UCT.

*Memory.* A node takes `NODE_BYTES` in the arrays of `UctTree`, the children of a node lie in a row,
node 0 is the root. Children are made on the second visit to a leaf, on a later one the fuller the
tree is (`_patience`), and no more once it is full: then the leaves are still simulated.
When moves have been played, `keep_subtree` makes a node the root and moves what hangs on it to
the front. Children always come after their parents, so one pass in ascending order does.

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

from bots.search.chance import random_below
from bots.search.jit import kernel
from bots.search.sampling.board import (
    BOXES,
    EDGES,
    MOVER,
    BoardArrays,
    BoardTables,
    Scratch,
    captured_by,
    copy_position,
    draw,
    random_rollout,
    rules_rollout,
)
from bots.search.sampling.endgame import control_rollout
from bots.search.sampling.moves import worthwhile_edges

NODE_BYTES: Final = 31
"""Memory for one node, in bytes, with the 4 that `keep_subtree` wants."""

WINS: Final = 0
"""The reward of a simulation is 1, 0 or -1 for a won, drawn or lost game."""
NET: Final = 1
"""The reward is the final net score divided by `UctArrays.scale`."""

RANDOM: Final = 0
"""A rollout draws any edge."""
RULES: Final = 1
"""A rollout plays as the rules player."""
CONTROL: Final = 2
"""A rollout fights for control in the endgame."""


class UctTree(NamedTuple):
    """The nodes, one entry in each array; entries from ``used[0]`` on mean nothing.

    `action`, int16: the edge that leads to the node; `seat`, int8: who draws it.
    `visits`, int32: simulations through the node. `wins`, int32: won minus lost ones of them, and
    `net`, int64: their final net scores added up, both as `seat` sees it.
    `lower`, `upper`, int8: bounds of the final net score as seat 0 sees it.
    `first`, int32: the first child, 0 while there are none; `children`, int16: their number.
    `used`, int64 (1,): how many nodes there are.
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
    """How to search: `c` is the exploration constant, `scale` the net score that counts as 1,
    `reward` one of `WINS` and `NET`, `rollout` one of `RANDOM`, `RULES` and `CONTROL`."""

    c: float
    scale: float
    reward: int
    rollout: int


def new_tree(capacity: int) -> UctTree:
    """Room for `capacity` nodes; the system hands out the memory as it is first written to."""
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
    """Begin a tree with nothing but a root for `position`."""
    _clear(tree, 0, -1, 0, position, 0)
    tree.used[0] = 1


@kernel
def _clear(
    tree: UctTree, node: int, action: int, seat: int, position: BoardArrays, captured: int
) -> None:
    """Make `node` a leaf without visits, reached from `position` by a stroke of `seat` that
    completes `captured` boxes."""
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
    """Take the bounds of `node` from its children's; whether they changed."""
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
    """The child of an unsolved `node` to walk into."""
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
    """How many visits a leaf needs before it gets children: 1 while half the tree is free, then
    more, so that the last of the memory goes where the search goes often."""
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
    """Run `simulations` simulations from `root`, the position of node 0; fewer when it is solved.

    `work` is a position to play on and `path` (int32, E + 1) has room for a walk down. Returns
    how many simulations were run.
    """
    capacity = tree.visits.size
    for done in range(simulations):
        if tree.first[0] != 0 and tree.lower[0] == tree.upper[0]:
            return done
        copy_position(root, work)
        depth, node = 0, 0
        path[0] = 0
        while tree.lower[node] != tree.upper[node]:
            if tree.first[node] == 0:
                used = int(tree.used[0])
                if used + work.counts[EDGES] > capacity:
                    break
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
        # A solved node needs no rollout: its bounds clamp whatever stands on the board to its
        # value below.
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
    """Make the node `root` node 0 and drop all nodes that do not hang on it.

    `moved` is int32 with ``used[0]`` entries, used for the new places. Linear in the nodes used.
    """
    used = int(tree.used[0])
    for node in range(used):
        moved[node] = -1
    moved[root] = 0
    # First pass: whose parents stay, stays; new places in ascending order.
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
    # Second pass: a node never moves towards the back, so nothing is overwritten unread.
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
