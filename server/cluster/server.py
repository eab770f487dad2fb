"""Start and stop one process of a cluster."""

from __future__ import annotations

import contextlib
import re
import socket
import time
from collections.abc import Callable
from dataclasses import dataclass
from random import SystemRandom
from typing import Final

import structlog
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from server.cluster.checking import check_clock
from server.cluster.clock import lease_clock
from server.cluster.core.ids import ALPHABET
from server.cluster.edge.connections import EdgeConnections
from server.cluster.keeper import Keeper
from server.cluster.links.access import Access, ConnectError
from server.cluster.links.hub import Hub
from server.cluster.network import Network
from server.cluster.node import Node
from server.core.storage import StoreError
from server.shell.addresses.admission import Admission
from server.shell.authority import AuthorityConfig
from server.shell.front import Front
from server.shell.listening import Addresses, StartError
from server.shell.settings import ServerSettings
from server.shell.upkeep.periodic import every
from server.shell.upkeep.service_time import Dates, ServiceTime
from server.store.cluster.opening import open_cluster
from server.store.cluster.store import ClusterStore
from server.supervisor import Supervisor

SWEEP_S: Final = 0.25
"""Seconds between two looks at silent connections and late requests."""
LAST_S: Final = 10.0
"""Seconds that a stopping process waits for its tasks."""
RUN_LETTERS: Final = 12
MACHINE_LETTERS: Final = 58
"""How many letters of the name of a machine stand in the name of a node."""

_log = structlog.get_logger("cluster")


@dataclass(frozen=True, slots=True)
class ClusterTerms:
    """What a process must know of its cluster beside the database.

    `node` is the name of this process, None for one made from its machine and port. `cluster` is
    the name of the cluster in NATS, and `logs` says how many logs the process makes when it starts.
    """

    node: str | None
    nats: Access
    cluster: str = "main"
    logs: int = 2

    @classmethod
    def of(cls, settings: ServerSettings) -> ClusterTerms:
        """Return what the settings of a server say."""
        urls = tuple(url.strip() for url in settings.nats.split(","))
        access = Access(urls, credentials=settings.nats_credentials, tls_ca=settings.nats_ca)
        return cls(settings.node, access, settings.cluster_name, settings.cluster_logs)


def name_of(machine: str, port: int) -> str:
    """Return the name of a node without one: it is the same whenever this node starts."""
    return f"{re.sub('[^A-Za-z0-9_.-]', '-', machine)[:MACHINE_LETTERS]}-{port}"


