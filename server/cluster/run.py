"""One run of a node: it begins when the process joins the cluster, and ends with its lease.

A run that has ended never comes back. The process then begins another one, and keeps its ports, its
gates and its connections to PostgreSQL, which are `ProcessParts`.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from random import SystemRandom
from typing import Final

import structlog

from doublecross.server.cluster.clock import lease_clock
from doublecross.server.cluster.gateway.connections import GatewayConnections
from doublecross.server.cluster.lease_holder import LeaseHolder
from doublecross.server.cluster.links.calls import NodeCalls
from doublecross.server.cluster.links.hub import Hub
from doublecross.server.cluster.network import Network
from doublecross.server.cluster.node import Node
from doublecross.server.cluster.parts import NodeParts
from doublecross.server.cluster.process import ProcessParts, nats_access
from doublecross.server.cluster.spare_logs import SpareLogs
from doublecross.server.cluster.web.node_web import NodeWeb
from doublecross.server.core.cluster_ids import ALPHABET
from doublecross.server.core.cluster_storage import LEADER
from doublecross.server.shell.authority import AuthorityConfig
from doublecross.server.shell.upkeep.service_time import TimeSource

_log = structlog.get_logger("cluster")
CHECK_S: Final = 0.01
"""Seconds between two checks for the leader, while a run begins."""
LETTERS: Final = 12
"""How many letters the id of a run has."""


class Run:
    """The parts of one run, connected to each other. None of them has begun to work."""

    def __init__(self, parts: ProcessParts) -> None:
        settings = parts.settings
        self.id = "".join(SystemRandom().choices(ALPHABET, k=LETTERS))
        self.hub = hub = Hub(nats_access(settings), settings.cluster_name, self.id)
        network = Network(hub)
        config = AuthorityConfig.of(settings, settings.cluster_name)
        node_parts = NodeParts(
            network,
            parts.storage.store_of,
            config,
            TimeSource(parts.service.now, parts.date, time.monotonic, parts.service),
            self.holds,
            settings.patience,
            SystemRandom(),
            parts.reviewer,
            settings.cluster_logs,
            parts.front.place,
        )
        self.node = Node(node_parts, parts.adviser())
        self.connections = GatewayConnections(self.node.gateway, settings.limits, settings.patience)
        calls = NodeCalls(hub)
        self.web = NodeWeb(parts, self.node, self.connections, calls, self.holds, self._away)
        hub.on_items.append(network.take)
        hub.on_up += [self.node.linked, lambda _: self.web.tell()]
        hub.on_reset.append(self.node.reset)
        hub.on_connected.append(self.node.connected)
        self.lease_holder = LeaseHolder(parts.storage, self.id, self.node, lease_clock())
        self.node.on_owners_changed = self.lease_holder.renew_now
        self.node.on_taken_away = self.lease_holder.taken_away
        self.node.on_leaving = self.lease_holder.leaving.add
        self.spare_logs = SpareLogs(self.node, self.lease_holder, settings.cluster_logs)
        self._is_open = False
        self.waits_for = ""
        """The reason why the run has not begun yet, after another one has ended."""

    def _away(self) -> str:
        if self.waits_for:
            return self.waits_for
        return "NATS cannot be reached" if self._is_open and not self.hub.connected else ""

    def holds(self) -> bool:
        """Return whether the lease of the run holds."""
        return self.lease_holder.holds()

    async def open_links(self) -> None:
        """Connect to NATS, unless that has succeeded already.

        Raises:
            ConnectError: NATS cannot be used.
        """
        if not self._is_open:
            await self.hub.open()
            self._is_open = True

    async def find_leader(self, within_s: float) -> None:
        """Wait until clients can be served: this node is the leader, or can reach it.

        After `within_s` seconds go on without. Clients are told to come again until there is one.
        """
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(within_s):
                # Leases and links have no common event.
                while self.node.owner(LEADER) not in (self.id, *self.node.network.reachable()):  # noqa: ASYNC110
                    await asyncio.sleep(CHECK_S)

    async def abandon(self, grace_s: float, last_s: float) -> None:
        """Free everything after the run has ended and other nodes have its logs.

        Clients are told to come again, and have `grace_s` seconds to close their connections.
        Everything else may take `last_s` seconds.
        """
        await self.connections.close_all(grace_s)
        await self.hub.close()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(last_s):
                await self.web.close()
                await self.node.close()
