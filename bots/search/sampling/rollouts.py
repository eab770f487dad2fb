"""Kernels that play Dots and Boxes of any size to the end: at random, or as the bot `rules` does.

Theory of operation
-------------------
`rules_rollout` plays like the bot `rules`: take every box, else draw a safe edge, else open the
chain or loop that gives fewest boxes away (a chain of 2 by its middle edge), with random choices
among equals. An unsafe edge never becomes safe, so one pass over the undrawn edges in random order
finds all safe ones. The order of captures does not matter: it changes neither the captured boxes
nor the position after them.

Sources: R. Durstenfeld, Algorithm 235: Random permutation, CACM 7 (1964); E. Berlekamp,
The Dots and Boxes Game, 2000, chapters 1 and 2 (the rules player).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from doublecross.bots.search.chance import random_below
from doublecross.bots.search.jit import kernel
from doublecross.bots.search.sampling.board import (
    EDGES,
    BoardArrays,
    BoardTables,
    Scratch,
    capturing_edge,
    draw,
    is_safe,
    undrawn_edges,
)


@kernel
def random_rollout(
    tables: BoardTables, position: BoardArrays, scratch: Scratch, chance: NDArray[np.uint64]
) -> None:
    """Play `position` to its end, every undrawn edge equally likely at every move."""
    order = scratch.order
    left = undrawn_edges(position, order)
    # All orders of the remaining edges are equally likely, so shuffling them gives the game.
    while left > 0:
        pick = random_below(chance, left)
        left -= 1
        edge = int(order[pick])
        order[pick] = order[left]
        draw(tables, position, edge)


@kernel
def take_all(
    tables: BoardTables, position: BoardArrays, stack: NDArray[np.int16], top: int
) -> None:
    """Complete boxes until none has degree 3; ``stack[:top]`` must have all capturable boxes."""
    while top > 0:
        top -= 1
        box = int(stack[top])
        if position.degree[box] != 3:
            continue  # a double-cross has completed it
        edge = capturing_edge(tables, position, box)
        draw(tables, position, edge)
        for side in range(2):
            beside = int(tables.edge_boxes[edge, side])
            if position.degree[beside] == 3:
                stack[top] = beside
                top += 1


@kernel
def _walk(
    tables: BoardTables,
    position: BoardArrays,
    seen: NDArray[np.uint8],
    start: int,
    edge: int,
    mark: int,
) -> tuple[int, int, int]:
    """Follow the boxes of degree 2 from the box `start` over `edge`.

    Returns their number, the box after the last of them (`start` in a loop), and the edge to that
    box. With `mark` 1 the boxes are marked in `seen`, with 0 they are not.
    """
    length = 0
    box = start
    while True:
        a, b = int(tables.edge_boxes[edge, 0]), int(tables.edge_boxes[edge, 1])
        box = a if b == box else b
        if box == start or position.degree[box] != 2:
            return length, box, edge
        seen[box] |= mark
        length += 1
        for side in range(4):
            way = int(tables.box_edges[box, side])
            if way != edge and position.drawn[way] == 0:
                edge = way
                break


@kernel
def handout(
    tables: BoardTables, position: BoardArrays, seen: NDArray[np.uint8], box: int
) -> tuple[int, int]:
    """Return an edge that opens the chain or loop of `box`, and how many boxes it gives away.

    `box` must have degree 2 and not be marked in `seen`; all boxes of the chain are marked. A chain
    of 2 is opened by its middle edge.

    If both ends of a chain lead to the same junction, and that junction has one more undrawn edge,
    the opponent can also capture the junction and the chain behind it.
    """
    seen[box] = 1
    first, second = -1, -1
    for side in range(4):
        edge = int(tables.box_edges[box, side])
        if position.drawn[edge] == 0:
            if first < 0:
                first = edge
            else:
                second = edge
    ahead, end, out = _walk(tables, position, seen, box, first, 1)
    if end == box:
        return first, 1 + ahead
    behind, other_end, other_out = _walk(tables, position, seen, box, second, 1)
    length = 1 + ahead + behind
    if end == other_end and position.degree[end] == 1:
        for side in range(4):
            edge = int(tables.box_edges[end, side])
            if position.drawn[edge] == 0 and edge != out and edge != other_out:
                swept, _, _ = _walk(tables, position, seen, end, edge, 0)
                length += 1 + swept
    # The middle edge of a chain of 2 is the one that leads to its other box.
    return (first if length != 2 or ahead == 1 else second), length


@kernel
def shortest_handout(
    tables: BoardTables, position: BoardArrays, seen: NDArray[np.uint8], chance: NDArray[np.uint64]
) -> int:
    """Return an edge that gives fewest boxes away, or -1 if no box has degree 2.

    All such chains and loops are equally likely. A chain of 2 is opened by its middle edge, the
    hard-hearted handout. Use it for positions with neither captures nor safe edges, where every
    undrawn edge belongs to a chain or loop.
    """
    best, shortest, ties = -1, seen.size + 1, 0
    seen[:] = 0
    for box in range(seen.size):
        if position.degree[box] != 2 or seen[box] != 0:
            continue
        opener, length = handout(tables, position, seen, box)
        if length < shortest:
            best, shortest, ties = opener, length, 1
        elif length == shortest:
            # Reservoir sampling: each of the equally short ones is kept with the same probability.
            ties += 1
            if random_below(chance, ties) == 0:
                best = opener
    return best


@kernel
def play_safe(
    tables: BoardTables, position: BoardArrays, scratch: Scratch, chance: NDArray[np.uint64]
) -> None:
    """Take every box, then draw safe edges in random order until none is left."""
    order, stack = scratch.order, scratch.stack
    top = 0
    for box in range(stack.size):
        if position.degree[box] == 3:
            stack[top] = box
            top += 1
    take_all(tables, position, stack, top)
    left = undrawn_edges(position, order)
    while left > 0:
        pick = random_below(chance, left)
        left -= 1
        edge = int(order[pick])
        order[pick] = order[left]
        if is_safe(tables, position, edge):
            draw(tables, position, edge)


@kernel
def open_chain(tables: BoardTables, position: BoardArrays, scratch: Scratch, edge: int) -> None:
    """Draw `edge`, which opens a chain or loop, and let the opponent take all its boxes."""
    draw(tables, position, edge)
    top = 0
    for side in range(2):
        box = int(tables.edge_boxes[edge, side])
        if position.degree[box] == 3:
            scratch.stack[top] = box
            top += 1
    take_all(tables, position, scratch.stack, top)


@kernel
def rules_rollout(
    tables: BoardTables, position: BoardArrays, scratch: Scratch, chance: NDArray[np.uint64]
) -> None:
    """Play `position` to its end as two bots `rules` would; see the theory of operation."""
    play_safe(tables, position, scratch, chance)
    while position.counts[EDGES] > 0:
        edge = shortest_handout(tables, position, scratch.seen, chance)
        open_chain(tables, position, scratch, edge)
