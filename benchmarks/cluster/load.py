"""Generates the load of a cluster: that of one server, and rooms whose nodes end."""

from __future__ import annotations

import os
import sys
import time
from random import Random
from typing import Any, Final

from benchmarks.cluster.play import CheckedPlay, SplitPlay
from benchmarks.server.load import Load, answer_orders
from benchmarks.server.meter import pin, quantile
from benchmarks.server.wire import LoadError

IN_FLIGHT_S: Final = 0.05
"""Answers that a dead node has sent can arrive so long after its end."""
LONGEST_S: Final = 60.0


class ClusterLoad(Load):
    """The workloads of one server, and `ordeal`."""

    def checked(
        self, name: str, urls: list[str], pid: int, rooms: int, size: int
    ) -> dict[str, Any]:
        """Open rooms whose players check every message."""
        self.works[name] = CheckedPlay(self.loop, urls, pid, rooms, size, "player")
        return {}

    def split(
        self, name: str, urls: list[str], pid: int, rooms: int, size: int, tag: str
    ) -> dict[str, Any]:
        """Open rooms whose players are at two nodes."""
        self.works[name] = SplitPlay(self.loop, urls, pid, rooms, size, tag)
        return {}

    def done(self, name: str) -> dict[str, Any]:
        """Return how many moves or messages were answered so far."""
        return {"done": self.works[name].done}

    def ordeal(self, name: str, rate: float, lead_s: float, pid: int, how: int) -> dict[str, Any]:
        """Play at this rate, send a signal to a process, and go on until all rooms have answered.

        At the moment of the signal every room makes a move, so that each of them waits for an
        answer. `all_s` is when the last of them had one. `longest_s` is the longest wait for a
        move that was due after the signal.
        """
        work = self.works[name]
        assert isinstance(work, CheckedPlay)
        work.paused, work.paced, work.latencies = False, True, []
        gap = Random(1).expovariate
        due = time.perf_counter()
        at = due + lead_s
        since = 0.0
        waves = [at, at + IN_FLIGHT_S]
        while True:
            now = time.perf_counter()
            if waves and now >= waves[0]:
                waves.pop(0)
                if not since:
                    since = at = time.perf_counter()
                    waves = [at + IN_FLIGHT_S]
                    work.timing = True
                    os.kill(pid, how)
                for _ in range(len(work.ready)):
                    work.pace(time.perf_counter())
                due = time.perf_counter()
            while due <= now:
                if work.ready:
                    work.pace(due)
                due += gap(rate)
            self._wait(min(due - now, 0.05))
            if since and not waves and not work.silent(since + IN_FLIGHT_S):
                break
            if since and now > since + LONGEST_S:
                raise LoadError(f"{work.silent(since)} rooms do not answer any more.")
        all_s = time.perf_counter() - since
        work.timing = False
        work.pause()
        self._settle(work)
        work.paced = False
        ordered = sorted(work.latencies)
        return {
            "all_s": all_s,
            "longest_s": quantile(ordered, 1.0),
            "p50_ms": quantile(ordered, 0.5) * 1000,
            "answered": len(ordered),
        }

    def _wait(self, seconds: float) -> None:
        """See `Load._wait`. Servers run on the core of the load, too, so it must not be busy."""
        self.loop.turn_until(seconds)


if __name__ == "__main__":
    pin(int(sys.argv[1]))
    answer_orders(ClusterLoad())
