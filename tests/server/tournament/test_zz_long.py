"""Tournaments of every format under results, joins, leaves, faults and restarts in any order."""

from __future__ import annotations

import hypothesis.strategies as st
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from server.tournament.errors import TournamentError
from server.tournament.rows import Entrant, Outcome, Pairing, Tag
from server.tournament.terms import FORMATS
from tests.server.tournament.hall import Hall, make_terms

PICK = st.integers(0, 99)
GOOD = st.sampled_from(["completed"] * 6 + ["resigned"])
FAULT = st.sampled_from(["crash", "illegal", "timeout", "disconnect"])
QUIET = list(HealthCheck)


class TournamentMachine(RuleBasedStateMachine):
    hall: Hall

    @initialize(
        format_=st.sampled_from(FORMATS),
        players=st.integers(2, 6),
        pairs=st.integers(1, 3),
        at_once=st.integers(1, 3),
        late=st.booleans(),
    )
    def begin(self, format_: str, players: int, pairs: int, at_once: int, late: bool) -> None:
        rounds = {"swiss": 4, "ladder": 25}.get(format_)
        self.hall = Hall(
            make_terms(
                format_,
                pairs=1 if format_ == "ladder" else pairs,
                rounds=rounds,
                late=late and format_ != "knockout",
                patience=2,
                openings=((0,), (1,)),
            )
        )
        self.hall.fill(players, at_once)
        self.hall.start()

    def pick(self, pick: int) -> Tag:
        return list(self.hall.games)[pick % len(self.hall.games)]

    # -- games ---------------------------------------------------------------------------------

    @rule()
    def games_begin(self) -> None:
        self.hall.begin()

    @rule(pick=PICK, winner=st.sampled_from([0, 1, None]), how=GOOD, net=st.integers(-9, 9))
    @precondition(lambda self: self.hall.games)
    def a_game_ends(self, pick: int, winner: int | None, how: str, net: int) -> None:
        self.hall.finish(self.pick(pick), winner, how, (max(net, 0), max(-net, 0)))

    @rule(pick=PICK, winner=st.integers(0, 1), how=FAULT)
    @precondition(lambda self: self.hall.games)
    def a_player_fails(self, pick: int, winner: int, how: str) -> None:
        self.hall.finish(self.pick(pick), winner, how)

    @rule(pick=PICK, how=st.sampled_from(["void", "aborted"]))
    @precondition(lambda self: self.hall.games)
    def a_game_is_void(self, pick: int, how: str) -> None:
        self.hall.finish(self.pick(pick), None, how)

    @rule(pick=PICK)
    @precondition(lambda self: self.hall.games)
    def a_room_cannot_be_opened(self, pick: int) -> None:
        tag = self.pick(pick)
        del self.hall.games[tag]
        self.hall.begun = [game for game in self.hall.begun if game.tag != tag]
        self.hall.keep(self.hall.tournament.dropped(tag))

    @rule(pick=PICK)
    @precondition(lambda self: self.hall.outcomes)
    def an_outcome_is_told_again(self, pick: int) -> None:
        outcome = self.hall.outcomes[pick % len(self.hall.outcomes)]
        assert not self.hall.tournament.over(outcome)

    # -- players -------------------------------------------------------------------------------

    @rule(number=st.integers(0, 7), at_once=st.integers(1, 3))
    def somebody_joins(self, number: int, at_once: int) -> None:
        hall = self.hall
        name = f"bot{number}"
        known = hall.tournament.find(name)
        ladder = hall.terms.format == "ladder"
        may = hall.status == "running" and (
            (hall.terms.late or ladder)
            if known is None
            else known.state == "left" and hall.terms.format != "knockout"
        )
        if may:
            hall.join(name, at_once)
        else:
            with pytest.raises(TournamentError):
                hall.join(name, at_once)

    @rule(number=st.integers(0, 7))
    def somebody_leaves(self, number: int) -> None:
        found = self.hall.tournament.find(f"bot{number}")
        if self.hall.status == "running" and found is not None and found.state == "in":
            self.hall.leave(found.name)
        else:
            with pytest.raises(TournamentError):
                self.hall.leave(f"bot{number}")

    @rule(number=st.integers(0, 5))
    @precondition(lambda self: self.hall.status == "running")
    def somebody_is_set_aside(self, number: int) -> None:
        if number < len(self.hall.entrants):
            self.hall.keep(self.hall.tournament.set_aside(number, "for a test", self.hall.now))

    @rule(number=st.integers(0, 5))
    def somebody_comes_or_goes(self, number: int) -> None:
        self.hall.offline ^= {number}

    @rule(ms=st.sampled_from([1, 10, 30_000]))
    def time_passes(self, ms: int) -> None:
        self.hall.now += ms

    # -- the server ----------------------------------------------------------------------------

    @rule()
    def the_server_restarts(self) -> None:
        self.hall.restart()

    @rule(pick=PICK, winner=st.sampled_from([0, 1, None]), how=st.one_of(GOOD, FAULT))
    @precondition(lambda self: self.hall.games)
    def the_server_dies_with_a_game_stored_and_nothing_else(
        self, pick: int, winner: int | None, how: str
    ) -> None:
        """The rows that follow from the game are found again, and the same ones."""
        hall = self.hall
        if winner is None:
            how = "completed"
        before: tuple[dict[int, Entrant], dict[int, Pairing]] = (
            dict(hall.entrants),
            dict(hall.pairings),
        )
        status = hall.status
        hall.finish(self.pick(pick), winner, how)
        told = hall.entrants, hall.pairings, hall.status
        hall.entrants, hall.pairings = before
        hall.status = status
        hall.restart()
        assert (hall.entrants, hall.pairings, hall.status) == told

    @rule()
    def the_server_dies_before_new_games_are_stored(self) -> None:
        hall = self.hall
        hall.tournament.next_games(hall.slots(), hall.now)
        hall.restart()

    @rule(sure=st.integers(0, 9))
    @precondition(lambda self: self.hall.status == "running")
    def it_is_cancelled(self, sure: int) -> None:
        if sure == 7:
            self.hall.keep(self.hall.tournament.cancel(self.hall.now))

    # -- what always holds ---------------------------------------------------------------------

    @invariant()
    def all_is_well(self) -> None:
        self.hall.check()

    @invariant()
    def it_can_be_built_again(self) -> None:
        self.hall.check_restored()

    @invariant()
    def nobody_waits_in_vain(self) -> None:
        """Once games have begun, no two could play each other and do not."""
        hall = self.hall
        if hall.status != "running":
            return
        again, _ = hall.restored()
        slots = hall.slots()
        started = again.next_games(slots, hall.now)
        for game in started.games:
            for player in game.players:
                slots[player] -= 1
        for pairing in again.pairings:
            if pairing.state == "open" and pairing.second is not None:
                two = pairing.first, pairing.second
                live = {tag.game for tag in again.live if tag.pairing == pairing.number}
                over = hall.results(pairing.number)
                if len(live | set(over)) < 2:
                    room = [
                        min(slots.get(n, 0), again.entrants[n].at_once - again.playing(n))
                        for n in two
                    ]
                    attempts = {t.attempt for t in again.live if t.pairing == pairing.number}
                    assert min(room) <= 0 or len(attempts) > 1

    def teardown(self) -> None:
        """With everybody there and no more faults it comes to its end."""
        if not hasattr(self, "hall"):
            return
        hall = self.hall
        hall.offline.clear()
        there = sum(entrant.state == "in" for entrant in hall.entrants.values())
        if hall.terms.format == "ladder" and hall.status == "running" and there < 2:
            return
        hall.play_out(limit=2000)
        assert hall.status in ("finished", "cancelled")
        assert not hall.games
        assert all(p.state != "open" for p in hall.pairings.values())
        hall.check()
        hall.check_restored()


