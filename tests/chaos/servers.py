"""A real server in a process of its own, which tests stop, kill, starve and start again."""

from __future__ import annotations

import json
import os
import resource
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any, Final, Self

from doublecross.processes.ports import free_port
from tests.cli.commands import environment
from tests.cli.forking import ForkedProcess
from tests.e2e.processes import DEADLINE_S, ROOT

EVERYTHING: Final = resource.RLIM_INFINITY


class ServerProcess:
    """A `doublecross serve` process. It keeps its ports and its database when it starts again.

    `module` is what runs the program.
    """

    def __init__(
        self, folder: Path, module: str = "doublecross.cli.main", **settings: object
    ) -> None:
        self._module = module
        self.database = folder / "games.db"
        self.log = folder / "server.log"
        self._port = free_port()
        settings = {"stop_s": 0.1, **settings}
        self._settings = {f"DOUBLECROSS_{k.upper()}": str(v) for k, v in settings.items()}
        self._process: subprocess.Popen[str] | ForkedProcess | None = None
        self.url = self.http = ""

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    @property
    def _arguments(self) -> tuple[str, ...]:
        database = str(self.database)
        return "serve", "--json", "--database", database, "--port", str(self._port)

    def start(self, files: int | None = None) -> None:
        """Start the server and wait until it is ready; `files` limits its open files."""
        command = (sys.executable, "-P", "-m", self._module, *self._arguments)
        if files is not None:
            command = ("sh", "-c", f'ulimit -n {files}; exec "$@"', "sh", *command)
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(
                command,
                cwd=ROOT,
                env={**os.environ, "PYTHONPATH": str(ROOT), **self._settings},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
            )
        assert self._process.stdout is not None
        self._note(self._process.stdout.readline())

    def _note(self, line: str) -> None:
        """Read the addresses from the first line of the server."""
        assert line, self.log.read_text()[-4000:]
        ready: dict[str, Any] = json.loads(line)
        self.url, self.http = ready["ws"], ready["http"]

    def send(self, number: signal.Signals) -> None:
        assert self._process is not None
        self._process.send_signal(number)

    def end(self, number: signal.Signals = signal.SIGTERM, seconds: float = DEADLINE_S) -> int:
        """Send a signal and wait for the end; return the exit code."""
        if self._process is None:
            return 0
        self.send(number)
        return self.wait(seconds)

    def wait(self, seconds: float = DEADLINE_S) -> int:
        """Wait for the end and return the exit code."""
        assert self._process is not None
        code = self._process.wait(seconds)
        assert self._process.stdout is not None
        self._process.stdout.close()
        self._process = None
        return code

    def let_files_grow(self, limit: int) -> None:
        """Set how large files may become; 0 makes every write to a file fail, as on a full disk."""
        _, hard = resource.prlimit(self.pid, resource.RLIMIT_FSIZE)
        resource.prlimit(self.pid, resource.RLIMIT_FSIZE, (limit, hard))

    def allow_files(self, limit: int) -> None:
        """Set how many files the server may have open."""
        _, hard = resource.prlimit(self.pid, resource.RLIMIT_NOFILE)
        resource.prlimit(self.pid, resource.RLIMIT_NOFILE, (limit, hard))

    @property
    def open_files(self) -> int:
        return len(list(Path(f"/proc/{self.pid}/fd").iterdir()))

    @property
    def rss_mb(self) -> float:
        """The resident memory."""
        return self._memory("VmRSS")

    @property
    def peak_mb(self) -> float:
        """The most resident memory that there was."""
        return self._memory("VmHWM")

    def _memory(self, name: str) -> float:
        status = Path(f"/proc/{self.pid}/status").read_text().splitlines()
        return next(int(line.split()[1]) for line in status if line.startswith(name)) / 1000

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._process is not None:
            self.send(signal.SIGCONT)
            self.end(signal.SIGKILL)

    def beside(self, module: str, order: str) -> str:
        """Run another program with `order`; return what it prints."""
        command = [sys.executable, "-m", module, order]
        return subprocess.run(
            command, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True
        ).stdout


class ForkedServer(ServerProcess):
    """A server that starts in a moment, so that tests can kill it often and need little time.

    It is a fork of a process that has imported everything before.
    """

    def start(self, files: int | None = None) -> None:
        """Start the server and wait until it is ready."""
        assert files is None
        env = {**environment(), **self._settings}
        self._process = ForkedProcess(
            *self._arguments, module=self._module, cwd=ROOT, env=env, stderr=self.log
        )
        self._note(self._process.stdout.readline())

    def beside(self, module: str, order: str) -> str:
        """Run a fork of another program with `order`; return what it prints."""
        child = ForkedProcess(order, module=module, cwd=ROOT, env=environment(), stderr=self.log)
        with child.stdout:
            told = child.stdout.read()
        assert child.wait() == 0, self.log.read_text()
        return told
