"""Summarise the open and running tournaments in a line, with a button that opens them."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable, Sequence
from tkinter import font as tkfont
from tkinter import ttk

from client.tk.models.lobby.tournaments import short_line, tournament_line
from client.tk.theme import BODY
from client.tk.widgets.buttons import enter_button
from client.tk.widgets.labels import WrappedLabel
from protocol.server_messages import LobbyTournament

_NONE = "No tournament is open or running."


class TournamentLine(ttk.Frame):
    """Always visible and two lines high, so that nothing moves when a tournament begins.

    `on_open` opens the dialog of the tournaments. Where their descriptions do not fit, the line
    shows only how many there are.
    """

    def __init__(self, parent: tk.Misc, on_open: Callable[[], None]) -> None:
        super().__init__(parent)
        self.columnconfigure(0, weight=1)
        self.rowconfigure(0, weight=1)
        self._text = WrappedLabel(self, _NONE, name="tournaments", style="Dim.TLabel")
        self._text.grid(row=0, column=0, sticky="ew")
        self._text.bind("<Configure>", lambda event: self._show_text(event.width), add=True)
        button = enter_button(self, "open_tournaments", "Tournaments ...", on_open)
        button.grid(row=0, column=1, padx=(8, 0))
        self._lines: Sequence[LobbyTournament] = ()
        lines = 2 * tkfont.nametofont(BODY, root=self).metrics("linespace")
        self.configure(height=max(lines, button.winfo_reqheight()), width=1)
        self.grid_propagate(False)

    def show(self, tournaments: Sequence[LobbyTournament]) -> None:
        """Summarise `tournaments`."""
        self._lines = tournaments
        self._show_text(self._text.winfo_width())

    def _show_text(self, width: int) -> None:
        text = tournament_line(self._lines) or _NONE
        needed = int(self.tk.call("font", "measure", BODY, text))
        # Lines break between words, so they are not filled completely.
        if self._lines and width > 1 and needed > 1.7 * width:
            text = short_line(self._lines)
        self._text.configure(text=text)
