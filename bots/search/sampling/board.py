"""Dots and Boxes of any size as small arrays: kernels to play, undo and roll out a game.

Theory of operation
-------------------
Boards of more than 64 edges do not fit into one word. A position is therefore an array of bytes for
the drawn edges, and an array with the *degree* (the number of drawn edges) of each box. Drawing an
edge changes two boxes at most, so its cost does not depend on the size. The ground, outside the
border, is an additional box after the real ones. Its degree starts so far below zero that it never
looks complete, capturable or unsafe, so the kernels need no special case for edges of the border.

R and C are the rows and columns of boxes, B = R*C is the number of boxes, and
E = (R+1)*C + R*(C+1) the number of edges. `games.dots_and_boxes.board` explains their numbering.
`BoardTables` has the constants of a size, `BoardArrays` is a mutable position, and `Scratch` is
working space; numba passes them as tuples of arrays. The kernels check nothing: the tables and the
position must have the same size, and an edge must be undrawn (`draw`, `captured_by`, `is_safe`) or
the last one drawn (`erase`).

`rules_rollout` plays like the bot `rules`: take every box, else draw a safe edge, else open the
chain or loop that gives fewest boxes away (a chain of 2 by its middle edge), with random choices
among equals. An unsafe edge never becomes safe, so one pass over the undrawn edges in random order
finds all safe ones. The order of captures does not matter: it changes neither the captured boxes
nor the position after them.

Sources: R. Durstenfeld, Algorithm 235: Random permutation, CACM 7 (1964); E. Berlekamp,
The Dots and Boxes Game, 2000, chapters 1 and 2 (the rules player).
"""

from __future__ import annotations

from functools import cache
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bots.search.chance import random_below
from bots.search.jit import kernel
from games.dots_and_boxes.board import GROUND, Board
from games.dots_and_boxes.rules import DotsAndBoxesState

MOVER: Final = 2
"""The index in `BoardArrays.counts` of the seat to move; 0 and 1 have the boxes of the seats."""
EDGES: Final = 3
"""The index in `BoardArrays.counts` of the number of undrawn edges."""
BOXES: Final = 4
"""The index in `BoardArrays.counts` of the number of boxes that nobody has completed yet."""

# The border has 40 edges at most, so this stays below zero. It fits into int8.
_GROUND_DEGREE: Final = -100


class BoardTables(NamedTuple):
    """The constants of one board size.

    `edge_boxes`, int16 (E, 2): the boxes on both sides of an edge, B for the ground.
    `box_edges`, int16 (B, 4): the top, bottom, left and right edge of a box.
    """

    edge_boxes: NDArray[np.int16]
    box_edges: NDArray[np.int16]


class BoardArrays(NamedTuple):
    """One position, which the kernels change in place.

    `drawn`, uint8 (E,): 1 for a drawn edge, else 0.
    `degree`, int8 (B + 1,): drawn edges of each box, 0 to 4; the last entry is the ground's and
    below zero.
    `counts`, int64 (5,): boxes of seat 0, boxes of seat 1, seat to move (of a finished game: the
    last mover's), undrawn edges, incomplete boxes; see `MOVER`, `EDGES`, `BOXES`.
    """

    drawn: NDArray[np.uint8]
    degree: NDArray[np.int8]
    counts: NDArray[np.int64]


class Scratch(NamedTuple):
    """Working space of the kernels; its contents have no meaning between two calls.

    `order`, int16 (E,): undrawn edges. `stack`, int16 (B,): capturable boxes. `seen`, uint8 (B,):
    boxes that were counted. `lengths`, int64 (5, B + 1): rows for `sampling.endgame`.
    """

    order: NDArray[np.int16]
    stack: NDArray[np.int16]
    seen: NDArray[np.uint8]
    lengths: NDArray[np.int64]


@cache
def tables_of(board: Board) -> BoardTables:
    """Return the tables of a board; they are made once for each size."""
    edge_boxes = np.array(board.edge_boxes, dtype=np.int16)
    edge_boxes[edge_boxes == GROUND] = board.num_boxes
    return BoardTables(edge_boxes, np.array(board.box_edges, dtype=np.int16))


def position_of(state: DotsAndBoxesState) -> BoardArrays:
    """Return a new position that equals `state`."""
    board, edges = state.board, state.edges
    degree = [(edges & mask).bit_count() for mask in board.box_masks]
    free = board.num_edges - edges.bit_count()
    counts = (*state.scores(), max(state.current_player(), 0), free, sum(d < 4 for d in degree))
    return BoardArrays(
        np.array([edges >> edge & 1 for edge in range(board.num_edges)], dtype=np.uint8),
        np.array([*degree, _GROUND_DEGREE], dtype=np.int8),
        np.array(counts, dtype=np.int64),
    )


