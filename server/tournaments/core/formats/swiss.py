"""Swiss: a fixed number of rounds, each between entrants with about equal points.

The system is a simplified form of the Danish Monrad system. All entrants are listed by points, then
by seed. From the top down each meets the next one in the list whom it has not met before. If that
leaves somebody with former opponents only, partners are exchanged along a shortest alternating path
(see `matching`), so nobody meets an opponent twice if that can be avoided at all.

With an odd number of entrants, one gets a bye, worth all points of an encounter. An entrant that
had a bye, or won an encounter without play, gets no bye while another one had no such round. Among
those with the fewest such rounds, the bye goes to the last in the list whose absence lets all
others be paired with new opponents. Seats need no balancing, because each pair is played in both.

When a pair cannot be played because the opponent has left or was set aside, its points go to the
entrant who is still in. If the opponent comes back, the pair is played after all. A round is paired
when no pairing of the rounds before it is open.

Sources: FIDE Handbook C.04.1, Basic rules for Swiss systems (byes, unplayed games; article 4 in the
version of July 2025: who gets no bye); Dansk Skak Union, Monrad rules.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from math import ceil
from typing import Final

from doublecross.server.core.tournament_rows import GameOutcome
from doublecross.server.tournaments.core.formats.api import Contest, Draft
from doublecross.server.tournaments.core.formats.encounters import Meeting, Meetings
from doublecross.server.tournaments.core.formats.matching import Neighbours, match

NEAR: Final = 32
"""Partners are first sought at most so far apart in the list, which is fast and nearly always
enough."""


class Swiss(Meetings):
    """A tournament of a fixed number of rounds between entrants with about equal points."""

    def more(self) -> list[Draft]:
        """Return the pairings of the next round, when the last one is over."""
        ledger = self.ledger
        rounds = ledger.terms.rounds
        self.catch_up()
        round_ = self.last_round + 1
        if ledger.pairings.counts["open"] or rounds is None or round_ >= rounds or self.left():
            return []
        order = [number for number in self.order() if ledger.roster.is_in(number)]
        if len(order) < 2:
            return []
        couples, bye = self._pair(order)
        drafts: list[Draft] = [(round_, one, other) for one, other in couples]
        return drafts if bye is None else [*drafts, (round_, bye, None)]

    def order(self) -> list[int]:
        """Return all entrants by points, then by seed."""
        return sorted(self.seeds(), key=lambda number: -self.points(number))

    def _pair(self, order: list[int]) -> tuple[list[tuple[int, int]], int | None]:
        """Return the encounters of the entrants in this order, and who gets a bye, if anybody."""
        if len(order) % 2 == 0:
            return self._couples(order)[0], None
        free_rounds = self._won_without_play()
        for number in order:
            free_rounds[number] += self.ledger.results.tallies[number].byes
        fewest = min(free_rounds[number] for number in order)
        first: tuple[list[tuple[int, int]], int] | None = None
        for bye in reversed(order):
            if free_rounds[bye] > fewest:
                continue
            couples, fresh = self._couples([number for number in order if number != bye])
            if fresh:
                return couples, bye
            # The last in the list gets the bye if no choice leaves only new opponents.
            first = first or (couples, bye)
        assert first is not None
        return first

    def _won_without_play(self) -> Counter[int]:
        """Return by entrant how many encounters of the rounds so far it won without play.

        The opponent was out before the first game, or was absent from all games that began.
        """
        self.catch_up()
        results, is_in = self.ledger.results, self.ledger.roster.is_in
        won: Counter[int] = Counter()
        for couple, meetings in self._meetings.items():
            for winner, absent in (couple, couple[::-1]):
                if is_in(absent) and not results.tallies[absent].failures["disconnect"]:
                    continue
                for meeting in meetings:
                    outcomes = self._outcomes(meeting)
                    won[winner] += all(
                        outcome.termination == "disconnect"
                        and outcome.failed is not None
                        and results.seats(outcome.tag)[outcome.failed] == absent
                        for outcome in outcomes
                    ) and (bool(outcomes) or not is_in(absent))
        return won

    def _outcomes(self, meeting: Meeting) -> list[GameOutcome]:
        """Return how the games of an encounter ended."""
        pairings = self.ledger.pairings
        return [
            outcome
            for number in pairings.met(*meeting.players)
            if pairings.rows[number].round == meeting.round
            for outcome in pairings.pairs[number].results
            if outcome is not None
        ]

    def _couples(self, order: list[int]) -> tuple[list[tuple[int, int]], bool]:
        """Return an even number of entrants in couples, and whether all couples are new."""
        place = {number: at for at, number in enumerate(order)}
        self.catch_up()
        met: list[set[int]] = [set() for _ in order]
        for one, other in self._meetings:
            if one in place and other in place:
                met[place[one]].add(place[other])
                met[place[other]].add(place[one])
        for reach in (NEAR, len(order)):
            neighbours: Neighbours = [
                [
                    there
                    for there in range(max(0, at - reach), min(len(order), at + reach + 1))
                    if there != at and there not in met[at]
                ]
                for at in range(len(order))
            ]
            mates = match(neighbours)
            left = [at for at, mate in enumerate(mates) if mate is None]
            if not left:
                break
        often = 0
        # Those who are left have all met. Pair first those who have met least often.
        while left:
            often += 1
            again = [
                [
                    there
                    for there, other in enumerate(left)
                    if other != one and self._met(order[one], order[other]) <= often
                ]
                for one in left
            ]
            found = match(again)
            for one, mate in zip(left, found, strict=True):
                if mate is not None:
                    mates[one] = left[mate]
            left = [one for one, mate in zip(left, found, strict=True) if mate is None]
        couples = [
            (order[at], order[mate])
            for at, mate in enumerate(mates)
            if mate is not None and at < mate
        ]
        return couples, not often

    def _met(self, one: int, other: int) -> int:
        """Return in how many encounters two entrants have met."""
        return len(self.meetings(one, other))

    def bonus(self, number: int) -> float:
        """Return the points for byes, and for pairs whose opponent has left or was set aside.

        An entrant who was set aside, or who has lost every game by failure, gets none.
        """
        ledger = self.ledger
        if not self._gets_bonus(number):
            return 0.0
        unplayed = ledger.results.tallies[number].byes * ledger.terms.pairs
        if ledger.roster.is_in(number):
            for pairing in ledger.pairings.not_done_of(number):
                if ledger.pairings.rows[pairing].state == "unplayed":
                    one, other = ledger.pairings.players(pairing)
                    unplayed += not ledger.roster.is_in(other if number == one else one)
            for rival in self.rivals_of(number):
                if not ledger.roster.is_in(rival):
                    unplayed += self.due(number, rival)
        return 2.0 * unplayed

    def _gets_bonus(self, number: int) -> bool:
        """Return whether an entrant gets points for what it could not play."""
        ledger = self.ledger
        aside = ledger.roster.entrants[number].state == "aside"
        return not aside and not ledger.results.tallies[number].only_failed

    def won_unplayed(self, one: int, other: int) -> int:
        """Return how many pairs of their encounters `one` has won because `other` is out."""
        ledger = self.ledger
        if not ledger.roster.is_in(one) or ledger.roster.is_in(other) or not self._gets_bonus(one):
            return 0
        all_pairs = len(self.meetings(one, other)) * ledger.terms.pairs
        return all_pairs - ledger.results.against(one, other)[0]

    def contests(self) -> Iterator[Contest]:
        """Return the points of each entrant against each opponent, and without one.

        There is one for each round so far: further ones against the same opponent have no points.
        """
        ledger = self.ledger
        self.catch_up()
        played: Counter[int] = Counter()
        alone = {
            number: 2.0 * tally.byes * ledger.terms.pairs if self._gets_bonus(number) else 0.0
            for number, tally in enumerate(ledger.results.tallies)
        }
        for couple in self._meetings:
            for one, other in (couple, couple[::-1]):
                pairs, points, _ = ledger.results.against(one, other)
                rounds = ceil(pairs / ledger.terms.pairs)
                points += 2.0 * self.won_unplayed(one, other)
                if not rounds:
                    alone[one] += points
                for again in range(rounds):
                    yield one, other, 0.0 if again else points
                played[one] += rounds
        for number, points in alone.items():
            for again in range(self.last_round + 1 - played[number]):
                yield number, None, 0.0 if again else points

    def strength(self, number: int) -> float:
        """Return an entrant's points; those who are out have drawn the games that they missed."""
        points, ledger = self.points(number), self.ledger
        own = ledger.pairings.of_entrant[number]
        if ledger.roster.is_in(number) or not own:
            return points
        rows = ledger.pairings.rows
        missed = sum(rows[pairing].state == "unplayed" for pairing in own)
        missed += sum(self.due(number, rival) for rival in self.rivals_of(number))
        return points + missed + (self.last_round - rows[own[-1]].round) * ledger.terms.pairs

    def planned(self) -> int:
        """Return the pairings of the rounds so far plus those of the rounds to come."""
        so_far, terms = super().planned(), self.ledger.terms
        to_come = max(0, (terms.rounds or 0) - 1 - self.last_round)
        return so_far + to_come * (len(self.ledger.roster.all_in()) // 2) * terms.pairs
