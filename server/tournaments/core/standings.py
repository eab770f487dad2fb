"""The table of a tournament: what each entrant has done so far, and against whom.

The game pair is the unit: only whole pairs score. How games ended is counted of all of them, those
of void and broken pairs too, since that is about the players.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from server.tournaments.core.formats.api import Format
from server.tournaments.core.ledger import Ledger
from server.tournaments.core.rows import EntrantState
from stats.glicko2 import Glicko
from stats.pairs import Pentanomial


@dataclass(frozen=True, slots=True)
class Standing:
    """One line of the table.

    `place` counts from 1, equals share it. `points` are those of whole pairs (1 for a win, half
    for a draw) with the `bonus`, which is for byes and for opponents who went away; where that
    scores. `games`, `wins`, `draws`, `losses`, `pairs` and `pentanomial` (from this entrant's
    side) are of whole pairs, and `net` is its score minus the opponents' in them, in sum.
    `terminations` says of all its games how they ended, `failures` which it lost by failure.
    `rating` is set in a ladder.
    """

    place: int
    number: int
    name: str
    engine: str
    state: EntrantState
    reason: str
    points: float
    bonus: float
    games: int
    wins: int
    draws: int
    losses: int
    pairs: int
    pentanomial: Pentanomial
    net: int
    byes: int
    terminations: Mapping[str, int]
    failures: Mapping[str, int]
    rating: Glicko | None = None

    @property
    def score(self) -> float | None:
        """Points for each game, 0 to 1, without the bonus; None without games."""
        return (self.points - self.bonus) / self.games if self.games else None


class Standings:
    """The table of a tournament, whose lines are made again only when they have changed."""

    def __init__(self, ledger: Ledger, format_: Format) -> None:
        self._ledger = ledger
        self._format = format_
        self._lines: dict[int, Standing] = {}

    def lines(self) -> tuple[Standing, ...]:
        """All entrants, the best first."""
        ledger = self._ledger
        for number in ledger.roster.stale_lines:
            self._lines[number] = self._line(number)
        ledger.roster.stale_lines.clear()
        ranks = self._format.ranks()
        order = sorted(self._lines, key=lambda number: (ranks[number], number))
        place = 0
        for at, number in enumerate(order):
            if at == 0 or ranks[number] != ranks[order[at - 1]]:
                place = at + 1
            if self._lines[number].place != place:
                self._lines[number] = replace(self._lines[number], place=place)
        return tuple(self._lines[number] for number in order)

    def _line(self, number: int) -> Standing:
        entrant = self._ledger.roster.entrants[number]
        tally = self._ledger.results.tallies[number]
        bonus = self._format.bonus(number)
        pentanomial = tally.pentanomial()
        return Standing(
            place=0,
            number=number,
            name=entrant.name,
            engine=entrant.engine,
            state=entrant.state,
            reason=entrant.reason,
            points=tally.points + bonus,
            bonus=bonus,
            games=tally.wins + tally.draws + tally.losses,
            wins=tally.wins,
            draws=tally.draws,
            losses=tally.losses,
            pairs=pentanomial.pairs,
            pentanomial=pentanomial,
            net=tally.net,
            byes=tally.byes,
            terminations=dict(tally.terminations.most_common()),
            failures=dict(tally.failures.most_common()),
            rating=self._format.rating(number),
        )