def empty_position(board: Board) -> BoardArrays:
    """Return a position with zeros in all arrays, to be filled by `copy_position`."""
    return BoardArrays(
        np.zeros(board.num_edges, dtype=np.uint8),
        np.zeros(board.num_boxes + 1, dtype=np.int8),
        np.zeros(BOXES + 1, dtype=np.int64),
    )


def scratch_of(board: Board) -> Scratch:
    """Return the working space for rollouts on a board."""
    return Scratch(
        np.zeros(board.num_edges, dtype=np.int16),
        np.zeros(board.num_boxes, dtype=np.int16),
        np.zeros(board.num_boxes, dtype=np.uint8),
        np.zeros((5, board.num_boxes + 1), dtype=np.int64),
    )


@kernel
def copy_position(source: BoardArrays, target: BoardArrays) -> None:
    """Copy the position `source` to `target`."""
    for edge in range(source.drawn.size):
        target.drawn[edge] = source.drawn[edge]
    for box in range(source.degree.size):
        target.degree[box] = source.degree[box]
    for index in range(source.counts.size):
        target.counts[index] = source.counts[index]


@kernel
def draw(tables: BoardTables, position: BoardArrays, edge: int) -> int:
    """Draw `edge` for the mover and return how many boxes that completed: 0, 1 or 2.

    If it completed none, the turn passes.
    """
    a, b = tables.edge_boxes[edge, 0], tables.edge_boxes[edge, 1]
    degree, counts = position.degree, position.counts
    position.drawn[edge] = 1
    degree[a] += 1
    degree[b] += 1
    captured = int(degree[a] == 4) + int(degree[b] == 4)
    counts[EDGES] -= 1
    if captured:
        counts[counts[MOVER]] += captured
        counts[BOXES] -= captured
    else:
        counts[MOVER] = 1 - counts[MOVER]
    return captured


@kernel
def erase(tables: BoardTables, position: BoardArrays, edge: int) -> int:
    """Erase `edge`, the last one drawn, and return how many boxes it had completed.

    A player who completes a box is still the mover, so the position tells who drew the edge.
    """
    a, b = tables.edge_boxes[edge, 0], tables.edge_boxes[edge, 1]
    degree, counts = position.degree, position.counts
    captured = int(degree[a] == 4) + int(degree[b] == 4)
    position.drawn[edge] = 0
    degree[a] -= 1
    degree[b] -= 1
    counts[EDGES] += 1
    if captured:
        counts[counts[MOVER]] -= captured
        counts[BOXES] += captured
    else:
        counts[MOVER] = 1 - counts[MOVER]
    return captured


@kernel
def captured_by(tables: BoardTables, position: BoardArrays, edge: int) -> int:
    """Return how many boxes the undrawn `edge` would complete: 0, 1 or 2."""
    a, b = tables.edge_boxes[edge, 0], tables.edge_boxes[edge, 1]
    return int(position.degree[a] == 3) + int(position.degree[b] == 3)


@kernel
def is_safe(tables: BoardTables, position: BoardArrays, edge: int) -> bool:
    """Return whether the undrawn `edge` gives no box its third or fourth edge."""
    a, b = tables.edge_boxes[edge, 0], tables.edge_boxes[edge, 1]
    return bool(position.degree[a] < 2 and position.degree[b] < 2)


@kernel
def undrawn_edges(position: BoardArrays, order: NDArray[np.int16]) -> int:
    """Write the undrawn edges, ascending, to the front of `order` and return their number."""
    found = 0
    for edge in range(position.drawn.size):
        if position.drawn[edge] == 0:
            order[found] = edge
            found += 1
    return found


@kernel
def random_edge(position: BoardArrays, chance: NDArray[np.uint64]) -> int:
    """Return an undrawn edge, all equally likely; -1 if there is none."""
    left = int(position.counts[EDGES])
    if left == 0:
        return -1
    skip = random_below(chance, left)
    edge = 0
    while True:
        if position.drawn[edge] == 0:
            if skip == 0:
                return edge
            skip -= 1
        edge += 1


@kernel
def capturing_edge(tables: BoardTables, position: BoardArrays, box: int) -> int:
    """Return the first undrawn edge of `box`, the only one at degree 3; -1 if there is none."""
    for side in range(4):
        edge = int(tables.box_edges[box, side])
        if position.drawn[edge] == 0:
            return edge
    return -1


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
