"""A person who solves puzzles: rating, streak, attempts, best storms, and which puzzle comes next.

The first attempt of a player at a puzzle is one game of Glicko-2 between both. Later ones change no
rating. An attempt also counts for the streak, unless the player has tried the same puzzle lately.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Final

from doublecross.server.core.people.progress import PuzzleRating
from doublecross.stats.glicko2 import MAX_DEVIATION, RATING, VOLATILITY, Glicko, idle, update

DAY_MS: Final = 86_400_000
LATELY_MS: Final = 30 * DAY_MS
"""A puzzle that was tried less long ago does not count for a streak."""
SPREAD: Final = 8
"""The next puzzle is one of so many whose ratings are nearest to that of the solver."""
STORM_DAYS: Final = 7
"""For so many days, today included, the best storm of each is kept."""
_PUZZLE_DEVIATION: Final = 200.0
_EASIEST: Final = 900.0
_STEP: Final = 250.0


@dataclass(frozen=True, slots=True)
class Solver:
    """What is known of a solver. `at_ms` is the time of the last rated attempt.

    `tries` has, for each puzzle, whether the first attempt succeeded and the time of the last one.
    `storm_days` has the best storm of each day, such as ``2026-11-23``.

    Raises:
        ValueError: the rating is impossible; see `Glicko`.
    """

    rating: float = RATING
    deviation: float = MAX_DEVIATION
    volatility: float = VOLATILITY
    at_ms: int = 0
    streak: int = 0
    best_streak: int = 0
    tries: Mapping[str, tuple[bool, int]] = field(default_factory=dict)
    storm_best: int = 0
    storm_days: Mapping[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        Glicko(self.rating, self.deviation, self.volatility)  # because browsers send solvers

    def now(self, now_ms: int) -> Glicko:
        """Return the rating at `now_ms`, which is less certain after a pause."""
        glicko = Glicko(self.rating, self.deviation, self.volatility)
        return idle(glicko, max(0, now_ms - self.at_ms) / DAY_MS) if self.at_ms else glicko

    def attempted(
        self, puzzle: PuzzleRating, solved: bool, now_ms: int
    ) -> tuple[Solver, PuzzleRating | None]:
        """Return the solver after an attempt, and the puzzle's new rating if it was rated."""
        before = self.tries.get(puzzle.puzzle_id)
        first = solved if before is None else before[0]
        after = replace(self, tries={**self.tries, puzzle.puzzle_id: (first, now_ms)})
        if before is None or now_ms - before[1] >= LATELY_MS:
            streak = self.streak + 1 if solved else 0
            after = replace(after, streak=streak, best_streak=max(streak, self.best_streak))
        if before is not None:
            return after, None
        mine, other = self.now(now_ms), puzzle.glicko
        won = update(mine, [(other, float(solved))], periods=0.0)
        # Time makes no puzzle easier, so its rating does not age.
        lost = update(other, [(mine, float(not solved))], periods=0.0)
        after = replace(
            after,
            rating=won.rating,
            deviation=won.deviation,
            volatility=won.volatility,
            at_ms=now_ms,
        )
        return after, PuzzleRating(puzzle.puzzle_id, lost, puzzle.attempts + 1)

    def stormed(self, score: int, now_ms: int) -> Solver:
        """Return the solver after a storm."""
        day = datetime.fromtimestamp(now_ms / 1000, UTC).date()
        oldest = (day - timedelta(days=STORM_DAYS - 1)).isoformat()
        days = {name: best for name, best in self.storm_days.items() if name >= oldest}
        days[day.isoformat()] = max(score, days.get(day.isoformat(), 0))
        return replace(self, storm_days=days, storm_best=max(score, self.storm_best))

    def joined(self, sent: Solver, known: Iterable[str], now_ms: int) -> Solver:
        """Return this solver with what a copy in a browser adds.

        Of the puzzles that were tried, those `known` here count. The server cannot check what a
        browser says of a rating. So only somebody who has tried nothing here goes on from it,
        within the range of the puzzles, and it is as uncertain as any first rating.
        """
        mine = self
        if not self.tries:
            rating = min(max(sent.rating, _EASIEST), _EASIEST + 4 * _STEP)
            mine = replace(self, rating=rating, streak=max(self.streak, sent.streak))
        tries = dict(self.tries)
        for name in set(known) & sent.tries.keys():
            first, at_ms = sent.tries[name]
            before = tries.get(name, (first, 0))
            tries[name] = (before[0], max(before[1], min(at_ms, now_ms)))
        days = dict(self.storm_days)
        for day, score in sent.storm_days.items():
            days[day] = max(score, days.get(day, 0))
        return replace(
            mine,
            best_streak=max(self.best_streak, sent.best_streak),
            tries=tries,
            storm_best=max(self.storm_best, sent.storm_best),
            storm_days=dict(sorted(days.items())[-STORM_DAYS:]),
        )


def first_rating(puzzle_id: str, difficulty: int) -> PuzzleRating:
    """Return the rating of a puzzle that nobody has attempted, from its difficulty (1 to 5)."""
    rating = _EASIEST + _STEP * (difficulty - 1)
    return PuzzleRating(puzzle_id, Glicko(rating, _PUZZLE_DEVIATION))


def next_puzzle(solver: Solver, puzzles: Sequence[PuzzleRating], rng: Random) -> str:
    """Return the id of the next puzzle, one of `puzzles`.

    It is one that the solver has not tried, or else one that was tried long ago.
    """
    new = [each for each in puzzles if each.puzzle_id not in solver.tries]
    if not new:
        old = sorted(puzzles, key=lambda each: solver.tries[each.puzzle_id][1])
        new = old[: max(SPREAD, len(old) // 2)]
    new.sort(key=lambda each: abs(each.glicko.rating - solver.rating))
    return rng.choice(new[:SPREAD]).puzzle_id
