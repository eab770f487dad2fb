"""The base of formats in which two entrants meet for a fixed number of game pairs.

Theory of operation
-------------------
An encounter may have ten thousand game pairs. Their pairings are created one by one, when both
players are free, so that a tournament takes memory and storage only for what has begun. `due` says
how many pairings two entrants still need. It follows from the pairings that there are, so it is the
same after a restart.

The free entrant who has begun the fewest games is next, against the free opponent who has begun the
fewest. Each such choice takes time in proportion to the number of free entrants at most.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import ClassVar

from doublecross.server.tournaments.core.formats.api import Couple, Format
from doublecross.server.tournaments.core.ledger import Ledger
from doublecross.server.tournaments.core.schedule import in_turn


class PairByPair(Format):
    """A format that creates the pairings of an encounter one by one."""

    only_entrants_add: ClassVar[bool] = False
    """True when an entrant who needs no more pairings needs none until entrants come or go."""

    def __init__(self, ledger: Ledger) -> None:
        super().__init__(ledger)
        self._finished: tuple[int, set[int]] = -1, set()
        """A version of the roster, and those who need no more pairings while it does not change."""

    @abstractmethod
    def due(self, one: int, other: int) -> int:
        """Return how many more pairings two entrants need, whether or not they are in."""

    @abstractmethod
    def draft(self, one: int, other: int) -> Couple:
        """Return the next pairing of two entrants who need one."""

    @abstractmethod
    def left(self) -> int:
        """Return how many more pairings those who are in need together."""

    def rivals(self, number: int, among: Collection[int]) -> Iterable[int]:
        """Return those who need another pairing with an entrant."""
        return (other for other in among if other != number and self.due(number, other))

    def couples(self, free: Mapping[int, int], now: int) -> Iterator[Couple]:
        """Yield the couples that play now; the top of the file explains the choice."""
        tallies, roster = self.ledger.results.tallies, self.ledger.roster
        if self._finished[0] != roster.version:
            self._finished = roster.version, set()
        finished = self._finished[1]
        active = [number for number in free if number not in finished]
        for one in in_turn(tallies, active, free):
            choices = [
                (tallies[n].begun, len(self.ledger.pairings.met(one, n)), self.turn(one, n), n)
                for n in self.rivals(one, active)
                if n in free
            ]
            if choices:
                yield self.draft(one, min(choices)[-1])
            elif self.only_entrants_add and not self._needs_any(one):
                finished.add(one)

    def _needs_any(self, number: int) -> bool:
        """Return whether an entrant needs another pairing with anybody who is in."""
        return any(True for _ in self.rivals(number, self.ledger.roster.all_in()))

    def turn(self, one: int, other: int) -> int:
        """Return when two entrants should meet, among opponents with equal claims."""
        return 0

    def pairs_up(self, here: Collection[int]) -> bool:
        """Return whether two of these entrants need another pairing."""
        return any(True for number in here for _ in self.rivals(number, here))

    def goes_on(self) -> bool:
        """Return whether two who are in need another pairing."""
        return self.left() > 0

    def planned(self) -> int:
        """Return the pairings that are done, or will be if nobody else comes or goes.

        A pairing with an entrant who is out will be done if all its games have begun.
        """
        pairings = self.ledger.pairings
        begun = sum(
            pairings.both_in(number) or not pairings.pairs[number].to_begin()
            for number in pairings.not_done
        )
        return pairings.counts["done"] + begun + self.left()


@dataclass(slots=True)
class Meeting:
    """An encounter of a round: its players, in the order of its pairings, and their number."""

    round: int
    players: tuple[int, int]
    pairings: int = 0


class Meetings(PairByPair):
    """A format whose encounters begin with a pairing that `begin` or `more` has returned.

    The other pairings of the encounter follow one by one.
    """

    def __init__(self, ledger: Ledger) -> None:
        super().__init__(ledger)
        self._meetings: dict[tuple[int, int], list[Meeting]] = {}
        """By two entrants (lower number first), their encounters, oldest first."""
        self._rivals: dict[int, dict[int, None]] = {}
        """By entrant, those with whom it needs more pairings."""
        self._seen = 0
        """How many of the ledger's pairings are counted."""
        self.last_round = -1
        """The last round that has a pairing; call `catch_up` first."""

    def catch_up(self) -> None:
        """Count the pairings that were created since the last call."""
        rows = self.ledger.pairings.rows
        while self._seen < len(rows):
            row = rows[self._seen]
            self._seen += 1
            self.last_round = max(self.last_round, row.round)
            if row.second is None:
                continue
            couple = min(row.first, row.second), max(row.first, row.second)
            meetings = self._meetings.setdefault(couple, [])
            found = next((each for each in meetings if each.round == row.round), None)
            if found is None:
                found = Meeting(row.round, (row.first, row.second))
                meetings.append(found)
            found.pairings += 1
            for one, other in (couple, couple[::-1]):
                rivals = self._rivals.setdefault(one, {})
                rivals.pop(other, None)
                if found.pairings < self.ledger.terms.pairs or self._due(couple):
                    rivals[other] = None

    def meetings(self, one: int, other: int) -> list[Meeting]:
        """Return the encounters of two entrants, oldest first."""
        self.catch_up()
        return self._meetings.get((min(one, other), max(one, other)), [])

    def _due(self, couple: tuple[int, int]) -> int:
        pairs = self.ledger.terms.pairs
        return sum(max(0, pairs - each.pairings) for each in self._meetings[couple])

    def due(self, one: int, other: int) -> int:
        """Return how many more pairings two entrants need, whether or not they are in."""
        pairs = self.ledger.terms.pairs
        return sum(max(0, pairs - each.pairings) for each in self.meetings(one, other))

    def draft(self, one: int, other: int) -> Couple:
        """Return the next pairing of the first encounter that needs one."""
        pairs = self.ledger.terms.pairs
        meeting = next(each for each in self.meetings(one, other) if each.pairings < pairs)
        return meeting.round, *meeting.players

    def rivals_of(self, number: int) -> Collection[int]:
        """Return all with whom an entrant needs more pairings, whether or not they are in."""
        self.catch_up()
        return self._rivals.get(number, {})

    def rivals(self, number: int, among: Collection[int]) -> Iterable[int]:
        """Return those who need another pairing with an entrant, in a round that is due."""
        return [
            rival
            for rival in self.rivals_of(number)
            if rival in among and self.ledger.is_due(self.draft(number, rival)[0])
        ]

    def left(self) -> int:
        """Return how many more pairings those who are in need together."""
        self.catch_up()
        is_in = self.ledger.roster.is_in
        return sum(
            self._due((one, other))
            for one, rivals in self._rivals.items()
            for other in rivals
            if one < other and is_in(one) and is_in(other)
        )
