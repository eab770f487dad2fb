"""Run a real server in another process, which tests kill and restart on the same database."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]

_SERVE = """\
import sys
sys.path.insert(0, sys.argv[1])
from server.shell.app import run
from server.shell.settings import ServerSettings
run(
    ServerSettings(
        port=int(sys.argv[2]), http_port=0, database=sys.argv[3], grace_s=float(sys.argv[4])
    ),
    lambda server: print(server.addresses.ws, flush=True),
)
"""


class ServerProcess:
    """A server that a test can start, kill and start again at the same address."""

    def __init__(self, folder: Path, grace_s: float = 30.0) -> None:
        self._database = folder / "games.db"
        self._log = folder / "server.log"
        self._grace_s = grace_s
        self._process: subprocess.Popen[str] | None = None
        self.url = ""

    async def start(self) -> None:
        port = self.url.rpartition(":")[2] or "0"
        with self._log.open("a") as log:
            self._process = subprocess.Popen(  # noqa: ASYNC220 - quick
                [
                    sys.executable,
                    "-P",
                    "-c",
                    _SERVE,
                    str(ROOT),
                    port,
                    str(self._database),
                    str(self._grace_s),
                ],
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
            )
        assert self._process.stdout is not None
        line = ""
        while not line.startswith("ws"):  # Log lines come before it.
            line = await asyncio.to_thread(self._process.stdout.readline)
            assert line, self._log.read_text()
        self.url = line.strip()

    def kill(self) -> None:
        """Kill the server without a warning, like a power cut."""
        if self._process is not None:
            self._process.send_signal(signal.SIGKILL)
            self._process.wait()
            assert self._process.stdout is not None
            self._process.stdout.close()
            self._process = None

    def games(self) -> list[dict[str, Any]]:
        """Return the rows of finished games; the server must be dead."""
        with contextlib.closing(sqlite3.connect(self._database)) as connection:
            connection.row_factory = sqlite3.Row
            return [dict(row) for row in connection.execute("select * from games")]
