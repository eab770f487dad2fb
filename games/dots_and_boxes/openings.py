"""Find fair openings of Dots and Boxes: sets of safe edges, no two equal up to symmetry.

Such an opening gives no box its third edge. Therefore the first mover has nothing to capture, and
the fight over chains is still to come. Openings are compared and returned in a canonical form: of
the images of a set under the symmetries of the board, as sorted tuples, the smallest.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from math import ceil, sqrt
from random import Random

from doublecross.games.api import Openings
from doublecross.games.dots_and_boxes.board import GROUND, Board
from doublecross.games.openings import BUDGET, BudgetError, Opening, check_request, collect


def default_length(board: Board) -> int:
    """Return the default length of an opening: half the root of the number of edges, rounded up.

    That is 1 on 1x1, 2 on 2x2, 3 on 3x3, 4 on 4x4 and 5x5, 8 on 10x10. From 3x3 on this allows
    hundreds of different openings, and leaves nearly the whole game to be played.
    """
    return ceil(sqrt(board.num_edges) / 2)


def find_openings(board: Board, rng: Random, n: int, length: int) -> Openings:
    """Return `n` openings of `length` safe edges in canonical form, or all that the board has.

    Raises:
        BadParameter: `n` or `length` is below zero, `length` exceeds the board, or openings of
            that length are too rare to draw and too many to search.
    """
    check_request(n, length, board.num_edges, "edge")
    return collect(
        rng,
        n,
        partial(_draw, board, length),
        partial(_everything, board, length),
        f"of {length} safe edge{'' if length == 1 else 's'} on {board.rows}x{board.cols}",
    )


def canonical(board: Board, opening: Opening) -> Opening:
    """Return the smallest image of a set of edges under the board's symmetries, sorted."""
    return min(tuple(sorted(image[edge] for edge in opening)) for image in board.symmetries)


def _without_unsafe(board: Board, free: int, edges: int, edge: int) -> int:
    """Return the set `free` without `edge` and without the edges that it makes unsafe.

    `edges` is the set of drawn edges, `edge` included.
    """
    free &= ~(1 << edge)
    for box in board.edge_boxes[edge]:
        if box != GROUND and (edges & board.box_masks[box]).bit_count() >= 2:
            free &= ~board.box_masks[box]
    return free


def _most_safe(board: Board) -> int:
    """Return an upper bound on the size of a set of safe edges.

    Each box allows at most two, and an edge of the border counts for one box only.
    """
    places = 2 * board.num_boxes
    border = min(2 * (board.rows + board.cols), places)
    return border + (places - border) // 2


def _draw(board: Board, length: int, rng: Random) -> Opening | None:
    """Return an opening of random safe edges, or None when they run out before `length`."""
    edges, free = 0, board.full
    chosen = []
    for _ in range(length):
        if not free:
            return None
        edge = rng.choice(board.members(free))
        chosen.append(edge)
        edges |= 1 << edge
        free = _without_unsafe(board, free, edges, edge)
    return canonical(board, tuple(chosen))


def _everything(board: Board, length: int) -> Iterator[Opening]:
    """Yield each opening of `length` safe edges once, in canonical form.

    Raises:
        BudgetError: the search visited more than `BUDGET` sets of edges.
    """
    # Search depth first. The stack has (set of edges, edges that may still be added, their list).
    # Edges are added in ascending order, so the search visits each set once. It yields a set only
    # in its canonical form, so it yields each class of symmetric sets once.
    if length > _most_safe(board):
        return
    stack: list[tuple[int, int, Opening]] = [(0, board.full, ())]
    visited = 0
    while stack:
        edges, free, chosen = stack.pop()
        visited += 1
        if visited > BUDGET:
            raise BudgetError
        missing = length - len(chosen)
        if not missing:
            if canonical(board, chosen) == chosen:
                yield chosen
            continue
        if free.bit_count() < missing:
            continue
        for edge in board.members(free):
            free &= ~(1 << edge)
            grown = edges | 1 << edge
            rest = _without_unsafe(board, free, grown, edge)
            stack.append((grown, rest, (*chosen, edge)))
