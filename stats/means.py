"""Means with Student's intervals, of independent values and of clusters of dependent games.

Theory of operation
-------------------
Games from one opening depend on each other, whoever plays them: an opening that favours a seat
favours it in all pairings. So for a question about the seats the sample consists of openings, not
of pairs, and a hundred pairs from four openings are a sample of four. The score is the points
divided by the games, over all openings. To first order, its variance between samples of openings
follows from the residuals ``points - score * games`` of the openings. Openings are few, so the
interval uses Student's quantile, with one degree of freedom less than there are openings.

If all openings came out alike, the variance would be zero and the interval would claim certainty.
`doublecross.stats.pairs` has the same problem and solves it by a prior. Here the prior adds to the
variance as many independent pairs as an opening has on average, in which the five outcomes are
equally likely. They do not move the score. In simulations the effect of openings was drawn evenly,
normally, or from five values; the intervals then cover the truth in 94 to 96 % of the cases, with
five openings as with forty. With three openings that differ much they cover it in only 78 %,
although they already span two thirds of all possible scores. So fewer than five openings get no
interval.

The share of successes in independent tries has Wilson's interval. Unlike the textbook's, it stays
within 0 and 1 and has a length also when all tries came out alike.

Sources: M. Abramowitz and I. Stegun, Handbook of Mathematical Functions, 1964, 26.7.5 (quantiles
of Student's distribution from those of the normal one); W. Cochran, Sampling Techniques, 1977,
section 6.5 (ratios); C. Cameron and D. Miller, A practitioner's guide to cluster-robust inference,
Journal of Human Resources 50, 2015 (few clusters); E. Wilson, Probable inference, the law of
succession, and statistical inference, Journal of the American Statistical Association 22, 1927.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import Final

from doublecross.stats.bootstrap import LEVEL, Interval
from doublecross.stats.pairs import OUTCOMES, PRIOR

MIN_CLUSTERS: Final = 5
"""The least number of clusters for which a share gets bounds."""
_MIN_VALUES: Final = 3
"""The least number of values for which a mean gets bounds; with fewer the approximation of
Student's quantile is poor."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean with its interval; both ends are infinite when there are too few values for bounds."""

    mean: float
    interval: Interval

    @property
    def bounded(self) -> bool:
        """Return whether at least one end of the interval is finite."""
        return math.isfinite(self.interval.low) or math.isfinite(self.interval.high)


NO_BOUNDS: Final = Interval(-math.inf, math.inf)


def mean_estimate(values: Sequence[float]) -> Estimate:
    """Return the mean of independent `values`, at least one, with Student's interval.

    The quantile is the approximation of Abramowitz and Stegun: it is 3 % short with three values
    and 0.1 % with six. Fewer than three values have no bounds. When all values are equal, the
    interval has no length.
    """
    n = len(values)
    mean = math.fsum(values) / n
    if n < _MIN_VALUES:
        return Estimate(mean, NO_BOUNDS)
    variance = math.fsum((value - mean) ** 2 for value in values) / (n - 1)
    reach = _quantile(n - 1) * math.sqrt(variance / n)
    return Estimate(mean, Interval(mean - reach, mean + reach))


def clustered_share(clusters: Sequence[tuple[float, int]]) -> Estimate:
    """Return the share of the points, 0 to 1, in all games of `clusters`, at least one.

    Each cluster is its points and its number of games. Fewer than `MIN_CLUSTERS` clusters have no
    bounds.
    """
    k = len(clusters)
    games = sum(games for _, games in clusters)
    share = math.fsum(points for points, _ in clusters) / games
    if k < MIN_CLUSTERS:
        return Estimate(share, NO_BOUNDS)
    squares = math.fsum((points - share * games) ** 2 for points, games in clusters)
    doubt = math.fsum((points - 2.0 * share) ** 2 for points in OUTCOMES) / len(OUTCOMES)
    variance = k / (k - 1) * (squares + PRIOR * doubt * games / (2 * k)) / games**2
    reach = _quantile(k - 1) * math.sqrt(variance)
    return Estimate(share, Interval(max(0.0, share - reach), min(1.0, share + reach)))


def share_interval(successes: int, tries: int) -> Interval:
    """Return Wilson's interval for the share of successes in independent tries, at least one."""
    z = NormalDist().inv_cdf((1.0 + LEVEL) / 2.0)
    share, weight = successes / tries, z * z / tries
    middle = share + weight / 2
    reach = z * math.sqrt(share * (1 - share) / tries + weight / (4 * tries))
    return Interval((middle - reach) / (1 + weight), (middle + reach) / (1 + weight))


def _quantile(freedom: int) -> float:
    """Return Student's quantile: half the length of the interval in standard errors."""
    z = NormalDist().inv_cdf((1.0 + LEVEL) / 2.0)
    return (
        z
        + (z**3 + z) / (4 * freedom)
        + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * freedom**2)
        + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * freedom**3)
    )
