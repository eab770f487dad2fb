"""A choice among a few values: buttons in a row, of which one is selected."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Mapping
from tkinter import ttk


class SegmentedChoice(ttk.Frame):
    """Buttons in a row. `titles` maps values to labels; `value` is the selected one at first."""

    def __init__(
        self, parent: tk.Misc, titles: Mapping[str, str], value: str, *, name: str
    ) -> None:
        super().__init__(parent, name=name)
        # A Tcl variable by name, not a `tk.Variable`: the garbage collector may delete one of those
        # in the network's thread, where calling Tk is not allowed.
        self._variable = f"choice_{self}"
        for column, (key, title) in enumerate(titles.items()):
            button = ttk.Radiobutton(
                self,
                name=key,
                text=title,
                value=key,
                variable=self._variable,  # type: ignore[arg-type]
            )
            button.grid(row=0, column=column, padx=(0 if column == 0 else 12, 0))
        self.setvar(self._variable, value)
        self.bind("<Destroy>", self._destroyed)

    @property
    def value(self) -> str:
        """The selected value."""
        return str(self.getvar(self._variable))

    def _destroyed(self, event: tk.Event[tk.Misc]) -> None:
        if event.widget is self:
            self.tk.call("unset", "-nocomplain", self._variable)
