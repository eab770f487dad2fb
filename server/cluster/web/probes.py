"""The addresses by which programs watch one node: `/health`, `/ready` and `/metrics`."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from doublecross.server.cluster.web.figures import NodeFigures
from doublecross.server.shell.addresses.sources import Sources
from doublecross.server.shell.settings import MetricsReaders
from doublecross.server.shell.web import answers
from doublecross.server.shell.web.endpoints import Endpoint
from doublecross.server.shell.web.limits import HEALTH
from doublecross.server.shell.web.probes import MetricsText, Probes

if TYPE_CHECKING:
    from doublecross.server.shell.metrics.exposition import Exposition


class NodeProbes:
    """The probes of one node. `epoch` returns that of the cluster, or an empty text."""

    def __init__(
        self,
        figures: NodeFigures,
        sources: Sources,
        readers: MetricsReaders,
        epoch: Callable[[], str],
    ) -> None:
        self._figures = figures
        self._epoch = epoch
        self._probes = Probes(figures.not_ready, _metrics_of(figures), sources, readers)

    def endpoints(self) -> list[Endpoint]:
        """Return the endpoints; without `/metrics` if nobody may read it."""
        health = Endpoint(
            HEALTH,
            self._health,
            "Whether the node works, and how much it does.",
            answers.HealthReport,
            errors={503: "The node does not work; `problem` says why."},
        )
        return [health, *self._probes.endpoints()]

    async def _health(self, _: Request) -> Response:
        figures, node = self._figures, self._figures.node
        problem, counts, trouble = await figures.problem(), figures.counts(), figures.trouble()
        body: dict[str, Any] = {
            "status": "failing" if problem else "ok",
            "problem": problem,
            "storage": trouble or "ok",
            "tasks": figures.tasks(),
            "stalls_ms": figures.service.spared_ms(),
            "epoch": self._epoch(),
            "uptime_s": round(figures.uptime_s(), 1),
            "connections": len(figures.connections.peers),
            "players": sum(peer.player is not None for peer in figures.connections.peers),
            "rooms": sum(len(each.side.rooms.index) for each in node.running.values()),
            "commits": counts.commits,
            "events": counts.events,
            "failed_commits": counts.failures,
            "reviews": figures.reviews(),
            "node": figures.name,
            "run": node.run,
            "hall": node.hall is not None and node.hall.is_open,
            "hall_run": figures.hall(),
            "logs": sorted(node.running),
            "links": figures.links(),
            "lease": figures.holds(),
        }
        return JSONResponse(body, status_code=503 if problem else 200)


def _metrics_of(figures: NodeFigures) -> MetricsText:
    def make() -> Exposition:
        from doublecross.server.cluster.web.metrics import NodeMetrics
        from doublecross.server.shell.metrics.exposition import Exposition

        return Exposition(NodeMetrics(figures))

    return MetricsText(make, figures.count)
