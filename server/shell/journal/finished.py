"""A buffer for the rows of finished games, so that many of them are stored together.

The row of a finished game needs no commit of its own, because the journal has everything that it
contains. It is stored before anybody reads finished games, and at the latest in the commit that
closes its room. After a crash, recovery writes missing rows from the journal
(`server/shell/rooms/recovery.py`).
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Final

from doublecross.server.core.storage import GameRow

GAMES_S: Final = 0.25
"""The longest time that a row waits, in seconds."""
GAMES_MOST: Final = 256
"""With so many rows, the next commits store them."""
GAMES_PIECE: Final = 16
"""So many rows go into one commit at most, unless all are needed now.

A row costs a commit about 50 us, and everybody who moves meanwhile waits for it.
"""


class FinishedGameBuffer:
    """Buffer the rows of finished games whose events are in the journal.

    Calls `wake` when the rows have waited for `GAMES_S` seconds.
    """

    def __init__(self, wake: Callable[[], None]) -> None:
        self.rows: Sequence[GameRow] = ()
        self._wake = wake
        self._late = False
        self._timer: asyncio.TimerHandle | None = None

    @property
    def due(self) -> int:
        """The number of rows that the next commit should store, the oldest first."""
        if self._late or len(self.rows) >= GAMES_MOST:
            return GAMES_PIECE
        return 0

    def keep(self, rows: Sequence[GameRow], *, failed: bool = False) -> None:
        """Let these rows wait, in place of the former ones.

        If they are what is left of rows that were due, they are due too. If the commit of the
        others has `failed`, they wait anew.
        """
        self.rows = rows
        if failed or not rows:
            self._late = False
        # Only a piece of the due rows was stored, so the next commit takes another piece.
        if self._late:
            self._wake()
        elif rows and self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(GAMES_S, self._on_timer)

    def _on_timer(self) -> None:
        self._timer = None
        if self.rows:  # a commit may have stored them meanwhile
            self._late = True
            self._wake()

    def close(self) -> None:
        """Cancel the timer."""
        if self._timer is not None:
            self._timer.cancel()
