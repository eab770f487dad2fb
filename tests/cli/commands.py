"""Runs the command as users do, in its own process, and reads its output line by line."""

from __future__ import annotations

import contextlib
import os
import queue
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

from tests.cli.forking import CAN_FORK, DEADLINE_S, ROOT, ForkedProcess

__all__ = ["DEADLINE_S", "PROGRAM", "ROOT", "Command", "environment", "running"]

PROGRAM = (sys.executable, "-P", "-m", "doublecross.cli.main")


def environment(**more: str) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(ROOT), "COLUMNS": "100", **more}


class Command:
    """A running command; `line` and `until` read its standard output.

    With `forks` its children are forks, whose folder is that of the tests. Another `program` than
    ours starts with a Python of its own. See `tests.cli.forking`.
    """

    def __init__(
        self,
        *arguments: str,
        cwd: Path,
        program: tuple[str, ...] = PROGRAM,
        env: dict[str, str] | None = None,
        forks: bool = False,
    ) -> None:
        self._errors = (cwd / f"stderr-{id(self)}.txt").open("w+")
        self.process: ForkedProcess | subprocess.Popen[str]
        env = env if env is not None else environment()
        if CAN_FORK and program == PROGRAM:
            errors = Path(self._errors.name)
            self.process = ForkedProcess(*arguments, cwd=cwd, env=env, stderr=errors, forks=forks)
        else:
            self.process = subprocess.Popen(
                [*program, *arguments],
                cwd=cwd,
                env=env,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=self._errors,
                text=True,
            )
        self._lines: queue.Queue[str | None] = queue.Queue()
        self.seen: list[str] = []
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self._lines.put(line.rstrip("\n"))
        self._lines.put(None)

    def line(self) -> str:
        """Return the next line; fail if the output has ended."""
        line = self._lines.get(timeout=DEADLINE_S)
        assert line is not None, self.errors
        self.seen.append(line)
        return line

    def until(self, text: str) -> str:
        """Read lines until one contains `text`; return that line."""
        while text not in (line := self.line()):
            pass
        return line

    @property
    def errors(self) -> str:
        """Everything that the command wrote to standard error."""
        return Path(self._errors.name).read_text()

    def wait(self) -> int:
        """Wait for the end and return the exit code; `seen` then has all output."""
        code = self.process.wait(DEADLINE_S)
        while (line := self._lines.get(timeout=DEADLINE_S)) is not None:
            self.seen.append(line)
        return code

    def send(self, number: signal.Signals) -> None:
        self.process.send_signal(number)

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait(DEADLINE_S)
        self._reader.join(DEADLINE_S)
        assert self.process.stdout is not None
        self.process.stdout.close()
        self._errors.close()


@contextlib.contextmanager
def running(*arguments: str, cwd: Path, **options: object) -> Iterator[Command]:
    """Run a command in this context; kill it at the end if it still runs."""
    command = Command(*arguments, cwd=cwd, **options)  # type: ignore[arg-type]
    try:
        yield command
    finally:
        command.close()
