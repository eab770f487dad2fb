"""The pairings of a tournament: their rows, states, and games of the current attempt.

When a game ends without a result, the whole pair is played again as the next *attempt*. The state
of a pairing follows from the results, the live games, and whether its players are in (`judge`):

========== ===================================================================================
done       it is a bye, or all games of the current attempt have a result; this is final
open       the tournament runs and both players are in, or a game of this attempt is live
unplayed   none of these; it opens again when the player who had left returns
========== ===================================================================================
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from doublecross.server.core.tournament_rows import GameOutcome, Pairing, PairingState
from doublecross.server.tournaments.core.errors import CorruptTournament
from doublecross.server.tournaments.core.roster import Roster


@dataclass(slots=True)
class Pair:
    """The games of a pairing's current attempt: results by game number, and live game numbers."""

    attempt: int = 1
    results: list[GameOutcome | None] = field(default_factory=lambda: [None, None])
    live: set[int] = field(default_factory=set)

    @property
    def whole(self) -> bool:
        """True when all games have a result."""
        return None not in self.results

    @property
    def begun(self) -> bool:
        """True when a game is live or has a result."""
        return bool(self.live) or any(self.results)

    def to_begin(self) -> list[int]:
        """Return the games that are neither live nor over."""
        return [g for g, known in enumerate(self.results) if not known and g not in self.live]


class Pairings:
    """Hold the rows of pairings, and track which must be stored. Each has `games` games."""

    def __init__(self, roster: Roster, games: int = 2) -> None:
        self._roster = roster
        self.games = games
        self.rows: list[Pairing] = []
        self.pairs: list[Pair] = []
        """By pairing number; the ones of byes stay empty."""
        self.of_entrant: list[list[int]] = []
        """By entrant, its pairings in the order of creation, byes included."""
        self.counts: dict[PairingState, int] = {"open": 0, "done": 0, "unplayed": 0}
        """The number of pairings in each state, without byes."""
        self.not_done: set[int] = set()
        """The pairings that are open or unplayed."""
        self._not_done_of: list[set[int]] = []
        """The same by entrant."""
        self._open_between: Counter[tuple[int, int]] = Counter()
        """By two entrants (lower number first), how many of their pairings are open."""
        self._between: dict[tuple[int, int], list[int]] = {}
        """By two entrants (lower number first), their pairings."""
        self._changed: dict[int, None] = {}

    def players(self, number: int) -> tuple[int, int]:
        """Return `first` and `second` of a pairing, which must not be a bye."""
        pairing = self.rows[number]
        assert pairing.second is not None
        return pairing.first, pairing.second

    def both_in(self, number: int) -> bool:
        """Return whether both players of a pairing are in; it must not be a bye."""
        one, other = self.players(number)
        return self._roster.is_in(one) and self._roster.is_in(other)

    def met(self, one: int, other: int) -> list[int]:
        """Return the pairings of two entrants, oldest first."""
        return self._between.get((min(one, other), max(one, other)), [])

    def has_open(self, one: int, other: int) -> bool:
        """Return whether a pairing of two entrants is open."""
        return self._open_between[min(one, other), max(one, other)] > 0

    def not_done_of(self, number: int) -> Iterable[int]:
        """Return the pairings of an entrant that are not done, oldest first."""
        return sorted(self._not_done_of[number])

    def add_entrant(self) -> None:
        """Add the lists of one more entrant."""
        self.of_entrant.append([])
        self._not_done_of.append(set())

    def load(self, pairing: Pairing) -> None:
        """Add a stored row.

        Raises:
            CorruptTournament: a number is missing, or an entrant is unknown.
        """
        two = [n for n in (pairing.first, pairing.second) if n is not None]
        entrants = len(self._roster.entrants)
        fits = all(0 <= n < entrants for n in two) and len(set(two)) == len(two)
        if pairing.number != len(self.rows) or not fits:
            raise CorruptTournament(f"Pairing {pairing.number} does not fit.")
        self.rows.append(pairing)
        self.pairs.append(Pair(results=[None] * self.games))
        for number in two:
            self.of_entrant[number].append(pairing.number)
            self._roster.stale_standings.add(number)
        if pairing.second is not None:
            couple = min(two), max(two)
            self._between.setdefault(couple, []).append(pairing.number)
            self._count(pairing, 1)

    def _count(self, pairing: Pairing, more: int) -> None:
        """Add a pairing in its state to the counters, or remove it if `more` is -1."""
        assert pairing.second is not None
        self.counts[pairing.state] += more
        couple = min(pairing.first, pairing.second), max(pairing.first, pairing.second)
        if pairing.state == "open":
            self._open_between[couple] += more
        places = self.not_done, *(self._not_done_of[number] for number in couple)
        for numbers in places:
            if more > 0 and pairing.state != "done":
                numbers.add(pairing.number)
            else:
                numbers.discard(pairing.number)

    def mark_changed(self, number: int) -> None:
        """Note that the row of a pairing must be stored."""
        self._changed[number] = None

    def judge(self, number: int, running: bool) -> None:
        """Update the state of a pairing; `running` says whether the tournament runs."""
        pairing = self.rows[number]
        if pairing.second is None:
            return
        pair = self.pairs[number]
        state: PairingState
        if pair.whole:
            state = "done"
        elif pair.live or (running and self.both_in(number)):
            state = "open"
        else:
            state = "unplayed"
        if state == pairing.state:
            return
        self._count(pairing, -1)
        self.rows[number] = replace(pairing, state=state)
        self._count(self.rows[number], 1)
        self.mark_changed(number)
        self._roster.stale_standings.update((pairing.first, pairing.second))

    @property
    def has_changes(self) -> bool:
        """True when rows have changed since the last `take_changes`."""
        return bool(self._changed)

    def take_changes(self) -> tuple[Pairing, ...]:
        """Return the rows that are new or have changed since the last call, by number."""
        changed = tuple(self.rows[number] for number in sorted(self._changed))
        self._changed.clear()
        return changed
