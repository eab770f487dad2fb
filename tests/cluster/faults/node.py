"""`serve --cluster` with two things that a test must be able to change.

`python -m tests.cluster.faults.node serve --cluster ...` is the product's command. A line with a
number on the standard input sets the date of this node ahead by so many seconds. The environment
variable FAULTS_VERSION is the version that it announces. When the cluster has gone on without it,
and it does not come back by itself, it ends with `LEFT_BEHIND`.
"""

from __future__ import annotations

import asyncio
import functools
import os
import sys
from typing import Final

from cli.main import main
from server.cluster import server
from server.cluster.keeper import Keeper
from server.shell.upkeep.service_time import Dates

LEFT_BEHIND: Final = 75


class MovedDates(Dates):
    """The dates of a machine whose clock somebody sets."""

    def __init__(self) -> None:
        super().__init__()
        self._ahead_ms = 0
        asyncio.get_running_loop().add_reader(sys.stdin, self._set)

    def __call__(self) -> int:
        return super().__call__() + self._ahead_ms

    def _set(self) -> None:
        line = sys.stdin.readline()
        if line:
            self._ahead_ms = round(float(line) * 1000)
        else:
            asyncio.get_running_loop().remove_reader(sys.stdin)


if __name__ == "__main__":
    server.Dates = MovedDates  # type: ignore[misc]
    Keeper.join = functools.partialmethod(  # type: ignore[method-assign, assignment]
        Keeper.join, version=os.environ["FAULTS_VERSION"]
    )
    if hasattr(server.ClusterServer, "_run_ended"):
        server.ClusterServer._run_ended = lambda _: os._exit(LEFT_BEHIND)
    sys.exit(main())
