"""Servers that start at once: forks of a process that has imported the whole command before.

A server takes most of a second of computing to import, and a hundred tests of the window start
one. `Forked` starts the same command as `Command`, in a process of its own with its own database,
without importing it again. The process that is forked, `main`, runs no thread and no event loop.
Waiting for the end of a process that is not one's own child needs Linux, as the window's tests do.
"""

from __future__ import annotations

import contextlib
import gc
import json
import os
import select
import signal
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NoReturn

from tests.cli.commands import DEADLINE_S, environment


class Forked:
    """A running command; `line` reads its standard output."""

    def __init__(self, parent: Parent, *arguments: str, cwd: Path, env: dict[str, str]) -> None:
        self._folder = Path(tempfile.mkdtemp(dir=cwd, prefix="forked-"))
        output = self._folder / "stdout"
        os.mkfifo(output)
        self._errors = self._folder / "stderr"
        order = {
            "arguments": arguments,
            "cwd": str(cwd),
            "env": env,
            "stdout": str(output),
            "stderr": str(self._errors),
        }
        pid = parent.fork(order)
        self._process = os.pidfd_open(pid)
        self._output = os.open(output, os.O_RDONLY)
        self._read = b""

    def line(self) -> str:
        """Return the next line; it must come."""
        while b"\n" not in self._read:
            ready, _, _ = select.select([self._output], [], [], DEADLINE_S)
            more = os.read(self._output, 65536) if ready else b""
            assert more, self._errors.read_text()
            self._read += more
        line, _, self._read = self._read.partition(b"\n")
        return line.decode()

    @property
    def runs(self) -> bool:
        """Whether the process still runs."""
        return not self._ends_within(0)

    def send(self, number: signal.Signals) -> None:
        """Send a signal to the process."""
        with contextlib.suppress(ProcessLookupError):
            signal.pidfd_send_signal(self._process, number)

    def wait(self) -> None:
        """Wait until the process has ended."""
        assert self._ends_within(DEADLINE_S), "The process does not end."

    def close(self) -> None:
        """End the process if it runs, and close the files."""
        # A killed process writes no coverage data.
        measured = "COVERAGE_PROCESS_CONFIG" in os.environ
        self.send(signal.SIGTERM if measured else signal.SIGKILL)
        self.wait()
        os.close(self._process)
        os.close(self._output)

    def _ends_within(self, seconds: float) -> bool:
        ready, _, _ = select.select([self._process], [], [], seconds)
        return bool(ready)


class Parent:
    """The process that forks. It ends with this process, because its input closes then."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", "tests.cli.forking"],
            env=environment(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def close(self) -> None:
        """End the process."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        self._process.wait(DEADLINE_S)
        self._process.stdout.close()

    def fork(self, order: dict[str, object]) -> int:
        """Return the number of a new process that carries out `order`."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(order) + "\n")
        self._process.stdin.flush()
        return int(self._process.stdout.readline())


def main() -> None:
    """Import the server, then fork for each order that comes as a line of JSON."""
    import cli.main
    import cli.serve.residents  # noqa: F401
    import server.shell.app  # noqa: F401

    cli.main.prepare()
    signal.signal(signal.SIGCHLD, _reap)
    # The forks need not scan, and thereby copy, what is here already.
    gc.collect()
    gc.freeze()
    for line in sys.stdin:
        pid = os.fork()
        if pid == 0:
            _carry_out(json.loads(line))
        sys.stdout.write(f"{pid}\n")
        sys.stdout.flush()


def _reap(*_: object) -> None:
    """Collect the forks that have ended, so that they do not stay as zombies."""
    with contextlib.suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass


def _carry_out(order: dict[str, object]) -> NoReturn:
    """Become the command that `order` describes."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    for number, path, flags in (
        (0, os.devnull, os.O_RDONLY),
        (2, str(order["stderr"]), os.O_WRONLY | os.O_CREAT),
        (1, str(order["stdout"]), os.O_WRONLY),
    ):
        os.dup2(os.open(path, flags), number)
    os.chdir(str(order["cwd"]))
    os.environ.clear()
    os.environ.update(order["env"])  # type: ignore[call-overload]
    sys.argv[:] = ["doublecross", *order["arguments"]]  # type: ignore[misc]
    import cli.main

    code: object = 1
    try:
        code = cli.main.main()
    except SystemExit as ended:
        code = ended.code
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code if isinstance(code, int) else 0)


if __name__ == "__main__":
    main()
