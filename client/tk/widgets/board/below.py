"""Show a status sentence and a bar for earlier positions below the board."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable, Sequence
from tkinter import font as tkfont
from tkinter import ttk
from typing import Final, Literal

from doublecross.client.language import tr
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
        strong = {"wrong": colours.warning, "hint": colours.hint}
        self._label.configure(
            text=text,
            font=BODY if kind == "plain" else STRONG,
            foreground=strong.get(kind, colours.text),
        )


class EarlierBar(tk.Frame):
    """Shows that the board displays an earlier position.

    `on_step` is called with the number of moves to go forward (negative: back), `on_latest` to
    return to the latest position.
    """

    def __init__(
        self,
        parent: tk.Misc,
        colours: Colours,
        *,
        on_step: Callable[[int], None],
        on_latest: Callable[[], None],
    ) -> None:
        super().__init__(parent, name="earlier_bar")
        self.columnconfigure(2, weight=1)
        self.rowconfigure(0, weight=1)
        back = BarButton(self, colours, "◂", lambda: on_step(-1))
        on = BarButton(self, colours, "▸", lambda: on_step(1))
        latest = BarButton(self, colours, tr("Back to the latest"), on_latest)
        self._buttons = back, on, latest
        self._label = FittedLabel(self, "", name="position")
        back.grid(row=0, column=0, padx=(_PAD, 2), pady=3)
        on.grid(row=0, column=1, padx=(2, _PAD), pady=3)
        self._label.grid(row=0, column=2, sticky="ew")
        latest.grid(row=0, column=3, padx=_PAD, pady=3)
        self.restyle(colours)

    def show(self, place: Sequence[str]) -> None:
        """Show the first text of `place` that fits."""
        self._label.set_text(*place)

    def restyle(self, colours: Colours) -> None:
        """Apply the current theme."""
        self.configure(background=colours.banner)
        self._label.configure(background=colours.banner, foreground=colours.banner_text)
        for button in self._buttons:
            button.restyle(colours)
