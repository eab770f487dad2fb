"""Create the canvas items of one board once, then only move and recolour them.

Theory of operation
-------------------
Each edge, cell, piece and dot has its own items from the beginning; empty ones are hidden. `sync`
compares what is shown with the model and changes only what differs. The cost of a move therefore
does not grow with the number of moves, and a missed update is corrected by the next one.
"""

from __future__ import annotations

import tkinter as tk

from doublecross.client.tk.models.board import layout as shapes
from doublecross.client.tk.models.board.layout import BoardLayout
from doublecross.client.tk.models.board.model import BoardChanges, BoardModel
from doublecross.client.tk.models.colours import Colours
from doublecross.client.tk.widgets.board.brush import DOT, NOWHERE, Brush
from doublecross.client.tk.widgets.board.cells import CellItems
from doublecross.client.tk.widgets.board.edges import EdgeItems
from doublecross.client.tk.widgets.board.rim import RimItems
from doublecross.games.api import PieceStyle


class BoardItems:
    """The items of `board` on `canvas`. Nothing is visible before the first `place`.

    With `rim`, letters and numbers name the places. `brush` provides colours and coordinates,
    `cells` and `edges` show the position; the plate, the grid and the dots never change.
    `above_cells` is an invisible item that marks a position in the stacking order: an overlay
    lowers its own items below it.
    """

    def __init__(
        self, canvas: tk.Canvas, board: BoardModel, colours: Colours, *, rim: bool = False
    ) -> None:
        self.brush = Brush(canvas, board, colours)
        self.placed = False
        """True when the items have coordinates."""
        self._focused = False
        # Tk stacks items in the order of their creation: the lowest comes first.
        self._plate = canvas.create_polygon(*NOWHERE)
        self.rim = RimItems(self.brush, shown=rim)
        self.cells = CellItems(self.brush)
        self.above_cells = canvas.create_line(*NOWHERE, state="hidden")
        self._grid = [(canvas.create_line(*NOWHERE), border) for border in self._inner_borders()]
        self.edges = EdgeItems(self.brush)
        points = board.geometry.points if board.geometry.dots else ()
        self._dots = [canvas.create_image(0, 0) for _ in points]
        self.cells.add_pieces()

    def _inner_borders(self) -> list[tuple[int, int]]:
        """Return the borders between two cells as pairs of points; none unless pieces are signs."""
        counts: dict[tuple[int, int], int] = {}
        geometry = self.brush.board.geometry
        for cell in geometry.cells if geometry.pieces is PieceStyle.SIGN else ():
            around = cell.corners
            for start, end in zip(around, (*around[1:], around[0]), strict=True):
                border = min(start, end), max(start, end)
                counts[border] = counts.get(border, 0) + 1
        return [border for border, count in counts.items() if count > 1]

    def release(self) -> None:
        """Delete pictures and fonts in Tk. The board cannot be shown afterwards.

        The garbage collector might otherwise delete them in another thread, where calling Tk is
        not allowed.
        """
        self.brush.renew()
        self.cells.release()

    def place(self, layout: BoardLayout) -> None:
        """Move all items to their coordinates in `layout`."""
        self.brush.layout, self.placed = layout, True
        points = self.brush.board.geometry.points
        plate = shapes.rounded(layout.plate, 14)
        self.brush.canvas.coords(self._plate, *(pixel for point in plate for pixel in point))
        for item, (start, end) in self._grid:
            self.brush.move(item, (points[start], points[end]))
        for item, point in zip(self._dots, points, strict=False):
            self.brush.move(item, (point,))
        self.rim.place()
        self.edges.place()
        self.cells.place()
        self.paint()

    def restyle(self, colours: Colours) -> None:
        """Apply the colours of `colours`."""
        self.brush.colours = colours
        self.paint()

    def show_focus(self, focused: bool) -> None:
        """Show in the frame whether the board has the keyboard focus."""
        self._focused = focused
        self._paint_plate()

    def paint(self) -> None:
        """Apply colours and pictures to all items, after the theme or the size has changed."""
        brush, colours = self.brush, self.brush.colours
        # Tk deletes a picture once Python drops it: keep the old ones until all items are painted.
        old = brush.renew()
        self._paint_plate()
        for item, _ in self._grid:
            brush.set(item, fill=colours.neutral, width=brush.layout.grid)
        for item in self._dots:
            brush.set(item, image=brush.picture(DOT, colours.dot, colours.board))
        self.rim.paint()
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
        """Show the board's position; return whether moves were played or taken back.

        `now` is in seconds. See `CellItems.sync` for the animations.
        """
        drawn = self.edges.sync(pending)
        claimed = self.cells.sync(changes, initials, pending, now=now, quiet=quiet)
        return drawn or claimed

    def _paint_plate(self) -> None:
        colours = self.brush.colours
        outline, width = (colours.focus, 2) if self._focused else (colours.frame, 1)
        self.brush.set(self._plate, fill=self.brush.ground, outline=outline, width=width)
