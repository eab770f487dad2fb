"""A choice of a few things, all of them in sight: buttons in a row of which one is chosen."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable, Mapping
from tkinter import ttk


class SegmentedChoice(ttk.Frame):
    """Buttons in a row. `titles` are their labels by what each means; `value` is the chosen one."""

    def __init__(
        self,
        parent: tk.Misc,
        titles: Mapping[str, str],
        value: str,
        *,
        name: str,
        style: str = "TRadiobutton",
        on_change: Callable[[], None] | None = None,
    ) -> None:
        super().__init__(parent, name=name)
        # A variable by its name alone: the end of one of tkinter's might come in the network's
        # thread, where Tk must not be touched.
        self._variable = f"choice_{self}"
        self.buttons: dict[str, ttk.Radiobutton] = {}
        for column, (key, title) in enumerate(titles.items()):
            button = ttk.Radiobutton(
                self,
                name=key,
                text=title,
                value=key,
                style=style,
                variable=self._variable,  # type: ignore[arg-type]
                command=on_change or "",
            )
            button.grid(row=0, column=column, padx=(0 if column == 0 else 12, 0))
            self.buttons[key] = button
        self.value = value
        self.bind("<Destroy>", self._destroyed)

    @property
    def value(self) -> str:
        """The key of the title that is chosen."""
        return str(self.getvar(self._variable))

    @value.setter
    def value(self, value: str) -> None:
        self.setvar(self._variable, value)

    def name_choice(self, value: str, title: str) -> None:
        """Change the title of one of the choices."""
        self.buttons[value].configure(text=title)

    def _destroyed(self, event: tk.Event[tk.Misc]) -> None:
        if event.widget is self:
            self.tk.call("unset", "-nocomplain", self._variable)
