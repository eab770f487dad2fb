"""List this player's own open offers and rooms in the lobby."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable
from tkinter import font as tkfont
from typing import Final

from doublecross.client.language import tr
from doublecross.client.tk.models.colours import Colours
from doublecross.client.tk.models.lobby.offers import OwnEntry
from doublecross.client.tk.theme import BODY, CAPTION
from doublecross.client.tk.widgets.buttons import BarButton
from doublecross.client.tk.widgets.labels import fitted, line_count, measured
from doublecross.client.tk.widgets.visible import set_visible

SHOWN: Final = 2
"""Maximum number of entries; the last one counts the rest."""
SHOWN_LOW: Final = 1
"""Maximum number of entries in a low window."""

_PAD: Final = 12
_EMPTY: Final = tr("You have no open offers.")

EntryCommand = Callable[[OwnEntry], None]


class OwnOffers(tk.Frame):
    """Shows a line with buttons per entry. `on_return` opens a room, `on_cancel` cancels an offer
    or closes a room that waits for an opponent.

    The height is fixed, so nothing below moves. Each entry keeps its widgets as long as it exists,
    so an update in the middle of a click neither loses the click nor gives it to another entry.
    """

    def __init__(
        self, parent: tk.Misc, colours: Colours, *, on_return: EntryCommand, on_cancel: EntryCommand
    ) -> None:
        super().__init__(parent, name="own")
        self._colours = colours
        self._commands = on_return, on_cancel
        self._rows: dict[str, _Row] = {}
        self._most = SHOWN
        self.columnconfigure(0, weight=1)
        self.grid_propagate(False)
        self._empty = tk.Label(self, text=_EMPTY, anchor="w", padx=0)
        self._empty.grid(row=0, column=0, sticky="ew")
        row = _Row(self, colours, OwnEntry("seek", "", ""), self._commands)
        lines = 2 * tkfont.nametofont(CAPTION, root=self).metrics("linespace")
        self._row_px = max(row.cancel.winfo_reqheight() + 2 * _Row.PAD, lines)
        row.destroy()
        self.rowconfigure(tuple(range(SHOWN)), minsize=self._row_px)
        self._arrange()

    def show(self, entries: tuple[OwnEntry, ...]) -> None:
        """Show these entries; those that are shown already stay in front."""
        wanted = {entry.key: entry for entry in entries}
        for key in [key for key in self._rows if key not in wanted]:
            self._remove(key)
        for key, entry in wanted.items():
            if key in self._rows:
                self._rows[key].show(entry)
            else:
                self._rows[key] = _Row(self, self._colours, entry, self._commands)
        self._arrange()

    def limit(self, *, low: bool) -> None:
        """Show fewer lines where the window is `low`."""
        most = SHOWN_LOW if low else SHOWN
        if most != self._most:
            self._most = most
            self._arrange()

    def restyle(self, colours: Colours) -> None:
        """Apply the current theme."""
        self._colours = colours
        for row in self._rows.values():
            row.restyle(colours)
        self._arrange()

    def _remove(self, key: str) -> None:
        """Remove an entry; its focus goes to the first of the others."""
        row = self._rows.pop(key)
        focused = str(self.tk.call("focus")).startswith(f"{row}.")
        row.destroy()
        if focused and self._rows:
            next(iter(self._rows.values())).cancel.focus_set()

    def _arrange(self) -> None:
        colours, rows = self._colours, list(self._rows.values())
        self.configure(height=self._most * self._row_px)
        self.configure(background=colours.window)
        self._empty.configure(background=colours.window, foreground=colours.dim)
        set_visible(self._empty, not rows)
        more = len(rows) - self._most
        for number, row in enumerate(rows):
            if number >= self._most:
                row.grid_remove()
                continue
            row.grid(row=number, column=0, sticky="nsew")
            row.count(more if number == self._most - 1 else 0)


class _Row(tk.Frame):
    """One entry: its text and its buttons."""

    PAD: Final = 4

    def __init__(
        self,
        parent: tk.Misc,
        colours: Colours,
        entry: OwnEntry,
        commands: tuple[EntryCommand, EntryCommand],
    ) -> None:
        super().__init__(parent)
        self._entry = entry
        self._more = 0
        self.columnconfigure(0, weight=1)
        self.rowconfigure(0, weight=1)
        # A width of 1 requests no space: the label uses what is available.
        self._label = tk.Label(self, anchor="w", justify="left", padx=_PAD, pady=0, bd=0, width=1)
        self._label.bind("<Configure>", lambda _: self._fit())
        self._label.grid(row=0, column=0, sticky="nsew")
        on_return, on_cancel = commands
        self._go = BarButton(self, colours, tr("Go there"), lambda: on_return(self._entry))
        self.cancel = BarButton(self, colours, tr("Cancel"), lambda: on_cancel(self._entry))
        # Equal widths, so that the buttons of all entries stand below each other.
        for button in (self._go, self.cancel):
            button.configure(width=max(len(tr("Go there")), len(tr("Cancel"))))
        if entry.kind == "waiting":
            self._go.grid(row=0, column=1, padx=(8, 0), pady=self.PAD)
        self.cancel.grid(row=0, column=2, padx=(8, 0), pady=self.PAD)
        self.restyle(colours)

    def show(self, entry: OwnEntry) -> None:
        """Show the present text of the entry."""
        self._entry = entry
        self._fit()

    def count(self, more: int) -> None:
        """Add to the text that `more` entries follow."""
        self._more = more
        self._fit()

    def restyle(self, colours: Colours) -> None:
        """Apply the current theme."""
        self.configure(background=colours.banner)
        self._label.configure(background=colours.banner, foreground=colours.banner_text)
        for button in (self._go, self.cancel):
            button.restyle(colours)

    def _fit(self) -> None:
        """Show the text in one line, or in two lines in a smaller font."""
        width = self._label.winfo_width() - 2 * _PAD
        if width <= 1:
            return
        text = self._entry.text
        if self._more > 0:
            text = tr("{sentence} (and {count} more)", sentence=text, count=self._more)
        if measured(self, BODY, text) <= width:
            self._label.configure(text=text, font=BODY, wraplength=0)
            return
        if line_count(self, CAPTION, text, width) > 2:
            text = fitted(self, CAPTION, text, width)
        self._label.configure(text=text, font=CAPTION, wraplength=width)
