"""Means with Student's intervals, and shares of games in clusters."""

from __future__ import annotations

import math
from random import Random

import pytest

from doublecross.stats.means import clustered_share, mean_estimate, share_interval
from doublecross.stats.pairs import Pentanomial, score_interval


@pytest.mark.parametrize(
    ("values", "quantile"),
    # The quantiles are from Student's table for 97.5 %.
    [([1.0, 2.0, 6.0], 4.303), ([0.0, 1.0, 5.0, 2.0, 2.5, 3.0], 2.571), (list(range(31)), 2.042)],
)
def test_means_have_students_interval(values: list[float], quantile: float) -> None:
    n = len(values)
    mean = sum(values) / n
    error = math.sqrt(sum((x - mean) ** 2 for x in values) / (n - 1) / n)
    found = mean_estimate(values)
    assert found.mean == pytest.approx(mean)
    assert found.interval.high - mean == pytest.approx(quantile * error, rel=0.035)
    assert mean - found.interval.low == pytest.approx(found.interval.high - mean)


def test_two_values_have_no_bounds() -> None:
    found = mean_estimate([1.0, 2.0])
    assert found.mean == 1.5
    assert not found.bounded
    assert mean_estimate([1.0, 2.0, 3.0]).bounded


def test_students_interval_covers_the_mean() -> None:
    rng = Random(11)
    inside = sum(
        0.5 in mean_estimate([rng.random() for _ in range(8)]).interval for _ in range(2000)
    )
    assert 0.935 < inside / 2000 < 0.965


def share_of_seat(rng: Random, openings: int, pairings: int) -> list[tuple[float, int]]:
    """Return points and games of seat 0 for each of some openings.

    An opening favours a seat, the same in all pairings; on average openings favour none.
    """
    sums = []
    for _ in range(openings):
        favour = rng.choice((0.1, 0.3, 0.5, 0.7, 0.9))
        games = 2 * pairings
        sums.append((float(sum(rng.random() < favour for _ in range(games))), games))
    return sums


@pytest.mark.parametrize(("openings", "pairings"), [(5, 21), (10, 6), (40, 1)])
def test_the_interval_over_openings_covers_the_truth(openings: int, pairings: int) -> None:
    rng = Random(7)
    trials, covered, by_pairs = 500, 0, 0
    for _ in range(trials):
        sums = share_of_seat(rng, openings, pairings)
        found = clustered_share(sums)
        assert found.mean == pytest.approx(sum(p for p, _ in sums) / sum(g for _, g in sums))
        covered += 0.5 in found.interval
        # For comparison, treat each pair as a cluster of its own.
        apart = [(points / games * 2, 2) for points, games in sums for _ in range(games // 2)]
        by_pairs += 0.5 in clustered_share(apart).interval
    assert 0.92 <= covered / trials <= 0.98
    if pairings > 1:
        assert by_pairs / trials < 0.75


def test_openings_of_unequal_size_weigh_by_their_games() -> None:
    found = clustered_share([(30.0, 40), (1.0, 2), (0.0, 2), (1.0, 2), (1.0, 2)])
    assert found.mean == 33 / 48
    assert found.interval.low < 0.5 < found.interval.high < 1.0


def test_openings_with_equal_results_leave_some_uncertainty() -> None:
    found = clustered_share([(21.0, 42)] * 6)
    assert found.interval.low < 0.5 < found.interval.high
    assert clustered_share([(2.0, 2)] * 30).interval.low < 1.0


@pytest.mark.parametrize("openings", [1, 2, 4])
def test_few_openings_have_no_bounds(openings: int) -> None:
    found = clustered_share([(12.0, 20), (9.0, 20), (11.0, 20), (8.0, 20)][:openings])
    assert found.mean == {1: 0.6, 2: 0.525, 4: 0.5}[openings]
    assert not found.bounded


def test_with_one_pair_for_each_opening_the_interval_is_that_of_the_pairs() -> None:
    pairs = [2.0] * 60 + [1.0] * 90 + [0.0] * 30 + [1.5] * 20
    found = clustered_share([(points, 2) for points in pairs]).interval
    same = score_interval(Pentanomial.of(pairs), Random(1))
    assert found.low == pytest.approx(same.low, abs=0.006)
    assert found.high == pytest.approx(same.high, abs=0.006)


def test_wilsons_interval_of_a_share() -> None:
    # The figures of R's `prop.test(..., correct = FALSE)`.
    for successes, tries, low, high in (
        (0, 10, 0.0, 0.277533),
        (9, 10, 0.595850, 0.982124),
        (50, 100, 0.403832, 0.596168),
    ):
        found = share_interval(successes, tries)
        assert found.low == pytest.approx(low, abs=1e-6)
        assert found.high == pytest.approx(high, abs=1e-6)
