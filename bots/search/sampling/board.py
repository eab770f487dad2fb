"""Dots and Boxes of any size as small arrays: kernels to draw edges.

Theory of operation
-------------------
Boards of more than 64 edges do not fit into one word. A position is therefore an array of bytes for
the drawn edges, and an array with the *degree* (the number of drawn edges) of each box. Drawing an
edge changes two boxes at most, so its cost does not depend on the size. The ground, outside the
border, is an additional box after the real ones. Its degree starts so far below zero that it never
looks complete, capturable or unsafe, so the kernels need no special case for edges of the border.

R and C are the rows and columns of boxes, B = R*C is the number of boxes, and
E = (R+1)*C + R*(C+1) the number of edges. `doublecross.games.dots_and_boxes.board` explains their
numbering. `BoardTables` has the constants of a size, `BoardArrays` is a mutable position, and
`Scratch` is working space; numba passes them as tuples of arrays. The kernels check nothing: the
tables and the position must have the same size, and an edge must be undrawn.
"""

from __future__ import annotations

from functools import cache
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from doublecross.bots.search.jit import kernel
from doublecross.games.dots_and_boxes.board import GROUND, Board
from doublecross.games.dots_and_boxes.rules import DotsAndBoxesState

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
    # A finished game has a negative player; either seat is correct then.
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
def capturing_edge(tables: BoardTables, position: BoardArrays, box: int) -> int:
    """Return the first undrawn edge of `box`, the only one at degree 3; -1 if there is none."""
    for side in range(4):
        edge = int(tables.box_edges[box, side])
        if position.drawn[edge] == 0:
            return edge
    return -1
