"""What stands below the board of a room: the state of things in a sentence, the way back from an
earlier position, and what the colours of the overlay mean."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable, Sequence
from tkinter import font as tkfont
from tkinter import ttk
from typing import Final, Literal

from client.tk.models.look import Look
from client.tk.theme import BODY, STRONG
from client.tk.widgets.buttons import BarButton
from client.tk.widgets.labels import FittedLabel

Kind = Literal["plain", "strong", "wrong", "hint"]

_KINDS: Final[dict[str, str]] = {
    "chain": "chain",
    "loop": "loop",
    "capturable": "can be taken now",
}
_PAD: Final = 8


class Sentence(ttk.Frame):
    """Room for a sentence of at most two lines, as high whatever is said."""

    def __init__(self, parent: tk.Misc, look: Look) -> None:
        super().__init__(parent, name="status")
        self._look = look
        self._said: tuple[str, Kind] = ("", "plain")
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
    def said(self) -> str:
        """What is said now."""
        return self._said[0]

    def say(self, text: str, kind: Kind = "plain") -> None:
        """Say something else."""
        if (text, kind) != self._said:
            self._said = text, kind
            self._paint()

    def restyle(self, look: Look) -> None:
        """Other colours."""
        self._look = look
        self._paint()

    def _paint(self) -> None:
        text, kind = self._said
        look = self._look
        colours = {"wrong": look.warning, "hint": look.hint}
        self._label.configure(
            text=text,
            font=BODY if kind == "plain" else STRONG,
            foreground=colours.get(kind, look.text),
        )


class LookBackBar(tk.Frame):
    """Says that an earlier position is shown. `on_step` is called with how many moves to go on,
    back if negative, `on_latest` to go back to the latest position."""

    def __init__(
        self,
        parent: tk.Misc,
        look: Look,
        *,
        on_step: Callable[[int], None],
        on_latest: Callable[[], None],
    ) -> None:
        super().__init__(parent, name="look_back")
        self.columnconfigure(2, weight=1)
        self.rowconfigure(0, weight=1)
        back = BarButton(self, look, "◂", lambda: on_step(-1))
        on = BarButton(self, look, "▸", lambda: on_step(1))
        self.latest = BarButton(self, look, "Back to the latest", on_latest)
        self._buttons = back, on, self.latest
        self._label = FittedLabel(self, "", name="position")
        back.grid(row=0, column=0, padx=(_PAD, 2), pady=3)
        on.grid(row=0, column=1, padx=(2, _PAD), pady=3)
        self._label.grid(row=0, column=2, sticky="ew")
        self.latest.grid(row=0, column=3, padx=_PAD, pady=3)
        self.restyle(look)

    def show(self, ply: int, total: int) -> None:
        """The position after `ply` of `total` moves is shown."""
        # What matters comes first: there may be no room for all of it.
        where = f"Move {ply} of {total}" if ply else "The start"
        self._label.say(f"{where} · an earlier position")

    def restyle(self, look: Look) -> None:
        """Other colours."""
        self.configure(background=look.banner)
        self._label.configure(background=look.banner, foreground=look.banner_text)
        for button in self._buttons:
            button.restyle(look)


class Legend(ttk.Frame):
    """Which colour of the overlay means what."""

    def __init__(self, parent: tk.Misc, look: Look) -> None:
        super().__init__(parent, name="legend", height=22)
        self._look = look
        self._kinds: tuple[str, ...] | None = None
        self.show(())

    def show(self, kinds: Sequence[str]) -> None:
        """These kinds of features are shown, in any order and number."""
        found = tuple(dict.fromkeys((*(k for k in _KINDS if k in kinds), *kinds)))
        if found != self._kinds:
            self._kinds = found
            self._build()

    def restyle(self, look: Look) -> None:
        """Other colours."""
        self._look = look
        self._build()

    def _build(self) -> None:
        for child in self.winfo_children():
            child.destroy()
        if not self._kinds:
            nothing = ttk.Label(self, text="Nothing to point out yet", style="Caption.TLabel")
            nothing.grid(row=0, column=0)
            return
        for column, kind in enumerate(self._kinds):
            colour = self._look.of_feature(kind)
            swatch = tk.Frame(self, width=16, height=8, background=colour)
            swatch.grid(row=0, column=2 * column, padx=(0 if column == 0 else 16, 6))
            label = ttk.Label(self, text=_KINDS.get(kind, kind), style="Caption.TLabel")
            label.grid(row=0, column=2 * column + 1)
