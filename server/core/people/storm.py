"""A puzzle storm: three minutes for as many puzzles as possible, which become harder.

Only the first move of a puzzle counts. A wrong one costs time and ends the combo; a combo gives
some time back.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Final

STORM_MS: Final = 180_000
"""How long a storm lasts."""
MISS_MS: Final = 10_000
"""How much time a wrong move costs."""
COMBO: Final = 5
"""After each so many right moves in a row there is more time."""
COMBO_MS: Final = 3_000
_EACH: Final = 9
"""How many puzzles of each difficulty come first."""


@dataclass(slots=True)
class Storm:
    """A storm that runs until `ends_ms`; `account_id` is empty for a visitor without a name."""

    account_id: str
    puzzles: Sequence[str]
    ends_ms: int
    at: int = 0
    score: int = 0
    combo: int = 0

    def puzzle(self, now_ms: int) -> str | None:
        """Return the id of the present puzzle, or None after the end."""
        is_over = now_ms >= self.ends_ms or self.at >= len(self.puzzles)
        return None if is_over else self.puzzles[self.at]

    def answer(self, right: bool) -> None:
        """Count the answer to the present puzzle, and go on to the next one."""
        self.at += 1
        self.score += right
        self.combo = self.combo + 1 if right else 0
        if not right:
            self.ends_ms -= MISS_MS
        elif self.combo % COMBO == 0:
            self.ends_ms += COMBO_MS


def storm_order(puzzles: Iterable[tuple[str, int]], rng: Random) -> list[str]:
    """Return ids in the order of a storm; `puzzles` are pairs of an id and a difficulty."""
    levels: dict[int, list[str]] = {}
    for puzzle_id, difficulty in puzzles:
        levels.setdefault(difficulty, []).append(puzzle_id)
    first: list[str] = []
    rest: list[str] = []
    for _, ids in sorted(levels.items()):
        rng.shuffle(ids)
        first += ids[:_EACH]
        rest += ids[_EACH:]
    # Whoever solves so many gets the others too, the hardest ones first.
    return first + rest[::-1]
