"""Buttons that copy a record or save it as a file."""

from __future__ import annotations

import asyncio
import tkinter as tk
from collections.abc import Callable
from pathlib import Path
from tkinter import filedialog, ttk
from typing import Final

from doublecross.client.language import tr
from doublecross.client.tk.context import Context
from doublecross.client.tk.files import RECORD_FILES, write_record
from doublecross.client.tk.widgets.buttons import enter_button
from doublecross.client.tk.widgets.labels import WrappedLabel
from doublecross.games.api import GameError
from doublecross.games.record import Record, format_record

_GAP_PX: Final = 6
_SHOWN_S: Final = 5.0
"""How long a message about success is shown, in seconds."""


class RecordActions(ttk.Frame):
    """Buttons that copy and save `record`, with a message about the result below them.

    `file_name` is the name that the dialog for saving suggests. The button `more` calls `on_page`.
    """

    def __init__(
        self,
        parent: tk.Misc,
        context: Context,
        record: Record,
        file_name: str,
        *,
        on_page: Callable[[], None],
    ) -> None:
        super().__init__(parent)
        self._context = context
        self._record = record
        self._file_name = file_name
        self._shown_until: float | None = None
        self.columnconfigure((0, 1), weight=1)
        self.more = enter_button(self, "more", tr("In the browser ..."), on_page)
        self.more.grid(row=0, column=0, columnspan=2, sticky="ew", pady=(0, _GAP_PX))
        copy = enter_button(self, "copy_record", tr("Copy record"), self._copy)
        copy.grid(row=1, column=0, sticky="ew", padx=(0, 4))
        save = enter_button(self, "save_record", tr("Save as ..."), self._save)
        save.grid(row=1, column=1, sticky="ew", padx=(4, 0))
        self._message = WrappedLabel(self, "", name="message")
        # Reserve a line, so that the buttons stay under the pointer when the message appears.
        self.rowconfigure(2, minsize=self._message.winfo_reqheight() + _GAP_PX)

    def fit(self, *, low: bool) -> None:
        """Take less space in a `low` window."""
        self.more.grid_configure(pady=(0, 2 if low else _GAP_PX))

    def tick(self, now: float) -> None:
        """Hide the message if its time is over at `now`, in seconds."""
        if self._shown_until is not None and now >= self._shown_until:
            self._show_message("")

    def _text(self) -> str | None:
        """Return the record as text; show the problem and return None if it cannot be formatted."""
        try:
            return format_record(self._record)
        except GameError as error:
            self._show_message(str(error), wrong=True)
            return None

    def _copy(self) -> None:
        text = self._text()
        if text is not None:
            self.clipboard_clear()
            self.clipboard_append(text)
            self._show_message(tr("Copied the record to the clipboard."))

    def _save(self) -> None:
        text = self._text()
        if text is None:
            return
        chosen = filedialog.asksaveasfilename(
            parent=self,
            title=tr("Save the record"),
            initialfile=self._file_name,
            defaultextension=".txt",
            filetypes=RECORD_FILES,
        )
        if not chosen or not self.winfo_exists():
            return
        path = Path(chosen)
        self._context.network.run(
            lambda: asyncio.to_thread(write_record, path, text),
            lambda _: self._show_message(tr("Saved as {name}.", name=path.name)),
            lambda refusal: self._show_message(refusal.sentence, wrong=True),
        )

    def _show_message(self, sentence: str, *, wrong: bool = False) -> None:
        """Show a message below the buttons: errors until the next one, others for `_SHOWN_S`."""
        if not self.winfo_exists():
            return
        self._message.configure(text=sentence, style="Error.TLabel" if wrong else "Good.TLabel")
        self._shown_until = None if wrong else self._context.clock() + _SHOWN_S
        if sentence:
            self._message.grid(row=2, column=0, columnspan=2, sticky="ew", pady=(_GAP_PX, 0))
        else:
            self._message.grid_remove()
