"""Draw a heat map: a band along each free edge, the wider and stronger the larger its share."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Mapping
from tkinter import font as tkfont
from typing import Final

from doublecross.client.tk.models.board import layout as shapes
from doublecross.client.tk.models.colours import mix
from doublecross.client.tk.models.heat import percent, warmth
from doublecross.client.tk.widgets.board.items import BoardItems

_HEAT, _NUMBER = "heat", "share"
_FAINTEST: Final = 0.12
"""The opacity of the smallest share; that of the largest is 1."""


class HeatItems:
    """Draws shares of actions on `canvas`, below the edges of `items`.

    Strength and width say the same, so nobody needs to tell colours apart.
    """

    def __init__(self, canvas: tk.Canvas, items: BoardItems) -> None:
        self._canvas = canvas
        self._items = items
        self._shares: Mapping[int, float] = {}
        self._number: int | None = None
        self._family = tkfont.nametofont("TkDefaultFont", root=canvas).actual("family")

    @property
    def shown(self) -> bool:
        """Return whether there is a heat map."""
        return bool(self._shares)

    def show(self, shares: Mapping[int, float]) -> None:
        """Show these shares of actions; an empty mapping removes them."""
        if shares != self._shares:
            self._shares = dict(shares)
            self.draw()

    def show_number(self, action: int | None) -> None:
        """Write the share of `action` beside it; None: of no action."""
        if action != self._number:
            self._number = action
            self._draw_number()

    def draw(self) -> None:
        """Draw everything again, after the theme or the size has changed."""
        canvas, items, brush = self._canvas, self._items, self._items.brush
        canvas.delete(_HEAT)
        colours, layout = brush.colours, brush.layout
        most = max(self._shares.values(), default=0.0)
        for action, share in self._shares.items():
            if action not in brush.board.places.segments:
                continue
            strength = warmth(share, most)
            line = canvas.create_line(
                *brush.ends(action),
                fill=mix(colours.heat, colours.board, _FAINTEST + (1 - _FAINTEST) * strength),
                width=layout.stroke + strength * (layout.glow - layout.stroke),
                tags=_HEAT,
            )
            canvas.tag_lower(line, items.edges.above_glow)
        self._draw_number()

    def _draw_number(self) -> None:
        canvas, brush = self._canvas, self._items.brush
        canvas.delete(_NUMBER)
        share = None if self._number is None else self._shares.get(self._number)
        if self._number is None or share is None:
            return
        colours, layout = brush.colours, brush.layout
        x, y = layout.place((brush.board.places.middle(self._number),))
        text = canvas.create_text(
            x, y, text=percent(share), fill=colours.text, tags=_NUMBER,
            font=(self._family, -max(12, layout.label), "bold"),
        )  # fmt: skip
        left, top, right, bottom = canvas.bbox(text)
        pill = shapes.rounded((left - 5, top - 2, right + 5, bottom + 2), 99)
        plate = canvas.create_polygon(
            *(pixel for point in pill for pixel in point),
            fill=colours.board,
            outline=colours.heat,
            tags=_NUMBER,
        )
        canvas.tag_lower(plate, text)
