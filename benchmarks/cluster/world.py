"""Start what a cluster needs on this machine: PostgreSQL, NATS, and nodes."""

from __future__ import annotations

import json
import os
import signal
import time
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from itertools import count
from pathlib import Path
from typing import Any, Final

import psutil

from benchmarks.processes import Process
from tests.services.nats import Nats
from tests.services.postgresql import Postgres
from tests.services.shared import template

SETTINGS: Final[dict[str, Any]] = {
    "messages_per_s": 1e6,
    "burst": 1_000_000,
    "max_connections": 20_000,
    "hello_s": 60,
    "silence_s": 3600,
    "stop_s": 1,
}
_PATIENCE_S: Final = 20.0


class Node(Process):
    """A node of the cluster in a process of its own; `url` is its websocket address."""

    def __init__(self, name: str, database: str, nats: str, logs: int) -> None:
        settings = {**SETTINGS, "database": database, "node": name, "nats": nats, "logs": logs}
        super().__init__("benchmarks.cluster.node", json.dumps(settings))
        try:
            addresses = self.read()
        except BaseException:
            self.stop()
            raise
        self.label = name
        self.url: str = addresses["ws"]
        self.http: str = addresses["http"]

    def kill(self) -> None:
        """End the process at once."""
        os.kill(self.pid, signal.SIGKILL)

    def leave(self) -> None:
        """Ask the process to leave the cluster in order."""
        os.kill(self.pid, signal.SIGTERM)

    def health(self) -> dict[str, Any]:
        """Return what the node says of itself."""
        with urllib.request.urlopen(f"{self.http}/health", timeout=5) as answer:
            found: dict[str, Any] = json.load(answer)
            return found


class World:
    """One PostgreSQL and one NATS server, for one cluster after another.

    `nats` are options of the command of NATS. `newest` is the name of the newest database.
    """

    newest = ""

    def __init__(self, folder: Path, nats: Sequence[str] = ()) -> None:
        self._stack = ExitStack()
        self.postgresql = Postgres.start_new(template(), fsync="on")
        self._stack.callback(self.postgresql.close)
        self.nats = Nats(folder, nats).start()
        self._stack.callback(self.nats.close)
        self._numbers = count(1)

    def database(self) -> str:
        """Make an empty database and return its address."""
        import asyncio

        self.newest = f"bench{next(self._numbers)}"
        return asyncio.run(self.postgresql.create_database(self.newest))

    @contextmanager
    def nodes(self, **logs: int) -> Iterator[dict[str, Node]]:
        """Start nodes of one cluster on an empty database: how many logs each has, by name.

        The first one runs the leader.
        """
        database = self.database()
        started: dict[str, Node] = {}
        try:
            for name, own in logs.items():
                started[name] = Node(name, database, self.nats.url, own)
                if len(started) == 1:
                    wait_for_leader(started[name])
            yield started
        finally:
            for node in started.values():
                node.stop()

    def pids(self) -> dict[str, list[int]]:
        """Return the processes of PostgreSQL and NATS."""
        first = psutil.Process(self.postgresql.pid)
        family = [first.pid, *(child.pid for child in first.children(recursive=True))]
        return {"postgresql": family, "nats": [self.nats.pid]}

    def close(self) -> None:
        """Stop both servers, and delete their data."""
        self._stack.close()


def wait_for_leader(node: Node) -> None:
    """Wait until a node runs the leader of its cluster."""
    end = time.monotonic() + _PATIENCE_S
    while not node.health()["leader"]:
        if time.monotonic() > end:
            raise TimeoutError("The first node has not opened the leader.")
        time.sleep(0.02)
