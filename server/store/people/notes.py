"""Notes on a database; see `doublecross.server.core.people.notes`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import sqlalchemy as sa

from doublecross.server.store.database import Database
from doublecross.server.store.row_counts import counted_off
from doublecross.server.store.schema import notes
from doublecross.server.store.statements import replaced
from doublecross.server.store.writer import Steps


class SqlNotes:
    """Implement `doublecross.server.core.people.notes.NoteStore`."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def note(self, account_id: str, game_id: str) -> str:
        """Return the note of an account about a game, or nothing."""
        query = sa.select(notes.c.words).where(_is_note(account_id, game_id))
        rows = await self._database.read(query)
        return rows[0].words if rows else ""

    async def write(self, account_id: str, game_id: str, words: str, at_ms: int) -> None:
        """Store a note in place of the former one; empty `words` end it."""
        row = {"account_id": account_id, "game_id": game_id, "words": words, "changed_ms": at_ms}
        steps = replaced(notes, [row]) if words else deleted(_is_note(account_id, game_id))
        await self._database.write(steps)

    async def has_room(self, account_id: str, game_id: str, most: int) -> bool:
        """Return whether an account has a note about this game, or fewer than `most` notes."""
        mine = sa.select(notes.c.game_id).where(notes.c.account_id == account_id)
        rows = await self._database.read(mine.where(notes.c.game_id != game_id).limit(most))
        return len(rows) < most or bool(await self.note(account_id, game_id))

    async def of_player(self, account_id: str) -> Sequence[dict[str, Any]]:
        """Return all notes of an account."""
        query = sa.select(notes).where(notes.c.account_id == account_id).order_by(notes.c.game_id)
        return [dict(row._mapping) for row in await self._database.read(query)]


def _is_note(account_id: str, game_id: str) -> sa.ColumnElement[bool]:
    return (notes.c.account_id == account_id) & (notes.c.game_id == game_id)


def deleted(chosen: sa.ColumnElement[bool]) -> Steps:
    """Return the steps that delete the chosen notes."""
    return [(counted_off(notes, chosen), [{}]), (sa.delete(notes).where(chosen), [{}])]
