"""Glicko-2: the paper's worked example, properties of its steps, and extreme results."""

from __future__ import annotations

import math
from itertools import pairwise
from random import Random
from types import SimpleNamespace

import pytest

from doublecross.stats import glicko2
from doublecross.stats.glicko2 import MAX_DEVIATION, MAX_VOLATILITY, Glicko, idle, update

SCALE = 173.7178
EXAMPLE = (
    (Glicko(1400, 30), 1.0),
    (Glicko(1550, 100), 0.0),
    (Glicko(1700, 300), 0.0),
)


def test_the_worked_example_of_the_paper() -> None:
    after = update(Glicko(1500, 200, 0.06), EXAMPLE, tau=0.5)
    # The paper rounds intermediate results (1464.06 where 1464.0507 is exact).
    assert after.rating == pytest.approx(1464.06, abs=0.011)
    assert after.deviation == pytest.approx(151.52, abs=0.005)
    assert after.volatility == pytest.approx(0.05999, abs=0.00001)


def test_a_new_player_has_the_values_of_the_paper() -> None:
    assert Glicko() == Glicko(1500, 350, 0.06)
    interval = Glicko(1850, 50).interval
    assert (interval.low, interval.high) == pytest.approx((1752, 1948), abs=0.01)


def test_without_results_only_the_deviation_grows() -> None:
    player = Glicko(1700, 90, 0.07)
    after = update(player, [])
    assert (after.rating, after.volatility) == (1700, 0.07)
    assert after.deviation == pytest.approx(math.hypot(90, 0.07 * SCALE))
    assert idle(player) == after
    assert idle(player, 0) == player


def test_idle_periods_add_up_and_end_at_a_new_players_deviation() -> None:
    player = Glicko(1700, 60)
    at_once, step_by_step = idle(player, 12.5), player
    for periods in (1, 0.5, 4, 7):
        step_by_step = idle(step_by_step, periods)
    assert step_by_step.deviation == pytest.approx(at_once.deviation)
    assert 60 < at_once.deviation < MAX_DEVIATION
    assert idle(player, 1e6) == Glicko(1700, MAX_DEVIATION)
    assert idle(Glicko(), 1) == Glicko()


def test_a_game_right_after_another_adds_no_time() -> None:
    player, opponent = Glicko(1500, 40, 0.3), Glicko(1500, 40)
    soon = update(player, [(opponent, 1.0)], periods=0)
    late = update(player, [(opponent, 1.0)])
    assert soon.deviation < player.deviation < late.deviation
    assert 1500 < soon.rating < late.rating
    assert update(player, [(opponent, 1.0)], periods=1e9).deviation < MAX_DEVIATION


def test_a_win_and_a_loss_mirror_each_other() -> None:
    player, opponent = Glicko(1500, 120), Glicko(1650, 80)
    won = update(player, [(opponent, 1.0)])
    mirrored = update(player, [(Glicko(1350, 80), 0.0)])
    assert won.rating - 1500 == pytest.approx(1500 - mirrored.rating)
    assert won.deviation == pytest.approx(mirrored.deviation)
    assert won.volatility == pytest.approx(mirrored.volatility)
    drawn = update(player, [(Glicko(1500, 80), 0.5)])
    assert drawn.rating == pytest.approx(1500)
    shifted = update(Glicko(500, 120), [(Glicko(650, 80), 1.0)])
    assert shifted.rating == pytest.approx(won.rating - 1000)


def test_a_rating_moves_the_more_the_less_sure_it_is_and_the_surer_the_opponent() -> None:
    def gain(deviation: float, others: float) -> float:
        return update(Glicko(1500, deviation), [(Glicko(1500, others), 1.0)]).rating - 1500

    gains = [gain(deviation, 50) for deviation in (30, 60, 120, 240, 350)]
    assert all(a < b for a, b in pairwise(gains))
    gains = [gain(100, others) for others in (30, 60, 120, 240, 350)]
    assert all(a > b > 0 for a, b in pairwise(gains))


def test_results_of_one_period_count_in_any_order_and_each_of_them_counts() -> None:
    player = Glicko(1500, 200)
    assert update(player, EXAMPLE[::-1]).rating == pytest.approx(update(player, EXAMPLE).rating)
    once, twice = update(player, EXAMPLE), update(player, EXAMPLE + EXAMPLE)
    assert twice.deviation < once.deviation
    assert twice.rating < once.rating < 1500


