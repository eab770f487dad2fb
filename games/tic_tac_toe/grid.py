"""The fixed tables of an m,n,k board: lines, symmetries and geometry."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property

from doublecross.games.api import Geometry, PieceStyle, Region
from doublecross.games.in_a_row import square_cells


@dataclass(frozen=True, eq=False)
class Grid:
    """The tables of one size; get it from `grid`, which builds each size once.

    A set of cells is an int with bit i for cell i. `line` is the number of marks in a row that win.
    `lines` gives each cell the winning lines through it, each as a set of cells.
    """

    rows: int
    cols: int
    line: int
    num_cells: int
    full: int
    lines: tuple[tuple[int, ...], ...]

    def has(self, cell: object) -> bool:
        """Return whether `cell` is an int (no bool) that numbers a cell of the board."""
        return type(cell) is int and 0 <= cell < self.num_cells

    def completes(self, marks: int, cell: int) -> bool:
        """Return whether `marks` contain a whole line through `cell`."""
        for line in self.lines[cell]:  # noqa: SIM110 - `any` of a generator is twice as slow.
            if marks & line == line:
                return True
        return False

    def completed_by(self, marks: int, cell: int) -> int:
        """Return the cells of all whole lines through `cell` in `marks`, as a set."""
        cells = 0
        for line in self.lines[cell]:
            if marks & line == line:
                cells |= line
        return cells

    @cached_property
    def all_lines(self) -> tuple[int, ...]:
        """All winning lines, each once, as sets of cells."""
        return tuple(sorted({line for lines in self.lines for line in lines}))

    @cached_property
    def symmetries(self) -> tuple[tuple[int, ...], ...]:
        """The images of all cells under each symmetry: 8 on a square board, 4 on others."""
        right, low = self.cols - 1, self.rows - 1
        places = [(cell % self.cols, cell // self.cols) for cell in range(self.num_cells)]
        maps = [
            [(right - x if flip_x else x, low - y if flip_y else y) for x, y in places]
            for flip_y in (False, True)
            for flip_x in (False, True)
        ]
        if self.rows == self.cols:
            maps += [[(y, x) for x, y in image] for image in maps]
        return tuple(tuple(y * self.cols + x for x, y in image) for image in maps)

    @cached_property
    def geometry(self) -> Geometry:
        """The cells as squares of a grid; each is the region of its action."""
        points, cells = square_cells(self.rows, self.cols)
        return Geometry(
            self.cols,
            self.rows,
            points,
            (),
            cells,
            tuple(Region(cell.index, cell.corners) for cell in cells),
            PieceStyle.SIGN,
            dots=False,
        )


@cache
def grid(rows: int, cols: int, line: int) -> Grid:
    """Return the tables of `rows` x `cols` cells with `line` in a row to win."""
    through: list[list[int]] = [[] for _ in range(rows * cols)]
    for row in range(rows):
        for col in range(cols):
            for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                last_row, last_col = row + (line - 1) * down, col + (line - 1) * right
                if last_row < rows and 0 <= last_col < cols:
                    cells = [(row + i * down) * cols + col + i * right for i in range(line)]
                    bits = sum(1 << cell for cell in cells)
                    for cell in cells:
                        through[cell].append(bits)
    return Grid(rows, cols, line, rows * cols, (1 << rows * cols) - 1, tuple(map(tuple, through)))
