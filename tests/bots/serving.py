"""Run a real server in another process, which tests kill and restart on the same database."""

from __future__ import annotations

import asyncio
import contextlib
import json
import signal
import sqlite3
from pathlib import Path
from typing import Any

from tests.cli.commands import environment
from tests.cli.forking import Forked


class ServerProcess:
    """A server that a test can start, kill and start again at the same address."""

    def __init__(self, folder: Path, grace_s: float = 30.0) -> None:
        self._folder = folder
        self._database = folder / "games.db"
        self._grace_s = grace_s
        self._process: Forked | None = None
        self.url = ""

    async def start(self) -> None:
        port = self.url.rpartition(":")[2] or "0"
        options = ("--database", str(self._database), "--grace", str(self._grace_s))
        self._process = Forked(
            *("serve", "--json", "--port", port, *options),
            cwd=self._folder,
            env=environment(XDG_STATE_HOME=str(self._folder / "state")),
        )
        self.url = json.loads(await asyncio.to_thread(self._process.line))["ws"]

    def kill(self) -> None:
        """Kill the server without a warning, like a power cut."""
        if self._process is not None:
            self._process.send(signal.SIGKILL)
            self._process.close()
            self._process = None

    def games(self) -> list[dict[str, Any]]:
        """Return the rows of finished games; the server must be dead."""
        with contextlib.closing(sqlite3.connect(self._database)) as connection:
            connection.row_factory = sqlite3.Row
            return [dict(row) for row in connection.execute("select * from games")]
