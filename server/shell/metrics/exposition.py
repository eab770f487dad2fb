"""Declare the metrics of a server, and turn its figures into the text that Prometheus reads.

The server counts with plain ints where things happen, because the library's counters take six
times as long. They become metrics only here, when somebody asks.
"""

from __future__ import annotations

import platform
from collections.abc import Iterator, Mapping
from itertools import accumulate
from typing import Final, get_args

from prometheus_client import GCCollector, ProcessCollector
from prometheus_client.core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    HistogramMetricFamily,
    InfoMetricFamily,
    Metric,
)
from prometheus_client.exposition import generate_latest
from prometheus_client.registry import Collector, CollectorRegistry

from doublecross.protocol.errors import ErrorCode
from doublecross.server.core.rooms.status import Status
from doublecross.server.shell.authority import Authority
from doublecross.server.shell.metrics.counts import KINDS, Counts, count
from doublecross.server.shell.metrics.figures import Figures, version
from doublecross.server.shell.traffic import DROP_REASONS
from doublecross.server.shell.upkeep.histogram import Histogram

Values = float | Mapping[str, float]
"""The value of a metric, or one for each value of its label."""

_STATUSES: Final = tuple(status for status in get_args(Status) if status != "closed")
_TOURNAMENTS: Final = ("open", "running")
"""The states of tournaments that have not ended; ended ones are in the database only."""


def gauge(name: str, about: str, values: Values, label: str | None = None) -> Metric:
    """Return a gauge; with a `label`, it has a value for each value of this."""
    return _filled(GaugeMetricFamily(name, about, labels=label and [label]), values)


def counter(name: str, about: str, values: Values, label: str | None = None) -> Metric:
    """Return a counter; with a `label`, it has a value for each value of this."""
    return _filled(CounterMetricFamily(name, about, labels=label and [label]), values)


def _filled(family: GaugeMetricFamily | CounterMetricFamily, values: Values) -> Metric:
    if isinstance(values, Mapping):
        for each, value in values.items():
            family.add_metric([each], value)
    else:
        family.add_metric([], values)
    return family


def histogram(name: str, about: str, values: Histogram) -> Metric:
    """Return a histogram."""
    # The library wants the number of all values up to each bound.
    bounds = [*map(repr, values.bounds), "+Inf"]
    buckets = list(zip(bounds, accumulate(values.counts), strict=True))
    return HistogramMetricFamily(name, about, buckets=buckets, sum_value=values.total)


class Exposition(Collector):
    """The metrics of one server as text, with those of its process.

    Several servers can share a process, so each has a registry of its own.
    """

    def __init__(self, figures: Figures) -> None:
        self._figures = figures
        self._counts = Counts()
        self._registry = CollectorRegistry()
        self._registry.register(self)
        ProcessCollector(registry=self._registry)
        GCCollector(registry=self._registry)

    async def text(self) -> bytes:
        """Return the metrics of now, in the text format 0.0.4."""
        self._counts = await count(self._figures.connections.peers, self._figures.rooms())
        return generate_latest(self._registry)

    def collect(self) -> Iterator[Metric]:
        """Return all metrics of the server."""
        yield from self._people()
        yield from self._rooms()
        yield from self._process()
        if (authority := self._figures.authority()) is not None:
            yield from self._of_authority(authority)
        yield from self._figures.own_metrics()

    def _people(self) -> Iterator[Metric]:
        figures, counts, traffic = self._figures, self._counts, self._figures.connections
        refusals = figures.refusals()
        yield gauge(
            "doublecross_connections",
            "Open websocket connections, by kind.",
            {kind: counts.connections[kind] for kind in KINDS.values()},
            "kind",
        )
        yield gauge(
            "doublecross_http_connections", "Open HTTP connections.", figures.front.http.count
        )
        yield gauge(
            "doublecross_spectators",
            "Connections that follow a room without a seat, counted once for each room.",
            counts.spectators,
        )
        yield counter(
            "doublecross_connections_opened",
            "Websocket connections since the start.",
            traffic.opened,
        )
        yield counter(
            "doublecross_connections_dropped",
            "Websocket connections that the server has ended, by reason.",
            # Also those that are 0, because monitoring computes rates from the first value on.
            {reason: traffic.dropped[reason] for reason in DROP_REASONS},
            "reason",
        )
        yield counter(
            "doublecross_refusals",
            "Requests that were refused, by error code.",
            {code.value: refusals[code.value] for code in ErrorCode},
            "code",
        )
        yield counter(
            "doublecross_limit_hits",
            "How often a limit refused something, by limit.",
            figures.limit_hits(),
            "limit",
        )

    def _rooms(self) -> Iterator[Metric]:
        rooms, totals = self._counts.rooms, self._figures.totals()
        yield gauge(
            "doublecross_rooms",
            "Open rooms, by status.",
            {status: rooms[status] for status in _STATUSES},
            "status",
        )
        yield gauge("doublecross_matches", "Matches in play.", rooms["playing"])
        yield counter(
            "doublecross_moves", "Moves that were stored, those of openings included.", totals.moves
        )
        yield counter("doublecross_matches_finished", "Matches that ended.", totals.finished)
        yield histogram("doublecross_commit_seconds", "How long commits took.", totals.durations)
        yield histogram(
            "doublecross_commit_events", "How many events a commit stored.", totals.sizes
        )
        yield counter("doublecross_commit_failures", "Commits that failed.", totals.failures)

    def _process(self) -> Iterator[Metric]:
        figures, tls = self._figures, self._figures.front.tls
        yield gauge(
            "doublecross_queue_length", "What waits now, by queue.", figures.queues(), "queue"
        )
        yield histogram(
            "doublecross_loop_lag_seconds",
            "How much later than planned the event loop did something.",
            figures.service.lags,
        )
        yield counter(
            "doublecross_stall_seconds",
            "How long the server stood still, which cost no player time.",
            figures.service.spared_ms() / 1000,
        )
        yield gauge(
            "doublecross_ready",
            "Whether it accepts connections and rooms.",
            not figures.not_ready(),
        )
        yield gauge("doublecross_storage_works", "Whether it can store.", figures.can_store())
        yield gauge(
            "doublecross_certificate_expires_seconds",
            "When the certificate of the server expires, since 1970; 0 without own TLS.",
            0 if tls is None else round(tls.certificate.ends.timestamp()),
        )
        yield gauge(
            "doublecross_task_up",
            "Whether a long-lived task runs, by task.",
            {name: how == "running" for name, how in figures.tasks().items()},
            "task",
        )
        build = {
            "version": version(),
            "python": platform.python_version(),
            "database": figures.database,
        }
        yield InfoMetricFamily("doublecross_build", "What runs; the value is always 1.", build)

    def _of_authority(self, authority: Authority) -> Iterator[Metric]:
        states = [each.core.status for each in authority.tournaments.running.values()]
        reviews = authority.reviews.figures()
        yield gauge(
            "doublecross_tournaments",
            "Tournaments that have not ended, by state.",
            {state: states.count(state) for state in _TOURNAMENTS},
            "state",
        )
        yield counter("doublecross_reviews_made", "Reviews that were made.", reviews["made"])
        yield counter("doublecross_reviews_failed", "Reviews that failed.", reviews["failed"])