TournamentMachine.TestCase.settings = settings(
    max_examples=1500,
    stateful_step_count=60,
    derandomize=True,
    database=None,
    deadline=None,
    suppress_health_check=QUIET,
)
TestTournaments = TournamentMachine.TestCase


@given(data=st.data())
@settings(
    max_examples=20, derandomize=True, database=None, deadline=None, suppress_health_check=QUIET
)
def test_outcomes_count_the_same_in_whatever_order_they_come(data: st.DataObject) -> None:
    hall = Hall(make_terms("round-robin", pairs=2, patience=1000))
    hall.fill(3, at_once=4)
    hall.start()
    for _ in range(data.draw(st.integers(1, 14))):
        hall.begin()
        if not hall.games:
            break
        tag = data.draw(st.sampled_from(list(hall.games)))
        how = data.draw(st.sampled_from(["completed", "crash", "void"]))
        hall.finish(tag, None if how == "void" else data.draw(st.integers(0, 1)), how)
    table = hall.tournament.standings()
    shuffled: list[Outcome] = data.draw(st.permutations(hall.outcomes))
    again, _ = hall.restored()
    for outcome in shuffled:
        assert not again.over(outcome)
    assert again.standings() == table
    fresh = Hall(hall.terms)
    fresh.entrants, fresh.pairings, fresh.status = hall.entrants, hall.pairings, "running"
    fresh.restart()
    fresh.tournament.standings()
    for outcome in shuffled:
        fresh.keep(fresh.tournament.over(outcome))
    assert fresh.tournament.standings() == table
    assert fresh.tournament.crosstable() == hall.tournament.crosstable()
from collections import Counter as C
SEEN=C()
_old=TournamentMachine.teardown
def _new(self):
    if hasattr(self,"hall"):
        h=self.hall
        SEEN[h.terms.format,"n"]+=1; SEEN[h.terms.format,"outcomes"]+=len(h.outcomes); SEEN[h.terms.format,h.status]+=1
        SEEN[h.terms.format,"aside"]+=sum(e.state=="aside" for e in h.entrants.values())
        SEEN[h.terms.format,"void"]+=sum(not o.has_result for o in h.outcomes)
    _old(self)
TournamentMachine.teardown=_new
def test_zzz():
    print(sorted(SEEN.items()))
