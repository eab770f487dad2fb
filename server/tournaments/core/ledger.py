"""The state of a tournament: its rows, its games, and what follows from them.

Theory of operation
-------------------
After a restart, a ledger that is filled from rows, outcomes and live games must equal the one that
was lost. So almost nothing depends on the order in which facts became known. There are two
exceptions: the number of a pairing, which is stored, and the order in which pairs became whole,
which is the order of the outcomes.

`roster` holds the entrants, `pairings` the pairings, `results` the games and their points.
"""

from __future__ import annotations

from typing import Final

from doublecross.server.core.errors import wrong_state
from doublecross.server.core.tournament_rows import Entrant, Pairing, Status
from doublecross.server.tournaments.core.openings import OpeningStock
from doublecross.server.tournaments.core.pairings import Pairings
from doublecross.server.tournaments.core.results import GameResults
from doublecross.server.tournaments.core.roster import Roster
from doublecross.server.tournaments.core.terms import Terms

LAST_START_MS: Final = 20_000
"""No game of an arena begins so shortly before its end, in milliseconds."""
LATE_MS: Final = 60_000
"""How long after the end of an arena a game may end and still count, in milliseconds."""


class Ledger:
    """Hold the state of a tournament; `take_changes` returns the rows that must be stored."""

    def __init__(self, terms: Terms) -> None:
        self.terms = terms
        self.status: Status = "open"
        self.rounds_due: int | None = None
        """The number of rounds whose games may begin; None: all."""
        self.ends_ms: int | None = None
        """When an arena ends, in UNIX milliseconds; None before its start, and in other formats."""
        self.openings = OpeningStock(terms)
        self.roster = Roster()
        self.pairings = Pairings(self.roster, games=1 if terms.format == "arena" else 2)
        self.results = GameResults(terms.tournament_id, self.roster, self.pairings)

    def check_not_over(self) -> None:
        """Check that the tournament has not ended.

        Raises:
            Refused: the tournament is over or was cancelled.
        """
        if self.status == "finished":
            raise wrong_state("{name} is over; this is not possible any more.", self.terms.name)
        if self.status == "cancelled":
            raise wrong_state(
                "{name} was cancelled; this is not possible any more.", self.terms.name
            )

    def load_entrant(self, entrant: Entrant) -> None:
        """Add the stored row of an entrant.

        Raises:
            CorruptTournament: a number is missing, or a name occurs twice.
        """
        self.roster.load(entrant)
        self.pairings.add_entrant()
        self.results.add_entrant(entrant.joined_ms)

    def new_entrant(
        self, name: str, engine: str, at_once: int, now: int, seed_rating: float | None
    ) -> None:
        """Add a new entrant, who joined at `now`."""
        number = len(self.roster.entrants)
        self.load_entrant(Entrant(number, name, engine, at_once, "in", "", now, seed_rating))
        self.roster.mark_changed(number)

    def load_pairing(self, pairing: Pairing) -> None:
        """Add the stored row of a pairing.

        Raises:
            CorruptTournament: a number is missing, or an entrant is unknown.
        """
        self.pairings.load(pairing)
        if pairing.opening_number is not None:
            self.openings.learn(pairing.opening_number, pairing.opening)
        if pairing.second is None:
            self.results.tallies[pairing.first].byes += 1

    def new_pairing(self, round_: int, first: int, second: int | None) -> int:
        """Add a new pairing of two entrants, or a bye if `second` is None; return its number."""
        number = len(self.pairings.rows)
        if second is None:
            self.load_pairing(Pairing(number, round_, first, None, (), "done"))
        else:
            opening = self.openings.number_of(self._turn_of(round_, first, second))
            repeated = self.openings.is_stored(opening)
            actions = self.openings.opening(opening)
            self.load_pairing(
                Pairing(number, round_, first, second, actions, "open", opening, repeated)
            )
        self.pairings.mark_changed(number)
        return number

    def _turn_of(self, round_: int, first: int, second: int) -> int:
        """Return which of the openings comes next for two entrants, from 0.

        In a round of a Swiss tournament all play the same ones, and each round has new ones.
        """
        met = self.pairings.met(first, second)
        if self.terms.format != "swiss":
            return len(met)
        now = sum(self.pairings.rows[number].round == round_ for number in met)
        return round_ * self.terms.pairs + now

    def judge(self, number: int) -> None:
        """Update the state of a pairing."""
        self.pairings.judge(number, self.status == "running")

    def begin_time(self, started_ms: int | None) -> None:
        """Note when the tournament started, from which the end of an arena follows."""
        if started_ms is not None and self.terms.length_ms is not None:
            self.ends_ms = started_ms + self.terms.length_ms

    def has_time(self, now: int) -> bool:
        """Return whether a game that begins at `now` can still end in time."""
        return self.ends_ms is None or now < self.ends_ms - LAST_START_MS

    def counts(self, finished_ms: int) -> bool:
        """Return whether a game that ended then was in time."""
        return self.ends_ms is None or finished_ms <= self.ends_ms + LATE_MS

    def waits(self, now: int) -> bool:
        """Return whether a game of an arena is being played that can still end in time."""
        return bool(self.results.live) and self.counts(now)

    def is_due(self, round_: int) -> bool:
        """Return whether the games of a round may begin."""
        return self.rounds_due is None or round_ < self.rounds_due

    def to_begin(self, number: int) -> list[int]:
        """Return the games of a pairing that can begin as soon as its players are free."""
        row = self.pairings.rows[number]
        if row.state != "open" or self.status != "running" or not self.is_due(row.round):
            return []
        return self.pairings.pairs[number].to_begin() if self.pairings.both_in(number) else []

    @property
    def has_changes(self) -> bool:
        """True when rows have changed since the last `take_changes`."""
        return self.roster.has_changes or self.pairings.has_changes

    def take_changes(self) -> tuple[tuple[Entrant, ...], tuple[Pairing, ...]]:
        """Return the rows that are new or have changed since the last call, by number."""
        return self.roster.take_changes(), self.pairings.take_changes()
