"""The table of a tournament: the points, results and failures of each entrant.

Only whole game pairs score. Terminations and failures are counted over all games, including those
of void and incomplete pairs, because they say something about the player.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from doublecross.server.core.tournament_rows import EntrantState
from doublecross.server.tournaments.core.formats.api import Format
from doublecross.server.tournaments.core.ledger import Ledger
from doublecross.stats.glicko2 import Glicko
from doublecross.stats.pairs import Pentanomial


@dataclass(frozen=True, slots=True)
class Standing:
    """An entrant's row in the table.

    `place` counts from 1; equal entrants share a place. `points` are those of whole pairs (1 for a
    win, half for a draw) plus the `bonus`. Some formats give a bonus for byes, for opponents who
    have left, or for wins in a row. `games`, `wins`, `draws`, `losses`, `pairs` and `pentanomial`
    (of this entrant's points) count whole pairs only. `net` is the entrant's score minus the
    opponents' in them. `terminations` counts all its games by how they ended, `failures` those that
    it lost by failure. `tie_breaks` are the values of those of the terms, unless that is the net
    score alone. `rating` is set in a ladder and in an arena only. `on_fire` says that its points in
    an arena count double now. `last_ms` is when its last game ended.
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
    tie_breaks: tuple[float, ...] = ()
    rating: Glicko | None = None
    on_fire: bool = False
    last_ms: int | None = None

    @property
    def score(self) -> float | None:
        """Points per game, 0 to 1, without the bonus; None without games."""
        return (self.points - self.bonus) / self.games if self.games else None


class Standings:
    """Compute the table of a tournament, and recompute only the rows that have changed."""

    def __init__(self, ledger: Ledger, format_: Format) -> None:
        self._ledger = ledger
        self._format = format_
        self._standings: dict[int, Standing] = {}
        self._tie_breaks: list[tuple[float, ...]] = []
        """By entrant, as when a standing was last computed: they follow from points."""

    def table(self) -> tuple[Standing, ...]:
        """Return the standings of all entrants, best first."""
        ledger = self._ledger
        if ledger.roster.stale_standings:
            self._tie_breaks = self._format.tie_breaks()
        for number in ledger.roster.stale_standings:
            self._standings[number] = self._standing(number)
        ledger.roster.stale_standings.clear()
        ranks = self._format.ranks(self._tie_breaks)
        shown = ledger.terms.tie_breaks != ("net",)
        order = sorted(self._standings, key=lambda number: (ranks[number], number))
        place = 0
        for at, number in enumerate(order):
            if at == 0 or ranks[number] != ranks[order[at - 1]]:
                place = at + 1
            known, breaks = self._standings[number], self._tie_breaks[number] if shown else ()
            if (known.place, known.tie_breaks) != (place, breaks):
                self._standings[number] = replace(known, place=place, tie_breaks=breaks)
        return tuple(self._standings[number] for number in order)

    def _standing(self, number: int) -> Standing:
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
            on_fire=self._format.on_fire(number),
            last_ms=tally.last_ms,
        )
