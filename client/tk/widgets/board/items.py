"""The items of one board on its canvas: made once, then only moved and recoloured.

Theory of operation
-------------------
Each edge, cell, piece and dot has items of its own from the beginning, hidden while there is
nothing to see. `sync` compares what is shown with what the model says and touches only what
differs, whatever came between; so the cost of a move does not grow with the number of moves, and a
caller who misses a change is put right by the next.
"""

from __future__ import annotations

import tkinter as tk

from client.tk.models.board import layout as shapes
from client.tk.models.board.layout import BoardLayout
from client.tk.models.board.model import BoardChanges, BoardModel
from client.tk.models.look import Look
from client.tk.widgets.board.brush import DOT, NOWHERE, Brush
from client.tk.widgets.board.cells import CellItems
from client.tk.widgets.board.edges import EdgeItems
from games.api import PieceStyle


class BoardItems:
    """What `canvas` shows of `board`. Nothing is seen before the first `place`.

    `brush` knows colours and places, `cells` and `edges` show the position; the plate, the grid
    and the dots around them never change. `above_cells` is an item to lie below.
    """

    def __init__(self, canvas: tk.Canvas, board: BoardModel, look: Look) -> None:
        self.brush = Brush(canvas, board, look)
        self.placed = False
        """Whether it is seen."""
        self._ringed = False
        # Lowest first.
        self._plate = canvas.create_polygon(*NOWHERE)
        self.cells = CellItems(self.brush)
        self.above_cells = canvas.create_line(*NOWHERE, state="hidden")
        self._grid = [(canvas.create_line(*NOWHERE), side) for side in self._inner_sides()]
        self.edges = EdgeItems(self.brush)
        points = board.geometry.points if board.geometry.dots else ()
        self._dots = [canvas.create_image(0, 0) for _ in points]
        self.cells.add_pieces()

    def _inner_sides(self) -> list[tuple[int, int]]:
        """Return the sides that two cells share, where signs stand in a grid."""
        counts: dict[tuple[int, int], int] = {}
        geometry = self.brush.board.geometry
        for cell in geometry.cells if geometry.pieces is PieceStyle.SIGN else ():
            around = cell.corners
            for start, end in zip(around, (*around[1:], around[0]), strict=True):
                side = min(start, end), max(start, end)
                counts[side] = counts.get(side, 0) + 1
        return [side for side, count in counts.items() if count > 1]

    def let_go(self) -> None:
        """Give back what Tk keeps for this board; it cannot be shown any more.

        A picture or font that is left to the garbage collector may be thrown away in another
        thread, where Tk must not be called.
        """
        self.brush.renew()
        self.cells.let_go()

    def place(self, layout: BoardLayout) -> None:
        """Move everything to where it is in `layout`."""
        self.brush.layout, self.placed = layout, True
        points = self.brush.board.geometry.points
        plate = shapes.rounded(layout.plate, 14)
        self.brush.canvas.coords(self._plate, *(pixel for point in plate for pixel in point))
        for item, (start, end) in self._grid:
            self.brush.move(item, (points[start], points[end]))
        for item, point in zip(self._dots, points, strict=False):
            self.brush.move(item, (point,))
        self.edges.place()
        self.cells.place()
        self.paint()

    def restyle(self, look: Look) -> None:
        """Apply the colours of `look`."""
        self.brush.look = look
        self.paint()

    def ring(self, ringed: bool) -> None:
        """Show in the frame whether the keys lead here."""
        self._ringed = ringed
        self._paint_plate()

    def paint(self) -> None:
        """Give everything its look, for the first time or after look or size have changed."""
        brush, look = self.brush, self.brush.look
        # Those that are shown may go only when no item shows them any more.
        old = brush.renew()
        self._paint_plate()
        for item, _ in self._grid:
            brush.set(item, fill=look.neutral, width=brush.layout.grid)
        for item in self._dots:
            brush.set(item, image=brush.picture(DOT, look.dot, look.board))
        self.edges.paint()
        self.cells.paint()
        old.clear()

    def sync(
        self,
        changes: BoardChanges,
        initials: tuple[str, str],
        pending: tuple[int, ...],
        *,
        now: float,
        quiet: bool,
    ) -> bool:
        """Show what the board is now; return whether moves were played or taken back since.

        `now` is in seconds; see `CellItems.sync` for what moves.
        """
        drawn = self.edges.sync(pending)
        claimed = self.cells.sync(changes, initials, pending, now=now, quiet=quiet)
        return drawn or claimed

    def _paint_plate(self) -> None:
        look = self.brush.look
        outline, width = (look.focus, 2) if self._ringed else (look.frame, 1)
        self.brush.set(self._plate, fill=self.brush.ground, outline=outline, width=width)
