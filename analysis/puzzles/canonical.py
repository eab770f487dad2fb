"""Tell whether two positions are the same puzzle: by symmetry, or by edges that do the same.

Two free edges of one box that both lead to the ground are interchangeable. On boards of two rows
and columns or more only the corner boxes have two such edges. The canonical form draws the one
with the smaller number first, and takes the smallest set of drawn edges among all symmetries.
"""

from __future__ import annotations

from hashlib import sha256
from typing import Final, NamedTuple

from doublecross.games.dots_and_boxes.board import GROUND, Board

_NAME: Final = 7
"""Characters of a name. With 400 puzzles two have the same name in one of 3000 files."""


class CanonicalForm(NamedTuple):
    """The form that all positions of the same puzzle have in common."""

    rows: int
    cols: int
    edges: int

    def name(self) -> str:
        """Return a short name that is always the same for this puzzle."""
        text = f"{self.rows}x{self.cols} {self.edges:x}"
        return sha256(text.encode()).hexdigest()[:_NAME]


def canonical_form(board: Board, edges: int) -> CanonicalForm:
    """Return the canonical form of a position, given its drawn edges."""
    images = (_image(board, edges, symmetry) for symmetry in board.symmetries)
    return CanonicalForm(board.rows, board.cols, min(_settled(board, image) for image in images))


def _image(board: Board, edges: int, symmetry: tuple[int, ...]) -> int:
    return sum(1 << symmetry[edge] for edge in board.members(edges))


def _settled(board: Board, edges: int) -> int:
    """Return the position with the smaller edges drawn among interchangeable ones."""
    for sides in board.box_edges:
        outer = sorted(side for side in sides if GROUND in board.edge_boxes[side])
        if len(outer) > 1:
            drawn = sum(edges >> side & 1 for side in outer)
            for place, side in enumerate(outer):
                edges = edges | 1 << side if place < drawn else edges & ~(1 << side)
    return edges
