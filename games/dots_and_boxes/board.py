"""The fixed tables of a Dots and Boxes board: the edges of each box, symmetries and geometry.

Theory of operation
-------------------
Boxes are numbered row by row from the top left. Edges are numbered as OpenSpiel numbers the
actions of its ``dots_and_boxes``: with R rows and C columns of boxes, the horizontal edge on dot
row r over box column c is ``r*C + c`` (r in 0..R), the vertical edge on dot column c beside box
row r is ``(R+1)*C + r*(C+1) + c`` (c in 0..C). A set of edges or of boxes is a Python int with
bit i for member i.

Dots, edges and boxes also have coordinates on a lattice of (2C+1) x (2R+1) points, x to the right
and y downwards from 0. Both coordinates of a dot are even and both of a box are odd; an edge has
one of each. Notation, drawing and symmetries are short in these coordinates.

The tables depend on the size alone, so `board` computes them once for each size.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property
from itertools import compress
from typing import Final, Protocol

from doublecross.games.api import Cell, Geometry, PieceStyle, Segment

GROUND: Final = -1
"""Stands for a box index where an edge of the border has no box."""

# Turns the digits of a binary number into the selectors that `itertools.compress` takes.
_SELECTORS: Final = bytes.maketrans(b"01", b"\0\1")


@dataclass(frozen=True, eq=False)
class Board:
    """The tables of one size; get it from `board`, which builds each size once.

    `box_edges` gives each box its top, bottom, left and right edge, `box_masks` the same four as
    a set. `edge_boxes` gives each edge its two neighbours, the boxes above and below it or left
    and right of it, or `GROUND` for none. `strokes` maps each edge to five sets that `apply`
    needs: its own bit, then for each neighbour the edges of that box and the bit of that box. For
    `GROUND` these are a set that is never complete and the empty set.
    """

    rows: int
    cols: int
    num_edges: int
    num_boxes: int
    full: int
    box_edges: tuple[tuple[int, int, int, int], ...]
    box_masks: tuple[int, ...]
    edge_boxes: tuple[tuple[int, int], ...]
    strokes: dict[int, tuple[int, int, int, int, int]]

    def members(self, bits: int) -> list[int]:
        """Return the edges in the set `bits`, ascending."""
        # The guard bit keeps leading zeros; the slice reverses the digits and drops it.
        digits = format(bits | 1 << self.num_edges, "b")[:0:-1]
        return list(compress(range(self.num_edges), digits.encode().translate(_SELECTORS)))

    def place(self, edge: int) -> tuple[int, int]:
        """Return the lattice coordinates (x, y) of an edge, y downwards."""
        horizontals = (self.rows + 1) * self.cols
        if edge < horizontals:
            return 2 * (edge % self.cols) + 1, 2 * (edge // self.cols)
        edge -= horizontals
        return 2 * (edge % (self.cols + 1)), 2 * (edge // (self.cols + 1)) + 1

    def edge_at(self, x: int, y: int) -> int:
        """Return the edge at lattice coordinates (x, y) on the board, one odd and one even."""
        if x % 2:
            return y // 2 * self.cols + x // 2
        return (self.rows + 1) * self.cols + y // 2 * (self.cols + 1) + x // 2

    @cached_property
    def symmetries(self) -> tuple[tuple[int, ...], ...]:
        """The images of all edges under each symmetry: 8 on a square board, 4 on others.

        ``symmetries[s][edge]`` is the image of the edge under symmetry s; symmetry 0 changes
        nothing.
        """
        right, low = 2 * self.cols, 2 * self.rows
        places = [self.place(edge) for edge in range(self.num_edges)]
        maps = [
            [(right - x if flip_x else x, low - y if flip_y else y) for x, y in places]
            for flip_y in (False, True)
            for flip_x in (False, True)
        ]
        if self.rows == self.cols:
            maps += [[(y, x) for x, y in image] for image in maps]
        return tuple(tuple(self.edge_at(x, y) for x, y in image) for image in maps)

    @cached_property
    def geometry(self) -> Geometry:
        """The dots, edges and boxes for clients to draw."""
        across = self.cols + 1
        points = tuple((x, y) for y in range(self.rows + 1) for x in range(across))
        segments = []
        for edge in range(self.num_edges):
            x, y = self.place(edge)
            start = y // 2 * across + x // 2
            segments.append(Segment(edge, start, start + (1 if x % 2 else across)))
        cells = []
        for box, edges in enumerate(self.box_edges):
            corner = box // self.cols * across + box % self.cols
            corners = (corner, corner + 1, corner + across + 1, corner + across)
            cells.append(Cell(box, corners, edges))
        return Geometry(
            self.cols,
            self.rows,
            points,
            tuple(segments),
            tuple(cells),
            (),
            PieceStyle.FILL,
            dots=True,
        )


class DrawnEdges(Protocol):
    """The drawn edges of a board: a position without owners and mover."""

    @property
    def board(self) -> Board:
        """The tables of the board."""

    @property
    def edges(self) -> int:
        """The set of drawn edges: bit i for edge i."""


@cache
def board(rows: int, cols: int) -> Board:
    """Return the tables of a board of `rows` x `cols` boxes."""
    horizontals = (rows + 1) * cols
    num_edges = horizontals + rows * (cols + 1)
    box_edges = []
    sides: list[list[int]] = [[GROUND, GROUND] for _ in range(num_edges)]
    for box in range(rows * cols):
        r, c = divmod(box, cols)
        left = horizontals + r * (cols + 1) + c
        top, bottom, right = box, box + cols, left + 1
        box_edges.append((top, bottom, left, right))
        sides[top][1] = sides[bottom][0] = sides[left][1] = sides[right][0] = box
    masks = [sum(1 << edge for edge in edges) for edges in box_edges]
    never = 1 << num_edges  # No edge has this bit: a set with it is never complete.
    strokes = {}
    for edge, (a, b) in enumerate(sides):
        side_a = (never, 0) if a == GROUND else (masks[a], 1 << a)
        side_b = (never, 0) if b == GROUND else (masks[b], 1 << b)
        strokes[edge] = (1 << edge, *side_a, *side_b)
    return Board(
        rows,
        cols,
        num_edges,
        rows * cols,
        (1 << num_edges) - 1,
        tuple(box_edges),
        tuple(masks),
        tuple((a, b) for a, b in sides),
        strokes,
    )
