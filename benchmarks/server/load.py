"""The load generator: a process of its own on a core of its own, told what to do line by line.

A line of its standard input is a JSON object ``{"do": ..., ...}``, answered by one line on its
standard output: an object with the result, or with ``error``. It reads the CPU clock of the
server under test itself, so that the stretch that is measured has no seams.
"""

from __future__ import annotations

import json
import sys
import time
import traceback
from collections.abc import Callable
from random import Random
from typing import Any, Final, Protocol

from benchmarks.server.contest import PlainGames, TournamentGames
from benchmarks.server.crowd import Listeners, Shout, Watched, idle
from benchmarks.server.echo import Echo
from benchmarks.server.meter import Meter, pin, quantile
from benchmarks.server.play import Play
from benchmarks.server.wire import LoadError, Loop

PATIENCE_S: Final = 20.0
"""For the last answers of a round."""


class Workload(Protocol):
    """Something that keeps a server busy between `go` and `hold`."""

    pid: int

    @property
    def done(self) -> int:
        """Messages that were answered so far."""

    @property
    def waiting(self) -> int:
        """Messages that wait for their answer."""

    def go(self) -> None:
        """Begin, or go on."""

    def hold(self) -> None:
        """Begin nothing new."""

    def close(self) -> None:
        """Drop all connections."""


class Load:
    """All workloads of this process, by name."""

    def __init__(self) -> None:
        self.loop = Loop()
        self.works: dict[str, Workload] = {}
        self.crowds: list[Listeners] = []

    # -- opening -------------------------------------------------------------------------------

    def play(self, name: str, url: str, pid: int, rooms: int, size: int) -> dict[str, Any]:
        """Open rooms."""
        self.works[name] = Play(self.loop, url, pid, rooms, size, "player")
        return {}

    def echo(self, name: str, url: str, pid: int, pairs: int, length: int) -> dict[str, Any]:
        """Open pairs of an echo."""
        self.works[name] = Echo(self.loop, url, pid, pairs, length)
        return {}

    def watch(
        self, name: str, url: str, pid: int, spectators: int, size: int, tag: str
    ) -> dict[str, Any]:
        """Open one room with spectators."""
        self.works[name] = Watched(self.loop, url, pid, spectators, size, tag)
        return {}

    def shout(self, name: str, url: str, pid: int, listeners: int, length: int) -> dict[str, Any]:
        """Open a broadcast to listeners."""
        self.works[name] = Shout(self.loop, url, pid, listeners, length)
        return {}

    def games(
        self, name: str, url: str, pid: int, players: int, size: int, kind: str
    ) -> dict[str, Any]:
        """Let players play game after game: in a tournament of this format, or in plain rooms."""
        if kind == "plain":
            self.works[name] = PlainGames(self.loop, url, pid, players, size, kind)
        else:
            self.works[name] = TournamentGames(self.loop, url, pid, players, size, kind, kind)
        return {}

    def idle(self, url: str, count: int, tag: str) -> dict[str, Any]:
        """Open connections that do nothing."""
        self.crowds.append(idle(url, count, tag))
        return {}

    def close(self, name: str) -> dict[str, Any]:
        """Drop a workload's connections."""
        self.works.pop(name).close()
        return {}

    # -- measuring -----------------------------------------------------------------------------

    def round(self, name: str, seconds: float, lead_s: float) -> dict[str, Any]:
        """As many messages as the server can answer for so long, after `lead_s` to get going."""
        work = self.works[name]
        work.go()
        self._turn_until(work, time.perf_counter() + lead_s)
        before = work.done
        meter = Meter(work.pid)
        self._turn_until(work, time.perf_counter() + seconds)
        usage = meter.stop()
        messages = work.done - before
        work.hold()
        self._settle(work)
        result = {
            "messages": messages,
            "wall_s": usage.wall_s,
            "subject_s": usage.subject_s,
            "load_s": usage.load_s,
        }
        if isinstance(work, Play):
            result["request_bytes"], result["event_bytes"] = work.message_bytes
        if isinstance(work, Watched | Shout):
            result["copies"] = messages * work.copies
            result["worn"] = work.worn
            if missing := work.missing():
                raise LoadError(f"{missing} copies have not arrived.")
            if isinstance(work, Watched):
                result["event_bytes"] = work.play.message_bytes[1]
        return result

    def pace(self, name: str, rate: float, seconds: float, lead_s: float) -> dict[str, Any]:
        """Moves at random moments, `rate` a second on average whatever the server does (Poisson
        arrivals): how long each took from the moment when it was due to its answer."""
        work = self.works[name]
        assert isinstance(work, Play)
        gap = Random(1).expovariate
        work.held, work.paced, work.latencies = False, True, []
        now = time.perf_counter()
        due, measured_from, end = now, now + lead_s, now + lead_s + seconds
        meter: Meter | None = None
        while due < end:
            now = time.perf_counter()
            while due <= now:
                if due >= measured_from and meter is None:
                    work.timing = True
                    meter = Meter(work.pid)
                work.pace(due)
                due += gap(rate)
            # The last millisecond is waited for by looking: epoll sleeps no shorter.
            self.loop.turn(max(0.0, due - now - 0.001))
        usage = (meter or Meter(work.pid)).stop()
        work.timing = False
        late = len(work.due)
        work.hold()
        self._settle(work)
        work.paced = False
        ordered = sorted(work.latencies)
        return {
            "moves": len(ordered),
            "rate": len(ordered) / usage.wall_s,
            "p50_ms": quantile(ordered, 0.5) * 1000,
            "p99_ms": quantile(ordered, 0.99) * 1000,
            "max_ms": quantile(ordered, 1.0) * 1000,
            "late": late,
            "subject_s": usage.subject_s,
            "wall_s": usage.wall_s,
        }

    def _turn_until(self, work: Workload, end: float) -> None:
        crowded = work if isinstance(work, Watched | Shout) else None
        turn = self.loop.turn
        while (left := end - time.perf_counter()) > 0:
            turn(left)
            if crowded is not None:
                crowded.turned()

    def _settle(self, work: Workload) -> None:
        end = time.perf_counter() + PATIENCE_S
        while work.waiting:
            if time.perf_counter() > end:
                raise LoadError(f"{work.waiting} messages were not answered.")
            self.loop.turn(0.1)


def main(core: str) -> None:
    pin(int(core))
    load = Load()
    actions: dict[str, Callable[..., dict[str, Any]]] = {
        name: getattr(load, name)
        for name in ("play", "echo", "watch", "shout", "games", "idle", "close", "round", "pace")
    }
    for line in sys.stdin:
        order = json.loads(line)
        try:
            result = actions[order.pop("do")](**order)
        except Exception as error:  # noqa: BLE001 - told to the one who asked, who then stops
            result = {"error": f"{error}", "trace": traceback.format_exc()}
        print(json.dumps(result), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
