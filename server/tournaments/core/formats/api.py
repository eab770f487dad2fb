"""What a format decides: who meets whom in which round, when it is over, and who stands where."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import ClassVar

from server.tournaments.core.errors import TournamentError
from server.tournaments.core.ledger import Ledger
from server.tournaments.core.terms import MAX_PAIRINGS
from stats.glicko2 import Glicko

Draft = tuple[int, int, int | None]
"""A pairing to make: its round, and the two entrants; None: a bye. The opening follows."""


class Format:
    """A format of one tournament. What it decides follows from the ledger, so that it decides the
    same again after a restart; what it keeps for speed is told by `completed`."""

    always_open: ClassVar[bool] = False
    """Whether newcomers may enter after the start whatever the terms say."""
    may_return: ClassVar[bool] = True
    """Whether those who have left may come back after the start."""
    fewest: ClassVar[int] = 2
    """Entrants that it needs to start."""

    def __init__(self, ledger: Ledger) -> None:
        self.ledger = ledger

    def begin(self) -> Iterable[Draft]:
        """The first pairings.

        Raises:
            TournamentError: it cannot be played by those who are in.
        """
        return ()

    def joined(self, number: int) -> Iterable[Draft]:
        """Pairings for somebody who is about to enter, or to come back, after the start.

        Raises:
            TournamentError: there would be too many.
        """
        return ()

    def more(self) -> list[Draft]:
        """Further pairings, if it is time for them. Asked after whatever may matter, and again
        after those that it has given are there."""
        return []

    def goes_on(self) -> bool:
        """Whether there may be games when no pairing is open and there are no `more`."""
        return False

    def completed(self, number: int) -> None:
        """The pair has become whole; told once of each, in the order of the outcomes."""

    def couples(self, free: Mapping[int, int], now: int) -> Iterator[tuple[int, int]]:
        """Who shall meet right now, of those who have time and no pairing waiting. `free` are the
        games that each can begin; it shrinks while this goes on."""
        return iter(())

    def wake_ms(self) -> int | None:
        """When those that `couples` has left waiting should be looked at again, if nothing
        happens before."""
        return None

    def bonus(self, number: int) -> float:
        """Points of an entrant that come from no game."""
        return 0.0

    def points(self, number: int) -> float:
        """All points of an entrant."""
        return self.ledger.results.tallies[number].points + self.bonus(number)

    def rating(self, number: int) -> Glicko | None:
        """Of an entrant, where the format has ratings of its own."""
        return None

    def ranks(self) -> list[tuple[float, ...]]:
        """What the table is sorted by, the least first, of all entrants; equals share a place."""
        tallies = self.ledger.results.tallies
        return [(-self.points(n), -tallies[n].net) for n in range(len(tallies))]

    def planned(self) -> int | None:
        """Game pairs from start to end, as far as can be foreseen; None: without an end."""
        return self.ledger.pairings.counts["done"] + self.ledger.pairings.counts["open"]

    def seeds(self) -> list[int]:
        """All entrants, the best first: by seed rating, those without one last, then by number."""

        def key(number: int) -> tuple[float, int]:
            rating = self.ledger.roster.entrants[number].seed_rating
            return float("inf") if rating is None else -rating, number

        return sorted(range(len(self.ledger.roster.entrants)), key=key)


def check_count(ledger: Ledger, more: int) -> None:
    """Whether so many more pairings may be laid out.

    Raises:
        TournamentError: too many.
    """
    total = ledger.pairings.counts["open"] + more
    if total > MAX_PAIRINGS:
        raise TournamentError(
            f"That would be {total} game pairs to play; at most {MAX_PAIRINGS} can be laid out."
        )
