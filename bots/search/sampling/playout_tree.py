"""Monte-Carlo tree search for the first half of a game, with playouts that end in exact values.

Theory of operation
-------------------
In the first half of a game the exact search takes too long, but some moves later it takes only
microseconds. A playout therefore draws random safe edges only until few are left. Its value is then
the value of the exact search, in which both players play every capture and every opening best. The
tree is UCT (Kocsis and Szepesvari 2006) with the same moves as the exact search: safe edges, and
openings, which give boxes away.

A playout gives a net score x for the player to move at its end. On the way up, `after` converts the
net score of a position into that of the move before it, as in
`doublecross.bots.search.exact.kernel`. The statistics of a node depend mostly on whether the whole
game is won, and a little on the margin (`utility`). If the exact search starts at a node of the
tree, the value of the node is known. A node whose moves all have known values is known as well (M.
Winands, Y. Bjornsson and J. Saito, Monte-Carlo Tree Search Solver, 2008).

Nodes are rows of arrays. The moves of a node are consecutive rows, which are made at the second
visit of the node.
"""

from __future__ import annotations

from random import Random
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from doublecross.bots.search.bits import ZERO, popcount
from doublecross.bots.search.chance import random_below, seeded
from doublecross.bots.search.exact.kernel import COUNT, RESULT, Stack, after, begin, search
from doublecross.bots.search.exact.layout import LayoutTables
from doublecross.bots.search.exact.structure import scan
from doublecross.bots.search.jit import kernel
from doublecross.bots.search.sampling.sketch import pick, sketch
from doublecross.bots.search.wide import NARROW, WordKind

# Columns of `PlayoutTree.ints`.
FIRST, MOVES, TAKES, KEEPS, VISITS, SOLVED, VALUE = range(7)
# Columns of `PlayoutTree.sums`.
WINS, NETS = range(2)
# Elements of `PlayoutTree.registers`.
USED, PLAYOUTS, NODES = range(3)
# Columns of `PlayoutTree.words`.
H, V = range(2)

MARGIN: Final = 0.1
"""The weight of the margin of a game in its utility; winning has the rest."""
DEPTH: Final = 256
"""More than the largest depth of the tree, in moves; a game has 220 edges at most."""


class PlayoutTree(NamedTuple):
    """A search tree; a node is a row of the first four arrays, whose columns are named above.

    `ints` and `sums` have the statistics. `words` has the free edges after the move that leads to
    the node, `moves` the edges that this move uses. `registers` has the number of rows in use and
    counters, `random` the state of the generator. `path` is working space.
    """

    ints: NDArray[np.int64]
    sums: NDArray[np.float64]
    words: NDArray[np.uint64]
    moves: NDArray[np.uint64]
    registers: NDArray[np.int64]
    random: NDArray[np.uint64]
    path: NDArray[np.int64]


