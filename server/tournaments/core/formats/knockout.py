"""Knockout: the loser of a match is out, and the last entrant left wins.

The number of entrants is rounded up to a power of two, the places of the first round. The best seed
meets the last one, the two best seeds can only meet in the final, and so on. Empty places are byes,
which therefore go to the best seeds.

A match consists of all pairings of two entrants in a round. It has `pairs` game pairs, and up to
`TIE_BREAKS` more, one by one, while the points are equal. If they stay equal, the net score over
all pairs decides, and then the better seed. The first pairing of a match is created as soon as both
of its players are known.

An entrant who leaves or is set aside loses the current match. If both players of a match are out,
nobody advances, and the opponent in the next round has a bye. There is no match for the third
place: the losers of a round share their place.

Until the next match is created, the winner of a match follows from the ledger. After that, it
follows from the rows of the next match. So it is the same after a restart.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Final

from doublecross.server.tournaments.core.formats.api import Draft, check_count
from doublecross.server.tournaments.core.formats.encounters import Meetings
from doublecross.server.tournaments.core.ledger import Ledger

TIE_BREAKS: Final = 3
"""The most additional game pairs of a match with equal points."""


def bracket(size: int) -> list[int]:
    """Return the seeds (from 0) in the order of their places; `size` is a power of two.

    Neighbours meet, and each round halves the places. If the better seeds always win, the seeds of
    each match in a round have the same sum.
    """
    places = [0]
    while len(places) < size:
        total = 2 * len(places) - 1
        places = [seed for place in places for seed in (place, total - place)]
    return places


@dataclass(frozen=True, slots=True)
class KnockoutMatch:
    """One match of the bracket.

    `players` are its entrants; None means nobody, or not known yet. `begun` says whether it has
    pairings. `ready` says whether both players are known. `decided` says whether it is known who
    advances. That is `winner`, or nobody if None.
    """

    round: int
    players: tuple[int | None, int | None]
    begun: bool
    ready: bool
    decided: bool
    winner: int | None


class Knockout(Meetings):
    """A tournament of matches, in which the loser of each match is out."""

    may_return: ClassVar[bool] = False

    def __init__(self, ledger: Ledger) -> None:
        super().__init__(ledger)
        self._places: list[int | None] = []
        """The entrants at their places of the first round; empty before the start."""
        self._home: dict[int, int] = {}
        """The place of each of them."""
        self._laid: dict[tuple[int, int], tuple[int, int | None]] = {}
        """By round and place of a match, the players of its pairings."""
        self._laid_rows = 0
        """How many of the ledger's pairings `_laid` has."""

    def begin(self) -> list[Draft]:
        """Return the pairings of the first round, byes included.

        Raises:
            Refused: there would be too many pairings.
        """
        places = _placed([number for number in self.seeds() if self.ledger.roster.is_in(number)])
        check_count(self.ledger, len(places) // 2 * self.ledger.terms.pairs)
        couples = zip(places[::2], places[1::2], strict=True)
        return [draft for one, other in couples for draft in self._drafts(0, one, other)]

    def more(self) -> list[Draft]:
        """Return the pairings of matches whose players are known now, and of tie-breaks."""
        drafts: list[Draft] = []
        for match in self.matches():
            one, other = match.players
            if not match.begun:
                if match.ready:
                    drafts += self._drafts(match.round, one, other)
            elif not match.decided and self._is_level(match):
                assert one is not None
                drafts.append((match.round, one, other))
        return drafts

    def _drafts(self, round_: int, one: int | None, other: int | None) -> list[Draft]:
        """Return the first pairing of a match, or a bye, or none for a match without players."""
        if one is None or other is None:
            only = other if one is None else one
            return [] if only is None else [(round_, only, None)]
        return [(round_, one, other)]

    # -- the present bracket -------------------------------------------------------------------

    def matches(self) -> list[KnockoutMatch]:
        """Return all matches from the first round to the final, by round and place."""
        rows = self.ledger.pairings.rows
        if not rows:
            return []
        if not self._places:
            # Everybody who takes part has a pairing or a bye in the first round from the start.
            began = {n for row in rows if row.round == 0 for n in (row.first, row.second)}
            self._places = _placed([number for number in self.seeds() if number in began])
            self._home = {n: place for place, n in enumerate(self._places) if n is not None}
        for row in rows[self._laid_rows :]:
            key = row.round, self._home[row.first] >> (row.round + 1)
            self._laid.setdefault(key, (row.first, row.second))
        self._laid_rows = len(rows)
        matches: list[KnockoutMatch] = []
        coming = [(True, number) for number in self._places]
        round_ = 0
        while len(coming) > 1:
            feeders = zip(coming[::2], coming[1::2], strict=True)
            new = [
                self._match(round_, self._laid.get((round_, at)), one, other)
                for at, (one, other) in enumerate(feeders)
            ]
            matches += new
            coming = [(match.decided, match.winner) for match in new]
            round_ += 1
        return matches

    def _match(
        self,
        round_: int,
        players: tuple[int, int | None] | None,
        one: tuple[bool, int | None],
        other: tuple[bool, int | None],
    ) -> KnockoutMatch:
        """Return the match between the winners of two former matches.

        `players` are those of its pairings, None if there are none yet. `one` and `other` are
        pairs: whether the winner is known, and the winner.
        """
        if players is not None:
            decided, winner = self._decide(*players)
            return KnockoutMatch(round_, players, True, True, decided, winner)
        ready = one[0] and other[0]
        nobody = ready and one[1] is None and other[1] is None
        return KnockoutMatch(round_, (one[1], other[1]), False, ready, nobody, None)

    def _decide(self, one: int, other: int | None) -> tuple[bool, int | None]:
        """Return whether the match of two entrants with pairings is decided, and its winner."""
        ledger = self.ledger
        left = [
            number for number in (one, other) if number is not None and ledger.roster.is_in(number)
        ]
        if len(left) < 2 or other is None:
            return True, left[0] if left else None
        if not self._is_played(one, other):
            return False, None
        points, net = self._lead(one, other)
        pairings = len(ledger.pairings.met(one, other))
        if points == 0 and pairings < ledger.terms.pairs + TIE_BREAKS:
            return False, None
        if points == 0 and net == 0:
            seeds = self.seeds()
            return True, min(left, key=seeds.index)
        ahead = points > 0 if points else net > 0
        return True, one if ahead else other

    def _is_played(self, one: int, other: int) -> bool:
        """Return whether all pairings of a match are there, and none of them is open."""
        return not self.ledger.pairings.has_open(one, other) and not self.due(one, other)

    def _is_level(self, match: KnockoutMatch) -> bool:
        """Return whether an undecided match with pairings needs another one to break the tie."""
        one, other = match.players
        assert one is not None
        assert other is not None
        return self._is_played(one, other)

    def _lead(self, one: int, other: int) -> tuple[float, int]:
        """Return the lead of `one` in a match, in points and in net score.

        Two entrants meet in one match only. Half of a pair's two points is a level score.
        """
        played = self.ledger.results.head_to_head(one, other)
        return (0.0, 0) if played is None else (played.points - played.games / 2, played.net)

    # -- the table ---------------------------------------------------------------------------

    def ranks(self, tie_breaks: Sequence[tuple[float, ...]]) -> list[tuple[float, ...]]:
        """Rank by the round reached; the winner of the final ranks one round higher."""
        reached = [-1.0] * len(self.ledger.roster.entrants)
        for match in self.matches():
            for number in match.players:
                if number is not None and match.begun:
                    reached[number] = match.round
            if match.winner is not None:
                reached[match.winner] = match.round + 1
        return [(-round_,) for round_ in reached]

    def planned(self) -> int:
        """Return the pairings of the matches so far and to come, without tie-breaks to come."""
        to_come = sum(not match.begun and not match.decided for match in self.matches())
        return super().planned() + to_come * self.ledger.terms.pairs


def _placed(seeds: list[int]) -> list[int | None]:
    """Return the entrants at their places of the first round; `seeds` has the best one first."""
    size = 1 << (len(seeds) - 1).bit_length()
    return [seeds[seed] if seed < len(seeds) else None for seed in bracket(size)]
