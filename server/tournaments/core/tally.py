"""Counters of a running tournament: of an entrant, of two opponents, and of failures in a row."""

from __future__ import annotations

import sys
from bisect import insort
from collections import Counter
from dataclasses import dataclass, field
from typing import Final

from doublecross.server.core.rooms.match import NO_RESULT
from doublecross.server.core.tournament_rows import GameOutcome
from doublecross.stats.pairs import Pentanomial

_PLAYED_OUT: Final = frozenset({"completed", "resigned"})
"""Terminations that show that the programs of both players work."""

_PHRASES: Final = {"illegal": "illegal action"}
"""How a reason names a termination whose own name is no noun."""

Moment = tuple[int, int, int, int]
"""The time at which a game finished and the numbers of its tag, so that no two are equal."""


@dataclass(frozen=True, slots=True)
class HeadToHead:
    """A cell of the crosstable: an entrant's results in whole pairs against one other entrant."""

    pentanomial: Pentanomial
    net: int

    @property
    def points(self) -> float:
        """The points: 1 for a win, half for a draw."""
        return self.pentanomial.points

    @property
    def games(self) -> int:
        """The number of games."""
        return 2 * self.pentanomial.pairs

    def reversed(self) -> HeadToHead:
        """Return the same results as those of the other entrant."""
        return HeadToHead(self.pentanomial.reversed(), -self.net)

    def plus(self, other: HeadToHead) -> HeadToHead:
        """Return the sum of two results."""
        counts = zip(self.pentanomial.counts, other.pentanomial.counts, strict=True)
        a, b, c, d, e = (one + another for one, another in counts)
        return HeadToHead(Pentanomial((a, b, c, d, e)), self.net + other.net)


@dataclass(slots=True)
class EntrantTally:
    """The counters of one entrant.

    `begun` counts games that are live or have a result; the schedule uses it to be fair.
    """

    wins: int = 0
    draws: int = 0
    losses: int = 0
    counts: list[int] = field(default_factory=lambda: [0] * 5)
    net: int = 0
    byes: int = 0
    begun: int = 0
    terminations: Counter[str] = field(default_factory=Counter)
    failures: Counter[str] = field(default_factory=Counter)
    last_ms: int | None = None

    @property
    def points(self) -> float:
        """The points in whole pairs."""
        return self.wins + self.draws / 2

    @property
    def pairs(self) -> int:
        """The number of whole pairs."""
        return sum(self.counts)

    @property
    def only_failed(self) -> bool:
        """True when the entrant has lost all its games by failure, and at least one."""
        ended = sum(n for kind, n in self.terminations.items() if kind not in NO_RESULT)
        return 0 < ended == self.failures.total()

    def ended(self, outcome: GameOutcome, seat: int) -> None:
        """Count how a game ended, whether or not its pair becomes whole."""
        self.terminations[outcome.termination] += 1
        self.last_ms = max(self.last_ms or 0, outcome.finished_ms)
        if outcome.failed == seat:
            self.failures[outcome.termination] += 1

    def scored(self, points: tuple[float, ...], net: int) -> None:
        """Count a whole pair: the points in its games, and the net score over all."""
        for each in points:
            if each == 0.5:
                self.draws += 1
            elif each:
                self.wins += 1
            else:
                self.losses += 1
        if len(points) == 2:
            self.counts[int(2 * sum(points))] += 1
        self.net += net

    def pentanomial(self) -> Pentanomial:
        """Return the number of whole pairs for each possible number of points."""
        a, b, c, d, e = self.counts
        return Pentanomial((a, b, c, d, e))


@dataclass(slots=True)
class Streak:
    """An entrant's failures since the last game that it completed, oldest first.

    `failures` has the moment, the termination and the start of each (None: unknown). `good` is the
    moment of the last completed game, or of the return after being set aside.
    """

    failures: list[tuple[Moment, str, int | None]] = field(default_factory=list)
    good: Moment = (-1, 0, 0, 0)

    def add(self, at: Moment, outcome: GameOutcome, seat: int) -> None:
        """Count a game that ended at the moment `at`."""
        if outcome.failed == seat:
            if at > self.good:
                insort(self.failures, (at, outcome.termination, outcome.started_ms))
        elif outcome.termination in _PLAYED_OUT and at > self.good:
            self.good = at
            self.failures = [failure for failure in self.failures if failure[0] > at]

    def forgive(self, until_ms: int) -> None:
        """Count no failure up to this time, in UNIX milliseconds."""
        until = (until_ms, sys.maxsize, 0, 0)
        if until > self.good:
            self.good = until
            self.failures = [failure for failure in self.failures if failure[0] > until]

    @property
    def count(self) -> int:
        """The number of failures in a row.

        Games that were being played when one was lost count together with that one: a program that
        is killed loses all its games at once, but has failed only once.
        """
        count, until = 0, None
        for (finished_ms, *_), _, started_ms in self.failures:
            if until is None or started_ms is None or started_ms >= until:
                count, until = count + 1, finished_ms
        return count

    @property
    def reason(self) -> str:
        """The reason for setting the entrant aside, as a phrase for people."""
        kinds = [_PHRASES.get(termination, termination) for _, termination, _ in self.failures]
        counts = {kind: kinds.count(kind) for kind in sorted(kinds)}
        games = "game" if len(kinds) == 1 else f"{len(kinds)} games"
        if len(counts) == 1:
            what = f"a {games}" if len(kinds) == 1 else f"{games} in a row"
            return f"lost {what} by {kinds[0]}"
        parts = ", ".join(f"{count} by {kind}" for kind, count in counts.items())
        return f"lost {games} in a row ({parts})"
