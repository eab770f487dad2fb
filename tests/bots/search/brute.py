"""Compute values by brute force, for the tests of the solver: every move of every position.

Theory of operation
-------------------
With k free edges there are 2**k later positions, one for each set of edges drawn from here on.
Their values go into a table of that size, from the last position back: the best over all free
edges, where a stroke that completes boxes keeps the turn. No capture is forced, no structure is
recognised and no positions are identified with each other, so this code shares nothing with the
solver that it checks. As a compiled loop it solves all of 3x3 (16 million positions) in a second
or two.
"""

from __future__ import annotations

from functools import cache
from random import Random

import numba
import numpy as np
from numpy.typing import NDArray

from doublecross.games.dots_and_boxes.board import GROUND, Board, board


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
    """Return the value, for the mover, of each position that `edges` can become.

    Bit i of the index means that the i-th free edge is drawn too.
    """
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
    """Return the value of every position of a board, indexed by its set of drawn edges."""
    return table_from(board(rows, cols), 0)


def value_of(shape: Board, edges: int) -> int:
    """Return the value of one position with about 20 free edges at most."""
    return int(table_from(shape, edges)[0])


def quiet(shape: Board, edges: int) -> bool:
    """Return whether no box can be captured."""
    return all((edges & mask).bit_count() != 3 for mask in shape.box_masks)


def random_quiet(shape: Board, rng: Random, free: int) -> int:
    """Return a position with nothing to capture and 4 to `free` free edges.

    Some boxes, most of them neighbours, keep their edges between each other and to the ground;
    all other edges are drawn. Then some of these edges are drawn too, as long as each box keeps
    two. So junctions, chains between them and back to themselves, and loops all occur, on a
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
    """Return boxes of which most have one or preferably two others beside them."""
    left = {rng.randrange(shape.num_boxes)}
    beside = _neighbours(shape)
    while len(left) < number:
        rim = [other for box in sorted(left) for other in beside[box] if other not in left]
        if rng.random() < 0.1 or not rim:
            rim = [box for box in range(shape.num_boxes) if box not in left]
        left.add(max(rng.choices(rim, k=2), key=rim.count))
    return left


def _drawn_around(shape: Board, left: set[int]) -> int:
    """Draw all edges except those between boxes of `left` and from them to the ground."""
    inside = left | {GROUND}
    return shape.full & ~sum(
        1 << edge for edge, sides in enumerate(shape.edge_boxes) if inside.issuperset(sides)
    )


def random_position(shape: Board, rng: Random, free: int) -> int:
    """Return any position with `free` free edges."""
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
