"""List a few entries in an area of the lobby, each with a button."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable, Sequence
from tkinter import font as tkfont
from tkinter import ttk
from typing import Final, Generic, TypeVar

from doublecross.client.language import tr
from doublecross.client.tk.models.lobby.shortlists import ShortEntry, kept_order
from doublecross.client.tk.theme import BODY, CAPTION
from doublecross.client.tk.widgets.buttons import enter_button
from doublecross.client.tk.widgets.labels import FittedLabel, WrappedLabel
from doublecross.client.tk.widgets.visible import set_visible

T = TypeVar("T")
_GAP: Final = 6


class ShortList(ttk.Frame, Generic[T]):
    """Shows the first entries, as many as `limit` says.

    A scrollbar leads to the others. `on_open` is called with the entry of a button, `on_more` with
    that of a second button.

    Its height depends on `limit` alone, so nothing below moves. Each entry keeps its widgets as
    long as it is shown, and those that are shown stay in place, so an update in the middle of a
    click neither loses the click nor gives it to another entry.
    """

    def __init__(
        self,
        parent: tk.Misc,
        *,
        name: str,
        on_open: Callable[[T], None],
        on_more: Callable[[T], None] = lambda _: None,
    ) -> None:
        super().__init__(parent, name=name)
        self._on_open = on_open
        self._on_more = on_more
        self._rows: dict[str, _Row[T]] = {}
        self._entries: dict[str, ShortEntry[T]] = {}
        self._first = 0
        self._most = 0
        self._narrow = False
        self.columnconfigure(0, weight=1)
        self._empty = WrappedLabel(self, "", name="empty", style="Dim.TLabel")
        self._empty.grid(row=0, column=0, sticky="new")
        self._bar = ttk.Scrollbar(self, command=self._scroll, takefocus=False)
        self.bind("<Button-4>", lambda _: self._show_from(self._first - 1))
        self.bind("<Button-5>", lambda _: self._show_from(self._first + 1))
        self.bind(
            "<MouseWheel>",
            lambda event: self._show_from(self._first + (-1 if event.delta > 0 else 1)),
        )
        button = ttk.Button(self, text=tr("Accept"))
        lines = sum(
            tkfont.nametofont(font, root=self).metrics("linespace") for font in (BODY, CAPTION)
        )
        self.row_px = max(button.winfo_reqheight(), lines) + _GAP
        """The height of an entry, in pixels."""
        button.destroy()

    def show(self, entries: Sequence[ShortEntry[T]], empty: str) -> None:
        """Show some of these entries; without any show the sentence `empty`."""
        found = {entry.key: entry for entry in entries}
        self._entries = {key: found[key] for key in kept_order(self._rows, found, self._first)}
        self._empty.configure(text=empty)
        set_visible(self._empty, not found and self._most > 0)
        self._show_from(self._first)

    @property
    def shown_keys(self) -> tuple[str, ...]:
        """The keys of the entries that are shown."""
        return tuple(self._rows)

    def _scroll(self, how: str, amount: str, unit: str = "") -> None:
        """Scroll as the scrollbar says: to a fraction of the list, or by entries or pages."""
        if how == "moveto":
            self._show_from(round(float(amount) * len(self._entries)))
        else:
            self._show_from(self._first + int(amount) * (self._most if unit == "pages" else 1))

    def _show_from(self, first: int) -> None:
        """Show the entries from number `first` on, as many as there is space for."""
        total = len(self._entries)
        self._first = max(0, min(first, total - self._most))
        shown = list(self._entries.values())[self._first : self._first + self._most]
        beside = self._bar.winfo_reqwidth() + _GAP if total > self._most > 0 else 0
        focused = str(self.tk.call("focus"))
        before, self._rows = self._rows, {}
        for number, entry in enumerate(shown):
            row = before.pop(entry.key, None) or _Row(self, entry, self._on_open, self._on_more)
            row.show(entry, narrow=self._narrow)
            row.grid(row=number, column=0, sticky="ew", padx=(0, beside), pady=(0, _GAP))
            self._rows[entry.key] = row
        lost = any(focused.startswith(f"{row}.") for row in before.values())
        for row in before.values():
            row.destroy()
        if lost and self._rows:
            next(iter(self._rows.values())).focus_set()
        if beside:
            self._bar.set(self._first / total, (self._first + self._most) / total)
            self._bar.place(relx=1, relheight=1, anchor="ne")
        else:
            self._bar.place_forget()

    def limit(self, most: int, *, narrow: bool = False) -> None:
        """Reserve the space of so many entries; the next `show` fills it.

        Entries of a `narrow` list have only one button.
        """
        self._narrow = narrow
        for number in range(max(most, self._most)):
            self.rowconfigure(number, minsize=self.row_px if number < most else 0)
        self._most = most
        set_visible(self, most > 0)


class _Row(ttk.Frame, Generic[T]):
    """One entry: its texts and its buttons."""

    def __init__(
        self,
        parent: ttk.Frame,
        entry: ShortEntry[T],
        on_open: Callable[[T], None],
        on_more: Callable[[T], None],
    ) -> None:
        super().__init__(parent)
        self._entry = entry
        self.columnconfigure(0, weight=1)
        self._title = FittedLabel(self, entry.title, name="title")
        self._title.grid(row=0, column=0, sticky="ew")
        self._about = FittedLabel(self, "", name="about", style="Caption.TLabel")
        self._about.grid(row=1, column=0, sticky="ew")
        self._go = enter_button(self, "go", entry.action, lambda: on_open(self._entry.thing))
        self._go.grid(row=0, column=1, rowspan=2, padx=(8, 0))
        self._more = enter_button(self, "more", entry.more, lambda: on_more(self._entry.thing))
        self._more.grid(row=0, column=2, rowspan=2, padx=(8, 0))
        for widget in (self, *self.winfo_children()):
            widget.bindtags((str(parent), *widget.bindtags()))  # the wheel scrolls the list

    def focus_set(self) -> None:
        """Focus the last button that is shown."""
        (self._more if self._more.winfo_manager() else self._go).focus_set()

    def show(self, entry: ShortEntry[T], *, narrow: bool) -> None:
        """Show the present texts of the entry."""
        self._entry = entry
        self._title.set_text(entry.title)
        self._about.set_text(*entry.about)
        for button, label, shown in (
            (self._go, entry.action, True),
            (self._more, entry.more, not narrow or not entry.action),
        ):
            button.configure(text=label)
            set_visible(button, bool(label) and shown)
