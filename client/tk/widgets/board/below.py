"""Show a status sentence below the board, and a notice when the position is not the latest."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable, Sequence
from tkinter import font as tkfont
from tkinter import ttk
from typing import Final, Literal

from doublecross.client.tk.models.colours import Colours
from doublecross.client.tk.theme import BODY, STRONG
from doublecross.client.tk.widgets.buttons import BarButton
from doublecross.client.tk.widgets.labels import FittedLabel

Kind = Literal["plain", "strong", "wrong", "hint"]

_PAD: Final = 8


class Sentence(ttk.Frame):
    """A status sentence of at most two lines. Its height is fixed, so the board keeps its size."""

    def __init__(self, parent: tk.Misc, colours: Colours) -> None:
        super().__init__(parent, name="status")
        self._colours = colours
        self._shown: tuple[str, Kind] = ("", "plain")
        lines = 2 * tkfont.nametofont(STRONG, root=self).metrics("linespace")
        self.configure(height=lines + 6)
        self.grid_propagate(False)
        self.columnconfigure(0, weight=1)
        self.rowconfigure(0, weight=1)
        self._label = ttk.Label(self, name="sentence", anchor="center", justify="center", width=1)
        self._label.grid(row=0, column=0, sticky="nsew")
        self._label.bind(
            "<Configure>", lambda event: self._label.configure(wraplength=max(1, event.width - 8))
        )

    @property
    def text(self) -> str:
        """The sentence that is shown now."""
        return self._shown[0]

    def show(self, text: str, kind: Kind = "plain") -> None:
        """Show `text` in the style of `kind`."""
        if (text, kind) != self._shown:
            self._shown = text, kind
            self._paint()

    def restyle(self, colours: Colours) -> None:
        """Apply the current theme."""
        self._colours = colours
        self._paint()

    def _paint(self) -> None:
        text, kind = self._shown
        colours = self._colours
        strong = {"wrong": colours.bad, "hint": colours.hint}
        self._label.configure(
            text=text,
            font=BODY if kind == "plain" else STRONG,
            foreground=strong.get(kind, colours.text),
        )


class NoticeBar(tk.Frame):
    """A line in the colours of a notice: the board does not show the latest position of a game.

    `before` and `after` are the texts and commands of buttons at its left and its right end.
    """

    def __init__(
        self,
        parent: tk.Misc,
        colours: Colours,
        *,
        name: str,
        before: Sequence[tuple[str, Callable[[], None]]] = (),
        after: Sequence[tuple[str, Callable[[], None]]],
    ) -> None:
        super().__init__(parent, name=name)
        self.rowconfigure(0, weight=1)
        self.columnconfigure(len(before), weight=1)
        self._label = FittedLabel(self, "", name="notice")
        self._label.grid(row=0, column=len(before), sticky="ew", padx=_PAD)
        self._buttons = [BarButton(self, colours, *each) for each in (*before, *after)]
        for number, button in enumerate(self._buttons):
            column = number + (number >= len(before))
            button.grid(row=0, column=column, padx=_PAD // 2, pady=2)
        self.restyle(colours)

    def show(self, *forms: str) -> None:
        """Show the first of these texts that fits."""
        self._label.set_text(*forms)

    def restyle(self, colours: Colours) -> None:
        """Apply the current theme."""
        self.configure(background=colours.banner)
        self._label.configure(background=colours.banner, foreground=colours.banner_text)
        for button in self._buttons:
            button.restyle(colours)
