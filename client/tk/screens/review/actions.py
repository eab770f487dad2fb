"""What can be done with a record: copy it, or save it as a file."""

from __future__ import annotations

import asyncio
import tkinter as tk
from pathlib import Path
from tkinter import filedialog, ttk
from typing import Final

from client.tk.context import Context
from client.tk.files import RECORD_FILES, write_record
from client.tk.widgets.buttons import enter_button
from client.tk.widgets.labels import WrappedLabel
from games.api import GameError
from games.record import Record, format_record

_SAID_S: Final = 5.0
"""How long the news that something went well is shown, in seconds."""


class RecordActions(ttk.Frame):
    """Buttons that copy and save `record`, and a sentence about what came of it below them."""

    def __init__(self, parent: tk.Misc, context: Context, record: Record, file_name: str) -> None:
        super().__init__(parent)
        self._context = context
        self._record = record
        self._file_name = file_name
        self._said_until: float | None = None
        self.columnconfigure((0, 1), weight=1)
        copy = enter_button(self, "copy_record", "Copy record", self._copy)
        copy.grid(row=0, column=0, sticky="ew", padx=(0, 4))
        save = enter_button(self, "save_record", "Save as ...", self._save)
        save.grid(row=0, column=1, sticky="ew", padx=(4, 0))
        self._message = WrappedLabel(self, "", name="message")

    def tick(self, now: float) -> None:
        """Take the sentence away when it has been shown long enough at `now`, in seconds."""
        if self._said_until is not None and now >= self._said_until:
            self._say("")

    def _text(self) -> str | None:
        """Format the record; None, and a sentence is shown, if it cannot be written."""
        try:
            return format_record(self._record)
        except GameError as error:
            self._say(str(error), wrong=True)
            return None

    def _copy(self) -> None:
        text = self._text()
        if text is not None:
            self.clipboard_clear()
            self.clipboard_append(text)
            self._say("The record is on the clipboard.")

    def _save(self) -> None:
        text = self._text()
        if text is None:
            return
        chosen = filedialog.asksaveasfilename(
            parent=self,
            title="Save the record",
            initialfile=self._file_name,
            defaultextension=".txt",
            filetypes=RECORD_FILES,
        )
        if not chosen or not self.winfo_exists():
            return
        path = Path(chosen)
        self._context.network.run(
            lambda: asyncio.to_thread(write_record, path, text),
            lambda _: self._say(f"Saved as {path.name}."),
            lambda refusal: self._say(refusal.sentence, wrong=True),
        )

    def _say(self, sentence: str, *, wrong: bool = False) -> None:
        """Show a sentence below the buttons; what is not wrong for some seconds only."""
        if not self.winfo_exists():
            return
        self._message.configure(text=sentence, style="Error.TLabel" if wrong else "Good.TLabel")
        self._said_until = None if wrong else self._context.clock() + _SAID_S
        if sentence:
            self._message.grid(row=1, column=0, columnspan=2, sticky="ew", pady=(8, 0))
        else:
            self._message.grid_remove()
