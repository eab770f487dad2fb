"""Labels that wrap or shorten their text to the available width."""

from __future__ import annotations

import tkinter as tk
from tkinter import ttk
from typing import Final, Literal

from doublecross.client.tk.theme import HEADLINE, STRONG
from doublecross.client.tk.widgets.visible import set_visible

_KEPT: Final = 4
"""With fewer letters before a remark in parentheses, the remark is shortened too."""


class WrappedLabel(ttk.Label):
    """A label that wraps its text at its current width."""

    def __init__(self, parent: tk.Misc, text: str, *, name: str, style: str = "TLabel") -> None:
        super().__init__(parent, text=text, style=style, width=1, justify="left", name=name)
        self.bind("<Configure>", lambda event: self.configure(wraplength=event.width))


class Headline(WrappedLabel):
    """A large wrapped text; with a word that is too long for a line it has a smaller font."""

    def __init__(self, parent: tk.Misc, text: str, *, name: str, style: str = "TLabel") -> None:
        super().__init__(parent, text, name=name, style=style)
        self.bind("<Configure>", lambda event: self._fit(event.width), add=True)
        self.configure(font=HEADLINE)

    def set_text(self, text: str, style: str) -> None:
        """Show another text, in the colour of `style`."""
        self.configure(text=text, style=style)
        self._fit(self.winfo_width())

    def _fit(self, width: int) -> None:
        words = str(self.cget("text")).split()
        longest = max((measured(self, HEADLINE, word) for word in words), default=0)
        self.configure(font=STRONG if 1 < width < longest else HEADLINE)


class ErrorLabel(ttk.Label):
    """A sentence about a field, wrapped at `width` pixels; hidden while nothing is wrong."""

    def __init__(self, parent: tk.Misc, *, name: str, width: int) -> None:
        super().__init__(parent, name=name, style="Error.TLabel", justify="left", wraplength=width)

    def say(self, sentence: str) -> None:
        """Show `sentence`; hide the label if it is empty."""
        self.configure(text=sentence)
        set_visible(self, bool(sentence))


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
        self._forms: tuple[str, ...] = (text,)
        self._font = font or str(ttk.Style(self).lookup(style, "font"))
        self.bind("<Configure>", lambda event: self._fit(event.width))

    def set_text(self, text: str, *shorter: str) -> None:
        """Show another text, or the first of its `shorter` forms that fits."""
        forms = text, *shorter
        if forms != self._forms:
            self._forms = forms
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
        whole = (text for text in self._forms if measured(self, self._font, text) <= width)
        text = next(whole, "") or fitted(self, self._font, self._forms[-1], width)
        self.configure(text=text)


def measured(widget: tk.Misc, font: str, text: str) -> int:
    """Return the width of `text` in pixels."""
    return int(widget.tk.call("font", "measure", font, text))


def line_count(widget: tk.Misc, font: str, text: str, width: int) -> int:
    """Return the number of lines of `text` when it is wrapped at `width` pixels."""
    lines, line = 1, ""
    for word in text.split():
        longer = f"{line} {word}" if line else word
        if measured(widget, font, longer) <= width:
            line = longer
            continue
        if line:
            lines += 1
        line = word
        lines += (measured(widget, font, word) - 1) // width
    return lines


def fitted(widget: tk.Misc, font: str, text: str, width: int) -> str:
    """Return `text`, shortened with an ellipsis if it is wider than `width` pixels.

    A remark in parentheses at its end, such as ``(bot)``, stays if it fits.
    """

    def fits(cut: str) -> bool:
        return measured(widget, font, cut) <= width

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
