"""Starts the child processes of the end-to-end tests, reads their lines and ends them."""

from __future__ import annotations

import json
import queue
import signal
import socket
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
DEADLINE_S = 40.0


def free_port() -> int:
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        port: int = sock.getsockname()[1]
        return port


class Child:
    """One of our programs in its own process; `line` reads its lines of JSON."""

    def __init__(self, *arguments: str, log: Path) -> None:
        self._log = log.open("ab")
        self.process = subprocess.Popen(
            [sys.executable, *arguments],
            cwd=ROOT,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=self._log,
            text=True,
        )
        self.lines: queue.Queue[dict[str, Any] | None] = queue.Queue()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.lines.put(json.loads(line))
        self.lines.put(None)

    def line(self) -> dict[str, Any] | None:
        """Return the next line; None at the end of the output.

        Raises:
            queue.Empty: no line arrived before the deadline.
        """
        return self.lines.get(timeout=DEADLINE_S)

    def kill(self) -> None:
        """Kill the process with SIGKILL and wait until it has ended."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait(DEADLINE_S)
        self.close()

    def close(self) -> None:
        """Kill the process if it still runs, and close its files."""
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait(DEADLINE_S)
        self._reader.join(DEADLINE_S)
        if self.process.stdout is not None:
            self.process.stdout.close()
        self._log.close()


def serve(port: int, http_port: int, database: Path, log: Path) -> Child:
    """Start a server process; return when it listens."""
    child = Child("-m", "tests.e2e.serve_child", str(port), str(http_port), str(database), log=log)
    ready = child.line()
    assert ready is not None, log.read_text()
    assert ready["what"] == "ready"
    return child


def bot(log: Path, **options: object) -> Child:
    """Start a bot process."""
    return Child("-m", "tests.e2e.bot_child", json.dumps(options), log=log)
