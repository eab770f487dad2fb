"""The machines of a cluster in tests: PostgreSQL and its standby, NATS, proxies and nodes.

Everything runs on this machine. Each node reaches PostgreSQL and NATS over proxies of its own, so
that a test can cut it off. Programs are started and stopped in one thread, because PostgreSQL ends
with the thread that has started it.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import shutil
import signal
import subprocess
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack
from functools import partial
from pathlib import Path
from typing import Any, Final, ParamSpec, TypeVar

import asyncpg

from doublecross.processes.network import HERE, NET, Host
from doublecross.processes.ports import free_port
from doublecross.server.store.cluster.opening import open_cluster
from tests.cli.forking import ROOT, ForkedProcess, parent
from tests.services.cuts import Cuts
from tests.services.nats import Nats
from tests.services.postgresql import Postgres
from tests.services.shared import template

DATABASE: Final = "cluster"
NAMES: Final = ("a", "b", "c")
PATIENCE_S: Final = 120.0
END_S: Final = 40.0
"""How long a node may take to leave in order."""
SETTINGS: Final[Mapping[str, str]] = {
    "DOUBLECROSS_MESSAGES_PER_S": "10000",
    "DOUBLECROSS_BURST": "10000",
    "DOUBLECROSS_GRACE_S": "600",
    "DOUBLECROSS_STOP_S": "0.5",
    "DOUBLECROSS_EXEMPT_ADDRESSES": f"127.0.0.1,{NET}",
}

_P = ParamSpec("_P")
_T = TypeVar("_T")


class Node:
    """A node of the cluster: its process, which starts again on the same port.

    `uses` are the options that name PostgreSQL and NATS. Without a host of its own a node has
    `proxies` in front of both.
    """

    def __init__(self, name: str, folder: Path, uses: Mapping[str, str], host: Host = HERE) -> None:
        self.name = name
        self.host = host
        self._uses = uses
        self.port = free_port()
        self.log = folder / f"{name}.log"
        self._clock = folder / f"{name}.clock"
        self.version = "1"
        self.proxies: dict[str, Cuts] = {}
        self.wanted = False
        """Whether the process should run."""
        self.process: ForkedProcess | None = None

    @property
    def url(self) -> str:
        """The address for clients."""
        return f"ws://{self.host.address}:{self.port}"

    @property
    def runs(self) -> bool:
        """Whether it has a process."""
        return self.process is not None and self.process.poll() is None

    async def start(self, logs: int = 1) -> None:
        """Start the process, and wait until it listens."""
        assert not self.runs
        # A host of its own may get another address.
        where = "127.0.0.1" if self.host is HERE else "0.0.0.0"
        place = {"--node": self.name, "--host": where, "--port": str(self.port)}
        words = [word for option in {**self._uses, **place}.items() for word in option]
        more = {
            "FAULTS_VERSION": self.version,
            "FAULTS_CLOCK": str(self._clock),
            "FAULTS_HOST": self.host.namespace,
            "DOUBLECROSS_CLUSTER_LOGS": str(logs),
        }
        self.process = await asyncio.to_thread(
            ForkedProcess,
            *("serve", "--cluster", *words, "--json"),
            cwd=ROOT,
            env={**os.environ, **SETTINGS, **more},
            stderr=self.log,
            module="tests.cluster.faults.node",
        )
        self.wanted = True
        async with asyncio.timeout(PATIENCE_S):
            line = await asyncio.to_thread(self.process.stdout.readline)
        if not line:
            await asyncio.to_thread(self.process.wait)
            raise RuntimeError(f"{self.name} has not started: {self.log.read_text()[-2000:]}")

    def send(self, number: signal.Signals) -> None:
        """Send a signal to the process."""
        assert self.process is not None
        self.process.send_signal(number)

    def set_clock(self, ahead_s: float) -> None:
        """Set its clock ahead of that of the others."""
        self._clock.write_text(str(ahead_s))
        self.send(signal.SIGUSR2)

    async def end(self, number: signal.Signals = signal.SIGTERM) -> int:
        """Send a signal that ends the process, and return its exit code."""
        self.wanted = False
        self.send(number)
        assert self.process is not None
        try:
            code = await asyncio.to_thread(self.process.wait, END_S)
        except subprocess.TimeoutExpired:
            self.send(signal.SIGUSR1)  # the log shows what it waits for
            await asyncio.sleep(1)
            raise RuntimeError(f"Node {self.name} does not end; see {self.log}") from None
        self.process.stdout.close()
        return code


class World:
    """The whole of it. Use it as a context."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.nodes: dict[str, Node] = {}
        self.postgresql: Postgres
        self.nats: Nats
        self._stack = AsyncExitStack()
        self._thread = ThreadPoolExecutor(1)

    async def call(self, function: Callable[_P, _T], *args: _P.args, **kwargs: _P.kwargs) -> _T:
        """Call a function that starts or stops a program, in the thread for these."""
        bound = partial(function, *args, **kwargs)
        return await asyncio.get_running_loop().run_in_executor(self._thread, bound)

    async def __aenter__(self) -> World:
        try:
            await self._start()
        except BaseException:
            await self.__aexit__()
            raise
        return self

    async def _start(self) -> None:
        await self._start_servers()
        for name in NAMES:
            proxies = {
                what: await self._stack.enter_async_context(Cuts.before(port))
                for what, port in (("postgresql", self.postgresql.port), ("nats", self.nats.port))
            }
            uses = {
                "--database": self.postgresql.url(DATABASE, proxies["postgresql"].port),
                "--nats": f"nats://127.0.0.1:{proxies['nats'].port}",
            }
            self.nodes[name] = Node(name, self.folder, uses)
            self.nodes[name].proxies = proxies
        await self._start_nodes()

    async def _start_servers(self, database: Host = HERE, nats: Host = HERE) -> None:
        """Start PostgreSQL, with our tables, and NATS."""
        starting = self.call(Postgres.start_new, template(), database)
        # Meanwhile the process imports our programs from which the nodes are forked.
        self.postgresql, _ = await asyncio.gather(starting, asyncio.to_thread(parent))
        await self.postgresql.create_database(DATABASE)
        await (await open_cluster(self.postgresql.url(DATABASE))).close()
        self.nats = await self.call(Nats(self.folder, host=nats).start)

    async def _start_nodes(self) -> None:
        first, *others = self.nodes.values()
        await first.start(logs=2)
        await self.until(lambda: self.owner("leader"))
        await asyncio.gather(*(node.start(logs=2) for node in others))

    @property
    def ways(self) -> list[list[str]]:
        """The addresses that players try one after another; they get these lists in turn."""
        urls = [node.url for node in self.nodes.values()]
        return [urls[at:] + urls[:at] for at in range(len(urls))]

    async def __aexit__(self, *_: object) -> None:
        for node in self.nodes.values():
            if node.runs:
                node.send(signal.SIGCONT)
                with contextlib.suppress(RuntimeError):
                    await node.end(signal.SIGKILL)
        if hasattr(self, "nats"):
            await self.call(self.nats.close)
        if hasattr(self, "postgresql"):
            await self.call(self.postgresql.close)
        await self._stack.aclose()
        self._thread.shutdown()

    async def fetch(self, sql: str, *values: object) -> list[Any]:
        """Ask the database."""
        connection = await self.postgresql.connect(DATABASE)
        try:
            found: list[Any] = await connection.fetch(sql, *values)
            return found
        finally:
            await connection.close()

    async def owner(self, log: str) -> Node | None:
        """Return the node that owns a log, if any does."""
        rows = await self.fetch(
            "SELECT node FROM nodes JOIN logs ON owner = run WHERE log = $1", log
        )
        return self.nodes[rows[0][0]] if rows else None

    async def logs_of_rooms(self, node: Node) -> list[str]:
        """Return the logs of rooms that a node owns."""
        rows = await self.fetch(
            "SELECT log FROM nodes JOIN logs ON owner = run"
            " WHERE node = $1 AND log <> 'leader' ORDER BY log",
            node.name,
        )
        return [row[0] for row in rows]

    async def until(self, condition: Callable[[], Any]) -> None:
        """Wait until a question to the database is answered with yes."""
        async with asyncio.timeout(PATIENCE_S):
            while True:
                with contextlib.suppress(OSError, asyncpg.PostgresError):
                    if await condition():
                        return
                await asyncio.sleep(0.02)

    # -- PostgreSQL ----------------------------------------------------------------------------

    async def fail_over(self) -> None:
        """Let the power of PostgreSQL's machine fail, and go on with a synchronous standby."""
        old = await self._promote_standby(HERE)
        for node in self.nodes.values():
            node.proxies["postgresql"].target = self.postgresql.port
            node.proxies["postgresql"].drop()
        await self.call(shutil.rmtree, old.data, ignore_errors=True)

    async def _promote_standby(self, host: Host) -> Postgres:
        """Let PostgreSQL crash and a standby go on, and return the server that has crashed."""
        old = self.postgresql
        standby = await self.call(old.start_standby, template().parent, host)
        await old.wait_for_standby()
        await asyncio.sleep(0.5)
        await self.call(old.crash)
        await self.call(standby.promote)
        self.postgresql = standby
        return old
