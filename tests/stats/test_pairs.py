"""Game pairs: the pentanomial, scores, intervals that cover the truth, and clean scores."""

from __future__ import annotations

import math
from random import Random

import pytest

from doublecross.stats.bootstrap import Interval
from doublecross.stats.pairs import (
    OUTCOMES,
    PairFigures,
    Pentanomial,
    elo_interval,
    elo_of_score,
    los,
    normalised_elo,
    score_interval,
    score_of_elo,
)


def clean(pairs: int) -> Pentanomial:
    return Pentanomial((0, 0, 0, 0, pairs))


def test_pairs_are_counted_by_their_score() -> None:
    pairs = Pentanomial.of([2, 1, 1.5, 2, 0, 0.5, 1, 2])
    assert pairs.counts == (1, 1, 2, 1, 3)
    assert (pairs.pairs, pairs.points) == (8, 10)
    assert pairs.score == 10 / 16
    assert pairs.reversed().counts == (3, 1, 2, 1, 1)
    assert pairs.reversed().score == 1 - pairs.score
    assert not pairs.clean
    assert clean(3).clean
    assert clean(3).reversed().clean
    assert not Pentanomial().clean


@pytest.mark.parametrize(
    ("counts", "elo", "error"),
    [
        ((34, 54, 63, 64, 75), 57.94, 28.28),
        ((332, 433, 498, 333, 334), -9.17, 10.96),
    ],
)
def test_normalised_elo_is_that_of_fastchess(
    counts: tuple[int, int, int, int, int], elo: float, error: float
) -> None:
    # The figures of its tests, app/tests/elo_test.cpp.
    figures = PairFigures.of(Pentanomial(counts), Random(1))
    assert figures.normalised_elo == pytest.approx(elo, rel=0.01)
    span = figures.normalised_elo_interval
    assert (span.high - span.low) / 2 == pytest.approx(error, rel=0.1)
    # To resample its third one takes seconds.
    many = Pentanomial((7895, 8757, 5685, 568, 9999))
    assert normalised_elo(many.score, many.deviation) == pytest.approx(-19.01, rel=0.01)


def test_a_clean_score_sets_one_bound_of_the_normalised_elo() -> None:
    found = PairFigures.of(clean(10), Random(1)).as_json()
    assert found["normalised_elo"] is None
    assert found["normalised_elo_interval"] == [pytest.approx(480, rel=0.2), None]


@pytest.mark.parametrize("score", [-0.5, 0.25, 2.5, math.nan])
def test_impossible_scores_of_a_pair_are_refused(score: float) -> None:
    with pytest.raises(ValueError, match="cannot have the score"):
        Pentanomial.of([1, score])


def test_counts_are_not_negative() -> None:
    with pytest.raises(ValueError, match="five counts"):
        Pentanomial((0, 0, -1, 0, 0))


@pytest.mark.parametrize(
    ("score", "elo"), [(0.5, 0.0), (0.75, 190.8485), (10 / 11, 400.0), (1 / 11, -400.0)]
)
def test_elo_and_score_convert_into_each_other(score: float, elo: float) -> None:
    assert elo_of_score(score) == pytest.approx(elo, abs=1e-3)
    assert score_of_elo(elo) == pytest.approx(score, abs=1e-6)


def test_elo_of_clean_scores_is_infinite() -> None:
    assert elo_of_score(1.0) == math.inf
    assert elo_of_score(0.0) == -math.inf
    assert score_of_elo(1e6) == 1.0
    assert score_of_elo(-1e6) == 0.0
    with pytest.raises(ValueError, match="from 0 to 1"):
        elo_of_score(1.01)


# The third and fourth are nearly clean. A bootstrap without a prior covers the truth in a quarter
# and in four fifths of these samples.
@pytest.mark.parametrize(
    ("chances", "pairs"),
    [
        ((0.1, 0.2, 0.3, 0.25, 0.15), 20),
        ((0.02, 0.03, 0.9, 0.03, 0.02), 60),
        ((0.0, 0.0, 0.0, 0.03, 0.97), 10),
        ((0.03, 0.0, 0.0, 0.0, 0.97), 50),
    ],
)
def test_the_interval_covers_the_true_score_as_often_as_its_level_says(
    chances: tuple[float, ...], pairs: int
) -> None:
    rng = Random(11)
    truth = sum(p * score for p, score in zip(chances, OUTCOMES, strict=True)) / 2
    trials, covered, length = 300, 0, 0.0
    for _ in range(trials):
        sample = Pentanomial.of(rng.choices(OUTCOMES, chances, k=pairs))
        interval = score_interval(sample, rng, resamples=200)
        covered += truth in interval
        length += interval.high - interval.low
    assert covered / trials >= 0.92
    deviation = math.sqrt(
        sum(p * (s / 2 - truth) ** 2 for p, s in zip(chances, OUTCOMES, strict=True)) / pairs
    )
    # The interval is not needlessly long: at most one pair more on either side.
    assert length / trials <= 2 * 1.96 * deviation + 2 / pairs


def test_clean_scores_bound_the_difference_on_one_side() -> None:
    low = 0.0
    for pairs in (1, 2, 5, 10, 30, 100):
        interval = score_interval(clean(pairs), Random(1))
        assert interval.high == 1.0
        assert interval.low >= low
        low = interval.low
        # The rule of three for pairs lost 0-2 gives the widest possible bound; ours is about as
        # wide.
        if pairs >= 5:
            worst = 1 - 0.05 ** (1 / pairs)
            assert worst / 2 <= 1 - interval.low <= worst * 1.2
        elo = elo_interval(interval)
        assert elo.high == math.inf
        assert (elo.low > 0) == (interval.low > 0.5)
        mirrored = score_interval(clean(pairs).reversed(), Random(2))
        assert mirrored.low == 0.0
        assert mirrored.high < 1.0 or pairs == 1


def test_a_better_result_has_no_lower_bound_than_a_worse_one() -> None:
    lows = [
        score_interval(Pentanomial((0, 0, 0, worse, 100 - worse)), Random(3)).low
        for worse in range(5)
    ]
    assert lows == sorted(lows, reverse=True)


def test_pairs_with_equal_scores_leave_some_uncertainty() -> None:
    interval = score_interval(Pentanomial((0, 0, 40, 0, 0)), Random(1))
    assert 0.45 < interval.low < 0.5 < interval.high < 0.55


def test_without_pairs_the_interval_contains_every_score() -> None:
    assert score_interval(Pentanomial(), Random(1)) == Interval(0.0, 1.0)
    assert los(Pentanomial()) == 0.5
    assert Pentanomial().score == 0.5


def test_the_same_generator_gives_the_same_interval() -> None:
    pairs = Pentanomial((3, 8, 20, 12, 7))
    assert score_interval(pairs, Random(5)) == score_interval(pairs, Random(5))
    assert score_interval(pairs, Random(5)) != score_interval(pairs, Random(6))


def test_likelihood_of_superiority() -> None:
    even = Pentanomial((5, 10, 20, 10, 5))
    assert los(even) == pytest.approx(0.5)
    better = Pentanomial((3, 8, 20, 12, 7))
    assert los(better) + los(better.reversed()) == pytest.approx(1.0)
    # By hand: the weights are 3.2, 8.2, 20.2, 12.2 and 7.2 of 51; the mean 3 / 51 above one half
    # has the standard error sqrt(3.875 / 51 / 52), which makes z = 1.539.
    assert los(better) == pytest.approx(0.9381, abs=1e-4)
    assert 0.5 < los(clean(1)) < los(clean(2)) < los(clean(10)) < 1.0
    assert los(clean(1)) < 0.9
