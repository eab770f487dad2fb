"""Show one tournament: its name, its terms, its table of players, and what its organiser can do."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable
from dataclasses import dataclass
from tkinter import font as tkfont
from tkinter import ttk
from typing import Final

from doublecross.client.language import tr
from doublecross.client.tk.models.colours import Colours
from doublecross.client.tk.models.lobby.organiser import Organiser
from doublecross.client.tk.models.lobby.tournaments import TournamentsModel
from doublecross.client.tk.theme import BODY
from doublecross.client.tk.widgets.buttons import enter_button
from doublecross.client.tk.widgets.labels import FittedLabel, WrappedLabel
from doublecross.client.tk.widgets.lobby.list import LobbyList
from doublecross.client.tk.widgets.visible import set_visible

_TABLE_LINES: Final = 5
_TERMS_LINES: Final = 3


@dataclass(frozen=True, slots=True)
class OrganiserCommands:
    """The commands of the organiser's buttons; the last two get the name of the chosen player."""

    start: Callable[[], None]
    end: Callable[[], None]
    set_aside: Callable[[str], None]
    take_back: Callable[[str], None]


class TournamentPanel(ttk.Frame):
    """Shows the chosen tournament of `model`; its `organiser` gets buttons that run `commands`."""

    def __init__(
        self,
        parent: tk.Misc,
        model: TournamentsModel,
        organiser: Organiser,
        commands: OrganiserCommands,
    ) -> None:
        super().__init__(parent)
        self._model = model
        self._organiser = organiser
        self._working = False
        self.columnconfigure(0, weight=1)
        self._name = FittedLabel(self, "", name="chosen", style="Strong.TLabel")
        self._name.grid(row=0, column=0, sticky="ew", pady=(0, 2))
        self._build_organising(commands)
        self._terms = self._build_terms()
        self._table = self._build_table()
        self._aside = self._table.add_button(
            "set_aside", tr("Set aside ..."), lambda row: commands.set_aside(row.key)
        )
        self._back = self._table.add_button(
            "take_back", tr("player|Take back"), lambda row: commands.take_back(row.key)
        )
        for button in (self._aside, self._back):
            button.pack_forget()
        self._about = FittedLabel(self, "", name="about", style="Caption.TLabel")
        self._about.grid(row=3, column=0, sticky="ew", pady=(6, 0))

    def refresh(self, *, working: bool) -> None:
        """Show the current state of the model; `working` disables the organiser's buttons."""
        model, organiser, self._working = self._model, self._organiser, working
        set_visible(self._organising, organiser.organises)
        self._line.set_text(organiser.line)
        self._end.configure(text=tr("Call off") if organiser.starts_later else tr("End it"))
        set_visible(self._start, organiser.starts_later)
        self._start.state(["!disabled" if organiser.may_start and not working else "disabled"])
        self._end.state(["disabled" if working else "!disabled"])
        self._name.set_text(model.name)
        self._terms.configure(text=model.terms)
        self._table.show(model.table)
        self._progress.configure(text=model.progress)
        self._refresh_about()

    def restyle(self, colours: Colours) -> None:
        """Apply the current theme."""
        self._table.restyle(colours)

    def _build_organising(self, commands: OrganiserCommands) -> None:
        """Build the organiser's row; its place is always kept, so that the dialog never resizes."""
        row = self._organising = ttk.Frame(self, name="organising")
        row.columnconfigure(0, weight=1)
        self._line = FittedLabel(row, "", name="organiser", style="Strong.TLabel")
        self._line.grid(row=0, column=0, sticky="ew", padx=(0, 8))
        self._start = enter_button(row, "start_tournament", tr("tournament|Start"), commands.start)
        self._start.grid(row=0, column=1)
        self._end = enter_button(row, "end_tournament", tr("Call off"), commands.end)
        self._end.grid(row=0, column=2, padx=(8, 0))
        row.grid(row=4, column=0, sticky="ew", pady=(6, 0))
        self.rowconfigure(4, minsize=row.winfo_reqheight() + 6)

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
        key = "" if row is None else row.key
        aside, back = self._organiser.may_set_aside(key), self._organiser.may_take_back(key)
        for button, usable in ((self._aside, aside), (self._back, back)):
            shown = usable or (button is self._aside and self._organiser.organises and not back)
            if shown != bool(button.winfo_manager()):
                button.pack(side="right", padx=12) if shown else button.pack_forget()
            button.state(["!disabled" if usable and not self._working else "disabled"])
        about = "" if row is None else self._model.about(row.key)
        self._about.set_text(about or tr("A game counts once both games of its pair are over."))
