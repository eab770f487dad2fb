"""The metrics of a node: those of a single server as far as a node has them, and a few more.

What only the hall has, such as tournaments and reviews, is there at the node that is the hall.
Importing the library takes long, so `probes.py` imports this module when the first reader comes.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, get_args

from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from protocol.errors import ErrorCode
from server.cluster.web.figures import NodeCounts, NodeFigures
from server.core.room import Status
from server.shell.metrics.exposition import build_info
from server.shell.metrics.families import counter, counters, gauge, gauges, histogram
from server.shell.metrics.observed import KINDS, NEW
from server.shell.traffic import DROP_REASONS

_TOURNAMENTS: Final = ("open", "running")
_STATUSES: Final = tuple(status for status in get_args(Status) if status != "closed")


class NodeMetrics(Collector):
    """Collects the metrics of one node. `counts` are those to show next."""

    def __init__(self, figures: NodeFigures) -> None:
        self._figures = figures
        self.counts = NodeCounts()

    def describe(self) -> Iterator[Metric]:
        """Return nothing: the registry then does not collect while it registers this."""
        return iter(())

    def collect(self) -> Iterator[Metric]:
        """Return all metrics of the node."""
        yield from self._people()
        yield from self._play()
        yield from self._refusals()
        yield from self._state()
        yield from self._cluster()
        if self._figures.node.hall is not None:
            yield from self._hall()

    def _people(self) -> Iterator[Metric]:
        figures, counts = self._figures, self.counts
        yield gauges(
            "doublecross_connections",
            "Open websocket connections to this node, by kind.",
            "kind",
            {kind: counts.connections[kind] for kind in (*KINDS.values(), NEW)},
        )
        yield gauge(
            "doublecross_http_connections", "Open HTTP connections.", figures.front.http.count
        )
        yield gauge(
            "doublecross_spectators",
            "Connections that follow a room of this node without a seat.",
            counts.spectators,
        )
        yield counter(
            "doublecross_connections_opened",
            "Websocket connections since the start.",
            figures.connections.opened,
        )
        dropped = figures.connections.dropped
        yield counters(
            "doublecross_connections_dropped",
            "Websocket connections that the server has ended, by reason.",
            "reason",
            {reason: dropped[reason] for reason in DROP_REASONS},
        )

    def _play(self) -> Iterator[Metric]:
        counts, done = self.counts, self._figures.counts()
        yield gauges(
            "doublecross_rooms",
            "Open rooms of the logs that this node owns, by status.",
            "status",
            {status: counts.rooms[status] for status in _STATUSES},
        )
        yield gauge("doublecross_matches", "Matches in play.", counts.rooms["playing"])
        yield counter(
            "doublecross_moves", "Moves that were stored, those of openings included.", done.moves
        )
        yield counter("doublecross_matches_finished", "Matches that ended.", done.finished)
        yield histogram("doublecross_commit_seconds", "How long commits took.", done.durations)
        yield histogram("doublecross_commit_events", "How many events a commit stored.", done.sizes)
        yield counter("doublecross_commit_failures", "Commits that failed.", done.failures)
        yield gauges(
            "doublecross_queue_length",
            "What waits now, by queue.",
            "queue",
            self._figures.queues(),
        )

    def _refusals(self) -> Iterator[Metric]:
        refusals = self._figures.refusals()
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
            self._figures.limit_hits(),
        )

    def _state(self) -> Iterator[Metric]:
        figures = self._figures
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
        ready = not figures.not_ready()
        yield gauge("doublecross_ready", "Whether it accepts connections and rooms.", int(ready))
        works = figures.holds() and not figures.trouble()
        yield gauge("doublecross_storage_works", "Whether it can store.", int(works))
        tls = figures.front.tls
        yield gauge(
            "doublecross_certificate_expires_seconds",
            "When the certificate of the server expires, since 1970; 0 without own TLS.",
            0 if tls is None else round(tls.certificate.ends.timestamp()),
        )
        yield gauges(
            "doublecross_task_up",
            "Whether a long-lived task runs, by task.",
            "task",
            {name: int(state == "running") for name, state in figures.tasks().items()},
        )
        yield build_info("postgresql")

    def _cluster(self) -> Iterator[Metric]:
        figures, node = self._figures, self._figures.node
        info = GaugeMetricFamily(
            "doublecross_node_info", "Which node this is; always 1.", labels=["node", "run"]
        )
        info.add_metric([figures.name, node.run], 1)
        yield info
        yield gauge("doublecross_node_lease", "Whether the lease holds.", int(figures.holds()))
        is_hall = node.hall is not None and node.hall.is_open
        yield gauge("doublecross_node_hall", "Whether this node is the hall.", int(is_hall))
        yield gauge("doublecross_node_links", "Other nodes that can be reached.", figures.links())
        yield gauges(
            "doublecross_log_rooms",
            "Open rooms, by log of this node.",
            "log",
            {
                log: len(running.side.rooms.registry.channels)
                for log, running in sorted(node.running.items())
            },
        )

    def _hall(self) -> Iterator[Metric]:
        hall = self._figures.node.hall
        assert hall is not None
        tournaments = hall.authority.tournaments.running.values()
        states = [each.core.status for each in tournaments]
        yield gauges(
            "doublecross_tournaments",
            "Tournaments that have not ended, by state.",
            "state",
            {state: states.count(state) for state in _TOURNAMENTS},
        )
        reviews = self._figures.reviews()
        yield counter("doublecross_reviews_made", "Reviews that were made.", reviews["made"])
        yield counter("doublecross_reviews_failed", "Reviews that failed.", reviews["failed"])
        yield gauge(
            "doublecross_hall_players",
            "Players who are connected to any node, as the hall knows them.",
            len(hall.authority.peers.by_name),
        )
