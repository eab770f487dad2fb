"""Arena: for a set time everybody who is free meets somebody with about as many points.

Theory of operation
-------------------
A pairing is a single game. A free entrant meets the free one who is nearest in points, but not its
last opponent. While other games are played it waits a few seconds for somebody better than that.

Where people may join, bots *fill in*: they play people who have no other opponent, several at once,
and never each other, because programs would play hundreds of games in the time of one.

A win counts two points, a draw one. After two wins in a row an entrant is *on fire*: its points
count double until it does not win a game. Equal points are decided by the rating from the games of
the arena, which says how strong the opponents were.

An entrant who makes no first move in time pauses: it gets no more games until it joins again.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from doublecross.server.core.tournament_rows import GameOutcome
from doublecross.server.tournaments.core.formats.free_pairing import FreePairing, outwards
from doublecross.server.tournaments.core.ledger import Ledger

FIRE: Final = 2
"""The wins in a row after which points count double."""
REST_MS: Final = 4_000
"""How long an entrant waits for a better opponent after a game, in milliseconds."""


class Arena(FreePairing):
    """A tournament for a set time, with single games between players who are free."""

    def __init__(self, ledger: Ledger) -> None:
        super().__init__(ledger)
        self._points: dict[int, float] = {}
        """By entrant number; only those whose games count."""
        self._wins: dict[int, int] = {}
        """By entrant number, the wins since the last game that was not won."""

    def goes_on(self) -> bool:
        """Return that further games may begin; only time ends an arena."""
        return True

    def planned(self) -> None:
        """Return None: nobody knows how many games there will be."""

    def completed(self, number: int) -> None:
        """Give the players their points, if the game ended in time."""
        (outcome,) = self.ledger.results.outcomes(number)
        if not self.ledger.counts(outcome.finished_ms):
            return
        super().completed(number)
        scored = outcome.points(0)
        one, other = self.ledger.pairings.players(number)
        for player, points in ((one, scored), (other, 1 - scored)):
            each = 4 if self.on_fire(player) else 2
            self._points[player] = self._points.get(player, 0) + each * points
            self._wins[player] = self._wins.get(player, 0) + 1 if points == 1 else 0
            self._rested[player] = outcome.finished_ms + REST_MS

    def excludes(self, number: int) -> bool:
        """Return whether an entrant who fails in a row is set aside: a bot is, a person pauses."""
        return not self._is_person(number)

    def pauses(self, outcome: GameOutcome) -> int | None:
        """Return the person who made no first move in the game, if there is one."""
        if outcome.termination != "timeout" or outcome.both_moved:
            return None
        assert outcome.winner is not None
        loser = self.ledger.results.seats(outcome.tag)[1 - outcome.winner]
        return loser if self._is_person(loser) else None

    def on_fire(self, number: int) -> bool:
        """Return whether the points of an entrant count double now."""
        return self._wins.get(number, 0) >= FIRE

    def bonus(self, number: int) -> float:
        """Return the points beyond one for a win and a half for a draw."""
        return self._points.get(number, 0) - self.ledger.results.tallies[number].points

    def ranks(self, tie_breaks: Sequence[tuple[float, ...]]) -> list[tuple[float, ...]]:
        """Rank by points, then by the rating of those who have played, then by entry.

        Bots that fill in come behind all others.
        """
        return [
            (self._fills(n), -self.points(n), n not in self._points, -self.rating(n).rating, n)
            for n in range(len(self.ledger.roster.entrants))
        ]

    # -- who meets whom ------------------------------------------------------------------------

    def level(self, number: int) -> float:
        """Return the points: opponents should be near in them."""
        return self.points(number)

    def turn(self, number: int) -> tuple[int, ...]:
        """Return when an entrant chooses: who only fills in comes last."""
        return self._fills(number), *super().turn(number)

    def seated(self, one: int, other: int) -> tuple[int, int]:
        """Return two entrants so that both move first in about half of their games."""
        return (one, other) if self._firsts(one) <= self._firsts(other) else (other, one)

    def _firsts(self, number: int) -> tuple[int, bool]:
        """Return how many more games an entrant moved first than second, and its last seat."""
        pairings = self.ledger.pairings
        first = [pairings.rows[n].first == number for n in pairings.of_entrant[number]]
        return 2 * sum(first) - len(first), first[-1:] == [True]

    def _opponent(self, number: int, waiting: list[tuple[float, int]], now: int) -> int | None:
        if self._is_busy(number):
            return None
        best: tuple[bool, bool, float, int, int] | None = None
        for gap, other in outwards(waiting, (self.level(number), number)):
            if best is not None and best[:2] == (False, False) and gap > best[2]:
                break  # all others are farther away
            fill = self._fills(number) + self._fills(other)
            if fill == 2 or self._is_busy(other):
                continue
            fills = fill == 1
            again = self._met_last(number, other)
            if (fills or again) and self.must_rest(number, other, now):
                continue
            games = len(self.ledger.pairings.met(number, other))
            choice = (fills, again, gap, games, other)
            best = choice if best is None else min(best, choice)
            if choice[:2] == (False, False) and not games:
                break  # no other choice can be better
        return None if best is None else best[-1]

    def _met_last(self, one: int, other: int) -> bool:
        """Return whether two entrants have met in the last game of one of them."""
        return any(next(iter(self.recent(a)), None) == b for a, b in ((one, other), (other, one)))

    def _is_busy(self, number: int) -> bool:
        """Return whether an entrant plays, so that it gets no second game at the same time."""
        return self.ledger.results.live_of[number] > 0 and not self._fills(number)

    def _fills(self, number: int) -> bool:
        return self.ledger.terms.people and not self._is_person(number)

    def _is_person(self, number: int) -> bool:
        return not self.ledger.roster.entrants[number].engine
