"""The fixed tables of a Connect Four board: cells as bits, lines and geometry.

Theory of operation
-------------------
The discs of a seat are a Python int. Column c with R rows takes R + 1 bits from ``c*(R+1)`` on,
the lowest cell first; the top bit of a column is always 0. Therefore a line in any direction is a
run of bits at a constant distance, and no run continues from one column into the next.

Cells of the geometry are numbered row by row from the top left, as in tic-tac-toe.

Source of the bitboard: J. Tromp, the Fhourstones benchmark.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property

from doublecross.games.api import Geometry, PieceStyle, Region
from doublecross.games.in_a_row import square_cells


@dataclass(frozen=True, eq=False)
class ColumnBoard:
    """The tables of one size; get it from `board`, which builds each size once.

    `line` is the number of discs in a row that win. `shifts` are the distances between neighbouring
    bits of a line, one for each direction.
    """

    rows: int
    cols: int
    line: int
    shifts: tuple[int, int, int, int]

    @property
    def num_cells(self) -> int:
        """The number of cells."""
        return self.rows * self.cols

    def bit(self, col: int, height: int) -> int:
        """Return the bit of the cell in column `col` at `height`, from 0 at the bottom."""
        return 1 << col * (self.rows + 1) + height

    def has_line(self, discs: int) -> bool:
        """Return whether `discs` contain a whole line."""
        for shift in self.shifts:
            starts = discs
            for _ in range(self.line - 1):
                starts &= starts >> shift
            if starts:
                return True
        return False

    def in_lines(self, discs: int) -> int:
        """Return the discs that are part of a whole line, as a set."""
        found = 0
        for shift in self.shifts:
            starts = discs
            for _ in range(self.line - 1):
                starts &= starts >> shift
            for step in range(self.line):
                found |= starts << step * shift
        return found

    @cached_property
    def cell_bits(self) -> tuple[int, ...]:
        """The bit of each cell of the geometry."""
        return tuple(
            self.bit(col, self.rows - 1 - row)
            for row in range(self.rows)
            for col in range(self.cols)
        )

    @cached_property
    def geometry(self) -> Geometry:
        """The holes of the board; each column is the region of its action."""
        points, cells = square_cells(self.rows, self.cols)
        low = self.rows * (self.cols + 1)
        columns = tuple(
            Region(col, (col, col + 1, low + col + 1, low + col)) for col in range(self.cols)
        )
        return Geometry(
            self.cols, self.rows, points, (), cells, columns, PieceStyle.DISC, dots=False
        )


@cache
def board(rows: int, cols: int, line: int) -> ColumnBoard:
    """Return the tables of `rows` x `cols` cells with `line` in a row to win."""
    return ColumnBoard(rows, cols, line, (1, rows, rows + 1, rows + 2))
