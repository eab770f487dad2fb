"""The metrics that a single server and a node of a cluster share."""

from __future__ import annotations

import platform
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Final, get_args

from prometheus_client.core import GaugeMetricFamily, Metric

from doublecross.protocol.errors import ErrorCode
from doublecross.server.core.rooms.room import Status
from doublecross.server.shell.http.certificate import Tls
from doublecross.server.shell.metrics.families import counter, counters, gauge, gauges, histogram
from doublecross.server.shell.metrics.figures import KINDS, NEW, version
from doublecross.server.shell.traffic import DROP_REASONS, PeerTraffic
from doublecross.server.shell.upkeep.histogram import Histogram
from doublecross.server.shell.upkeep.service_time import ServiceTime
from doublecross.server.tournaments.running import RunningTournament

_TOURNAMENTS: Final = ("open", "running")
"""The states of tournaments that have not ended; ended ones are in the database only."""
_STATUSES: Final = tuple(status for status in get_args(Status) if status != "closed")


def people(
    kinds: Counter[str], http: int, spectators: int, traffic: PeerTraffic
) -> Iterator[Metric]:
    """Return metrics of connections. `kinds` counts them by kind, `http` is the number of HTTP."""
    yield gauges(
        "doublecross_connections",
        "Open websocket connections, by kind.",
        "kind",
        {kind: kinds[kind] for kind in (*KINDS.values(), NEW)},
    )
    yield gauge("doublecross_http_connections", "Open HTTP connections.", http)
    yield gauge(
        "doublecross_spectators",
        "Connections that follow a room without a seat, counted once for each room.",
        spectators,
    )
    yield counter(
        "doublecross_connections_opened", "Websocket connections since the start.", traffic.opened
    )
    yield counters(
        "doublecross_connections_dropped",
        "Websocket connections that the server has ended, by reason.",
        "reason",
        # Also those that are 0, because monitoring computes rates from the first value on.
        {reason: traffic.dropped[reason] for reason in DROP_REASONS},
    )


def play(rooms: Counter[str], moves: int, finished: int) -> Iterator[Metric]:
    """Return metrics of play. `rooms` counts rooms by status; the rest is since the start."""
    yield gauges(
        "doublecross_rooms",
        "Open rooms, by status.",
        "status",
        {status: rooms[status] for status in _STATUSES},
    )
    yield gauge("doublecross_matches", "Matches in play.", rooms["playing"])
    yield counter("doublecross_moves", "Moves that were stored, those of openings included.", moves)
    yield counter("doublecross_matches_finished", "Matches that ended.", finished)


def tournaments(running: Iterable[RunningTournament]) -> Metric:
    """Return how many tournaments are open and running."""
    states = [each.core.status for each in running]
    return gauges(
        "doublecross_tournaments",
        "Tournaments that have not ended, by state.",
        "state",
        {state: states.count(state) for state in _TOURNAMENTS},
    )


def storage(
    durations: Histogram, sizes: Histogram, failures: int, queues: Mapping[str, int]
) -> Iterator[Metric]:
    """Return metrics of commits (durations in seconds, sizes in events) and of queues."""
    yield histogram("doublecross_commit_seconds", "How long commits took.", durations)
    yield histogram("doublecross_commit_events", "How many events a commit stored.", sizes)
    yield counter("doublecross_commit_failures", "Commits that failed.", failures)
    yield gauges("doublecross_queue_length", "What waits now, by queue.", "queue", queues)


def reviews(figures: Mapping[str, int]) -> Iterator[Metric]:
    """Return how many reviews there were."""
    yield counter("doublecross_reviews_made", "Reviews that were made.", figures["made"])
    yield counter("doublecross_reviews_failed", "Reviews that failed.", figures["failed"])


def refusals(by_code: Counter[str], by_limit: Mapping[str, int]) -> Iterator[Metric]:
    """Return metrics of refused requests and connections."""
    yield counters(
        "doublecross_refusals",
        "Requests that were refused, by error code.",
        "code",
        {code.value: by_code[code.value] for code in ErrorCode},
    )
    yield counters(
        "doublecross_limit_hits",
        "How often a limit refused something, by limit.",
        "limit",
        by_limit,
    )


def state(
    service: ServiceTime,
    tls: Tls | None,
    tasks: Mapping[str, str],
    database: str,
    *,
    ready: bool,
    can_store: bool,
) -> Iterator[Metric]:
    """Return metrics of the process. `database` is its kind; `tasks` are the long-lived ones."""
    yield histogram(
        "doublecross_loop_lag_seconds",
        "How much later than planned the event loop did something.",
        service.lags,
    )
    yield counter(
        "doublecross_stall_seconds",
        "How long the server stood still, which cost no player time.",
        service.spared_ms() / 1000,
    )
    yield gauge("doublecross_ready", "Whether it accepts connections and rooms.", int(ready))
    yield gauge("doublecross_storage_works", "Whether it can store.", int(can_store))
    yield gauge(
        "doublecross_certificate_expires_seconds",
        "When the certificate of the server expires, since 1970; 0 without own TLS.",
        0 if tls is None else round(tls.certificate.ends.timestamp()),
    )
    yield gauges(
        "doublecross_task_up",
        "Whether a long-lived task runs, by task.",
        "task",
        {name: int(how == "running") for name, how in tasks.items()},
    )
    yield _build_info(database)


def _build_info(database: str) -> Metric:
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
