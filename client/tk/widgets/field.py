"""A field for one line of text, with its caption above and its problem below."""

from __future__ import annotations

import tkinter as tk
from tkinter import ttk

from doublecross.client.tk.widgets.visible import set_visible


class TextField(ttk.Frame):
    """A field called `caption` with a `text`; below it stands `hint`, or what is wrong.

    Both wrap at `width` pixels. The entry has the Tk name `name`.
    """

    def __init__(
        self, parent: tk.Misc, name: str, caption: str, text: str, *, hint: str = "", width: int
    ) -> None:
        super().__init__(parent, name=f"{name}_field")
        self.columnconfigure(0, weight=1)
        self._caption = ttk.Label(self, text=caption)
        self._caption.grid(row=0, column=0, sticky="w", pady=(0, 4))
        self.entry = ttk.Entry(self, name=name)
        self.entry.grid(row=1, column=0, sticky="ew")
        self.entry.insert(0, text)
        self._hint = ttk.Label(
            self, text=hint, style="Caption.TLabel", justify="left", wraplength=width
        )
        self._error = ttk.Label(
            self, name="error", style="Error.TLabel", justify="left", wraplength=width
        )
        for label in (self._hint, self._error):
            label.grid(row=2, column=0, sticky="w", pady=(4, 0))
        # No Tk variable: the garbage collector may delete one in the network's thread, where
        # calling Tk is not allowed.
        edited = self.entry.register(self._edited)
        self.entry.configure(validate="key", validatecommand=(edited,))
        self.show("")

    @property
    def text(self) -> str:
        """The text in the field."""
        return self.entry.get()

    def caption(self, text: str) -> None:
        """Change the caption."""
        self._caption.configure(text=text)

    def hint(self, text: str) -> None:
        """Change the hint."""
        self._hint.configure(text=text)
        set_visible(self._hint, bool(text) and not self._error.cget("text"))

    def show(self, problem: str) -> None:
        """Show what is wrong with the text; an empty sentence shows the hint again."""
        self.entry.state(["invalid" if problem else "!invalid"])
        self._error.configure(text=problem)
        set_visible(self._error, bool(problem))
        set_visible(self._hint, bool(self._hint.cget("text")) and not problem)

    def _edited(self) -> bool:
        self.show("")
        return True
