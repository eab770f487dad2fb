"""Open a record file: ask for it, read it, and let the person choose one of its games.

Theory of operation
-------------------
A worker thread reads the file and replays its games, so the window stays responsive. A single game
is shown at once. Several games appear in a list, which is filled in parts, so that thousands of
games do not block the window. The dialog belongs to the screen that opened it and is destroyed
together with it; that screen stays until a game has been chosen.
"""

from __future__ import annotations

import asyncio
import threading
import tkinter as tk
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from tkinter import filedialog, ttk
from typing import Final, Literal

from client.language import number, tr
from client.tk.context import Context, Screen
from client.tk.files import RECORD_FILES, RecordFile, read_records
from client.tk.models.records import RecordRow, count_line, matching
from client.tk.models.summary import shown
from client.tk.theme import BODY, scaled
from client.tk.widgets.buttons import enter_button
from client.tk.widgets.labels import fitted
from client.tk.widgets.text import auto_hide

PATIENCE_MS: Final = 300
"""Delay before the progress dialog appears, in milliseconds; most files are read sooner."""
AT_ONCE: Final = 250
"""Rows that are added to the list at once; Tk handles other events in between."""

SMALL_PX: Final = 420
"""Width of the dialog without a list, in pixels."""
LIST_SIZE: Final = (700, 480)
"""Width and height of the dialog with a list, in pixels."""

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


def choose_record(context: Context, path: Path | None, *, back: Callable[[], None]) -> None:
    """Show a game of the file `path` (None: ask for a file) in a review.

    `back` opens the screen to show after the review. A dialog shows problems with the file, and
    the current screen stays.
    """
    if path is None:
        path = ask_for_file(context.root)
    if path is not None:
        RecordsDialog(context, back=back).read(path)


def ask_for_file(parent: tk.Misc) -> Path | None:
    """Ask for a file in the system's dialog; return None if the person cancels."""
    chosen = filedialog.askopenfilename(
        parent=parent, title=tr("Open a record"), filetypes=RECORD_FILES
    )
    # Tk returns an empty string or, on some systems, an empty tuple after cancelling.
    return Path(chosen) if chosen else None


