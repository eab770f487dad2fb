"""Glicko-2 ratings: update a player's rating, deviation and volatility after games.

Theory of operation
-------------------
A rating estimates strength on the scale of Elo. Its deviation is the standard error of that
estimate. Its volatility says how much the strength itself is expected to change in one rating
period. The results of a period move the rating by the surplus over the expected score; they move
it the more, the greater its own deviation and the smaller the deviations of the opponents are.
Results make the deviation smaller, and passing time makes it greater. The volatility depends on
how surprising the results were: it is the maximum of a density with a prior around the old value,
whose width is `tau`. The Illinois method finds it.

The paper assumes periods of ten or fifteen games. For live ratings each game (or game pair) is a
period of its own for its two players. Then `periods` says how much time has passed, so a player
who plays a lot does not age faster, and `idle` computes the present rating of a player who rests.

Beyond the paper there are two bounds. The deviation is at most that of a new player, since no
absence makes a player less known than that. The volatility is at most `MAX_VOLATILITY`: after
nearly impossible results, such as fifty losses against somebody 1000 points below, the density has
a second maximum at thousands of points a period, and the next rating would be meaningless.

Source: M. Glickman, Example of the Glicko-2 system, Boston University, revision of 22 March 2022;
the numbers of steps in the code are those of the paper.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from doublecross.stats.bootstrap import Interval

RATING: Final = 1500.0
"""The rating of a new player and the middle of the scale."""
MAX_DEVIATION: Final = 350.0
"""The deviation of a new player and the greatest one."""
VOLATILITY: Final = 0.06
"""The volatility of a new player, in units of `_SCALE` a period."""
MAX_VOLATILITY: Final = 0.5
"""The greatest volatility: some 87 points a period."""
TAU: Final = 0.5
"""The constraint on changes of the volatility; the paper recommends values from 0.3 to 1.2."""

_SCALE: Final = 173.7178
"""Points in one unit of the system's own scale (400 / log 10, as the paper rounds it)."""
_NORMAL_95: Final = 1.959964
"""A normal distribution has 95 % within so many standard errors of its mean."""
_TOLERANCE: Final = 1e-6
"""The tolerance for the logarithm of the squared volatility, as in the paper."""
_MAX_ODDS: Final = 30.0
"""The greatest log odds in an expected score; with this bound their squares stay finite."""
_G: Final = 3.0 / (math.pi * math.pi)
_MAX_PHI: Final = MAX_DEVIATION / _SCALE


@dataclass(frozen=True, slots=True)
class Glicko:
    """A player's rating and deviation, in points, and its volatility.

    The volatility is in units of 173.7 points a period, as in the paper. The defaults are the
    values of a new player.

    Raises:
        ValueError: the rating is not finite, or the deviation or the volatility is not above zero
            or exceeds its greatest value.
    """

    rating: float = RATING
    deviation: float = MAX_DEVIATION
    volatility: float = VOLATILITY

    def __post_init__(self) -> None:
        if not math.isfinite(self.rating):
            raise ValueError(f"A rating is finite, not {self.rating}.")
        if not 0.0 < self.deviation <= MAX_DEVIATION:
            raise ValueError(f"A deviation is above 0 to {MAX_DEVIATION:g}, not {self.deviation}.")
        if not 0.0 < self.volatility <= MAX_VOLATILITY:
            raise ValueError(
                f"A volatility is above 0 to {MAX_VOLATILITY:g}, not {self.volatility}."
            )

    @property
    def interval(self) -> Interval:
        """The interval, in points, with the player's strength at a probability of 95 %."""
        reach = _NORMAL_95 * self.deviation
        return Interval(self.rating - reach, self.rating + reach)


def idle(player: Glicko, periods: float = 1.0) -> Glicko:
    """Return `player` after `periods` rating periods without a game: only the deviation grows.

    Raises:
        ValueError: `periods` is below zero or not finite.
    """
    _check_periods(periods)
    phi = player.deviation / _SCALE
    grown = _SCALE * math.sqrt(phi * phi + periods * player.volatility * player.volatility)
    return Glicko(player.rating, min(MAX_DEVIATION, grown), player.volatility)


def update(
    player: Glicko,
    results: Sequence[tuple[Glicko, float]],
    tau: float = TAU,
    *,
    periods: float = 1.0,
) -> Glicko:
    """Return `player` after one rating period with these results.

    Each result is an opponent, with its rating before the period, and the score against it: 1, 1/2
    or 0. Without results only the deviation grows. `periods` is the time since the player's last
    update, in rating periods.

    Raises:
        ValueError: a score is not 1, 1/2 or 0, `tau` is not above zero, or `periods` is below zero
            or not finite.
    """
    if not results:
        return idle(player, periods)
    _check_periods(periods)
    if not 0.0 < tau < math.inf:
        raise ValueError(f"Tau is above zero, not {tau}.")
    # Step 2: convert to the scale of the system. Steps 3 and 4: evaluate the results.
    mu = (player.rating - RATING) / _SCALE
    phi = player.deviation / _SCALE
    information = surplus = 0.0
    for opponent, score in results:
        if score not in (0.0, 0.5, 1.0):
            raise ValueError(f"The score of a game is 1, 0.5 or 0, not {score!r}.")
        other = opponent.deviation / _SCALE
        g = 1.0 / math.sqrt(1.0 + _G * other * other)
        odds = g * (mu - (opponent.rating - RATING) / _SCALE)
        small = math.exp(-min(abs(odds), _MAX_ODDS))
        share = 1.0 / (1.0 + small)
        expected = share if odds >= 0.0 else small * share
        information += g * g * small * share * share
        surplus += g * (score - expected)
    variance = 1.0 / information
    volatility = _volatility(player.volatility, phi, variance, variance * surplus, tau)
    # Step 6: add the time that has passed. Step 7: add the results. Step 8: convert to points.
    before = min(phi * phi + periods * volatility * volatility, _MAX_PHI * _MAX_PHI)
    after = before / (1.0 + before * information)
    return Glicko(RATING + _SCALE * (mu + after * surplus), _SCALE * math.sqrt(after), volatility)


def _check_periods(periods: float) -> None:
    if not 0.0 <= periods < math.inf:
        raise ValueError(f"Rating periods are counted from 0, not {periods}.")


def _volatility(sigma: float, phi: float, variance: float, delta: float, tau: float) -> float:
    """Step 5: return the new volatility, at most `MAX_VOLATILITY`."""
    start = 2.0 * math.log(sigma)
    known = phi * phi + variance
    surprise = delta * delta - known
    tau2 = tau * tau

    def slope(x: float) -> float:
        square = math.exp(x)
        whole = known + square
        return square * (surprise - square) / (2.0 * whole * whole) - (x - start) / tau2

    a, b = start, start
    # Step 5.2 of the paper: two values that enclose the solution.
    if surprise > 0.0:
        b = math.log(surprise)
    else:
        b -= tau
        while slope(b) < 0.0:
            b -= tau
    at_a, at_b = slope(a), slope(b)
    while abs(b - a) > _TOLERANCE:
        c = a + (a - b) * at_a / (at_b - at_a)
        at_c = slope(c)
        if at_c * at_b <= 0.0:
            a, at_a = b, at_b
        else:
            # The Illinois method halves the value at the end that stays.
            at_a /= 2.0
        b, at_b = c, at_c
    return min(MAX_VOLATILITY, math.exp(a / 2.0))
