"""Start and stop one process of a cluster."""

from __future__ import annotations

import asyncio
import contextlib
import re
import socket
import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import Final

import structlog
from starlette.types import Receive, Scope, Send

from doublecross.server.cluster.checking import check_clock
from doublecross.server.cluster.gateway.connections import GatewayConnections
from doublecross.server.cluster.handing_over import hand_over
from doublecross.server.cluster.links.access import ConnectError
from doublecross.server.cluster.process import ProcessParts
from doublecross.server.cluster.run import Run
from doublecross.server.core.cluster_storage import NameTakenError
from doublecross.server.core.storage import StoreError
from doublecross.server.shell.addresses.admission import Admission
from doublecross.server.shell.analysis.advice import Adviser
from doublecross.server.shell.analysis.reviews import Reviewer
from doublecross.server.shell.front import Front
from doublecross.server.shell.identity.rights import token_hash
from doublecross.server.shell.listening import Addresses, StartError
from doublecross.server.shell.metrics.figures import version
from doublecross.server.shell.rooms.recovery import open_rooms
from doublecross.server.shell.settings import ServerSettings
from doublecross.server.shell.upkeep.periodic import every, repeat
from doublecross.server.shell.upkeep.service_time import Dates, ServiceTime
from doublecross.server.shell.web.keys import signer_of
from doublecross.server.store.cluster.opening import open_cluster
from doublecross.server.store.cluster.store import ClusterStore
from doublecross.server.supervisor import Supervisor, UnrecoverableError

SLOW_S: Final = 1.0
"""Seconds after which a start tells the host what it waits for."""
FORMER: Final = "The former process with the name {name} may have died a moment ago."
NO_LEADER: Final = (
    "No leader has answered yet. Nodes that share a database also need the same NATS"
    " and the same cluster_name."
)
SWEEP_S: Final = 0.25
"""Seconds between two checks for silent connections and late requests."""
LEFT_BEHIND: Final = "the cluster has gone on without this node, which joins the cluster again"
LEADER_S: Final = 3.0
"""Seconds that a start waits for the leader, before it accepts connections."""
AGAIN_S: Final = 0.5
"""Seconds until a process tries again to join the cluster."""
LAST_S: Final = 10.0
"""Seconds that a stopping process waits for its tasks."""
SPARE_S: Final = 2.0
"""Seconds between two checks for logs to delete."""
MACHINE_LETTERS: Final = 58
"""The most letters of a machine's name in the name of a node.

A name has at most 64 letters: these, a hyphen, and a port with five digits.
"""

_log = structlog.get_logger("cluster")


@contextlib.contextmanager
def waiting_for(what: str) -> Iterator[None]:
    """Tell the host what the start waits for, if that takes long."""
    loop = asyncio.get_running_loop()
    timer = loop.call_later(SLOW_S, partial(_log.warning, "start_waits", what=what))
    try:
        yield
    finally:
        timer.cancel()


def name_of(machine: str, port: int) -> str:
    """Return a name for a node without one; it is the same at each start."""
    return f"{re.sub('[^A-Za-z0-9_.-]', '-', machine)[:MACHINE_LETTERS]}-{port}"