def test_the_volatility_is_at_the_maximum_of_its_density() -> None:
    # The new volatility solves the equation of step 5 of the paper; check it for several v and
    # delta.
    tau = 0.9
    player = Glicko(1500, 80, 0.06)
    for losses in (1, 6, 12):
        results = [(Glicko(1200, 50), 0.0)] * losses
        after = update(player, results, tau)
        g = 1 / math.sqrt(1 + 3 * (50 / SCALE) ** 2 / math.pi**2)
        expected = 1 / (1 + math.exp(-g * 300 / SCALE))
        v = 1 / (losses * g**2 * expected * (1 - expected))
        delta = -v * losses * g * expected
        phi2 = (80 / SCALE) ** 2

        def density(x: float, v: float = v, delta: float = delta, phi2: float = phi2) -> float:
            spread = phi2 + v + math.exp(x)
            prior = (x - math.log(0.06**2)) ** 2 / tau**2
            return -0.5 * (math.log(spread) + delta**2 / spread + prior)

        top = math.log(after.volatility**2)
        for step in (0.01, -0.01):
            assert density(top) > density(top + step)
        assert abs(density(top + 1e-3) - density(top - 1e-3)) < 1e-7
    assert after.volatility > 0.061


def test_a_rating_stays_valid_after_any_results() -> None:
    rng = Random(5)
    for _ in range(2000):
        player = Glicko(rng.uniform(-1e4, 1e4), rng.uniform(1, 350), rng.uniform(1e-4, 0.5))
        results = [
            (
                Glicko(rng.gauss(player.rating, rng.choice((50, 1000, 1e5))), rng.uniform(1, 350)),
                rng.choice((0.0, 0.5, 1.0)),
            )
            for _ in range(rng.choice((1, 1, 2, 15)))
        ]
        after = update(player, results, rng.choice((0.2, 0.5, 1.2)))
        assert math.isfinite(after.rating)
        assert after.deviation < MAX_DEVIATION
        at_once = update(player, results, periods=0)
        assert at_once.deviation <= player.deviation * (1 + 1e-12)


def test_impossible_results_leave_the_volatility_bounded() -> None:
    after = update(Glicko(2000, 50), [(Glicko(1000, 30), 0.0)] * 50)
    assert after.volatility == MAX_VOLATILITY
    assert after.deviation < 100  # without a bound it would be 350 again
    assert -1000 < after.rating < 1000


def test_known_strengths_are_found_by_ratings_that_are_updated_game_by_game() -> None:
    rng = Random(3)
    truth = [1200.0, 1500.0, 1650.0, 1900.0]
    ratings = [Glicko() for _ in truth]
    inside = seen = 0
    for number in range(4000):
        i, j = rng.sample(range(4), 2)
        expected = 1 / (1 + 10 ** ((truth[j] - truth[i]) / 400))
        score = float(rng.random() < expected)
        ratings[i], ratings[j] = (
            update(ratings[i], [(ratings[j], score)], periods=0.05),
            update(ratings[j], [(ratings[i], 1.0 - score)], periods=0.05),
        )
        if number >= 500:
            middle = sum(r.rating for r in ratings) / 4 - sum(truth) / 4
            inside += sum(t + middle in r.interval for r, t in zip(ratings, truth, strict=True))
            seen += 4
    assert 0.9 < inside / seen <= 1.0
    assert all(20 < r.deviation < 60 for r in ratings)


def test_a_game_takes_few_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each step of the search for the volatility takes one power; two more are outside it."""
    rng = Random(1)
    powers = 0

    def exp(x: float) -> float:
        nonlocal powers
        powers += 1
        return math.exp(x)

    monkeypatch.setattr(glicko2, "math", SimpleNamespace(**{**vars(math), "exp": exp}))
    for _ in range(300):
        player, opponent = (
            Glicko(rng.uniform(0, 3000), rng.uniform(30, 350), rng.uniform(0.03, 0.1))
            for _ in range(2)
        )
        powers = 0
        update(player, [(opponent, rng.choice((0.0, 0.5, 1.0)))])
        assert 0 < powers <= 15


@pytest.mark.parametrize(
    ("rating", "deviation", "volatility", "says"),
    [
        (math.nan, 100, 0.06, "A rating is finite"),
        (math.inf, 100, 0.06, "A rating is finite"),
        (1500, 0, 0.06, "A deviation is above 0 to 350"),
        (1500, 351, 0.06, "A deviation is above 0 to 350"),
        (1500, math.nan, 0.06, "A deviation is above 0 to 350"),
        (1500, 100, 0, "A volatility is above 0 to 0.5"),
        (1500, 100, 0.6, "A volatility is above 0 to 0.5"),
    ],
)
def test_invalid_ratings_are_refused(
    rating: float, deviation: float, volatility: float, says: str
) -> None:
    with pytest.raises(ValueError, match=says):
        Glicko(rating, deviation, volatility)


def test_invalid_results_are_refused() -> None:
    player = Glicko()
    for score in (2.0, -0.5, 0.25, math.nan):
        with pytest.raises(ValueError, match="The score of a game"):
            update(player, [(player, score)])
    for tau in (0.0, -1.0, math.nan, math.inf):
        with pytest.raises(ValueError, match="Tau is above zero"):
            update(player, [(player, 1.0)], tau)
    for periods in (-1.0, math.nan, math.inf):
        with pytest.raises(ValueError, match="counted from 0"):
            update(player, [(player, 1.0)], periods=periods)
        with pytest.raises(ValueError, match="counted from 0"):
            idle(player, periods)
