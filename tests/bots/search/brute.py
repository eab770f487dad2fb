"""Values by brute force, for the tests of the solver: every move of every position, nothing else.

Theory of operation
-------------------
With k free edges there are 2**k positions to come, one for each set of edges drawn from here on.
Their values go into a table of that size from the last position back: the best over all free
edges, where a stroke that completes boxes keeps the turn. No capture is forced, no structure is
seen, no position is taken for another, so it shares nothing with what it is held against. As a
compiled loop it does 3x3 as a whole (16 million positions) in a second or two.
"""

from __future__ import annotations

from functools import cache
from random import Random

import numba
import numpy as np
from numpy.typing import NDArray

from games.dots_and_boxes.board import GROUND, Board, board


@numba.njit
def _fill(values: NDArray[np.int8], sides: NDArray[np.int64]) -> None:
    edges = sides.shape[0]
    values[-1] = 0
    for drawn in range(len(values) - 2, -1, -1):
        best = -127
        for edge in range(edges):
            bit = 1 << edge
            if drawn & bit:
                continue
            after = drawn | bit
            gain = 0
            for side in range(2):
                if after & sides[edge, side] == sides[edge, side]:
                    gain += 1
            value = gain + values[after] if gain else -values[after]
            best = max(best, value)
        values[drawn] = best


def table_from(shape: Board, edges: int) -> NDArray[np.int8]:
    """The value, for its player to move and from there on, of each position that `edges` can
    become; bit i of the index: the i-th free edge is drawn too."""
    free = shape.members(shape.full & ~edges)
    place = {edge: 1 << at for at, edge in enumerate(free)}
    never = 1 << len(free)
    sides = np.full((max(1, len(free)), 2), never, np.int64)
    for at, edge in enumerate(free):
        for side, box in enumerate(shape.edge_boxes[edge]):
            if box != GROUND:
                sides[at, side] = sum(place.get(other, 0) for other in shape.box_edges[box])
    values = np.zeros(never, np.int8)
    if free:
        _fill(values, sides)
    return values


@cache
def table(rows: int, cols: int) -> NDArray[np.int8]:
    """The value of every position of a board, by its set of drawn edges."""
    return table_from(board(rows, cols), 0)


def value_of(shape: Board, edges: int) -> int:
    """The value of one position, with 20 free edges or so at the most."""
    return int(table_from(shape, edges)[0])


def quiet(shape: Board, edges: int) -> bool:
    """Whether nothing can be captured."""
    return all((edges & mask).bit_count() != 3 for mask in shape.box_masks)


def random_quiet(shape: Board, rng: Random, free: int) -> int:
    """A position with nothing to capture and from 4 to `free` free edges.

    Some boxes, most of them next to each other, are left over from the board with the edges
    between them and to the ground; of these edges some more are drawn, as long as each box keeps
    two. So junctions, chains between them and back to themselves, and loops all come up, on a
    board of any size.
    """
    while True:
        left = _some_boxes(shape, rng, rng.randint(1, min(shape.num_boxes, free)))
        edges = _drawn_around(shape, left)
        while poor := {box for box in left if (edges & shape.box_masks[box]).bit_count() > 2}:
            left -= poor
            edges = _drawn_around(shape, left)
        candidates = shape.members(shape.full & ~edges)
        rng.shuffle(candidates)
        for edge in candidates:
            if (shape.full & ~edges).bit_count() <= free and rng.random() < 0.2:
                break
            after = edges | 1 << edge
            if all((after & shape.box_masks[box]).bit_count() <= 2 for box in left):
                edges = after
        if 4 <= (shape.full & ~edges).bit_count() <= free:
            return edges


def _some_boxes(shape: Board, rng: Random, number: int) -> set[int]:
    """Boxes of which most have one or, better, two others at their side."""
    left = {rng.randrange(shape.num_boxes)}
    beside = _neighbours(shape)
    while len(left) < number:
        rim = [other for box in sorted(left) for other in beside[box] if other not in left]
        if rng.random() < 0.1 or not rim:
            rim = [box for box in range(shape.num_boxes) if box not in left]
        left.add(max(rng.choices(rim, k=2), key=rim.count))
    return left


def _drawn_around(shape: Board, left: set[int]) -> int:
    """All edges drawn but those between boxes of `left` and from them to the ground."""
    inside = left | {GROUND}
    return shape.full & ~sum(
        1 << edge for edge, sides in enumerate(shape.edge_boxes) if inside.issuperset(sides)
    )


def random_position(shape: Board, rng: Random, free: int) -> int:
    """Any position with `free` free edges."""
    edges = shape.full
    for edge in rng.sample(range(shape.num_edges), free):
        edges ^= 1 << edge
    return edges


@cache
def _neighbours(shape: Board) -> tuple[tuple[int, ...], ...]:
    found: list[set[int]] = [set() for _ in range(shape.num_boxes)]
    for a, b in shape.edge_boxes:
        if GROUND not in (a, b):
            found[a].add(b)
            found[b].add(a)
    return tuple(tuple(sorted(boxes)) for boxes in found)
