"""Keep the puzzles that somebody has solved, as plain data: `PuzzleProgress`."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from typing import Any, Final

from doublecross.analysis.puzzles.book import PuzzleBook
from doublecross.analysis.puzzles.kinds import KINDS

MOST_DAYS: Final = 4000
"""The most days that are kept, the newest ones."""


@dataclass(frozen=True, slots=True)
class Count:
    """The numbers of puzzles of a kind: those solved, those solved at the first try, and all."""

    solved: int
    clean: int
    all: int


@dataclass(frozen=True, slots=True)
class PuzzleProgress:
    """The ids of solved puzzles, those solved at the first try, and the days of daily puzzles."""

    solved: frozenset[str] = field(default_factory=frozenset)
    clean: frozenset[str] = field(default_factory=frozenset)
    days: frozenset[date] = field(default_factory=frozenset)

    def with_solved(self, puzzle: str, *, clean: bool, day: date | None = None) -> PuzzleProgress:
        """Return the progress after a puzzle was solved.

        `clean` says whether that was without a mistake and without help. Only the first solution
        counts as clean. `day` is given if this was the puzzle of that day.
        """
        first = puzzle not in self.solved
        return replace(
            self,
            solved=self.solved | {puzzle},
            clean=self.clean | {puzzle} if clean and first else self.clean,
            days=self.days if day is None else self.days | {day},
        )

    def joined(self, other: PuzzleProgress) -> PuzzleProgress:
        """Return what is solved here or there."""
        return PuzzleProgress(
            self.solved | other.solved, self.clean | other.clean, self.days | other.days
        )

    def streak(self, today: date) -> int:
        """Return on how many days in a row the daily puzzle was solved.

        The days end today, or yesterday if today's puzzle is still open.
        """
        day = today if today in self.days else today - timedelta(days=1)
        count = 0
        while day in self.days:
            count, day = count + 1, day - timedelta(days=1)
        return count

    def counts(self, book: PuzzleBook) -> dict[str, Count]:
        """Return the counts for each kind, in the order of the kinds."""
        return {
            kind: self._count(puzzle.id for puzzle in book.puzzles if puzzle.kind == kind)
            for kind in KINDS
        }

    def _count(self, ids: Iterable[str]) -> Count:
        ids = set(ids)
        return Count(len(ids & self.solved), len(ids & self.clean), len(ids))


def progress_to_json(progress: PuzzleProgress) -> dict[str, Any]:
    """Return progress as JSON values."""
    return {
        "solved": sorted(progress.solved),
        "clean": sorted(progress.clean),
        "days": [day.isoformat() for day in sorted(progress.days)[-MOST_DAYS:]],
    }


def progress_from_json(value: object) -> PuzzleProgress:
    """Read progress.

    Raises:
        ValueError: these are not the JSON values of progress.
    """
    if not isinstance(value, dict):
        raise ValueError("The progress with puzzles is not an object.")
    lists = []
    for name in ("solved", "clean", "days"):
        found = value.get(name, [])
        if not isinstance(found, list) or not all(isinstance(each, str) for each in found):
            raise ValueError(f"{name} in the progress with puzzles is not a list of texts.")
        lists.append(found)
    solved, clean, days = lists
    return PuzzleProgress(
        frozenset(solved), frozenset(clean), frozenset(map(date.fromisoformat, days))
    )
