"""Starts and ends the processes of the benchmark: the servers under test, and the load."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, Final, Self

ROOT: Final = Path(__file__).resolve().parents[2]


class BenchmarkError(Exception):
    """The benchmark cannot go on; one sentence, and the trace of the process that failed."""


class Process:
    """A child of this process that speaks JSON, line by line. `root` is the tree whose modules it
    runs, so that two versions of the server can be measured against each other."""

    def __init__(self, module: str, *arguments: str, root: Path = ROOT) -> None:
        self.name = f"{module} {arguments[0] if arguments else ''}"
        self._child = subprocess.Popen(
            [sys.executable, "-P", "-m", module, *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            cwd=root,
            env={**os.environ, "PYTHONPATH": str(root)},
            text=True,
        )
        self.pid = self._child.pid

    def hear(self) -> dict[str, Any]:
        """The next line of the child."""
        assert self._child.stdout is not None
        line = self._child.stdout.readline()
        if not line:
            raise BenchmarkError(f"The process {self.name} has ended.")
        answer: dict[str, Any] = json.loads(line)
        if "error" in answer:
            raise BenchmarkError(f"{self.name}: {answer['error']}\n{answer.get('trace', '')}")
        return answer

    def ask(self, do: str, **order: Any) -> dict[str, Any]:
        """Give an order and wait for its result."""
        assert self._child.stdin is not None
        self._child.stdin.write(json.dumps({"do": do, **order}) + "\n")
        self._child.stdin.flush()
        return self.hear()

    def stop(self) -> None:
        """End the child; one that does not listen is killed."""
        self._child.terminate()
        try:
            self._child.wait(15)
        except subprocess.TimeoutExpired:
            self._child.kill()
            self._child.wait()
        for pipe in (self._child.stdin, self._child.stdout):
            if pipe is not None:
                pipe.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()


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
