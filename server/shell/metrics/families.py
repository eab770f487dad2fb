"""Make metrics of the library from plain figures. Importing the library takes long."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import accumulate

from prometheus_client.core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    HistogramMetricFamily,
    Metric,
)

from doublecross.server.shell.upkeep.histogram import Histogram


def gauge(name: str, about: str, value: float) -> Metric:
    """Return a gauge with one value."""
    return GaugeMetricFamily(name, about, value=value)


def gauges(name: str, about: str, label: str, values: Mapping[str, float]) -> Metric:
    """Return a gauge with a value for each value of a label."""
    family = GaugeMetricFamily(name, about, labels=[label])
    for each, value in values.items():
        family.add_metric([each], value)
    return family


def counter(name: str, about: str, value: float) -> Metric:
    """Return a counter with one value."""
    return CounterMetricFamily(name, about, value=value)


def counters(name: str, about: str, label: str, values: Mapping[str, float]) -> Metric:
    """Return a counter with a value for each value of a label."""
    family = CounterMetricFamily(name, about, labels=[label])
    for each, value in values.items():
        family.add_metric([each], value)
    return family


def histogram(name: str, about: str, values: Histogram) -> Metric:
    """Return a histogram."""
    # The library wants the number of all values up to each bound.
    bounds = [*map(repr, values.bounds), "+Inf"]
    return HistogramMetricFamily(
        name,
        about,
        buckets=list(zip(bounds, accumulate(values.counts), strict=True)),
        sum_value=values.total,
    )
