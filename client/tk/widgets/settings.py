"""The choices about the window itself, in a row: light or dark, the players' colours, sound."""

from __future__ import annotations

import tkinter as tk
from tkinter import ttk
from typing import Final

from client.tk.context import Context
from client.tk.models.look import PALETTES

_PALETTE: Final = "doublecross_palette"


class SettingsRow(ttk.Frame):
    """What is chosen holds at once, and is kept."""

    def __init__(self, parent: tk.Misc, context: Context) -> None:
        super().__init__(parent)
        self._context = context
        self._dark = ttk.Checkbutton(
            self, name="dark", text="Dark", style="Switch.TCheckbutton", command=self._restyle
        )
        self._sound = ttk.Checkbutton(
            self, name="sound", text="Sound", style="Switch.TCheckbutton", command=self._mute
        )
        width = max(len(_short(palette.title)) for palette in PALETTES.values())
        self._palette = ttk.Menubutton(self, name="palette", width=width)
        menu = tk.Menu(self._palette, name="menu", tearoff=False)
        for key, palette in PALETTES.items():
            # A variable by its name alone: the end of one of tkinter's might come in the network's
            # thread, where Tk must not be touched.
            menu.add_radiobutton(
                label=palette.title,
                value=key,
                variable=_PALETTE,  # type: ignore[arg-type]
                command=self._restyle,
            )
        self._palette.configure(menu=menu)
        # Without a variable of its own a button of ttk is in doubt at first: "alternate".
        for switch in (self._dark, self._sound):
            switch.state(["!alternate"])
        self.refresh()
        for column, widget in enumerate((self._dark, self._sound, self._palette)):
            widget.grid(row=0, column=column, padx=(0 if column == 0 else 12, 0))

    def refresh(self) -> None:
        """Show what is chosen now, here or elsewhere."""
        kept = self._context.home.kept
        self.setvar(_PALETTE, kept.palette if kept.palette in PALETTES else next(iter(PALETTES)))
        self._name_palette()
        self._dark.state(["selected" if kept.dark else "!selected"])
        self._sound.state(["selected" if kept.sound else "!selected"])

    def _restyle(self) -> None:
        self._name_palette()
        self._context.navigation.restyle(
            dark=self._dark.instate(["selected"]), palette=str(self.getvar(_PALETTE))
        )

    def _name_palette(self) -> None:
        title = PALETTES[str(self.getvar(_PALETTE))].title
        self._palette.configure(text=_short(title))

    def _mute(self) -> None:
        on = self._sound.instate(["selected"])
        self._context.sound.on = self._context.home.kept.sound = on
        self._context.home.save()


def _short(title: str) -> str:
    """The title of a palette, without what is said of it in brackets."""
    return title.partition(" (")[0]
