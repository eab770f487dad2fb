"""A list of the lobby: a heading, buttons for the chosen row, and rows that change all the time.

Theory of operation
-------------------
`show` always gets all rows. The list changes only the rows that differ. The chosen row therefore
stays chosen, the scroll position stays the same, and an update of two hundred rows is cheap.
"""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable, Mapping, Sequence
from tkinter import ttk
from types import MappingProxyType
from typing import Final

from doublecross.client.tk.models.colours import Colours
from doublecross.client.tk.models.lobby.model import Row, staying
from doublecross.client.tk.theme import BODY, CAPTION
from doublecross.client.tk.widgets.buttons import enter_button
from doublecross.client.tk.widgets.labels import fitted
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
        title: str,
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
        self._order: list[str] = []
        self._usual: list[int] = []
        self._least: list[int] = []
        self._narrow: list[int | None] = []
        self._measured: dict[str, int] = {}
        self._chosen: Row | None = None
        self.columnconfigure(0, weight=1)
        self.rowconfigure(1, weight=1)
        self.head = ttk.Frame(self)
        self.head.grid(row=0, column=0, sticky="ew", pady=(0, 8))
        self._title = ttk.Label(self.head, text=title, style="Strong.TLabel")
        self._title.pack(side="left")
        self._count = ttk.Label(self.head, name="count", style="Dim.TLabel")
        self._count.pack(side="left", padx=(8, 0))
        box = ttk.Frame(self)
        box.grid(row=1, column=0, sticky="nsew")
        box.columnconfigure(0, weight=1)
        box.rowconfigure(0, weight=1)
        self.tree = self._build_tree(box, columns, narrow)
        self._empty = ttk.Label(
            box,
            name="empty",
            text=empty,
            style="Dim.TLabel",
            justify="center",
            wraplength=_EMPTY_PX,
        )
        box.bind("<Configure>", lambda event: self._fit(event.width))
        self._show_empty()

    def add_button(self, name: str, text: str, command: Callable[[Row], None]) -> ttk.Button:
        """Add a button beside the heading that runs `command` with the chosen row; return it."""

        def run_command() -> None:
            if self._chosen is not None:
                command(self._chosen)

        button = enter_button(self.head, name, text, run_command)
        button.pack(side="right", padx=(8, 0))
        return button

    @property
    def chosen(self) -> Row | None:
        """The chosen row with its current contents; None if no row is chosen."""
        return self._chosen

    @property
    def least_width(self) -> int:
        """The width in which rows of usual texts are not shortened, in pixels."""
        return sum(self._usual) - (_CELL_PX - _PAD_PX) * len(self._usual) + _FRAME_PX

    @property
    def count(self) -> int:
        """The number of rows."""
        return len(self._order)

    def set_empty_text(self, text: str) -> None:
        """Set the text that is shown while there are no rows."""
        self._empty.configure(text=text)

    def show_title(self, *, shown: bool) -> None:
        """Show or hide the title and the count, for example while a tab shows them instead."""
        if not shown:
            self._title.pack_forget()
            self._count.pack_forget()
        elif not self._title.winfo_manager():
            self._title.pack(side="left")
            self._count.pack(side="left", padx=(8, 0))

    def show(self, rows: Sequence[Row]) -> None:
        """Show these rows, in this order."""
        order = [row.key for row in rows]
        if order != self._order:
            self._reorder(order, rows)
        for row in rows:
            old = self._rows.get(row.key)
            if old is not row and old != row:
                self.tree.item(row.key, values=self._cells(row), tags=(row.kind,))
        self._rows = {row.key: row for row in rows}
        self._count.configure(text=f"{len(rows)}")
        self._show_empty()
        self._choose()

    def restyle(self, colours: Colours) -> None:
        """Apply the current theme."""
        self.tree.tag_configure("finished", foreground=colours.dim)
        self.tree.tag_configure("me", foreground=colours.dim)

    # -- inside ------------------------------------------------------------------------------

    def _build_tree(
        self, box: ttk.Frame, columns: Sequence[tuple[str, str]], narrow: Mapping[str, str]
    ) -> ttk.Treeview:
        keys = [heading for heading, _ in columns]
        tree = ttk.Treeview(
            box, name="rows", columns=keys, show="headings", selectmode="browse", height=3
        )
        for number, (heading, usual) in enumerate(columns):
            tree.heading(heading, text=f" {heading}", anchor="w")
            shortest = _SHORT if number == 0 else ""
            least = _HEADING_PX + max(
                int(self.tk.call("font", "measure", CAPTION, f" {heading}")),
                int(self.tk.call("font", "measure", BODY, shortest)),
            )
            width = max(least, _CELL_PX + int(self.tk.call("font", "measure", BODY, usual)))
            self._least.append(least)
            short = narrow.get(heading)
            self._narrow.append(
                None
                if short is None
                else max(least, _PAD_PX + int(self.tk.call("font", "measure", BODY, short)))
            )
            self._usual.append(width)
            tree.column(heading, width=width, minwidth=_LEAST_PX, stretch=number == 0)
        bar = ttk.Scrollbar(box, command=tree.yview, takefocus=False)
        tree.configure(yscrollcommand=auto_hide(bar))
        tree.grid(row=0, column=0, sticky="nsew")
        tree.bind("<Double-Button-1>", self._double_click)
        for key in ("<Return>", "<KP_Enter>"):
            tree.bind(key, lambda _: self._open())
        tree.bind("<FocusIn>", lambda _: self._focused())
        tree.bind("<<TreeviewSelect>>", lambda _: self._choose())
        tree.bind("<Configure>", lambda event: self._fit_columns(event.width - _FRAME_PX))
        return tree

    def _reorder(self, order: list[str], rows: Sequence[Row]) -> None:
        tree = self.tree
        top = self._top()
        there = set(order)
        gone = [key for key in self._order if key not in there]
        if gone:
            tree.delete(*gone)
        known = set(self._order) & there
        fixed = staying(self._order, order)
        if moved := known - fixed:
            tree.detach(*moved)
        for at, row in enumerate(rows):
            if row.key in moved:
                tree.move(row.key, "", at)
            elif row.key not in fixed:
                tree.insert("", at, iid=row.key, values=self._cells(row), tags=(row.kind,))
                self._rows[row.key] = row
        before, self._order = self._order, order
        if top > 0 and order:
            # Keep the scroll position: the first row that was visible and still exists goes on top.
            at = next((order.index(key) for key in before[top:] if key in there), len(order))
            tree.yview_moveto(at / len(order))

    def _top(self) -> int:
        """Return the number of rows above the visible ones."""
        return round(float(self.tree.yview()[0]) * len(self._order))

    def _choose(self) -> None:
        selection = self.tree.selection()
        row = self._rows.get(selection[0]) if selection else None
        if row != self._chosen:
            self._chosen = row
            self._on_choose(row)

    def _focused(self) -> None:
        """Choose the first row when the list gets the focus and no row is chosen."""
        if self._order and not self.tree.selection():
            self.tree.selection_set(self._order[0])
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
        if self._order:
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
                needed = self._measured[each] = int(self.tk.call("font", "measure", BODY, each))
            if needed <= width:
                return each
        return fitted(self, BODY, short, width)

    def _fit(self, width: int) -> None:
        self._empty.configure(wraplength=max(120, min(_EMPTY_PX, width - 32)))
