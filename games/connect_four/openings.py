"""Fair openings of Connect Four: discs dropped in turn after which nobody could win at once.

Openings are compared as positions up to the board's mirror image, and given in a canonical form:
of the two images the smaller one, its discs dropped in an order that always takes the leftmost
column that leads there.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from random import Random
from typing import TypeAlias

from games.api import Openings
from games.connect_four.board import ColumnBoard
from games.openings import BUDGET, BudgetError, Opening, check_request, collect

Columns: TypeAlias = tuple[tuple[int, ...], ...]
"""A position: for each column the seats of its discs, the lowest first."""


def default_length(board: ColumnBoard) -> int:
    """Return the discs in an opening when nobody says: 2 on small boards, 4 from 25 cells on.

    Both are even, so the seats have as many discs each and seat 0 moves.
    """
    return 2 if board.num_cells < 25 else 4


def find_openings(board: ColumnBoard, rng: Random, n: int, length: int) -> Openings:
    """Return `n` openings of `length` discs in canonical form, or all that the board has.

    Raises:
        BadParameter: `n` or `length` below zero, `length` beyond the board, or openings of that
            length are too rare to find and too many to search through.
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
    """Return whether there is room and neither seat has a line or completes one with a disc."""
    free = [col for col, column in enumerate(columns) if len(column) < board.rows]
    for seat in (0, 1):
        discs = _discs(board, columns, seat)
        if any(board.has_line(discs | board.bit(col, len(columns[col]))) for col in free):
            return False
    return bool(free)


def _dropped(columns: Columns, col: int, seat: int) -> Columns:
    """Return `columns` with one more disc."""
    return (*columns[:col], (*columns[col], seat), *columns[col + 1 :])


def _canonical(columns: Columns) -> Columns:
    """Return the smaller one of a position and its mirror image."""
    return min(columns, columns[::-1])


def _in_turn(columns: Columns) -> Opening:
    """Return an order of dropping the discs of a reachable position in turn from seat 0.

    Columns are tried from the left; heights from which nothing led to the end are tried once.
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
    """Return random drops in canonical form; None when the position is not fair."""
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
        BudgetError: more positions than the budget allows had to be looked at.
    """
    positions: set[Columns] = {((),) * board.cols}
    visited = 0
    for turn in range(length):
        following: set[Columns] = set()
        for columns in positions:
            for col, column in enumerate(columns):
                visited += 1
                # Looking at a position here costs about as much as ten nodes of the budget.
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
