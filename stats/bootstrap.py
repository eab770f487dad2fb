"""Estimate how far a mean may be off with the percentile bootstrap.

The bootstrap draws many samples from the observed values and takes the mean of each.

Source: B. Efron and R. Tibshirani, An Introduction to the Bootstrap, 1993, chapter 13.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from random import Random
from statistics import quantiles
from typing import Final

LEVEL: Final = 0.95
"""The default level: the share of samples whose intervals should cover the true value."""
RESAMPLES: Final = 2000
"""Samples drawn for an interval. With so many, its ends vary by a tenth of its length."""


@dataclass(frozen=True, slots=True)
class Interval:
    """A closed interval; an end is infinite where the sample sets no bound."""

    low: float
    high: float

    def __contains__(self, value: float) -> bool:
        return self.low <= value <= self.high


def bootstrap_interval(
    values: Sequence[float],
    weights: Sequence[float],
    size: int,
    rng: Random,
    resamples: int = RESAMPLES,
) -> Interval:
    """Return the interval that contains the middle `LEVEL` of the means of all samples.

    Each of the `resamples` samples has `size` values, drawn from `values` with these weights.
    """
    # Cumulated weights make a draw cheap: there are only a few different values.
    cumulated = list(accumulate(weights))
    draw = rng.choices
    means = [sum(draw(values, cum_weights=cumulated, k=size)) / size for _ in range(resamples)]
    cuts = quantiles(means, n=round(2.0 / (1.0 - LEVEL)), method="inclusive")
    return Interval(cuts[0], cuts[-1])
