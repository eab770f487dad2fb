"""Check that intervals cover the truth as often as their level says, in simulated tournaments."""

from __future__ import annotations

import math
from random import Random

import numpy as np
import pytest

from benchmarks.coverage import Field, coverage, outcomes, tournament
from doublecross.stats.elo import EloPairing, Method, rate
from doublecross.stats.pairs import OUTCOMES, Pentanomial, score_of_elo


@pytest.mark.parametrize(("method", "simulations"), [("bootstrap", 80), ("analytic", 400)])
def test_intervals_of_a_round_robin_cover_the_truth(method: Method, simulations: int) -> None:
    """This is the short form of `python -m benchmarks ratings coverage`."""
    found = coverage(Field(), simulations, Random(1), method=method, resamples=300)
    assert found.intervals == 8 * simulations
    assert 0.93 <= found.covered <= 0.97
    # The intervals miss equally often on both sides, and are not longer than necessary.
    assert found.below == pytest.approx(1 - found.covered - found.above)
    assert 0.01 < found.below < 0.04
    assert 24 < found.length < 27
    assert found.one_sided == 0
    assert abs(found.off) < 0.5


def test_intervals_of_another_level_cover_the_truth_that_often() -> None:
    found = coverage(Field(pairs=30), 60, Random(2), level=0.8, resamples=200)
    assert 0.77 <= found.covered <= 0.83


@pytest.mark.parametrize(
    ("method", "simulations", "least", "most"),
    [("bootstrap", 40, 0.92, 0.98), ("analytic", 400, 0.944, 0.966)],
)
def test_intervals_of_a_ladder_where_players_hardly_meet_twice_cover_the_truth(
    method: Method, simulations: int, least: float, most: float
) -> None:
    field = Field(20, 1, chance=True)
    found = coverage(field, simulations, Random(3), method=method, resamples=200)
    assert least <= found.covered <= most


@pytest.mark.parametrize(
    "field",
    [
        Field(20, 5, spread=1500, near=2, seat=0.0, drawn=0.1),
        Field(12, 6, spread=1500, seat=0.0, drawn=0.1),
    ],
)
def test_intervals_of_wide_fields_cover_the_truth_at_their_ends_too(field: Field) -> None:
    found = coverage(field, 100, Random(5), method="analytic")
    assert 0.92 <= found.covered <= 0.98
    assert 0.91 <= found.outer <= 0.98


def test_a_prior_does_not_compress_the_ratings_of_a_long_chain_of_players() -> None:
    """Each player meets the next two on each side and scores what is expected."""
    pairings = []
    for i in range(30):
        for j in range(i + 1, min(30, i + 3)):
            expected = 20 * score_of_elo(75.0 * (i - j))
            wins = round(expected)
            pairings.append(EloPairing(i, j, Pentanomial((20 - wins, 0, 0, 0, wins))))
    found = rate(30, pairings, Random(1), method="analytic")
    span = found.ratings[29].elo - found.ratings[0].elo
    assert span == pytest.approx(29 * 75, rel=0.1)


def test_intervals_of_few_pairs_with_clean_scores_among_them_cover_the_truth() -> None:
    field = Field(2, 10, spread=1000, seat=0.0, alike=0.5, drawn=0.0)
    found = coverage(field, 300, Random(4), anchor=0, method="analytic")
    assert found.intervals == 300
    assert 0.2 < found.one_sided < 0.6
    assert 0.92 <= found.covered <= 0.99


@pytest.mark.parametrize("elo", [-200.0, -70.0, 0.0, 130.0, 200.0])
@pytest.mark.parametrize("field", [Field(), Field(seat=0.0, alike=0.0), Field(alike=1.0)])
def test_pairs_have_the_expected_score_of_the_strengths(elo: float, field: Field) -> None:
    chances = outcomes(score_of_elo(elo), field)
    assert sum(chances) == pytest.approx(1)
    assert min(chances) >= 0
    mean = sum(p * score for p, score in zip(chances, OUTCOMES, strict=True))
    assert mean / 2 == pytest.approx(score_of_elo(elo))


def test_the_games_of_a_pair_depend_on_each_other_as_asked() -> None:
    def variance(field: Field) -> float:
        return sum(p * (s - 1) ** 2 for p, s in zip(outcomes(0.5, field), OUTCOMES, strict=True))

    plain = Field(seat=0.0, alike=0.0, drawn=0.0)
    assert variance(plain) == pytest.approx(0.5)
    assert variance(Field(seat=0.4, alike=0.0, drawn=0.0)) == pytest.approx(0.3)
    assert variance(Field(seat=0.0, alike=1.0, drawn=0.0)) == pytest.approx(1.0)
    assert variance(Field(seat=0.0, alike=0.0, drawn=0.5)) == pytest.approx(0.25)


def test_a_simulated_tournament_has_the_right_number_of_pairs() -> None:
    rng = np.random.default_rng(1)
    sizes = [p.pairs.pairs for p in tournament([0.0, 50.0, 100.0], Field(3, 7), rng)]
    assert sizes == [7, 7, 7]
    chance = tournament([0.0, 50.0, 100.0], Field(3, 7, chance=True), rng)
    assert sum(p.pairs.pairs for p in chance) == 21


@pytest.mark.parametrize(
    ("values", "says"),
    [({"players": 1}, "two players"), ({"spread": 600.0}, "600 Elo points apart")],
)
def test_impossible_fields_are_refused(values: dict[str, float], says: str) -> None:
    with pytest.raises(ValueError, match=says):
        Field(**values)  # type: ignore[arg-type]


def test_lengths_are_of_intervals_with_two_ends() -> None:
    field = Field(2, 1, spread=1000, seat=0.0, alike=1.0, drawn=0.0)
    found = coverage(field, 3, Random(1), anchor=0, method="analytic")
    assert found.one_sided == 1.0
    assert math.isnan(found.length)
