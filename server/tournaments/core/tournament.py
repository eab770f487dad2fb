"""A tournament: its entrants, the games that begin next, and the consequences of finished games.

Theory of operation
-------------------
The stored state consists of the finished games, each with a `Tag`, and of the rows of entrants and
pairings. Every command changes the ledger (`ledger.py`) and then carries out the consequences
(`settlement.py`): states of pairings, entrants who have failed too often, further pairings, the
end. It returns the rows that are new or have changed as `RowChanges`, which the caller must store
at once.

`restore` rebuilds a tournament from its rows, the outcomes of finished games and the tags of live
games. Changes that were not stored follow again from those that were. So `restore` also returns
what else must be stored.

Nothing here is random: the same calls in the same order have the same results.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from doublecross.server.core.errors import wrong_state
from doublecross.server.core.tournament_rows import Entrant, GameOutcome, Pairing, Status, Tag
from doublecross.server.tournaments.core.allocation import Allocation, NewGame
from doublecross.server.tournaments.core.entry import EntryRules
from doublecross.server.tournaments.core.formats.registry import FORMATS
from doublecross.server.tournaments.core.ledger import Ledger
from doublecross.server.tournaments.core.schedule import Schedule
from doublecross.server.tournaments.core.seasons import SEASON_PAIRS, Line, carried
from doublecross.server.tournaments.core.settlement import RowChanges, Settlement
from doublecross.server.tournaments.core.standings import Standing, Standings
from doublecross.server.tournaments.core.terms import Terms
from doublecross.server.tournaments.core.trf import trf_text
from doublecross.stats.glicko2 import Glicko

NO_FIRST_MOVE: Final = "made no first move"
"""Why an entrant of an arena pauses, as a phrase for people."""


@dataclass(frozen=True, slots=True)
class Started:
    """Games to begin now, and the rows to store before or with them.

    `wake_ms` is when to ask again even if nothing happens, in UNIX milliseconds; None: not needed.
    """

    games: tuple[NewGame, ...]
    changes: RowChanges
    wake_ms: int | None = None


@dataclass(frozen=True, slots=True)
class Progress:
    """The progress of a tournament, in games.

    `played` are the games of whole pairs. `planned` are all games from start to end, as far as they
    can be foreseen; None for a tournament without an end, or before the start. `live` are the games
    that are being played.
    """

    played: int
    planned: int | None
    live: int


class Tournament:
    """Run one tournament: take commands and outcomes, return games to begin and rows to store.

    Raises (all commands):
        Refused: the command is refused, and nothing has changed.
        CorruptTournament: rows, tags or outcomes do not belong to this tournament.
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
        started_ms: int | None = None,
    ) -> tuple[Tournament, RowChanges]:
        """Return the tournament of these rows and games, and the changes that must be stored.

        `started_ms` is when it started, in UNIX milliseconds. Outcomes count in the order of
        `finished_ms`; those with equal times in the given order.
        """
        tournament = cls(terms, status)
        ledger, settlement = tournament._ledger, tournament._settlement
        ledger.begin_time(started_ms)
        # In the order of their numbers, because each row must follow the one before it.
        for entrant in sorted(entrants, key=lambda row: row.number):
            ledger.load_entrant(entrant)
        for pairing in sorted(pairings, key=lambda row: row.number):
            ledger.load_pairing(pairing)
        for outcome in sorted(outcomes, key=lambda outcome: outcome.finished_ms):
            if ledger.results.record(outcome):
                tournament._format.completed(outcome.tag.pairing)
        for tag in live:
            ledger.results.begin(tag)
        # Only now, because states depend on all rows, results and live games together.
        settlement.touch_all()
        settlement.set_failing_aside(range(len(ledger.roster.entrants)))
        return tournament, settlement.settle(force=True)

    # -- state -------------------------------------------------------------------------------

    @property
    def terms(self) -> Terms:
        """The terms of the tournament."""
        return self._ledger.terms

    @property
    def status(self) -> Status:
        """The status: open, running, finished or cancelled."""
        return self._ledger.status

    @property
    def entrants(self) -> Sequence[Entrant]:
        """The rows of all entrants by number, read-only."""
        return self._ledger.roster.entrants

    @property
    def pairings(self) -> Sequence[Pairing]:
        """The rows of all pairings by number, read-only."""
        return self._ledger.pairings.rows

    @property
    def live(self) -> frozenset[Tag]:
        """The games that are being played, including those of void attempts."""
        return frozenset(self._ledger.results.live)

    def find(self, name: str) -> Entrant | None:
        """Return the entrant of that name in any state, or None."""
        return self._ledger.roster.find(name)

    def playing(self, number: int) -> int:
        """Return how many games of this tournament an entrant is playing."""
        return self._ledger.results.live_of[number]

    def progress(self) -> Progress:
        """Return how many games are played, planned and live."""
        planned = None if self.status == "open" else self._format.planned()
        each = self._ledger.pairings.games
        return Progress(
            each * self._ledger.pairings.counts["done"],
            None if planned is None else each * planned,
            len(self._ledger.results.live),
        )

    @property
    def endless(self) -> bool:
        """True while a ladder runs that ends only on command."""
        timed = self.terms.length_ms is not None
        return self.status == "running" and not timed and self._format.planned() is None

    @property
    def ends_ms(self) -> int | None:
        """When an arena that has started ends, in UNIX milliseconds; None: no time is set."""
        return self._ledger.ends_ms

    @property
    def season_over(self) -> bool:
        """True when it is time for the next season of a ladder without an end."""
        return self.endless and self._ledger.pairings.counts["done"] >= SEASON_PAIRS

    def carried(self) -> dict[Line, Glicko]:
        """Return the ratings with which the next season of a ladder begins."""
        now = {
            (entrant.name, entrant.engine): rating
            for entrant in self.entrants
            if (rating := self._format.rating(entrant.number)) is not None
        }
        return carried(self.terms.carried, now)

    def curve(self, number: int) -> Sequence[tuple[int, float]]:
        """Return an entrant's rating over time, in a ladder."""
        return self._format.curve(number)

    def trf(self, dates: Sequence[str]) -> str:
        """Return the tournament as a report file of FIDE; `trf.py` explains it."""
        places = {each.number: each.place for each in self.standings()}
        return trf_text(self._format, places, dates)

    def standings(self) -> tuple[Standing, ...]:
        """Return the table, best entrant first."""
        return self._standings.table()

    def can_begin_without(self, gone: Collection[int]) -> bool:
        """Return whether entrants who are in and not in `gone` have games to begin."""
        ledger = self._ledger
        for number in ledger.pairings.not_done:
            if ledger.to_begin(number) and not set(ledger.pairings.players(number)) & set(gone):
                return True
        return self._format.pairs_up([n for n in ledger.roster.all_in() if n not in gone])

    def could_meet(self, number: int, free: Collection[int]) -> set[int]:
        """Return those in `free` with whom an entrant has a game to play."""
        pairings = self._ledger.pairings
        begun = filter(self._ledger.to_begin, pairings.of_entrant[number])
        found = {each for pairing in begun for each in pairings.players(pairing) if each in free}
        return (found | set(self._format.rivals(number, free))) - {number}

    @property
    def waiting_round(self) -> int | None:
        """The round, from 0, whose games wait for its time; None: none does."""
        pairings = self._ledger.pairings
        if self._ledger.rounds_due is None:
            return None
        waiting = [
            row.round
            for row in map(pairings.rows.__getitem__, pairings.not_done)
            if row.state == "open" and not self._ledger.is_due(row.round)
        ]
        return min(waiting, default=None)

    def begin_rounds(self, count: int | None) -> bool:
        """Let only the games of the first `count` rounds begin (None: all).

        Returns whether games that waited for this can begin now.
        """
        if count == self._ledger.rounds_due:
            return False
        waited = self.waiting_round
        self._ledger.rounds_due = count
        self._settlement.touch_not_done()
        return waited is not None and self._ledger.is_due(waited)

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
        """Let a player enter, or come back after leaving.

        In some formats another program of the player then leaves.
        `at_once` is how many games the player will play at the same time.
        """
        ledger = self._ledger
        ledger.check_not_over()
        self.entry.check_at_once(at_once)
        known, former = ledger.roster.find(name), None
        if known and known.state != "aside" and self.entry.brings_version(known, engine):
            former, known = known, ledger.roster.find(name, engine)
        if known is not None:
            self.entry.check_return(known, engine)
            number = known.number
        else:
            self.entry.check_newcomer(name, engine)
            number = len(ledger.roster.entrants)
        # The format may refuse, so ask it before anything changes.
        drafts = list(self._format.joined(number)) if self.status == "running" else []
        if former is not None and former.state == "in":
            self._settlement.put_out(former.number, "left", f"plays on as {engine}")
        if known is not None:
            ledger.roster.change(number, "in", "", at_once)
        else:
            ledger.new_entrant(name, engine, at_once, now, seed_rating)
        self._settlement.touch_of(number)
        self._settlement.add(drafts)
        return self._settlement.settle()

    def leave(self, name: str, reason: str) -> RowChanges:
        """Give an entrant no more games at its own request; live games go on and count."""
        self._ledger.check_not_over()
        known = self._ledger.roster.find(name)
        if known is None or known.state != "in":
            raise wrong_state("{name} is not in {tournament}.", name, self.terms.name)
        self._settlement.put_out(known.number, "left", reason)
        return self._settlement.settle()

    def play_at_once(self, number: int, games: int) -> RowChanges:
        """Change how many games an entrant plays at the same time. The entrant must be in."""
        self.entry.check_at_once(games)
        self._ledger.check_not_over()
        self._ledger.roster.change(number, "in", "", games)
        return self._settlement.settle()

    def set_aside(self, number: int, reason: str) -> RowChanges:
        """Give an entrant no more games, and do not let it come back.

        Live games go on and count. Setting an entrant aside again changes nothing.
        """
        self._ledger.check_not_over()
        entrants = self._ledger.roster.entrants
        if not 0 <= number < len(entrants):
            raise wrong_state("{name} has no entrant {number}.", self.terms.name, number)
        if entrants[number].state != "aside":
            self._settlement.put_out(number, "aside", reason)
        return self._settlement.settle()

    def take_back(self, number: int, now: int) -> RowChanges:
        """Let an entrant who was set aside play again; former failures count no more."""
        ledger = self._ledger
        ledger.check_not_over()
        self.entry.check_taken_back(ledger.roster.entrants[number])
        drafts = list(self._format.joined(number)) if self.status == "running" else []
        ledger.roster.change(number, "in", "", joined_ms=now)
        ledger.results.forgive(number, now)
        self._settlement.touch_of(number)
        self._settlement.add(drafts)
        return self._settlement.settle()

    # -- start and end -----------------------------------------------------------------------

    def start(self, now: int) -> RowChanges:
        """Start the tournament, so that games may begin."""
        self._ledger.check_not_over()
        terms = self.terms
        if self.status != "open":
            raise wrong_state("{name} has started already.", terms.name)
        players = len(self._ledger.roster.all_in())
        if players < self._format.fewest:
            raise wrong_state(
                "{name} needs at least {fewest} players; it has {players}.",
                terms.name,
                self._format.fewest,
                players,
            )
        # The format may refuse, so ask it before anything changes.
        drafts = self._format.begin()
        self._ledger.status = "running"
        self._ledger.begin_time(now)
        self._settlement.add(drafts)
        return self._settlement.settle()

    def cancel(self) -> RowChanges:
        """Begin no more games; live games go on and count.

        A ladder without a number of rounds can only end in this way, so its status becomes
        "finished". The status of other tournaments becomes "cancelled".
        """
        self._ledger.check_not_over()
        self._ledger.status = "finished" if self.endless else "cancelled"
        self._settlement.touch_not_done()
        return self._settlement.settle()

    def end_in_time(self, now: int) -> RowChanges:
        """End an arena whose time is over, once the games that can still count have ended."""
        over = self.ends_ms is not None and now >= self.ends_ms
        if self.status == "running" and over and not self._ledger.waits(now):
            self._ledger.status = "finished"
            self._settlement.touch_not_done()
        return self._settlement.settle()

    # -- games -------------------------------------------------------------------------------

    def next_games(self, slots: Mapping[int, int], now: int, most: int | None = None) -> Started:
        """Return the games to begin now, `most` at most; they count as live from now on.

        `slots` says how many more games each entrant can begin now. Entrants that it leaves out can
        begin none.
        """
        over = not self._ledger.has_time(now)
        if self.status != "running" or over or (most is not None and most < 1):
            return Started((), RowChanges())
        allocation = Allocation(self._ledger, self._settlement, slots, most)
        allocation.fill(self._schedule, self._format, now)
        return Started(tuple(allocation.games), self._settlement.settle(), self._format.wake_ms())

    def withdraw(self, tag: Tag) -> RowChanges:
        """Withdraw a game whose room could not be opened; it will be played later."""
        self._ledger.results.check_tag(tag)
        self._ledger.results.end(tag)
        self._settlement.touch(tag.pairing)
        return self._settlement.settle()

    def record(self, outcome: GameOutcome) -> RowChanges:
        """Record the outcome of a game.

        An outcome that was recorded before changes nothing. For a game of a void attempt, only the
        termination counts.
        """
        if self._ledger.results.record(outcome):
            self._format.completed(outcome.tag.pairing)
        self._settlement.touch(outcome.tag.pairing)
        players = self._ledger.pairings.players(outcome.tag.pairing)
        self._settlement.set_failing_aside(players)
        paused = self._format.pauses(outcome) if self.status == "running" else None
        if paused is not None and self._ledger.roster.is_in(paused):
            self._settlement.put_out(paused, "left", NO_FIRST_MOVE)
        return self._settlement.settle()
