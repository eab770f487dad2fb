"""A tournament: who is in it, which games begin next, and what follows from those that are over.

Theory of operation
-------------------
Truth lies in the finished games, each of which carries a `Tag`, and in the rows of entrants and
pairings. Every command brings the ledger up to date (`ledger.py`) and then settles what follows
(`settlement.py`): states of pairings, who has failed too often, further pairings, the end. The rows
that are new or have changed come back as `RowChanges`, for the caller to store at once. What was
not stored follows again from what was: `restore` builds the tournament from its rows, the outcomes
of the finished games and the tags of those that are still being played, and says what else must be
stored.

There is no chance in here: the same calls in the same order lead to the same answers.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from server.tournaments.core.allocation import Allocation, NewGame
from server.tournaments.core.entry import EntryRules
from server.tournaments.core.errors import TournamentError
from server.tournaments.core.formats.registry import FORMATS
from server.tournaments.core.ledger import Ledger
from server.tournaments.core.rows import Entrant, GameOutcome, Pairing, Status, Tag
from server.tournaments.core.schedule import Schedule
from server.tournaments.core.settlement import RowChanges, Settlement
from server.tournaments.core.standings import Standing, Standings
from server.tournaments.core.terms import Terms


@dataclass(frozen=True, slots=True)
class Started:
    """Games to begin now, and the rows to store before or with them. `wake_ms`: ask again at that
    time even if nothing happens until then; None: no need."""

    games: tuple[NewGame, ...]
    changes: RowChanges
    wake_ms: int | None = None


@dataclass(frozen=True, slots=True)
class Progress:
    """Games of whole pairs, games of pairs that go on or are yet to come, as far as can be
    foreseen (None: without an end, or not started), and games that are being played."""

    played: int
    planned: int | None
    live: int


class Tournament:
    """See the module's docstring.

    Raises (all commands):
        TournamentError: refused, with one sentence; nothing has changed.
        CorruptTournament: rows, tags or outcomes that do not belong to it.
    """

    def __init__(self, terms: Terms, status: Status = "open") -> None:
        self._ledger = Ledger(terms)
        self._ledger.status = status
        self._format = FORMATS[terms.format](self._ledger)
        self._schedule = Schedule(self._ledger)
        self._settlement = Settlement(self._ledger, self._format, self._schedule, status)
        self._standings = Standings(self._ledger, self._format)
        self.entry = EntryRules(self._ledger, self._format)

    @classmethod
    def restore(
        cls,
        terms: Terms,
        status: Status,
        entrants: Iterable[Entrant],
        pairings: Iterable[Pairing],
        outcomes: Iterable[GameOutcome],
        live: Iterable[Tag],
    ) -> tuple[Tournament, RowChanges]:
        """Return the tournament of these rows and games, and what else must be stored. Outcomes
        count in the order of `finished_ms`, and where that is the same as they come."""
        tournament = cls(terms, status)
        ledger, settlement = tournament._ledger, tournament._settlement
        for entrant in sorted(entrants, key=lambda row: row.number):
            ledger.load_entrant(entrant)
        for pairing in sorted(pairings, key=lambda row: row.number):
            ledger.load_pairing(pairing)
        for outcome in sorted(outcomes, key=lambda outcome: outcome.finished_ms):
            if ledger.results.record(outcome):
                tournament._format.completed(outcome.tag.pairing)
        for tag in live:
            ledger.results.begin(tag)
        settlement.touch_all()
        settlement.set_failing_aside(range(len(ledger.roster.entrants)))
        return tournament, settlement.settle(anew=True)

    # -- what the state is -------------------------------------------------------------------

    @property
    def terms(self) -> Terms:
        """What was agreed."""
        return self._ledger.terms

    @property
    def status(self) -> Status:
        """Open, running, finished or cancelled."""
        return self._ledger.status

    @property
    def entrants(self) -> Sequence[Entrant]:
        """All rows, by number; not to be changed."""
        return self._ledger.roster.entrants

    @property
    def pairings(self) -> Sequence[Pairing]:
        """All rows, by number; not to be changed."""
        return self._ledger.pairings.rows

    @property
    def live(self) -> frozenset[Tag]:
        """The games that are being played, those of void attempts too."""
        return frozenset(self._ledger.results.live)

    def find(self, name: str) -> Entrant | None:
        """Return the entrant of that name, whatever its state."""
        return self._ledger.roster.find(name)

    def playing(self, number: int) -> int:
        """Return how many games of the tournament an entrant is playing."""
        return self._ledger.results.live_of[number]

    def progress(self) -> Progress:
        """Return how far it is, in games."""
        planned = None if self.status == "open" else self._format.planned()
        return Progress(
            2 * self._ledger.pairings.counts["done"],
            None if planned is None else 2 * planned,
            len(self._ledger.results.live),
        )

    def standings(self) -> tuple[Standing, ...]:
        """Return the table, the best first."""
        return self._standings.lines()

    # -- entrants ----------------------------------------------------------------------------

    def join(
        self,
        name: str,
        engine: str,
        at_once: int,
        now: int,
        *,
        seed_rating: float | None = None,
    ) -> RowChanges:
        """Enter somebody, or take somebody back who has left."""
        ledger = self._ledger
        ledger.check_not_over("joined")
        self.entry.check_at_once(at_once)
        known = ledger.roster.find(name)
        if known is not None:
            self.entry.check_return(known, engine)
            number = known.number
        else:
            self.entry.check_newcomer(name, engine)
            number = len(ledger.roster.entrants)
        drafts = list(self._format.joined(number)) if self.status == "running" else []
        if known is not None:
            ledger.roster.change(number, "in", "", at_once)
        else:
            ledger.new_entrant(name, engine, at_once, now, seed_rating)
        self._settlement.touch_of(number)
        self._settlement.add(drafts)
        return self._settlement.settle()

    def leave(self, name: str, reason: str) -> RowChanges:
        """Give somebody no more games; those that are live go on and count."""
        self._ledger.check_not_over("left")
        known = self._ledger.roster.find(name)
        if known is None or known.state != "in":
            raise TournamentError(f"{name} is not in {self.terms.name}.")
        self._settlement.put_out(known.number, "left", reason)
        return self._settlement.settle()

    def play_at_once(self, number: int, games: int) -> RowChanges:
        """Let an entrant who is in play so many games at once from now on."""
        self.entry.check_at_once(games)
        self._ledger.check_not_over("changed")
        self._ledger.roster.change(number, "in", "", games)
        return self._settlement.settle()

    def set_aside(self, number: int, reason: str) -> RowChanges:
        """Give an entrant no more games and do not let it come back; live games go on and count.
        Nothing happens to one who is aside already."""
        self._ledger.check_not_over("changed")
        entrants = self._ledger.roster.entrants
        if not 0 <= number < len(entrants):
            raise TournamentError(f"{self.terms.name} has no entrant {number}.")
        if entrants[number].state != "aside":
            self._settlement.put_out(number, "aside", reason)
        return self._settlement.settle()

    # -- its course --------------------------------------------------------------------------

    def start(self) -> RowChanges:
        """Let games begin."""
        self._ledger.check_not_over("started")
        terms = self.terms
        if self.status != "open":
            raise TournamentError(f"{terms.name} has started already.")
        players = len(self._ledger.roster.all_in())
        if players < self._format.fewest:
            there = {0: "nobody is", 1: "only one is"}.get(players, f"only {players} are")
            raise TournamentError(
                f"{terms.name} needs at least {self._format.fewest} players; {there} there."
            )
        drafts = self._format.begin()
        self._ledger.status = "running"
        self._settlement.add(drafts)
        return self._settlement.settle()

    def cancel(self) -> RowChanges:
        """Begin no more games; live ones go on and count. A ladder without a number of rounds has
        thereby finished, as that is the only end it has; others are cancelled."""
        self._ledger.check_not_over("cancelled")
        ends = self.status == "running" and self._format.planned() is None
        self._ledger.status = "finished" if ends else "cancelled"
        self._settlement.touch_all()
        return self._settlement.settle()

    # -- games -------------------------------------------------------------------------------

    def next_games(self, slots: Mapping[int, int], now: int, most: int | None = None) -> Started:
        """Return the games to begin now, `most` at most; they count as live from here on. `slots`
        says how many more games an entrant can begin right now; who is not in it can begin
        none."""
        if self.status != "running" or (most is not None and most < 1):
            return Started((), RowChanges())
        allocation = Allocation(self._ledger, self._settlement, slots, most)
        allocation.fill(self._schedule, self._format, now)
        return Started(tuple(allocation.games), self._settlement.settle(), self._format.wake_ms())

    def dropped(self, tag: Tag) -> RowChanges:
        """Take a game back whose room could not be opened: it is to be played still."""
        self._ledger.results.check_tag(tag)
        self._ledger.results.end(tag)
        self._settlement.touch(tag.pairing)
        return self._settlement.settle()

    def over(self, outcome: GameOutcome) -> RowChanges:
        """Take in a game that is over. Nothing comes of one that is known; of one of a former
        attempt only that it ended so."""
        if self._ledger.results.record(outcome):
            self._format.completed(outcome.tag.pairing)
        self._settlement.touch(outcome.tag.pairing)
        players = self._ledger.pairings.players(outcome.tag.pairing)
        self._settlement.set_failing_aside(players)
        return self._settlement.settle()
