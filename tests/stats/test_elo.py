"""Elo of all players at once: known values, simulated tournaments, and players never beaten."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import combinations
from random import Random

import pytest

from stats.elo import Pairing, RatingList, rate
from stats.pairs import Pentanomial, elo_of_score, score_of_elo


def pairing(first: int, second: int, *counts: int) -> Pairing:
    a, b, c, d, e = counts
    return Pairing(first, second, Pentanomial((a, b, c, d, e)))


def tournament(truth: Sequence[float], pairs: int, rng: Random) -> list[Pairing]:
    """A round robin between players of these strengths; a third of the games is drawn as far as
    the expected scores allow."""

    def game(expected: float) -> float:
        drawn = min(1 / 3, 2 * expected, 2 * (1 - expected))
        chance = rng.random()
        return 0.5 if chance < drawn else float(chance < expected + drawn / 2)

    return [
        Pairing(
            i,
            j,
            Pentanomial.of(game(expected) + game(expected) for _ in range(pairs)),
        )
        for i, j in combinations(range(len(truth)), 2)
        for expected in (score_of_elo(truth[i] - truth[j]),)
    ]


def elos(result: RatingList) -> list[float]:
    return [rating.elo for rating in result.ratings]


def test_two_players_are_as_far_apart_as_their_score_says() -> None:
    games = [pairing(0, 1, 100, 200, 400, 600, 700)]
    result = rate(2, games, Random(1), anchor=1, resamples=200)
    expected = elo_of_score(games[0].pairs.score)
    assert elos(result) == pytest.approx([expected, 0.0], abs=0.5)
    rating, anchor = result.ratings
    assert anchor.interval.low == anchor.interval.high == 0.0
    assert (rating.score, rating.pairs) == (games[0].pairs.score, 2000)
    # The delta method: 4 standard errors of the pair score between the interval's ends.
    assert 15 < rating.interval.high - rating.interval.low < 25
    assert expected in rating.interval


def test_strengths_add_up_along_a_chain_of_players() -> None:
    games = [pairing(0, 1, 0, 1000, 0, 3000, 0), pairing(1, 2, 0, 1000, 0, 3000, 0)]
    step = elo_of_score(0.625)
    result = rate(3, games, Random(1), anchor=2, resamples=1)
    assert elos(result) == pytest.approx([2 * step, step, 0.0], abs=0.5)
    centred = rate(3, games, Random(1), resamples=1)
    assert elos(centred) == pytest.approx([step, 0.0, -step], abs=0.5)


def test_several_pairings_of_two_players_count_together_whatever_side_they_are_seen_from() -> None:
    whole = rate(2, [pairing(0, 1, 1, 2, 3, 4, 5)], Random(1), resamples=1)
    parts = [pairing(0, 1, 1, 0, 3, 1, 5), pairing(1, 0, 0, 3, 0, 2, 0)]
    assert elos(rate(2, parts, Random(1), resamples=1)) == pytest.approx(elos(whole))


def test_known_strengths_are_found_and_covered() -> None:
    truth = [0.0, 60.0, 150.0, 180.0, 400.0]
    rng = Random(4)
    trials, covered, off = 25, 0, 0.0
    for _ in range(trials):
        games = tournament(truth, 40, rng)
        result = rate(5, games, rng, anchor=0, resamples=100)
        assert len(result.groups) == 1
        for rating, elo in zip(result.ratings[1:], truth[1:], strict=True):
            covered += elo in rating.interval
            off += rating.elo - elo
    assert covered / (4 * trials) >= 0.88
    assert abs(off / (4 * trials)) < 12  # no bias beside the noise of some 25 a player


def test_a_player_never_beaten_has_a_finite_rating_and_no_upper_bound() -> None:
    games = [
        pairing(0, 1, 0, 0, 0, 0, 50),
        pairing(0, 2, 0, 0, 0, 0, 50),
        pairing(1, 2, 5, 10, 15, 12, 8),
    ]
    result = rate(3, games, Random(1), anchor=2, resamples=200)
    assert result.groups == ((0,), (1, 2))
    best, middle, _ = result.ratings
    assert 600 < best.elo < 2000
    assert best.interval.high == math.inf
    assert 300 < best.interval.low < best.elo
    assert best.score == 1.0
    assert -100 < middle.interval.low < middle.elo < middle.interval.high < 200
    below = rate(3, games, Random(1), anchor=0, resamples=200)
    assert below.ratings[1].interval.low == -math.inf
    assert -2000 < below.ratings[1].elo <= below.ratings[1].interval.high < -300


def test_clean_scores_against_others_do_not_press_a_group_together() -> None:
    # Two players who both always beat two others, a few pairs each: what separates the two is
    # known from their games with each other, and the others' chances must not be dreamt up.
    games = [pairing(0, 1, 0, 1, 0, 2, 1), pairing(2, 3, 0, 1, 0, 2, 1)]
    games += [pairing(i, j, 0, 0, 0, 0, 4) for i in (0, 1) for j in (2, 3)]
    games += [pairing(i, 4, 0, 0, 0, 0, 4) for i in range(4)]
    result = rate(5, games, Random(1), anchor=1, resamples=300)
    assert result.groups == ((0, 1), (2, 3), (4,))
    for rating in result.ratings:
        assert rating.elo in rating.interval
    alone = rate(2, games[:1], Random(1), anchor=1, resamples=300).ratings[0]
    interval = result.ratings[0].interval
    assert interval.high == pytest.approx(alone.interval.high, abs=40)
    assert interval.low == pytest.approx(alone.interval.low, abs=40)


def test_groups_and_the_mean_as_zero() -> None:
    games = [pairing(a, b, 0, 0, 0, 0, 20) for a, b in ((0, 1), (0, 2), (1, 2))]
    result = rate(3, games, Random(1), resamples=50)
    assert result.groups == ((0,), (1,), (2,))
    top, middle, last = result.ratings
    assert top.elo > middle.elo > last.elo
    assert sum(elos(result)) == pytest.approx(0.0, abs=1e-6)
    assert top.interval.high == math.inf
    assert last.interval.low == -math.inf
    assert (middle.interval.low, middle.interval.high) == (-math.inf, math.inf)


def test_players_without_games_stay_in_the_middle() -> None:
    result = rate(3, [pairing(0, 1, 0, 0, 10, 0, 0)], Random(1), resamples=20)
    assert elos(result) == pytest.approx([0.0, 0.0, 0.0], abs=1e-6)
    assert result.ratings[2].pairs == 0
    assert result.ratings[2].score == 0.5


@pytest.mark.parametrize("distance", [2000.0, 5000.0])
def test_extreme_results_are_fitted_too(distance: float) -> None:
    truth = [0.0, distance, 2 * distance, 3 * distance]
    result = rate(4, tournament(truth, 1000, Random(1)), Random(1), resamples=2)
    found = elos(result)
    assert found == sorted(found)
    assert all(map(math.isfinite, found))


@pytest.mark.parametrize(
    ("players", "games", "options", "says"),
    [
        (0, [], {}, "need a player"),
        (2, [pairing(0, 2, 0, 0, 1, 0, 0)], {}, "no player 2"),
        (2, [pairing(1, 1, 0, 0, 1, 0, 0)], {}, "with itself"),
        (2, [], {"prior_games": 0.0}, "above zero"),
        (2, [], {"anchor": 5}, "no player 5"),
    ],
)
def test_what_makes_no_sense_is_refused(
    players: int, games: list[Pairing], options: dict[str, float], says: str
) -> None:
    with pytest.raises(ValueError, match=says):
        rate(players, games, Random(1), **options)  # type: ignore[arg-type]
