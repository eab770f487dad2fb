"""Write the letters and numbers on the rim of a board."""

from __future__ import annotations

from tkinter import font as tkfont

from doublecross.client.tk.models.board.rim import NO_RIM, Rim, find_rim, thinned
from doublecross.client.tk.widgets.board.brush import Brush


class RimItems:
    """The labels of `rim`, which is empty unless they are `shown`."""

    def __init__(self, brush: Brush, *, shown: bool) -> None:
        board, canvas = brush.board, brush.canvas
        self._brush = brush
        names = [board.game.action_name(action) for action in range(board.game.num_actions)]
        self.rim: Rim = find_rim(board.places, names) if shown else NO_RIM
        self._family = tkfont.nametofont("TkDefaultFont", root=canvas).actual("family")
        labels = (*self.rim.columns, *self.rim.rows)
        self._items = {
            text: canvas.create_text(0, 0, text=text, state="hidden", tags="rim")
            for _, text in labels
        }

    def place(self) -> None:
        """Move the labels to their coordinates; leave out some where space is short."""
        layout, canvas, rim = self._brush.layout, self._brush.canvas, self.rim
        beside, below = layout.rim_middle
        shown = set()
        for x, text in thinned(rim.columns, layout.unit, layout.label):
            canvas.coords(self._items[text], layout.left + x * layout.unit, below)
            shown.add(text)
        for y, text in thinned(rim.rows, layout.unit, layout.label):
            canvas.coords(self._items[text], beside, layout.top + y * layout.unit)
            shown.add(text)
        for text, item in self._items.items():
            canvas.itemconfigure(item, state="normal" if text in shown else "hidden")

    def paint(self) -> None:
        """Apply the colours and the size of the letters."""
        brush = self._brush
        for item in self._items.values():
            brush.set(item, fill=brush.colours.muted, font=(self._family, -brush.layout.label))
