"""Draw and place the items of a board: canvas, theme, layout and cached pictures.

A Tk canvas supports neither transparency nor antialiasing. Pale colours are therefore mixed with
the background colour, and dots, discs and signs are pictures. Each combination of shape, colour
and background is rendered once per layout.
"""

from __future__ import annotations

import tkinter as tk
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from doublecross.client.tk.models.board import glyphs
from doublecross.client.tk.models.board import layout as shapes
from doublecross.client.tk.models.board.layout import BoardLayout, Point
from doublecross.client.tk.models.board.model import NOBODY, BoardModel
from doublecross.client.tk.models.colours import Colours
from doublecross.games.api import PieceStyle
from doublecross.games.colours import mix

PENDING: Final = 0.5
"""Share of the seat's colour in an unconfirmed move; the rest is the board's colour."""
NOWHERE: Final = (0, 0, 0, 0)
"""Coordinates of an item before the first layout."""
DOT: Final = "dot"
DISC: Final = "disc"
RING: Final = "ring"
"""Names of the shapes that are not signs of a seat."""


class Brush:
    """Provides the colours, lengths and positions of `board` on `canvas`; caches its pictures."""

    def __init__(self, canvas: tk.Canvas, board: BoardModel, colours: Colours) -> None:
        self.canvas = canvas
        self.board = board
        self.colours = colours
        self.layout = shapes.fit(board.geometry, 100, 100)
        self._styles: dict[int, Mapping[str, object]] = {}
        self._pictures: dict[tuple[str, str, str], tk.PhotoImage] = {}

    # -- colours and pictures ----------------------------------------------------------------

    @property
    def ground(self) -> str:
        """The background colour of the board."""
        holes = self.board.geometry.pieces is PieceStyle.DISC
        return self.colours.tray if holes else self.colours.board

    def stroke(self, seat: int, *, pending: bool) -> str:
        """Return the colour of a piece or edge of `seat` (`NOBODY`: of neither seat)."""
        colour = self.colours.neutral if seat == NOBODY else self.colours.strokes[seat]
        return mix(colour, self.colours.board, PENDING) if pending else colour

    def picture(self, shape: str, colour: str, ground: str) -> str | None:
        """Return Tk's name of the picture of a shape or sign in `colour` on `ground`.

        Return None if no picture of this sign exists.
        """
        known = self._pictures.get((shape, colour, ground))
        if known is None:
            data = _draw(shape, colour, ground, self.layout)
            if data is None:
                return None
            known = tk.PhotoImage(master=self.canvas, data=data, format="png")
            self._pictures[shape, colour, ground] = known
        return str(known)

    def renew(self) -> list[tk.PhotoImage]:
        """Empty the picture cache and return the old pictures.

        Tk deletes a picture once Python drops it, so the caller keeps them until no item uses them.
        """
        old = list(self._pictures.values())
        self._pictures.clear()
        return old

    # -- places, in board units or pixels ----------------------------------------------------

    def ends(self, action: int) -> list[float]:
        """Return both ends of the segment of `action`, in pixels."""
        segment = self.board.places.segments[action]
        points = self.board.geometry.points
        return self.layout.place((points[segment.start], points[segment.end]))

    def corners(self, cell: int, share: float = 1.0) -> list[Point]:
        """Return the corners of a cell that is shrunk to `share` of its size, in board units."""
        points = self._points(self.board.geometry.cells[cell].corners)
        return shapes.shrunk(points, self.board.places.cell_middle(cell), share)

    def inside(self, corners: Sequence[int]) -> list[Point]:
        """Return an outline slightly inside these corners, in board units."""
        points = self._points(corners)
        middle = (sum(x for x, _ in points) / len(points), sum(y for _, y in points) / len(points))
        return shapes.inset(points, middle, 0.07)

    def _points(self, corners: Sequence[int]) -> list[Point]:
        return [self.board.geometry.points[corner] for corner in corners]

    # -- items -------------------------------------------------------------------------------

    def move(self, item: int, points: Iterable[Point]) -> None:
        """Move an item to these points, in board units."""
        self.canvas.coords(item, *self.layout.place(points))

    def set(self, item: int, **options: object) -> None:
        """Configure an item; skip the call to Tk if nothing changes."""
        if self._styles.get(item) != options:
            self._styles[item] = options
            self.canvas.itemconfigure(item, options)


def _draw(shape: str, colour: str, ground: str, layout: BoardLayout) -> bytes | None:
    if shape == DOT:
        return glyphs.dot(layout.dot, colour, ground)
    if shape == DISC:
        return glyphs.dot(layout.disc, colour, ground)
    if shape == RING:
        return glyphs.mark("O", layout.disc, layout.grid + 1, colour, ground)
    return glyphs.mark(shape, *layout.mark, colour, ground)
