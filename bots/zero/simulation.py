"""Run a simulation: down the tree, to the network, and up again.

`doublecross.bots.zero.tree` explains the steps.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from doublecross.bots.search.bits import ONE, ZERO, lowest
from doublecross.bots.search.exact.kernel import Stack
from doublecross.bots.search.exact.layout import LayoutTables
from doublecross.bots.search.jit import kernel
from doublecross.bots.zero.means import choose, outlook, refresh
from doublecross.bots.zero.net import SPAN
from doublecross.bots.zero.planes import fill, unpack
from doublecross.bots.zero.tree import (
    AT,
    BY,
    CHILD,
    DECLINED,
    DEPTH,
    EVALUATED,
    EVALUATIONS,
    FIRST,
    HIGH,
    KEEPS,
    LEAF,
    LEFT,
    LOW,
    MOVES,
    NET,
    POSITION,
    STATS,
    TAKEN,
    TAKES,
    TRIES,
    VISITS,
    H,
    Rules,
    V,
    ZeroTree,
    node_of,
    position_of,
    rate,
)

DONE, ASK, FULL = range(3)
"""Results of `descend`: the simulation is over; the network is asked; the tree is full."""


class Drawing(NamedTuple):
    """The input of the network for one position, and the working space to make it.

    `planes` (planes, cells), `free` (2, cells), `work` (3, cells), `shape`: rows and columns.
    """

    planes: NDArray[np.float32]
    free: NDArray[np.uint8]
    work: NDArray[np.int64]
    shape: NDArray[np.int64]


@kernel
def descend(
    root: int,
    forced: int,
    tree: ZeroTree,
    rules: Rules,
    drawing: Drawing,
    stack: Stack,
    table: Any,
    tables: LayoutTables,
) -> int:
    """Run a simulation from the node `root`; return `DONE`, `ASK` or `FULL`.

    The first move is the one with the number `forced`, if this is not negative. With `ASK` the
    planes of the position to be evaluated are in `drawing`, and `learn` completes the simulation.
    """
    positions, moves, nodes, stats = tree.positions, tree.moves, tree.nodes, tree.stats
    node = root
    depth = 0
    while True:
        position = nodes[node, POSITION]
        tree.path[depth, AT] = node
        solved = positions[position, LOW] == positions[position, HIGH]
        if not solved and positions[position, EVALUATED] == 0:
            tree.used[DEPTH] = depth
            ask(position, tree, drawing)
            return ASK
        # The root has had its first visit when its position was evaluated.
        if solved or (nodes[node, VISITS] == 0 and depth > 0):
            break
        i = forced if depth == 0 and forced >= 0 else choose(node, tree, rules)
        move = positions[position, FIRST] + i
        stat = nodes[node, STATS] + i
        if stats[stat, TAKEN] < 0:
            child = moves[move, CHILD]
            if child < 0:
                child = position_of(
                    tree.words[position, H] & ~tree.move_words[move, H],
                    tree.words[position, V] & ~tree.move_words[move, V],
                    tree, rules, stack, table, tables,
                )  # fmt: skip
                if child < 0:
                    return FULL
                moves[move, CHILD] = child
            takes, keeps, net = moves[move, TAKES], moves[move, KEEPS], nodes[node, NET]
            declined = node_of(child, net - takes + 2 * keeps, tree, rules) if keeps else -1
            taken = node_of(child, takes - net, tree, rules)
            if taken < 0 or (keeps and declined < 0):
                return FULL
            stats[stat, TAKEN] = taken
            stats[stat, DECLINED] = declined
        tree.path[depth, BY] = stat
        _, _, node = outlook(stat, tree)
        depth += 1
    tree.used[DEPTH] = depth
    pass_up(tree, rules)
    return DONE


@kernel
def ask(position: int, tree: ZeroTree, drawing: Drawing) -> None:
    """Write the planes of `position`, which the network evaluates next."""
    tree.used[LEAF] = position
    unpack(tree.words[position, H], drawing.free[0])
    unpack(tree.words[position, V], drawing.free[1])
    fill(drawing.free, drawing.shape[0], drawing.shape[1], drawing.planes, drawing.work)


@kernel
def learn(policy: Any, score: Any, tree: ZeroTree, rules: Rules) -> None:
    """Complete a simulation with the answer of the network: logits of the edges and the scores.

    `policy` is (2 * cells,), `score` (2 * SPAN + 1,).
    """
    read(policy, score, tree)
    depth = tree.used[DEPTH]
    if depth == 0:
        rate(tree.path[0, AT], tree, rules)
    else:
        stat = tree.path[depth - 1, BY]
        taken, declined = tree.stats[stat, TAKEN], tree.stats[stat, DECLINED]
        rate(taken, tree, rules)
        if declined >= 0:
            rate(declined, tree, rules)
        tree.path[depth, AT] = outlook(stat, tree)[2]
    pass_up(tree, rules)


@kernel
def read(policy: Any, score: Any, tree: ZeroTree) -> None:
    """Store the answer of the network for the leaf: the priors of its moves and its scores."""
    position = tree.used[LEAF]
    positions, words, priors = tree.positions, tree.move_words, tree.priors
    first, left = positions[position, FIRST], positions[position, LEFT]
    last = first + positions[position, MOVES]
    size = policy.shape[0] // 2
    # The logits of other edges can be any numbers.
    top = np.float32(-1e30)
    for move in range(first, last):
        for half in range(2):
            word = words[move, half]
            while word != ZERO:
                top = max(top, policy[half * size + lowest(word)])
                word &= word - ONE
    total = 0.0
    for move in range(first, last):
        share = 0.0
        for half in range(2):
            word = words[move, half]
            while word != ZERO:
                share += np.exp(policy[half * size + lowest(word)] - top)
                word &= word - ONE
        # A prior of 0 would hide a move for ever.
        priors[move] = share + 1e-6
        total += priors[move]
    for move in range(first, last):
        priors[move] /= total
    top = score[0]
    for i in range(2 * SPAN + 1):
        top = max(top, score[i])
    total = 0.0
    for i in range(2 * SPAN + 1):
        x = i - SPAN
        # A score of SPAN stands for all larger ones, of both parities.
        fits = abs(x) <= left and ((x - left) & 1 == 0 or (abs(x) == SPAN))
        tree.scores[position, i] = np.exp(score[i] - top) + 1e-9 if fits else 0.0
        total += tree.scores[position, i]
    for i in range(2 * SPAN + 1):
        tree.scores[position, i] /= total
    positions[position, EVALUATED] = 1
    tree.used[EVALUATIONS] += 1


@kernel
def pass_up(tree: ZeroTree, rules: Rules) -> None:
    """Count a visit of each node of the path, and compute its means again, from the leaf up."""
    depth = tree.used[DEPTH]
    for i in range(depth, -1, -1):
        node = tree.path[i, AT]
        tree.nodes[node, VISITS] += 1
        if i < depth:
            tree.stats[tree.path[i, BY], TRIES] += 1
        refresh(node, tree, rules)