def new_tree(memory_mb: float, rng: Random, kind: WordKind = NARROW) -> PlayoutTree:
    """Return an empty tree of at most `memory_mb` MiB; `rng` seeds its playouts."""
    # A row of the first four arrays has 9 numbers and 4 words.
    rows = max(1024, int(memory_mb * 2**20) // (72 + kind.bits // 2))
    return PlayoutTree(
        np.zeros((rows, 7), np.int64),
        np.zeros((rows, 2), np.float64),
        kind.array((rows, 2)),
        kind.array((rows, 2)),
        np.zeros(3, np.int64),
        seeded(rng),
        np.zeros(2 * DEPTH, np.int64),
    )


def plant(tree: PlayoutTree, h: Any, v: Any) -> None:
    """Make the position `h`, `v`, which must have no captures, the root of an empty tree."""
    tree.ints[0] = 0
    tree.sums[0] = 0
    tree.words[0, H] = h
    tree.words[0, V] = v
    tree.registers[:] = 1, 0, 0


@kernel
def utility(x: Any, boxes: int) -> Any:
    """Return how good the final net score x is, from -1 to 1."""
    sign = 1.0 if x > 0 else -1.0 if x < 0 else 0.0
    return (1.0 - MARGIN) * sign + MARGIN * x / boxes


@kernel
def grow(
    end: int,
    net: int,
    boxes: int,
    few: int,
    solve_nodes: int,
    most: int,
    c: float,
    tree: PlayoutTree,
    stack: Stack,
    table: Any,
    tables: LayoutTables,
) -> None:
    """Run playouts until the counter of nodes reaches `end`, or the root is solved.

    `net` is the net score so far of the player to move at the root, in a game of `boxes` boxes. A
    playout ends at a position with at most `few` moves or without safe edges, where the exact
    search finds the value. If that takes more than `solve_nodes` nodes, the playout continues. `c`
    is the exploration constant.
    """
    ints, sums, words, moves, registers, random, path = tree
    move_h, move_v, takes, keeps = stack.move_h[0], stack.move_v[0], stack.takes[0], stack.keeps[0]
    rows = ints.shape[0]
    while registers[NODES] < end and ints[0, SOLVED] == 0:
        # Step 1: selection.
        node = 0
        depth = 0
        path[0] = 0
        while ints[node, MOVES] > 0 and ints[node, SOLVED] == 0:
            first = ints[node, FIRST]
            log = np.log(ints[node, VISITS] + 1.0)
            best = -1
            best_score = -1e9
            for child in range(first, first + ints[node, MOVES]):
                visits = ints[child, VISITS]
                if visits == 0:
                    # Safe edges without a visit come first, in the order of their rows.
                    score = 10.0 - (0.001 * (child - first) + ints[child, TAKES])
                    if ints[child, TAKES] > 0:
                        # Openings are tried first when the safe edges have bad values.
                        score = c * np.sqrt(log) - 0.3 * ints[child, TAKES]
                elif ints[child, SOLVED]:
                    score = sums[child, WINS] / visits
                else:
                    score = sums[child, WINS] / visits
                    score += c * np.sqrt(log / visits)
                if score > best_score:
                    best_score = score
                    best = child
            node = best
            depth += 1
            path[depth] = node
        # Step 2: the structure of the leaf; expansion at its second visit.
        h = words[node, H]
        v = words[node, V]
        x = 0
        if ints[node, SOLVED]:
            x = ints[node, VALUE]
            registers[NODES] += 1
        else:
            steps = 0
            while True:
                h, v, left, value, key, safe_h, safe_v, num, _, _ = scan(
                    h, v, tables, move_h, move_v, takes, keeps, stack.scratch
                )
                registers[NODES] += 1
                if key == ZERO:
                    x = value
                    if steps == 0:
                        ints[node, SOLVED] = 1
                        ints[node, VALUE] = x
                    break
                many_h = popcount(safe_h)
                many = many_h + popcount(safe_v)
                fits = registers[USED] + num + many <= rows and ints[node, MOVES] == 0
                if steps == 0 and ints[node, VISITS] > 0 and many + num > few and fits:
                    row = registers[USED]
                    ints[node, FIRST] = row
                    ints[node, MOVES] = num + many
                    for i in range(many):
                        bit_h = pick(safe_h, i) if i < many_h else ZERO
                        bit_v = pick(safe_v, i - many_h) if i >= many_h else ZERO
                        words[row, H] = h ^ bit_h
                        words[row, V] = v ^ bit_v
                        moves[row, H] = bit_h
                        moves[row, V] = bit_v
                        ints[row, TAKES] = 0
                        ints[row, KEEPS] = 0
                        row += 1
                    for i in range(num):
                        words[row, H] = h & ~move_h[i]
                        words[row, V] = v & ~move_v[i]
                        moves[row, H] = move_h[i]
                        moves[row, V] = move_v[i]
                        ints[row, TAKES] = takes[i]
                        ints[row, KEEPS] = keeps[i]
                        row += 1
                    for i in range(registers[USED], row):
                        ints[i, FIRST] = 0
                        ints[i, MOVES] = 0
                        ints[i, VISITS] = 0
                        ints[i, SOLVED] = 0
                        sums[i, WINS] = 0.0
                        sums[i, NETS] = 0.0
                    registers[USED] = row
                if left > most:
                    x = sketch(h, v, random, stack, tables)
                    # It takes about the time of as many nodes.
                    registers[NODES] += left // 5
                    break
                if many + num <= few or many == 0:
                    # Step 3: the exact value, if the search finds it in time.
                    # The window is full, because the tree needs the exact value and not a bound.
                    begin(stack, h, v, -left - 1, left + 1)
                    done = search(solve_nodes, stack, table, tables)
                    registers[NODES] += stack.registers[COUNT]
                    if done:
                        x = stack.registers[RESULT]
                        if steps == 0:
                            ints[node, SOLVED] = 1
                            ints[node, VALUE] = x
                        break
                    if many == 0:
                        # Too hard to solve without safe edges: assume that the player who must
                        # open loses about half of the remaining boxes.
                        x = -(left // 2) - (left // 2 ^ left) % 2
                        break
                    h, v, left, value, key, safe_h, safe_v, num, _, _ = scan(
                        h, v, tables, move_h, move_v, takes, keeps, stack.scratch
                    )
                # Step 4: a random safe edge.
                r = random_below(random, many)
                if r < many_h:
                    h ^= pick(safe_h, r)
                else:
                    v ^= pick(safe_v, r - many_h)
                steps += 1
            if steps & 1:
                # The turn passes with every safe edge.
                x = -x
        # Step 5: the way up to the root: the value of the playout at each node of the path, for
        # the player to move there.
        registers[PLAYOUTS] += 1
        # The second half of `path` has the values at the nodes of the first half.
        path[DEPTH + depth] = x
        for i in range(depth, 0, -1):
            x = after(ints[path[i], TAKES], ints[path[i], KEEPS], x)
            path[DEPTH + i - 1] = x
        ints[0, VISITS] += 1
        sums[0, WINS] += utility(net + x, boxes)
        sums[0, NETS] += net + x
        # The way down again, with the net score so far of the player to move. The statistics of a
        # node belong to the player who makes the move that leads to it.
        so_far = net
        for i in range(1, depth + 1):
            node = path[i]
            total = so_far + path[DEPTH + i - 1]
            ints[node, VISITS] += 1
            if ints[node, SOLVED]:
                sums[node, WINS] = ints[node, VISITS] * utility(total, boxes)
                sums[node, NETS] = ints[node, VISITS] * total
            else:
                sums[node, WINS] += utility(total, boxes)
                sums[node, NETS] += total
            taken = ints[node, TAKES]
            kept = ints[node, KEEPS]
            if kept and path[DEPTH + i] < -kept:
                # The opponent declines the last boxes, so the player who opened moves again.
                so_far = so_far - taken + 2 * kept
            else:
                so_far = taken - so_far
        if depth and ints[path[depth], SOLVED]:
            for i in range(depth - 1, -1, -1):
                prove(path[i], ints)
                if ints[path[i], SOLVED] == 0:
                    break


@kernel
def prove(node: int, ints: Any) -> None:
    """Set the value of `node` if the values of all its moves are known."""
    best = -1000
    first = ints[node, FIRST]
    for child in range(first, first + ints[node, MOVES]):
        if ints[child, SOLVED] == 0:
            return
        best = max(best, after(ints[child, TAKES], ints[child, KEEPS], ints[child, VALUE]))
    ints[node, SOLVED] = 1
    ints[node, VALUE] = best
