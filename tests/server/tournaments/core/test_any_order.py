"""Tournaments of every format with results, joins, leaves, faults and restarts in random order."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import hypothesis.strategies as st
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from doublecross.server.core.errors import Refused
from doublecross.server.core.tournament_rows import NO_RESULT, GameOutcome, Tag
from doublecross.server.tournaments.core.terms import FORMATS
from tests.server.tournaments.core.simulated_server import (
    SimulatedServer,
    make_terms,
    results_by_opponent,
)

PICK = st.integers(0, 99)
FAULTS = ["crash", "timeout", "illegal", "disconnect", "void", "aborted"]
HOW = st.sampled_from(["completed"] * 6 + ["resigned", *FAULTS])
GAME = st.tuples(PICK, st.integers(0, 2), HOW, st.integers(-9, 9))
"""The index of a live game, its winner (2: a draw if possible), its termination and its margin."""
QUIET = list(HealthCheck)


def winner_of(winner: int, how: str) -> int | None:
    """Return the seat that wins a game with this termination, or None."""
    if how in NO_RESULT:
        return None
    if how == "completed" and winner == 2:
        return None
    return winner % 2


class TournamentMachine(RuleBasedStateMachine):
    server: SimulatedServer

    @initialize(
        format_=st.sampled_from(FORMATS),
        players=st.integers(2, 8),
        pairs=st.integers(1, 3),
        at_once=st.integers(1, 3),
        late=st.booleans(),
    )
    def begin(self, format_: str, players: int, pairs: int, at_once: int, late: bool) -> None:
        rounds = {"swiss": 4, "ladder": 25}.get(format_)
        self.server = SimulatedServer(
            make_terms(
                format_,
                pairs=1 if format_ in ("ladder", "arena") else pairs,
                rounds=rounds,
                late=late and format_ != "knockout",
                patience=3,
                openings=((0,), (1,)),
            )
        )
        self.server.fill(players, at_once)
        self.server.start()

    def pick(self, pick: int) -> Tag:
        return list(self.server.games)[pick % len(self.server.games)]

    # -- games ---------------------------------------------------------------------------------

    @rule()
    def games_begin(self) -> None:
        self.server.begin()

    @rule(games=st.lists(GAME, min_size=1, max_size=10))
    def games_are_played(self, games: list[tuple[int, int, str, int]]) -> None:
        for pick, winner, how, net in games:
            self.server.begin()
            if self.server.games:
                self.finish(pick, winner, how, net)
                self.server.check()

    def finish(self, pick: int, winner: int, how: str, net: int) -> None:
        scores = max(net, 0), max(-net, 0)
        self.server.finish(self.pick(pick), winner_of(winner, how), how, scores)

    @rule(pick=PICK)
    @precondition(lambda self: self.server.games)
    def a_room_cannot_be_opened(self, pick: int) -> None:
        tag = self.pick(pick)
        del self.server.games[tag]
        self.server.begun = [game for game in self.server.begun if game.tag != tag]
        self.server.keep(self.server.tournament.withdraw(tag))

    @rule(pick=PICK)
    @precondition(lambda self: self.server.outcomes)
    def an_outcome_is_reported_again(self, pick: int) -> None:
        outcome = self.server.outcomes[pick % len(self.server.outcomes)]
        assert not self.server.tournament.record(outcome)

    # -- players -------------------------------------------------------------------------------

    @rule(number=st.integers(0, 7), at_once=st.integers(1, 3))
    def somebody_joins(self, number: int, at_once: int) -> None:
        server = self.server
        name = f"bot{number}"
        known = server.tournament.find(name)
        ladder = server.terms.format in ("ladder", "arena")
        may = server.status == "running" and (
            (server.terms.late or ladder)
            if known is None
            else known.state == "left" and server.terms.format != "knockout"
        )
        if may:
            server.join(name, at_once)
        else:
            with pytest.raises(Refused):
                server.join(name, at_once)

    @rule(number=st.integers(0, 12))
    def somebody_leaves(self, number: int) -> None:
        found = self.server.tournament.find(f"bot{number}")
        if self.server.status == "running" and found is not None and found.state == "in":
            self.server.leave(found.name)
        else:
            with pytest.raises(Refused):
                self.server.leave(f"bot{number}")

    @rule(number=st.integers(0, 15))
    @precondition(lambda self: self.server.status == "running")
    def somebody_is_set_aside(self, number: int) -> None:
        if number < len(self.server.entrants):
            self.server.keep(self.server.tournament.set_aside(number, "for a test"))

    @rule(number=st.integers(0, 5))
    def somebody_comes_or_goes(self, number: int) -> None:
        self.server.offline ^= {number}

    @rule(ms=st.sampled_from([1, 10, 30_000]))
    def time_passes(self, ms: int) -> None:
        self.server.now += ms
        self.server.keep(self.server.tournament.end_in_time(self.server.now))

    # -- the server ----------------------------------------------------------------------------

    @rule()
    def the_server_restarts(self) -> None:
        self.server.restart()

    @rule(game=GAME)
    @precondition(lambda self: self.server.games)
    def the_server_dies_with_a_game_stored_and_nothing_else(
        self, game: tuple[int, int, str, int]
    ) -> None:
        """Lose the rows that follow from a game; a restart finds the same rows again."""
        server = self.server
        before = dict(server.entrants), dict(server.pairings), server.status
        self.finish(*game)
        before_restart = server.entrants, server.pairings, server.status
        server.entrants, server.pairings, server.status = before
        server.restart()
        assert (server.entrants, server.pairings, server.status) == before_restart

    @rule()
    def the_server_dies_before_new_games_are_stored(self) -> None:
        server = self.server
        server.tournament.next_games(server.slots(), server.now)
        server.restart()

    @rule(sure=st.integers(0, 30))
    @precondition(lambda self: self.server.status == "running")
    def it_is_cancelled(self, sure: int) -> None:
        if sure == 27:
            self.server.keep(self.server.tournament.cancel())

    # -- what always holds ---------------------------------------------------------------------

    @invariant()
    def all_is_well(self) -> None:
        self.server.check()

    @invariant()
    def it_can_be_built_again(self) -> None:
        self.server.check_restored()

    @invariant()
    def nobody_waits_in_vain(self) -> None:
        """Check that after games have begun, no two free opponents are left without a game."""
        server = self.server
        if server.status != "running":
            return
        again, _ = server.restored()
        slots = server.slots()
        started = again.next_games(slots, server.now)
        for game in started.games:
            for player in game.players:
                slots[player] -= 1
        for pairing in again.pairings:
            if pairing.state != "open" or pairing.second is None:
                continue
            two = [again.entrants[n] for n in (pairing.first, pairing.second)]
            live = {tag for tag in again.live if tag.pairing == pairing.number}
            over = {o.tag for o in server.results(pairing.number).values()}
            if len(live | over) < server.each and server.tournament._ledger.has_time(server.now):
                room = [
                    min(slots.get(e.number, 0), e.at_once - again.playing(e.number)) for e in two
                ]
                assert min(room) <= 0 or {e.state for e in two} != {"in"}

    def teardown(self) -> None:
        """Play the tournament to its end with everybody connected and without more faults."""
        if not hasattr(self, "server"):
            return
        server = self.server
        server.offline.clear()
        there = sum(entrant.state == "in" for entrant in server.entrants.values())
        if server.terms.format == "ladder" and server.status == "running" and there < 2:
            return
        if server.terms.format == "arena":
            server.now += 600_000
        server.play_out(limit=2000)
        server.keep(server.tournament.end_in_time(server.now))
        assert server.status in ("finished", "cancelled")
        assert not server.games
        assert all(p.state != "open" for p in server.pairings.values())
        server.check()
        server.check_restored()


TournamentMachine.TestCase.settings = settings(
    max_examples=12,
    stateful_step_count=25,
    derandomize=True,
    database=None,
    suppress_health_check=QUIET,
)
TestTournaments = TournamentMachine.TestCase


@given(data=st.data())
@settings(max_examples=20, derandomize=True, database=None, suppress_health_check=QUIET)
def test_the_order_of_outcomes_does_not_matter(data: st.DataObject) -> None:
    server = SimulatedServer(make_terms("round-robin", pairs=2, patience=1000))
    server.fill(3, at_once=4)
    server.start()
    for _ in range(data.draw(st.integers(1, 14))):
        server.begin()
        if not server.games:
            break
        tag = data.draw(st.sampled_from(list(server.games)))
        how = data.draw(st.sampled_from(["completed", "crash", "void"]))
        server.finish(tag, None if how == "void" else data.draw(st.integers(0, 1)), how)
    table = server.tournament.standings()
    shuffled: list[GameOutcome] = data.draw(st.permutations(server.outcomes))
    again, _ = server.restored()
    for outcome in shuffled:
        assert not again.record(outcome)
    assert again.standings() == table
    fresh = SimulatedServer(server.terms)
    fresh.entrants, fresh.pairings, fresh.status = server.entrants, server.pairings, "running"
    fresh.restart()
    fresh.tournament.standings()
    for outcome in shuffled:
        fresh.keep(fresh.tournament.record(outcome))
    assert fresh.tournament.standings() == table
    for entrant in server.tournament.entrants:
        again_of = results_by_opponent(fresh.tournament, entrant.number)
        assert again_of == results_by_opponent(server.tournament, entrant.number)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("format_", FORMATS)
def test_long_tournaments_with_few_faults(format_: str, seed: int) -> None:
    """Mostly games and few faults, so that tournaments get far."""
    rng = Random(seed)
    at = TournamentMachine()
    at.begin(format_, rng.randint(4, 9), rng.randint(1, 3), rng.randint(1, 3), rng.random() < 0.5)
    if rng.random() < 0.5:
        at.server.terms = replace(at.server.terms, patience=1000)
        at.server.restart()

    def game() -> tuple[int, int, str, int]:
        how = rng.choice(FAULTS) if rng.random() < 0.1 else "completed"
        return rng.randrange(100), rng.randrange(3), how, rng.randint(-9, 9)

    acts = {
        at.the_server_restarts: 2,
        at.the_server_dies_before_new_games_are_stored: 2,
        at.games_begin: 4,
        lambda: at.games_are_played([game()]): 30,
        lambda: (
            at.server.games and at.the_server_dies_with_a_game_stored_and_nothing_else(game())
        ): 4,
        lambda: at.server.games and at.a_room_cannot_be_opened(rng.randrange(100)): 1,
        lambda: at.server.outcomes and at.an_outcome_is_reported_again(rng.randrange(100)): 1,
        lambda: at.somebody_joins(rng.randrange(12), rng.randint(1, 3)): 2,
        lambda: at.somebody_leaves(rng.randrange(12)): 0.6,
        lambda: at.somebody_comes_or_goes(rng.randrange(6)): 2,
        lambda: at.time_passes(30_000): 1,
    }
    for step in range(90):
        rng.choices([*acts], [*acts.values()])[0]()
        at.server.check()
        if step % 4 == 0:
            at.it_can_be_built_again()
            at.nobody_waits_in_vain()
    at.teardown()
