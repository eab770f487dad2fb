"""Decide which game pairs of a sequential test count, and when the test is over.

Several workers finish pairs in another order than they begin them, and short games may be typical
of one result. A test that counted results as they arrive would be biased towards these. So pairs
count in the order of the job: a pair waits until all pairs before it are finished. Pairs beyond the
one that decides do not count, so the verdict does not depend on the number of workers.
"""

from __future__ import annotations

from dataclasses import replace

from doublecross.bots.arena.job import ArenaGame
from doublecross.bots.arena.tally import PairTally
from doublecross.stats.pairs import Pentanomial
from doublecross.stats.sprt import Sprt, Verdict


class Decided(Exception):  # noqa: N818 - it ends the games and is not an error
    """The test has reached its verdict."""


class Trial:
    """A running test.

    `counted` has the games of the pairs that count, and `pairs` their outcomes. `played` has all
    games. It drops their moves unless `keep_moves`, to save memory. `course` has the LLR after each
    pair.
    """

    def __init__(self, sprt: Sprt, *, keep_moves: bool = False) -> None:
        self.sprt = sprt
        self.counted = PairTally()
        self.played = PairTally()
        self.pairs = Pentanomial()
        self.course: list[float] = []
        self.verdict: Verdict | None = None
        self._keep_moves = keep_moves
        self._ahead: dict[int, list[ArenaGame]] = {}

    @property
    def llr(self) -> float:
        """The LLR of the pairs that count."""
        return self.course[-1] if self.course else 0.0

    @property
    def beyond(self) -> int:
        """The number of games that were played but do not count."""
        return len(self.played.games) - 2 * self.pairs.pairs

    def take(self, played: ArenaGame) -> bool:
        """Add a finished game; return whether another pair counts now."""
        if not self._keep_moves:
            played = replace(played, moves=(), thoughts=())
        self.played.add(played)
        self._ahead.setdefault(played.task.number, []).append(played)
        before = self.pairs.pairs
        while self.verdict is None and len(self._ahead.get(self.pairs.pairs, ())) == 2:
            self._count(self._ahead.pop(self.pairs.pairs))
        return self.pairs.pairs > before

    def _count(self, pair: list[ArenaGame]) -> None:
        for game in pair:
            self.counted.add(game)
        points = sum(game.points(self.counted.players[0]) for game in pair)
        a, b, c, d, e = (
            old + new
            for old, new in zip(self.pairs.counts, Pentanomial.of([points]).counts, strict=True)
        )
        self.pairs = Pentanomial((a, b, c, d, e))
        self.course.append(self.sprt.llr(self.pairs))
        self.verdict = self.sprt.verdict(self.pairs)
