"""Clocks that a test advances."""

from __future__ import annotations

import asyncio
import heapq
import itertools


class StoppedClock:
    """A server's clock in milliseconds since 1970, which only `later` advances."""

    def __init__(self) -> None:
        self._ms = 1_700_000_000_000

    def __call__(self) -> int:
        return self._ms

    def later(self, ms: int) -> None:
        self._ms += ms


class FakeTime:
    """A clock in seconds with a `sleep` function.

    A sleep of at most `instant` seconds ends at once and advances the clock. A longer sleep ends
    when `advance` reaches its end. `slept` has the durations of all sleeps.
    """

    def __init__(self, instant: float = 0.0) -> None:
        self.now = 1000.0
        self.instant = instant
        self.slept: list[float] = []
        self._sleepers: list[tuple[float, int, asyncio.Future[None]]] = []
        self._count = itertools.count()

    def clock(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        if seconds <= self.instant:
            self.now += seconds
            await asyncio.sleep(0)
            return
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        heapq.heappush(self._sleepers, (self.now + seconds, next(self._count), future))
        await future

    def advance(self, seconds: float) -> None:
        self.now += seconds
        while self._sleepers and self._sleepers[0][0] <= self.now:
            future = heapq.heappop(self._sleepers)[2]
            if not future.done():
                future.set_result(None)
