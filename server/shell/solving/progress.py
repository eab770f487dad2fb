"""Merge what browsers have kept into the documents of an account."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, Final

from pydantic import TypeAdapter

from doublecross.analysis.ladder import LevelResults
from doublecross.analysis.shipped.course import lessons
from doublecross.analysis.shipped.puzzles import puzzles
from doublecross.server.core.people.accounts import Login
from doublecross.server.core.people.progress import (
    Document,
    merge_settings,
    merge_solved,
)
from doublecross.server.core.people.solver import Solver
from doublecross.server.core.storage import Store
from doublecross.server.shell.accounts.service import AccountService

LEVELS: Final = ("easy", "medium", "tricky", "hard", "perfect")
"""The engines of the levels, as `client/web/models/lobby/levels.js` has them."""

SOLVER: Final = TypeAdapter(Solver)


def as_document(solver: Solver) -> Document:
    """Return a solver as a document."""
    found: dict[str, Any] = SOLVER.dump_python(solver, mode="json")
    return found


class ProgressService:
    """Read and merge documents; `date` returns milliseconds since 1970, UTC."""

    def __init__(self, store: Store, accounts: AccountService, date: Callable[[], int]) -> None:
        self._store = store
        self._accounts = accounts
        self._date = date

    async def merge(
        self, login: Login, owner: str | None, sent: Mapping[str, Any]
    ) -> tuple[bool, Mapping[str, Document]]:
        """Merge the documents of a browser; return whether they were, and the documents now.

        `owner` is the account id of whoever the browser's documents belong to, if anybody. Those of
        another person's account are not merged, but those of a guest are: whoever logs in has
        played as this guest before.

        Raises:
            Refused: the account has ended.
            StoreError: the database failed.
        """
        mine = login.account.account_id
        if owner not in (None, mine):
            found = await self._store.accounts.account(owner or "")
            if found is not None and found.account.is_claimed:
                return False, await self._store.progress.documents(mine)
        async with self._accounts.turns.of(mine):
            await self._accounts.anew(login)
            stored = await self._store.progress.documents(mine)
            merged = {kind: self._merged(kind, stored.get(kind, {}), sent[kind]) for kind in sent}
            changes = {
                kind: document for kind, document in merged.items() if document != stored.get(kind)
            }
            if changes:
                await self._store.progress.store(mine, changes)
        return True, {**stored, **merged}

    def _merged(self, kind: str, stored: Document, sent: Any) -> Document:
        if kind == "settings":
            return merge_settings(stored, sent, self._date())
        if kind == "solver":
            mine = SOLVER.validate_python(stored)
            return as_document(mine.joined(sent, puzzles().by_id, self._date()))
        return merge_solved(stored, sent, known_ids())

    async def levels(self, login: Login) -> Mapping[str, str]:
        """Return the results against each level by game, size and level; see `analysis/ladder.py`.

        They follow from the finished games, so nobody stores them.
        """
        found: dict[str, LevelResults] = {}
        player, account_id = login.player.name, login.account.account_id
        for *rung, won in await self._store.progress.level_games(player, account_id, LEVELS):
            key = " ".join(map(str, rung))
            found[key] = found.get(key, LevelResults()).after(won)
        return {key: results.to_text() for key, results in found.items()}


@cache
def known_ids() -> frozenset[str]:
    """Return the keys of all exercises of the course and the ids of all puzzles."""
    exercises = {lesson.key(each) for lesson in lessons() for each in lesson.exercises}
    return frozenset(exercises | puzzles().by_id.keys())
