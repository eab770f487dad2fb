"""Means with Student's intervals: of single values, and of games in clusters that go together.

Theory of operation
-------------------
Games from one opening depend on each other, whoever plays them: an opening that favours a seat
favours it in all pairings that are played from it. So where a figure is about the seats, openings
and not pairs are the sample, and a hundred pairs from four openings are a sample of four. The score
is the ratio of the points to the games of all openings; how far that goes from one sample of
openings to another follows, to first order, from the residuals ``points - score * games`` of each
opening (the bootstrap over openings without drawing), and as these are few, the interval has
Student's quantile with one degree of freedom less than there are openings.

Openings that all came out alike would claim to know everything, as the pairs of `stats.pairs`
would: so as many pairs more as an opening has are counted into the variance, each by itself and as
likely to have had each of the five outcomes. They do not move the score. Where the favour of
openings is drawn evenly, normally, or from five values, the intervals then cover the truth in 94 to
96 % of the cases, with five openings as with forty; with three openings that differ much in 78 %
only, and two thirds of all there is to cover lie in them anyway. So fewer than five have none.

Sources: M. Abramowitz and I. Stegun, Handbook of Mathematical Functions, 1964, 26.7.5 (quantiles
of Student's distribution from those of the normal one); W. Cochran, Sampling Techniques, 1977,
section 6.5 (ratios); C. Cameron and D. Miller, A practitioner's guide to cluster-robust inference,
Journal of Human Resources 50, 2015 (few clusters).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import Final

from stats.bootstrap import LEVEL, Interval
from stats.pairs import OUTCOMES, PRIOR

FEWEST_CLUSTERS: Final = 5
"""Clusters that a share must be of to get bounds."""
_FEW: Final = 3
"""Values that a mean must have to get bounds: Student's quantile is not worth much before."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean with its interval; an end is infinite where there are too few values for a bound."""

    mean: float
    interval: Interval

    @property
    def bounded(self) -> bool:
        """Whether the interval says anything."""
        return math.isfinite(self.interval.low) or math.isfinite(self.interval.high)


NO_BOUNDS: Final = Interval(-math.inf, math.inf)


def mean_estimate(values: Sequence[float], level: float = LEVEL) -> Estimate:
    """The mean of independent `values`, one at least, with Student's interval.

    The quantile is that of Abramowitz and Stegun: with three values it is 3 % short, with six
    0.1 %. Fewer have no bounds; of values that are all alike the interval is that value.
    """
    n = len(values)
    mean = math.fsum(values) / n
    if n < _FEW:
        return Estimate(mean, NO_BOUNDS)
    variance = math.fsum((value - mean) ** 2 for value in values) / (n - 1)
    reach = _quantile(n - 1, level) * math.sqrt(variance / n)
    return Estimate(mean, Interval(mean - reach, mean + reach))


def clustered_share(clusters: Sequence[tuple[float, int]], level: float = LEVEL) -> Estimate:
    """The share, 0 to 1, of the points in all games of `clusters`, one at least: each has its
    points and its games. Fewer than `FEWEST_CLUSTERS` have no bounds."""
    k = len(clusters)
    games = sum(games for _, games in clusters)
    share = math.fsum(points for points, _ in clusters) / games
    if k < FEWEST_CLUSTERS:
        return Estimate(share, NO_BOUNDS)
    squares = math.fsum((points - share * games) ** 2 for points, games in clusters)
    doubt = math.fsum((points - 2.0 * share) ** 2 for points in OUTCOMES) / len(OUTCOMES)
    variance = k / (k - 1) * (squares + PRIOR * doubt * games / (2 * k)) / games**2
    reach = _quantile(k - 1, level) * math.sqrt(variance)
    return Estimate(share, Interval(max(0.0, share - reach), min(1.0, share + reach)))


def _quantile(freedom: int, level: float) -> float:
    """How many standard errors Student's interval reaches to either side."""
    z = NormalDist().inv_cdf((1.0 + level) / 2.0)
    return (
        z
        + (z**3 + z) / (4 * freedom)
        + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * freedom**2)
        + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * freedom**3)
    )
