"""Send an announcement of the host to all players, also to those who come later."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from doublecross.server.shell.peers import ConnectedPeers


class Announcements:
    """Send an announcement, and keep it for newcomers until it ends. A new one replaces it.

    `date` returns milliseconds since 1970, UTC.
    """

    def __init__(self, peers: ConnectedPeers, date: Callable[[], int]) -> None:
        self._peers = peers
        self._date = date
        self.kept: dict[str, Any] | None = None
        """The message for newcomers, which may have ended."""
        self.on_change: Callable[[], None] = lambda: None
        """Called after each announcement."""

    def announce(self, text: str, minutes: int) -> int:
        """Send an announcement to all players, and to those who come within `minutes`.

        Returns how many players are connected now. An empty text only ends the former one.
        """
        until_ms = self._date() + minutes * 60_000 if minutes and text else None
        message = {"type": "announcement", "text": text, "until_ms": until_ms}
        self.kept = message if until_ms is not None else None
        # Those of now: whoever comes later gets it with the welcome, and must not get it twice.
        names = list(self._peers.by_name)
        self._peers.notify_all(names, message)
        self.on_change()
        return len(names)

    def for_newcomer(self) -> dict[str, Any] | None:
        """Return the message for a player who has just come, or None."""
        # Nothing else takes it away when its time is over.
        if self.kept is not None and self.kept["until_ms"] <= self._date():
            self.kept = None
        return self.kept
