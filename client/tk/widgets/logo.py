"""The program's logo: a small board on which each player has captured a box."""

from __future__ import annotations

import tkinter as tk
from typing import Final

from doublecross.client.tk.models.colours import Colours

_CELL: Final = 24
_EDGE: Final = 3
_DOT: Final = 4
_EDGES: Final = (
    # column and row of the first dot, whether the edge is vertical, the seat that drew it
    *((0, 0, False, 0), (0, 0, True, 1), (1, 0, True, 0), (0, 1, False, 0)),
    *((1, 1, False, 1), (1, 1, True, 0), (2, 1, True, 1), (1, 2, False, 1)),
)
_BOXES: Final = ((0, 0, 0), (1, 1, 1))
"""Column, row and owner of each captured box."""


class Logo(tk.Canvas):
    """Draws the logo."""

    def __init__(self, parent: tk.Misc, colours: Colours) -> None:
        size = 2 * _CELL + 2 * (_DOT + 2)
        super().__init__(parent, width=size, height=size, highlightthickness=0, takefocus=False)
        self.restyle(colours)

    def restyle(self, colours: Colours) -> None:
        """Draw the logo in the colours of `colours`."""
        self.delete("all")
        self.configure(background=colours.ground)
        for column, row, seat in _BOXES:
            x, y = _at(column), _at(row)
            self.create_rectangle(x, y, x + _CELL, y + _CELL, width=0, fill=colours.fills[seat])
        for column, row, down, seat in _EDGES:
            x, y = _at(column), _at(row)
            end = (x, y + _CELL) if down else (x + _CELL, y)
            self.create_line(x, y, *end, width=_EDGE, fill=colours.strokes[seat])
        for column in range(3):
            for row in range(3):
                x, y = _at(column), _at(row)
                box = (x - _DOT, y - _DOT, x + _DOT, y + _DOT)
                self.create_oval(*box, width=0, fill=colours.dot)


def _at(index: int) -> int:
    return _DOT + 2 + index * _CELL
