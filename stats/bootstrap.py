"""Percentile bootstrap: the parts of how far a mean might be off, by drawing the sample again.

Source: B. Efron and R. Tibshirani, An Introduction to the Bootstrap, 1993, chapter 13.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from random import Random
from typing import Final

LEVEL: Final = 0.95
"""The share of all samples whose interval should cover the truth."""
RESAMPLES: Final = 2000
"""Samples drawn for an interval; its ends then repeat to about a tenth of its length."""


@dataclass(frozen=True, slots=True)
class Interval:
    """An interval with both ends; an end may be infinite where the sample sets no bound."""

    low: float
    high: float

    def __contains__(self, value: float) -> bool:
        return self.low <= value <= self.high


def percentile_interval(samples: Sequence[float], level: float = LEVEL) -> Interval:
    """The middle `level` of `samples`, as much left out on either side; between two samples the
    end is interpolated.

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
    """`resamples` means, each of `size` values drawn from `values` with these weights."""
    # Drawn by cumulated weights: a handful of different values, however many there are of each.
    cumulated = list(accumulate(weights))
    draw = rng.choices
    return [sum(draw(values, cum_weights=cumulated, k=size)) / size for _ in range(resamples)]
