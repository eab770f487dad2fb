"""Players whom the results separate: bounds of their distances, and superiority."""

from __future__ import annotations

import math
import subprocess
import sys
from itertools import combinations
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from doublecross.stats import separation
from doublecross.stats.elo import EloPairing, RatingList, rate
from doublecross.stats.los import los_matrix
from doublecross.stats.pairs import Pentanomial, elo_of_score, score_of_elo

LEVEL = 0.95


def pairing(first: int, second: int, *counts: int) -> EloPairing:
    a, b, c, d, e = counts
    return EloPairing(first, second, Pentanomial((a, b, c, d, e)))


def won(first: int, second: int, pairs: int) -> EloPairing:
    return pairing(first, second, 0, 0, 0, 0, pairs)


def rated(players: int, games: list[EloPairing], anchor: int | None) -> RatingList:
    return rate(players, games, Random(1), anchor=anchor, level=LEVEL, method="analytic")


@pytest.mark.parametrize("pairs", [1, 3, 20, 1000])
def test_the_bound_of_a_clean_score_is_the_exact_one(pairs: int) -> None:
    # At the bound this many pairs without a loss have the probability 1 - LEVEL.
    least = elo_of_score((1 - LEVEL) ** (1 / pairs))
    winner = rated(2, [won(0, 1, pairs)], anchor=1).ratings[0]
    assert winner.interval.low == pytest.approx(least)
    assert winner.interval.high == math.inf
    assert winner.error == math.inf
    loser = rated(2, [won(0, 1, pairs)], anchor=0).ratings[1]
    assert loser.interval.low == -math.inf
    assert loser.interval.high == pytest.approx(-least)


def test_the_bound_uses_all_results_between_the_players() -> None:
    # 0 has always beaten 1 and 2, whose own games decide the distance between them. Compute the
    # profile by brute force: for each distance of 0 above 2 search the best strength of 1.
    games = [won(0, 1, 6), won(0, 2, 4), pairing(1, 2, 3, 2, 4, 6, 5)]
    points, pairs = games[2].pairs.points / 2, games[2].pairs.pairs

    def among_themselves(gap: float) -> float:
        share = score_of_elo(gap)
        return points * math.log(share) + (pairs - points) * math.log(1 - share)

    def profile(distance: float) -> float:
        return max(
            among_themselves(gap)
            + 6 * math.log(score_of_elo(distance - gap))
            + 4 * math.log(score_of_elo(distance))
            for gap in (x / 10 for x in range(-500, 3000))
        )

    top = max(among_themselves(x / 10) for x in range(-500, 3000))
    bound = rated(3, games, anchor=2).ratings[0].interval.low
    assert profile(bound) - top == pytest.approx(math.log(1 - LEVEL), abs=1e-3)
    assert bound > rated(2, [won(0, 1, 4)], anchor=1).ratings[0].interval.low


def test_a_chain_of_clean_scores_bounds_its_ends() -> None:
    games = [won(0, 1, 5), won(1, 2, 5), won(2, 3, 5)]
    result = rated(4, games, anchor=3)
    # At the bound the three distances are equal: 15 pairs, all with the same probability.
    step = elo_of_score((1 - LEVEL) ** (1 / 15))
    lows = [rating.interval.low for rating in result.ratings]
    assert lows[0] == pytest.approx(3 * step, abs=1e-3)
    assert lows[1] == pytest.approx(2 * elo_of_score((1 - LEVEL) ** (1 / 10)), abs=1e-3)
    assert lows[3] == 0.0


def test_players_without_a_chain_of_results_to_the_zero_point_have_no_bounds() -> None:
    # 0 and 2 have both beaten 1, so nothing is known about the distance between them.
    result = rated(3, [won(0, 1, 30), won(2, 1, 30)], anchor=0)
    other = result.ratings[2].interval
    assert (other.low, other.high) == (-math.inf, math.inf)
    assert result.ratings[1].interval.high < 0


def test_players_outside_the_chain_do_not_move_a_bound() -> None:
    games = [won(0, 1, 8)]
    alone = rated(2, games, anchor=1).ratings[0].interval.low
    more = [
        *games,
        won(2, 0, 5),
        won(1, 3, 5),
        won(4, 1, 9),
        won(0, 5, 3),
        pairing(5, 6, 1, 1, 1, 1, 1),
    ]
    assert rated(7, more, anchor=1).ratings[0].interval.low == pytest.approx(alone, abs=1e-4)


def test_fixing_the_largest_group_hardly_changes_a_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = Random(3)
    games = [
        EloPairing(i, j, Pentanomial.of(rng.choices((0.0, 0.5, 1.0, 1.5, 2.0), k=4)))
        for i, j in combinations(range(15), 2)
    ]
    games += [won(15, 3, 4), won(15, 5, 4), won(5, 16, 4)]

    def bounds() -> list[float]:
        result = rated(17, games, anchor=None)
        assert len(result.groups) == 3
        return [result.ratings[15].interval.low, result.ratings[16].interval.high]

    exact = bounds()
    matrix = los_matrix(17, games)
    monkeypatch.setattr(separation, "MAX_FREE_PLAYERS", 5)
    fixed = bounds()
    assert fixed != exact
    assert fixed == pytest.approx(exact, abs=15)
    assert fixed[0] > exact[0]  # fixed ratings allow less
    assert fixed[1] < exact[1]
    assert los_matrix(17, games)[15] == pytest.approx(matrix[15], abs=0.005)


