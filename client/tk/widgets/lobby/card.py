"""A card of the lobby: one of the things that people come for, with its buttons."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable
from tkinter import ttk
from typing import Final

from doublecross.client.tk.widgets.buttons import enter_button
from doublecross.client.tk.widgets.visible import set_visible

_GAP: Final = 8
_ROOMY: Final = (14, 10)
_TIGHT: Final = (8, 6)
_BORDER_PX: Final = 4
"""More than the border of the theme's card."""


class Card(ttk.Frame):
    """A title, buttons, and below them what its owner puts into `body`."""

    def __init__(self, parent: tk.Misc, *, name: str, title: str) -> None:
        super().__init__(parent, name=name, style="Card.TFrame", padding=_ROOMY)
        self.columnconfigure(0, weight=1)
        self._title = ttk.Label(self, text=title, style="Strong.TLabel")
        self._title.grid(row=0, column=0, sticky="w", pady=(0, _GAP))
        self._bar = ttk.Frame(self)
        self._bar.grid(row=1, column=0, sticky="ew")
        self._buttons: list[ttk.Button] = []
        self.body = ttk.Frame(self)
        self.body.grid(row=2, column=0, sticky="nsew")
        self.body.columnconfigure(0, weight=1)
        self.rowconfigure(2, weight=1)

    def add_button(self, name: str, text: str, command: Callable[[], object]) -> ttk.Button:
        """Add a button below the title."""
        button = enter_button(self._bar, name, text, command)
        self._buttons.append(button)
        return button

    @property
    def row_px(self) -> int:
        """The width with all buttons beside each other, in pixels."""
        between = _GAP * (len(self._buttons) - 1)
        around = 2 * (_ROOMY[0] + _BORDER_PX)
        return sum(button.winfo_reqwidth() for button in self._buttons) + between + around

    def arrange(self, *, stacked: bool, tight: bool, titled: bool) -> None:
        """Put the buttons below (`stacked`) or beside each other; `tight` reduces the padding."""
        self.configure(padding=_TIGHT if tight else _ROOMY)
        set_visible(self._title, titled)
        for number, button in enumerate(self._buttons):
            row, column = (number, 0) if stacked else (0, number)
            button.grid(
                row=row, column=column, sticky="ew", padx=(_GAP if column else 0, 0), pady=(0, _GAP)
            )
            self._bar.columnconfigure(number, weight=int(number == 0 or not stacked))
