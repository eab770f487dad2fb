"""Choose the games that begin now: first those of existing pairings, then those of new couples."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from doublecross.server.core.tournament_rows import Tag
from doublecross.server.tournaments.core.formats.api import Format
from doublecross.server.tournaments.core.ledger import Ledger
from doublecross.server.tournaments.core.schedule import Schedule
from doublecross.server.tournaments.core.settlement import Settlement


@dataclass(frozen=True, slots=True)
class NewGame:
    """A game to begin; `players` are the numbers of the entrants by seat."""

    tag: Tag
    players: tuple[int, int]
    opening: tuple[int, ...]


class Allocation:
    """Begin games for the entrants who are free, in one call of `Tournament.next_games`.

    `slots` says how many more games each entrant can begin. `most` limits the number of games;
    None means no limit. `games` are the games that were begun.
    """

    def __init__(
        self, ledger: Ledger, settlement: Settlement, slots: Mapping[int, int], most: int | None
    ) -> None:
        self._ledger = ledger
        self._settlement = settlement
        self._most = most
        self.games: list[NewGame] = []
        self._free: dict[int, int] = {}
        for number, slot in slots.items():
            entrant = ledger.roster.entrants[number]
            count = min(slot, entrant.at_once - ledger.results.live_of[number])
            if count > 0 and entrant.state == "in":
                self._free[number] = count

    def fill(self, schedule: Schedule, format_: Format, now: int) -> None:
        """Begin all games that can begin at `now`."""
        schedule.fill(self._free, self._start)
        for round_, one, other in format_.couples(self._free, now):
            if one in self._free and other in self._free:
                self._start(self._ledger.new_pairing(round_, one, other))

    def _start(self, number: int) -> None:
        """Begin as many games of a pairing as its players can begin now."""
        ledger, free = self._ledger, self._free
        pairing, pair = ledger.pairings.rows[number], ledger.pairings.pairs[number]
        for game in ledger.to_begin(number):
            tag = Tag(ledger.terms.tournament_id, number, game, pair.attempt)
            players = ledger.results.seats(tag)
            if not all(player in free for player in players):
                break
            ledger.results.begin(tag)
            self.games.append(NewGame(tag, players, pairing.opening))
            for player in players:
                free[player] -= 1
                if not free[player]:
                    del free[player]
            if len(self.games) == self._most:
                # Without free entrants the loops of the callers end.
                free.clear()
        self._settlement.touch(number)
