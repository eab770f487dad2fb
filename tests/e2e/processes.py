"""Starts the child processes of the end-to-end tests, reads their lines and ends them."""

from __future__ import annotations

import json
import queue
import signal
import threading
from pathlib import Path
from typing import Any

from tests.cli.commands import environment
from tests.cli.forking import DEADLINE_S, ROOT, ForkedProcess

__all__ = ["DEADLINE_S", "ROOT", "Child", "bot"]


class Child:
    """One of our modules in its own process; `line` reads its lines of JSON."""

    def __init__(self, module: str, *arguments: str, log: Path) -> None:
        self.process = ForkedProcess(
            *arguments, module=module, cwd=ROOT, env=environment(), stderr=log
        )
        self.lines: queue.Queue[dict[str, Any] | None] = queue.Queue()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
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
        self.process.stdout.close()


def bot(log: Path, **options: object) -> Child:
    """Start a bot process."""
    return Child("tests.e2e.bot_child", json.dumps(options), log=log)
