"""A message that stays until the person dismisses it."""

from __future__ import annotations

import tkinter as tk
from tkinter import font as tkfont
from tkinter import ttk

from doublecross.client.tk.theme import BODY, CAPTION
from doublecross.client.tk.widgets.buttons import enter_button
from doublecross.client.tk.widgets.labels import WrappedLabel, line_count
from doublecross.client.tk.widgets.visible import set_visible


class Note(ttk.Frame):
    """Visible only while it has a message; then it takes the place of the widget `instead`.

    It is two lines high, so that nothing around it moves. Longer messages have a smaller font; only
    those that need more than two lines of it make the note higher. Call `grid` before the first
    `show`, which hides the widget and restores it in its grid cell.
    """

    def __init__(self, parent: tk.Misc, instead: tk.Widget) -> None:
        super().__init__(parent)
        self._instead = instead
        self.columnconfigure(0, weight=1)
        self.rowconfigure(0, weight=1)
        self._text = WrappedLabel(self, "", name="note")
        self._text.grid(row=0, column=0, sticky="ew")
        self._text.bind("<Configure>", lambda event: self._fit(event.width), add=True)
        close = enter_button(self, "close_note", "OK", lambda: self.show(""))
        close.grid(row=0, column=1, padx=(8, 0))
        self._least = max(2 * self._line_px(BODY), close.winfo_reqheight())
        self.configure(height=self._least, width=1)
        self.grid_propagate(False)

    def show(self, sentence: str, *, good: bool = False) -> None:
        """Show `sentence` as good news or as a problem; hide the note if it is empty."""
        self._text.configure(text=sentence, style="Good.TLabel" if good else "Error.TLabel")
        self._fit(self._text.winfo_width())
        set_visible(self, bool(sentence))
        set_visible(self._instead, not sentence)

    def _fit(self, width: int) -> None:
        """Use the smaller font for a message that needs more than two lines in `width` pixels."""
        text = str(self._text.cget("text"))
        font, height = BODY, self._least
        if width > 1 and line_count(self, BODY, text, width) > 2:
            font = CAPTION
            height = max(height, line_count(self, CAPTION, text, width) * self._line_px(CAPTION))
        self._text.configure(font=font)
        # A frame that does not propagate keeps the height that it had when it was first shown.
        self.rowconfigure(0, minsize=height)
        self.grid_propagate(True)

    def _line_px(self, font: str) -> int:
        return int(tkfont.nametofont(font, root=self).metrics("linespace"))
