"""Arena: points and streaks, opponents, seats, pauses, bots that fill in, and the end."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from doublecross.server.core.errors import Refused
from doublecross.server.core.tournament_rows import GameOutcome
from doublecross.server.tournaments.core.allocation import NewGame
from doublecross.server.tournaments.core.formats.arena import REST_MS
from doublecross.server.tournaments.core.ledger import LAST_START_MS, LATE_MS
from tests.server.tournaments.core.simulated_server import T0, SimulatedServer, make_terms

LENGTH = 600_000


def began(*people: str, bots: tuple[str, ...] = ()) -> SimulatedServer:
    server = SimulatedServer(make_terms("arena", people=True, fillers=bots))
    for name in people:
        server.keep(server.tournament.join(name, "", 1, server.now))
    for name in bots:
        server.join(name, 2)
    server.start()
    return server


def play(server: SimulatedServer, winner: str | None) -> NewGame:
    """Play the only game that can begin; `winner` wins it (None: a draw)."""
    (game,) = server.begin()
    names = [server.entrants[n].name for n in game.players]
    server.finish(game.tag, None if winner is None else names.index(winner))
    return game


def table(server: SimulatedServer) -> dict[str, float]:
    return {line.name: line.points for line in server.tournament.standings()}


def test_after_two_wins_points_count_double_until_a_game_is_not_won() -> None:
    server = began("ann", "bob")
    points = []
    for winner in ("ann", "ann", "ann", None, "ann", "bob"):
        play(server, winner)
        points.append(table(server)["ann"])
    assert points == [2, 4, 8, 10, 12, 12]
    assert [line.on_fire for line in server.tournament.standings()] == [False, False]
    server.restart()
    assert table(server) == {"ann": 12, "bob": 3}


def test_a_free_player_meets_the_nearest_in_points_but_not_the_same_twice() -> None:
    rng = Random(3)
    server = began(*(f"p{n}" for n in range(9)))
    last: dict[int, int] = {}
    gaps, repeats = [], 0
    for _ in range(200):
        points = {line.number: line.points for line in server.tournament.standings()}
        for game in server.begin():
            one, other = game.players
            gaps.append(abs(points[one] - points[other]))
            repeats += last.get(one) == other or last.get(other) == one
            last[one], last[other] = other, one
        # Strong players win more often, so that points differ.
        tag = rng.choice(list(server.games))
        one, other = server.games[tag].players
        server.now += 1_000
        server.finish(tag, int(rng.random() * (one + other + 2) > one + 1))
    assert repeats <= len(gaps) / 20
    points = {line.number: line.points for line in server.tournament.standings()}
    spread = [abs(a - b) for a in points.values() for b in points.values() if a != b]
    assert sum(gaps) / len(gaps) < sum(spread) / len(spread) * 0.7
    firsts = Counter(p.first for p in server.pairings.values())
    seconds = Counter(p.second for p in server.pairings.values())
    assert all(abs(firsts[n] - seconds[n]) <= 2 for n in range(9))


def test_who_makes_no_first_move_pauses_until_joining_again() -> None:
    server = began("ann", "bob", "cai")
    (game,) = server.begin()
    absent = server.entrants[game.players[1]]
    outcome = GameOutcome(game.tag, 0, (0, 0), "timeout", server.now, both_moved=False)
    server.outcomes.append(outcome)
    del server.games[game.tag]
    server.keep(server.tournament.record(outcome))
    assert (server.entrants[absent.number].state, server.status) == ("left", "running")
    server.restart()
    assert absent.number not in {n for each in server.begin() for n in each.players}
    server.keep(server.tournament.join(absent.name, "", 1, server.now))
    assert server.entrants[absent.number].state == "in"


def test_bots_that_fill_in_wait_for_people_and_never_meet_each_other() -> None:
    server = began("ann", "bob", "cai", bots=("easy", "hard"))
    first, second = server.begin()
    assert {server.entrants[n].name for n in first.players} <= {"ann", "bob", "cai"}
    assert {server.entrants[n].name for n in second.players} & {"easy", "hard"}
    server.finish(second.tag)
    # The others may be free soon, so the third waits, but only for some seconds.
    assert server.begin() == ()
    assert server.wake_ms == server.now + REST_MS
    server.now += REST_MS
    (game,) = server.begin()
    assert len({server.entrants[n].name for n in game.players} & {"easy", "hard"}) == 1


def test_bots_among_themselves_have_one_game_at_a_time() -> None:
    server = SimulatedServer(make_terms("arena"))
    server.fill(4, at_once=3)
    server.start()
    assert len(server.begin()) == 2
    assert not server.begin()


def test_it_ends_with_its_time_and_a_game_that_ends_too_late_gives_no_points() -> None:
    server = began("ann", "bob", "cai", "dan")
    one, other = server.begin()
    server.now = T0 + LENGTH - LAST_START_MS
    assert not server.tournament.next_games(server.slots(), server.now).games
    server.now = T0 + LENGTH + LATE_MS - 20
    server.keep(server.tournament.end_in_time(server.now))
    server.finish(one.tag)
    assert server.status == "running"
    server.now = T0 + LENGTH + LATE_MS + 1
    server.keep(server.tournament.end_in_time(server.now))
    assert server.status == "finished"
    server.finish(other.tag)
    for _ in range(2):
        assert sorted(table(server).values()) == [0, 0, 0, 2]
        server.restart()


def test_only_an_arena_has_a_length() -> None:
    for format_, length in (("arena", None), ("swiss", LENGTH)):
        with pytest.raises(Refused, match="length"):
            make_terms(format_, length_ms=length)
