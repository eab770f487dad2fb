"""Summarise the open and running tournaments in a few lines."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Sequence
from tkinter import font as tkfont
from tkinter import ttk
from typing import Final

from doublecross.client.language import tr
from doublecross.client.tk.models.lobby.tournaments import short_line, tournament_line
from doublecross.client.tk.theme import BODY
from doublecross.client.tk.widgets.labels import WrappedLabel, line_count
from doublecross.protocol.server_messages import LobbyTournament

_LINES: Final = 3
_NONE: Final = tr("No tournament is open or running.")


class TournamentText(ttk.Frame):
    """Always as high as its longest text, so that nothing moves when a tournament begins.

    Where the descriptions do not fit, it shows only how many tournaments there are.
    """

    def __init__(self, parent: tk.Misc) -> None:
        super().__init__(parent)
        self.columnconfigure(0, weight=1)
        self._text = WrappedLabel(self, _NONE, name="tournaments", style="Dim.TLabel")
        self._text.grid(row=0, column=0, sticky="new")
        self._text.bind("<Configure>", lambda event: self._show_text(event.width), add=True)
        self._lines: Sequence[LobbyTournament] = ()
        line = tkfont.nametofont(BODY, root=self).metrics("linespace")
        self.configure(height=_LINES * line, width=1)
        self.grid_propagate(False)

    def show(self, tournaments: Sequence[LobbyTournament]) -> None:
        """Summarise `tournaments`."""
        self._lines = tournaments
        self._show_text(self._text.winfo_width())

    def _show_text(self, width: int) -> None:
        text = tournament_line(self._lines) or _NONE
        if self._lines and width > 1 and line_count(self, BODY, text, width) > _LINES:
            text = short_line(self._lines)
        self._text.configure(text=text)
