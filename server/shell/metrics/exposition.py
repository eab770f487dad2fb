"""Turn the figures of a server into the text that Prometheus reads.

The server counts with plain ints, where it has them anyway. They become metrics only here, when
somebody asks. The registry belongs to one server, so several servers can share a process. Importing
the library takes long, so `server.shell.metrics.endpoints` imports this module only when the first
reader comes.
"""

from __future__ import annotations

import platform
from collections.abc import Iterator
from typing import Final, get_args

from prometheus_client import GCCollector, ProcessCollector
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.exposition import generate_latest
from prometheus_client.registry import Collector, CollectorRegistry

from protocol.errors import ErrorCode
from server.core.room import Status
from server.shell.metrics.families import counter, counters, gauge, gauges, histogram
from server.shell.metrics.observed import KINDS, NEW, Counts, Observed, version
from server.shell.traffic import DROP_REASONS

_TOURNAMENTS: Final = ("open", "running")
"""The states of tournaments that have not ended; those that have are in the database only."""
_STATUSES: Final = tuple(status for status in get_args(Status) if status != "closed")


class Exposition:
    """The metrics of one server as text, from what collects its figures."""

    def __init__(self, figures: Collector) -> None:
        self._registry = CollectorRegistry()
        self._registry.register(figures)
        ProcessCollector(registry=self._registry)
        GCCollector(registry=self._registry)

    def text(self) -> bytes:
        """Return the metrics of now, in the text format 0.0.4."""
        return generate_latest(self._registry)


class Figures(Collector):
    """Collects the metrics of one server. `counts` are those to show next."""

    def __init__(self, observed: Observed) -> None:
        self._observed = observed
        self.counts = Counts()

    def describe(self) -> Iterator[Metric]:
        """Return nothing: the registry then does not collect while it registers this."""
        return iter(())

    def collect(self) -> Iterator[Metric]:
        """Return all metrics of the server."""
        yield from self._people()
        yield from self._play()
        yield from self._storage()
        yield from self._refusals()
        yield from self._state()

    def _people(self) -> Iterator[Metric]:
        observed, counts = self._observed, self.counts
        yield gauges(
            "doublecross_connections",
            "Open websocket connections, by kind.",
            "kind",
            {kind: counts.connections[kind] for kind in (*KINDS.values(), NEW)},
        )
        yield gauge("doublecross_http_connections", "Open HTTP connections.", observed.http.count)
        yield gauge(
            "doublecross_spectators",
            "Connections that follow a room without a seat, counted once for each room.",
            counts.spectators,
        )
        yield counter(
            "doublecross_connections_opened",
            "Websocket connections since the start.",
            observed.connections.opened,
        )
        dropped = observed.connections.dropped
        yield counters(
            "doublecross_connections_dropped",
            "Websocket connections that the server has ended, by reason.",
            "reason",
            {reason: dropped[reason] for reason in DROP_REASONS},
        )

    def _play(self) -> Iterator[Metric]:
        authority, counts = self._observed.authority, self.counts
        yield gauges(
            "doublecross_rooms",
            "Open rooms, by status.",
            "status",
            {status: counts.rooms[status] for status in _STATUSES},
        )
        yield gauge("doublecross_matches", "Matches in play.", counts.rooms["playing"])
        publisher = authority.rooms.publisher
        yield counter(
            "doublecross_moves",
            "Moves that were stored, those of openings included.",
            publisher.moves,
        )
        yield counter("doublecross_matches_finished", "Matches that ended.", publisher.finished)
        states = [each.core.status for each in authority.tournaments.running.values()]
        yield gauges(
            "doublecross_tournaments",
            "Tournaments that have not ended, by state.",
            "state",
            {state: states.count(state) for state in _TOURNAMENTS},
        )

    def _storage(self) -> Iterator[Metric]:
        observed = self._observed
        authority, writer = observed.authority, observed.authority.committer.writer
        yield histogram("doublecross_commit_seconds", "How long commits took.", writer.durations)
        yield histogram(
            "doublecross_commit_events", "How many events a commit stored.", writer.sizes
        )
        yield counter("doublecross_commit_failures", "Commits that failed.", writer.failures)
        reviews = authority.reviews.figures()
        yield gauges(
            "doublecross_queue_length",
            "What waits now, by queue.",
            "queue",
            observed.queues(),
        )
        yield counter("doublecross_reviews_made", "Reviews that were made.", reviews["made"])
        yield counter("doublecross_reviews_failed", "Reviews that failed.", reviews["failed"])

    def _refusals(self) -> Iterator[Metric]:
        observed = self._observed
        refusals = observed.connections.refusals
        yield counters(
            "doublecross_refusals",
            "Requests that were refused, by error code.",
            "code",
            {code.value: refusals[code.value] for code in ErrorCode},
        )
        yield counters(
            "doublecross_limit_hits",
            "How often a limit refused something, by limit.",
            "limit",
            observed.limit_hits(),
        )

    def _state(self) -> Iterator[Metric]:
        observed = self._observed
        yield histogram(
            "doublecross_loop_lag_seconds",
            "How much later than planned the event loop did something.",
            observed.service.lags,
        )
        yield counter(
            "doublecross_stall_seconds",
            "How long the server stood still, which cost no player time.",
            observed.service.spared_ms() / 1000,
        )
        ready = not observed.not_ready()
        yield gauge("doublecross_ready", "Whether it accepts connections and rooms.", int(ready))
        can_store = observed.health.can_store
        yield gauge("doublecross_storage_works", "Whether it can store.", int(can_store))
        tls = observed.tls
        yield gauge(
            "doublecross_certificate_expires_seconds",
            "When the certificate of the server expires, since 1970; 0 without own TLS.",
            0 if tls is None else round(tls.certificate.ends.timestamp()),
        )
        tasks = observed.health.tasks()
        yield gauges(
            "doublecross_task_up",
            "Whether a long-lived task runs, by task.",
            "task",
            {name: int(state == "running") for name, state in tasks.items()},
        )
        yield build_info(observed.database)


def build_info(database: str) -> Metric:
    """Return what runs; `database` is its kind."""
    build = {
        "version": version(),
        "python": platform.python_version(),
        "database": database,
    }
    info = GaugeMetricFamily(
        "doublecross_build_info", "What runs; the value is always 1.", labels=list(build)
    )
    info.add_metric(list(build.values()), 1)
    return info
