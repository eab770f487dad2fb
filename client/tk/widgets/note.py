"""A line that says what has happened, until it is read."""

from __future__ import annotations

import tkinter as tk
from tkinter import ttk

from client.tk.widgets.buttons import enter_button
from client.tk.widgets.labels import WrappedLabel


class Note(ttk.Frame):
    """There only while it says something; grid it before it is to say anything."""

    def __init__(self, parent: tk.Misc) -> None:
        super().__init__(parent)
        self.columnconfigure(0, weight=1)
        self._text = WrappedLabel(self, "", name="note")
        self._text.grid(row=0, column=0, sticky="ew")
        close = enter_button(self, "close_note", "OK", lambda: self.say(""))
        close.grid(row=0, column=1, padx=(8, 0))

    def say(self, sentence: str, *, good: bool = False) -> None:
        """Say this; nothing: what was said is read."""
        self._text.configure(text=sentence, style="Good.TLabel" if good else "Error.TLabel")
        if sentence:
            self.grid()
        else:
            self.grid_remove()
