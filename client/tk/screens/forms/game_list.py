"""List the games of a game file, with a filter."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable, Sequence
from tkinter import ttk
from typing import Final

from doublecross.client.language import longest_day, number, tr
from doublecross.client.tk.models.records import RecordRow, count_line, matching
from doublecross.client.tk.models.rows import Row
from doublecross.client.tk.models.words import LONG_GAME
from doublecross.client.tk.widgets.buttons import bind_enter
from doublecross.client.tk.widgets.lobby.list import LobbyList

MOST: Final = 500
"""The most rows in the list; more would block the window, and nobody reads them."""


class GameList(ttk.Frame):
    """A list of the games of a file, with a filter for words that a row must contain.

    `number` is the game to select first. `on_open` is called with the row that is opened by Enter
    or a double click.
    """

    def __init__(
        self,
        parent: tk.Misc,
        rows: Sequence[RecordRow],
        number: int,
        *,
        on_open: Callable[[RecordRow], None],
    ) -> None:
        super().__init__(parent)
        self._rows = rows
        self._on_open = on_open
        self.columnconfigure(1, weight=1)
        self.rowconfigure(1, weight=1)
        ttk.Label(self, text=tr("Filter")).grid(row=0, column=0, padx=(0, 8))
        self._filter = ttk.Entry(self, name="filter")
        self._filter.grid(row=0, column=1, sticky="ew")
        self._count = ttk.Label(self, name="matches")
        self._count.grid(row=0, column=2, padx=(12, 0))
        self._games = LobbyList(
            self,
            name="games",
            columns=(
                (tr("Players"), f"{len(rows)}. Maximilian – Maximilian"),
                (tr("Result"), "½-½"),
                (tr("Game"), LONG_GAME),
                (tr("Date"), longest_day()),
            ),
            empty=count_line(0, len(rows)),
            on_open=lambda _: self.open(),
            on_choose=lambda _: None,
        )
        self._games.grid(row=1, column=0, columnspan=3, sticky="nsew", pady=(12, 0))
        self.tree = self._games.tree
        # On release: while the key is pressed, the field still has its old text.
        self._filter.bind("<KeyRelease>", lambda _: self._refilter())
        self._filter.bind("<Down>", lambda _: self.tree.focus_set())
        bind_enter(self._filter, lambda _: self.open())
        self._text = ""
        self._fill(list(rows), number)

    def focus_set(self) -> None:
        """Focus the filter."""
        self._filter.focus_set()

    def open(self) -> None:
        """Open the selected game, if any."""
        for item in self.tree.selection():
            # The list may be destroyed then, so let Tk finish handling the key or click first.
            self.after_idle(self._on_open, self._rows[int(item) - 1])

    def _refilter(self) -> None:
        text = self._filter.get()
        if text != self._text:
            self._text = text
            self._fill(matching(self._rows, text), 1)

    def _fill(self, rows: list[RecordRow], number: int) -> None:
        """List `rows` and select game `number`, or the first row if that game is not listed."""
        self._count.configure(text=count_line(len(rows), len(self._rows)))
        place = next((at for at, row in enumerate(rows) if row.number == number), 0)
        first = max(0, min(place - MOST // 2, len(rows) - MOST))
        self._games.show([_row(row) for row in rows[first : first + MOST]])
        if rows:
            chosen = str(rows[place].number)
            self.tree.selection_set(chosen)
            self.tree.focus(chosen)
            self.tree.see(chosen)


def _row(row: RecordRow) -> Row:
    players = f"{number(row.number, ',')}. {row.players}"
    return Row(str(row.number), (players, row.result, row.game, row.date))
