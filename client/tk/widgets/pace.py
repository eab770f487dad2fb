"""A menu of speeds at which moves are shown."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable
from tkinter import font as tkfont
from tkinter import ttk

from doublecross.client.tk.models.pace import PACES, SHORT
from doublecross.client.tk.theme import BODY


class PaceMenu(ttk.Menubutton):
    """Offers `usual`, for None, and the speeds of `PACES`; `on_pace` is called with the choice.

    `show` shows the present one, in seconds a move.
    """

    def __init__(
        self, parent: tk.Misc, usual: str, *, on_pace: Callable[[float | None], None]
    ) -> None:
        super().__init__(parent, name="pace")
        self._titles: dict[float | None, str] = {None: usual, **SHORT}
        # Tk counts a width in digits, which are wider than most letters.
        measure = tkfont.nametofont(BODY, root=self).measure
        longest = max(measure(title) for title in self._titles.values())
        self.configure(width=-(-longest // measure("0")))
        self._on_pace = on_pace
        # A Tcl variable by name, not a `tk.Variable`: the garbage collector may delete one of those
        # in the network's thread, where calling Tk is not allowed.
        self._variable = f"pace_{self}"
        menu = tk.Menu(self, name="menu", tearoff=False)
        for pace in self._titles:
            menu.add_radiobutton(
                label=usual if pace is None else PACES[pace],
                value=str(pace),
                variable=self._variable,  # type: ignore[arg-type]
                command=lambda pace=pace: self._choose(pace),  # type: ignore[misc]
            )
        self.configure(menu=menu)
        self.show(None)

    def _choose(self, pace: float | None) -> None:
        self.show(pace)
        self._on_pace(pace)

    def show(self, pace: float | None) -> None:
        """Show that `pace` is chosen."""
        self.setvar(self._variable, str(pace))
        self.configure(text=self._titles[pace])
