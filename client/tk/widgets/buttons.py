"""Buttons that are more than the theme's own: pressed by Enter, or on coloured bars."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable
from tkinter import ttk

from client.tk.models.look import Look


def enter_button(
    parent: tk.Misc, name: str, text: str, command: Callable[[], object]
) -> ttk.Button:
    """A button of the theme that Enter presses too, not only the space bar."""
    button = ttk.Button(parent, name=name, text=text, command=command)
    for key in ("<Return>", "<KP_Enter>"):
        button.bind(key, lambda _: button.invoke())
    return button


class BarButton(tk.Button):
    """A flat button in the colours of the bar that it stands on."""

    def __init__(self, parent: tk.Misc, look: Look, text: str, command: Callable[[], None]) -> None:
        super().__init__(
            parent,
            text=text,
            command=command,
            highlightthickness=2,
            relief="solid",
            borderwidth=1,
            padx=10,
            pady=2,
        )
        self.restyle(look)
        self.bind("<Return>", lambda _: self.invoke())

    def restyle(self, look: Look) -> None:
        """Other colours."""
        self.configure(
            background=look.banner,
            foreground=look.banner_text,
            activebackground=look.banner_text,
            activeforeground=look.banner,
            highlightbackground=look.banner,
            highlightcolor=look.banner_text,
        )
