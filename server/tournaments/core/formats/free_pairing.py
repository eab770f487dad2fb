"""The base of formats that pair free entrants at any time, with ratings from their own games.

Each free entrant in turn chooses an opponent among the other free ones. Two who have just played
each other become free at the same moment, often with nobody else free, and would play each other
for ever. So entrants may *rest* before they take an opponent who is not the best for them. They
rest only while others play, because one of these may become their opponent.

Ratings are Glicko-2. Each pairing is a rating period of its games for both of its players, so a
rating needs no games but the last ones.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from bisect import bisect_left
from collections.abc import Iterator, Mapping
from heapq import heapify, heappop, heappush
from typing import ClassVar, Final

from doublecross.server.tournaments.core.formats.api import Couple, Format
from doublecross.server.tournaments.core.ledger import Ledger
from doublecross.stats.glicko2 import RATING, VOLATILITY, Glicko, update

RECENT: Final = 4
"""How many of its last opponents an entrant remembers."""
BOT_VOLATILITY: Final = 0.02
"""The volatility of a bot before its first pair.

A version of a program does not change, so its rating needs less room than a person's. In simulated
ladders of 12 bots the intervals contain the truth in 92 % of the cases after 50 games each, in 95 %
after 250, in 98 % after 1000, when they are half as wide as with the usual volatility.
"""


class FreePairing(Format):
    """A format that pairs entrants whenever they are free."""

    always_open: ClassVar[bool] = True
    fewest: ClassVar[int] = 0

    def __init__(self, ledger: Ledger) -> None:
        super().__init__(ledger)
        self._ratings: dict[int, Glicko] = {}
        """By entrant number; only those who have completed a pair."""
        self._rested: dict[int, int] = {}
        """By entrant number, when the rest after its last pair ends, in UNIX milliseconds."""
        self._wake: int | None = None
        """When the first rest ends that kept two entrants from playing, in UNIX milliseconds."""
        self._in = 0
        """The number of entrants who are in, for one call of `couples`."""

    @abstractmethod
    def level(self, number: int) -> float:
        """Return the number in which opponents should be near."""

    @abstractmethod
    def _opponent(self, number: int, waiting: list[tuple[float, int]], now: int) -> int | None:
        """Return the best opponent for an entrant, or None when it should rest.

        `waiting` are the levels and numbers of all free entrants, in ascending order.
        """

    def turn(self, number: int) -> tuple[int, ...]:
        """Return when an entrant chooses, the least first; it changes when a game begins."""
        return (self.ledger.results.tallies[number].begun,)

    def seated(self, one: int, other: int) -> tuple[int, int]:
        """Return two entrants by the seats that they have in the first game."""
        return one, other

    # -- ratings -----------------------------------------------------------------------------

    def rating(self, number: int) -> Glicko:
        """Return an entrant's rating; before its first pair that is a guess."""
        known = self._ratings.get(number)
        return self.first_rating(number) if known is None else known

    def first_rating(self, number: int) -> Glicko:
        """Return the rating before the first pair: the seed rating, or the default."""
        entrant = self.ledger.roster.entrants[number]
        rating = RATING if entrant.seed_rating is None else entrant.seed_rating
        return Glicko(rating, volatility=BOT_VOLATILITY if entrant.engine else VOLATILITY)

    def completed(self, number: int) -> None:
        """Rate the pair."""
        one, other = self.ledger.pairings.players(number)
        before = self.rating(one), self.rating(other)
        points = self.ledger.results.points(number)
        # Both updates use the ratings before the pair.
        self._ratings[one] = update(before[0], [(before[1], p) for p in points])
        self._ratings[other] = update(before[1], [(before[0], 1 - p) for p in points])

    # -- who meets whom ------------------------------------------------------------------------

    def couples(self, free: Mapping[int, int], now: int) -> Iterator[Couple]:
        """Yield the couples that play now."""
        self._wake = None
        self._in = len(self.ledger.roster.all_in())
        turns = [(self.turn(number), number) for number in free]
        heapify(turns)
        waiting = sorted((self.level(number), number) for number in free)
        while turns and self.goes_on():
            turn, number = heappop(turns)
            if number not in free:
                continue
            if turn != self.turn(number):
                # The entry is out of date: the entrant has begun games since.
                heappush(turns, (self.turn(number), number))
                continue
            other = self._opponent(number, waiting, now)
            if other is None:
                continue
            yield 0, *self.seated(number, other)
            for player in (number, other):
                if player not in free:
                    entry = (self.level(player), player)
                    del waiting[bisect_left(waiting, entry)]
            if number in free:
                heappush(turns, (self.turn(number), number))

    def wake_ms(self) -> int | None:
        """Return when the first rest ends that kept two entrants from playing, or None."""
        return self._wake

    def recent(self, number: int) -> dict[int, int]:
        """Return the opponents in the last `RECENT` pairings.

        The last one has the value `RECENT`, the one before that `RECENT - 1`, and so on.
        """
        found: dict[int, int] = {}
        for back, pairing in enumerate(reversed(self.ledger.pairings.of_entrant[number][-RECENT:])):
            one, other = self.ledger.pairings.players(pairing)
            found.setdefault(other if one == number else one, RECENT - back)
        return found

    def must_rest(self, one: int, other: int, now: int) -> bool:
        """Return whether two entrants should wait for better opponents; note until when."""
        until = max(self._rested.get(one, 0), self._rested.get(other, 0))
        if now >= until:
            return False
        mine = self.ledger.results.live_of[one] + self.ledger.results.live_of[other]
        if len(self.ledger.results.live) <= mine:  # nobody else is playing
            return False
        self._wake = until if self._wake is None else min(self._wake, until)
        return True


def outwards(
    waiting: list[tuple[float, int]], mine: tuple[float, int]
) -> Iterator[tuple[float, int]]:
    """Yield the entrants in `waiting` except `mine`, nearest in level first.

    Each comes with its distance in level. Elements of `waiting`, like `mine`, are a level and an
    entrant number.
    """
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
