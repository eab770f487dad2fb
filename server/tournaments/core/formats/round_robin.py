"""Round robin, where everybody plays everybody, and gauntlet, where one entrant plays all others.

The `round` of a pairing is k for the k-th pair between its two entrants, from 0. So all pairs with
the first opening come first, then those with the second, and so on. Within an opening the order
follows the circle method (R. Berger's tables): one entrant stays, the others move on by one place,
and those who face each other play. So at any time all entrants have played about equally often.
Seats need no balancing, because each pair is played in both.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from server.tournaments.core.errors import TournamentError
from server.tournaments.core.formats.api import Draft, Format, check_count

Couple = tuple[int, int]


def circle(players: Sequence[int]) -> Iterator[Couple]:
    """Yield every two of the players once.

    The order is such that nobody plays again before nearly all others have played.
    """
    ring: list[int | None] = list(players)
    if len(ring) % 2:
        ring.append(None)
    half = len(ring) // 2
    for turn in range(len(ring) - 1):
        for place, (one, other) in enumerate(zip(ring[:half], reversed(ring[half:]), strict=True)):
            if one is not None and other is not None:
                # Swap at every other turn, or the entrant that stays would always come first.
                yield (other, one) if place == 0 and turn % 2 else (one, other)
        ring.insert(1, ring.pop())


class RoundRobin(Format):
    """A tournament in which everybody plays everybody."""

    def begin(self) -> Iterable[Draft]:
        """Return the pairings of all who are in.

        Raises:
            TournamentError: there would be too many pairings.
        """
        return self._missing(list(circle(self.ledger.roster.all_in())))

    def joined(self, number: int) -> Iterable[Draft]:
        """Return the pairings that an entrant still needs against all others."""
        return self._missing([(number, n) for n in self.ledger.roster.all_in() if n != number])

    def _missing(self, couples: list[Couple]) -> list[Draft]:
        """Return the pairings that these couples still need.

        Raises:
            TournamentError: there would be too many pairings.
        """
        pairs = self.ledger.terms.pairs
        have = [len(self.ledger.pairings.met(one, other)) for one, other in couples]
        check_count(self.ledger, sum(pairs - count for count in have))
        return [
            (k, one, other) if k % 2 == 0 else (k, other, one)
            for k in range(pairs)
            for count, (one, other) in zip(have, couples, strict=True)
            if k >= count
        ]


class Gauntlet(RoundRobin):
    """A tournament in which one entrant, the hero, plays each of the others."""

    def _hero(self) -> int:
        name = self.ledger.terms.hero
        hero = self.ledger.roster.entrants[0] if name is None else self.ledger.roster.find(name)
        if hero is None or hero.state != "in":
            who = name if hero is None else hero.name
            raise TournamentError(
                f"{who}, whom all others play in this gauntlet, has not joined or has left."
            )
        return hero.number

    def begin(self) -> Iterable[Draft]:
        """Return the pairings of the hero.

        Raises:
            TournamentError: the hero is not in, or there would be too many pairings.
        """
        return super().joined(self._hero())

    def joined(self, number: int) -> Iterable[Draft]:
        """Return the pairings of an entrant with the hero; for the hero, those with all others.

        While the hero is out there are none. They are created when the hero comes back.
        """
        name = self.ledger.terms.hero
        found = self.ledger.roster.entrants[0] if name is None else self.ledger.roster.find(name)
        assert found is not None
        if number == found.number:
            return super().joined(number)
        if found.state != "in":
            return ()
        return self._missing([(number, found.number)])

    def ranks(self) -> list[tuple[float, ...]]:
        """Rank by points per game, because the hero plays more games than all others."""
        ranks: list[tuple[float, ...]] = []
        for tally in self.ledger.results.tallies:
            games = tally.wins + tally.draws + tally.losses
            ranks.append((-tally.points / games, -tally.net / games) if games else (1.0, 0.0))
        return ranks
