"""Progress on a database; see `doublecross.server.core.people.progress`."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final

import sqlalchemy as sa

from doublecross.server.core.people.progress import VERSION, Document, PuzzleRating
from doublecross.server.core.rooms.match import NO_RESULT
from doublecross.server.store.database import Database
from doublecross.server.store.schema import games, progress, puzzle_ratings
from doublecross.server.store.statements import replaced
from doublecross.server.store.writer import Steps
from doublecross.stats.glicko2 import Glicko

_MOST_GAMES: Final = 1000
"""How many of the newest games against levels count."""


class SqlProgress:
    """Implement `doublecross.server.core.people.progress.ProgressStore`."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def documents(self, account_id: str) -> Mapping[str, Document]:
        """Return the documents of an account."""
        query = sa.select(progress.c.kind, progress.c.document)
        rows = await self._database.read(query.where(progress.c.account_id == account_id))
        return {kind: json.loads(document) for kind, document in rows}

    async def store(
        self,
        account_id: str,
        changes: Mapping[str, Document],
        rated: PuzzleRating | None = None,
    ) -> None:
        """Store documents of an account and the rating of a puzzle in one transaction."""
        rows = [
            {
                "account_id": account_id,
                "kind": kind,
                "version": VERSION,
                "document": json.dumps(document, separators=(",", ":")),
            }
            for kind, document in changes.items()
        ]
        steps: Steps = replaced(progress, rows)
        if rated is not None:
            glicko = rated.glicko
            row: dict[str, Any] = {
                "puzzle_id": rated.puzzle_id,
                "rating": glicko.rating,
                "deviation": glicko.deviation,
                "volatility": glicko.volatility,
                "attempts": rated.attempts,
            }
            steps = [*steps, *replaced(puzzle_ratings, [row])]
        await self._database.write(steps)

    async def puzzle_ratings(self) -> Sequence[PuzzleRating]:
        """Return the ratings of all puzzles that somebody has attempted."""
        rows = await self._database.read(sa.select(puzzle_ratings))
        return [
            PuzzleRating(
                row.puzzle_id, Glicko(row.rating, row.deviation, row.volatility), row.attempts
            )
            for row in rows
        ]

    async def level_games(
        self, player: str, account_id: str, levels: Collection[str]
    ) -> Sequence[tuple[str, str, str, int]]:
        """Return a player's newest games against levels from the empty board, oldest first."""
        found: list[tuple[int, tuple[str, str, str, int]]] = []
        for seat in (0, 1):
            engine = games.c[f"engine_{1 - seat}"]
            query = (
                sa.select(games.c.game, games.c.size, engine, games.c.winner, games.c.finished_ms)
                # The index of the key begins with `private`.
                .where(games.c.private.in_((False, True)))
                .where(games.c[f"player_{seat}_key"] == player.casefold())
                .where(games.c[f"player_{seat}_id"] == account_id)
                .where(sa.or_(*(engine.startswith(f"{level} ") for level in levels)))
                .where(games.c.termination.not_in(NO_RESULT))
                # A match that begins in another position has one of these headers.
                .where(~games.c.record.contains('[Opening "'), ~games.c.record.contains('[Start "'))
                .order_by(games.c.finished_ms.desc())
                .limit(_MOST_GAMES)
            )
            for game, size, name, winner, at_ms in await self._database.read(query):
                won = 0 if winner is None else 1 if winner == seat else -1
                found.append((at_ms, (game, size, name.partition(" ")[0], won)))
        return [each for _, each in sorted(found)]
