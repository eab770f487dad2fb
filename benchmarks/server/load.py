"""Generates load in a process of its own on a core of its own.

It reads requests from standard input, each a JSON object ``{"do": ..., ...}`` on one line. It
answers each by one line on standard output: an object with the result, or with ``error``. It reads
the CPU clock of the server under test itself, at the same moments as the number of messages.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import sys
import time
import traceback
from random import Random
from typing import Any, Final, Protocol

from benchmarks.server.colyseus import Colyseus
from benchmarks.server.contest import PlainGames, TournamentGames
from benchmarks.server.crowd import BareBroadcast, Listeners, WatchedRoom, idle
from benchmarks.server.echo import Echo
from benchmarks.server.meter import Meter, pin, quantile
from benchmarks.server.play import Play
from benchmarks.server.rooms import Rooms
from benchmarks.server.wire import LoadError, Loop

PATIENCE_S: Final = 20.0
"""The most seconds to wait for the last answers of a round."""


class Workload(Protocol):
    """Something that keeps a server busy between `start` and `pause`."""

    pid: int

    @property
    def done(self) -> int:
        """The number of messages that were answered so far."""

    @property
    def waiting(self) -> int:
        """The number of messages that wait for their answer."""

    def start(self) -> None:
        """Start sending, or continue."""

    def pause(self) -> None:
        """Stop sending new messages."""

    def close(self) -> None:
        """Drop all connections."""


class Load:
    """All workloads of this process, by name."""

    def __init__(self) -> None:
        self.loop = Loop()
        self.works: dict[str, Workload] = {}
        self.crowds: list[Listeners] = []

    # -- opening -------------------------------------------------------------------------------

    def play(
        self, name: str, url: str, pid: int, rooms: int, size: int, tag: str = "player"
    ) -> dict[str, Any]:
        """Open rooms."""
        self.works[name] = Play(self.loop, url, pid, rooms, size, tag)
        return {}

    def echo(self, name: str, url: str, pid: int, pairs: int, length: int) -> dict[str, Any]:
        """Connect pairs of clients to an echo server."""
        self.works[name] = Echo(self.loop, url, pid, pairs, length)
        return {}

    def colyseus(
        self, name: str, url: str, http: str, pid: int, rooms: int, size: int, patches: bool
    ) -> dict[str, Any]:
        """Open rooms on Colyseus, or on a server that sends the same messages."""
        self.works[name] = Colyseus(self.loop, url, http, pid, rooms, size, patches)
        return {}

    def watch(
        self, name: str, url: str, pid: int, spectators: int, size: int, tag: str
    ) -> dict[str, Any]:
        """Open one room with spectators."""
        self.works[name] = WatchedRoom(self.loop, url, pid, spectators, size, tag)
        return {}

    def broadcast(
        self, name: str, url: str, pid: int, listeners: int, length: int
    ) -> dict[str, Any]:
        """Connect listeners to a broadcast server."""
        self.works[name] = BareBroadcast(self.loop, url, pid, listeners, length)
        return {}

    def games(
        self, name: str, url: str, pid: int, players: int, size: int, kind: str
    ) -> dict[str, Any]:
        """Let players play game after game, in a tournament of this format or in plain rooms."""
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
        """Send as many messages as the server can answer, and measure for `seconds`.

        The measurement begins `lead_s` seconds after the start.
        """
        work = self.works[name]
        work.start()
        self._turn_until(work, time.perf_counter() + lead_s)
        before = work.done
        meter = Meter(work.pid)
        self._turn_until(work, time.perf_counter() + seconds)
        usage = meter.stop()
        messages = work.done - before
        work.pause()
        self._settle(work)
        result = {
            "messages": messages,
            "wall_s": usage.wall_s,
            "subject_s": usage.subject_s,
            "load_s": usage.load_s,
        }
        if isinstance(work, Rooms):
            result["request_bytes"], result["event_bytes"] = work.message_bytes
        if isinstance(work, WatchedRoom | BareBroadcast):
            result["copies"] = messages * work.copies
            result["used_up"] = work.used_up
            if missing := work.missing():
                raise LoadError(f"{missing} copies have not arrived.")
            if isinstance(work, WatchedRoom):
                result["event_bytes"] = work.play.message_bytes[1]
        return result

    def pace(self, name: str, rate: float, seconds: float, lead_s: float) -> dict[str, Any]:
        """Send moves at random moments, `rate` a second on average (Poisson arrivals).

        The moments do not depend on the server. The latency of a move lasts from the moment when it
        was due until its answer.
        """
        work = self.works[name]
        assert isinstance(work, Rooms)
        gap = Random(1).expovariate
        work.paused, work.paced, work.latencies = False, True, []
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
            self._wait(due - now)
        usage = (meter or Meter(work.pid)).stop()
        work.timing = False
        late = len(work.due)
        work.pause()
        self._settle(work)
        work.paced = False
        ordered = sorted(work.latencies)
        return {
            "moves": len(ordered),
            "rate": len(ordered) / usage.wall_s,
            "p50_ms": quantile(ordered, 0.5) * 1000,
            "p99_ms": quantile(ordered, 0.99) * 1000,
            "p999_ms": quantile(ordered, 0.999) * 1000,
            "max_ms": quantile(ordered, 1.0) * 1000,
            "late": late,
            "subject_s": usage.subject_s,
            "wall_s": usage.wall_s,
        }

    def kill(self, name: str, seconds: float) -> dict[str, Any]:
        """Play, and kill the server in the middle; return the answered moves and the rooms.

        An answer that has left the server counts, though the server is gone when it is read.
        """
        work = self.works.pop(name)
        assert isinstance(work, Rooms)
        work.start()
        self._turn_until(work, time.perf_counter() + seconds)
        os.kill(work.pid, signal.SIGKILL)
        work.pause()
        for player in work.players():
            self.loop.remove(player)
            with contextlib.suppress(OSError, LoadError):
                while True:
                    player.read()
            player.close()
        return {
            "answered": work.done,
            "rooms": [pair.room for pair in work.pairs] if isinstance(work, Play) else [],
        }

    def _wait(self, seconds: float) -> None:
        """Read what arrives until the next move is due."""
        # epoll waits whole milliseconds, so poll without waiting during the last one.
        self.loop.turn(max(0.0, seconds - 0.001))

    def _turn_until(self, work: Workload, end: float) -> None:
        crowded = work if isinstance(work, WatchedRoom | BareBroadcast) else None
        turn = self.loop.turn
        while (left := end - time.perf_counter()) > 0:
            turn(left)
            if crowded is not None:
                crowded.after_turn()

    def _settle(self, work: Workload) -> None:
        end = time.perf_counter() + PATIENCE_S
        while work.waiting:
            if time.perf_counter() > end:
                raise LoadError(f"{work.waiting} messages were not answered.")
            self.loop.turn(0.1)


def answer_orders(load: Load) -> None:
    """Answer requests until standard input closes; each names a method of `load`."""
    for line in sys.stdin:
        order = json.loads(line)
        try:
            result = getattr(load, order.pop("do"))(**order)
        except Exception as error:  # noqa: BLE001 - the parent process gets it and stops
            result = {"error": f"{error}", "trace": traceback.format_exc()}
        print(json.dumps(result), flush=True)


if __name__ == "__main__":
    pin(int(sys.argv[1]))
    answer_orders(Load())
