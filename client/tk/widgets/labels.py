"""Labels that wrap or shorten their text to the available width."""

from __future__ import annotations

import tkinter as tk
from tkinter import ttk
from typing import Final, Literal

_KEPT: Final = 4
"""With fewer letters before a remark in parentheses, the remark is shortened too."""


class WrappedLabel(ttk.Label):
    """A label that wraps its text at its current width."""

    def __init__(self, parent: tk.Misc, text: str, *, name: str, style: str = "TLabel") -> None:
        super().__init__(parent, text=text, style=style, width=1, justify="left", name=name)
        self.bind("<Configure>", lambda event: self.configure(wraplength=event.width))


class FittedLabel(ttk.Label):
    """A line of text that is shortened with an ellipsis to its current width.

    `font` is the name of a font in Tk; empty means the font of `style`.
    """

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
        # A width of 1 requests no space: the layout decides how much the label gets.
        super().__init__(parent, text=text, style=style, width=1, anchor=anchor, name=name)
        self.configure(font=font)
        self._text = text
        self._font = font or str(ttk.Style(self).lookup(style, "font"))
        self.bind("<Configure>", lambda event: self._fit(event.width))

    def set_text(self, text: str) -> None:
        """Show another text."""
        if text != self._text:
            self._text = text
            self._fit(self.winfo_width())

    def set_font(self, font: str) -> None:
        """Use another font, by its name in Tk."""
        if font != self._font:
            self._font = font
            self.configure(font=font)
            self._fit(self.winfo_width())

    def _fit(self, width: int) -> None:
        if width <= 1:
            return
        self.configure(text=fitted(self, self._font, self._text, width))


def fitted(widget: tk.Misc, font: str, text: str, width: int) -> str:
    """Return `text`, shortened with an ellipsis if it is wider than `width` pixels.

    A remark in parentheses at its end, such as ``(bot)``, stays if it fits.
    """

    def fits(cut: str) -> bool:
        return int(widget.tk.call("font", "measure", font, cut)) <= width

    if fits(text):
        return text
    head, space, remark = text.rpartition(" (")
    tail = f"… ({remark}" if space and remark.endswith(")") else ""
    if not tail or not fits(f"{head[:_KEPT]}{tail}"):
        head, tail = text, "…"
    low, high = 0, len(head)
    while low < high:
        middle = (low + high + 1) // 2
        if fits(f"{head[:middle].rstrip()}{tail}"):
            low = middle
        else:
            high = middle - 1
    return f"{head[:low].rstrip()}{tail}"
