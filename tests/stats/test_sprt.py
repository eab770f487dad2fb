"""The SPRT: its bounds, the LLR compared with other computations, and simulated error rates."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import accumulate
from random import Random

import pytest

from doublecross.stats.pairs import Pentanomial, score_of_elo
from doublecross.stats.sprt import MOST_ELO, UNSEEN, Sprt, Verdict


def pairs(*counts: int) -> Pentanomial:
    a, b, c, d, e = counts or (0,) * 5
    return Pentanomial((a, b, c, d, e))


def maximum(value: Callable[[float], float], low: float, high: float) -> float:
    """Return the greatest value of a concave function, by ternary search."""
    for _ in range(200):
        third = (high - low) / 3
        if value(low + third) < value(high - third):
            low += third
        else:
            high -= third
    return value((low + high) / 2)


def test_the_bounds_are_walds() -> None:
    test = Sprt(0, 20)
    assert test.upper == pytest.approx(
        2.9444, abs=1e-4
    )  # log 19, which every test of this kind has
    assert test.lower == pytest.approx(-2.9444, abs=1e-4)
    test = Sprt(0, 20, alpha=0.01, beta=0.1)
    assert test.upper == pytest.approx(math.log(0.9 / 0.01))
    assert test.lower == pytest.approx(math.log(0.1 / 0.99))


def test_clean_pairs_have_the_llr_of_tossed_coins() -> None:
    test = Sprt(-10, 40)
    s0, s1 = score_of_elo(-10), score_of_elo(40)
    for lost, won in ((0, 1), (1, 0), (7, 11), (0, 300), (500, 530)):
        coins = won * math.log(s1 / s0) + lost * math.log((1 - s1) / (1 - s0))
        # Outcomes that did not occur have a weight of a thousandth of a pair each.
        assert test.llr(pairs(lost, 0, 0, 0, won)) == pytest.approx(coins, abs=0.002)


@pytest.mark.parametrize(
    ("elo0", "elo1", "counts", "llr"),
    [
        (0.5, 2.5, (223, 9_863, 21_279, 10_037, 246), -3.07),
        (0, 2, (871, 26_175, 55_983, 26_678, 821), -4.98),
    ],
)
def test_the_llr_is_that_of_fastchess(
    elo0: float, elo1: float, counts: tuple[int, ...], llr: float
) -> None:
    # The figures of its tests, app/tests/sprt_test.cpp, for the logistic model.
    assert Sprt(elo0, elo1).llr(pairs(*counts)) == pytest.approx(llr, abs=0.01)


@pytest.mark.parametrize(("elo1", "count"), [(5, 207), (20, 53), (200, 8)])
def test_a_clean_score_decides_after_as_many_pairs_as_announced(elo1: float, count: int) -> None:
    test = Sprt(0, elo1)
    assert test.clean_pairs == count
    assert test.verdict(pairs(0, 0, 0, 0, count - 1)) is None
    assert test.verdict(pairs(0, 0, 0, 0, count)) == "H1"


def test_the_llr_is_between_the_most_likely_distributions_with_these_means() -> None:
    # With pairs of 0, 1 and 2 points the mean leaves one share free. There are so many pairs that
    # the weight of unseen outcomes does not matter.
    counts = (2_000, 0, 5_000, 0, 2_300)

    def likelihood(score: float) -> float:
        def value(drawn: float) -> float:
            won = score - drawn / 2
            shares = (1 - drawn - won, drawn, won)
            seen = (counts[0], counts[2], counts[4])
            return sum(n * math.log(share) for n, share in zip(seen, shares, strict=True))

        most = 2 * min(score, 1 - score)
        return maximum(value, 1e-12, most - 1e-12)

    expected = likelihood(score_of_elo(12)) - likelihood(score_of_elo(3))
    assert Sprt(3, 12).llr(pairs(*counts)) == pytest.approx(expected, abs=0.01)


def test_the_llr_is_that_of_the_dual_problem() -> None:
    rng = Random(2)
    scores = (0.0, 0.25, 0.5, 0.75, 1.0)
    for _ in range(25):
        size = 10 ** rng.uniform(0, 5)
        counts = [rng.choice((0, 1, round(rng.random() * size))) for _ in range(5)]
        counts[rng.randrange(5)] += 1
        elo0, elo1 = sorted(rng.uniform(-300, 300) for _ in range(2))
        weights = [count or UNSEEN for count in counts]

        def highest(score: float, weights: list[float] = weights) -> float:
            away = [x - score for x in scores]

            def value(t: float) -> float:
                terms = zip(weights, away, strict=True)
                return sum(w * math.log(max(1 + t * d, 1e-300)) for w, d in terms)

            return maximum(value, -1 / away[-1], -1 / away[0])

        expected = highest(score_of_elo(elo0)) - highest(score_of_elo(elo1))
        found = Sprt(elo0, elo1).llr(pairs(*counts))
        assert found == pytest.approx(expected, rel=1e-6, abs=1e-6), counts


def test_many_pairs_have_the_llr_of_a_normal_distribution() -> None:
    found = pairs(2_100, 5_000, 9_000, 5_200, 2_400)
    shares = [count / found.pairs for count in found.counts]
    mean = found.score
    variance = sum(share * (x / 4 - mean) ** 2 for x, share in enumerate(shares))
    s0, s1 = score_of_elo(0), score_of_elo(5)
    expected = found.pairs * (s1 - s0) * (2 * mean - s0 - s1) / (2 * variance)
    assert Sprt(0, 5).llr(found) == pytest.approx(expected, rel=0.01)


def test_the_test_is_symmetric_in_the_players() -> None:
    for counts in ((0, 0, 0, 0, 1), (3, 1, 8, 2, 5), (0, 0, 9, 0, 0), (0, 40, 0, 1, 0)):
        there, back = Sprt(-5, 25), Sprt(-25, 5)
        llr = there.llr(pairs(*counts))
        assert back.llr(pairs(*counts).reversed()) == pytest.approx(-llr, abs=1e-9)
    assert Sprt(-30, 30).llr(pairs(4, 5, 6, 5, 4)) == pytest.approx(0.0, abs=1e-9)
    assert Sprt().llr(Pentanomial()) == 0.0


def test_a_better_pair_speaks_more_for_the_higher_difference() -> None:
    for before in ((0, 0, 0, 0, 0), (5, 0, 9, 0, 6), (1, 2, 3, 4, 5)):
        found = []
        for outcome in range(5):
            counts = list(before)
            counts[outcome] += 1
            found.append(Sprt(0, 30).llr(pairs(*counts)))
        assert found == sorted(found)
        assert found[0] < Sprt(0, 30).llr(pairs(*before)) < found[-1]


def test_no_pair_weighs_more_than_a_tossed_coin() -> None:
    # No pair may weigh more than log(s1 / s0) or log((1 - s0) / (1 - s1)), empty cells or not.
    test = Sprt(0, 100)
    most = math.log(score_of_elo(100) / 0.5)
    least = math.log(0.5 / (1 - score_of_elo(100)))
    for counts in ((0, 0, 0, 0, 1), (0, 0, 0, 3, 0), (0, 0, 0, 1, 4), (1, 0, 0, 0, 4)):
        assert test.llr(pairs(*counts)) <= sum(counts) * most * 1.01
        assert test.llr(pairs(*counts[::-1])) >= -sum(counts) * least * 1.01


def test_a_verdict_is_reached_at_the_bounds() -> None:
    test = Sprt(0, 20)
    wins = next(n for n in range(1, 1000) if test.verdict(pairs(0, 0, 0, 0, n)) is not None)
    assert test.verdict(pairs(0, 0, 0, 0, wins)) == "H1"
    assert test.llr(pairs(0, 0, 0, 0, wins - 1)) < test.upper <= test.llr(pairs(0, 0, 0, 0, wins))
    assert wins == math.ceil(math.log(19) / math.log(score_of_elo(20) / 0.5))
    # All pairs ended 1-1; a difference of 20 would have shown.
    assert test.verdict(pairs(0, 0, 30, 0, 0)) is None
    assert test.verdict(pairs(0, 0, 60, 0, 0)) == "H0"
    assert test.verdict(Pentanomial()) is None


def test_the_llr_is_finite_for_extreme_counts() -> None:
    rng = Random(8)
    for _ in range(1500):
        counts = [rng.choice((0, 0, 1, 50, 10**6)) + rng.randrange(2) for _ in range(5)]
        elo0 = rng.choice((-MOST_ELO, -20.0, 0.0, 900.0))
        elo1 = elo0 + rng.choice((0.01, 5.0, 100.0))
        llr = Sprt(elo0, elo1).llr(pairs(*counts))
        assert math.isfinite(llr)


def simulated(test: Sprt, shares: list[float], rng: Random) -> tuple[Verdict, int]:
    """Return the verdict on pairs drawn with these shares, and the number of pairs drawn."""
    cumulated = list(accumulate(shares))
    counts = [0] * 5
    while True:
        counts[rng.choices(range(5), cum_weights=cumulated)[0]] += 1
        found = pairs(*counts)
        if (verdict := test.verdict(found)) is not None:
            return verdict, found.pairs


def odd_board(score: float) -> list[float]:
    """Return the shares without draws, with openings that favour a seat by 15 %."""
    first, second = score + 0.15, score - 0.15
    split = first * (1 - second) + second * (1 - first)
    return [(1 - first) * (1 - second), 0.0, split, 0.0, first * second]


def even_board(score: float) -> list[float]:
    """Return the shares when half of the games are drawn."""
    won, lost = score - 0.25, 0.75 - score
    return [lost**2, lost, 2 * won * lost + 0.25, won, won**2]


@pytest.mark.parametrize(
    ("board", "length"), [(odd_board, (25, 42)), (even_board, (14, 27))], ids=["odd", "even"]
)
def test_the_error_rates_hold(
    board: Callable[[float], list[float]], length: tuple[int, int]
) -> None:
    test, runs, rng = Sprt(0, 100), 500, Random(20)
    for elo, right in ((test.elo0, "H0"), (test.elo1, "H1")):
        shares = board(score_of_elo(elo))
        assert sum(shares) == pytest.approx(1.0)
        results = [simulated(test, shares, rng) for _ in range(runs)]
        wrong = sum(verdict != right for verdict, _ in results) / runs
        # Allow two and a half standard errors above the promised rate. Bound the number of games,
        # so that the test does not keep the rate by playing many more.
        assert 0.01 <= wrong <= 0.05 + 2.5 * math.sqrt(0.05 * 0.95 / runs)
        assert length[0] <= sum(taken for _, taken in results) / runs <= length[1]


def test_the_games_left_are_those_of_a_random_walk() -> None:
    assert Sprt().games_left(pairs(0, 0, 0, 0, 10)) == pytest.approx(2 * (53 - 10), rel=0.03)
    assert Sprt().games_left(pairs(0, 0, 0, 0, 53)) == 0
    assert Sprt().games_left(pairs()) == math.inf
    # Equal players, and an LLR of 0: the time is that from the beginning.
    test, rng = Sprt(-50, 50), Random(3)
    taken = [simulated(test, [0.25, 0, 0.5, 0, 0.25], rng)[1] for _ in range(200)]
    assert test.games_left(pairs(5, 0, 10, 0, 5)) == pytest.approx(sum(taken) / 100, rel=0.2)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ((20, 0), "elo0 must be below elo1: 20 to 0 is an interval upside down"),
        ((5, 5), "is an interval without length"),
        ((-1001, 0), "elo0 is from -1000 to 1000, not -1001"),
        ((0, math.inf), "elo1 is from -1000 to 1000, not inf"),
        ((math.nan, 0), "elo0 is from -1000 to 1000, not nan"),
        ((0, 20, 0), "alpha must be above 0 and below 0.5, not 0"),
        ((0, 20, 0.5), "alpha must be above 0 and below 0.5, not 0.5"),
        ((0, 20, 0.05, -0.1), "beta must be above 0 and below 0.5, not -0.1"),
        ((0, 20, 0.05, math.nan), "beta must be above 0 and below 0.5, not nan"),
    ],
)
def test_invalid_tests_are_refused(arguments: tuple[float, ...], says: str) -> None:
    with pytest.raises(ValueError, match=says):
        Sprt(*arguments)
