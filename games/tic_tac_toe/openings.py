"""Find fair openings of tic-tac-toe: positions where neither seat is one mark from a line.

Where a seat could complete a line with its next mark, the game is decided or the next move forced.
Such a game does not show who plays better. Openings are compared as positions up to symmetry and
returned in a canonical form: the smallest image of the position under the symmetries of the
board, with the cells of each seat in ascending order.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import combinations
from random import Random

from doublecross.games.api import Openings
from doublecross.games.openings import BUDGET, BudgetError, Opening, check_request, collect
from doublecross.games.tic_tac_toe.grid import Grid


def find_openings(grid: Grid, rng: Random, n: int, length: int) -> Openings:
    """Return `n` openings of `length` marks in canonical form, or all that the board has.

    Raises:
        BadParameter: `n` or `length` is below zero, `length` exceeds the board, or openings of
            that length are too rare to draw and too many to search.
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
    """Return the canonical form of a position, as marks made in turn from seat 0."""
    return min(
        _in_turn(sorted(image[c] for c in opening[::2]), sorted(image[c] for c in opening[1::2]))
        for image in grid.symmetries
    )


def _in_turn(first: list[int], second: list[int]) -> Opening:
    """Return the cells of both seats as marks made in turn from seat 0."""
    cells = [0] * (len(first) + len(second))
    cells[::2], cells[1::2] = first, second
    return tuple(cells)


def _is_fair(grid: Grid, opening: Opening) -> bool:
    """Return whether a cell is empty and no seat has a line or is one mark from one."""
    marks = [sum(1 << cell for cell in opening[seat::2]) for seat in (0, 1)]
    for mine, theirs in (marks, marks[::-1]):
        for line in grid.all_lines:
            if not line & theirs and (line & mine).bit_count() >= grid.line - 1:
                return False
    return marks[0] | marks[1] != grid.full


def _draw(grid: Grid, length: int, rng: Random) -> Opening | None:
    """Return an opening of random marks, or None when it is not fair."""
    opening = tuple(rng.sample(range(grid.num_cells), length))
    return canonical(grid, opening) if _is_fair(grid, opening) else None


def _everything(grid: Grid, length: int) -> Iterator[Opening]:
    """Yield each fair opening of `length` marks once, in canonical form.

    Raises:
        BudgetError: there are more positions than the budget allows.
    """
    visited = 0
    cells = range(grid.num_cells)
    for first in combinations(cells, (length + 1) // 2):
        empty = [cell for cell in cells if cell not in first]
        for second in combinations(empty, length // 2):
            visited += 1
            # Checking a position takes about as long as ten nodes of the search for which
            # `BUDGET` was chosen.
            if visited > BUDGET // 10:
                raise BudgetError
            opening = _in_turn(list(first), list(second))
            if canonical(grid, opening) == opening and _is_fair(grid, opening):
                yield opening
