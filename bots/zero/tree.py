"""The search tree of `zero` for Dots and Boxes: arrays, and the kernels that grow it.

Theory of operation
-------------------
A *position* has no captures, as in the exact search: the moves are safe edges and openings. A
*node* is a position together with the net score so far of the player to move, because a player who
is ahead plays for something else than one who is behind. All orders of the same moves lead to the
same node, so the tree is a graph without cycles, and the tables find a node by its contents. They
also find the nodes of the moves before: the tree is kept for a whole game, and begins anew when it
is full.

An opening gives boxes away. The opponent takes them all and must move, or declines the last ones,
so that the player who opened must move. Both lead to the same position with different scores, so a
move has up to two nodes. One evaluation of the network serves both. The opponent is assumed to
choose the node that is better for it.

A simulation walks down from the root to a node that nobody has visited. `descend` stops there if
the network has to evaluate its position. `learn` stores the answer and passes it upwards. A move is
chosen by PUCT: the mean utility after it, plus a bonus that is large for a move with a high prior
and few visits. A move without a visit counts a little less than its node.

*Utility*: the network gives a distribution of the net score from here on. With the net score so far
of the node it becomes an expected utility, mostly for winning and a little for the margin. Scores
of the wrong parity, or larger than the number of boxes left, have no share.

*Means*: a node that several moves lead to has more visits than each of these moves. So its mean is
not a sum over simulations: it is computed again from the means of its children, weighted with the
visits of its moves, and its own evaluation with the weight 1.

*Bounds*: each position has bounds of its value. They are equal where the exact search finds the
value: if no junction is left, and at positions with few moves. The bounds of other positions follow
from those of their moves. The search enters no move that is certainly worse than another one, and
no mean is outside the bounds.

Sources: D. Silver et al., A general reinforcement learning algorithm that masters chess, shogi and
Go through self-play, Science 362, 2018 (PUCT); D. Wu, Monte-Carlo graph search from first
principles, KataGo's documentation, 2023 (means in a graph).
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from doublecross.bots.search.bits import ONE, ZERO, U, fold, popcount
from doublecross.bots.search.exact.kernel import COUNT, RESULT, Stack, begin, search
from doublecross.bots.search.exact.layout import LayoutTables
from doublecross.bots.search.exact.structure import scan
from doublecross.bots.search.jit import kernel
from doublecross.bots.search.sampling.playout_tree import utility
from doublecross.bots.search.wide import WordKind
from doublecross.bots.zero.net import SPAN
from doublecross.games.dots_and_boxes.board import Board

# Columns of `ZeroTree.positions`.
LEFT, LOW, HIGH, FIRST, MOVES, EVALUATED = range(6)
# Columns of `ZeroTree.moves`.
TAKES, KEEPS, CHILD = range(3)
# Columns of `ZeroTree.nodes`.
POSITION, NET, VISITS, STATS = range(4)
# Columns of `ZeroTree.means`.
FIRST_UTILITY, FIRST_SCORE, UTILITY, SCORE = range(4)
# Columns of `ZeroTree.stats`.
TRIES, TAKEN, DECLINED = range(3)
# Elements of `ZeroTree.used`.
POSITIONS, MOVES_USED, NODES, STATS_USED, DEPTH, LEAF, EVALUATIONS, SOLVER_NODES = range(8)
# Columns of `words` and of `path`.
H, V = range(2)
AT, BY = range(2)

ROW_BYTES: Final = 48
"""About how many bytes a move takes, in `move_words`, `moves`, `priors` and `stats`."""


class ZeroTree(NamedTuple):
    """Positions, nodes and moves; a row for each, with the columns named above.

    `words` (positions, 2) has the free edges, `positions` the boxes left, the bounds of the value
    for the player to move, the first of the moves, their number, and whether the network has
    evaluated it. `scores` has its distribution of the net score from here on. `move_words` has the
    edges of a move, `moves` what it gives away and the position after it (-1: not made), `priors`
    its prior.

    `nodes` has the position of a node, the net score so far, its visits and the first of its
    `stats`, which has a row for each move: its visits and the nodes after it (-1: none). `means`
    has the network's and the mean expected utility and final net score, for the player to move.

    `position_table` and `node_table` are hash tables. `used` counts rows and work. `path` has the
    nodes of a simulation and the rows of the stats that lead on from them.
    """

    words: NDArray[Any]
    positions: NDArray[np.int32]
    scores: NDArray[np.float32]
    move_words: NDArray[Any]
    moves: NDArray[np.int32]
    priors: NDArray[np.float32]
    nodes: NDArray[np.int32]
    means: NDArray[np.float64]
    stats: NDArray[np.int32]
    position_table: NDArray[np.int32]
    node_table: NDArray[np.int32]
    used: NDArray[np.int64]
    path: NDArray[np.int32]


class Rules(NamedTuple):
    """The settings of a search.

    `boxes` is the number of boxes of the board. `c` is the weight of the bonus in PUCT, `less` how
    much less a move without a visit counts than its node. The exact search tries positions with at
    most `few` moves, with at most `solve_nodes` nodes.
    """

    boxes: int
    c: float
    less: float
    few: int
    solve_nodes: int


def new_tree(board: Board, memory_mb: float, kind: WordKind) -> ZeroTree:
    """Return an empty tree of about `memory_mb` MiB, for words of `kind`.

    The system allocates the memory when it is written.
    """
    edges = board.num_edges
    # On average a position has moves for about half of the edges, and a node for each position.
    moves = max(4 * edges, int(memory_mb * 2**20 / (ROW_BYTES + 800 / edges)))
    count = max(16, 2 * moves // edges)
    table = 1 << (2 * count).bit_length()
    return ZeroTree(
        kind.array((count, 2)),
        np.zeros((count, 6), np.int32),
        np.zeros((count, 2 * SPAN + 1), np.float32),
        kind.array((moves, 2)),
        np.zeros((moves, 3), np.int32),
        np.zeros(moves, np.float32),
        np.zeros((2 * count, 4), np.int32),
        np.zeros((2 * count, 4), np.float64),
        np.zeros((moves, 3), np.int32),
        np.zeros(table, np.int32),
        np.zeros(2 * table, np.int32),
        np.zeros(8, np.int64),
        np.zeros((edges + 2, 2), np.int32),
    )


def clear(tree: ZeroTree) -> None:
    """Remove everything from the tree."""
    tree.position_table[:] = 0
    tree.node_table[:] = 0
    tree.used[:] = 0


def filled(tree: ZeroTree) -> float:
    """Return which part of the tree is in use, from 0 to 1."""
    used = tree.used
    return max(
        float(used[POSITIONS] / len(tree.positions)),
        float(used[MOVES_USED] / len(tree.moves)),
        float(used[NODES] / len(tree.nodes)),
        float(used[STATS_USED] / len(tree.stats)),
    )


@kernel
def position_of(
    h: Any, v: Any, tree: ZeroTree, rules: Rules, stack: Stack, table: Any, tables: LayoutTables
) -> int:
    """Return the row of the position with the free edges `h`, `v`, or -1 if the tree is full.

    A new position gets its moves, and its value if the exact search finds it.
    """
    move_h, move_v, takes, keeps = stack.move_h[0], stack.move_v[0], stack.takes[0], stack.keeps[0]
    h, v, left, value, key, safe_h, safe_v, num, _, _ = scan(
        h, v, tables, move_h, move_v, takes, keeps, stack.scratch
    )
    words, positions, slots, used = tree.words, tree.positions, tree.position_table, tree.used
    mask = slots.shape[0] - 1
    word = (fold(h) ^ (fold(v) * U(0x9E3779B97F4A7C15))) * U(0xD6E8FEB86659FD93)
    slot = np.int64(word >> U(32)) & mask
    while slots[slot]:
        found = slots[slot] - 1
        if words[found, H] == h and words[found, V] == v:
            return int(found)
        slot = (slot + 1) & mask
    many = popcount(safe_h) + popcount(safe_v) + num
    row = used[MOVES_USED]
    here = used[POSITIONS]
    if here == positions.shape[0] or row + many > tree.moves.shape[0]:
        return -1
    used[POSITIONS] += 1
    slots[slot] = here + 1
    words[here, H] = h
    words[here, V] = v
    positions[here, LEFT] = left
    positions[here, LOW] = -left
    positions[here, HIGH] = left
    positions[here, FIRST] = row
    positions[here, MOVES] = 0
    positions[here, EVALUATED] = 0
    if key == ZERO:
        positions[here, LOW] = value
        positions[here, HIGH] = value
        return int(here)
    for i in range(num):
        tree.move_words[row, H] = move_h[i]
        tree.move_words[row, V] = move_v[i]
        tree.moves[row, TAKES] = takes[i]
        tree.moves[row, KEEPS] = keeps[i]
        row += 1
    while safe_h | safe_v != ZERO:
        bit_h = safe_h & (~safe_h + ONE)
        bit_v = safe_v & (~safe_v + ONE) if bit_h == ZERO else ZERO
        safe_h ^= bit_h
        safe_v ^= bit_v
        tree.move_words[row, H] = bit_h
        tree.move_words[row, V] = bit_v
        tree.moves[row, TAKES] = 0
        tree.moves[row, KEEPS] = 0
        row += 1
    if many <= rules.few:
        # The window is full, because the tree needs the exact value and not a bound.
        begin(stack, h, v, -left - 1, left + 1)
        done = search(rules.solve_nodes, stack, table, tables)
        used[SOLVER_NODES] += stack.registers[COUNT]
        if done:
            positions[here, LOW] = stack.registers[RESULT]
            positions[here, HIGH] = stack.registers[RESULT]
    if positions[here, LOW] < positions[here, HIGH]:
        for i in range(used[MOVES_USED], row):
            tree.moves[i, CHILD] = -1
        positions[here, MOVES] = many
        used[MOVES_USED] = row
    return int(here)


@kernel
def node_of(position: int, net: int, tree: ZeroTree, rules: Rules) -> int:
    """Return the row of the node of `position` with the net score so far `net`; -1 if full."""
    nodes, slots, used = tree.nodes, tree.node_table, tree.used
    mask = slots.shape[0] - 1
    slot = np.int64((U(position) * U(256) + U(net + 128)) * U(0x9E3779B97F4A7C15) >> U(32)) & mask
    while slots[slot]:
        found = slots[slot] - 1
        if nodes[found, POSITION] == position and nodes[found, NET] == net:
            return int(found)
        slot = (slot + 1) & mask
    here = used[NODES]
    row = used[STATS_USED]
    many = tree.positions[position, MOVES]
    if here == nodes.shape[0] or row + many > tree.stats.shape[0]:
        return -1
    used[NODES] += 1
    used[STATS_USED] += many
    slots[slot] = here + 1
    nodes[here, POSITION] = position
    nodes[here, NET] = net
    nodes[here, VISITS] = 0
    nodes[here, STATS] = row
    for i in range(row, row + many):
        tree.stats[i, TRIES] = 0
        tree.stats[i, TAKEN] = -1
        tree.stats[i, DECLINED] = -1
    rate(here, tree, rules)
    return int(here)


@kernel
def rate(node: int, tree: ZeroTree, rules: Rules) -> None:
    """Set what the network says about a node without visits, or its exact value."""
    position, net = tree.nodes[node, POSITION], tree.nodes[node, NET]
    low, high = tree.positions[position, LOW], tree.positions[position, HIGH]
    if low == high:
        good = utility(net + low, rules.boxes)
        score = float(net + low)
    else:
        good = 0.0
        score = 0.0
        if tree.positions[position, EVALUATED]:
            for i in range(2 * SPAN + 1):
                share = tree.scores[position, i]
                if share > 0:
                    good += share * utility(net + i - SPAN, rules.boxes)
                    score += share * (net + i - SPAN)
    tree.means[node, FIRST_UTILITY] = good
    tree.means[node, FIRST_SCORE] = score
    tree.means[node, UTILITY] = good
    tree.means[node, SCORE] = score
