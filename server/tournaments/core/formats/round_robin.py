"""Round robin, where everybody plays everybody, and gauntlet, where one entrant plays all others.

The `round` of a pairing is k for the k-th pair between its two entrants, from 0. The entrant that
has begun the fewest games plays next, so at any time all entrants have played about equally often.
Between opponents with equal claims the circle method decides (R. Berger's tables): one entrant
stays, the others move on by one place at each turn, and those who face each other meet. Seats need
no balancing, because each pair is played in both.

Points of entrants who have left or were set aside count as in the FIDE Handbook, C.06 (Tournament
Rules), article 5.4. If the entrant has played less than half of its pairs, it ranks last, and
nobody's points against it count. Otherwise they count, and its unplayed pairs are won by those
opponents who are still in.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import ClassVar

from doublecross.server.core.errors import wrong_state
from doublecross.server.core.tournament_rows import Entrant
from doublecross.server.tournaments.core.formats.api import Contest, Couple, Draft, check_count
from doublecross.server.tournaments.core.formats.encounters import PairByPair
from doublecross.server.tournaments.core.ledger import Ledger


def turn_of(players: int, one: int, other: int) -> int:
    """Return the turn of the circle method in which two of the players meet, from 0.

    An odd number of players is rounded up. Player 0 is the one who stays.
    """
    turns = players - 1 + players % 2
    if not one or not other:
        return -(one + other) % turns
    return -(one + other) * ((turns + 1) // 2) % turns


class RoundRobin(PairByPair):
    """A tournament in which everybody plays everybody."""

    only_entrants_add: ClassVar[bool] = True

    def __init__(self, ledger: Ledger) -> None:
        super().__init__(ledger)
        self._here: set[int] = set()
        """The entrants among whom `_left` is counted."""
        self._left = 0
        self._annulled: tuple[tuple[int, int], list[int]] = (-1, -1), []
        """The last result of `annulled`, after the version of the roster and the pairs done."""
        self._adjusted_at = (-1, -1)
        """The version of the roster and the pairs done when `_adjusted` was last computed."""
        self._adjustment: tuple[tuple[int, int], tuple[list[float], list[int]]] = (-1, -1), ([], [])
        """The last result of `_adjusted`, after the version of the roster and the pairs of those
        who are out."""
        self._seen = 0
        """How many of the ledger's pairings are counted."""

    def begin(self) -> Iterable[Draft]:
        """Check the size of the tournament; pairings follow when players are free.

        Raises:
            Refused: there would be too many pairings.
        """
        check_count(self.ledger, self.left())
        return ()

    def joined(self, number: int) -> Iterable[Draft]:
        """Check the size of the tournament with one more entrant; pairings follow.

        Raises:
            Refused: there would be too many pairings.
        """
        others = [other for other in self.ledger.roster.all_in() if other != number]
        check_count(self.ledger, self.left() + self.due_among(number, others))
        return ()

    def due(self, one: int, other: int) -> int:
        """Return how many more pairings two entrants need, whether or not they are in."""
        return max(0, self.ledger.terms.pairs - len(self.ledger.pairings.met(one, other)))

    def due_among(self, number: int, others: Collection[int]) -> int:
        """Return how many more pairings an entrant needs with these others."""
        known = number < len(self.ledger.pairings.of_entrant)
        if not known or not self.ledger.pairings.of_entrant[number]:
            return self.ledger.terms.pairs * len(others)
        return sum(self.due(number, other) for other in others)

    def draft(self, one: int, other: int) -> Couple:
        """Return the next pairing of two entrants; they take turns to be the first."""
        k = len(self.ledger.pairings.met(one, other))
        low, high = min(one, other), max(one, other)
        return (k, low, high) if (k + low + high) % 2 else (k, high, low)

    def turn(self, one: int, other: int) -> int:
        """Return the turn of the circle method in which two entrants meet."""
        return turn_of(len(self.ledger.roster.entrants), one, other)

    def left(self) -> int:
        """Return how many more pairings all need who are in."""
        # Count only what has changed, because this is asked after every game.
        rows = self.ledger.pairings.rows
        while self._seen < len(rows):
            row = rows[self._seen]
            self._seen += 1
            # Each pairing was needed until it was created.
            if row.first in self._here and row.second in self._here:
                self._left -= 1
        now = set(self.ledger.roster.all_in())
        for number in self._here - now:
            self._here.discard(number)
            self._left -= self.due_among(number, self._here)
        for number in now - self._here:
            self._left += self.due_among(number, self._here)
            self._here.add(number)
        return self._left

    # -- the table ---------------------------------------------------------------------------

    def completed(self, number: int) -> None:
        """Update all standings if a player is out, who may have played half of its pairs now."""
        if not self.ledger.pairings.both_in(number):
            self.ledger.roster.mark_all_standings_stale()

    def annulled(self) -> list[int]:
        """Return those who are out and have played less than half of their pairs."""
        ledger = self.ledger
        key = ledger.roster.version, ledger.pairings.counts["done"]
        if self._annulled[0] != key:
            played = [tally.pairs for tally in ledger.results.tallies]
            there = [n for n in range(len(played)) if played[n] or ledger.roster.is_in(n)]
            out = [n for n in range(len(played)) if not ledger.roster.is_in(n)]
            needed = {n: sum(self.all_pairs(n, m) for m in there if m != n) for n in out}
            self._annulled = key, [n for n in out if 2 * played[n] < needed[n]]
        return self._annulled[1]

    def all_pairs(self, one: int, other: int) -> int:
        """Return how many pairs two entrants play when nobody leaves."""
        return self.ledger.terms.pairs

    def _adjusted(self) -> tuple[list[float], list[int]]:
        """Return what to add to the points and to the net score of each entrant.

        Games of those who are annulled do not count, unless only one other entrant is left. Pairs
        that others who are out have not played are won by those who are in.
        """
        ledger = self.ledger
        at = ledger.roster.version, ledger.pairings.counts["done"]
        if self._adjusted_at == at:
            return self._adjustment[1]
        self._adjusted_at = at
        annulled, tallies = self.annulled(), ledger.results.tallies
        out = [n for n in range(len(tallies)) if not ledger.roster.is_in(n)]
        key = ledger.roster.version, sum(tallies[n].pairs for n in out)
        if self._adjustment[0] == key:
            return self._adjustment[1]
        points, net = [0.0] * len(tallies), [0] * len(tallies)
        all_count = len(tallies) - len(annulled) < 2
        uncounted = set() if all_count else set(annulled)
        for one in out:
            for other in range(len(tallies)):
                if other == one or (one in annulled and one not in uncounted):
                    continue
                played = ledger.results.against(other, one)
                if one in uncounted:
                    points[other] -= played[1]
                    net[other] -= played[2]
                elif ledger.roster.is_in(other):
                    points[other] += 2.0 * (self.all_pairs(other, one) - played[0])
        for one in uncounted:
            points[one], net[one] = -tallies[one].points, 0
        self._adjustment = key, (points, net)
        return points, net

    def bonus(self, number: int) -> float:
        """Return the points for unplayed pairs, less those of games that do not count."""
        return self._adjusted()[0][number]

    def net(self, number: int) -> float:
        """Return the net score of an entrant in the games that count."""
        return super().net(number) + self._adjusted()[1][number]

    def won_unplayed(self, one: int, other: int) -> int:
        """Return how many pairs `one` has won because `other`, who played half of them, is out."""
        is_in = self.ledger.roster.is_in
        if not is_in(one) or is_in(other) or other in self.annulled():
            return 0
        return self.all_pairs(one, other) - self.ledger.results.against(one, other)[0]

    def contests(self) -> Iterable[Contest]:
        """Return the points of all who count against all others who do, with pairs won unplayed."""
        annulled, roster = set(self.annulled()), self.ledger.roster
        for one, other, points, lost in self.ledger.results.encounters():
            if one not in annulled and other not in annulled:
                yield one, other, points
                yield other, one, lost
        for entrant in roster.entrants:
            if entrant.state != "in":
                for one in roster.all_in():
                    yield one, entrant.number, 2.0 * self.won_unplayed(one, entrant.number)

    def ranks(self, tie_breaks: Sequence[tuple[float, ...]]) -> list[tuple[float, ...]]:
        """Rank by points, then by the tie-breaks; those whose games do not count come last."""
        annulled = set(self.annulled())
        return [
            (number in annulled, *rank) for number, rank in enumerate(super().ranks(tie_breaks))
        ]


