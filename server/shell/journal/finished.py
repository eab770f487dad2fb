"""The rows of finished games, which wait a moment so that many are stored together.

The row of a finished game does not need a commit of its own, as all that it says is in the
journal. It is there when it matters: before somebody reads finished games, and in the commit that
closes its room. After a crash the rows that are missing are written from the journal
(`server/shell/journal/recovery.py`).
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Final

from server.core.storage import GameRow

GAMES_S: Final = 0.25
"""The longest a finished game waits for its row, in seconds."""
GAMES_MOST: Final = 256
"""As many finished games do not wait any longer."""


class WaitingGames:
    """Hold the rows of finished games that are in the journal. `wake` is called when they have
    waited long enough."""

    def __init__(self, wake: Callable[[], None]) -> None:
        self.rows: Sequence[GameRow] = ()
        self._wake = wake
        self._late = False
        self._timer: asyncio.TimerHandle | None = None

    @property
    def due(self) -> bool:
        """Whether the next commit should store them."""
        return self._late or len(self.rows) >= GAMES_MOST

    def keep(self, rows: Sequence[GameRow]) -> None:
        """Let these rows wait, in place of those that did."""
        self.rows = rows
        self._late = False
        if rows and self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(GAMES_S, self._waited)

    def _waited(self) -> None:
        self._timer = None
        self._late = True
        self._wake()

    def close(self) -> None:
        """Wait for nothing any more."""
        if self._timer is not None:
            self._timer.cancel()
