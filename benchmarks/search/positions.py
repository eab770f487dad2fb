"""Draw random positions of careful play to solve, the same ones in every run.

A game starts with the empty board and continues with random *safe* edges, which give no box its
third edge, until a number of edges is free. Such positions are hard: nothing can be captured, and
it is still open who must open the first chain.
"""

from __future__ import annotations

from random import Random
from typing import Final

from benchmarks.processes import BenchmarkError
from doublecross.games.dots_and_boxes.board import GROUND, Board

_TRIES: Final = 10_000
"""Give up after so many games in a row that ran out of safe edges."""


def safe_edges(board: Board, edges: int) -> list[int]:
    """Return the free edges that give no box its third edge; `edges` are drawn already."""
    full = [(edges & mask).bit_count() >= 2 for mask in board.box_masks]
    return [
        edge
        for edge in board.members(board.full & ~edges)
        if not any(side != GROUND and full[side] for side in board.edge_boxes[edge])
    ]


def careful(board: Board, rng: Random, free: int) -> int | None:
    """Draw random safe edges until `free` edges are left; return the drawn edges.

    Return None if the game runs out of safe edges first.
    """
    edges = 0
    for _ in range(board.num_edges - free):
        safe = safe_edges(board, edges)
        if not safe:
            return None
        # `random` is the only method of `Random` that gives the same numbers in all versions.
        edges |= 1 << safe[int(rng.random() * len(safe))]
    return edges


def sample(board: Board, free: int, count: int, seed: int) -> list[int]:
    """Return `count` positions of careful play with `free` free edges.

    Games that run out of safe edges first are skipped.

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
