"""`serve --cluster` with two things that a test must be able to change.

`main` is the product's command. After SIGUSR2 the date of this node is ahead by as many seconds as
the file says that the environment variable FAULTS_CLOCK names. FAULTS_VERSION is the version that
it announces. FAULTS_HOST is the network that it enters. SIGUSR1 prints what all tasks wait for.
Correspondence games go to sleep at once when nobody looks at them.
"""

from __future__ import annotations

import asyncio
import functools
import os
import signal
import sys
from pathlib import Path

from doublecross.cli import main as command
from doublecross.processes.network import join
from doublecross.processes.system import die_with
from doublecross.server.cluster import server
from doublecross.server.cluster.lease_holder import LeaseHolder
from doublecross.server.shell.rooms import sleeping
from doublecross.server.shell.upkeep.service_time import Dates


class MovedDates(Dates):
    """The dates of a machine whose clock somebody sets."""

    def __init__(self) -> None:
        super().__init__()
        self._ahead_ms = 0
        loop = asyncio.get_running_loop()
        loop.add_signal_handler(signal.SIGUSR2, self._set)
        loop.add_signal_handler(signal.SIGUSR1, _print_tasks)

    def __call__(self) -> int:
        return super().__call__() + self._ahead_ms

    def _set(self) -> None:
        self._ahead_ms = round(float(Path(os.environ["FAULTS_CLOCK"]).read_text()) * 1000)


def _print_tasks() -> None:
    for task in asyncio.all_tasks():
        task.print_stack(file=sys.stderr)


def main() -> int:
    """Run the command with these changes, until it or the test ends."""
    die_with(os.getppid())
    if namespace := os.environ["FAULTS_HOST"]:
        join(namespace)
    vars(server)["Dates"] = MovedDates
    vars(sleeping)["REST_MS"] = 0
    LeaseHolder.join = functools.partialmethod(  # type: ignore[method-assign, assignment]
        LeaseHolder.join, version=os.environ["FAULTS_VERSION"]
    )
    return command.main()
