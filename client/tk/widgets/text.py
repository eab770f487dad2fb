"""Read-only text, and scrollbars that are visible only when they are needed."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable
from tkinter import ttk

from doublecross.client.tk.models.colours import Colours
from doublecross.client.tk.theme import BODY


def auto_hide(bar: ttk.Scrollbar) -> Callable[[float, float], None]:
    """Return a scroll command that shows `bar`, in column 1, only if there is something to scroll.

    Set it as the `yscrollcommand` of the widget in column 0.
    """

    def scrolled(first: float, last: float) -> None:
        # Tk passes both as strings, whatever the annotations say.
        bar.set(first, last)
        if float(first) <= 0 and float(last) >= 1:
            bar.grid_remove()
        else:
            bar.grid(row=0, column=1, sticky="ns")

    return scrolled


def read_only_text(
    parent: ttk.Frame, name: str, *, takefocus: bool = False, framed: bool = False
) -> tk.Text:
    """Return a text widget that fills `parent`, with a scrollbar when its text does not fit.

    The caller inserts the text and disables the widget; `framed` gives it a border.
    """
    parent.columnconfigure(0, weight=1)
    parent.rowconfigure(0, weight=1)
    text = tk.Text(
        parent,
        name=name,
        width=1,
        height=1,
        wrap="word",
        font=BODY,
        cursor="arrow",
        relief="flat",
        borderwidth=0,
        highlightthickness=1 if takefocus or framed else 0,
        padx=6,
        pady=4,
        spacing1=2,
        spacing3=2,
        takefocus=takefocus,
    )
    bar = ttk.Scrollbar(parent, command=text.yview, takefocus=False)
    text.configure(yscrollcommand=auto_hide(bar))
    text.grid(row=0, column=0, sticky="nsew")
    return text


def restyle_text(text: tk.Text, colours: Colours) -> None:
    """Apply the current theme to a widget from `read_only_text`."""
    text.configure(
        background=colours.board,
        foreground=colours.text,
        insertbackground=colours.board,
        highlightbackground=colours.board,
        highlightcolor=colours.focus,
    )
