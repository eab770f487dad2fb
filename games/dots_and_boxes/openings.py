"""Fair openings of Dots and Boxes: sets of safe edges, no two equal up to symmetry.

An opening here gives no box its third edge, so whoever moves first has nothing to take, and what
is left is the fight over chains that the game is about. Openings are compared and given in a
canonical form: the smallest, as a sorted tuple, of the set's images under the board's symmetries.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from math import ceil, sqrt
from random import Random

from games.api import Openings
from games.dots_and_boxes.board import GROUND, Board
from games.openings import BUDGET, BudgetError, Opening, check_request, collect


def default_length(board: Board) -> int:
    """Edges in an opening when nobody says: half the root of the edges, rounded up.

    That is 1 on 1x1, 2 on 2x2, 3 on 3x3, 4 on 4x4 and 5x5, 8 on 10x10: enough for hundreds of
    different openings from 3x3 on, few enough that nearly the whole game is still to be played.
    """
    return ceil(sqrt(board.num_edges) / 2)


def find_openings(board: Board, rng: Random, n: int, length: int) -> Openings:
    """`n` openings of `length` safe edges in canonical form, or all that the board has.

    Raises:
        BadParameter: `n` or `length` below zero, `length` beyond the board, or openings of that
            length are too rare to find and too many to search through.
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
    """The smallest image of a set of edges under the board's symmetries, sorted."""
    return min(tuple(sorted(image[edge] for edge in opening)) for image in board.symmetries)


def _without_unsafe(board: Board, free: int, edges: int, edge: int) -> int:
    """`free` less `edge` and less the edges that `edge`, drawn in `edges`, makes unsafe."""
    free &= ~(1 << edge)
    for box in board.edge_boxes[edge]:
        if box != GROUND and (edges & board.box_masks[box]).bit_count() >= 2:
            free &= ~board.box_masks[box]
    return free


def _most_safe(board: Board) -> int:
    """A bound on how many edges can be safe together.

    Each box takes at most two, and an edge of the border counts for one box only.
    """
    places = 2 * board.num_boxes
    border = min(2 * (board.rows + board.cols), places)
    return border + (places - border) // 2


def _draw(board: Board, length: int, rng: Random) -> Opening | None:
    """Safe edges drawn one by one; None when they ran out too early."""
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
    """Each opening of `length` safe edges once, in canonical form.

    Raises:
        BudgetError: more than `BUDGET` sets of edges were visited.
    """
    # Depth first with our own stack: (edges so far, edges that may still be added, chosen). A set
    # is built in ascending order, so it is visited once, and kept only if it is its own canonical
    # form, so each class is kept once.
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
