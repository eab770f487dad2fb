"""The metrics of a node: those of a single server as far as a node has them, and a few more.

Metrics of the hall, such as those of tournaments, are there only at the node that is the hall.
Importing the library takes long, so `probes.py` imports this module when the first reader comes.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, get_args

from prometheus_client.core import GaugeMetricFamily, Metric

from doublecross.server.cluster.hall.running import RunningHall
from doublecross.server.cluster.web.figures import NodeFigures
from doublecross.server.core.rooms.room import Status
from doublecross.server.shell.metrics import common
from doublecross.server.shell.metrics.exposition import CountedMetrics
from doublecross.server.shell.metrics.families import gauge, gauges

_TOURNAMENTS: Final = ("open", "running")
_STATUSES: Final = tuple(status for status in get_args(Status) if status != "closed")


class NodeMetrics(CountedMetrics):
    """Collects the metrics of one node."""

    def __init__(self, figures: NodeFigures) -> None:
        super().__init__()
        self._figures = figures

    def collect(self) -> Iterator[Metric]:
        """Return all metrics of the node."""
        figures, counts, done = self._figures, self.counts, self._figures.counts()
        yield from common.people(
            counts.connections, figures.front.http.count, counts.spectators, figures.connections
        )
        yield from common.play(counts.rooms, done.moves, done.finished)
        yield from common.storage(done.durations, done.sizes, done.failures, figures.queues())
        yield from common.refusals(figures.refusals(), figures.limit_hits())
        yield from common.state(
            figures.service,
            figures.front.tls,
            figures.tasks(),
            "postgresql",
            ready=not figures.not_ready(),
            can_store=figures.holds() and not figures.trouble(),
        )
        yield from self._cluster()
        if figures.node.hall is not None:
            yield from self._hall(figures.node.hall)

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

    def _hall(self, hall: RunningHall) -> Iterator[Metric]:
        yield common.tournaments(hall.authority.tournaments.running.values())
        yield from common.reviews(self._figures.reviews())
        yield gauge(
            "doublecross_hall_players",
            "Players who are connected to any node, as the hall knows them.",
            len(hall.authority.peers.by_name),
        )