class ClusterServer:
    """Run one process of a cluster in the current event loop: call `start`, later `stop`.

    `date` returns the date for people, in milliseconds since 1970; None is that of the system.
    `adviser` returns the adviser of people who play bots, or None. `reviewer` returns the reviewer
    of finished games, or None; it works while this node is the leader. Clients with the
    `host_token` may manage the cluster over HTTP at this node.
    """

    def __init__(
        self,
        settings: ServerSettings,
        date: Callable[[], int] | None = None,
        adviser: Callable[[], Adviser | None] = lambda: None,
        reviewer: Callable[[], Reviewer | None] = lambda: None,
        host_token: str | None = None,
    ) -> None:
        self.settings = settings
        self.service = ServiceTime()
        self._date = date or Dates()
        self.name: str
        """The name of the node, which the settings may leave open."""
        self.restored = 0
        """Always 0: other nodes have the rooms, or this one takes them after its start."""
        self._adviser = adviser
        self._reviewer = reviewer
        self._host_hash = None if host_token is None else token_hash(host_token)
        self.front: Front
        self.storage: ClusterStore
        self.current: Run
        """The present run. When it ends, another one takes its place."""
        self.addresses: Addresses
        self.supervisor: Supervisor
        self._parts: ProcessParts
        self._is_stopping = False

    @property
    def connections(self) -> GatewayConnections:
        """The connections of clients."""
        return self.current.connections

    async def start(self) -> Addresses:
        """Join the cluster, and listen.

        Raises:
            StartError: a port is in use, PostgreSQL or NATS cannot be used, another process has the
                name, or the clock of this machine is wrong.
        """
        settings = self.settings
        self.front = front = Front(settings)
        signer = signer_of(settings.signing_key)
        front.bind()
        self.name = settings.node or name_of(socket.gethostname(), front.port)
        try:
            with waiting_for("PostgreSQL has not answered yet."):
                self.storage = await open_cluster(settings.database)
        except StoreError as error:
            front.unbind()
            raise StartError(str(error)) from None
        self.supervisor = Supervisor()
        self.supervisor.watch("heartbeat", self.service.run)
        admission = Admission(settings.addresses, time.monotonic)
        front.open(admission, lambda address: self.current.web.bans.known.why_not(address))
        self.addresses = front.addresses
        self._parts = ProcessParts(
            self.name,
            settings,
            self.storage,
            front,
            self.service,
            self.supervisor,
            self._date,
            self._adviser,
            self._reviewer,
            self._host_hash,
            signer,
        )
        self.current = Run(self._parts)
        try:
            with waiting_for("NATS has not answered yet."):
                await self.current.open_links()
            await self._check_cluster()
            with waiting_for(FORMER.format(name=self.name)):
                now_ms = await self._join()
            check_clock(self._date(), now_ms)
            await self.current.web.bans.load()
            self.supervisor.watch("lease", self._keep)
            for _ in range(self.settings.cluster_logs):
                await self.current.lease_holder.create_log()
            with waiting_for(NO_LEADER):
                await self.current.find_leader(LEADER_S)
        except (StoreError, ConnectError, StartError) as error:
            front.unbind()
            await self._give_up()
            raise StartError(str(error)) from None

        async def answer(scope: Scope, receive: Receive, send: Send) -> None:
            await self.current.web(scope, receive, send)

        await front.serve(answer, self.connections, self.supervisor)
        self.supervisor.watch("sweep", lambda: every(SWEEP_S, self._sweep))
        self.supervisor.watch(
            "spare logs", partial(repeat, SPARE_S, lambda: self.current.spare_logs.sweep())
        )
        _log.info("node_started", node=self.name, run=self.current.id, ws=self.addresses.ws)
        return self.addresses

    async def _join(self) -> int:
        """Take the rooms that a single server has left, and join the cluster.

        Return PostgreSQL's time in milliseconds since 1970, UTC.

        Raises:
            NameTakenError: another process has the name.
            StoreError: PostgreSQL fails.
        """
        if moved := await self.storage.move_journal(open_rooms):
            _log.info("rooms_of_a_single_server_moved", rooms=moved)
        return await self.current.lease_holder.join(
            self.name, version=version(), address=self.settings.cluster_name
        )

    async def _check_cluster(self) -> None:
        """Check that the nodes of this database can be reached.

        Raises:
            StartError: they have another name in NATS.
            StoreError: PostgreSQL fails.
        """
        own = self.settings.cluster_name
        for node in (await self.storage.snapshot()).nodes.values():
            is_other = node.is_live and node.name != self.name
            if is_other and node.address not in ("", own):
                raise StartError(
                    f"The node {node.name} of this database belongs to the cluster"
                    f" {node.address!r}, and this one would belong to {own!r}; give"
                    " all nodes of a database the same cluster_name."
                )

    # -- from run to run -----------------------------------------------------------------------

    async def _keep(self) -> None:
        """Keep the lease, and begin another run whenever one has ended."""
        while True:
            await self.current.lease_holder.run()
            if self._is_stopping:
                return
            _log.error("node_left_behind", what="The cluster has gone on without this node.")
            await self._begin_again()
            _log.warning("node_is_back", run=self.current.id)

    async def _begin_again(self) -> None:
        """Leave the run that has ended, and join the cluster with a new one.

        Raises:
            UnrecoverableError: another process has the name now.
        """
        ended = self.current
        # The new run watches tasks with these names.
        self.supervisor.cancel("bans", "advice")
        # From here on, new clients are told to come again, because the new run knows no leader yet.
        self.current = Run(self._parts)
        self.front.gate.server = self.connections
        self.current.waits_for = LEFT_BEHIND
        await ended.abandon(self.settings.stop_s, LAST_S)
        reason = ""
        while True:
            try:
                await self.current.open_links()
                await self._join()
                await self.current.web.bans.load()
                for _ in range(self.settings.cluster_logs):
                    await self.current.lease_holder.create_log()
                self.current.waits_for = ""
                return
            except NameTakenError as error:
                raise UnrecoverableError(str(error)) from None
            except (StoreError, ConnectError) as error:
                if str(error) != reason:
                    _log.warning("node_cannot_join", reason=str(error))
                reason = str(error)
                self.current.waits_for = f"{LEFT_BEHIND}: {reason.rstrip('.')}"
            await asyncio.sleep(AGAIN_S)

    def reload(self) -> None:
        """Load the certificate and its key again; before the start there is nothing to load."""
        if hasattr(self, "front"):
            self.front.reload()

    def _sweep(self) -> None:
        self.connections.sweep(silent=not self.service.is_stalled())
        self.current.node.gateway.sweep()
        self.current.web.figures.check_leader()

    async def _give_up(self) -> None:
        """Free everything, because the process cannot start."""
        with contextlib.suppress(StoreError):
            await self.current.lease_holder.leave()
        await self.current.hub.close()
        self.supervisor.cancel()
        await self.supervisor.close(LAST_S)
        await self.storage.close()

    async def stop(self) -> None:
        """Leave the cluster in order: store everything, give up the logs, end the connections.

        Clients of this node hear of it at once. They play on until the other nodes have the logs,
        so the connections end last.
        """
        self._is_stopping = True
        self.supervisor.stopping()
        self.supervisor.cancel("spare logs")
        self.front.close()
        notice = {"type": "closing", "grace_ms": round(self.settings.stop_s * 1000)}
        for peer in list(self.connections.peers):
            if peer.player is not None:
                peer.send(notice)
        await hand_over(self.current.node, self.current.lease_holder)
        with contextlib.suppress(StoreError):
            await self.current.lease_holder.leave()
        await self.connections.close_all(self.settings.stop_s)
        await self.current.hub.close()
        self.front.stop_http()
        await self.current.web.close()
        await self.current.node.close()
        self.supervisor.cancel("heartbeat", "lease", "sweep", "bans", "advice")
        await self.supervisor.close(LAST_S)
        await self.storage.close()
        _log.info("node_stopped", node=self.name)
