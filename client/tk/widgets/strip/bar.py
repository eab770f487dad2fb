"""The base of the bars in the strip: one message with buttons."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable
from typing import Final

from doublecross.client.tk.context import Context
from doublecross.client.tk.theme import BODY, CAPTION, scaled
from doublecross.client.tk.widgets.buttons import BarButton
from doublecross.client.tk.widgets.labels import fitted, line_count

_PAD: Final = 12
_LEAST_PX: Final = 130
"""The least width of a message beside two buttons that are beside each other, in pixels."""


class Bar(tk.Frame):
    """A message of two lines, or three in a smaller font, with buttons at the right.

    A message may have shorter forms, for which a narrow window has space. Where two buttons would
    leave it hardly any, they are smaller and one below the other.

    All widgets exist from the start and keep their places: a bar without a message is only hidden.
    `on_change` is called after the message has appeared or disappeared.
    """

    def __init__(
        self, parent: tk.Misc, context: Context, name: str, on_change: Callable[[], None]
    ) -> None:
        super().__init__(parent, name=name)
        self.context = context
        self._on_change = on_change
        self._buttons: list[BarButton] = []
        self._forms: tuple[str, ...] = ("",)
        self._stacked = False
        self._needed = 0
        self.columnconfigure(0, weight=1)
        self.rowconfigure(0, weight=1)
        # A width of 1 requests no space: the strip decides how much the label gets.
        self._label = tk.Label(
            self, name="message", anchor="w", justify="left", padx=_PAD, pady=0, bd=0, width=1
        )
        self._label.bind("<Configure>", lambda _: self._fit())
        self.bind("<Configure>", lambda event: self._place_buttons(event.width))
        self._label.grid(row=0, column=0, sticky="nsew")
        self.restyle()

    @property
    def text(self) -> str:
        """The message in its longest form; empty while there is none."""
        return self._forms[0]

    def add_button(self, name: str, text: str, command: Callable[[], None]) -> BarButton:
        """Add a button at the right end."""
        button = BarButton(self, self.context.colours, text, command, name=name)
        self._buttons.append(button)
        button.grid(row=0, column=len(self._buttons), padx=(0, _PAD))
        return button

    def say(self, text: str, *shorter: str) -> None:
        """Show another message, `text` or the first of its `shorter` forms that fits.

        An empty `text` hides the bar.
        """
        forms = text, *shorter
        if forms != self._forms:
            before, self._forms = self.text, forms
            self._fit()
            if bool(text) != bool(before):
                self._on_change()

    def _place_buttons(self, width: int) -> None:
        """Place the buttons beside each other, or else one below the other."""
        if len(self._buttons) < 2:
            return
        if not self._stacked:
            self._needed = sum(button.winfo_reqwidth() + _PAD for button in self._buttons)
        # Only the width decides, so the buttons keep their places when the message changes.
        stacked = width - self._needed < scaled(self, _LEAST_PX)
        if stacked == self._stacked:
            return
        self._stacked = stacked
        for number, button in enumerate(self._buttons):
            button.configure(font=CAPTION if stacked else "TkDefaultFont", pady=0 if stacked else 2)
            row, column = (number, 1) if stacked else (0, number + 1)
            button.grid(row=row, column=column, sticky="ew" if stacked else "")
        self.rowconfigure(1, weight=1 if stacked else 0)
        self._label.grid_configure(rowspan=2 if stacked else 1)

    def _fit(self) -> None:
        """Show the longest form that fits, in the larger font if possible."""
        width = max(1, self._label.winfo_width() - 2 * _PAD)
        for text in self._forms:
            for font, lines in ((BODY, 2), (CAPTION, 3)):
                if line_count(self, font, text, width) <= lines:
                    self._label.configure(text=text, wraplength=width, font=font)
                    return
        # The lines break between words, so they are not filled completely.
        text = fitted(self, CAPTION, self._forms[-1], 2 * width)
        self._label.configure(text=text, wraplength=width, font=CAPTION)

    def restyle(self) -> None:
        """Apply the current theme."""
        colours = self.context.colours
        self.configure(background=colours.banner)
        self._label.configure(background=colours.banner, foreground=colours.banner_text)
        for button in self._buttons:
            button.restyle(colours)
