"""Ladder: an open-ended tournament, in which free entrants play opponents of similar rating.

Theory of operation
-------------------
The free entrant that has begun the fewest games chooses first among the other free ones. The
criteria, in this order, are:

1. An opponent that it has not met in its last `RECENT` pairings, else the one it met longest ago.
2. An opponent near in rating.
3. The opponent against whom it has played the fewest games, then the nearest in rating.

So in a small ladder everybody meets everybody, and in a large one opponents are near and change.

Two entrants who have just finished a pair become free at the same moment, often with nobody else
free. Without a further rule the same two, or a few who finish at about the same time, would play
each other for ever, and ratings of such separate groups cannot be compared. So an entrant *rests*
before it plays a recent opponent again (one of its last `RECENT` pairings, fewer in a small
ladder), or in a large ladder an opponent who is far in rating. It rests only while others play,
because one of them may become its opponent. The rest lasts as long as the time between the ends of
the two games of its last pair, at most `MOST_REST_MS`. That is about the length of a game, and it
follows from the finished games alone. In simulations with games of random length, players with
rests were busy for 83 to 95 % of the time. Without rests the same ladders ended in couples that
never parted.

Ratings are Glicko-2 over the whole pairs of the ladder. Each pair is a rating period of two games
for both of its players. So a rating needs no games but the last ones. Anchors are entrants with
fixed ratings. Without any, a ladder drifts: those who come weak and leave strong take points along.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

from doublecross.server.tournaments.core.formats.free_pairing import RECENT, FreePairing, outwards
from doublecross.server.tournaments.core.ledger import Ledger
from doublecross.stats.glicko2 import Glicko

NEAR: Final = 400.0
"""Ratings that differ by at most this many points are near.

When nobody nearer is free, opponents whose ratings may be near, given both deviations, are accepted
without a rest. A smaller value would choose opponents by their luck so far, which the confidence
intervals of ratings do not account for: see the ladders of
`python -m benchmarks ratings coverage`.
"""
LARGE: Final = 16
"""The number of entrants from which an entrant rests before it plays one far in rating. In smaller
ladders everybody should meet everybody."""
MOST_POINTS: Final = 64
"""The most points of the curve of a rating."""
ANCHOR_DEVIATION: Final = 0.01
"""The deviation of a fixed rating; it must be above zero."""
MOST_REST_MS: Final = 30_000
"""The longest rest, in milliseconds."""


class Ladder(FreePairing):
    """An open-ended tournament with ratings, in which free entrants are paired at any time."""

    new_versions: ClassVar[bool] = True

    def __init__(self, ledger: Ledger) -> None:
        super().__init__(ledger)
        self._curves: dict[int, list[tuple[int, float]]] = {}
        """By entrant number, the ratings after some of its pairs."""

    def goes_on(self) -> bool:
        """Return whether further pairs may begin: always, or until all `rounds` are used."""
        rounds = self.ledger.terms.rounds
        return rounds is None or self._used() < rounds

    def _used(self) -> int:
        """Return the number of pairs that are done or open; abandoned pairs do not count."""
        return self.ledger.pairings.counts["done"] + self.ledger.pairings.counts["open"]

    def planned(self) -> int | None:
        """Return the `rounds` of the terms; None: the ladder has no end."""
        return self.ledger.terms.rounds

    # -- ratings -----------------------------------------------------------------------------

    def rating(self, number: int) -> Glicko:
        """Return an entrant's rating; that of an anchor is fixed."""
        entrant = self.ledger.roster.entrants[number]
        anchor = self.ledger.terms.anchors.get(entrant.name.casefold())
        if anchor is not None:
            return Glicko(anchor, ANCHOR_DEVIATION)
        return super().rating(number)

    def first_rating(self, number: int) -> Glicko:
        """Return the rating in the season before, the seed rating, or the default."""
        entrant = self.ledger.roster.entrants[number]
        carried = self.ledger.terms.carried.get((entrant.name, entrant.engine))
        return super().first_rating(number) if carried is None else carried

    def completed(self, number: int) -> None:
        """Rate the pair, and let its players rest."""
        super().completed(number)
        one, other = self.ledger.pairings.players(number)
        ends = [outcome.finished_ms for outcome in self.ledger.results.outcomes(number)]
        for player in (one, other):
            curve = self._curves.setdefault(player, [])
            curve.append((max(ends), self.rating(player).rating))
            if len(curve) > MOST_POINTS:
                del curve[1:-1:2]  # the distances between points double
        rested = max(ends) + min(max(ends) - min(ends), MOST_REST_MS)
        self._rested[one] = self._rested[other] = rested

    def curve(self, number: int) -> Sequence[tuple[int, float]]:
        """Return an entrant's rating after some of its pairs, oldest first."""
        return self._curves.get(number, ())

    def ranks(self, tie_breaks: Sequence[tuple[float, ...]]) -> list[tuple[float, ...]]:
        """Rank by the rating minus two deviations, which the true strength very likely exceeds."""
        ratings = map(self.rating, range(len(self.ledger.roster.entrants)))
        return [(2 * rating.deviation - rating.rating,) for rating in ratings]

    # -- who meets whom ------------------------------------------------------------------------

    def level(self, number: int) -> float:
        """Return the rating: opponents should be near in it."""
        return self.rating(number).rating

    def _opponent(self, number: int, waiting: list[tuple[float, int]], now: int) -> int | None:
        """Return the best opponent for an entrant, or None when it should rest.

        `waiting` are the ratings and numbers of all free entrants, in ascending order.
        """
        mine = self.rating(number)
        recent = self.recent(number)
        # A small ladder has too few others to avoid all recent opponents.
        apart = min(RECENT, (self._in - 1) // 2)
        best: tuple[int, float, int, float, int] | None = None
        for gap, other in outwards(waiting, (mine.rating, number)):
            far = max(0.0, gap - NEAR)
            if far and best is not None and best[0] == 0:
                break  # all others are farther away, and so no better
            met = recent.get(other, 0)
            doubt = mine.deviation + self.rating(other).deviation
            better_wait = met > RECENT - apart or (self._in >= LARGE and far > doubt)
            if better_wait and self.must_rest(number, other, now):
                continue
            choice = (met, far, self._games(number, other), gap, other)
            if choice[:3] == (0, 0.0, 0):
                # No other choice can be better.
                return other
            best = choice if best is None else min(best, choice)
        return None if best is None else best[-1]

    def _games(self, one: int, other: int) -> int:
        """Return how many games two entrants have played in whole pairs against each other."""
        played = self.ledger.results.head_to_head(one, other)
        return 0 if played is None else played.games
