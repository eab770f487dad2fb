"""The file of all puzzles: read it, find puzzles, and choose the one of a day.

The file has one JSON object on each line. The first line is the header: the format, the game, the
command that makes the file, and how many puzzles of each kind, difficulty and size it has.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from typing import Any, Final

from doublecross.analysis.puzzles.puzzle import (
    GAME,
    Puzzle,
    PuzzleError,
    puzzle_from_json,
    puzzle_to_json,
)

FORMAT: Final = 1
FILE: Final = "puzzles.jsonl"
"""The name of the file in this package."""
FIRST_DAY: Final = date(2026, 1, 1)
"""On this day the daily puzzle is the first one in the order of the ids."""


@dataclass(frozen=True)
class PuzzleBook:
    """All puzzles, in the order of the file: the easy ones first."""

    puzzles: tuple[Puzzle, ...]
    command: str

    @cached_property
    def by_id(self) -> dict[str, Puzzle]:
        """The puzzles by their ids."""
        return {puzzle.id: puzzle for puzzle in self.puzzles}

    @cached_property
    def _by_day(self) -> tuple[Puzzle, ...]:
        # Ids are hashes: their order mixes kinds, sizes and difficulties.
        return tuple(sorted(self.puzzles, key=lambda puzzle: puzzle.id))

    def of_day(self, day: date) -> Puzzle:
        """Return the puzzle of a day: the same for everybody, and each once before any repeats."""
        return self._by_day[(day - FIRST_DAY).days % len(self._by_day)]


def read_book(text: str) -> PuzzleBook:
    """Read the text of a file of puzzles.

    Raises:
        PuzzleError: a line is wrong, a puzzle appears twice, or the header counts otherwise.
    """
    lines = text.splitlines()
    header, *rest = [_line(number, line) for number, line in enumerate(lines, 1)] or [None]
    if not isinstance(header, dict) or header.get("format") != FORMAT or not rest:
        raise PuzzleError(f"The file does not begin with a header of format {FORMAT}, and puzzles.")
    puzzles = tuple(puzzle_from_json(value) for value in rest)
    book = PuzzleBook(puzzles, str(header.get("command", "")))
    if len(book.by_id) != len(puzzles):
        raise PuzzleError("Two puzzles have the same id.")
    if header != _header(puzzles, book.command):
        raise PuzzleError("The header does not describe the puzzles of the file.")
    return book


def write_book(puzzles: Sequence[Puzzle], command: str) -> str:
    """Return the text of a file of puzzles; they are sorted by difficulty, kind, size and id."""
    ordered = sorted(puzzles, key=lambda each: (each.difficulty, each.kind, each.size, each.id))
    values = [_header(ordered, command), *map(puzzle_to_json, ordered)]
    return "".join(json.dumps(value, separators=(",", ":")) + "\n" for value in values)


def _line(number: int, line: str) -> Any:
    try:
        return json.loads(line)
    except ValueError:
        raise PuzzleError(f"Line {number} of the puzzles is not JSON.") from None


def _header(puzzles: Sequence[Puzzle], command: str) -> dict[str, Any]:
    return {
        "format": FORMAT,
        "game": GAME,
        "command": command,
        "count": len(puzzles),
        "kinds": _counts(puzzle.kind for puzzle in puzzles),
        "difficulties": _counts(str(puzzle.difficulty) for puzzle in puzzles),
        "sizes": _counts(puzzle.size for puzzle in puzzles),
    }


def _counts(keys: Iterable[str]) -> dict[str, int]:
    return dict(sorted(Counter(keys).items()))
