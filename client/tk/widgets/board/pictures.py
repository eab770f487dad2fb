"""The pictures of dots, discs and signs on a board, made once for each colour and size."""

from __future__ import annotations

import tkinter as tk
from typing import Final

from client.tk.models.board import glyphs
from client.tk.models.board.layout import BoardLayout

DOT: Final = "dot"
DISC: Final = "disc"
RING: Final = "ring"
"""The shapes that are no signs of a seat."""


class BoardPictures:
    """Keeps the pictures that `canvas` shows; Tk forgets a picture that nobody keeps."""

    def __init__(self, canvas: tk.Canvas) -> None:
        self._canvas = canvas
        self._known: dict[tuple[str, str, str], tk.PhotoImage] = {}

    def get(self, shape: str, colour: str, ground: str, layout: BoardLayout) -> str | None:
        """Return Tk's name of the picture of a shape or sign in `colour` for a `ground`.

        None: there is no picture of this sign. `layout` is the same until `renew`.
        """
        known = self._known.get((shape, colour, ground))
        if known is None:
            data = _draw(shape, colour, ground, layout)
            if data is None:
                return None
            known = tk.PhotoImage(master=self._canvas, data=data, format="png")
            self._known[shape, colour, ground] = known
        return str(known)

    def renew(self) -> list[tk.PhotoImage]:
        """Begin anew, and return the old pictures: they may go once no item shows them."""
        old = list(self._known.values())
        self._known.clear()
        return old


def _draw(shape: str, colour: str, ground: str, layout: BoardLayout) -> bytes | None:
    if shape == DOT:
        return glyphs.dot(layout.dot, colour, ground)
    if shape == DISC:
        return glyphs.dot(layout.disc, colour, ground)
    if shape == RING:
        return glyphs.mark("O", layout.disc, layout.grid + 1, colour, ground)
    return glyphs.mark(shape, *layout.mark, colour, ground)
