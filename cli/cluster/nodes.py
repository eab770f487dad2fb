"""Start the nodes of a cluster as processes, kill them, and ask them how they are."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from typing import Final

from doublecross.cli.shared.console import FAILED, Problem
from doublecross.cli.shared.remote.http import HttpServer
from doublecross.processes.child import Child, ChildEnded
from doublecross.processes.network import HERE, Host, Network
from doublecross.processes.ports import free_port
from doublecross.server.core.cluster_storage import LEADER

ANSWER_S: Final = 2.0
"""Seconds in which a node must say how it is."""
NAMES: Final = "abcdefghi"


class DemoNode:
    """One node, at a port of its host. `ws` and `http` are its addresses.

    With `is_cut_off` nothing reaches it, whether it runs or not.

    `logs` are those that it owned when it was asked last, with `LEADER` if its leader was open.
    `connections` are those of that time, and `said_at` is the time.
    """

    def __init__(self, name: str, port: int, host: Host = HERE) -> None:
        self.name = name
        self.host = host
        self.ws = f"ws://{host.address}:{port}"
        self.http = f"http://{host.address}:{port}"
        self.is_cut_off = False
        self.logs: frozenset[str] = frozenset()
        self.connections = 0
        self.said_at = 0.0
        self._port = port
        self._child: Child | None = None

    @property
    def pid(self) -> int:
        """The process id, 0 if the node does not run."""
        return self._child.pid if self._child is not None and self.runs else 0

    @property
    def runs(self) -> bool:
        """True while the process runs."""
        return self._child is not None and self._child.is_running

    @property
    def can_be_reached(self) -> bool:
        """True while the process runs and the network works."""
        return self.runs and not self.is_cut_off

    async def start(self) -> None:
        """Start the process, and return when it is part of the cluster.

        Raises:
            Problem: it cannot be started.
        """
        child = await Child.start(
            f"Node {self.name}",
            "doublecross.cli.main",
            *("serve", "--cluster", "--settings", "", "--json", "--until-eof", "--analysis", "0"),
            *("--host", self.host.address, "--port", str(self._port), "--node", self.name),
            on_error_line=lambda line: None,
            words=self.host.words,
        )
        self._child = child
        try:
            await child.expect()
        except ChildEnded as error:
            raise Problem(str(error), FAILED) from None

    async def kill(self) -> None:
        """End the process at once, as a crash would, and return when it has ended."""
        assert self._child is not None
        self._child.kill()
        await self.ended()

    async def ended(self) -> str:
        """Wait until the process has ended, and return how."""
        assert self._child is not None
        while await self._child.receive() is not None:
            pass
        return await self._child.how_it_ended()

    def forget(self) -> None:
        """Forget what the node owned, because it has died."""
        self.logs, self.connections = frozenset(), 0

    async def stop(self) -> None:
        """Let the process leave the cluster and end."""
        if self._child is not None:
            await self._child.stop()

    async def read(self) -> None:
        """Ask the node what it owns. One that does not answer keeps what it said last."""
        child = self._child
        if not self.can_be_reached:
            return
        try:
            said = await asyncio.to_thread(HttpServer(self.http, timeout_s=ANSWER_S).get, "/health")
        except Problem:
            return
        # The process may have ended meanwhile.
        if self.can_be_reached and self._child is child:
            leader = {LEADER} if said["leader"] else set()
            self.logs = frozenset(said["logs"]) - {LEADER} | leader
            self.connections = said["connections"]
            self.said_at = asyncio.get_running_loop().time()


def owners(nodes: Iterable[DemoNode]) -> Mapping[str, DemoNode]:
    """Return the node of each log that has one, and of `LEADER`.

    The nodes answer at different times, so two may claim one log: the later answer is right. What
    a node said before it died or was cut off is out of date.
    """
    found: dict[str, DemoNode] = {}
    for node in sorted(nodes, key=lambda node: node.said_at):
        if node.can_be_reached:
            found |= dict.fromkeys(node.logs, node)
    return found


def make_nodes(count: int, network: Network | None = None) -> Sequence[DemoNode]:
    """Return so many nodes, at ports that nobody uses at this moment.

    In a network each has a host of its own.
    """
    hosts = [HERE if network is None else network.add() for _ in range(count)]
    return [DemoNode(name, free_port(), host) for name, host in zip(NAMES, hosts, strict=False)]


@contextlib.asynccontextmanager
async def running_nodes(nodes: Sequence[DemoNode]) -> AsyncIterator[None]:
    """Run nodes inside this context. The environment says where PostgreSQL and NATS are.

    Raises:
        Problem: one cannot be started.
        OSError: the system cannot start a process.
    """
    try:
        # The first one makes the tables.
        await nodes[0].start()
        await asyncio.gather(*(node.start() for node in nodes[1:]))
        yield
    finally:
        await asyncio.gather(*(node.stop() for node in nodes))
