"""Run a program that is not ours, and end it with the parent of this process.

Theory of operation
-------------------
A program such as PostgreSQL goes on when the process that started it dies. So a child process runs
this module in between. It starts the program, and the end of its own input says that the parent has
ended in some way or needs the program no longer. Then it sends the program a signal, waits for its
end and deletes its folder.

The argument is a `Job` as JSON. The answers are ``{"pid": ...}`` when the last command has started,
and ``{"failed": command, "code": ...}`` or ``{"failed": command, "error": ...}`` when a command
fails, or ends although it is still needed.
"""

from __future__ import annotations

import json
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from doublecross.processes.parent import Parent

PATIENCE_S: Final = 6.0
"""Seconds that a program has to end after its signal; then it is killed."""


@dataclass(frozen=True, slots=True)
class Job:
    """Commands to run one after another, of which the last one stays.

    `log` is the file for their output. `end` names the signal that ends them. `user` is the user id
    and the group id under which they run, None for those of this process. `folder` is deleted when
    they have ended, empty for none.
    """

    commands: Sequence[Sequence[str]]
    log: str
    end: str = "SIGTERM"
    user: Sequence[int] | None = None
    folder: str = ""

    def encode(self) -> str:
        """Return the argument for this module."""
        return json.dumps(asdict(self))


class _Run:
    """Carries out a job. `end` is called in another thread."""

    def __init__(self, job: Job, parent: Parent) -> None:
        self._job = job
        self._parent = parent
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._ending = False

    def end(self) -> None:
        """Ask the program to end, and start no further one."""
        with self._lock:
            self._ending = True
            if self._process is not None:
                self._process.send_signal(getattr(signal, self._job.end))

    def run(self) -> int:
        """Run the commands, and return the exit code of this process."""
        last = len(self._job.commands) - 1
        for number, words in enumerate(self._job.commands):
            try:
                process = self._start(words)
            except OSError as error:
                return self._fail(words, error=error.strerror or str(error))
            if process is None:
                return 0
            if number == last:
                self._parent.send({"pid": process.pid})
            code = process.wait()
            if self._ending:
                return 0
            if code != 0 or number == last:
                return self._fail(words, code=code)
        return 0

    def _start(self, words: Sequence[str]) -> subprocess.Popen[bytes] | None:
        """Start a command, unless the parent needs none any more."""
        who: dict[str, Any] = {}
        if self._job.user is not None:
            user, group = self._job.user
            who = {"user": user, "group": group, "extra_groups": []}
        with self._lock, Path(self._job.log).open("ab") as log:
            if self._ending:
                return None
            self._process = subprocess.Popen(
                list(words), stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd="/", **who
            )
            return self._process

    def _fail(self, words: Sequence[str], **how: object) -> int:
        self._parent.send({"failed": Path(words[0]).name, **how})
        return 1


def main() -> int:
    """Carry out the job in the first argument, and return the exit code."""
    job = Job(**json.loads(sys.argv[1]))
    parent = Parent(grace_s=PATIENCE_S)
    run = _Run(job, parent)
    parent.on_end = run.end
    parent.listen()
    try:
        return run.run()
    finally:
        if job.folder:
            shutil.rmtree(job.folder, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