class RecordsDialog(tk.Toplevel):
    """Reads a file, then shows the review of its only game, a list of its games, or an error.

    A new dialog closes an earlier one.
    """

    def __init__(self, context: Context, *, back: Callable[[], None]) -> None:
        screen: tk.Misc = context.root
        for child in context.root.winfo_children():
            if isinstance(child, Screen):
                screen = child
        for other in screen.winfo_children():
            if isinstance(other, RecordsDialog):
                other.close()
        frame = context.look.free
        super().__init__(
            screen, highlightthickness=1, highlightbackground=frame, highlightcolor=frame
        )
        self.withdraw()
        self.title(tr("Open a record"))
        self.transient(context.root)
        self._context = context
        self._back = back
        self._stop = threading.Event()
        self._after: str | None = None
        self._from_file = False
        self._page = ttk.Frame(self)
        self.bind("<Escape>", lambda _: self.close())
        self.bind("<Destroy>", self._destroyed)

    # -- reading -----------------------------------------------------------------------------

    def read(self, path: Path) -> None:
        """Read `path` in the background, then show its game, a list or an error."""

        async def work(stopped: Callable[[], bool]) -> RecordFile:
            return await asyncio.to_thread(read_records, path, stopped)

        self._from_file = True
        self.load(tr("Reading {name} ...", name=shown(path.name)), work)

    def load(self, doing: str, work: Callable[[Callable[[], bool]], Awaitable[RecordFile]]) -> None:
        """Do `work` in the background, then show its game, a list or an error.

        `doing` describes the work. Its argument says whether to stop.
        """
        self._stop.set()  # ignore the file that is being read
        self._stop = stop = threading.Event()
        self._show_reading(doing)
        self._context.network.run(
            lambda: work(stop.is_set),
            lambda file: None if stop.is_set() else self._read(file),
            lambda refusal: None if stop.is_set() else self._show_failure(refusal.sentence),
        )

    def _read(self, file: RecordFile) -> None:
        if len(file.records) > 1:
            self.choose_from(file)
            return
        self.close()
        self._context.navigation.to_review(file.records[0], title=file.name, back=self._back)

    def choose_from(self, file: RecordFile, number: int = 1) -> None:
        """Show the list of the games of `file` and select game `number`, counted from 1."""
        page = self._new_page()
        games = GameList(page, file.rows, number, on_open=lambda row: self._open(file, row))
        games.grid(row=0, column=0, sticky="nsew")
        page.rowconfigure(0, weight=1)
        foot = self._foot(page)
        if self._from_file:
            self._button(foot, "other", tr("Another file ..."), self._choose_other, side="left")
        self._button(foot, "open", tr("Open"), games.open, style="Accent.TButton")
        self._button(foot, "cancel", tr("Cancel"), self.close)
        self.title(file.name)
        self._appear(LIST_SIZE)
        games.focus_set()

    def _open(self, file: RecordFile, row: RecordRow) -> None:
        context, back, from_file = self._context, self._back, self._from_file

        def back_to_list() -> None:
            back()
            again = RecordsDialog(context, back=back)
            again._from_file = from_file
            again.choose_from(file, row.number)

        self.close()
        title = tr(
            "Game {number:,} of {count:,} · {file}",
            number=row.number,
            count=len(file.rows),
            file=file.name,
        )
        context.navigation.to_review(file.records[row.number - 1], title=title, back=back_to_list)

    def close(self) -> None:
        """Close the dialog and return the focus to the screen."""
        before = self._context.root.focus_lastfor()
        if before is not None:
            before.focus_set()
        self.destroy()

    # -- pages -------------------------------------------------------------------------------

    def _show_reading(self, doing: str) -> None:
        page = self._new_page()
        ttk.Label(page, name="doing", text=doing).grid(sticky="w")
        bar = ttk.Progressbar(page, mode="indeterminate", length=SMALL_PX)
        bar.grid(sticky="ew", pady=(12, 0))
        bar.start(12)
        cancel = self._button(self._foot(page), "cancel", tr("Cancel"), self.close)

        def show() -> None:
            self._after = None
            self._appear(None)
            cancel.focus_set()

        self._after = self.after(PATIENCE_MS, show)

    def _show_failure(self, sentence: str) -> None:
        page = self._new_page()
        label = ttk.Label(page, name="sentence", text=sentence, wraplength=SMALL_PX, justify="left")
        label.grid(sticky="w")
        foot = self._foot(page)
        if self._from_file:
            self._button(foot, "other", tr("Another file ..."), self._choose_other, side="left")
        close = self._button(foot, "close", tr("Close"), self.close)
        self._appear(None)
        close.focus_set()

    def _choose_other(self) -> None:
        path = ask_for_file(self)
        if path is not None and self.winfo_exists():
            self.read(path)

    def _new_page(self) -> ttk.Frame:
        self._cancel_appearance()
        self._page.destroy()
        page = self._page = ttk.Frame(self, padding=20)
        page.pack(fill="both", expand=True)
        page.columnconfigure(0, weight=1)
        return page

    def _foot(self, page: ttk.Frame) -> ttk.Frame:
        foot = ttk.Frame(page)
        foot.grid(row=9, column=0, sticky="ew", pady=(20, 0))
        return foot

    def _button(
        self,
        foot: ttk.Frame,
        name: str,
        text: str,
        command: Callable[[], None],
        *,
        side: Literal["left", "right"] = "right",
        style: str = "TButton",
    ) -> ttk.Button:
        button = enter_button(foot, name, text, command)
        button.configure(style=style)
        button.pack(side=side, padx=(0, 8) if side == "left" else (8, 0))
        return button

    def _appear(self, size: tuple[int, int] | None) -> None:
        """Show the dialog over the main window, in `size` or in the page's requested size."""
        root = self._context.root
        self.update_idletasks()
        if size is None:
            width, height = self.winfo_reqwidth(), self.winfo_reqheight()
        else:
            width, height = scaled(self, size[0]), scaled(self, size[1])
        width, height = min(width, root.winfo_width()), min(height, root.winfo_height())
        left = root.winfo_rootx() + (root.winfo_width() - width) // 2
        top = root.winfo_rooty() + (root.winfo_height() - height) // 2
        self.geometry(f"{width}x{height}+{left}+{top}")
        self.minsize(min(width, SMALL_PX), min(height, 120))
        self.deiconify()
        self.lift()

    def _cancel_appearance(self) -> None:
        """Cancel the timer that shows the progress page."""
        if self._after is not None:
            self.after_cancel(self._after)
            self._after = None

    def _destroyed(self, event: tk.Event[tk.Misc]) -> None:
        if event.widget is self:
            self._stop.set()
            self._cancel_appearance()


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
