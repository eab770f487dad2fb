"""The book of a tournament: its rows, and all that follows from them and from its games.

Theory of operation
-------------------
Nothing here depends on the order in which things became known, but for one thing each: a pairing's
number, which is stored, and the order in which pairs became whole, which is that of the outcomes.
So a book that is filled again from rows, outcomes and live games is the one that was lost.

A pairing is at its *current attempt*: one more than the last one with a game without a result.
Results of earlier attempts count for nothing; their failures do, as these are about the player.
Its state follows from the results, the games that are live, and who is in (`judge`):

========== ===================================================================================
done       a bye, or both games of the current attempt have a result; that is final
open       the tournament runs and both are in, or a game of the current attempt is live
unplayed   else; it is open again when the one who had left returns
========== ===================================================================================

An entrant's failures in a row are those after the last game that it played to an end, by the time
at which they finished.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from server.tournaments.core.errors import CorruptTournament
from server.tournaments.core.rows import (
    Entrant,
    EntrantState,
    Outcome,
    Pairing,
    PairingState,
    Status,
    Tag,
)
from server.tournaments.core.tally import Cell, Streak, Tally
from server.tournaments.core.terms import TournamentTerms
from stats.pairs import Pentanomial


@dataclass(slots=True)
class Pair:
    """What is known of a pairing's games, of its current attempt."""

    attempt: int = 1
    results: list[Outcome | None] = field(default_factory=lambda: [None, None])
    live: set[int] = field(default_factory=set)

    @property
    def whole(self) -> bool:
        """Whether both games have a result."""
        return None not in self.results

    @property
    def begun(self) -> bool:
        """Whether a game of it is live or has a result."""
        return bool(self.live) or self.results != [None, None]

    def to_begin(self) -> list[int]:
        """The games that are neither live nor over."""
        return [g for g in (0, 1) if self.results[g] is None and g not in self.live]


