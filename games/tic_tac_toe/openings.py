"""Fair openings of tic-tac-toe: marks made in turn that leave nobody one mark from a line.

A position where either seat could complete a line with its next mark is decided, or its next move
is forced, so it says nothing about who plays better. Openings are compared as positions up to
symmetry, and given in a canonical form: the cells of each seat ascending, the smallest image of
the position under the board's symmetries.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import combinations
from random import Random

from games.api import Openings
from games.openings import BUDGET, BudgetError, Opening, check_request, collect
from games.tic_tac_toe.grid import Grid


def default_length(grid: Grid) -> int:
    """Marks in an opening when nobody says: 2 on small boards, 4 from 25 cells on.

    Both are even, so the seats have as many marks each and seat 0 moves.
    """
    return 2 if grid.num_cells < 25 else 4


def find_openings(grid: Grid, rng: Random, n: int, length: int) -> Openings:
    """`n` openings of `length` marks in canonical form, or all that the board has.

    Raises:
        BadParameter: `n` or `length` below zero, `length` beyond the board, or openings of that
            length are too rare to find and too many to search through.
    """
    check_request(n, length, grid.num_cells, "mark")
    return collect(
        rng,
        n,
        partial(_draw, grid, length),
        partial(_everything, grid, length),
        f"of {length} mark{'' if length == 1 else 's'}"
        f" on {grid.rows}x{grid.cols} with {grid.line} in a row",
    )


def canonical(grid: Grid, opening: Opening) -> Opening:
    """The smallest image of a position under the board's symmetries, as marks made in turn."""
    return min(
        _in_turn(sorted(image[c] for c in opening[::2]), sorted(image[c] for c in opening[1::2]))
        for image in grid.symmetries
    )


def _in_turn(first: list[int], second: list[int]) -> Opening:
    """The cells of both seats as marks made in turn from seat 0."""
    cells = [0] * (len(first) + len(second))
    cells[::2], cells[1::2] = first, second
    return tuple(cells)


def _is_fair(grid: Grid, opening: Opening) -> bool:
    """Whether a cell is left and no seat is one mark from a line or has one."""
    marks = [sum(1 << cell for cell in opening[seat::2]) for seat in (0, 1)]
    for mine, theirs in (marks, marks[::-1]):
        for line in grid.all_lines:
            if not line & theirs and (line & mine).bit_count() >= grid.line - 1:
                return False
    return marks[0] | marks[1] != grid.full


def _draw(grid: Grid, length: int, rng: Random) -> Opening | None:
    """Random marks; None when the position is not fair."""
    opening = tuple(rng.sample(range(grid.num_cells), length))
    return canonical(grid, opening) if _is_fair(grid, opening) else None


def _everything(grid: Grid, length: int) -> Iterator[Opening]:
    """Each fair opening of `length` marks once, in canonical form.

    Raises:
        BudgetError: more positions than the budget allows had to be looked at.
    """
    visited = 0
    cells = range(grid.num_cells)
    for first in combinations(cells, (length + 1) // 2):
        empty = [cell for cell in cells if cell not in first]
        for second in combinations(empty, length // 2):
            visited += 1
            # Looking at a position here costs about as much as ten nodes of the common budget.
            if visited > BUDGET // 10:
                raise BudgetError
            opening = _in_turn(list(first), list(second))
            if canonical(grid, opening) == opening and _is_fair(grid, opening):
                yield opening
