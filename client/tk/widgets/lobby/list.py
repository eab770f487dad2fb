"""One of the lobby's lists: a heading, buttons for what is chosen, and lines that come and go.

Theory of operation
-------------------
A list gets all its rows each time. Only lines that differ are touched, so that what is chosen
stays chosen, the line at the top stays at the top, and two hundred of them cost next to nothing.
"""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable, Sequence
from tkinter import ttk
from typing import Final

from client.tk.models.lobby.model import Row, staying
from client.tk.models.look import Look
from client.tk.theme import BODY, CAPTION
from client.tk.widgets.buttons import enter_button
from client.tk.widgets.text import hiding

_CELL_PX: Final = 14
_LEAST_PX: Final = 48
_FRAME_PX: Final = 12
_EMPTY_PX: Final = 300


class LobbyList(ttk.Frame):
    """`columns` are headings with a text that is as wide as theirs usually are; the first one has
    what room is left. `empty` is said when there are no lines, `on_open` called with the row that
    is double-clicked or has Enter pressed on it, `on_choose` with the row that is chosen (None:
    no row is)."""

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
    ) -> None:
        super().__init__(parent, name=name)
        self._on_open = on_open
        self._on_choose = on_choose
        self._rows: dict[str, Row] = {}
        self._order: list[str] = []
        self._usual: list[int] = []
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
        self.tree = self._build_tree(box, columns)
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
        """Add a button beside the heading, for the row that is chosen, and return it."""

        def do() -> None:
            if self._chosen is not None:
                command(self._chosen)

        button = enter_button(self.head, name, text, do)
        button.pack(side="right", padx=(8, 0))
        return button

    @property
    def chosen(self) -> Row | None:
        """The row that is chosen, as it is now."""
        return self._chosen

    @property
    def count(self) -> int:
        """How many rows there are."""
        return len(self._order)

    def say_empty(self, text: str) -> None:
        """Set what is said when there are no lines."""
        self._empty.configure(text=text)

    def name_it(self, *, shown: bool) -> None:
        """Show the title or hide it; it need not be here where it stands elsewhere."""
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
                self.tree.item(row.key, values=row.cells, tags=(row.kind,))
        self._rows = {row.key: row for row in rows}
        self._count.configure(text=f"{len(rows)}")
        self._show_empty()
        self._choose()

    def restyle(self, look: Look) -> None:
        """Apply the current theme."""
        self.tree.tag_configure("finished", foreground=look.dim)
        self.tree.tag_configure("me", foreground=look.dim)

    # -- inside ------------------------------------------------------------------------------

    def _build_tree(self, box: ttk.Frame, columns: Sequence[tuple[str, str]]) -> ttk.Treeview:
        keys = [heading for heading, _ in columns]
        tree = ttk.Treeview(
            box, name="rows", columns=keys, show="headings", selectmode="browse", height=3
        )
        for number, (heading, usual) in enumerate(columns):
            tree.heading(heading, text=f" {heading}", anchor="w")
            width = _CELL_PX + max(
                int(self.tk.call("font", "measure", BODY, usual)),
                int(self.tk.call("font", "measure", CAPTION, heading)),
            )
            self._usual.append(width)
            tree.column(heading, width=width, minwidth=_LEAST_PX, stretch=number == 0)
        bar = ttk.Scrollbar(box, command=tree.yview, takefocus=False)
        tree.configure(yscrollcommand=hiding(bar))
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
                tree.insert("", at, iid=row.key, values=row.cells, tags=(row.kind,))
                self._rows[row.key] = row
        before, self._order = self._order, order
        if top > 0 and order:
            # The first of those lines that were in sight and are still there comes to the top.
            at = next((order.index(key) for key in before[top:] if key in there), len(order))
            tree.yview_moveto(at / len(order))

    def _top(self) -> int:
        """How many lines are above those in sight."""
        return round(float(self.tree.yview()[0]) * len(self._order))

    def _choose(self) -> None:
        selection = self.tree.selection()
        row = self._rows.get(selection[0]) if selection else None
        if row != self._chosen:
            self._chosen = row
            self._on_choose(row)

    def _focused(self) -> None:
        """With the keyboard one begins at the first line."""
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
        """Share out the room: all columns shrink alike, and the first one has what is left."""
        share = min(1.0, width / sum(self._usual))
        widths = [max(_LEAST_PX, int(usual * share)) for usual in self._usual]
        widths[0] = max(_LEAST_PX, width - sum(widths[1:]))
        for column, each in zip(self.tree["columns"], widths, strict=True):
            self.tree.column(column, width=each)

    def _fit(self, width: int) -> None:
        self._empty.configure(wraplength=max(120, min(_EMPTY_PX, width - 32)))
