"""Buttons where the theme's own do not fit: on coloured bars."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable

from client.tk.look import Look


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
