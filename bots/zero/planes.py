"""Describe a position of Dots and Boxes as planes of numbers, the input of the network.

Theory of operation
-------------------
A board of R x C boxes becomes a grid of R+1 rows and C+1 columns. Cell (r, c) has the box (r, c),
the horizontal edge above it and the vertical edge on its left. So the last row has horizontal edges
only, the last column vertical edges only, and the network sees every size in the same way. The cell
is also the bit of the words in `doublecross.bots.search.exact.layout`.

The planes say what a player sees: which edges are free, which of these are safe, how many free
edges a box has (a box with three or four is a junction), and the chains and loops with their
lengths. The last planes have the same number in all cells: parities, and how many boxes are left.
The score is not among them, because the value of a position from here on depends on the edges
alone. Cells outside the board, which a batch of several sizes needs, are 0 in all planes.

The network answers with a number for each edge. `cells` says where.
"""

from __future__ import annotations

from functools import cache
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from doublecross.bots.search.bits import ONE, ZERO, lowest
from doublecross.bots.search.jit import kernel
from doublecross.games.dots_and_boxes.board import Board

Planes = NDArray[np.float32]

# The planes. Where a cell has no such edge or box, they are 0.
ON_BOARD, HAS_H, HAS_V, HAS_BOX = range(4)
FREE_H, FREE_V, SAFE_H, SAFE_V = range(4, 8)
ONE_FREE, TWO_FREE, THREE_FREE, FOUR_FREE = range(8, 12)
CHAIN_OF_1, CHAIN_OF_2, LONG_CHAIN, LOOP, LENGTH, INDEPENDENT = range(12, 18)
TURNS_ODD, CONTROL_ODD, BOXES_ODD, SAFE_ODD, SHARE_LEFT, BOXES_LEFT = range(18, 24)

PLANES: Final = 24
"""The number of planes."""

_LENGTH_UNIT: Final = 8.0
"""The plane LENGTH has the boxes of a chain or loop, divided by this."""
_BOXES_UNIT: Final = 25.0
"""The plane BOXES_LEFT has the number of boxes left, divided by this."""

# Rows of the working space.
_COUNT, _SEEN, _STACK = range(3)


@cache
def cells(board: Board) -> NDArray[np.int64]:
    """Return the place of each edge, int64 (E,), in an array of shape (2, R+1, C+1), flattened."""
    stride = board.cols + 1
    half = (board.rows + 1) * stride
    horizontals = (board.rows + 1) * board.cols
    edges = np.arange(board.num_edges)
    places = np.where(
        edges < horizontals,
        edges // board.cols * stride + edges % board.cols,
        half + edges - horizontals,
    )
    places.flags.writeable = False
    return places


@cache
def box_cells(board: Board) -> NDArray[np.int64]:
    """Return the place of each box, int64 (B,), in an array of shape (R+1, C+1), flattened."""
    boxes = np.arange(board.num_boxes)
    places = boxes // board.cols * (board.cols + 1) + boxes % board.cols
    places.flags.writeable = False
    return places


def encode(board: Board, edges: int) -> Planes:
    """Return the planes, (PLANES, R+1, C+1), of the position with the drawn `edges`."""
    drawn = np.array([[edges >> edge & 1 for edge in range(board.num_edges)]], bool)
    planes: Planes = encode_drawn(board, drawn)[0]
    return planes


def encode_drawn(board: Board, drawn: NDArray[np.bool_]) -> Planes:
    """Return the planes, (n, PLANES, R+1, C+1), of n positions.

    `drawn` (n, E) says which edges are drawn.
    """
    rows, cols = board.rows, board.cols
    count, size = len(drawn), (rows + 1) * (cols + 1)
    free = np.zeros((count, 2 * size), np.uint8)
    free[:, cells(board)] = ~drawn
    planes = np.empty((count, PLANES, rows + 1, cols + 1), np.float32)
    fill_all(
        free.reshape(count, 2, size), rows, cols, planes.reshape(count, PLANES, size), space(board)
    )
    return planes


def encode_words(board: Board, words: NDArray[Any]) -> Planes:
    """Return the planes, (n, PLANES, R+1, C+1), of n positions.

    `words` (n, 2) has the words H and V of their free edges; see
    `doublecross.bots.search.exact.layout`.
    """
    rows, cols = board.rows, board.cols
    count, size = len(words), (rows + 1) * (cols + 1)
    planes = np.empty((count, PLANES, rows + 1, cols + 1), np.float32)
    fill_words(
        words,
        rows,
        cols,
        planes.reshape(count, PLANES, size),
        np.zeros((2, size), np.uint8),
        space(board),
    )
    return planes


def space(board: Board) -> NDArray[np.int64]:
    """Return working space for `fill`."""
    return np.zeros((3, (board.rows + 1) * (board.cols + 1)), np.int64)


@kernel
def fill_all(free: Any, rows: int, cols: int, planes: Any, work: Any) -> None:
    """Write the planes of many positions; `free` (n, 2, cells) has 1 for each free edge."""
    for i in range(free.shape[0]):
        fill(free[i], rows, cols, planes[i], work)


