"""A simulated server for one tournament: stored rows, finished games and simulated players.

It stores the rows that the tournament returns and keeps the outcomes of games. So it can discard
the tournament and restore it from these, as a restart does.
"""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any

from doublecross.server.core.tournament_rows import Entrant, GameOutcome, Pairing, Status, Tag
from doublecross.server.tournaments.core.allocation import NewGame
from doublecross.server.tournaments.core.settlement import RowChanges
from doublecross.server.tournaments.core.tally import HeadToHead
from doublecross.server.tournaments.core.terms import Terms
from doublecross.server.tournaments.core.tournament import Tournament

T0 = 1_700_000_000_000
OPENINGS = ((0,), (1,), (2,), (3,), (4,))


def make_terms(format_: str, **others: Any) -> Terms:
    given: dict[str, Any] = {
        "tournament_id": "t1",
        "name": "The Cup",
        "format": format_,
        "game": "dots-and-boxes",
        "params": {"rows": 3, "cols": 3},
        "time": "10+0.1",
        "openings": OPENINGS,
        "rounds": 5 if format_ == "swiss" else None,
        "length_ms": 600_000 if format_ == "arena" else None,
    }
    return Terms(**{**given, **others})


class SimulatedServer:
    def __init__(self, terms: Terms) -> None:
        self.terms = terms
        self.tournament = Tournament(terms)
        self.now = T0
        self.each = 1 if terms.format == "arena" else 2
        self.started_ms: int | None = None
        self.status: Status = "open"
        self.entrants: dict[int, Entrant] = {}
        self.pairings: dict[int, Pairing] = {}
        self.outcomes: list[GameOutcome] = []
        self.games: dict[Tag, NewGame] = {}
        """Live games, in the order in which they began."""
        self.began: dict[Tag, int] = {}
        self.begun: list[NewGame] = []
        self.offline: set[int] = set()
        self.wake_ms: int | None = None

    # -- events ------------------------------------------------------------------------------

    def keep(self, changes: RowChanges) -> RowChanges:
        for entrant in changes.entrants:
            self.entrants[entrant.number] = entrant
        for pairing in changes.pairings:
            self.pairings[pairing.number] = pairing
        self.status = changes.status or self.status
        return changes

    def join(self, name: str, at_once: int = 1, **others: Any) -> int:
        self.keep(self.tournament.join(name, f"{name} 1", at_once, self.now, **others))
        found = self.tournament.find(name)
        assert found is not None
        return found.number

    def fill(self, count: int, at_once: int = 1) -> None:
        for number in range(count):
            self.join(f"bot{number}", at_once)

    def start(self) -> RowChanges:
        self.started_ms = self.now
        return self.keep(self.tournament.start(self.now))

    def leave(self, name: str) -> None:
        self.keep(self.tournament.leave(name, "left"))

    def slots(self) -> dict[int, int]:
        busy = Counter(player for game in self.games.values() for player in game.players)
        return {
            number: entrant.at_once - busy[number]
            for number, entrant in self.entrants.items()
            if number not in self.offline
        }

    def begin(self) -> tuple[NewGame, ...]:
        started = self.tournament.next_games(self.slots(), self.now)
        self.keep(started.changes)
        for game in started.games:
            assert game.tag not in self.games
            self.games[game.tag] = game
            self.began[game.tag] = self.now
        self.begun += started.games
        if started.games:
            slots = self.slots()
            assert min(slots[n] for game in started.games for n in game.players) >= 0
        self.wake_ms = started.wake_ms
        return started.games

    def finish(
        self,
        tag: Tag,
        winner: int | None = 0,
        termination: str = "completed",
        scores: tuple[int, int] = (0, 0),
    ) -> RowChanges:
        """End a live game; `winner` is a seat, None for a draw."""
        self.now += 10
        del self.games[tag]
        outcome = GameOutcome(tag, winner, scores, termination, self.now, self.began[tag])
        self.outcomes.append(outcome)
        return self.keep(self.tournament.record(outcome))

    def restored(self) -> tuple[Tournament, RowChanges]:
        return Tournament.restore(
            self.terms,
            self.status,
            reversed(self.entrants.values()),
            reversed(self.pairings.values()),
            self.outcomes,
            self.games,
            self.started_ms,
        )

    def restart(self) -> None:
        self.tournament, changes = self.restored()
        self.keep(changes)

    def play_out(
        self,
        result: Callable[[NewGame], int | None] = lambda game: min(game.players),
        *,
        hangs: Iterable[int] = (),
        each: Callable[[], object] = lambda: None,
        limit: int = 100_000,
    ) -> None:
        """Play until no game can end any more.

        `result` returns the entrant who wins a game, or None for a draw. Games of the entrants in
        `hangs` never end. `each` is called after every game.
        """
        hanging = set(hangs)
        for _ in range(limit):
            self.begin()
            tag = next((t for t, g in self.games.items() if not hanging & set(g.players)), None)
            if tag is None:
                if self.wake_ms is None or self.status != "running":
                    return
                self.now = max(self.now, self.wake_ms)
                continue
            game = self.games[tag]
            winner = result(game)
            seat = None if winner is None else game.players.index(winner)
            scores = {0: (5, 4), 1: (4, 5), None: (4, 4)}[seat]
            self.finish(tag, seat, scores=scores)
            each()
        raise AssertionError("the tournament does not end")

    # -- checks ------------------------------------------------------------------------------

    def by_couple(self) -> dict[frozenset[int], list[Pairing]]:
        found: dict[frozenset[int], list[Pairing]] = {}
        for pairing in sorted(self.pairings.values(), key=lambda p: p.number):
            if pairing.second is not None:
                found.setdefault(frozenset((pairing.first, pairing.second)), []).append(pairing)
        return found

    def results(self, number: int) -> dict[int, GameOutcome]:
        """Return the games of a pairing that count, which are those of its last attempt."""
        mine = [o for o in self.outcomes if o.tag.pairing == number]
        void = max((o.tag.attempt for o in mine if not o.has_result), default=0)
        return {o.tag.game: o for o in mine if o.tag.attempt == void + 1}

    def points(self) -> dict[int, float]:
        """Return the points in whole pairs, counted from the games alone."""
        points = dict.fromkeys(self.entrants, 0.0)
        for number, pairing in self.pairings.items():
            results = self.results(number)
            if pairing.second is not None and len(results) == self.each:
                for game, outcome in results.items():
                    players = (pairing.first, pairing.second)[:: 1 if game == 0 else -1]
                    for seat, player in enumerate(players):
                        points[player] += outcome.points(seat)
        return points

    def check(self) -> None:
        """Check everything that must hold at any moment."""
        core = self.tournament
        assert list(core.entrants) == [self.entrants[n] for n in range(len(self.entrants))]
        assert list(core.pairings) == [self.pairings[n] for n in range(len(self.pairings))]
        assert core.status == self.status
        assert core.live == set(self.games)
        tags = [game.tag for game in self.begun]
        assert len(set(tags)) == len(tags)  # no game twice in one attempt
        over = Counter(outcome.tag for outcome in self.outcomes)
        assert not over or max(over.values()) == 1
        playing = Counter(player for game in self.games.values() for player in game.players)
        for number, count in playing.items():
            assert core.playing(number) == count
        for pairings in self.by_couple().values():
            openings = self.terms.openings
            if not self.terms.more_openings and self.terms.format != "swiss":
                assert [p.opening for p in pairings] == [
                    openings[k % len(openings)] for k in range(len(pairings))
                ]
        for game in self.begun:
            pairing = self.pairings[game.tag.pairing]
            two = (pairing.first, pairing.second)
            assert game.players == (two if game.tag.game == 0 else two[::-1])
            assert game.opening == pairing.opening
        self._check_states()
        self._check_table()

    def _check_states(self) -> None:
        live = {tag.pairing for tag in self.games}
        begun = Counter(player for game in self.games.values() for player in game.players)
        for number, pairing in self.pairings.items():
            if pairing.second is None:
                assert pairing.state == "done"
                continue
            results = self.results(number)
            assert (len(results) == self.each) == (pairing.state == "done")
            both = all(self.entrants[n].state == "in" for n in (pairing.first, pairing.second))
            for outcome in results.values():
                begun.update((pairing.first, pairing.second))
                assert outcome.tag not in self.games
            if pairing.state == "unplayed":
                assert not both or self.status != "running"
            elif pairing.state == "open" and not (both and self.status == "running"):
                assert number in live
        tallies = self.tournament._ledger.results.tallies
        assert [begun[n] for n in range(len(tallies))] == [tally.begun for tally in tallies]
        if self.status == "finished" and self.terms.format != "ladder":
            assert all(p.state != "open" for p in self.pairings.values())

    def _check_table(self) -> None:
        core = self.tournament
        lines = core.standings()
        assert sorted(line.number for line in lines) == sorted(self.entrants)
        points = self.points()
        for at, line in enumerate(lines):
            assert line.place <= at + 1
            assert at == 0 or lines[at - 1].place <= line.place
            assert line.points - line.bonus == points[line.number]
            assert line.games == line.wins + line.draws + line.losses
            if self.each == 1:
                continue
            assert line.games == 2 * line.pairs
            assert line.pentanomial.points == points[line.number]
            mine = results_by_opponent(core, line.number).values()
            assert sum(cell.points for cell in mine) == points[line.number]
            assert sum(cell.games for cell in mine) == line.games
            assert sum(cell.net for cell in mine) == line.net
        assert sum(line.net for line in lines) == 0
        ended = sum(sum(line.terminations.values()) for line in lines)
        assert ended == 2 * len(self.outcomes)

    def check_restored(self) -> None:
        """Check that a restored tournament equals the present one and has nothing to store."""
        again, changes = self.restored()
        assert not changes
        assert picture(again) == picture(self.tournament)
        copied = copy.deepcopy(self.tournament)
        slots = self.slots()
        assert again.next_games(slots, self.now) == copied.next_games(slots, self.now)
        assert picture(again) == picture(copied)


def results_by_opponent(core: Tournament, number: int) -> dict[int, HeadToHead]:
    """Return an entrant's results against each opponent."""
    others = (entrant.number for entrant in core.entrants if entrant.number != number)
    found = {other: core._ledger.results.head_to_head(number, other) for other in others}
    return {other: played for other, played in found.items() if played is not None}


def picture(core: Tournament) -> tuple[object, ...]:
    """Return everything that a tournament shows."""
    return (
        core.status,
        list(core.entrants),
        list(core.pairings),
        core.live,
        core.standings(),
        [results_by_opponent(core, entrant.number) for entrant in core.entrants],
        core.progress(),
    )
