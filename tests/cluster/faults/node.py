"""`serve --cluster` with two things that a test must be able to change.

`python -m tests.cluster.faults.node serve --cluster ...` is the product's command. A line with a
number on the standard input sets the date of this node ahead by so many seconds. The environment
variable FAULTS_VERSION is the version that it announces. SIGUSR1 prints what all tasks wait for.
"""

from __future__ import annotations

import asyncio
import functools
import os
import signal
import sys

from doublecross.cli.main import main
from doublecross.server.cluster import server
from doublecross.server.cluster.lease_holder import LeaseHolder
from doublecross.server.shell.upkeep.service_time import Dates


class MovedDates(Dates):
    """The dates of a machine whose clock somebody sets."""

    def __init__(self) -> None:
        super().__init__()
        self._ahead_ms = 0
        loop = asyncio.get_running_loop()
        loop.add_reader(sys.stdin, self._set)
        loop.add_signal_handler(signal.SIGUSR1, _print_tasks)

    def __call__(self) -> int:
        return super().__call__() + self._ahead_ms

    def _set(self) -> None:
        line = sys.stdin.readline()
        if line:
            self._ahead_ms = round(float(line) * 1000)
        else:
            os._exit(1)  # the test was killed, and nobody else ends this node


def _print_tasks() -> None:
    for task in asyncio.all_tasks():
        task.print_stack(file=sys.stderr)


if __name__ == "__main__":
    vars(server)["Dates"] = MovedDates
    LeaseHolder.join = functools.partialmethod(  # type: ignore[method-assign, assignment]
        LeaseHolder.join, version=os.environ["FAULTS_VERSION"]
    )
    sys.exit(main())
