"""The processes of the server's benchmark: the servers under test, and the load."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from benchmarks.processes import ROOT, Process


class Subject(Process):
    """A server under test on its core; `url` is its websocket address."""

    def __init__(
        self, kind: str, core: int, settings: dict[str, Any] | None = None, root: Path = ROOT
    ) -> None:
        super().__init__(
            "benchmarks.server.child", kind, str(core), json.dumps(settings or {}), root=root
        )
        try:
            addresses = self.hear()
        except BaseException:
            self.stop()
            raise
        self.url: str = addresses["ws"]
        self.http: str = addresses.get("http", "")


def doublecross(core: int, database: Path, root: Path = ROOT) -> Subject:
    """Our server with its log in `database`, and with limits that the load does not meet."""
    settings = {
        "database": str(database),
        "messages_per_s": 1e6,
        "burst": 1_000_000,
        "max_connections": 20_000,
        "hello_s": 60,
        "silence_s": 3600,
        "stop_s": 1,
    }
    return Subject("doublecross", core, settings, root)


def load(core: int) -> Process:
    """The load generator on its core."""
    return Process("benchmarks.server.load", str(core))
