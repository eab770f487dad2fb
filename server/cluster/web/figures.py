"""The figures of one node, for its own probes and for the hall, which adds them up."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

from prometheus_client.core import InfoMetricFamily, Metric

from doublecross.server.cluster.edge.connections import EdgeConnections
from doublecross.server.cluster.node import Node
from doublecross.server.cluster.process import ProcessParts
from doublecross.server.core.cluster_storage import HALL
from doublecross.server.shell.addresses.admission import Action
from doublecross.server.shell.authority import Authority
from doublecross.server.shell.metrics.counts import Totals
from doublecross.server.shell.metrics.exposition import gauge
from doublecross.server.shell.metrics.figures import Figures
from doublecross.server.shell.rooms.live import LiveRooms

AWAY_S: Final = 10.0
"""How long a healthy node may be without the hall, in seconds: longer than a move of the hall."""
FIGURES: Final = "figures"
"""The name of the call that asks a node for `Figures.summary`."""
ROOMS: Final = "room figures"
"""The name of the call that asks a node for `NodeFigures.of_rooms`."""


class NodeFigures(Figures):
    """The figures and problems of one node.

    `holds` returns whether the lease holds, and `away` why this node is no part of the cluster now;
    an empty text if it is.
    """

    def __init__(
        self,
        process: ProcessParts,
        node: Node,
        connections: EdgeConnections,
        holds: Callable[[], bool],
        away: Callable[[], str],
    ) -> None:
        super().__init__(
            process.name,
            "postgresql",
            process.front,
            connections,
            node.advice,
            process.service,
            process.supervisor,
            process.storage.ping,
        )
        self._node = node
        self._holds = holds
        self._away = away
        self._hall_s = time.monotonic()

    def hall(self) -> str | None:
        """Return the run that is the hall, or None."""
        return self._node.owner(HALL)

    def authority(self) -> Authority | None:
        """Return the authority of the hall, if this node is it."""
        return None if self._node.hall is None else self._node.hall.authority

    def rooms(self) -> Sequence[LiveRooms]:
        """Return what runs the rooms of each log of this node, that of the hall included."""
        found = [running.side.rooms for running in self._node.running.values()]
        authority = self.authority()
        return found if authority is None else [*found, authority.rooms]

    def epoch(self) -> str:
        """Return the epoch of the cluster, or an empty text."""
        known = self._node.own_hall.kept.newest
        return "" if known is None else known.epoch

    def is_draining(self) -> bool:
        """Return whether the cluster drains."""
        return self._node.is_draining

    # -- problems ------------------------------------------------------------------------------

    def can_store(self) -> bool:
        """Return whether commits succeed and may be shown, as far as it is known."""
        return self._holds() and super().can_store()

    def absence(self, *, at_once: bool) -> str:
        """Return why this node is no part of the cluster now, or an empty text.

        Without `at_once` it may be without the hall for a while.
        """
        if away := self._away():
            return away
        if not self._holds():
            return "the lease of this node has lapsed"
        missed_s = 0.0 if self._reaches_hall() else time.monotonic() - self._hall_s
        if missed_s > (0.0 if at_once else AWAY_S):
            return "no node that can be reached is the hall"
        return ""

    def _reaches_hall(self) -> bool:
        """Return whether this node is the hall and open for business, or can reach the hall."""
        run, hall = self.hall(), self._node.hall
        if run == self._node.run:
            return hall is not None and hall.is_open
        return run in self._node.reachable()

    def check_hall(self) -> None:
        """Note the time while the hall can be reached; call this several times a second."""
        if self._reaches_hall():
            self._hall_s = time.monotonic()

    async def health(self) -> dict[str, Any]:
        """Return the health of the node, and its place in the cluster."""
        hall = self._node.hall
        return {
            **await super().health(),
            "node": self.name,
            "run": self._node.run,
            "hall": hall is not None and hall.is_open,
            "hall_run": self.hall(),
            "logs": sorted(self._node.running),
            "links": len(self._node.reachable()),
            "lease": self._holds(),
        }

    # -- figures -------------------------------------------------------------------------------

    def totals(self) -> Totals:
        """Return the counters of this node, also of logs that are elsewhere by now."""
        return self._node.past.with_all(self.rooms())

    def address_hits(self) -> Counter[Action]:
        """Return how often each limit of an address has refused something, also at the hall."""
        found, authority = super().address_hits(), self.authority()
        return found if authority is None else found + authority.admission.hits

    def message_hits(self) -> Counter[str]:
        """Return how often each limit of a connection has refused something, also at the hall."""
        found, hall = super().message_hits(), self._node.hall
        return found if hall is None else found + hall.connections.hits

    def refusals(self) -> Counter[str]:
        """Return how many requests were refused here with each error code."""
        found, hall = super().refusals() + self._node.far.refusals, self._node.hall
        return found if hall is None else found + hall.connections.refusals

    def own_metrics(self) -> Iterator[Metric]:
        """Return the metrics of the node's place in the cluster."""
        node, authority = self._node, self.authority()
        about = {"node": self.name, "run": node.run}
        yield InfoMetricFamily("doublecross_node", "Which node this is; always 1.", about)
        yield gauge("doublecross_node_lease", "Whether the lease holds.", self._holds())
        is_hall = node.hall is not None and node.hall.is_open
        yield gauge("doublecross_node_hall", "Whether this node is the hall.", is_hall)
        links = len(node.reachable())
        yield gauge("doublecross_node_links", "Other nodes that can be reached.", links)
        yield gauge(
            "doublecross_log_rooms",
            "Open rooms, by log of this node.",
            {
                log: len(running.side.rooms.registry.channels)
                for log, running in sorted(node.running.items())
            },
            "log",
        )
        if authority is not None:
            yield gauge(
                "doublecross_hall_players",
                "Players who are connected to any node, as the hall knows them.",
                len(authority.peers.sessions),
            )

    # -- for the hall --------------------------------------------------------------------------

    def of_rooms(self, run: str, value: Any) -> dict[str, tuple[int, int]]:
        """Return the ply and the spectators of these rooms; this handles the call `ROOMS`."""
        found = {}
        for room_id in value:
            rooms = self._node.logs.of(room_id)
            channel = None if rooms is None else rooms.registry.channels.get(room_id)
            if channel is not None:
                match = channel.room.match
                found[room_id] = (0 if match is None else match.ply, channel.spectators)
        return found
