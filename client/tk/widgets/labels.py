"""Lines of text that fit where they stand."""

from __future__ import annotations

import tkinter as tk
from tkinter import ttk
from typing import Literal


class WrappedLabel(ttk.Label):
    """A text that takes as many lines as it needs for the width that it has."""

    def __init__(self, parent: tk.Misc, text: str, *, name: str, style: str = "TLabel") -> None:
        super().__init__(parent, text=text, style=style, width=1, justify="left", name=name)
        self.bind("<Configure>", lambda event: self.configure(wraplength=event.width))


class FittedLabel(ttk.Label):
    """A line of text that is cut with an ellipsis where there is no room for it; without `font`
    it has that of its style."""

    def __init__(
        self,
        parent: tk.Misc,
        text: str,
        *,
        name: str,
        style: str = "TLabel",
        font: str = "",
        anchor: Literal["w", "center"] = "w",
    ) -> None:
        # It asks for no width of its own: the room decides.
        super().__init__(parent, text=text, style=style, width=1, anchor=anchor, name=name)
        self.configure(font=font)
        self._text = text
        self._font = font or str(ttk.Style(self).lookup(style, "font"))
        self.bind("<Configure>", lambda event: self._fit(event.width))

    def say(self, text: str) -> None:
        """Another text."""
        if text != self._text:
            self._text = text
            self._fit(self.winfo_width())

    def set_font(self, font: str) -> None:
        """Another font, by its name in Tk."""
        if font != self._font:
            self._font = font
            self.configure(font=font)
            self._fit(self.winfo_width())

    def _fit(self, width: int) -> None:
        if width <= 1:
            return
        self.configure(text=fitted(self, self._font, self._text, width))


def fitted(widget: tk.Misc, font: str, text: str, width: int) -> str:
    """`text`, or as much of its beginning with an ellipsis as is no wider than `width` pixels."""

    def fits(cut: str) -> bool:
        return int(widget.tk.call("font", "measure", font, cut)) <= width

    if fits(text):
        return text
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        if fits(f"{text[:middle].rstrip()}…"):
            low = middle
        else:
            high = middle - 1
    return f"{text[:low].rstrip()}…"
