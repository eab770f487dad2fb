"""Open a game file: ask for it, read it, and let the person choose one of its games.

Theory of operation
-------------------
A worker thread reads the file and replays its games, so the window stays responsive. A single game
is shown at once. Several games appear in a list (`game_list`). The dialog belongs to the screen
that opened it and is destroyed together with it; that screen stays until a game has been chosen.
"""

from __future__ import annotations

import asyncio
import threading
import tkinter as tk
from collections.abc import Callable
from pathlib import Path
from tkinter import filedialog, ttk
from typing import Final

from doublecross.client.language import tr
from doublecross.client.tk.context import Context, Screen
from doublecross.client.tk.files import RECORD_FILES, RecordFile, read_records
from doublecross.client.tk.models.records import RecordRow
from doublecross.client.tk.models.summary import shown
from doublecross.client.tk.screens.forms.game_list import GameList
from doublecross.client.tk.theme import scaled
from doublecross.client.tk.widgets.buttons import bind_enter
from doublecross.client.tk.widgets.dialog import DialogPage

PATIENCE_MS: Final = 300
"""Delay before the progress dialog appears, in milliseconds; most files are read sooner."""
SMALL_PX: Final = 420
"""Width of the dialog without a list, in pixels."""
LIST_SIZE: Final = (700, 480)
"""Width and height of the dialog with a list, in pixels."""


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
        parent=parent, title=tr("Open a game file"), filetypes=RECORD_FILES
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
        frame = context.colours.free
        super().__init__(
            screen, highlightthickness=1, highlightbackground=frame, highlightcolor=frame
        )
        self.withdraw()
        self.title(tr("Open a game file"))
        self.transient(context.root)
        self._context = context
        self._back = back
        self._stop = threading.Event()
        self._after: str | None = None
        self._page = DialogPage(self, "")
        bind_enter(self, _press)
        self.bind("<Escape>", lambda _: self.close())
        self.bind("<Destroy>", self._destroyed)

    # -- reading -----------------------------------------------------------------------------

    def read(self, path: Path) -> None:
        """Read `path` in the background, then show its game, a list or an error."""
        self._stop.set()  # ignore the file that is being read
        self._stop = stop = threading.Event()
        self._show_reading(tr("Reading {name} ...", name=shown(path.name)))
        self._context.network.run(
            lambda: asyncio.to_thread(read_records, path, stop.is_set),
            lambda file: None if stop.is_set() else self._read(file),
            lambda refusal: None if stop.is_set() else self._show_failure(refusal.sentence),
        )

    def _read(self, file: RecordFile) -> None:
        if len(file.records) > 1 or file.fault:
            self.choose_from(file)
            return
        self.close()
        self._context.navigation.to_review(file.records[0], title=file.name, back=self._back)

    def choose_from(self, file: RecordFile, number: int = 1) -> None:
        """Show the list of the games of `file` and select game `number`, counted from 1."""
        page = self._new_page()
        games = GameList(page.body, file.rows, number, on_open=lambda row: self._open(file, row))
        games.pack(fill="both", expand=True)
        page.error.configure(text=file.fault, wraplength=scaled(self, LIST_SIZE[0] - 60))
        page.button("other", tr("Another file ..."), self._choose_other, side="left")
        page.button("open", tr("Open"), games.open, style="Accent.TButton")
        page.show(working=False, cancel=page.button("cancel", tr("Cancel"), self.close))
        self.title(file.name)
        self._appear(LIST_SIZE)
        games.focus_set()

    def _open(self, file: RecordFile, row: RecordRow) -> None:
        context, back = self._context, self._back

        def back_to_list() -> None:
            back()
            RecordsDialog(context, back=back).choose_from(file, row.number)

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
        page.doing.configure(text=doing)
        cancel = page.button("cancel", tr("Cancel"), self.close)
        page.show(working=True, cancel=cancel)

        def show() -> None:
            self._after = None
            self._appear(None)
            cancel.focus_set()

        self._after = self.after(PATIENCE_MS, show)

    def _show_failure(self, sentence: str) -> None:
        page = self._new_page()
        page.error.configure(text=sentence)
        page.button("other", tr("Another file ..."), self._choose_other, side="left")
        close = page.button("close", tr("Close"), self.close)
        page.show(working=False, cancel=close)
        self._appear(None)
        close.focus_set()

    def _choose_other(self) -> None:
        path = ask_for_file(self)
        if path is not None and self.winfo_exists():
            self.read(path)

    def _new_page(self) -> DialogPage:
        self._cancel_appearance()
        self._page.stop()
        self._page.destroy()
        page = self._page = DialogPage(self, tr("Open a game file"))
        page.pack(fill="both", expand=True)
        page.rowconfigure(1, weight=1)
        return page

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


def _press(event: tk.Event[tk.Misc]) -> None:
    if isinstance(event.widget, ttk.Button):
        event.widget.invoke()
