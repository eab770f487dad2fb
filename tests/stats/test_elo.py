"""Elo of all players at once: known values, simulated tournaments, players never beaten."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import combinations
from random import Random

import pytest

from doublecross.stats.elo import EloPairing, RatingList, rate
from doublecross.stats.pairs import Pentanomial, elo_of_score, score_of_elo


def pairing(first: int, second: int, *counts: int) -> EloPairing:
    a, b, c, d, e = counts
    return EloPairing(first, second, Pentanomial((a, b, c, d, e)))


def tournament(truth: Sequence[float], pairs: int, rng: Random) -> list[EloPairing]:
    """Return the results of a round robin between players of these strengths.

    A third of the games is drawn, as far as the expected scores allow.
    """

    def game(expected: float) -> float:
        drawn = min(1 / 3, 2 * expected, 2 * (1 - expected))
        chance = rng.random()
        return 0.5 if chance < drawn else float(chance < expected + drawn / 2)

    return [
        EloPairing(
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


def test_several_pairings_of_two_players_are_added_up_from_either_side() -> None:
    whole = rate(2, [pairing(0, 1, 1, 2, 3, 4, 5)], Random(1), resamples=1)
    # 15 pairs, of whose 30 points the first player won 20.
    assert [(r.score, r.pairs) for r in whole.ratings] == [
        (pytest.approx(2 / 3), 15),
        (pytest.approx(1 / 3), 15),
    ]
    parts = [pairing(0, 1, 1, 0, 3, 1, 5), pairing(1, 0, 0, 3, 0, 2, 0)]
    assert elos(rate(2, parts, Random(1), resamples=1)) == pytest.approx(elos(whole))


def most_likely(players: int, games: Sequence[EloPairing]) -> list[float]:
    """Return the ratings by the algorithm of Zermelo and Ford, which `rate` does not use.

    The prior is half a drawn game of each player, spread over its opponents in proportion to their
    pairs, and a thousandth of a drawn game against a player of strength 0.
    """
    played = [0.0] * players
    for p in games:
        played[p.first] += p.pairs.pairs
        played[p.second] += p.pairs.pairs
    scored = [0.0005] * players
    met: list[list[tuple[int, float]]] = [[] for _ in range(players)]
    for p in games:
        n = p.pairs.pairs
        drawn = 0.5 * n * (1 / played[p.first] + 1 / played[p.second]) / 2
        scored[p.first] += p.pairs.points + drawn / 2
        scored[p.second] += 2 * n - p.pairs.points + drawn / 2
        met[p.first].append((p.second, 2 * n + drawn))
        met[p.second].append((p.first, 2 * n + drawn))
    worth = [1.0] * players
    for _ in range(4000):
        for i in range(players):
            faced = sum(count / (worth[i] + worth[other]) for other, count in met[i])
            worth[i] = scored[i] / (faced + 0.001 / (worth[i] + 1.0))
        low, high = (
            1e-9,
            1e9,
        )  # the zero point: there all players together score a half against strength 0
        for _ in range(100):
            scale = math.sqrt(low * high)
            share = sum(scale * w / (1 + scale * w) for w in worth) / players
            low, high = (low, scale) if share > 0.5 else (scale, high)
        worth = [scale * w for w in worth]
    return [400 * math.log10(w / worth[0]) for w in worth]


@pytest.mark.parametrize("seed", range(3))
def test_the_ratings_are_the_most_likely_ones(seed: int) -> None:
    rng = Random(seed)
    games = tournament([0.0, 100.0, 300.0, 600.0], 3, rng)
    games += tournament([0.0, 100.0], 5, rng)
    # Add two players of whom one has won all games.
    games.append(pairing(0, 4, 0, 0, 0, 0, 2))
    result = rate(5, games, Random(1), anchor=0, method="analytic")
    assert elos(result) == pytest.approx(most_likely(5, games), abs=1e-6)


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
    # Two players have always beaten two others, in a few pairs each. Their own games decide the
    # distance between the two; the prior must not invent chances for the others.
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


def test_without_an_anchor_the_mean_of_the_largest_group_is_zero() -> None:
    games = [pairing(a, b, 0, 0, 0, 0, 20) for a, b in ((0, 1), (0, 2), (1, 3), (2, 3))]
    games.append(pairing(1, 2, 2, 3, 4, 3, 3))
    result = rate(5, games, Random(1), resamples=50)
    # The last player has not played. That must not change the ratings of the others.
    assert sorted(result.groups) == [(0,), (1, 2), (3,), (4,)]
    top, one, two, last, absent = result.ratings
    assert top.elo > one.elo > two.elo > last.elo
    assert one.elo + two.elo == pytest.approx(0.0, abs=1e-6)
    assert 0 < top.interval.low <= top.elo < top.interval.high == math.inf
    assert -math.inf == last.interval.low < last.elo <= last.interval.high < 0
    assert math.isfinite(one.interval.low)
    assert math.isfinite(two.interval.high)
    assert (absent.interval.low, absent.interval.high) == (-math.inf, math.inf)
    assert [math.isinf(rating.error) for rating in result.ratings] == [
        True,
        False,
        False,
        True,
        True,
    ]


def test_the_zero_point_of_equally_large_groups_is_in_the_strongest_one() -> None:
    games = [pairing(a, b, 0, 0, 0, 0, 20) for a, b in ((0, 1), (0, 2), (1, 2))]
    result = rate(3, games, Random(1), resamples=50)
    assert result.groups == ((0,), (1,), (2,))
    top, middle, last = result.ratings
    assert (top.elo, top.interval.low, top.interval.high) == (0.0, 0.0, 0.0)
    for rating in (middle, last):
        assert -math.inf == rating.interval.low < rating.elo <= rating.interval.high < 0
    assert middle.elo > last.elo


def test_the_two_methods_agree_where_there_are_many_pairs() -> None:
    games = tournament([0.0, 50.0, 100.0, 150.0], 200, Random(2))
    drawn = rate(4, games, Random(1), anchor=0, resamples=2000)
    analytic = rate(4, games, Random(1), anchor=0, method="analytic")
    assert elos(drawn) == elos(analytic)
    for one, other in zip(drawn.ratings[1:], analytic.ratings[1:], strict=True):
        length = one.interval.high - one.interval.low
        assert length == pytest.approx(other.interval.high - other.interval.low, rel=0.1)
        assert one.error == other.error
        assert length == pytest.approx(2 * 1.96 * one.error, rel=0.1)
    assert (drawn.ratings[0].error, analytic.ratings[0].error) == (0.0, 0.0)


def test_pairs_that_end_alike_give_a_longer_interval_than_pairs_that_the_seat_decides() -> None:
    # The score and the number of games are equal, but pairs are independent, not games.
    alike, seats = pairing(0, 1, 50, 0, 0, 0, 50), pairing(0, 1, 2, 0, 96, 0, 2)
    wide, narrow = (
        rate(2, [games], Random(1), anchor=1).ratings[0].error for games in (alike, seats)
    )
    assert wide / narrow > 4


def test_the_level_sets_the_length_and_the_seed_the_draws() -> None:
    games = tournament([0.0, 50.0, 100.0], 20, Random(2))

    def length(seed: int, level: float) -> float:
        interval = rate(3, games, Random(seed), level=level, resamples=300).ratings[0].interval
        return interval.high - interval.low

    assert length(1, 0.95) == length(1, 0.95)
    assert length(1, 0.95) != length(2, 0.95)
    assert length(1, 0.5) < 0.5 * length(1, 0.95) < 0.5 * length(1, 0.999)


def test_pairs_that_all_ended_alike_leave_some_uncertainty() -> None:
    # Every opening was won by the same seat.
    result = rate(2, [pairing(0, 1, 0, 0, 10, 0, 0)], Random(1), anchor=1)
    interval = result.ratings[0].interval
    assert -100 < interval.low < -10 < 10 < interval.high < 100


def test_players_who_meet_once_have_intervals_of_the_right_length() -> None:
    # No matchup shows any spread by itself, only all together do. The variance of the score is
    # about a half a pair; with 8 pairs a player the standard error is about 90 Elo points.
    rng = Random(1)
    games = [
        EloPairing(i, (i + step) % 60, Pentanomial.of(rng.choices((0.0, 1.0, 2.0), (1, 2, 1))))
        for i in range(60)
        for step in (1, 7, 11, 23)
    ]
    result = rate(60, games, Random(1), resamples=100)
    assert len(result.groups) == 1
    lengths = [rating.interval.high - rating.interval.low for rating in result.ratings]
    assert 300 < sum(lengths) / 60 < 500
    assert min(lengths) > 150


def test_players_without_games_stay_in_the_middle() -> None:
    result = rate(3, [pairing(0, 1, 0, 0, 10, 0, 0)], Random(1), resamples=20)
    assert elos(result) == pytest.approx([0.0, 0.0, 0.0], abs=1e-6)
    assert result.ratings[2].pairs == 0
    assert result.ratings[2].score == 0.5


@pytest.mark.parametrize("distance", [2000.0, 5000.0])
def test_extreme_results_can_be_fitted(distance: float) -> None:
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
        (2, [pairing(-1, 0, 0, 0, 1, 0, 0)], {}, "no player -1"),
        (2, [], {"anchor": 5}, "no player 5"),
        (2, [], {"level": 1.0}, "between 0 and 1"),
        (2, [], {"resamples": 0}, "needs resamples"),
    ],
)
def test_invalid_arguments_are_refused(
    players: int, games: list[EloPairing], options: dict[str, float], says: str
) -> None:
    with pytest.raises(ValueError, match=says):
        rate(players, games, Random(1), **options)  # type: ignore[arg-type]
