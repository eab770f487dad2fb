"""Round robin, everybody against everybody, and gauntlet, one against each other one.

The `round` of a pairing is k for the k-th pair between its two (from 0). Pairs are laid out opening
by opening and, within, by the circle method (R. Berger's tables): one entrant stays, the others
move on by one place, and those who face each other meet; so everybody plays about as often at any
time. Colours need no care, as each pair has both.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from server.tournaments.core.errors import TournamentError
from server.tournaments.core.formats.api import Draft, Format, check_count

Couple = tuple[int, int]


def circle(players: Sequence[int]) -> Iterator[Couple]:
    """Every two of the players once, so that nobody plays again before (nearly) all others have."""
    ring: list[int | None] = list(players)
    if len(ring) % 2:
        ring.append(None)
    half = len(ring) // 2
    for turn in range(len(ring) - 1):
        for place, (one, other) in enumerate(zip(ring[:half], reversed(ring[half:]), strict=True)):
            if one is not None and other is not None:
                # The one that stays would else always be named first.
                yield (other, one) if place == 0 and turn % 2 else (one, other)
        ring.insert(1, ring.pop())


class RoundRobin(Format):
    """Everybody against everybody."""

    def begin(self) -> Iterable[Draft]:
        """All pairs of those who are in."""
        return self._missing(list(circle(self.ledger.roster.all_in())))

    def joined(self, number: int) -> Iterable[Draft]:
        """What a newcomer, or one who was away when newcomers came, has to play against all."""
        return self._missing([(number, n) for n in self.ledger.roster.all_in() if n != number])

    def _missing(self, couples: list[Couple]) -> list[Draft]:
        """What these couples need to have all their pairs.

        Raises:
            TournamentError: too many pairs in all.
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
    """The hero against each other one."""

    def _hero(self) -> int:
        name = self.ledger.terms.hero
        hero = self.ledger.roster.entrants[0] if name is None else self.ledger.roster.find(name)
        if hero is None or hero.state != "in":
            who = name if hero is None else hero.name
            raise TournamentError(f"{who}, whom all others play in this gauntlet, is not in it.")
        return hero.number

    def begin(self) -> Iterable[Draft]:
        """All pairs of the hero.

        Raises:
            TournamentError: it is not in.
        """
        return super().joined(self._hero())

    def joined(self, number: int) -> Iterable[Draft]:
        """The newcomer's pairs with the hero; those of the hero that comes back, with all. While
        the hero is away there are none: they are made when it returns."""
        name = self.ledger.terms.hero
        found = self.ledger.roster.entrants[0] if name is None else self.ledger.roster.find(name)
        assert found is not None
        if number == found.number:
            return super().joined(number)
        if found.state != "in":
            return ()
        return self._missing([(number, found.number)])

    def ranks(self) -> list[tuple[float, ...]]:
        """By points for each game: the hero plays more than anybody else."""
        ranks: list[tuple[float, ...]] = []
        for tally in self.ledger.results.tallies:
            games = tally.wins + tally.draws + tally.losses
            ranks.append((-tally.points / games, -tally.net / games) if games else (1.0, 0.0))
        return ranks
