"""Write the values of actions on a board, each on a small plate in the middle of its edge."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Mapping
from tkinter import font as tkfont
from typing import Final

from doublecross.client.tk.models.analysis.values import ValueLabel
from doublecross.client.tk.models.board import layout as shapes
from doublecross.client.tk.models.colours import mix
from doublecross.client.tk.widgets.board.items import BoardItems

_VALUE: Final = "value"
_RIM: Final = 4
_PALE: Final = 0.65
"""The opacity of the text of an estimate."""


class ValueItems:
    """Shows labels of actions on `canvas`, above everything else.

    The best ones have a filled plate and a bold text, so nobody needs to tell colours apart.
    """

    def __init__(self, canvas: tk.Canvas, items: BoardItems) -> None:
        self._canvas = canvas
        self._items = items
        self._labels: Mapping[int, ValueLabel] = {}
        self._family = tkfont.nametofont("TkDefaultFont", root=canvas).actual("family")

    def show(self, labels: Mapping[int, ValueLabel]) -> None:
        """Show these labels of actions; an empty mapping removes them."""
        if labels != self._labels:
            self._labels = dict(labels)
            self.draw()

    def draw(self) -> None:
        """Draw everything again, after the theme or the size has changed."""
        self._canvas.delete(_VALUE)
        for action, label in self._labels.items():
            self._draw(action, label)

    def _draw(self, action: int, label: ValueLabel) -> None:
        canvas, brush = self._canvas, self._items.brush
        colours, layout = brush.colours, brush.layout
        colour = colours.board if label.best else colours.text
        if not label.exact and not label.best:
            colour = mix(colours.text, colours.board, _PALE)
        size = min(15, max(9, round(0.26 * layout.unit)))
        x, y = layout.place((brush.board.places.middle(action),))
        weight = "bold" if label.best else "normal"
        slant = "roman" if label.exact else "italic"
        text = canvas.create_text(
            x, y, text=label.text, fill=colour, tags=_VALUE,
            font=(self._family, -size, weight, slant),
        )  # fmt: skip
        left, _, right, _ = canvas.bbox(text)
        # A label on the rim of a small board would be cut off.
        outside = max(0, _RIM - left) or min(0, canvas.winfo_width() - _RIM - right)
        canvas.move(text, outside, 0)
        left, top, right, bottom = canvas.bbox(text)
        pill = shapes.rounded((left - 3, top, right + 3, bottom), 99)
        plate = canvas.create_polygon(
            *(pixel for point in pill for pixel in point),
            fill=colours.hint if label.best else colours.board,
            outline=colours.hint if label.best else colours.frame,
            tags=_VALUE,
        )
        canvas.tag_lower(plate, text)
