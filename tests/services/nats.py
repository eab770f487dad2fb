"""Real NATS servers for tests: start, stop, kill, freeze, and start again on the same port."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from doublecross.cli.cluster.nats import answers, server_words
from doublecross.processes.network import HERE, Host
from doublecross.processes.ports import free_port
from tests.services.binaries import need

START_S: Final = 10.0


class Nats:
    """One NATS server; `options` are further ones of its command."""

    def __init__(self, folder: Path, options: Sequence[str] = (), host: Host = HERE) -> None:
        need("nats-server")
        self.host = host
        self._log = folder / "nats.log"
        self._options = tuple(options)
        self._process: subprocess.Popen[bytes] | None = None
        self.port = free_port()

    @property
    def url(self) -> str:
        return f"nats://{self.host.address}:{self.port}"

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    def start(self) -> Nats:
        """Start the server, and return when it answers."""
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(
                (*self.host.words, *server_words(self.port, self.host.address), *self._options),
                stdout=log,
                stderr=log,
            )
        deadline = time.monotonic() + START_S
        while not answers(self.port, self.host.address):
            log_text = self._log.read_text(encoding="utf-8", errors="replace")
            assert self._process.poll() is None, log_text
            assert time.monotonic() < deadline, log_text
            time.sleep(0.01)
        return self

    def stop(self) -> None:
        """Let the server close its connections and end."""
        self._end(signal.SIGTERM)

    def kill(self) -> None:
        """End the server at once."""
        self._end(signal.SIGKILL)

    def freeze(self) -> None:
        os.kill(self.pid, signal.SIGSTOP)

    def thaw(self) -> None:
        os.kill(self.pid, signal.SIGCONT)

    def close(self) -> None:
        """End the server if it runs, frozen or not."""
        if self._process is not None:
            self._end(signal.SIGKILL)

    def _end(self, number: signal.Signals) -> None:
        assert self._process is not None
        self._process.send_signal(number)
        self._process.wait(timeout=START_S)
        self._process = None