def test_a_bound_far_below_a_flat_profile_is_found() -> None:
    # At distance zero the likelihood of 1 above 0 is nearly flat: 3, between them, is far above 1.
    games = [pairing(2, 0, 0, 0, 0, 18, 28), won(3, 0, 2), pairing(3, 1, 0, 0, 0, 15, 0)]
    low, high = (
        rated(4, games, anchor=1).ratings[0].interval.low,
        rated(4, games, anchor=1).ratings[0].interval.high,
    )
    assert low == -math.inf
    direct = -rated(4, games, anchor=3).ratings[0].interval.high
    assert direct == pytest.approx(elo_of_score((1 - LEVEL) ** (1 / 2)), abs=1e-3)
    assert high > -direct  # the distance from 3 to 1 is not certain either
    assert math.isfinite(high)


@given(
    st.integers(2, 7),
    st.lists(
        st.tuples(
            st.integers(0, 6),
            st.integers(0, 6),
            st.lists(st.sampled_from([0, 0, 0, 1, 2, 30, 5000]), min_size=5, max_size=5),
        ),
        max_size=12,
    ),
    st.integers(0, 6),
    st.sampled_from([2, 50]),
)
@settings(max_examples=60)
def test_any_results_have_ratings_bounds_and_superiority(
    players: int, results: list[tuple[int, int, list[int]]], anchor: int, fixed: int
) -> None:
    games = [pairing(i, j, *counts) for i, j, counts in results if i != j and max(i, j) < players]
    zero = anchor if anchor < players else None
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(separation, "MAX_FREE_PLAYERS", fixed)
        result = rated(players, games, zero)
        matrix = los_matrix(players, games)
    assert sorted(n for group in result.groups for n in group) == list(range(players))
    for rating in result.ratings:
        low, high = rating.interval.low, rating.interval.high
        assert -math.inf <= low <= rating.elo <= high <= math.inf
        assert math.isfinite(rating.elo)
        assert math.isinf(rating.error) == (math.isinf(low) or math.isinf(high))
    for i, j in combinations(range(players), 2):
        assert 0 <= matrix[i][j] <= 1
        assert matrix[i][j] + matrix[j][i] == pytest.approx(1)


# -- likelihood of superiority -------------------------------------------------------------------


def test_superiority_is_the_chance_that_the_distance_is_above_zero() -> None:
    games = [pairing(0, 1, 10, 15, 40, 20, 15), pairing(1, 2, 10, 15, 40, 20, 15)]
    matrix = los_matrix(3, games)
    result = rated(3, games, anchor=1)
    above = result.ratings[0]
    wanted = 0.5 * math.erfc(-above.elo / above.error / math.sqrt(2))
    assert matrix[0][1] == pytest.approx(wanted, abs=1e-9)
    assert 0.5 < matrix[0][1] < matrix[0][2] < 1
    for i, j in combinations(range(3), 2):
        assert matrix[i][j] + matrix[j][i] == pytest.approx(1)
    assert [matrix[i][i] for i in range(3)] == [0.5, 0.5, 0.5]


def test_superiority_follows_the_resamples() -> None:
    games = [pairing(0, 1, 7, 10, 20, 11, 9), pairing(0, 2, 6, 9, 20, 10, 10)]
    ahead = 0
    for seed in range(20):
        # At this level the interval starts near zero, so about half of the seeds give a low end
        # above zero.
        level = 2 * los_matrix(3, games)[0][1] - 1
        interval = (
            rate(3, games, Random(seed), anchor=1, level=level, resamples=200).ratings[0].interval
        )
        ahead += interval.low > 0
    assert 2 <= ahead <= 18


@pytest.mark.parametrize(
    ("pairs", "low", "high"), [(1, 0.85, 0.9), (3, 0.97, 0.99), (20, 0.9999999, 1)]
)
def test_superiority_of_a_clean_score_grows_with_its_pairs(
    pairs: int, low: float, high: float
) -> None:
    matrix = los_matrix(2, [won(0, 1, pairs)])
    assert low < matrix[0][1] < high
    # The signed root of the likelihood ratio between an expected score of 1/2 and of 1.
    root = math.sqrt(2 * pairs * math.log(2))
    assert matrix[1][0] == pytest.approx(0.5 * math.erfc(root / math.sqrt(2)), rel=1e-6)


def test_superiority_of_players_without_a_chain_of_results_is_a_half() -> None:
    matrix = los_matrix(4, [won(0, 1, 30), won(2, 1, 30)])
    assert (matrix[0][2], matrix[0][3], matrix[1][3]) == (0.5, 0.5, 0.5)
    assert matrix[0][1] > 0.999


def test_no_player_and_no_results() -> None:
    assert los_matrix(2, []) == ((0.5, 0.5), (0.5, 0.5))
    with pytest.raises(ValueError, match="need a player"):
        los_matrix(0, [])


@pytest.mark.processes
def test_ratings_need_no_more_than_numpy() -> None:
    # Importing scipy would take a quarter of a second of every command that shows a rating.
    program = (
        "import sys, doublecross.stats.elo, doublecross.stats.los; print('scipy' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=Path(__file__).resolve().parents[2],
        capture_output=True,
        text=True,
        timeout=30,
        check=True,
    )
    assert done.stdout.strip() == "False"
