"""Ladder: opponents, ratings, rests, entrants who leave and return, and the end."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from doublecross.server.tournaments.core.allocation import NewGame
from doublecross.stats.glicko2 import Glicko, update
from doublecross.stats.pairs import score_of_elo
from tests.server.tournaments.core.hall import Hall, make_terms


def began(players: int, at_once: int = 1, **terms: object) -> Hall:
    hall = Hall(make_terms("ladder", **terms))
    hall.fill(players, at_once)
    hall.start()
    return hall


def test_it_starts_empty_and_fills() -> None:
    hall = began(0)
    assert hall.status == "running"
    hall.join("a")
    assert hall.begin() == ()
    hall.join("b")
    (game,) = hall.begin()
    assert set(game.players) == {0, 1}


def test_both_games_begin_together_when_there_is_time() -> None:
    hall = began(2, at_once=2)
    assert [(g.tag.pairing, g.tag.game) for g in hall.begin()] == [(0, 0), (0, 1)]


@pytest.mark.parametrize("players", [3, 4, 5])
def test_in_a_small_ladder_everybody_meets_everybody(players: int) -> None:
    couples = players * (players - 1) // 2
    hall = began(players, rounds=8 * couples)
    hall.play_out()
    assert hall.status == "finished"
    assert len(hall.pairings) == 8 * couples
    counts = Counter({couple: len(ps) for couple, ps in hall.by_couple().items()})
    assert len(counts) == couples
    assert min(counts.values()) >= 4
    hall.check()


def test_opponents_are_near_in_rating_and_change() -> None:
    rng = Random(5)
    strength = [1000 + 100 * n for n in range(24)]
    hall = began(24, rounds=1500)

    def result(game: NewGame) -> int:
        one, other = game.players
        return one if rng.random() < score_of_elo(strength[one] - strength[other]) else other

    hall.play_out(result)
    late = [hall.pairings[n] for n in range(1000, 1500)]
    gaps = [abs(strength[p.first] - strength[p.second or 0]) for p in late]
    assert sum(gaps) / len(gaps) < 550  # 833 among random ones
    last: dict[int, int] = {}
    repeats = 0
    for number in range(1500):
        one, other = hall.tournament.pairings[number].first, hall.tournament.pairings[number].second
        assert other is not None
        repeats += last.get(one) == other or last.get(other) == one
        last[one], last[other] = other, one
    assert repeats < 75
    played = Counter(n for p in hall.pairings.values() for n in (p.first, p.second))
    assert max(played.values()) - min(played.values()) <= 30
    ratings = [hall.tournament.standings()[at].number for at in range(24)]
    assert sum(ratings[:8]) / 8 > 16 > 7 > sum(ratings[16:]) / 8
    hall.check()


def test_two_who_have_just_met_wait_for_others_but_not_for_long() -> None:
    hall = began(4)
    hall.begin()
    slow, fast = (
        [g.tag for g in hall.games.values() if 3 in g.players],
        [g.tag for g in hall.games.values() if 3 not in g.players],
    )
    assert len(slow) == len(fast) == 1
    hall.finish(fast[0])
    (second,) = hall.begin()
    hall.now += 5_000
    hall.finish(second.tag)
    assert hall.begin() == ()
    assert hall.wake_ms == hall.now + 5_010
    hall.check_restored()
    hall.now += 5_009
    assert hall.begin() == ()
    hall.now += 1
    (again,) = hall.begin()
    assert set(again.players) == set(second.players)
    assert hall.wake_ms is None


def test_two_alone_play_on_without_a_rest() -> None:
    hall = began(2)
    for _ in range(5):
        (game,) = hall.begin()
        hall.now += 5_000
        hall.finish(game.tag)
    assert len(hall.pairings) == 3


def test_a_player_that_hangs_delays_nobody() -> None:
    hall = began(5, rounds=60)
    hall.play_out(hangs=[4])
    assert len(hall.pairings) == 60
    played = Counter(n for p in hall.pairings.values() for n in (p.first, p.second))
    assert played[4] == 1


def test_ratings_are_glicko_2_a_pair_at_a_time() -> None:
    hall = Hall(make_terms("ladder"))
    hall.join("a", 2, seed_rating=1600.0)
    hall.join("b", 2)
    hall.start()
    for tag in [game.tag for game in hall.begin()]:
        hall.finish(tag, 0)
    a, b = Glicko(rating=1600.0), Glicko()
    expected = {0: update(a, [(b, 1.0), (b, 0.0)]), 1: update(b, [(a, 0.0), (a, 1.0)])}
    assert {line.number: line.rating for line in hall.tournament.standings()} == expected
    (first, *_) = hall.begin()
    hall.finish(first.tag, None)
    assert {line.number: line.rating for line in hall.tournament.standings()} == expected
    hall.check_restored()


def test_a_newcomer_goes_first_and_finds_somebody_near() -> None:
    hall = began(8)
    for _ in range(100):
        hall.begin()
        tag = next(iter(hall.games))
        hall.finish(tag, hall.games[tag].players.index(min(hall.games[tag].players)))
    number = hall.join("late")
    while not any(number in game.players for game in hall.begin()):
        tag = next(iter(hall.games))
        hall.finish(tag, 0)
    hall.check()


def test_an_entrant_who_leaves_and_returns_keeps_its_rating() -> None:
    hall = began(2, at_once=2)
    for game in hall.begin():
        hall.finish(game.tag, game.players.index(0))
    before = hall.tournament.standings()
    hall.leave("bot0")
    hall.join("bot0")
    assert hall.tournament.standings() == before


def test_a_cancelled_ladder_finishes_and_live_games_count() -> None:
    hall = began(2)
    (game,) = hall.begin()
    hall.finish(game.tag)
    (game,) = hall.begin()
    hall.keep(hall.tournament.cancel())
    assert hall.status == "finished"
    assert hall.begin() == ()
    hall.check()
    hall.finish(game.tag)
    assert hall.pairings[0].state == "done"
    assert hall.tournament.standings()[0].games == 2
    hall.check()
    hall.check_restored()
