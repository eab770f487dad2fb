"""The base class of formats, which decide the pairings, the end and the ranking of a tournament."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import ClassVar

from doublecross.server.core.errors import wrong_state
from doublecross.server.core.tournament_rows import GameOutcome
from doublecross.server.tournaments.core.ledger import Ledger
from doublecross.server.tournaments.core.terms import MAX_PAIRINGS
from doublecross.stats.glicko2 import Glicko

Couple = tuple[int, int, int]
"""Two entrants to pair now: the round and their numbers, first the one with seat 0 in game 0."""
Contest = tuple[int, int | None, float]
"""An entrant, whom it has met in an encounter (None: nobody), and its points there."""
Draft = tuple[int, int, int | None]
"""A pairing to create: its round and its two entrants; None means a bye.

The opening follows from the earlier pairings of the two.
"""


class Format:
    """The format of one tournament.

    All decisions must follow from the ledger, so that they are the same after a restart. A format
    may cache results that it learns through `completed`.
    """

    always_open: ClassVar[bool] = False
    """True when players may enter after the start even if the terms do not allow it."""
    may_return: ClassVar[bool] = True
    """True when entrants who have left may come back after the start."""
    new_versions: ClassVar[bool] = False
    """True when a player may come back with another program, which is an entrant of its own."""
    fewest: ClassVar[int] = 2
    """The number of entrants that the tournament needs to start."""

    def __init__(self, ledger: Ledger) -> None:
        self.ledger = ledger

    def begin(self) -> Iterable[Draft]:
        """Return the first pairings.

        Raises:
            Refused: the entrants who are in cannot play this format.
        """
        return ()

    def joined(self, number: int) -> Iterable[Draft]:
        """Return the pairings of an entrant who is about to enter or come back after the start.

        Raises:
            Refused: there would be too many pairings.
        """
        return ()

    def more(self) -> list[Draft]:
        """Return further pairings, if it is time for them.

        Called after every change, and again after the returned pairings were created, until it
        returns none.
        """
        return []

    def goes_on(self) -> bool:
        """Return whether the tournament goes on when no pairing is open and `more` has none."""
        return False

    def completed(self, number: int) -> None:
        """Handle that a pair has become whole; called once for each, in the order of outcomes."""

    def couples(self, free: Mapping[int, int], now: int) -> Iterator[Couple]:
        """Yield the entrants to pair now, of those who are free after all open pairings were used.

        `free` has the number of games that each can begin; the caller reduces it between the
        yields.
        """
        return iter(())

    def pairs_up(self, here: Collection[int]) -> bool:
        """Return whether `couples` would pair any of these entrants if all were free."""
        return False

    def rivals(self, number: int, among: Collection[int]) -> Iterable[int]:
        """Return those who need another pairing with an entrant; none if all who are free meet."""
        return ()

    def wake_ms(self) -> int | None:
        """Return when to call `couples` again even if nothing happens, in UNIX milliseconds.

        None: not needed.
        """
        return None

    def excludes(self, number: int) -> bool:
        """Return whether an entrant who fails too often in a row is set aside."""
        return True

    def pauses(self, outcome: GameOutcome) -> int | None:
        """Return the entrant who gets no more games after this one until it asks for them."""
        return None

    def on_fire(self, number: int) -> bool:
        """Return whether the points of an entrant count double now."""
        return False

    def bonus(self, number: int) -> float:
        """Return the points of an entrant that come from no game."""
        return 0.0

    def points(self, number: int) -> float:
        """Return all points of an entrant."""
        return self.ledger.results.tallies[number].points + self.bonus(number)

    def rating(self, number: int) -> Glicko | None:
        """Return an entrant's rating in this tournament, or None if the format has no ratings."""
        return None

    def curve(self, number: int) -> Sequence[tuple[int, float]]:
        """Return an entrant's rating over time: moments in UNIX milliseconds, and ratings."""
        return ()

    def net(self, number: int) -> float:
        """Return the net score of an entrant that counts for its place."""
        return self.ledger.results.tallies[number].net

    def won_unplayed(self, one: int, other: int) -> int:
        """Return how many pairs `one` has won because `other` is out and cannot play them."""
        return 0

    def strength(self, number: int) -> float:
        """Return the points of an entrant that count for the tie-breaks of its opponents."""
        return self.points(number)

    def contests(self) -> Iterable[Contest]:
        """Return against whom each entrant has scored how many points, for its tie-breaks."""
        return ()

    def tie_breaks(self) -> list[tuple[float, ...]]:
        """Return the values of the tie-breaks of each entrant, in the order of the terms.

        Source: FIDE Handbook C.07, articles 8.1 (Buchholz), 9.1 (Sonneborn-Berger) and 16
        (unplayed rounds).
        """
        keys, everybody = self.ledger.terms.tie_breaks, range(len(self.ledger.roster.entrants))
        buchholz, berger = [0.0 for _ in everybody], [0.0 for _ in everybody]
        if keys != ("net",):
            points = list(map(self.points, everybody))
            strength = list(map(self.strength, everybody))
            for number, rival, scored in self.contests():
                # Who met nobody in a round is as if it had met somebody as good as itself.
                worth = points[number] if rival is None else strength[rival]
                buchholz[number] += worth
                berger[number] += scored * worth
        net = list(map(self.net, everybody))
        values = {"net": net, "buchholz": buchholz, "sonneborn-berger": berger}
        return [tuple(values[key][number] for key in keys) for number in everybody]

    def ranks(self, tie_breaks: Sequence[tuple[float, ...]]) -> list[tuple[float, ...]]:
        """Return the sort key of each entrant; the least is first, and equal ones share a place.

        `tie_breaks` is what the method of that name returns.
        """
        is_in = self.ledger.roster.is_in
        return [
            (-self.points(n), not is_in(n), *(-value for value in values))
            for n, values in enumerate(tie_breaks)
        ]

    @abstractmethod
    def planned(self) -> int | None:
        """Return the number of game pairs from start to end, as far as it can be foreseen.

        It changes when entrants come or go, and stays when the tournament is ended early. None: the
        tournament has no end.
        """

    def seeds(self) -> list[int]:
        """Return all entrants, best first: by seed rating, unrated ones last, then by number."""

        def key(number: int) -> tuple[float, int]:
            rating = self.ledger.roster.entrants[number].seed_rating
            return float("inf") if rating is None else -rating, number

        return sorted(range(len(self.ledger.roster.entrants)), key=key)


def check_count(ledger: Ledger, more: int) -> None:
    """Check that `more` pairings may be created.

    Raises:
        Refused: there would be too many open pairings.
    """
    total = ledger.pairings.counts["open"] + more
    if total > MAX_PAIRINGS:
        raise wrong_state(
            "That would be {total} game pairs to play, more than the {most} allowed;"
            " choose fewer pairs or players.",
            total,
            MAX_PAIRINGS,
        )