class Book:
    """See the module's docstring. Rows that have changed wait in `take_changes`."""

    def __init__(self, terms: TournamentTerms) -> None:
        self.terms = terms
        self.status: Status = "open"
        self.entrants: list[Entrant] = []
        self.numbers: dict[str, int] = {}
        """Of entrants, by their names without regard to case."""
        self.pairings: list[Pairing] = []
        self.pairs: list[Pair] = []
        """Of the pairings; of byes too, where they say nothing."""
        self.pairings_of: list[list[int]] = []
        """By entrant, in the order of creation; byes too."""
        self.between: dict[tuple[int, int], list[int]] = {}
        """The pairings of every two (lower number first)."""
        self.cells: dict[tuple[int, int], Cell] = {}
        """Of every two (lower number first), from the side of the first."""
        self.tallies: list[Tally] = []
        self.streaks: list[Streak] = []
        self.live: set[Tag] = set()
        """Games that are being played, those of former attempts too."""
        self.live_of: list[int] = []
        """How many of these each entrant plays."""
        self.counts: dict[PairingState, int] = {"open": 0, "done": 0, "unplayed": 0}
        """Pairings without byes, by state."""
        self.stale: set[int] = set()
        """Entrants whose line of the table has to be made again."""
        self._known_before: set[Tag] = set()
        """Games of former attempts that are over."""
        self._changed_entrants: dict[int, None] = {}
        self._changed_pairings: dict[int, None] = {}

    # -- entrants ----------------------------------------------------------------------------

    def is_in(self, number: int) -> bool:
        """Whether the entrant gets games."""
        return self.entrants[number].state == "in"

    def all_in(self) -> list[int]:
        """The numbers of the entrants who are in."""
        return [entrant.number for entrant in self.entrants if entrant.state == "in"]

    def find(self, name: str) -> Entrant | None:
        """The entrant of that name, whatever its state."""
        number = self.numbers.get(name.casefold())
        return None if number is None else self.entrants[number]

    def load_entrant(self, entrant: Entrant) -> None:
        """Enter a row.

        Raises:
            CorruptTournament: a number is left out, or a name is there twice.
        """
        if entrant.number != len(self.entrants) or entrant.name.casefold() in self.numbers:
            raise CorruptTournament(f"Entrant {entrant.number} ({entrant.name}) does not fit.")
        self.entrants.append(entrant)
        self.numbers[entrant.name.casefold()] = entrant.number
        self.pairings_of.append([])
        self.tallies.append(Tally())
        self.streaks.append(Streak())
        self.live_of.append(0)
        self.stale.add(entrant.number)

    def new_entrant(
        self, name: str, engine: str, at_once: int, now: int, seed_rating: float | None
    ) -> int:
        """Enter somebody new; returns the number."""
        number = len(self.entrants)
        self.load_entrant(Entrant(number, name, engine, at_once, "in", "", now, seed_rating))
        self._changed_entrants[number] = None
        return number

    def change_entrant(
        self, number: int, state: EntrantState, reason: str, at_once: int | None = None
    ) -> None:
        """Whether it is in, and how many games it plays at once (None: as before)."""
        before = self.entrants[number]
        at_once = before.at_once if at_once is None else at_once
        self.entrants[number] = replace(before, state=state, reason=reason, at_once=at_once)
        self._changed_entrants[number] = None
        self.stale.add(number)

    # -- pairings ----------------------------------------------------------------------------

    def players(self, number: int) -> tuple[int, int]:
        """The two of a pairing that is no bye, `first` first."""
        pairing = self.pairings[number]
        assert pairing.second is not None
        return pairing.first, pairing.second

    def both_in(self, number: int) -> bool:
        """Whether both players of a pairing are in; not of a bye."""
        one, other = self.players(number)
        return self.is_in(one) and self.is_in(other)

    def met(self, one: int, other: int) -> list[int]:
        """The pairings of two, in their order."""
        return self.between.get((min(one, other), max(one, other)), [])

    def load_pairing(self, pairing: Pairing) -> None:
        """Enter a row.

        Raises:
            CorruptTournament: a number is left out, or an entrant unknown.
        """
        two = [n for n in (pairing.first, pairing.second) if n is not None]
        fits = all(0 <= n < len(self.entrants) for n in two) and len(set(two)) == len(two)
        if pairing.number != len(self.pairings) or not fits:
            raise CorruptTournament(f"Pairing {pairing.number} does not fit.")
        self.pairings.append(pairing)
        self.pairs.append(Pair())
        for number in two:
            self.pairings_of[number].append(pairing.number)
            self.stale.add(number)
        if pairing.second is None:
            self.tallies[pairing.first].byes += 1
        else:
            self.between.setdefault((min(two), max(two)), []).append(pairing.number)
            self.counts[pairing.state] += 1

    def new_pairing(self, round_: int, first: int, second: int | None) -> int:
        """The next pair of two entrants, or a bye; returns its number."""
        number = len(self.pairings)
        if second is None:
            self.load_pairing(Pairing(number, round_, first, None, (), "done"))
        else:
            opening = self.terms.opening(len(self.met(first, second)))
            self.load_pairing(Pairing(number, round_, first, second, opening, "open"))
        self._changed_pairings[number] = None
        return number

    def judge(self, number: int) -> bool:
        """Bring the state of a pairing up to date; returns whether it has changed."""
        pairing = self.pairings[number]
        if pairing.second is None:
            return False
        pair = self.pairs[number]
        state: PairingState
        if pair.whole:
            state = "done"
        elif pair.live or (self.status == "running" and self.both_in(number)):
            state = "open"
        else:
            state = "unplayed"
        if state == pairing.state:
            return False
        self.counts[pairing.state] -= 1
        self.counts[state] += 1
        self.pairings[number] = replace(pairing, state=state)
        self._changed_pairings[number] = None
        self.stale.update((pairing.first, pairing.second))
        return True

    def to_begin(self, number: int) -> list[int]:
        """The games of a pairing that could begin, if its players had time."""
        pairing = self.pairings[number]
        if pairing.state != "open" or self.status != "running" or not self.both_in(number):
            return []
        return self.pairs[number].to_begin()

    # -- games -------------------------------------------------------------------------------

    def seats(self, tag: Tag) -> tuple[int, int]:
        """The entrants of a game, by seat."""
        first, second = self.players(tag.pairing)
        return (first, second) if tag.game == 0 else (second, first)

    def check_tag(self, tag: Tag) -> None:
        """Whether there can be such a game.

        Raises:
            CorruptTournament: there cannot.
        """
        fits = (
            tag.tournament == self.terms.tournament_id
            and 0 <= tag.pairing < len(self.pairings)
            and self.pairings[tag.pairing].second is not None
            and tag.game in (0, 1)
            and tag.attempt >= 1
        )
        if not fits:
            raise CorruptTournament(f"There is no game {tag} in {self.terms.tournament_id}.")

    def is_known(self, tag: Tag) -> bool:
        """Whether the game is over, as far as is known."""
        pair = self.pairs[tag.pairing]
        if tag.attempt == pair.attempt:
            return pair.results[tag.game] is not None
        return tag in self._known_before

    def begin(self, tag: Tag) -> None:
        """The game is live."""
        self.check_tag(tag)
        if tag in self.live or self.is_known(tag):
            return
        self._reach(tag.pairing, tag.attempt)
        self.live.add(tag)
        pair = self.pairs[tag.pairing]
        if tag.attempt == pair.attempt:
            pair.live.add(tag.game)
        for number in self.seats(tag):
            self.live_of[number] += 1
            self.tallies[number].begun += 1

    def end(self, tag: Tag) -> bool:
        """The game is not live any more; returns whether it was."""
        if tag not in self.live:
            return False
        self.live.remove(tag)
        pair = self.pairs[tag.pairing]
        if tag.attempt == pair.attempt:
            pair.live.discard(tag.game)
        for number in self.seats(tag):
            self.live_of[number] -= 1
            self.tallies[number].begun -= 1
        return True

    def record(self, outcome: Outcome) -> bool:
        """A game is over; returns whether its pair has just become whole. Nothing happens to a
        game that is known already."""
        tag = outcome.tag
        self.check_tag(tag)
        self.end(tag)
        if self.is_known(tag):
            return False
        at = (outcome.finished_ms, tag.pairing, tag.game, tag.attempt)
        for seat, number in enumerate(self.seats(tag)):
            self.tallies[number].ended(outcome, seat)
            self.streaks[number].add(at, outcome, seat)
            self.stale.add(number)
        self._reach(tag.pairing, tag.attempt)
        pair = self.pairs[tag.pairing]
        if tag.attempt != pair.attempt or pair.whole:
            self._known_before.add(tag)
        elif not outcome.has_result:
            self._known_before.add(tag)
            self._reach(tag.pairing, tag.attempt + 1)
        else:
            pair.results[tag.game] = outcome
            for number in self.seats(tag):
                self.tallies[number].begun += 1
            if pair.whole:
                self._score(tag.pairing)
                return True
        return False

    def _reach(self, number: int, attempt: int) -> None:
        """The pairing is at least at this attempt: what came before is void."""
        pair = self.pairs[number]
        if attempt <= pair.attempt or pair.whole:
            return
        for outcome in pair.results:
            if outcome is not None:
                self._known_before.add(outcome.tag)
                for player in self.players(number):
                    self.tallies[player].begun -= 1
        pair.attempt = attempt
        pair.results = [None, None]
        pair.live = {
            game
            for game in (0, 1)
            if Tag(self.terms.tournament_id, number, game, attempt) in self.live
        }

    def points(self, number: int) -> tuple[float, float]:
        """Of `first` in the two games of a pair that is whole."""
        zero, one = self.pairs[number].results
        assert zero is not None
        assert one is not None
        return zero.points(0), one.points(1)

    def net(self, number: int) -> int:
        """By how much `first` is ahead on the boards in both games of a pair that is whole."""
        zero, one = self.pairs[number].results
        assert zero is not None
        assert one is not None
        return zero.scores[0] - zero.scores[1] + one.scores[1] - one.scores[0]

    def _score(self, number: int) -> None:
        first, second = self.players(number)
        points, net = self.points(number), self.net(number)
        self.tallies[first].scored(points, net)
        self.tallies[second].scored((1 - points[0], 1 - points[1]), -net)
        cell = Cell(Pentanomial.of([sum(points)]), net)
        key = (first, second)
        if first > second:
            key, cell = (second, first), cell.reversed()
        known = self.cells.get(key)
        self.cells[key] = cell if known is None else known.plus(cell)

    # -- changes -----------------------------------------------------------------------------

    @property
    def has_changes(self) -> bool:
        """Whether there is something to take."""
        return bool(self._changed_entrants or self._changed_pairings)

    def take_changes(self) -> tuple[tuple[Entrant, ...], tuple[Pairing, ...]]:
        """The rows that are new or have changed since this was last asked, by number."""
        entrants = tuple(self.entrants[n] for n in sorted(self._changed_entrants))
        pairings = tuple(self.pairings[n] for n in sorted(self._changed_pairings))
        self._changed_entrants.clear()
        self._changed_pairings.clear()
        return entrants, pairings

    def not_done_of(self, number: int) -> Iterator[int]:
        """The pairings of an entrant that are not done."""
        return (n for n in self.pairings_of[number] if self.pairings[n].state != "done")

    def failing(self, numbers: Iterable[int]) -> list[int]:
        """Those of the entrants who have failed too often in a row and are not aside yet."""
        return [
            n
            for n in numbers
            if self.streaks[n].count >= self.terms.patience and self.entrants[n].state != "aside"
        ]
