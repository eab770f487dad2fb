"""Ladder: open-ended; whoever has time meets somebody near in rating who has time too.

Theory of operation
-------------------
It is the turn of the entrant that has begun the fewest games. Among those who have time it takes,
in this order, one it has not met in its last `RECENT` pairings, or else the one it met the longest
ago; one who is near in rating; of these, whom it has met the least, and the nearest. So in a small
ladder everybody meets everybody, and in a large one opponents are near and change.

Two who have just finished a pair are free at the same moment, often with nobody else: left to
themselves they would meet for ever, or the few that finish about the same time would, and ratings
of such islands mean nothing to each other. So, while games of others are going on, an entrant
*rests* before it meets somebody of its last pairings again (of `RECENT` of them, fewer in a small
ladder), or in a large ladder somebody who is far in rating. It rests for as long as passed between
the ends of the two games of its last pair, at most `MOST_REST_MS`: that is about the length of a
game, and follows from the finished games alone. Nobody rests from anybody else, or when nobody else
could come. The price, in simulations with games of random length: players are busy for 83 to 95 %
of the time. Without rests the same ladders ended in couples that never parted.

Ratings are Glicko-2 over the ladder's own whole pairs, each a rating period of two games for both
of its players.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Iterator, Mapping
from heapq import heapify, heappop, heappush
from typing import ClassVar, Final

from server.tournaments.core.formats.api import Format
from server.tournaments.core.ledger import Ledger
from stats.glicko2 import Glicko, update

RECENT: Final = 4
"""So many opponents are avoided while somebody else is free."""
NEAR: Final = 400.0
"""Ratings closer than this are near, in points, and so are those who may be by both deviations. To
look for nearer ones chooses opponents by their luck so far, which intervals of ratings do not
know of: see the ladders of `python -m benchmarks ratings coverage`."""
LARGE: Final = 16
"""Entrants from which on opponents are to be near; with fewer, everybody is to meet everybody."""
MOST_REST_MS: Final = 30_000
"""The longest that somebody waits for another opponent than the last one."""


class Ladder(Format):
    """See the module's docstring."""

    always_open: ClassVar[bool] = True
    fewest: ClassVar[int] = 0

    def __init__(self, ledger: Ledger) -> None:
        super().__init__(ledger)
        self._ratings: dict[int, Glicko] = {}
        """Of those who have completed a pair."""
        self._rested: dict[int, int] = {}
        """When the rest of an entrant after its last pair is over, UNIX ms."""
        self._wake: int | None = None
        self._in = 0

    def goes_on(self) -> bool:
        """Until the rounds of the terms are laid out, if there are any."""
        rounds = self.ledger.terms.rounds
        return rounds is None or self._used() < rounds

    def _used(self) -> int:
        """Pairs that are over or can still be; those that were broken off do not count."""
        return self.ledger.pairings.counts["done"] + self.ledger.pairings.counts["open"]

    def planned(self) -> int | None:
        """The rounds of the terms; None: without an end."""
        return self.ledger.terms.rounds if self.ledger.status == "running" else self._used()

    # -- ratings -----------------------------------------------------------------------------

    def rating(self, number: int) -> Glicko:
        """Of an entrant; before its first pair the seed rating, with all doubt."""
        known = self._ratings.get(number)
        if known is not None:
            return known
        seed = self.ledger.roster.entrants[number].seed_rating
        return Glicko() if seed is None else Glicko(rating=seed)

    def completed(self, number: int) -> None:
        """Rate the pair, and let its players rest."""
        one, other = self.ledger.pairings.players(number)
        before = self.rating(one), self.rating(other)
        points = self.ledger.results.points(number)
        self._ratings[one] = update(before[0], [(before[1], p) for p in points])
        self._ratings[other] = update(before[1], [(before[0], 1 - p) for p in points])
        ends = [
            result.finished_ms for result in self.ledger.pairings.pairs[number].results if result
        ]
        rested = max(ends) + min(max(ends) - min(ends), MOST_REST_MS)
        self._rested[one] = self._rested[other] = rested

    def ranks(self) -> list[tuple[float, ...]]:
        """By what the rating is surely worth: two deviations below it."""
        ratings = map(self.rating, range(len(self.ledger.roster.entrants)))
        return [(2 * rating.deviation - rating.rating,) for rating in ratings]

    # -- who meets whom ------------------------------------------------------------------------

    def couples(self, free: Mapping[int, int], now: int) -> Iterator[tuple[int, int]]:
        """See the top of the file."""
        self._wake = None
        self._in = len(self.ledger.roster.all_in())
        tallies = self.ledger.results.tallies
        turns = [(tallies[number].begun, number) for number in free]
        heapify(turns)
        waiting = sorted((self.rating(number).rating, number) for number in free)
        while turns and self.goes_on():
            begun, number = heappop(turns)
            if number not in free:
                continue
            if begun != tallies[number].begun:
                heappush(turns, (tallies[number].begun, number))
                continue
            other = self._opponent(number, waiting, now)
            if other is None:
                continue
            yield number, other
            for player in (number, other):
                if player not in free:
                    entry = (self.rating(player).rating, player)
                    del waiting[bisect_left(waiting, entry)]
            if number in free:
                heappush(turns, (tallies[number].begun, number))

    def wake_ms(self) -> int | None:
        """When the first of those who rest has done so."""
        return self._wake

    def _opponent(self, number: int, waiting: list[tuple[float, int]], now: int) -> int | None:
        """The one of those who are waiting, sorted by rating, that the entrant should meet."""
        mine = self.rating(number)
        recent = self._recent(number)
        apart = min(RECENT, (self._in - 1) // 2)
        best: tuple[int, float, int, float, int] | None = None
        for gap, other in _outwards(waiting, (mine.rating, number)):
            far = max(0.0, gap - NEAR)
            if far and best is not None and best[0] == 0:  # farther ones are no better
                break
            met = recent.get(other, 0)
            doubt = mine.deviation + self.rating(other).deviation
            better_wait = met > RECENT - apart or (self._in >= LARGE and far > doubt)
            if better_wait and self._must_rest(number, other, now):
                continue
            choice = (met, far, self._games(number, other), gap, other)
            if choice[:3] == (0, 0.0, 0):
                return other
            best = choice if best is None else min(best, choice)
        return None if best is None else best[-1]

    def _games(self, one: int, other: int) -> int:
        """How many games two have played against each other, in whole pairs."""
        played = self.ledger.results.head_to_head(one, other)
        return 0 if played is None else played.games

    def _recent(self, number: int) -> dict[int, int]:
        """The last opponents, each with how little ago it was: the last one has `RECENT`."""
        found: dict[int, int] = {}
        for back, pairing in enumerate(reversed(self.ledger.pairings.of_entrant[number][-RECENT:])):
            one, other = self.ledger.pairings.players(pairing)
            found.setdefault(other if one == number else one, RECENT - back)
        return found

    def _must_rest(self, one: int, other: int, now: int) -> bool:
        """Whether two who could meet should wait for somebody better suited."""
        until = max(self._rested.get(one, 0), self._rested.get(other, 0))
        if now >= until:
            return False
        mine = self.ledger.results.live_of[one] + self.ledger.results.live_of[other]
        if len(self.ledger.results.live) <= mine:  # nobody else is playing
            return False
        self._wake = until if self._wake is None else min(self._wake, until)
        return True


def _outwards(
    waiting: list[tuple[float, int]], mine: tuple[float, int]
) -> Iterator[tuple[float, int]]:
    """Those who are waiting, but for `mine`, with their gap in rating: the nearest first."""
    here = bisect_left(waiting, mine)
    low, high = here - 1, here + 1
    while low >= 0 or high < len(waiting):
        below = mine[0] - waiting[low][0] if low >= 0 else math.inf
        above = waiting[high][0] - mine[0] if high < len(waiting) else math.inf
        if below <= above:
            yield below, waiting[low][1]
            low -= 1
        else:
            yield above, waiting[high][1]
            high += 1
