"""A message that stays until the person dismisses it."""

from __future__ import annotations

import tkinter as tk
from tkinter import ttk

from client.tk.widgets.buttons import enter_button
from client.tk.widgets.labels import WrappedLabel


class Note(ttk.Frame):
    """Visible only while it has a message.

    Call `grid` before the first `show`, which hides the widget and restores it in its grid cell.
    """

    def __init__(self, parent: tk.Misc) -> None:
        super().__init__(parent)
        self.columnconfigure(0, weight=1)
        self._text = WrappedLabel(self, "", name="note")
        self._text.grid(row=0, column=0, sticky="ew")
        close = enter_button(self, "close_note", "OK", lambda: self.show(""))
        close.grid(row=0, column=1, padx=(8, 0))

    def show(self, sentence: str, *, good: bool = False) -> None:
        """Show `sentence` as good news or as a problem; hide the note if it is empty."""
        self._text.configure(text=sentence, style="Good.TLabel" if good else "Error.TLabel")
        if sentence:
            self.grid()
        else:
            self.grid_remove()