class ClusterServer:
    """Run one process of a cluster in the current event loop: call `start`, later `stop`.

    `date` returns the date for people, in milliseconds since 1970; None is that of the system.
    """

    def __init__(
        self,
        settings: ServerSettings,
        terms: ClusterTerms,
        date: Callable[[], int] | None = None,
    ) -> None:
        self.settings = settings
        self.terms = terms
        self.service = ServiceTime()
        self._date = date or Dates()
        self.run = "".join(SystemRandom().choices(ALPHABET, k=RUN_LETTERS))
        self.name: str
        """The name of the node; see `ClusterTerms`."""
        self.restored = 0
        """No rooms wait for a node: others have them, or it takes them after its start."""
        self.front: Front
        self.storage: ClusterStore
        self.keeper: Keeper
        self.hub: Hub
        self.node: Node
        self.connections: EdgeConnections
        self.addresses: Addresses
        self.supervisor: Supervisor

    async def start(self) -> Addresses:
        """Join the cluster, and listen.

        Raises:
            StartError: a port is in use, PostgreSQL or NATS cannot be used, another process has the
                name, or the clock of this machine is wrong.
        """
        settings = self.settings
        self.front = front = Front(settings)
        front.bind()
        self.name = self.terms.node or name_of(socket.gethostname(), front.port)
        try:
            self.storage = await open_cluster(settings.database)
        except StoreError as error:
            front.unbind()
            raise StartError(str(error)) from None
        self.supervisor = Supervisor()
        self.supervisor.watch("heartbeat", self.service.run)
        self._build()
        try:
            now_ms = await self.keeper.join(self.name)
            check_clock(self._date(), now_ms)
            await self.hub.open(self.supervisor)
            self.supervisor.watch("lease", self.keeper.run)
            for _ in range(self.terms.logs):
                await self.keeper.create_log()
        except (StoreError, ConnectError, StartError) as error:
            front.unbind()
            await self._give_up()
            raise StartError(str(error)) from None
        front.open(Admission(settings.addresses, time.monotonic), lambda _: "")
        self.addresses = front.addresses
        self.connections = EdgeConnections(
            self.node.edge,
            settings.limits,
            silence_s=settings.silence_s,
            write_buffer=settings.write_buffer_kib * 1024,
        )
        await front.serve(self._application(), self.connections, self.supervisor)
        self.supervisor.watch("sweep", lambda: every(SWEEP_S, self._sweep))
        _log.info("node_started", node=self.name, run=self.run, ws=self.addresses.ws)
        return self.addresses

    def _build(self) -> None:
        settings = self.settings
        self.hub = Hub(self.terms.nats, self.terms.cluster, self.run)
        network = Network(self.hub)
        config = AuthorityConfig(
            settings.times,
            settings.limits,
            epoch=self.terms.cluster,
            session_ms=round(settings.session_days * 86_400_000),
            absence_ms=round(settings.absence_s * 1000),
            idle_ms=round(settings.idle_s * 1000),
            reviews_kept=settings.reviews_kept,
            addresses=settings.addresses,
        )
        self.node = Node(
            network,
            self.storage.store_of,
            lambda: [run for run, peer in self.hub.peers.items() if peer.up],
            self.hub.forget,
            self._run_ended,
            config,
            SystemRandom(),
            self.service.now,
            self._date,
            self.service,
            lambda: self.keeper.holds(),
            hello_s=settings.hello_s,
            silence_s=settings.silence_s,
            write_buffer=settings.write_buffer_kib * 1024,
        )
        self.hub.on_items = network.take
        self.hub.on_up.append(self.node.linked)
        self.hub.on_reset.append(self.node.reset)
        self.keeper = Keeper(self.storage, self.run, self.node, lease_clock())

    def _run_ended(self) -> None:
        _log.error(
            "node_left_behind",
            what="The cluster has gone on without this process. Start it again.",
        )

    def _application(self) -> Starlette:
        async def health(_: Request) -> Response:
            owned = sorted(self.node.running)
            return JSONResponse(
                {
                    "node": self.name,
                    "run": self.run,
                    "hall": self.node.hall is not None and self.node.hall.is_open,
                    "logs": owned,
                    "connections": len(self.connections.peers),
                    "lease": self.keeper.holds(),
                },
                status_code=200 if self.keeper.holds() else 503,
            )

        return Starlette(routes=[Route("/health", health)])

    def reload(self) -> None:
        """Load the certificate and its key again; before the start there is nothing to load."""
        if hasattr(self, "front"):
            self.front.reload()

    def _sweep(self) -> None:
        self.connections.sweep(silent=not self.service.is_stalled())
        self.node.edge.sweep()

    async def _give_up(self) -> None:
        """Free everything, because the process cannot start."""
        with contextlib.suppress(StoreError):
            await self.keeper.leave()
        await self.hub.close()
        self.supervisor.cancel()
        await self.supervisor.close(LAST_S)
        await self.storage.close()

    async def stop(self) -> None:
        """Leave the cluster in order: store everything, give up the logs, end the connections."""
        self.supervisor.stopping()
        self.front.close()
        await self.node.settle()
        with contextlib.suppress(StoreError):
            await self.keeper.leave()
        await self.connections.close_all(self.settings.stop_s)
        await self.hub.close()
        self.front.stop_http()
        self.supervisor.cancel("heartbeat", "lease", "sweep")
        await self.supervisor.close(LAST_S)
        await self.storage.close()
        _log.info("node_stopped", node=self.name)
