"""Start the processes of the server's benchmark: the servers under test, and the load."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from benchmarks.processes import ROOT, Process


class Subject(Process):
    """A server under test, pinned to a core; `url` is its websocket address."""

    def __init__(
        self, kind: str, core: int, settings: dict[str, Any] | None = None, root: Path = ROOT
    ) -> None:
        super().__init__(
            "benchmarks.server.child", kind, str(core), json.dumps(settings or {}), root=root
        )
        try:
            addresses = self.read()
        except BaseException:
            self.stop()
            raise
        self.url: str = addresses["ws"]
        self.http: str = addresses.get("http", "")
        self.folder = Path((settings or {}).get("database", ".")).parent
        """Where the database is, if there is one."""

    @contextmanager
    def awake(self) -> Iterator[None]:
        """Let a process that `sleep` has stopped run for a while."""
        os.kill(self.pid, signal.SIGCONT)
        try:
            yield
        finally:
            self.sleep()

    def sleep(self) -> None:
        """Stop the process until it is woken, so that its timers do not delay other servers."""
        os.kill(self.pid, signal.SIGSTOP)

    def stop(self) -> None:
        """Terminate the child, also if it sleeps."""
        os.kill(self.pid, signal.SIGCONT)
        super().stop()


def doublecross(core: int, database: Path, root: Path = ROOT) -> Subject:
    """Start our server on `database`, with limits so high that the load does not reach them."""
    settings = {
        "database": str(database),
        "messages_per_s": 1e6,
        "pages_per_minute": 1_000_000,
        "burst": 1_000_000,
        "max_connections": 20_000,
        "hello_s": 60,
        "silence_s": 3600,
        "stop_s": 1,
    }
    return Subject("doublecross", core, settings, root)


def on_node(core: int, node: Path, program: str, patches: bool, database: Path | None) -> Subject:
    """Start a program of `benchmarks/others/node`, which sends patches or messages after moves.

    With a database it commits each move first.
    """
    sends = ["patch" if patches else "broadcast", *([] if database is None else [str(database)])]
    command = [str(node), "--no-warnings", f"{program}.mjs", *sends]
    return Subject("node", core, {"program": command})


def load(core: int) -> Process:
    """Start the load generator on its core."""
    return Process("benchmarks.server.load", str(core))
