"""The games of a tournament: which are live, which are over, and how they count.

Results of former attempts at a pairing do not count. Failures in former attempts do, because they
say something about the player. An entrant's failures in a row are those that finished after the
last game that it completed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from doublecross.server.core.tournament_rows import GameOutcome, Tag
from doublecross.server.tournaments.core.errors import CorruptTournament
from doublecross.server.tournaments.core.pairings import Pairings
from doublecross.server.tournaments.core.roster import Roster
from doublecross.server.tournaments.core.tally import EntrantTally, HeadToHead, Streak
from doublecross.stats.pairs import Pentanomial


class GameResults:
    """Record games, and count points, net scores and failures."""

    def __init__(self, tournament_id: str, roster: Roster, pairings: Pairings) -> None:
        self._tournament_id = tournament_id
        self._roster = roster
        self._pairings = pairings
        self.tallies: list[EntrantTally] = []
        """By entrant number."""
        self.live: set[Tag] = set()
        """Games that are being played, including those of former attempts."""
        self.live_of: list[int] = []
        """By entrant number, how many live games it plays."""
        self._streaks: list[Streak] = []
        """By entrant number."""
        self._head_to_heads: dict[tuple[int, int], HeadToHead] = {}
        """By two entrants (lower number first), their results as the first one's."""
        self._known_before: set[Tag] = set()
        """Games that are over but do not count, because their attempt is void."""

    def add_entrant(self, since_ms: int) -> None:
        """Add the counters of one more entrant, whose failures count after `since_ms`."""
        self.tallies.append(EntrantTally())
        self._streaks.append(Streak())
        self.live_of.append(0)
        self.forgive(len(self._streaks) - 1, since_ms)

    def forgive(self, number: int, until_ms: int) -> None:
        """Do not count an entrant's failures up to this time as failures in a row."""
        self._streaks[number].forgive(until_ms)

    def head_to_head(self, one: int, other: int) -> HeadToHead | None:
        """Return the results of `one` against `other`, or None without a whole pair."""
        if one > other:
            found = self._head_to_heads.get((other, one))
            return None if found is None else found.reversed()
        return self._head_to_heads.get((one, other))

    def against(self, one: int, other: int) -> tuple[int, float, int]:
        """Return the whole pairs of `one` against `other`, and its points and net score in them."""
        found = self._head_to_heads.get((min(one, other), max(one, other)))
        if found is None:
            return 0, 0.0, 0
        pairs, points = found.pentanomial.pairs, found.pentanomial.points
        return (
            (pairs, points, found.net) if one < other else (pairs, 2 * pairs - points, -found.net)
        )

    def encounters(self) -> Iterator[tuple[int, int, float, float]]:
        """Yield each two entrants with a whole pair, and the points of both against each other."""
        for (one, other), found in self._head_to_heads.items():
            points = found.pentanomial.points
            yield one, other, points, 2 * found.pentanomial.pairs - points

    def seats(self, tag: Tag) -> tuple[int, int]:
        """Return the entrants of a game, by seat."""
        first, second = self._pairings.players(tag.pairing)
        return (first, second) if tag.game == 0 else (second, first)

    def check_tag(self, tag: Tag) -> None:
        """Check that the tournament can have such a game.

        Raises:
            CorruptTournament: it cannot.
        """
        fits = (
            tag.tournament == self._tournament_id
            and 0 <= tag.pairing < len(self._pairings.rows)
            and self._pairings.rows[tag.pairing].second is not None
            and 0 <= tag.game < self._pairings.games
            and tag.attempt >= 1
        )
        if not fits:
            raise CorruptTournament(f"There is no game {tag} in {self._tournament_id}.")

    def is_known(self, tag: Tag) -> bool:
        """Return whether the outcome of the game was recorded."""
        pair = self._pairings.pairs[tag.pairing]
        if tag.attempt == pair.attempt:
            return pair.results[tag.game] is not None
        return tag in self._known_before

    def begin(self, tag: Tag) -> None:
        """Count a game as live."""
        self.check_tag(tag)
        if tag in self.live or self.is_known(tag):
            return
        self._reach(tag.pairing, tag.attempt)
        self.live.add(tag)
        pair = self._pairings.pairs[tag.pairing]
        if tag.attempt == pair.attempt:
            pair.live.add(tag.game)
        for number in self.seats(tag):
            self.live_of[number] += 1
            self.tallies[number].begun += 1

    def end(self, tag: Tag) -> None:
        """Stop counting a game as live."""
        if tag not in self.live:
            return
        self.live.remove(tag)
        pair = self._pairings.pairs[tag.pairing]
        if tag.attempt == pair.attempt:
            pair.live.discard(tag.game)
        for number in self.seats(tag):
            self.live_of[number] -= 1
            self.tallies[number].begun -= 1

    def record(self, outcome: GameOutcome) -> bool:
        """Record the outcome of a game; return whether its pair has just become whole.

        An outcome that was recorded before changes nothing.
        """
        tag = outcome.tag
        self.check_tag(tag)
        # Even an outcome that is known already ends the game, if it still counts as live.
        self.end(tag)
        if self.is_known(tag):
            return False
        at = (outcome.finished_ms, tag.pairing, tag.game, tag.attempt)
        for seat, number in enumerate(self.seats(tag)):
            self.tallies[number].ended(outcome, seat)
            self._streaks[number].add(at, outcome, seat)
            self._roster.stale_standings.add(number)
        self._reach(tag.pairing, tag.attempt)
        pair = self._pairings.pairs[tag.pairing]
        if tag.attempt != pair.attempt or pair.whole:
            self._known_before.add(tag)
        elif not outcome.has_result:
            self._known_before.add(tag)
            self._reach(tag.pairing, tag.attempt + 1)
        else:
            pair.results[tag.game] = outcome
            for number in self.seats(tag):
                # `end` has subtracted the game, but a game with a result counts as begun.
                self.tallies[number].begun += 1
            if pair.whole:
                self._score(tag.pairing)
                return True
        return False

    def _reach(self, number: int, attempt: int) -> None:
        """Move a pairing to this attempt, if it is at a former one; void the former attempts."""
        pair = self._pairings.pairs[number]
        if attempt <= pair.attempt or pair.whole:
            return
        for outcome in pair.results:
            if outcome is not None:
                self._known_before.add(outcome.tag)
                for player in self._pairings.players(number):
                    # A void game does not count as begun.
                    self.tallies[player].begun -= 1
        pair.attempt = attempt
        games = range(self._pairings.games)
        pair.results = [None for _ in games]
        pair.live = {
            game for game in games if Tag(self._tournament_id, number, game, attempt) in self.live
        }

    def outcomes(self, number: int) -> list[GameOutcome]:
        """Return the outcomes of a whole pair, by game; `first` has the seat of that number."""
        return [each for each in self._pairings.pairs[number].results if each is not None]

    def points(self, number: int) -> tuple[float, ...]:
        """Return the points of `first` in each of the games of a whole pair."""
        return tuple(each.points(seat) for seat, each in enumerate(self.outcomes(number)))

    def net(self, number: int) -> int:
        """Return the net score of `first` over all games of a whole pair."""
        return sum(
            each.scores[seat] - each.scores[1 - seat]
            for seat, each in enumerate(self.outcomes(number))
        )

    def _score(self, number: int) -> None:
        first, second = self._pairings.players(number)
        points, net = self.points(number), self.net(number)
        self.tallies[first].scored(points, net)
        self.tallies[second].scored(tuple(1 - each for each in points), -net)
        if len(points) != 2:
            return  # single games have no pentanomial
        cell = HeadToHead(Pentanomial.of([sum(points)]), net)
        key = (first, second)
        if first > second:
            key, cell = (second, first), cell.reversed()
        known = self._head_to_heads.get(key)
        self._head_to_heads[key] = cell if known is None else known.plus(cell)

    def failing(self, numbers: Iterable[int], patience: int) -> list[tuple[int, str]]:
        """Return the entrants who have failed at least `patience` times in a row.

        Entrants who are aside already are left out. Each comes with the reason, for people.
        """
        return [
            (n, self._streaks[n].reason)
            for n in numbers
            if self._streaks[n].count >= patience and self._roster.entrants[n].state != "aside"
        ]
