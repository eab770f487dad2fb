"""What players write about their games for nobody but themselves, and the storage for it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, Protocol

MOST_LETTERS: Final = 2000
"""How long a note may be."""
MOST_NOTES: Final = 2000
"""How many notes a player may keep."""


class NoteStore(Protocol):
    """Store and read notes; all methods raise `StoreError` when that fails."""

    async def note(self, account_id: str, game_id: str) -> str:
        """Return the note of an account about a game, or nothing."""
        ...

    async def write(self, account_id: str, game_id: str, words: str, at_ms: int) -> None:
        """Store a note in place of the former one; empty `words` end it."""

    async def has_room(self, account_id: str, game_id: str, most: int) -> bool:
        """Return whether an account has a note about this game, or fewer than `most` notes."""
        ...

    async def of_player(self, account_id: str) -> Sequence[dict[str, Any]]:
        """Return all notes of an account."""
        ...
