"""Decide when tournaments are asked for their next games.

Every event that may let a game begin wakes the tournament. One event often causes others at once,
so tournaments are asked in the next turn of the event loop, each only once.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable


class WakeUps:
    """Call `begin` with the id of each tournament that was woken, in the order of the calls."""

    def __init__(self, begin: Callable[[str], None]) -> None:
        self._begin = begin
        self._due: dict[str, None] = {}
        self._called = False

    def wake(self, tournament_id: str) -> None:
        """Ask a tournament for its next games in the next turn of the event loop."""
        self._due[tournament_id] = None
        if not self._called:
            self._called = True
            asyncio.get_running_loop().call_soon(self._run)

    def is_due(self, tournament_id: str) -> bool:
        """Return whether a tournament was woken but not asked yet."""
        return tournament_id in self._due

    def put_last(self, tournament_id: str) -> None:
        """Move a tournament that was woken behind all others."""
        if tournament_id in self._due:
            self._due[tournament_id] = self._due.pop(tournament_id)

    def _run(self) -> None:
        self._called = False
        # Tournaments that are woken during this loop get the next turn.
        due, self._due = self._due, {}
        for tournament_id in due:
            self._begin(tournament_id)
