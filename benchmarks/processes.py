"""Start child processes of benchmarks, send them requests and stop them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, Final, Self

ROOT: Final = Path(__file__).resolve().parents[1]


class BenchmarkError(Exception):
    """The benchmark cannot continue.

    The text is a sentence, followed by the traceback of the process that failed, if there is one.
    """


def environment(folder: str, root: Path) -> dict[str, str]:
    """Return the environment of a program that imports the modules of a source tree.

    An installation finds the package in its own tree. So the empty `folder`, which must stay as
    long as the program runs, gets a link to this one by the name of the package.
    """
    Path(folder, "doublecross").symlink_to(root)
    return {**os.environ, "PYTHONPATH": f"{folder}{os.pathsep}{root}"}


class Process:
    """A child process that exchanges lines of JSON with this one.

    `root` is the source tree whose modules it runs, so that two versions of the server can be
    compared.
    """

    def __init__(self, module: str, *arguments: str, root: Path = ROOT) -> None:
        self.name = f"{module} {arguments[0] if arguments else ''}"
        self._folder = tempfile.TemporaryDirectory()
        self._child = subprocess.Popen(
            [sys.executable, "-P", "-m", module, *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            cwd=root,
            env=environment(self._folder.name, root),
            text=True,
        )
        self.pid = self._child.pid

    def read(self) -> dict[str, Any]:
        """Return the next message of the child.

        Raises:
            BenchmarkError: the child has ended or reports an error.
        """
        assert self._child.stdout is not None
        line = self._child.stdout.readline()
        if not line:
            raise BenchmarkError(f"The process {self.name} has ended.")
        answer: dict[str, Any] = json.loads(line)
        if "error" in answer:
            raise BenchmarkError(f"{self.name}: {answer['error']}\n{answer.get('trace', '')}")
        return answer

    def ask(self, do: str, **order: Any) -> dict[str, Any]:
        """Send a request and return its result."""
        assert self._child.stdin is not None
        self._child.stdin.write(json.dumps({"do": do, **order}) + "\n")
        self._child.stdin.flush()
        return self.read()

    def stop(self) -> None:
        """Terminate the child; kill it if it does not end."""
        self._child.terminate()
        try:
            self._child.wait(15)
        except subprocess.TimeoutExpired:
            self._child.kill()
            self._child.wait()
        for pipe in (self._child.stdin, self._child.stdout):
            if pipe is not None:
                pipe.close()
        self._folder.cleanup()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()
