"""A list of games in columns, of which one row can be chosen."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable, Mapping, Sequence
from tkinter import ttk
from types import MappingProxyType
from typing import Final

from doublecross.client.tk.models.rows import Row
from doublecross.client.tk.theme import BODY, CAPTION
from doublecross.client.tk.widgets.buttons import bind_enter
from doublecross.client.tk.widgets.labels import fitted, measured
from doublecross.client.tk.widgets.text import auto_hide

_CELL_PX: Final = 14
_HEADING_PX: Final = 10
_PAD_PX: Final = 8
_LEAST_PX: Final = 48
_SHORT: Final = "Maximilia…"
"""The first column never gets narrower than this while the others have space."""
_FRAME_PX: Final = 12
_EMPTY_PX: Final = 300


class LobbyList(ttk.Frame):
    """Shows rows in columns, of which one row can be chosen.

    `columns` pairs each heading with a sample text of usual width; the first column takes the
    remaining space. `narrow` has samples of the short texts of columns, by their headings: where
    space is scarce these columns give way first (see `Row.short`). `empty` is shown while there are
    no rows. `on_open` is called with the row that is double-clicked or opened with Enter,
    `on_choose` with the newly chosen row (None: no row is chosen).
    """

    def __init__(
        self,
        parent: tk.Misc,
        *,
        name: str,
        columns: Sequence[tuple[str, str]],
        empty: str,
        on_open: Callable[[Row], None],
        on_choose: Callable[[Row | None], None],
        narrow: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        super().__init__(parent, name=name)
        self._on_open = on_open
        self._on_choose = on_choose
        self._rows: dict[str, Row] = {}
        self._usual: list[int] = []
        self._least: list[int] = []
        self._narrow: list[int | None] = []
        self._measured: dict[str, int] = {}
        self._chosen: Row | None = None
        self.columnconfigure(0, weight=1)
        self.rowconfigure(0, weight=1)
        self.tree = self._build_tree(columns, narrow)
        self._empty = ttk.Label(
            self,
            name="empty",
            text=empty,
            style="Dim.TLabel",
            justify="center",
            wraplength=_EMPTY_PX,
        )
        self.bind("<Configure>", lambda event: self._fit(event.width))
        self._show_empty()

    @property
    def chosen(self) -> Row | None:
        """The chosen row with its current contents; None if no row is chosen."""
        return self._chosen

    def set_empty_text(self, text: str) -> None:
        """Set the text that is shown while there are no rows."""
        self._empty.configure(text=text)

    def show(self, rows: Sequence[Row]) -> None:
        """Show these rows, in this order; a chosen row among them stays chosen."""
        before, self._rows = self._rows, {row.key: row for row in rows}
        self.tree.delete(*(key for key in before if key not in self._rows))
        for row in rows:
            if row.key not in before:
                self.tree.insert("", "end", iid=row.key, values=self._cells(row))
        self.tree.set_children("", *self._rows)
        self._show_empty()
        self._choose()

    # -- inside ------------------------------------------------------------------------------

    def _build_tree(
        self, columns: Sequence[tuple[str, str]], narrow: Mapping[str, str]
    ) -> ttk.Treeview:
        keys = [heading for heading, _ in columns]
        tree = ttk.Treeview(
            self, name="rows", columns=keys, show="headings", selectmode="browse", height=3
        )
        for number, (heading, usual) in enumerate(columns):
            tree.heading(heading, text=f" {heading}", anchor="w")
            shortest = _SHORT if number == 0 else ""
            least = _HEADING_PX + max(
                measured(self, CAPTION, f" {heading}"), measured(self, BODY, shortest)
            )
            width = max(least, _CELL_PX + measured(self, BODY, usual))
            short = narrow.get(heading)
            self._least.append(least)
            self._usual.append(width)
            self._narrow.append(
                None if short is None else max(least, _PAD_PX + measured(self, BODY, short))
            )
            tree.column(heading, width=width, minwidth=_LEAST_PX, stretch=number == 0)
        bar = ttk.Scrollbar(self, command=tree.yview, takefocus=False)
        tree.configure(yscrollcommand=auto_hide(bar))
        tree.grid(row=0, column=0, sticky="nsew")
        tree.bind("<Double-Button-1>", self._double_click)
        bind_enter(tree, lambda _: self._open())
        tree.bind("<FocusIn>", lambda _: self._focused())
        tree.bind("<<TreeviewSelect>>", lambda _: self._choose())
        tree.bind("<Configure>", lambda event: self._fit_columns(event.width - _FRAME_PX))
        return tree

    def _choose(self) -> None:
        selection = self.tree.selection()
        row = self._rows.get(selection[0]) if selection else None
        if row != self._chosen:
            self._chosen = row
            self._on_choose(row)

    def _focused(self) -> None:
        """Choose the first row when the list gets the focus and no row is chosen."""
        if self._rows and not self.tree.selection():
            self.tree.selection_set(next(iter(self._rows)))
        for key in self.tree.selection():
            self.tree.focus(key)

    def _open(self) -> None:
        self._choose()
        if self._chosen is not None:
            self._on_open(self._chosen)

    def _double_click(self, event: tk.Event[tk.Misc]) -> None:
        if self.tree.identify_row(event.y):
            self._open()

    def _show_empty(self) -> None:
        if self._rows:
            self._empty.place_forget()
        else:
            self._empty.place(relx=0.5, rely=0.55, anchor="center")

    def _fit_columns(self, width: int) -> None:
        """Fit the columns: the first one shrinks first and gets the remaining pixels."""
        first, *others = self._usual
        least = self._least[1:]
        # The space after the texts of the other columns goes before the text of the first one.
        slack = _CELL_PX - _PAD_PX
        if first - slack > width - sum(others):
            others = [max(low, each - slack) for each, low in zip(others, least, strict=True)]
        if first - slack > width - sum(others):
            others = [
                each if short is None else min(each, short)
                for each, short in zip(others, self._narrow[1:], strict=True)
            ]
        first = max(min(first, self._least[0]), width - sum(others))
        # The other columns give up what they have beyond their headings, in proportion.
        spare = sum(others) - sum(least)
        missing = max(0, first + sum(others) - width)
        share = min(1.0, missing / spare) if spare > 0 else 0.0
        widths = [each - int((each - low) * share) for each, low in zip(others, least, strict=True)]
        widths.insert(0, max(_LEAST_PX, width - sum(widths)))
        for column, each in zip(self.tree["columns"], widths, strict=True):
            self.tree.column(column, width=each)
        for row in self._rows.values():
            self.tree.item(row.key, values=self._cells(row))

    def _cells(self, row: Row) -> list[str]:
        """Return the texts of a row, shortened to their columns."""
        return [
            self._shortened(
                text, row.short.get(number, text), self.tree.column(column, "width") - _PAD_PX
            )
            for number, (column, text) in enumerate(
                zip(self.tree["columns"], row.cells, strict=True)
            )
        ]

    def _shortened(self, text: str, short: str, width: int) -> str:
        """Return `text`, or `short` if it does not fit, or as much of that as fits."""
        for each in (text, short):
            needed = self._measured.get(each)
            if needed is None:
                needed = self._measured[each] = measured(self, BODY, each)
            if needed <= width:
                return each
        return fitted(self, BODY, short, width)

    def _fit(self, width: int) -> None:
        self._empty.configure(wraplength=max(120, min(_EMPTY_PX, width - 32)))
