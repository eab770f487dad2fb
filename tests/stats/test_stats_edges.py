"""Exact values of the statistics that other tests check only roughly or not at all."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import permutations
from random import Random
from typing import Any

import numpy as np
import pytest

from benchmarks.coverage import Field, coverage
from benchmarks.coverage import tournament as simulated
from doublecross.stats.elo import EloPairing, fitted
from doublecross.stats.glicko2 import MAX_DEVIATION, Glicko, update
from doublecross.stats.los import los_matrix
from doublecross.stats.means import clustered_share, mean_estimate
from doublecross.stats.pairs import Pentanomial, elo_of_score
from doublecross.stats.rated import rated, superiority
from doublecross.stats.results import GamePair
from doublecross.stats.separation import Separation, groups, reached
from doublecross.stats.summary import Summary, summarise
from tests.stats.tournaments import game, pair, results, tournament


def summary(games: list[Any], players: str = "ABC") -> Summary:
    return summarise(results(list(players), games), Random(5))


def pairs_of(strengths: dict[str, float], count: int) -> list[GamePair]:
    games = tournament(strengths, count).games
    return list(zip(games[::2], games[1::2], strict=True))


# -- means -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("n", "quantile", "short"),
    # Student's table, 97.5 %, and how far the four terms of the source stay below it.
    [(3, 4.302653, 0.131447), (5, 2.776445, 0.007072), (6, 2.570582, 0.002817)],
)
def test_quantiles_are_those_of_the_source(n: int, quantile: float, short: float) -> None:
    values = [float(at) for at in range(n)]
    mean = (n - 1) / 2
    error = math.sqrt(sum((x - mean) ** 2 for x in values) / (n - 1) / n)
    reach = mean_estimate(values).interval.high - mean
    assert reach / error == pytest.approx(quantile - short, abs=2e-6)


def test_the_interval_of_a_share_follows_from_the_residuals_of_its_clusters() -> None:
    found = clustered_share([(24.0, 40), (16.0, 40), (20.0, 40), (22.0, 40), (18.0, 40)])
    # The squares are 40; 20 pairs more bring a doubt of half each, so 10.
    reach = (2.776445 - 0.007072) * math.sqrt(1.25 * 50 / 200**2)
    assert found.mean == 0.5
    assert found.interval.low == pytest.approx(0.5 - reach, abs=1e-6)
    assert found.interval.high == pytest.approx(0.5 + reach, abs=1e-6)


def test_a_share_stays_between_nothing_and_all() -> None:
    high = clustered_share([(4.0, 4)] * 4 + [(2.0, 4)])
    low = clustered_share([(0.0, 4)] * 4 + [(2.0, 4)])
    assert (high.interval.high, low.interval.low) == (1.0, 0.0)


# -- ratings -----------------------------------------------------------------------------------


def test_no_absence_makes_a_player_less_known_than_a_new_one() -> None:
    won = [(Glicko(), 1.0)]
    long, none = update(Glicko(), won, periods=1e6), update(Glicko(), won, periods=0.0)
    assert long.deviation == pytest.approx(none.deviation, rel=1e-12)
    assert long.rating == pytest.approx(none.rating, rel=1e-12)
    assert long.deviation < MAX_DEVIATION


@pytest.mark.parametrize("anchor", [None, 0, 1])
def test_the_error_of_two_ratings_belongs_to_their_intervals(anchor: int | None) -> None:
    pairs = pairs_of({"A": 80, "B": 0}, 60)
    found = rated(pairs, Random(5), anchor, 500)
    score = sum(one.points(0) + other.points(0) for one, other in pairs) / 120
    whole = elo_of_score(score)
    assert found.ratings[0].elo - found.ratings[1].elo == pytest.approx(whole)
    for rating in found.ratings.values():
        length = rating.interval.high - rating.interval.low
        assert rating.error == pytest.approx(length / (2 * 1.959964), abs=1e-4)
    if anchor is not None:
        other = found.ratings[1 - anchor]
        assert (found.ratings[anchor].elo, found.ratings[anchor].error) == (0.0, 0.0)
        assert other.error > 1.0


def test_equal_players_have_no_negative_zero() -> None:
    games = [*pair(0, (0, 1), 0, 1), *pair(1, (0, 1), 1, 0)]
    found = rated([(games[0], games[1]), (games[2], games[3])], Random(5), None, 100)
    assert [f"{rating.elo:g}" for rating in found.ratings.values()] == ["0", "0"]


def test_superiority_is_known_of_every_two_of_three() -> None:
    pairs = pairs_of({"A": 80, "B": 0, "C": -80}, 10)
    found = superiority(pairs)
    assert set(found) == set(permutations(range(3), 2))
    assert found[0, 1] + found[1, 0] == pytest.approx(1.0)
    assert found[0, 2] > 0.5 > found[2, 0]


def test_nothing_is_said_of_a_distance_that_results_leave_open() -> None:
    pairings = [EloPairing(0, 1, Pentanomial((0, 0, 0, 0, 5)))]
    couples, strengths = fitted(2, pairings)
    separation = Separation(couples, reached(couples), strengths)
    won, lost = np.array([1.0, -1.0]), np.array([-1.0, 1.0])
    assert separation.lower(lost, 0.95) == -math.inf
    with pytest.raises(ValueError, match="say nothing"):
        separation.deficit(lost)
    # Ten games won: the likelihood of equal players lacks ten times log 2 at most, by pairs five.
    assert 0.0 < separation.deficit(won) <= 10 * math.log(2)
    assert separation.lower(won, 0.95) < math.inf
    matrix = los_matrix(2, pairings)
    assert matrix[0][1] == pytest.approx(
        0.5 * math.erfc(-math.sqrt(2.0 * separation.deficit(won)) / math.sqrt(2.0))
    )


def test_a_fit_converges_from_far_away() -> None:
    # Full steps of Newton's method would jump ever further: at a distance of 16 the likelihood is
    # nearly straight.
    pairings = [EloPairing(0, 1, Pentanomial((0, 2, 4, 6, 8)))]
    couples, strengths = fitted(2, pairings)
    near = Separation(couples, reached(couples), strengths)
    far = Separation(couples, reached(couples), np.array([8.0, -8.0]))
    contrast = np.array([1.0, -1.0])
    # 30 of 40 points in 20 pairs, each one observation.
    most = 15 * math.log(0.75) + 5 * math.log(0.25)
    for separation in (near, far):
        assert separation.deficit(contrast) == pytest.approx(most - 20 * math.log(0.5))
        assert separation.lower(contrast, 0.95) == pytest.approx(near.lower(contrast, 0.95))
    # The bound of the profile: the likelihood there lacks log 20 of the maximum.
    low = near.lower(contrast, 0.95)
    share = 1 / (1 + math.exp(-low))
    reached_there = 15 * math.log(share) + 5 * math.log(1 - share)
    assert reached_there == pytest.approx(most + math.log(0.05), abs=1e-6)
    assert low < math.log(3)


def cycle() -> Separation:
    """Return the fit of three players who all met, from where the prior puts them."""
    counts = {(0, 1): (0, 2, 4, 6, 8), (2, 0): (1, 3, 5, 2, 0), (1, 2): (2, 2, 3, 4, 1)}
    pairings = [EloPairing(i, j, Pentanomial(found)) for (i, j), found in counts.items()]
    couples, strengths = fitted(3, pairings)
    return Separation(couples, reached(couples), strengths)


def test_a_fit_needs_only_a_few_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    # Newton's method doubles the number of right digits with each step. With a wrong second
    # derivative it would still arrive, but need dozens of steps.
    contrasts = [np.array([1.0, -1.0, 0.0]), np.array([0.0, 1.0, -1.0])]
    wanted = [cycle().lower(contrast, 0.95) for contrast in contrasts]
    monkeypatch.setattr("doublecross.stats.separation._MAX_STEPS", 7)
    found = [cycle().lower(contrast, 0.95) for contrast in contrasts]
    assert found == pytest.approx(wanted)
    monkeypatch.setattr("doublecross.stats.separation._MAX_STEPS", 1)
    with pytest.raises(ArithmeticError, match="does not converge"):
        cycle().lower(contrasts[0], 0.95)


def test_groups_come_from_the_strongest_down() -> None:
    reach = np.eye(4, dtype=bool)
    reach[1, 3] = reach[3, 1] = True
    assert groups(reach, np.array([0.0, -1.0, 2.0, 1.0])) == ((2,), (3, 1), (0,))
    assert groups(reach, np.zeros(4)) == ((0,), (1, 3), (2,))


# -- summaries ---------------------------------------------------------------------------------


def test_pairs_are_counted_by_how_they_were_decided() -> None:
    found = summary(
        [
            *pair(0, (0, 1), 0, 1),
            *pair(1, (0, 1), 0, None),
            *pair(2, (0, 1), 1, None),
            *pair(3, (0, 1), 1, 1),
            *pair(4, (0, 1), 0, 0),
            *pair(5, (0, 2), 0, 0),
        ]
    )
    assert found.decided == (1, 2, 3)


def test_pairs_come_in_the_order_in_which_their_last_game_ended() -> None:
    games = [
        game(0, 0, (0, 1), 0, finished_ms=10),
        game(0, 1, (0, 1), 0, finished_ms=90),
        game(1, 0, (0, 1), 0, finished_ms=20),
        game(1, 1, (0, 1), 0, finished_ms=30),
    ]
    assert [one.pair for one, _ in summary(games, "AB").pairs] == [1, 0]


def test_endings_that_are_as_frequent_come_by_name() -> None:
    games = [
        *pair(0, (0, 1), 0, 0, termination="timeout"),
        *pair(1, (0, 1), 0, 0, termination="resigned"),
        *pair(2, (0, 1), 0, 0, termination="completed"),
        *pair(3, (0, 1), 0, 0, termination="completed"),
    ]
    assert list(summary(games, "AB").terminations.items()) == [
        ("completed", 4),
        ("resigned", 2),
        ("timeout", 2),
    ]


def test_games_may_take_no_time_and_no_move() -> None:
    played = game(0, 0, (0, 1), 0, mean_s=(0.0, 0.0), longest_s=(0.0, 0.0), moves=(0, 0))
    assert played.moves == (0, 0)
    assert replace(played, finished_ms=0).finished_ms == 0
    for wrong in ({"moves": (-1, 0)}, {"mean_s": (-0.1, 0.0)}, {"finished_ms": -1}):
        with pytest.raises(ValueError):
            replace(played, **wrong)


# -- simulations -------------------------------------------------------------------------------


def test_only_neighbours_meet_where_strengths_are_known() -> None:
    field = Field(players=4, pairs=3, near=1)
    met = simulated([30.0, 0.0, 10.0, 20.0], field, np.random.default_rng(1))
    assert {(one.first, one.second) for one in met} == {(0, 3), (1, 2), (2, 3)}


def test_the_mean_of_all_ratings_is_never_off() -> None:
    found = coverage(Field(players=3, pairs=60), 2, Random(1), method="analytic")
    assert found.off == pytest.approx(0.0, abs=1e-6)
    assert found.intervals == 6
