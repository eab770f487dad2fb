"""All that is known of a tournament: its rows, and what follows from them and from its games.

Theory of operation
-------------------
Nothing here depends on the order in which things became known, but for one thing each: a pairing's
number, which is stored, and the order in which pairs became whole, which is that of the outcomes.
So a ledger that is filled again from rows, outcomes and live games is the one that was lost.

Entrants stand in `roster`, pairings in `pairings`, games and what they count for in `results`.
"""

from __future__ import annotations

from server.tournaments.core.errors import TournamentError
from server.tournaments.core.pairings import Pairings
from server.tournaments.core.results import GameResults
from server.tournaments.core.roster import Roster
from server.tournaments.core.rows import Entrant, Pairing, Status
from server.tournaments.core.terms import Terms


class Ledger:
    """Keep the parts of a tournament together; rows that have changed wait in `take_changes`."""

    def __init__(self, terms: Terms) -> None:
        self.terms = terms
        self.status: Status = "open"
        self.roster = Roster()
        self.pairings = Pairings(self.roster)
        self.results = GameResults(terms.tournament_id, self.roster, self.pairings)

    def check_not_over(self, what: str) -> None:
        """Check that something may still be done.

        Raises:
            TournamentError: the tournament is over or was cancelled.
        """
        if self.status in ("finished", "cancelled"):
            state = "is over" if self.status == "finished" else "was cancelled"
            raise TournamentError(f"{self.terms.name} {state}; it cannot be {what}.")

    def load_entrant(self, entrant: Entrant) -> None:
        """Enter the row of an entrant.

        Raises:
            CorruptTournament: a number is left out, or a name is there twice.
        """
        self.roster.load(entrant)
        self.pairings.of_entrant.append([])
        self.results.add_entrant()

    def new_entrant(
        self, name: str, engine: str, at_once: int, now: int, seed_rating: float | None
    ) -> None:
        """Enter somebody new."""
        number = len(self.roster.entrants)
        self.load_entrant(Entrant(number, name, engine, at_once, "in", "", now, seed_rating))
        self.roster.mark_changed(number)

    def load_pairing(self, pairing: Pairing) -> None:
        """Enter the row of a pairing.

        Raises:
            CorruptTournament: a number is left out, or an entrant unknown.
        """
        self.pairings.load(pairing)
        if pairing.second is None:
            self.results.tallies[pairing.first].byes += 1

    def new_pairing(self, round_: int, first: int, second: int | None) -> int:
        """Enter the next pair of two entrants, or a bye; return its number."""
        number = len(self.pairings.rows)
        if second is None:
            self.load_pairing(Pairing(number, round_, first, None, (), "done"))
        else:
            opening = self.terms.opening(len(self.pairings.met(first, second)))
            self.load_pairing(Pairing(number, round_, first, second, opening, "open"))
        self.pairings.mark_changed(number)
        return number

    def judge(self, number: int) -> None:
        """Bring the state of a pairing up to date."""
        self.pairings.judge(number, self.status == "running")

    def to_begin(self, number: int) -> list[int]:
        """Return the games of a pairing that could begin, if its players had time."""
        if self.pairings.rows[number].state != "open" or self.status != "running":
            return []
        return self.pairings.pairs[number].to_begin() if self.pairings.both_in(number) else []

    @property
    def has_changes(self) -> bool:
        """Whether rows have changed since they were last taken."""
        return self.roster.has_changes or self.pairings.has_changes

    def take_changes(self) -> tuple[tuple[Entrant, ...], tuple[Pairing, ...]]:
        """Return the rows that are new or have changed since this was last called, by number."""
        return self.roster.take_changes(), self.pairings.take_changes()
