"""Estimate how far a mean may be off with the percentile bootstrap.

The bootstrap draws many samples from the observed values and takes the mean of each.

Source: B. Efron and R. Tibshirani, An Introduction to the Bootstrap, 1993, chapter 13.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from random import Random
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


def percentile_interval(samples: Sequence[float], level: float = LEVEL) -> Interval:
    """Return the interval that contains the middle `level` of `samples`.

    The same share of samples lies beyond either end. Ends between two samples are interpolated.

    Raises:
        ValueError: there are no samples, or `level` is not between 0 and 1.
    """
    if not samples:
        raise ValueError("An interval needs samples.")
    if not 0.0 < level < 1.0:
        raise ValueError(f"The level of an interval is between 0 and 1, not {level}.")
    ordered = sorted(samples)
    tail = (1.0 - level) / 2.0
    return Interval(_quantile(ordered, tail), _quantile(ordered, 1.0 - tail))


def _quantile(ordered: Sequence[float], share: float) -> float:
    """Return the value below which this share of the ascending samples lies."""
    place = share * (len(ordered) - 1)
    below = int(place)
    low, high = ordered[below], ordered[min(below + 1, len(ordered) - 1)]
    return low if low == high else low + (place - below) * (high - low)


def resampled_means(
    values: Sequence[float],
    weights: Sequence[float],
    size: int,
    rng: Random,
    resamples: int = RESAMPLES,
) -> list[float]:
    """Return `resamples` means, each of `size` values drawn from `values` with these weights."""
    # Cumulated weights make a draw cheap: there are only a few different values.
    cumulated = list(accumulate(weights))
    draw = rng.choices
    return [sum(draw(values, cum_weights=cumulated, k=size)) / size for _ in range(resamples)]
