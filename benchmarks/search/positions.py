"""Positions of careful play to solve, drawn at random and the same for every run.

A game begins with the empty board and goes on with random *safe* edges, which give no box its
third edge, until so many edges are free. Such positions are the hard ones: nothing can be
captured, and who will have to open the first chain is still to be fought out.
"""

from __future__ import annotations

from random import Random
from typing import Final

from benchmarks.processes import BenchmarkError
from games.dots_and_boxes.board import GROUND, Board

_TRIES: Final = 10_000
"""Games in a row that may run out of safe edges before it is taken for the rule."""


def safe_edges(board: Board, edges: int) -> list[int]:
    """The free edges, `edges` being drawn, that give no box its third edge."""
    full = [(edges & mask).bit_count() >= 2 for mask in board.box_masks]
    return [
        edge
        for edge in board.members(board.full & ~edges)
        if not any(side != GROUND and full[side] for side in board.edge_boxes[edge])
    ]


def careful(board: Board, rng: Random, free: int) -> int | None:
    """The drawn edges after random safe ones until `free` are left; None when the game ran out
    of safe edges before."""
    edges = 0
    for _ in range(board.num_edges - free):
        safe = safe_edges(board, edges)
        if not safe:
            return None
        # The one method of `Random` that all versions of Python promise to keep as it is.
        edges |= 1 << safe[int(rng.random() * len(safe))]
    return edges


def sample(board: Board, free: int, count: int, seed: int) -> list[int]:
    """`count` positions of careful play with `free` free edges; games that run out of safe edges
    before are skipped.

    Raises:
        BenchmarkError: such positions are too rare to be found this way.
    """
    rng = Random(seed)
    found: list[int] = []
    tries = 0
    while len(found) < count:
        edges = careful(board, rng, free)
        tries += 1
        if edges is not None:
            found.append(edges)
            tries = 0
        elif tries == _TRIES:
            size = f"{board.rows}x{board.cols}"
            raise BenchmarkError(f"Careful play hardly ever leaves {free} free edges on {size}.")
    return found
