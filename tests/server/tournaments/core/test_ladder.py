"""Ladder: opponents, ratings, rests, entrants who leave and return, and the end."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from doublecross.server.tournaments.core.allocation import NewGame
from doublecross.server.tournaments.core.formats.free_pairing import BOT_VOLATILITY
from doublecross.stats.glicko2 import Glicko, update
from doublecross.stats.pairs import score_of_elo
from tests.server.tournaments.core.simulated_server import SimulatedServer, make_terms


def began(players: int, at_once: int = 1, **terms: object) -> SimulatedServer:
    server = SimulatedServer(make_terms("ladder", **terms))
    server.fill(players, at_once)
    server.start()
    return server


@pytest.mark.parametrize("players", [3, 4, 5])
def test_in_a_small_ladder_everybody_meets_everybody(players: int) -> None:
    couples = players * (players - 1) // 2
    server = began(players, rounds=8 * couples)
    server.play_out()
    assert server.status == "finished"
    assert len(server.pairings) == 8 * couples
    counts = Counter({couple: len(ps) for couple, ps in server.by_couple().items()})
    assert len(counts) == couples
    assert min(counts.values()) >= 4
    server.check()


def test_opponents_are_near_in_rating_and_change() -> None:
    rng = Random(5)
    strength = [1000 + 100 * n for n in range(24)]
    server = began(24, rounds=1500)

    def result(game: NewGame) -> int:
        one, other = game.players
        return one if rng.random() < score_of_elo(strength[one] - strength[other]) else other

    server.play_out(result)
    late = [server.pairings[n] for n in range(1000, 1500)]
    gaps = [abs(strength[p.first] - strength[p.second or 0]) for p in late]
    assert sum(gaps) / len(gaps) < 550  # 833 among random ones
    last: dict[int, int] = {}
    repeats = 0
    for number in range(1500):
        one, other = (
            server.tournament.pairings[number].first,
            server.tournament.pairings[number].second,
        )
        assert other is not None
        repeats += last.get(one) == other or last.get(other) == one
        last[one], last[other] = other, one
    assert repeats < 75
    played = Counter(n for p in server.pairings.values() for n in (p.first, p.second))
    assert max(played.values()) - min(played.values()) <= 30
    ratings = [server.tournament.standings()[at].number for at in range(24)]
    assert sum(ratings[:8]) / 8 > 16 > 7 > sum(ratings[16:]) / 8
    server.check()


def test_two_who_have_just_met_wait_for_others_but_not_for_long() -> None:
    server = began(4)
    server.begin()
    slow, fast = (
        [g.tag for g in server.games.values() if 3 in g.players],
        [g.tag for g in server.games.values() if 3 not in g.players],
    )
    assert len(slow) == len(fast) == 1
    server.finish(fast[0])
    (second,) = server.begin()
    server.now += 5_000
    server.finish(second.tag)
    assert server.begin() == ()
    assert server.wake_ms == server.now + 5_010
    server.check_restored()
    server.now += 5_009
    assert server.begin() == ()
    server.now += 1
    (again,) = server.begin()
    assert set(again.players) == set(second.players)
    assert server.wake_ms is None


def test_two_alone_play_on_without_a_rest() -> None:
    server = began(2)
    for _ in range(5):
        (game,) = server.begin()
        server.now += 5_000
        server.finish(game.tag)
    assert len(server.pairings) == 3


def test_a_player_that_hangs_delays_nobody() -> None:
    server = began(5, rounds=60)
    server.play_out(hangs=[4])
    assert len(server.pairings) == 60
    played = Counter(n for p in server.pairings.values() for n in (p.first, p.second))
    assert played[4] == 1


def test_ratings_are_glicko_2_a_pair_at_a_time() -> None:
    server = SimulatedServer(make_terms("ladder"))
    server.join("a", 2, seed_rating=1600.0)
    server.join("b", 2)
    server.start()
    for tag in [game.tag for game in server.begin()]:
        server.finish(tag, 0)
    a, b = Glicko(1600.0, volatility=BOT_VOLATILITY), Glicko(volatility=BOT_VOLATILITY)
    expected = {0: update(a, [(b, 1.0), (b, 0.0)]), 1: update(b, [(a, 0.0), (a, 1.0)])}
    assert {line.number: line.rating for line in server.tournament.standings()} == expected
    (first, *_) = server.begin()
    server.finish(first.tag, None)
    assert {line.number: line.rating for line in server.tournament.standings()} == expected
    server.check_restored()


def test_the_rating_of_an_anchor_is_fixed_and_keeps_the_scale() -> None:
    server = SimulatedServer(make_terms("ladder", anchors={"rules": 1900.0}, rounds=60))
    for name in ("Rules", "other"):
        server.join(name)
    server.start()
    rng = Random(1)
    server.play_out(lambda game: rng.choice(game.players))
    anchor, other = sorted(server.tournament.standings(), key=lambda line: line.number)
    assert anchor.rating is not None
    assert other.rating is not None
    assert (anchor.rating.rating, round(anchor.rating.deviation, 1)) == (1900.0, 0.0)
    # An equal player comes to the anchor's rating, which its interval contains.
    assert abs(other.rating.rating - 1900) < 2 * other.rating.deviation < 150
    server.check()


def test_a_newcomer_goes_first_and_finds_somebody_near() -> None:
    server = began(8)
    for _ in range(100):
        server.begin()
        tag = next(iter(server.games))
        server.finish(tag, server.games[tag].players.index(min(server.games[tag].players)))
    number = server.join("late")
    while not any(number in game.players for game in server.begin()):
        tag = next(iter(server.games))
        server.finish(tag, 0)
    server.check()


def test_an_entrant_who_leaves_and_returns_keeps_its_rating() -> None:
    server = began(2, at_once=2)
    for game in server.begin():
        server.finish(game.tag, game.players.index(0))
    before = server.tournament.standings()
    server.leave("bot0")
    server.join("bot0")
    assert server.tournament.standings() == before
