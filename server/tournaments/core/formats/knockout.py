"""Knock-out: the loser of a match is out; the last one left has won.

The bracket has as many places in its first round as the next power of two; the best seed meets the
last, the two best can only meet in the final, and so on. Places that are left over are byes, which
so go to the best seeds. A match is all pairings of its two in that round: `pairs` of them, then up
to `TIE_BREAKS` more, one by one, as long as it stands level; then the net score over all of them
decides, then the better seed. A match is laid out as soon as both of its players are known.

Who leaves or is set aside loses the match that it is in. Where both are out nobody goes on, and the
neighbour has a bye. There is no match for the third place: the losers of a round share theirs.

Who goes on from a match follows from the ledger alone until the next match is laid out, and from
then on from the rows of that. So it is the same after a restart.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Final

from server.tournaments.core.formats.api import Draft, Format, check_count

TIE_BREAKS: Final = 3
"""Game pairs beyond those of the terms that a match may have."""


def bracket(size: int) -> list[int]:
    """The seeds (from 0) in the order of their places, `size` a power of two: each round halves
    it, and neighbours meet, the sum of whose seeds is always the same in a round."""
    places = [0]
    while len(places) < size:
        total = 2 * len(places) - 1
        places = [seed for place in places for seed in (place, total - place)]
    return places


@dataclass(frozen=True, slots=True)
class KnockoutMatch:
    """One place of the bracket in one round. `players` are those who are to meet, None for
    nobody (or nobody yet); `pairings` is empty while it is not laid out. `ready`: both players are
    known. `decided`: it is known who goes on, `winner`, None for nobody."""

    round: int
    players: tuple[int | None, int | None]
    pairings: tuple[int, ...]
    ready: bool
    decided: bool
    winner: int | None


class Knockout(Format):
    """See the module's docstring."""

    may_return: ClassVar[bool] = False

    def begin(self) -> list[Draft]:
        """The matches of the first round; byes too.

        Raises:
            TournamentError: too many pairs.
        """
        places = _placed([number for number in self.seeds() if self.ledger.roster.is_in(number)])
        check_count(self.ledger, len(places) // 2 * self.ledger.terms.pairs)
        couples = zip(places[::2], places[1::2], strict=True)
        return [draft for one, other in couples for draft in self._drafts(0, one, other)]

    def more(self) -> list[Draft]:
        """Matches whose players are known now, and pairs to break ties."""
        drafts: list[Draft] = []
        for match in self.matches():
            one, other = match.players
            if not match.pairings:
                if match.ready:
                    drafts += self._drafts(match.round, one, other)
            elif not match.decided and self._is_level(match):
                assert one is not None
                drafts.append((match.round, one, other))
        return drafts

    def _drafts(self, round_: int, one: int | None, other: int | None) -> list[Draft]:
        """All pairs of a match, a bye, or nothing where nobody has come."""
        if one is None or other is None:
            only = other if one is None else one
            return [] if only is None else [(round_, only, None)]
        return [(round_, one, other)] * self.ledger.terms.pairs

    # -- the bracket as it stands --------------------------------------------------------------

    def matches(self) -> list[KnockoutMatch]:
        """All matches from the first round to the final, by round and place."""
        ledger = self.ledger
        began = {
            number
            for pairing in ledger.pairings.rows
            if pairing.round == 0
            for number in (pairing.first, pairing.second)
        }
        if not began:
            return []
        places = _placed([number for number in self.seeds() if number in began])
        home = {number: place for place, number in enumerate(places) if number is not None}
        laid: dict[tuple[int, int], list[int]] = {}
        for pairing in ledger.pairings.rows:
            key = pairing.round, home[pairing.first] >> (pairing.round + 1)
            laid.setdefault(key, []).append(pairing.number)
        matches: list[KnockoutMatch] = []
        coming = [(True, number) for number in places]
        round_ = 0
        while len(coming) > 1:
            feeders = zip(coming[::2], coming[1::2], strict=True)
            new = [
                self._match(round_, tuple(laid.get((round_, at), ())), one, other)
                for at, (one, other) in enumerate(feeders)
            ]
            matches += new
            coming = [(match.decided, match.winner) for match in new]
            round_ += 1
        return matches

    def _match(
        self,
        round_: int,
        pairings: tuple[int, ...],
        one: tuple[bool, int | None],
        other: tuple[bool, int | None],
    ) -> KnockoutMatch:
        """The match that these two lead to: for each whether it is known, and who."""
        if pairings:
            row = self.ledger.pairings.rows[pairings[0]]
            players = row.first, row.second
            decided, winner = self._decide(players, pairings)
            return KnockoutMatch(round_, players, pairings, True, decided, winner)
        ready = one[0] and other[0]
        nobody = ready and one[1] is None and other[1] is None
        return KnockoutMatch(round_, (one[1], other[1]), (), ready, nobody, None)

    def _decide(
        self, players: tuple[int, int | None], pairings: tuple[int, ...]
    ) -> tuple[bool, int | None]:
        """Whether a match that is laid out is decided, and for whom."""
        ledger = self.ledger
        left = [number for number in players if number is not None and ledger.roster.is_in(number)]
        if len(left) < 2:
            return True, left[0] if left else None
        if any(ledger.pairings.rows[number].state == "open" for number in pairings):
            return False, None
        points, net = self._score(pairings)
        if points == 0 and len(pairings) < ledger.terms.pairs + TIE_BREAKS:
            return False, None
        if points == 0 and net == 0:
            seeds = self.seeds()
            return True, min(left, key=seeds.index)
        ahead = points > 0 if points else net > 0
        return True, players[0] if ahead else players[1]

    def _is_level(self, match: KnockoutMatch) -> bool:
        """Of a match that is laid out and not decided: whether all its pairs are over."""
        return all(self.ledger.pairings.rows[number].state != "open" for number in match.pairings)

    def _score(self, pairings: tuple[int, ...]) -> tuple[float, int]:
        """By how many points and by how much on the boards the first of a match is ahead; its
        pairings all have the same first."""
        whole = [number for number in pairings if self.ledger.pairings.pairs[number].whole]
        points = sum(sum(self.ledger.results.points(number)) - 1 for number in whole)
        return points, sum(self.ledger.results.net(number) for number in whole)

    # -- the table ---------------------------------------------------------------------------

    def ranks(self) -> list[tuple[float, ...]]:
        """By the round reached; who has won the final is beyond it."""
        reached = [-1.0] * len(self.ledger.roster.entrants)
        for match in self.matches():
            for number in match.players:
                if number is not None and match.pairings:
                    reached[number] = match.round
            if match.winner is not None:
                reached[match.winner] = match.round + 1
        return [(-round_,) for round_ in reached]

    def planned(self) -> int | None:
        """What there is, and the matches to come without tie-breaks."""
        there = self.ledger.pairings.counts["done"] + self.ledger.pairings.counts["open"]
        if self.ledger.status != "running":
            return there
        to_come = sum(not match.pairings and not match.decided for match in self.matches())
        return there + to_come * self.ledger.terms.pairs


def _placed(seeds: list[int]) -> list[int | None]:
    """The entrants in this order of seeds at their places of the first round."""
    size = 1 << (len(seeds) - 1).bit_length()
    return [seeds[seed] if seed < len(seeds) else None for seed in bracket(size)]
