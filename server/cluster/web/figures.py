"""The figures of one node, for its own probes and for admins, for whom the leader adds them up."""

from __future__ import annotations

import time
from collections import ChainMap, Counter
from collections.abc import Callable, Iterator, Sequence
from hashlib import blake2b
from itertools import islice
from typing import Any, Final

from prometheus_client.core import InfoMetricFamily, Metric

from doublecross.server.cluster.gateway.connections import GatewayConnections
from doublecross.server.cluster.leader.running import RunningLeader
from doublecross.server.cluster.links.calls import NodeCalls
from doublecross.server.cluster.node import Node
from doublecross.server.cluster.process import ProcessParts
from doublecross.server.core.cluster_storage import LEADER
from doublecross.server.shell.addresses.admission import Action
from doublecross.server.shell.authority import Authority
from doublecross.server.shell.metrics.counts import Totals
from doublecross.server.shell.metrics.exposition import gauge
from doublecross.server.shell.metrics.figures import UNKNOWN, Figures
from doublecross.server.shell.metrics.overview import overview, room_line
from doublecross.server.shell.rooms.live import LiveRooms

AWAY_S: Final = 10.0
"""How long a healthy node may be without a leader, in seconds: longer than a take-over."""
FIGURES: Final = "figures"
"""The name of the call that asks a node for `Figures.summary`."""
ASK_S: Final = 2.0
"""How long a node may take for its figures, in seconds; one that takes longer is left out."""
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
        connections: GatewayConnections,
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
        self._leader_s = time.monotonic()

    def leader(self) -> str | None:
        """Return the run that is the leader, or None."""
        return self._node.owner(LEADER)

    def authority(self) -> Authority | None:
        """Return the authority of the leader, if this node is it."""
        return None if self._node.leader is None else self._node.leader.authority

    def rooms(self) -> Sequence[LiveRooms]:
        """Return what runs the rooms of each log of this node, that of the leader included."""
        found = [running.rooms for running in self._node.running.values()]
        authority = self.authority()
        return found if authority is None else [*found, authority.rooms]

    def epoch(self) -> str:
        """Return the epoch of the cluster, or an empty text."""
        return self._node.own_leader.kept.newest.epoch

    def is_draining(self) -> bool:
        """Return whether the cluster drains."""
        return self._node.is_draining

    # -- problems ------------------------------------------------------------------------------

    def can_store(self) -> bool:
        """Return whether commits succeed and may be shown, as far as it is known."""
        return self._holds() and super().can_store()

    def absence(self, *, at_once: bool) -> str:
        """Return why this node is no part of the cluster now, or an empty text.

        Without `at_once` it may be without the leader for a while.
        """
        if away := self._away():
            return away
        if not self._holds():
            return "the lease of this node has lapsed"
        missed_s = 0.0 if self._reaches_leader() else time.monotonic() - self._leader_s
        if missed_s > (0.0 if at_once else AWAY_S):
            return "no node that can be reached is the leader"
        return ""

    def _reaches_leader(self) -> bool:
        """Return whether this node is the leader and open for business, or can reach the leader."""
        run, leader = self.leader(), self._node.leader
        if run == self._node.run:
            return leader is not None and leader.is_open
        return run in self._node.network.reachable()

    def check_leader(self) -> None:
        """Note the time while the leader can be reached; call this several times a second."""
        if self._reaches_leader():
            self._leader_s = time.monotonic()

    async def health(self) -> dict[str, Any]:
        """Return the health of the node, and its place in the cluster."""
        leader = self._node.leader
        return {
            **await super().health(),
            "node": self.name,
            "run": self._node.run,
            "leader": leader is not None and leader.is_open,
            "leader_run": self.leader(),
            "logs": sorted(self._node.running),
            "links": len(self._node.network.reachable()),
            "lease": self._holds(),
        }

    # -- figures -------------------------------------------------------------------------------

    def totals(self) -> Totals:
        """Return the counters of this node, also of logs that are elsewhere by now."""
        return self._node.past.with_all(self.rooms())

    def address_hits(self) -> Counter[Action]:
        """Return how often each limit of an address has refused something, also at the leader."""
        found, authority = super().address_hits(), self.authority()
        return found if authority is None else found + authority.admission.hits

    def message_hits(self) -> Counter[str]:
        """Return how often each limit of a connection has refused something, also at the leader."""
        found, leader = super().message_hits(), self._node.leader
        return found if leader is None else found + leader.connections.hits

    def refusals(self) -> Counter[str]:
        """Return how many requests were refused here with each error code."""
        found, leader = super().refusals() + self._node.far.refusals, self._node.leader
        return found if leader is None else found + leader.connections.refusals

    def own_metrics(self) -> Iterator[Metric]:
        """Return the metrics of the node's place in the cluster."""
        node, authority = self._node, self.authority()
        about = {"node": self.name, "run": node.run}
        yield InfoMetricFamily("doublecross_node", "Which node this is; always 1.", about)
        yield gauge("doublecross_node_lease", "Whether the lease holds.", self._holds())
        is_leader = node.leader is not None and node.leader.is_open
        yield gauge("doublecross_node_leader", "Whether this node is the leader.", is_leader)
        links = len(node.network.reachable())
        yield gauge("doublecross_node_links", "Other nodes that can be reached.", links)
        yield gauge(
            "doublecross_log_rooms",
            "Open rooms, by log of this node.",
            {
                log: len(running.rooms.registry.channels)
                for log, running in sorted(node.running.items())
            },
            "log",
        )
        if authority is not None:
            yield gauge(
                "doublecross_leader_players",
                "Players who are connected to any node, as the leader knows them.",
                len(authority.peers.sessions),
            )

    # -- for the leader --------------------------------------------------------------------------

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


class ClusterView:
    """The view of a whole cluster for admins.

    `doublecross.server.shell.web.managing.admin.View` documents the methods.
    """

    def __init__(self, leader: RunningLeader, calls: NodeCalls) -> None:
        self._leader = leader
        self._calls = calls

    async def overview(self) -> dict[str, Any]:
        """Return the sum of the figures of all nodes; see `View.overview`.

        The `epoch` changes when other nodes are counted, because the counters then jump.
        """
        told = await self._calls.ask_all(FIGURES, None, ASK_S)
        epoch = blake2b(" ".join(sorted(told)).encode(), digest_size=8).hexdigest()
        return {
            **overview(self._leader.authority, epoch, told.values()),
            "nodes": [
                {key: each[key] for key in ("name", "connections", "rooms", "moves")}
                # An older node tells no version.
                | {"version": each.get("version", UNKNOWN), "leader": run == self._calls.own}
                for run, each in sorted(told.items(), key=lambda pair: str(pair[1]["name"]))
            ],
        }

    async def rooms(self, limit: int) -> tuple[Sequence[dict[str, Any]], int]:
        """Return the newest rooms, and how many rooms there are; see `View.rooms`.

        The ply and the spectators are 0 when the owner of a room does not answer.
        """
        index = self._leader.authority.lobby.rooms
        newest = list(islice(reversed(list(index.values())), limit))
        told = await self._calls.ask_all(ROOMS, [room.id for room in newest], ASK_S)
        details = ChainMap(*told.values())
        return [room_line(room, *details.get(room.id, (0, 0))) for room in newest], len(index)
