"""The bar with an announcement of the server's host."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable

from doublecross.client.tk.context import Context
from doublecross.client.tk.models.snapshots import AnnouncementSnapshot
from doublecross.client.tk.widgets.strip.bar import Bar


class AnnouncementBar(Bar):
    """Shows an announcement until it is out of date, or until the person has read it."""

    def __init__(self, parent: tk.Misc, context: Context, *, on_change: Callable[[], None]) -> None:
        super().__init__(parent, context, "announcement", on_change)
        self._read: AnnouncementSnapshot | None = None
        self._shown: AnnouncementSnapshot | None = None
        self.add_button("dismiss", "OK", self._close)

    def take(self, announcement: AnnouncementSnapshot, date_ms: float) -> None:
        """Show an announcement, unless it was read before; see `tick`."""
        # After a reconnect the server sends the same one again, if it has an end.
        known = announcement.until_ms is not None and announcement == self._read
        self._shown = None if known else announcement
        self.tick(date_ms)

    def tick(self, date_ms: float) -> None:
        """Hide what is out of date at `date_ms`, in milliseconds since 1970."""
        shown = self._shown
        if shown is not None and shown.until_ms is not None and shown.until_ms <= date_ms:
            self._shown = shown = None
        self.say("" if shown is None else shown.text)

    def forget(self) -> None:
        """Hide the announcement, because the connection has ended."""
        self._shown = self._read = None
        self.say("")

    def _close(self) -> None:
        self._read, self._shown = self._shown, None
        self.say("")
