"""What is counted while a tournament runs: of one entrant, of two, and failures in a row."""

from __future__ import annotations

from bisect import insort
from collections import Counter
from dataclasses import dataclass, field
from typing import Final

from server.tournaments.core.rows import GameOutcome
from stats.pairs import Pentanomial

_PLAYED_OUT: Final = frozenset({"completed", "resigned"})
"""Terminations that show of both players that they work."""

Moment = tuple[int, int, int, int]
"""When a game finished, and its tag, so that no two are the same."""


@dataclass(frozen=True, slots=True)
class HeadToHead:
    """A cell of the crosstable: an entrant's whole pairs against one other, from its side."""

    pentanomial: Pentanomial
    net: int

    @property
    def points(self) -> float:
        """1 for a game won, half for a draw."""
        return self.pentanomial.points

    @property
    def games(self) -> int:
        """Number of games."""
        return 2 * self.pentanomial.pairs

    def reversed(self) -> HeadToHead:
        """The same from the other's side."""
        return HeadToHead(self.pentanomial.reversed(), -self.net)

    def plus(self, other: HeadToHead) -> HeadToHead:
        """Both together."""
        counts = zip(self.pentanomial.counts, other.pentanomial.counts, strict=True)
        a, b, c, d, e = (one + another for one, another in counts)
        return HeadToHead(Pentanomial((a, b, c, d, e)), self.net + other.net)


@dataclass(slots=True)
class EntrantTally:
    """What is counted of one entrant; `begun` are games live or with a result, for fairness."""

    wins: int = 0
    draws: int = 0
    losses: int = 0
    counts: list[int] = field(default_factory=lambda: [0] * 5)
    net: int = 0
    byes: int = 0
    begun: int = 0
    terminations: Counter[str] = field(default_factory=Counter)
    failures: Counter[str] = field(default_factory=Counter)

    @property
    def points(self) -> float:
        """Of whole pairs."""
        return self.wins + self.draws / 2

    def ended(self, outcome: GameOutcome, seat: int) -> None:
        """A game of this entrant is over, whatever becomes of its pair."""
        self.terminations[outcome.termination] += 1
        if outcome.failed == seat:
            self.failures[outcome.termination] += 1

    def scored(self, points: tuple[float, float], net: int) -> None:
        """A pair is whole: the points of its games, and the net score of both."""
        for each in points:
            if each == 0.5:
                self.draws += 1
            elif each:
                self.wins += 1
            else:
                self.losses += 1
        self.counts[int(2 * sum(points))] += 1
        self.net += net

    def pentanomial(self) -> Pentanomial:
        """The whole pairs by what they scored."""
        a, b, c, d, e = self.counts
        return Pentanomial((a, b, c, d, e))


@dataclass(slots=True)
class Streak:
    """An entrant's failures since the last game that it played to an end, oldest first: when each
    was, which, and when the game had begun."""

    failures: list[tuple[Moment, str, int | None]] = field(default_factory=list)
    good: Moment = (-1, 0, 0, 0)

    def add(self, at: Moment, outcome: GameOutcome, seat: int) -> None:
        """A game is over."""
        if outcome.failed == seat:
            if at > self.good:
                insort(self.failures, (at, outcome.termination, outcome.started_ms))
        elif outcome.termination in _PLAYED_OUT and at > self.good:
            self.good = at
            self.failures = [failure for failure in self.failures if failure[0] > at]

    @property
    def count(self) -> int:
        """How often it failed. Games that were going on when one was lost count with that one: a
        program that is killed loses all of its games, but has failed once."""
        count, until = 0, None
        for (finished_ms, *_), _, started_ms in self.failures:
            if until is None or started_ms is None or started_ms >= until:
                count, until = count + 1, finished_ms
        return count

    @property
    def reason(self) -> str:
        """What happened, for people."""
        kinds = [termination for _, termination, _ in self.failures]
        counts = {kind: kinds.count(kind) for kind in sorted(kinds)}
        games = "game" if len(kinds) == 1 else f"{len(kinds)} games"
        if len(counts) == 1:
            what = f"a {games}" if len(kinds) == 1 else f"{games} in a row"
            return f"lost {what} by {kinds[0]}"
        parts = ", ".join(f"{count} by {kind}" for kind, count in counts.items())
        return f"lost {games} in a row ({parts})"