@kernel
def fill_words(words: Any, rows: int, cols: int, planes: Any, free: Any, work: Any) -> None:
    """Write the planes of many positions; `words` (n, 2) are as in `encode_words`."""
    for i in range(words.shape[0]):
        unpack(words[i, 0], free[0])
        unpack(words[i, 1], free[1])
        fill(free, rows, cols, planes[i], work)


@kernel
def unpack(word: Any, bits: Any) -> None:
    """Write the bits of `word`, one in each element of `bits`."""
    bits[:] = 0
    while word != ZERO:
        bits[lowest(word)] = 1
        word &= word - ONE


@kernel
def fill(free: Any, rows: int, cols: int, planes: Any, work: Any) -> None:
    """Write the planes (PLANES, cells) of a position.

    `free` (2, cells) has 1 for each free edge, horizontal ones first; `work` is working space.
    """
    stride = cols + 1
    size = (rows + 1) * stride
    count, seen = work[_COUNT], work[_SEEN]
    planes[:] = 0.0
    boxes_left = 0
    # Step 1: which edges and boxes there are, and the free edges of each box.
    for i in range(size):
        row, col = i // stride, i % stride
        seen[i] = 0
        count[i] = 0
        planes[ON_BOARD, i] = 1.0
        if col < cols:
            planes[HAS_H, i] = 1.0
            planes[FREE_H, i] = free[0, i]
        if row < rows:
            planes[HAS_V, i] = 1.0
            planes[FREE_V, i] = free[1, i]
        if row < rows and col < cols:
            planes[HAS_BOX, i] = 1.0
            edges = free[0, i] + free[0, i + stride] + free[1, i] + free[1, i + 1]
            count[i] = edges
            if edges:
                boxes_left += 1
                planes[ONE_FREE + edges - 1, i] = 1.0
    # Step 2: the safe edges, with a junction or the ground on both sides.
    safe = 0
    free_edges = 0
    for i in range(size):
        row, col = i // stride, i % stride
        if free[0, i]:
            free_edges += 1
            if (row == 0 or count[i - stride] > 2) and (row == rows or count[i] > 2):
                planes[SAFE_H, i] = 1.0
                safe += 1
        if free[1, i]:
            free_edges += 1
            if (col == 0 or count[i - 1] > 2) and (col == cols or count[i] > 2):
                planes[SAFE_V, i] = 1.0
                safe += 1
    # Step 3: the chains and loops.
    long_chains = 0
    for i in range(size):
        if count[i] == 2 and seen[i] == 0:
            long_chains += fill_chain(i, free, stride, planes, work)
    # Step 4: the planes that are the same everywhere. Without a double-cross, each box left takes
    # one stroke of its own, and the other strokes pass the turn.
    turns = free_edges - boxes_left
    for i in range(size):
        planes[TURNS_ODD, i] = turns & 1
        planes[CONTROL_ODD, i] = (turns + long_chains) & 1
        planes[BOXES_ODD, i] = boxes_left & 1
        planes[SAFE_ODD, i] = safe & 1
        planes[SHARE_LEFT, i] = boxes_left / (rows * cols)
        planes[BOXES_LEFT, i] = boxes_left / _BOXES_UNIT


@kernel
def fill_chain(start: int, free: Any, stride: int, planes: Any, work: Any) -> int:
    """Write the planes of the chain or loop with the box `start`; return 1 for a long chain."""
    count, seen, found = work[_COUNT], work[_SEEN], work[_STACK]
    # `found` has the boxes of the chain; those before `done` have been left over all their edges.
    found[0] = start
    seen[start] = 1
    length = 1
    done = 0
    inner = 0
    alone = 1.0
    while done < length:
        i = found[done]
        done += 1
        for side in range(4):
            if side == 0:
                is_free, other = free[0, i], i - stride
            elif side == 1:
                is_free, other = free[0, i + stride], i + stride
            elif side == 2:
                # The cell on the left of the first column is in another row, and has no box.
                is_free, other = free[1, i], i - 1
            else:
                is_free, other = free[1, i + 1], i + 1
            if is_free == 0 or other < 0:
                continue
            if count[other] > 2:
                alone = 0.0
            elif count[other] == 2:
                inner += 1
                if seen[other] == 0:
                    seen[other] = 1
                    found[length] = other
                    length += 1
    # Each edge inside was met from both sides.
    loop = inner == 2 * length
    for k in range(length):
        i = found[k]
        planes[LENGTH, i] = length / _LENGTH_UNIT
        planes[INDEPENDENT, i] = alone
        if loop:
            planes[LOOP, i] = 1.0
        elif length == 1:
            planes[CHAIN_OF_1, i] = 1.0
        elif length == 2:
            planes[CHAIN_OF_2, i] = 1.0
        else:
            planes[LONG_CHAIN, i] = 1.0
    return 1 if length > 2 and not loop else 0