class Gauntlet(RoundRobin):
    """A tournament in which one entrant, the hero, plays each of the others."""

    def _hero(self) -> Entrant | None:
        name = self.ledger.terms.hero
        entrants = self.ledger.roster.entrants
        if name is None:
            return entrants[0] if entrants else None
        return self.ledger.roster.find(name)

    def begin(self) -> Iterable[Draft]:
        """Check the hero and the size of the tournament; pairings follow.

        Raises:
            Refused: the hero is not in, or there would be too many pairings.
        """
        hero = self._hero()
        if hero is None or hero.state != "in":
            who = self.ledger.terms.hero if hero is None else hero.name
            raise wrong_state(
                "{name}, whom all others play in this gauntlet, has not joined or has left.",
                who or "",
            )
        return super().begin()

    def due(self, one: int, other: int) -> int:
        """Return how many more pairings two entrants need; none unless one is the hero."""
        hero = self._hero()
        if hero is None or hero.number not in (one, other):
            return 0
        return super().due(one, other)

    def rivals(self, number: int, among: Collection[int]) -> Iterable[int]:
        """Return those who need another pairing with an entrant: the hero, or for it the others."""
        hero = self._hero()
        if hero is None or number == hero.number:
            return super().rivals(number, among)
        return super().rivals(number, [hero.number] if hero.number in among else [])

    def due_among(self, number: int, others: Collection[int]) -> int:
        """Return how many more pairings an entrant needs with these others."""
        return sum(self.due(number, other) for other in self.rivals(number, others))

    def all_pairs(self, one: int, other: int) -> int:
        """Return how many pairs two entrants play when nobody leaves."""
        hero = self._hero()
        return super().all_pairs(one, other) if hero and hero.number in (one, other) else 0

    def bonus(self, number: int) -> float:
        """Return nothing: a gauntlet counts points per game, so unplayed games are no loss."""
        return 0.0

    def won_unplayed(self, one: int, other: int) -> int:
        """Return none, as `bonus` does."""
        return 0

    def ranks(self, tie_breaks: Sequence[tuple[float, ...]]) -> list[tuple[float, ...]]:
        """Rank by points per game, because the hero plays more games than all others.

        Those who are out and have played less than half of their pairs come last.
        """
        annulled, is_in = self.annulled(), self.ledger.roster.is_in
        ranks: list[tuple[float, ...]] = []
        for number, tally in enumerate(self.ledger.results.tallies):
            games = tally.wins + tally.draws + tally.losses
            points, net = (-tally.points / games, -tally.net / games) if games else (1.0, 0.0)
            ranks.append((number in annulled, points, not is_in(number), net))
        return ranks
