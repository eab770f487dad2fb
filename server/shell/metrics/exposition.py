"""Turn the figures of a server into the text that Prometheus reads.

The server counts with plain ints. They become metrics only here, when a reader asks. The registry
belongs to one server, so several servers can share a process. Importing the library takes long, so
`doublecross.server.shell.web.probes` imports this module only when the first reader comes.
"""

from __future__ import annotations

from collections.abc import Iterator

from prometheus_client import GCCollector, ProcessCollector
from prometheus_client.core import Metric
from prometheus_client.exposition import generate_latest
from prometheus_client.registry import Collector, CollectorRegistry

from doublecross.server.shell.metrics import common
from doublecross.server.shell.metrics.figures import Counts, Observed


class CountedMetrics(Collector):
    """A collector of metrics. `counts` are the counts to show next."""

    def __init__(self) -> None:
        self.counts = Counts()

    def describe(self) -> Iterator[Metric]:
        """Return nothing, so that the registry does not collect while it registers this object."""
        return iter(())


class Exposition:
    """The metrics of one server as text, with those of its process."""

    def __init__(self, metrics: CountedMetrics) -> None:
        self._metrics = metrics
        self._registry = CollectorRegistry()
        self._registry.register(metrics)
        ProcessCollector(registry=self._registry)
        GCCollector(registry=self._registry)

    def text(self, counts: Counts) -> bytes:
        """Return the metrics of now, in the text format 0.0.4."""
        self._metrics.counts = counts
        return generate_latest(self._registry)


class ServerMetrics(CountedMetrics):
    """Collect the metrics of a single server."""

    def __init__(self, observed: Observed) -> None:
        super().__init__()
        self._observed = observed

    def collect(self) -> Iterator[Metric]:
        """Return all metrics of the server."""
        observed, counts = self._observed, self.counts
        authority = observed.authority
        publisher, writer = authority.rooms.publisher, authority.committer.writer
        yield from common.people(
            counts.connections, observed.front.http.count, counts.spectators, observed.connections
        )
        yield from common.play(counts.rooms, publisher.moves, publisher.finished)
        yield common.tournaments(authority.tournaments.running.values())
        yield from common.storage(
            writer.durations, writer.sizes, writer.failures, observed.queues()
        )
        yield from common.reviews(authority.reviews.figures())
        yield from common.refusals(observed.connections.refusals, observed.limit_hits())
        yield from common.state(
            observed.service,
            observed.front.tls,
            observed.health.tasks(),
            observed.database,
            ready=not observed.not_ready(),
            can_store=observed.health.can_store,
        )
