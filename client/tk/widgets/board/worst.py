"""A sentence beside a small board: the costliest move of a game, and the better one."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable
from tkinter import ttk
from typing import Final

from doublecross.client.tk.models.analysis.worst import WorstMove
from doublecross.client.tk.models.board.model import BoardChanges, BoardModel
from doublecross.client.tk.models.colours import Colours
from doublecross.client.tk.theme import scaled
from doublecross.client.tk.widgets.board.view import BoardView
from doublecross.client.tk.widgets.labels import WrappedLabel
from doublecross.games.api import Game

SIDE_PX: Final = 116
"""Width and height of the board, in pixels."""


class WorstMoveCard(ttk.Frame):
    """Shows what was found after a game; nothing without a sentence. `clock` returns seconds."""

    def __init__(self, parent: tk.Misc, colours: Colours, clock: Callable[[], float]) -> None:
        super().__init__(parent, name="worst", style="Card.TFrame", padding=(8, 6))
        self._colours = colours
        self._clock = clock
        self._shown: tuple[WorstMove | None, str] = (None, "")
        self._board: BoardView | None = None
        self.columnconfigure(1, weight=1)
        side = scaled(self, SIDE_PX)
        self.rowconfigure(0, minsize=side)
        self._text = WrappedLabel(self, "", name="worst_line")
        self._text.grid(row=0, column=1, sticky="ew")

    @property
    def has_text(self) -> bool:
        """Return whether there is something to show."""
        return bool(self._shown[1])

    def show(
        self, game: Game, opening: tuple[int, ...], found: WorstMove | None, line: str
    ) -> None:
        """Show `line`, and the board of `found` if there is one."""
        if (found, line) == self._shown:
            return
        self._shown = found, line
        self._text.configure(text=line)
        if self._board is not None:
            self._board.destroy()
            self._board = None
        if found is None:
            return
        model = BoardModel(game)
        model.show(opening, (*found.moves, found.played))
        view = self._board = BoardView(
            self, model, self._colours, on_action=None, clock=self._clock
        )
        side = scaled(self, SIDE_PX)
        view.configure(width=side, height=side)
        initials = ("", "") if model.shows_players else game.seat_names
        view.refresh(BoardChanges(rebuilt=True), initials=initials, quiet=True)
        view.show_hint((found.better,))
        view.grid(row=0, column=0, padx=(0, 8))

    def restyle(self, colours: Colours) -> None:
        """Apply the current theme."""
        self._colours = colours
        if self._board is not None:
            self._board.restyle(colours)
