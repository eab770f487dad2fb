"""A row of settings of the window: light or dark, sound, and a menu with the others."""

from __future__ import annotations

import tkinter as tk
from functools import partial
from tkinter import ttk
from typing import Final

from doublecross.client.language import LANGUAGES, tr
from doublecross.client.tk.context import Context
from doublecross.client.tk.models.colours import PALETTES
from doublecross.client.tk.widgets.buttons import is_on, set_switch, switch_button

_PALETTE: Final = "doublecross_palette"
_LANGUAGE: Final = "doublecross_language"
_SWITCHES: Final = {
    "keep_colours": tr("Same colours in rematches"),
    "premoves": tr("Choose the next move early"),
    "mute_phrases": tr("Mute the phrases of opponents"),
    "rim": tr("Letters and numbers beside boards"),
}
"""The switches of the menu, by the names of the settings."""


class SettingsRow(ttk.Frame):
    """Applies and stores each change at once."""

    def __init__(self, parent: tk.Misc, context: Context) -> None:
        super().__init__(parent)
        self._context = context
        self._dark = switch_button(self, "dark", tr("Dark"), self._restyle)
        self._sound = switch_button(
            self, "sound", tr("Sound"), lambda: context.switch_sound(on=is_on(self._sound))
        )
        title = tr("Settings")
        # The arrow would touch the text: a negative width is the least one.
        more = ttk.Menubutton(self, name="settings", text=title, width=-len(title) - 2)
        menu = tk.Menu(more, name="menu", tearoff=False)
        for key, palette in PALETTES.items():
            # A Tcl variable by name, not a `tk.Variable`: the garbage collector may delete one of
            # those in the network's thread, where calling Tk is not allowed.
            menu.add_radiobutton(
                label=palette[1],
                value=key,
                variable=_PALETTE,  # type: ignore[arg-type]
                command=self._restyle,
            )
        menu.add_separator()
        for name, label in _SWITCHES.items():
            menu.add_checkbutton(
                label=label,
                variable=_variable(name),  # type: ignore[arg-type]
                command=partial(self._switch, name),
            )
        menu.add_cascade(label=tr("Language (after a restart)"), menu=self._build_languages(menu))
        more.configure(menu=menu)
        self.refresh()
        for column, widget in enumerate((self._dark, self._sound, more)):
            widget.grid(row=0, column=column, padx=(0 if column == 0 else 12, 0))

    def _build_languages(self, parent: tk.Menu) -> tk.Menu:
        menu = tk.Menu(parent, name="languages", tearoff=False)
        for key, title in {"": tr("That of the desktop"), **LANGUAGES}.items():
            menu.add_radiobutton(
                label=title,
                value=key,
                variable=_LANGUAGE,  # type: ignore[arg-type]
                command=self._choose_language,
            )
        return menu

    def refresh(self) -> None:
        """Show the stored settings, which another widget may have changed."""
        kept = self._context.home.settings
        self.setvar(_PALETTE, kept.palette if kept.palette in PALETTES else next(iter(PALETTES)))
        self.setvar(_LANGUAGE, kept.language if kept.language in LANGUAGES else "")
        for name in _SWITCHES:
            self.setvar(_variable(name), str(int(getattr(kept, name))))
        set_switch(self._dark, on=kept.dark)
        set_switch(self._sound, on=kept.sound)

    def _restyle(self) -> None:
        self._context.program.restyle(dark=is_on(self._dark), palette=str(self.getvar(_PALETTE)))

    def _switch(self, name: str) -> None:
        on = self.getvar(_variable(name)) in (1, "1", True)
        setattr(self._context.home.settings, name, on)
        self._context.home.save()

    def _choose_language(self) -> None:
        # Modules have translated their texts already, so only a new start shows others.
        self._context.home.settings.language = str(self.getvar(_LANGUAGE))
        self._context.home.save()


def _variable(name: str) -> str:
    """Return the Tcl variable of a switch."""
    return f"doublecross_{name}"
