"""List the games of a record file, in parts, so that thousands of games do not block the window."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable, Sequence
from tkinter import ttk
from typing import Final, Literal

from doublecross.client.language import number, tr
from doublecross.client.tk.models.records import RecordRow, count_line, matching
from doublecross.client.tk.theme import BODY
from doublecross.client.tk.widgets.labels import fitted
from doublecross.client.tk.widgets.text import auto_hide

AT_ONCE: Final = 250
"""Rows that are added to the list at once; Tk handles other events in between."""

_PLAYERS: Final = "players"
_COLUMNS: Final[tuple[tuple[str, str, Literal["w", "center", "e"]], ...]] = (
    ("number", "", "e"),
    (_PLAYERS, tr("Players"), "w"),
    ("result", tr("Result"), "center"),
    ("game", tr("Game"), "w"),
    ("date", tr("Date"), "w"),
)
_LEAST_COLUMN_PX: Final = 40
_FRAME_PX: Final = 12
_PAD_PX: Final = 8
_CELL_PX: Final = 16
"""Horizontal padding of a cell, in pixels."""


class GameList(ttk.Frame):
    """A list of the games of a file, with a filter for words that a row must contain.

    `on_open` is called with the row that is opened by Enter or a double click.
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
        self._waiting: list[RecordRow] = []
        self._players_px = 0
        self._after: str | None = None
        self.columnconfigure(1, weight=1)
        self.rowconfigure(1, weight=1)
        ttk.Label(self, text=tr("Filter")).grid(row=0, column=0, padx=(0, 8))
        self._filter = ttk.Entry(self, name="filter")
        self._filter.grid(row=0, column=1, sticky="ew")
        self._count = ttk.Label(self, name="count")
        self._count.grid(row=0, column=2, padx=(12, 0))
        self.tree = self._build_tree()
        # On release: while the key is pressed, the field still has its old text.
        self._filter.bind("<KeyRelease>", lambda _: self._refilter())
        self._filter.bind("<Down>", lambda _: self.tree.focus_set())
        for widget in (self._filter, self.tree):
            for key in ("<Return>", "<KP_Enter>"):
                widget.bind(key, lambda _: self._open_and_stop())
        self.bind("<Destroy>", self._destroyed)
        self._text = ""
        self._fill(list(rows), number)

    def focus_set(self) -> None:
        """Focus the filter."""
        self._filter.focus_set()

    def open(self) -> None:
        """Open the selected game, if any."""
        for item in self.tree.selection():
            self._on_open(self._rows[int(item) - 1])
            return

    def _build_tree(self) -> ttk.Treeview:
        box = ttk.Frame(self)
        box.grid(row=1, column=0, columnspan=3, sticky="nsew", pady=(12, 0))
        box.columnconfigure(0, weight=1)
        box.rowconfigure(0, weight=1)
        keys = [key for key, *_ in _COLUMNS]
        rows = [_cells(row) for row in self._rows]
        tree = ttk.Treeview(
            box, name="games", columns=keys, show="headings", selectmode="browse", height=4
        )
        for column, (key, title, anchor) in enumerate(_COLUMNS):
            # The space aligns the heading with the cells, which ttk pads.
            tree.heading(key, text=f" {title}" if anchor == "w" else title, anchor=anchor)
            longest = max((title, *(cells[column] for cells in rows)), key=len)
            width = int(self.tk.call("font", "measure", BODY, longest)) + _CELL_PX
            width = max(_LEAST_COLUMN_PX, width)
            stretch = key == _PLAYERS
            least = _LEAST_COLUMN_PX if stretch else width
            tree.column(key, width=width, minwidth=least, anchor=anchor, stretch=stretch)
        bar = ttk.Scrollbar(box, command=tree.yview, takefocus=False)
        tree.configure(yscrollcommand=auto_hide(bar))
        tree.grid(row=0, column=0, sticky="nsew")
        tree.bind("<Double-Button-1>", self._double_click)
        tree.bind("<Configure>", lambda event: self._fit(event.width - _FRAME_PX))
        return tree

    def _fit(self, width: int) -> None:
        """Give the column of the players the space that the others leave in `width` pixels."""
        tree = self.tree
        others = sum(tree.column(key, "width") for key, *_ in _COLUMNS if key != _PLAYERS)
        space = max(_LEAST_COLUMN_PX, width - others)
        if space != self._players_px:
            self._players_px = space
            tree.column(_PLAYERS, width=space)
            for item in tree.get_children():
                tree.set(item, _PLAYERS, self._values(self._rows[int(item) - 1])[1])

    def _values(self, row: RecordRow) -> tuple[str, ...]:
        """Return the texts of a row, with the players shortened to their column."""
        number, players, *others = _cells(row)
        if self._players_px:
            players = fitted(self, BODY, players, self._players_px - _PAD_PX)
        return number, players, *others

    def _refilter(self) -> None:
        text = self._filter.get()
        if text != self._text:
            self._text = text
            self._fill(matching(self._rows, text), 1)

    def _fill(self, rows: list[RecordRow], number: int) -> None:
        """List `rows` and select game `number`, or the first row if that game is not listed."""
        self.tree.delete(*self.tree.get_children())
        self._count.configure(text=count_line(len(rows), len(self._rows)))
        self._waiting = rows[::-1]
        chosen = number if any(row.number == number for row in rows) else 0
        if rows:
            self._add(str(chosen or rows[0].number))

    def _add(self, chosen: str) -> None:
        """Add the next `AT_ONCE` waiting rows, and schedule the rest."""
        if self._after is not None:
            self.after_cancel(self._after)
            self._after = None
        for _ in range(min(AT_ONCE, len(self._waiting))):
            row = self._waiting.pop()
            self.tree.insert("", "end", iid=str(row.number), values=self._values(row))
        if self.tree.exists(chosen) and not self.tree.selection():
            self.tree.selection_set(chosen)
            self.tree.focus(chosen)
            self.tree.see(chosen)
        if self._waiting:
            self._after = self.after(1, self._add, chosen)

    def _double_click(self, event: tk.Event[tk.Misc]) -> str | None:
        return self._open_and_stop() if self.tree.identify_row(event.y) else None

    def _open_and_stop(self) -> str:
        self.open()
        return "break"  # the list may be destroyed now, and ttk's class binding would fail

    def _destroyed(self, event: tk.Event[tk.Misc]) -> None:
        if event.widget is self and self._after is not None:
            self.after_cancel(self._after)
            self._after = None


def _cells(row: RecordRow) -> tuple[str, ...]:
    """Return the texts of the columns."""
    return number(row.number, ","), row.players, row.result, row.game, row.date
