"""What players learn and choose: documents, the rules that merge two copies, and their storage.

Theory of operation
-------------------
Each account has one document of each kind. Any browser sends its copies when it likes; the server
merges them into the stored ones and answers with the result. A merge loses nothing, and merging the
same copy twice changes nothing. So browsers that work at the same time, or without a connection,
end with the same documents.

============  =====================================================================
``lessons``   solved exercises: whatever one copy has is solved
``puzzles``   solved puzzles, those at the first try, and days: as for lessons
``settings``  each value with the time of its change: the newer one wins
``solver``    see `doublecross.server.core.people.solver`
============  =====================================================================
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol, TypeAlias

from doublecross.stats.glicko2 import Glicko

Document: TypeAlias = Mapping[str, Any]

VERSION: Final = 1
"""The version of the form of all documents."""
MOST_DAYS: Final = 2000
"""The most days of daily puzzles that are kept, the newest ones."""
MOST_SETTINGS: Final = 40
"""The most settings of a player."""


@dataclass(frozen=True, slots=True)
class PuzzleRating:
    """The rating of a puzzle after the first attempts of `attempts` players."""

    puzzle_id: str
    glicko: Glicko
    attempts: int = 0


def merge_solved(stored: Document, sent: Document, known: Collection[str]) -> Document:
    """Return what one of two copies has solved, and the days of daily puzzles.

    Of what is `sent` only the `known` ids count, so that a document cannot grow without end.
    """
    found = {
        name: sorted({*stored.get(name, ()), *(each for each in sent[name] if each in known)})
        for name in sent
        if name != "days"
    }
    if "days" in sent:
        found["days"] = sorted({*stored.get("days", ()), *sent["days"]})[-MOST_DAYS:]
    return found


def merge_settings(stored: Document, sent: Document, now_ms: int) -> Document:
    """Return the newer value of each setting, with its time in milliseconds since 1970.

    A clock that goes fast must not win for ever, so times that are still to come count as now.
    """
    found = dict(stored)
    for name, (value, at_ms) in sent.items():
        at_ms = min(at_ms, now_ms)
        if name not in found or at_ms > found[name][1]:
            found[name] = [value, at_ms]
    newest = sorted(found.items(), key=lambda each: -each[1][1])[:MOST_SETTINGS]
    return dict(sorted(newest))


class ProgressStore(Protocol):
    """Store and read documents and ratings; all methods raise `StoreError` when that fails."""

    async def documents(self, account_id: str) -> Mapping[str, Document]:
        """Return the documents of an account."""

    async def store(
        self,
        account_id: str,
        changes: Mapping[str, Document],
        rated: PuzzleRating | None = None,
    ) -> None:
        """Store documents of an account and the rating of a puzzle in one transaction."""

    async def puzzle_ratings(self) -> Sequence[PuzzleRating]:
        """Return the ratings of all puzzles that somebody has attempted."""

    async def level_games(
        self, player: str, account_id: str, levels: Collection[str]
    ) -> Sequence[tuple[str, str, str, int]]:
        """Return a player's newest games against levels from the empty board, oldest first.

        Each is the game's key, the size, the level, and 1, 0 or -1 for a win, draw or loss.
        """
