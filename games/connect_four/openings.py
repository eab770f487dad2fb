"""Find fair openings of Connect Four: positions where neither seat could win with one disc.

Openings are compared as positions up to the mirror image of the board. They are returned in a
canonical form: the lexicographically first order of drops that leads to the smaller image.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from random import Random
from typing import TypeAlias

from doublecross.games.api import Openings
from doublecross.games.connect_four.board import ColumnBoard
from doublecross.games.openings import BUDGET, BudgetError, Opening, check_request, collect

Columns: TypeAlias = tuple[tuple[int, ...], ...]
"""A position: for each column the seats of its discs, the lowest first."""


def find_openings(board: ColumnBoard, rng: Random, n: int, length: int) -> Openings:
    """Return `n` openings of `length` discs in canonical form, or all that the board has.

    Raises:
        BadParameter: `n` or `length` is below zero, `length` exceeds the board, or openings of
            that length are too rare to draw and too many to search.
    """
    check_request(n, length, board.num_cells, "disc")
    return collect(
        rng,
        n,
        partial(_draw, board, length),
        partial(_everything, board, length),
        f"of {length} disc{'' if length == 1 else 's'}"
        f" on {board.rows}x{board.cols} with {board.line} in a row",
    )


def _discs(board: ColumnBoard, columns: Columns, seat: int) -> int:
    """Return the discs of `seat` as a set of bits."""
    return sum(
        board.bit(col, height)
        for col, column in enumerate(columns)
        for height, owner in enumerate(column)
        if owner == seat
    )


def _is_fair(board: ColumnBoard, columns: Columns) -> bool:
    """Return whether a column has room and no seat has a line or is one disc from one."""
    free = [col for col, column in enumerate(columns) if len(column) < board.rows]
    for seat in (0, 1):
        discs = _discs(board, columns, seat)
        if any(board.has_line(discs | board.bit(col, len(columns[col]))) for col in free):
            return False
    return bool(free)


def _dropped(columns: Columns, col: int, seat: int) -> Columns:
    """Return `columns` after `seat` has dropped a disc into column `col`."""
    return (*columns[:col], (*columns[col], seat), *columns[col + 1 :])


def _canonical(columns: Columns) -> Columns:
    """Return the smaller one of a position and its mirror image."""
    return min(columns, columns[::-1])


def _in_turn(columns: Columns) -> Opening:
    """Return the columns in an order of drops, in turn from seat 0, that leads to a position.

    The position must be reachable. The search tries columns from the left and backtracks; it
    remembers heights from which no order leads to the end.
    """
    total = sum(map(len, columns))
    heights = [0] * len(columns)
    order: list[int] = []
    dead: set[tuple[int, ...]] = set()
    first = 0
    while len(order) < total:
        seat = len(order) % 2
        for col in range(first, len(columns)):
            if heights[col] < len(columns[col]) and columns[col][heights[col]] == seat:
                heights[col] += 1
                if tuple(heights) not in dead:
                    order.append(col)
                    first = 0
                    break
                heights[col] -= 1
        else:
            dead.add(tuple(heights))
            first = order.pop()
            heights[first] -= 1
            first += 1
    return tuple(order)


def _draw(board: ColumnBoard, length: int, rng: Random) -> Opening | None:
    """Return an opening of random drops in canonical form, or None when it is not fair."""
    columns: Columns = ((),) * board.cols
    for turn in range(length):
        free = [col for col, column in enumerate(columns) if len(column) < board.rows]
        columns = _dropped(columns, rng.choice(free), turn % 2)
        if board.has_line(_discs(board, columns, turn % 2)):
            return None
    return _in_turn(_canonical(columns)) if _is_fair(board, columns) else None


def _everything(board: ColumnBoard, length: int) -> Iterator[Opening]:
    """Yield each fair opening of `length` discs once, in canonical form.

    Raises:
        BudgetError: there are more positions than the budget allows.
    """
    positions: set[Columns] = {((),) * board.cols}
    visited = 0
    for turn in range(length):
        following: set[Columns] = set()
        for columns in positions:
            for col, column in enumerate(columns):
                visited += 1
                # Checking a position takes about as long as ten nodes of the search for
                # which `BUDGET` was chosen.
                if visited > BUDGET // 10:
                    raise BudgetError
                if len(column) < board.rows:
                    after = _canonical(_dropped(columns, col, turn % 2))
                    if after not in following and not board.has_line(
                        _discs(board, after, turn % 2)
                    ):
                        following.add(after)
        positions = following
    for columns in sorted(positions):
        if _is_fair(board, columns):
            yield _in_turn(columns)
