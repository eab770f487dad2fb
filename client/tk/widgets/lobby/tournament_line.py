"""Summarise the open and running tournaments in a line, with a button that opens them."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable, Sequence
from tkinter import ttk
from typing import Final

from client.tk.models.lobby.tournaments import short_line, tournament_line
from client.tk.widgets.buttons import enter_button
from client.tk.widgets.labels import WrappedLabel
from protocol.server_messages import LobbyTournament

NARROW_PX: Final = 520
"""Below this width, in pixels, the line shows only the number of tournaments."""


class TournamentLine(ttk.Frame):
    """Visible only while there are tournaments. `on_open` opens their dialog.

    Call `grid` before the first `show`, which hides the widget and restores it in its grid cell.
    """

    def __init__(self, parent: tk.Misc, on_open: Callable[[], None]) -> None:
        super().__init__(parent)
        self.columnconfigure(0, weight=1)
        self._text = WrappedLabel(self, "", name="tournaments", style="Dim.TLabel")
        self._text.grid(row=0, column=0, sticky="ew")
        button = enter_button(self, "open_tournaments", "Tournaments ...", on_open)
        button.grid(row=0, column=1, padx=(8, 0))
        self._lines: Sequence[LobbyTournament] = ()
        self._narrow = False
        self.bind("<Configure>", lambda event: self._fit(event.width))

    def show(self, tournaments: Sequence[LobbyTournament]) -> None:
        """Summarise `tournaments`; hide the line if there are none."""
        self._lines = tournaments
        self._show_text()
        if tournaments:
            self.grid()
        else:
            self.grid_remove()

    def _fit(self, width: int) -> None:
        narrow = width < NARROW_PX
        if narrow != self._narrow:
            self._narrow = narrow
            self._show_text()

    def _show_text(self) -> None:
        line = short_line(self._lines) if self._narrow else tournament_line(self._lines)
        self._text.configure(text=line)
