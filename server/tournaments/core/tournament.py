"""A tournament: who is in it, which games begin next, and what follows from those that are over.

Theory of operation
-------------------
Truth lies in the finished games, each of which carries a `Tag`, and in the rows of entrants and
pairings. Every command brings the book up to date and then settles what follows: states of
pairings, who has failed too often, further pairings, the end. The rows that are new or have changed
come back as `Changes`, for the caller to store at once. What was not stored follows again from what
was: `restore` builds the tournament from its rows, the outcomes of the finished games and the tags
of those that are still being played, and says what else must be stored.

There is no chance in here: the same calls in the same order lead to the same answers.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from server.tournaments.core.book import Book
from server.tournaments.core.errors import TournamentError
from server.tournaments.core.formats.api import Draft
from server.tournaments.core.formats.registry import FORMATS
from server.tournaments.core.rows import Entrant, EntrantState, Outcome, Pairing, Status, Tag
from server.tournaments.core.schedule import Schedule
from server.tournaments.core.standings import Standing, Standings
from server.tournaments.core.tally import Cell
from server.tournaments.core.terms import TournamentTerms


@dataclass(frozen=True, slots=True)
class Changes:
    """Rows that are new or have changed, by number, and the status if that has changed. They
    belong into one transaction."""

    entrants: tuple[Entrant, ...] = ()
    pairings: tuple[Pairing, ...] = ()
    status: Status | None = None

    def __bool__(self) -> bool:
        return bool(self.entrants or self.pairings or self.status)


@dataclass(frozen=True, slots=True)
class NewGame:
    """A game to begin: `players` are entrants by seat."""

    tag: Tag
    players: tuple[int, int]
    opening: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Started:
    """Games to begin now, and the rows to store before or with them. `wake_ms`: ask again at that
    time even if nothing happens until then; None: no need."""

    games: tuple[NewGame, ...]
    changes: Changes
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

    def __init__(self, terms: TournamentTerms) -> None:
        self._book = Book(terms)
        self._format = FORMATS[terms.format](self._book)
        self._schedule = Schedule(self._book)
        self._standings = Standings(self._book, self._format)
        self._told: Status = "open"
        """The status that the last `Changes` left."""

    @classmethod
    def restore(
        cls,
        terms: TournamentTerms,
        status: Status,
        entrants: Iterable[Entrant],
        pairings: Iterable[Pairing],
        outcomes: Iterable[Outcome],
        live: Iterable[Tag],
        now: int,
    ) -> tuple[Tournament, Changes]:
        """The tournament of these rows and games, and what else must be stored. Outcomes count
        in the order of `finished_ms`, and where that is the same as they come."""
        tournament = cls(terms)
        book = tournament._book
        book.status = tournament._told = status
        for entrant in sorted(entrants, key=lambda row: row.number):
            book.load_entrant(entrant)
        for pairing in sorted(pairings, key=lambda row: row.number):
            book.load_pairing(pairing)
        for outcome in sorted(outcomes, key=lambda outcome: outcome.finished_ms):
            if book.record(outcome):
                tournament._format.completed(outcome.tag.pairing)
        for tag in live:
            book.begin(tag)
        for number in range(len(book.pairings)):
            tournament._touch(number)
        tournament._set_failing_aside(range(len(book.entrants)))
        return tournament, tournament._settled(anew=True)

    # -- what the state is -------------------------------------------------------------------

    @property
    def terms(self) -> TournamentTerms:
        """What was agreed."""
        return self._book.terms

    @property
    def status(self) -> Status:
        """Open, running, finished or cancelled."""
        return self._book.status

    @property
    def entrants(self) -> Sequence[Entrant]:
        """All rows, by number; not to be changed."""
        return self._book.entrants

    @property
    def pairings(self) -> Sequence[Pairing]:
        """All rows, by number; not to be changed."""
        return self._book.pairings

    @property
    def live(self) -> frozenset[Tag]:
        """The games that are being played, those of void attempts too."""
        return frozenset(self._book.live)

    def find(self, name: str) -> Entrant | None:
        """The entrant of that name, whatever its state."""
        return self._book.find(name)

    def playing(self, number: int) -> int:
        """How many games of the tournament an entrant is playing."""
        return self._book.live_of[number]

    def progress(self) -> Progress:
        """How far it is, in games."""
        planned = None if self.status == "open" else self._format.planned()
        return Progress(
            2 * self._book.counts["done"],
            None if planned is None else 2 * planned,
            len(self._book.live),
        )

    def standings(self) -> tuple[Standing, ...]:
        """The table, the best first."""
        return self._standings.lines()

    def crosstable(self) -> dict[tuple[int, int], Cell]:
        """What everybody has done against everybody it has met, by (entrant, opponent)."""
        cells = dict(self._book.cells)
        cells.update({(b, a): cell.reversed() for (a, b), cell in self._book.cells.items()})
        return cells

    # -- entrants ----------------------------------------------------------------------------

    def join(
        self,
        name: str,
        engine: str,
        at_once: int,
        now: int,
        *,
        seed_rating: float | None = None,
    ) -> Changes:
        """Somebody enters, or comes back after having left."""
        self._check_not_over("joined")
        self._check_at_once(at_once)
        known = self._book.find(name)
        if known is not None:
            self._check_return(known, engine)
            number = known.number
        else:
            self._check_newcomer(name, engine)
            number = len(self._book.entrants)
        drafts = list(self._format.joined(number)) if self.status == "running" else []
        if known is not None:
            self._book.change_entrant(number, "in", "", at_once)
        else:
            self._book.new_entrant(name, engine, at_once, now, seed_rating)
        for pairing in self._book.not_done_of(number):
            self._touch(pairing)
        self._add(drafts)
        return self._settled()

    def _check_at_once(self, games: int) -> None:
        if games < 1:
            raise TournamentError("A player plays at least one game at once.")

    @property
    def takes_newcomers(self) -> bool:
        """Whether somebody who is allowed in can join now, by its status and format."""
        if self.status == "running":
            return self.terms.late or self._format.always_open
        return self.status == "open"

    def _check_newcomer(self, name: str, engine: str) -> None:
        terms = self.terms
        if not terms.invites(name):
            raise TournamentError(f"{name} is not invited to {terms.name}.")
        if not engine and not terms.people:
            raise TournamentError(f"{terms.name} is for bots only.")
        if not self.takes_newcomers:
            raise TournamentError(f"{terms.name} has started; nobody may join late.")

    def _check_return(self, known: Entrant, engine: str) -> None:
        terms = self.terms
        if known.state == "in":
            raise TournamentError(f"{known.name} is in {terms.name} already.")
        if known.state == "aside":
            raise TournamentError(
                f"{known.name} was set aside ({known.reason}) and may not come back."
            )
        if known.engine != engine:
            raise TournamentError(
                f"{known.name} entered as {known.engine or 'a person'} and cannot come back as"
                f" {engine or 'a person'}."
            )
        if self.status == "running" and not self._format.may_return:
            raise TournamentError(f"{known.name} has left, and in this format that is for good.")

    def leave(self, name: str, reason: str) -> Changes:
        """Somebody gets no more games; those that are live go on and count."""
        self._check_not_over("left")
        known = self._book.find(name)
        if known is None or known.state != "in":
            raise TournamentError(f"{name} is not in {self.terms.name}.")
        self._put_out(known.number, "left", reason)
        return self._settled()

    def play_at_once(self, number: int, games: int) -> Changes:
        """An entrant who is in plays so many games at once from now on."""
        self._check_at_once(games)
        self._check_not_over("changed")
        self._book.change_entrant(number, "in", "", games)
        return self._settled()

    def set_aside(self, number: int, reason: str) -> Changes:
        """An entrant gets no more games and may not come back; live games go on and count.
        Nothing happens to one who is aside already."""
        self._check_not_over("changed")
        if not 0 <= number < len(self._book.entrants):
            raise TournamentError(f"{self.terms.name} has no entrant {number}.")
        if self._book.entrants[number].state != "aside":
            self._put_out(number, "aside", reason)
        return self._settled()

    # -- its course --------------------------------------------------------------------------

    def start(self) -> Changes:
        """Games begin."""
        self._check_not_over("started")
        terms = self.terms
        if self.status != "open":
            raise TournamentError(f"{terms.name} has started already.")
        players = len(self._book.all_in())
        if players < self._format.fewest:
            there = {0: "nobody is", 1: "only one is"}.get(players, f"only {players} are")
            raise TournamentError(
                f"{terms.name} needs at least {self._format.fewest} players; {there} there."
            )
        drafts = self._format.begin()
        self._book.status = "running"
        self._add(drafts)
        return self._settled()

    def cancel(self) -> Changes:
        """No game begins any more; live ones go on and count. A ladder without a number of rounds
        has thereby finished, as that is the only end it has; others are cancelled."""
        self._check_not_over("cancelled")
        ends = self.status == "running" and self._format.planned() is None
        self._book.status = "finished" if ends else "cancelled"
        for number in range(len(self._book.pairings)):
            self._touch(number)
        return self._settled()

    # -- games -------------------------------------------------------------------------------

    def next_games(self, slots: Mapping[int, int], now: int, most: int | None = None) -> Started:
        """The games to begin now, `most` at most; they count as live from here on. `slots` says
        how many more games an entrant can begin right now; who is not in it can begin none."""
        if self.status != "running" or (most is not None and most < 1):
            return Started((), Changes())
        book = self._book
        free: dict[int, int] = {}
        for number, slot in slots.items():
            entrant = book.entrants[number]
            count = min(slot, entrant.at_once - book.live_of[number])
            if count > 0 and entrant.state == "in":
                free[number] = count
        games: list[NewGame] = []

        def start(number: int) -> None:
            pairing = book.pairings[number]
            for game in book.to_begin(number):
                tag = Tag(self.terms.tournament_id, number, game, book.pairs[number].attempt)
                players = book.seats(tag)
                if not all(player in free for player in players):
                    break
                book.begin(tag)
                games.append(NewGame(tag, players, pairing.opening))
                for player in players:
                    free[player] -= 1
                    if not free[player]:
                        del free[player]
                if len(games) == most:
                    free.clear()
            self._touch(number)

        self._schedule.fill(free, start)
        for one, other in self._format.couples(free, now):
            if one in free and other in free:
                start(book.new_pairing(0, one, other))
        return Started(tuple(games), self._settled(), self._format.wake_ms())

    def dropped(self, tag: Tag) -> Changes:
        """The room of a game could not be opened: it is to be played still."""
        self._book.check_tag(tag)
        self._book.end(tag)
        self._touch(tag.pairing)
        return self._settled()

    def over(self, outcome: Outcome) -> Changes:
        """A game is over. Nothing comes of one that is known; of one of a former attempt only
        that it ended so."""
        if self._book.record(outcome):
            self._format.completed(outcome.tag.pairing)
        self._touch(outcome.tag.pairing)
        self._set_failing_aside(self._book.players(outcome.tag.pairing))
        return self._settled()

    # -- what follows ------------------------------------------------------------------------

    def _check_not_over(self, what: str) -> None:
        if self.status in ("finished", "cancelled"):
            state = "is over" if self.status == "finished" else "was cancelled"
            raise TournamentError(f"{self.terms.name} {state}; it cannot be {what}.")

    def _touch(self, number: int) -> None:
        """What follows for a pairing from whatever has happened to it or to its players."""
        if self._book.pairings[number].second is not None:
            self._book.judge(number)
            self._schedule.refresh(number)

    def _add(self, drafts: Iterable[Draft]) -> None:
        for round_, first, second in drafts:
            number = self._book.new_pairing(round_, first, second)
            self._touch(number)

    def _put_out(self, number: int, state: EntrantState, reason: str) -> None:
        self._book.change_entrant(number, state, reason)
        for pairing in self._book.not_done_of(number):
            self._touch(pairing)

    def _set_failing_aside(self, numbers: Iterable[int]) -> None:
        if self.status == "running":
            for number in self._book.failing(numbers):
                self._put_out(number, "aside", self._book.streaks[number].reason)

    def _settled(self, *, anew: bool = False) -> Changes:
        """All that follows by itself, and the rows that have changed since the last time; `anew`:
        something may follow even if no row has changed."""
        book = self._book
        changed = anew or book.has_changes or book.status != self._told
        if changed and book.status == "running":
            while drafts := self._format.more():
                self._add(drafts)
            if not book.counts["open"] and not self._format.goes_on():
                book.status = "finished"
        entrants, pairings = book.take_changes()
        status = None if book.status == self._told else book.status
        self._told = book.status
        return Changes(entrants, pairings, status)
