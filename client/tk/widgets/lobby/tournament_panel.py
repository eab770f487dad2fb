"""Show one tournament: its name, its terms and its table of players."""

from __future__ import annotations

import tkinter as tk
from tkinter import font as tkfont
from tkinter import ttk
from typing import Final

from doublecross.client.language import tr
from doublecross.client.tk.models.colours import Colours
from doublecross.client.tk.models.lobby.tournaments import TournamentsModel
from doublecross.client.tk.theme import BODY
from doublecross.client.tk.widgets.labels import FittedLabel, WrappedLabel
from doublecross.client.tk.widgets.lobby.list import LobbyList

_TABLE_LINES: Final = 5
_TERMS_LINES: Final = 3


class TournamentPanel(ttk.Frame):
    """Shows the chosen tournament of `model`."""

    def __init__(self, parent: tk.Misc, model: TournamentsModel) -> None:
        super().__init__(parent)
        self._model = model
        self.columnconfigure(0, weight=1)
        self._name = FittedLabel(self, "", name="chosen", style="Strong.TLabel")
        self._name.grid(row=0, column=0, sticky="ew", pady=(0, 2))
        self._terms = self._build_terms()
        self._table = self._build_table()
        self._about = FittedLabel(self, "", name="about", style="Caption.TLabel")
        self._about.grid(row=3, column=0, sticky="ew", pady=(6, 0))

    def refresh(self) -> None:
        """Show the current state of the model."""
        model = self._model
        self._name.set_text(model.name)
        self._terms.configure(text=model.terms)
        self._table.show(model.table)
        self._progress.configure(text=model.progress)
        self._refresh_about()

    def restyle(self, colours: Colours) -> None:
        """Apply the current theme."""
        self._table.restyle(colours)

    def _build_terms(self) -> WrappedLabel:
        """Build the label of the terms, with a fixed height so that the dialog never resizes."""
        line = tkfont.nametofont(BODY, root=self).metrics("linespace")
        box = ttk.Frame(self, height=_TERMS_LINES * line)
        box.grid(row=1, column=0, sticky="ew", pady=(0, 8))
        box.grid_propagate(False)
        box.columnconfigure(0, weight=1)
        terms = WrappedLabel(box, "", name="terms", style="Dim.TLabel")
        terms.grid(row=0, column=0, sticky="new")
        return terms

    def _build_table(self) -> LobbyList:
        table = LobbyList(
            self,
            name="table",
            title=tr("Players"),
            columns=(
                (tr("Player"), "200. Maximilian the Third (bot)"),
                (tr("Now"), "aside: lost 3 games in a row"),
                (tr("Games"), "1000"),
                (tr("Points"), "500½"),
                (tr("Net score"), "+1000"),
            ),
            empty=tr("Nobody has joined yet."),
            on_open=lambda _: None,
            on_choose=lambda _: self._refresh_about(),
        )
        table.tree.configure(height=_TABLE_LINES)
        self._progress = ttk.Label(table.head, name="progress", style="Dim.TLabel")
        self._progress.pack(side="right")
        table.grid(row=2, column=0, sticky="ew")
        return table

    def _refresh_about(self) -> None:
        row = self._table.chosen
        about = "" if row is None else self._model.about(row.key)
        self._about.set_text(about or tr("A game counts once both games of its pair are over."))
