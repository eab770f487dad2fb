"""The fixed tables of the heaps of Nim: the place of each object, and the geometry."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property
from itertools import accumulate

from doublecross.games.api import Cell, Geometry, PieceStyle, Region


@dataclass(frozen=True, eq=False)
class Heaps:
    """The tables for heaps of `sizes` objects; get them from `heaps_of`.

    `starts` has the first object of each heap. `where` has, for each object, its heap and its place
    in that heap, from 0.
    """

    sizes: tuple[int, ...]
    starts: tuple[int, ...]
    where: tuple[tuple[int, int], ...]

    @property
    def num_objects(self) -> int:
        """The number of objects in all heaps."""
        return len(self.where)

    @cached_property
    def geometry(self) -> Geometry:
        """The objects as unit squares, one centred row for each heap."""
        width = max(self.sizes)
        points: dict[tuple[float, float], int] = {}
        cells: list[Cell] = []
        for row, size in enumerate(self.sizes):
            left = (width - size) / 2
            for place in range(size):
                x = left + place
                square = ((x, row), (x + 1, row), (x + 1, row + 1), (x, row + 1))
                corners = tuple(points.setdefault(point, len(points)) for point in square)
                cells.append(Cell(len(cells), corners))
        return Geometry(
            width,
            len(self.sizes),
            tuple(points),
            (),
            tuple(cells),
            tuple(Region(cell.index, cell.corners) for cell in cells),
            PieceStyle.OBJECT,
            dots=False,
        )


@cache
def heaps_of(sizes: tuple[int, ...]) -> Heaps:
    """Return the tables for heaps of `sizes` objects, each at least 1."""
    return Heaps(
        sizes,
        tuple(accumulate(sizes, initial=0))[:-1],
        tuple((heap, place) for heap, size in enumerate(sizes) for place in range(size)),
    )
