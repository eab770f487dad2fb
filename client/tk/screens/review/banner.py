"""A bar that says that the board shows a variation, not the game, and leads back to the game."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable
from typing import Final

from doublecross.client.language import tr
from doublecross.client.tk.models.colours import Colours
from doublecross.client.tk.widgets.buttons import BarButton
from doublecross.client.tk.widgets.labels import FittedLabel

_PAD: Final = 8


class VariationBanner(tk.Frame):
    """Shows `text` in the colours of a notice; its button calls `on_back`."""

    def __init__(self, parent: tk.Misc, colours: Colours, *, on_back: Callable[[], None]) -> None:
        super().__init__(parent, name="variation_banner")
        self.columnconfigure(0, weight=1)
        self.rowconfigure(0, weight=1)
        self._label = FittedLabel(self, "", name="variation_text")
        self._label.grid(row=0, column=0, sticky="ew", padx=_PAD)
        self._back = BarButton(
            self, colours, tr("Back to the game"), on_back, name="leave_variation"
        )
        self._back.grid(row=0, column=1, padx=_PAD, pady=2)
        self.restyle(colours)

    def show(self, text: str, *shorter: str) -> None:
        """Show another text, or the first of its `shorter` forms that fits."""
        self._label.set_text(tr("Not played. {sentence}", sentence=text), text, *shorter)

    def restyle(self, colours: Colours) -> None:
        """Apply the current theme."""
        self.configure(background=colours.banner)
        self._label.configure(background=colours.banner, foreground=colours.banner_text)
        self._back.restyle(colours)
