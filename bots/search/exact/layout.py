"""Represent a board as two words of edges, with tables that give equal positions equal keys.

Theory of operation
-------------------
With C columns the stride is C + 1. Box (r, c) has bit ``r*stride + c``. The word H has the free
(undrawn) horizontal edge above that box at the same bit, so the edge below the box is ``stride``
bits higher. The word V has the free edge on the left of the box at the same bit, and the edge on
its right at the next bit. The four edges of all boxes are therefore four words: H, H >> stride, V
and V >> 1. A few operations count free edges or find chains on the whole board. Both words need
(R+1)(C+1) bits. Boards up to 7x7 have words of 64 bits, larger boards words of 128 bits, which
suffice up to 10x10.

A key is the smallest of 8 sums, one for each symmetry of the board (a rectangle has 4, each
twice). A safe edge adds the random number of its image; a table look-up adds eight edges at once,
as a byte. A chain between two junctions adds the product of a number for its ends and a number for
its length, because the course of the chain does not matter. See
`doublecross.bots.search.exact.structure`. A key may also be the first sum alone, which costs less.
Then images have different keys. Both kinds can share a table, because a sum of any kind determines
the position up to its image.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, reduce
from itertools import combinations
from operator import or_
from random import Random
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from doublecross.bots.search.wide import NARROW, WordKind, word_kind
from doublecross.games.dots_and_boxes.board import GROUND, Board
from doublecross.games.dots_and_boxes.board import board as board_of

Words = NDArray[np.uint64]

LANES = 8
"""The number of sums for a key."""

# Indices into `LayoutTables.masks`.
BOX, TOP, BOTTOM, LEFT, RIGHT, FULL_H, FULL_V, STRIDE, IMAGES = range(9)

# The keys must be equal in all processes that share a table.
_SEED = 20120722


class LayoutTables(NamedTuple):
    """The tables of a board for the kernels.

    `masks` (9 words): the boxes, the edges of the upper, lower, left and right border, all H and V
    edges, the stride, and whether keys are the same for all images of a position (1 or 0).
    `safe` (2 * bytes of a word x 256 x 8): the part of a key for safe edges, by the byte of H or V
    (H first), the value of the byte, and the lane (one of the 8 sums).
    `pairs` ((boxes + 1)**2 x 8): the part of a key for the two ends of a chain, by the ends (the
    last number is the ground) and the lane; `lengths` (bits of a word): the factor for the chain's
    length.
    `single` (2 x bits of a word): the part of a key for an independent chain or loop, by its
    length.
    `number` (bits of a word + 1): the number of the box at a bit; that of the ground for other bits
    and for the last place.
    `corners` (n x 4): pairs of edges (word, bit, word, bit) that are interchangeable, because both
    join one box to the ground.
    """

    masks: Words
    safe: Words
    pairs: Words
    lengths: Words
    single: Words
    number: NDArray[np.int64]
    corners: NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class EdgeLayout:
    """The words and tables of one board size; `layout` makes it.

    `place` has the word (0: H, 1: V) and the bit of each edge. `kind` makes the words.
    """

    board: Board
    kind: WordKind
    place: tuple[tuple[int, int], ...]
    tables: LayoutTables

    def words(self, edges: int) -> tuple[int, int]:
        """Return the words H and V of the free edges, given the set of drawn `edges`."""
        words = [0, 0]
        for edge in self.board.members(self.board.full & ~edges):
            word, bit = self.place[edge]
            words[word] |= 1 << bit
        return words[0], words[1]


@cache
def twins(board: Board) -> tuple[tuple[int, int], ...]:
    """Return all pairs of interchangeable edges, box by box, the lower edge first.

    Two edges are interchangeable if both join the same box to the ground.
    """
    return tuple(
        pair
        for edges in board.box_edges
        for pair in combinations([e for e in edges if GROUND in board.edge_boxes[e]], 2)
    )


def free_twin(board: Board, edges: int, edge: int) -> int:
    """Return a free edge that is interchangeable with `edge`; `edges` are the drawn edges.

    Raises:
        StopIteration: there is no such edge.
    """
    return next(
        other for pair in twins(board) if edge in pair for other in pair if not edges >> other & 1
    )


@cache
def layout(board: Board) -> EdgeLayout:
    """Return the words and tables of `board`.

    Raises:
        ValueError: the board has more than 128 dots, which is more than the game allows.
    """
    stride = board.cols + 1
    kind = word_kind((board.rows + 1) * stride)
    horizontals = (board.rows + 1) * board.cols
    place = tuple(
        (0, edge // board.cols * stride + edge % board.cols)
        if edge < horizontals
        else (1, edge - horizontals)
        for edge in range(board.num_edges)
    )
    words = Random(_SEED)

    def draw() -> int:
        return words.getrandbits(64)

    images = list(board.symmetries)
    images = images * (LANES // len(images)) if LANES % len(images) == 0 else images
    boxes = [box // board.cols * stride + box % board.cols for box in range(board.num_boxes)]
    number = np.full(kind.bits + 1, board.num_boxes, np.int64)
    for box, bit in enumerate(boxes):
        number[bit] = box
    box_images = [_box_image(board, image) for image in images]
    edge_value = [draw() for _ in range(board.num_edges)]
    for first, second in twins(board):
        # Interchangeable edges have equal numbers, because `settle` may move the free edge to a
        # different one of the two in a mirrored position.
        edge_value[second] = edge_value[first]
    size = kind.bits // 8
    of_bit = np.zeros((2 * size, 8, LANES), np.uint64)
    for edge, (word, bit) in enumerate(place):
        of_bit[word * size + bit // 8, bit % 8] = [edge_value[image[edge]] for image in images]
    bits = np.arange(256)[:, None] >> np.arange(8) & 1
    safe = bits.astype(np.uint64) @ of_bit  # modulo 2**64
    ends = board.num_boxes + 1
    base: dict[tuple[int, int], int] = {}
    pairs = np.zeros((ends * ends, LANES), np.uint64)
    for a in range(ends):
        for b in range(a, ends):
            # Odd numbers, because multiplying by them loses no bits modulo 2**64.
            base[a, b] = draw() | 1
    for a in range(ends):
        for b in range(ends):
            for lane in range(LANES):
                x, y = box_images[lane][a], box_images[lane][b]
                pairs[a * ends + b, lane] = base[min(x, y), max(x, y)]
    lengths = np.array([draw() | 1 for _ in range(kind.bits)], np.uint64)
    single = np.array([[draw() for _ in range(kind.bits)] for _ in range(2)], np.uint64)
    return EdgeLayout(
        board,
        kind,
        place,
        LayoutTables(
            _masks(board, kind, stride),
            safe,
            pairs,
            lengths,
            single,
            number,
            # An empty list would give an array with the wrong number of axes.
            np.array([(*place[a], *place[b]) for a, b in twins(board)], np.int64).reshape(-1, 4),
        ),
    )


def kernels_for(name: str, shape: Board | None) -> tuple[str, Board]:
    """Return the name of the kernels for boards like `shape`, and a board to try them on.

    Boards with long words have their own kernels. Without `shape` the words are short.
    """
    if shape is None or layout(shape).kind is NARROW:
        return name, board_of(2, 2)
    return f"{name} (large boards)", shape


def corner(shape: Board) -> int:
    """Return the drawn edges of a position in which only the corner of 2x2 boxes is undrawn."""
    boxes = 0, 1, shape.cols, shape.cols + 1
    return shape.full & ~reduce(or_, (shape.box_masks[box] for box in boxes))


def _masks(board: Board, kind: WordKind, stride: int) -> Words:
    rows, cols = board.rows, board.cols
    across = (1 << cols) - 1
    down = sum(1 << row * stride for row in range(rows))
    masks = kind.array(9)
    masks[BOX] = across * down
    masks[TOP] = across
    masks[BOTTOM] = across << rows * stride
    masks[LEFT] = down
    masks[RIGHT] = down << cols
    masks[FULL_H] = across * (down | 1 << rows * stride)
    masks[FULL_V] = (2 * across + 1) * down
    masks[STRIDE] = stride
    masks[IMAGES] = 1
    return masks


def _box_image(board: Board, image: tuple[int, ...]) -> list[int]:
    """Return the image of each box under a symmetry; the last entry is the ground."""
    by_edges = {frozenset(edges): box for box, edges in enumerate(board.box_edges)}
    images = [by_edges[frozenset(image[edge] for edge in edges)] for edges in board.box_edges]
    return [*images, board.num_boxes]
