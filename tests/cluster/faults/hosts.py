"""The machines of a cluster on hosts of their own, with addresses and connections of their own.

PostgreSQL, NATS, HAProxy and each node have a host, and so have the players, whose host is that of
this process too: its thread enters it.
"""

from __future__ import annotations

import asyncio
import shutil
import subprocess
from pathlib import Path
from typing import Final

from doublecross.cli.cluster.proxy import PORT, answers, write_settings
from doublecross.processes.network import Host, Network, enter
from tests.cli.forking import parent
from tests.cluster.faults.world import DATABASE, NAMES, Node, World

_CONTROL: Final = "haproxy.sock"
_END_S: Final = 10.0


class HostWorld(World):
    """The whole of it. Use it as a context, which closes the network too."""

    def __init__(self, folder: Path, network: Network) -> None:
        super().__init__(folder)
        self.network = network
        self._ways: list[list[str]] = []
        self.proxy: Host
        self.players: Host
        self._proxy: subprocess.Popen[bytes] | None = None

    async def _start(self) -> None:
        # All tests share it, so it must not be on a host.
        await asyncio.to_thread(parent)
        self._stack.enter_context(self.network)
        self.players = self.network.add()
        self._stack.enter_context(enter(self.players.namespace))
        await self._start_servers(self.network.add(), self.network.add())
        uses = {"--database": self.postgresql.url(DATABASE), "--nats": self.nats.url}
        for name in NAMES:
            self.nodes[name] = Node(name, self.folder, uses, self.network.add())
        await self._start_nodes()
        self.proxy = self.network.add()
        self._stack.callback(self._end_proxy)
        await self.call(self._start_proxy)
        self._ways = [*super().ways, *([[f"ws://{self.proxy.address}:{PORT}"]] * len(NAMES))]

    @property
    def ways(self) -> list[list[str]]:
        """The addresses that players try: half of the players know the nodes, half the proxy.

        The lists change with the addresses.
        """
        return self._ways

    def _start_proxy(self) -> None:
        nodes = {node.name: node.url.removeprefix("ws://") for node in self.nodes.values()}
        words = write_settings(self.folder, self.proxy, nodes)
        file = Path(words[-1])
        line = f"global\n    stats socket unix@{_CONTROL} level admin\n"
        file.write_text(file.read_text().replace("global\n", line))
        with (self.folder / "haproxy.log").open("wb") as log:
            self._proxy = subprocess.Popen(
                (*self.proxy.words, *words), stdout=log, stderr=log, cwd=self.folder
            )
        while not answers(self.proxy):
            assert self._proxy.poll() is None, (self.folder / "haproxy.log").read_text()

    def _end_proxy(self) -> None:
        if self._proxy is not None:
            self._proxy.kill()
            self._proxy.wait(_END_S)

    def host(self, name: str) -> Host | None:
        """Return the host of PostgreSQL, NATS, the proxy or the players; without a name none."""
        return {
            "postgresql": self.postgresql.host,
            "nats": self.nats.host,
            "proxy": self.proxy,
            "players": self.players,
            "": None,
        }[name]

    async def lose(
        self, host: Host, other: Host | None, directions: tuple[bool, bool], seconds: float
    ) -> None:
        """Lose what goes to a host, what comes from it, or both, for a while."""
        to, back = directions
        if to:
            self.network.cut(other, host)
        if back:
            self.network.cut(host, other)
        await asyncio.sleep(seconds)
        self.network.heal()

    async def move(self, node: Node) -> None:
        """Give a node's host another address, and tell it to the players and the proxy."""
        old = node.url
        self.network.move(node.host)
        for way in self._ways:
            way[:] = [node.url if url == old else url for url in way]
        command = f"set server nodes/{node.name} addr {node.host.address} port {node.port}\n"
        reader, writer = await asyncio.open_unix_connection(self.folder / _CONTROL)
        writer.write(command.encode())
        answer = await reader.read()
        assert b"changed" in answer, answer
        writer.close()

    async def fail_over(self) -> None:
        """Let PostgreSQL's machine go away, and its address move to that of the standby."""
        old = await self._promote_standby(self.network.add())
        self.network.move(self.postgresql.host, old.host)
        await self.call(shutil.rmtree, old.data, ignore_errors=True)

    async def move_nats(self) -> None:
        """Let NATS's machine go away, and start NATS on another one, which gets its address."""
        self.network.unplug(self.nats.host)
        await self.call(self.nats.kill)
        host = self.network.add()
        self.network.move(host, self.nats.host)
        self.nats.host = host
        await self.call(self.nats.start)
