"""The choices about the window itself, in a row: light or dark, the players' colours, sound."""

from __future__ import annotations

import tkinter as tk
from tkinter import ttk
from typing import Final

from client.tk.context import Context
from client.tk.models.look import PALETTES
from client.tk.widgets.buttons import is_on, set_switch, switch_button

_PALETTE: Final = "doublecross_palette"


class SettingsRow(ttk.Frame):
    """What is chosen holds at once, and is kept."""

    def __init__(self, parent: tk.Misc, context: Context) -> None:
        super().__init__(parent)
        self._context = context
        self._dark = switch_button(self, "dark", "Dark", self._restyle)
        self._sound = switch_button(self, "sound", "Sound", self._switch_sound)
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
        self.refresh()
        for column, widget in enumerate((self._dark, self._sound, self._palette)):
            widget.grid(row=0, column=column, padx=(0 if column == 0 else 12, 0))

    def refresh(self) -> None:
        """Show what is chosen now, here or elsewhere."""
        kept = self._context.home.kept
        self.setvar(_PALETTE, kept.palette if kept.palette in PALETTES else next(iter(PALETTES)))
        self._name_palette()
        set_switch(self._dark, on=kept.dark)
        set_switch(self._sound, on=kept.sound)

    def _restyle(self) -> None:
        self._name_palette()
        self._context.program.restyle(dark=is_on(self._dark), palette=str(self.getvar(_PALETTE)))

    def _name_palette(self) -> None:
        title = PALETTES[str(self.getvar(_PALETTE))].title
        self._palette.configure(text=_short(title))

    def _switch_sound(self) -> None:
        self._context.switch_sound(on=is_on(self._sound))


def _short(title: str) -> str:
    """The title of a palette, without what is said of it in brackets."""
    return title.partition(" (")[0]
