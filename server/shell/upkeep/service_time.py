"""Run the service clock on the machine's clock, and give dates for people.

The service clock beats in the event loop and watches the commits.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Protocol, Self

import structlog

from doublecross.server.core.rooms.clock import LIMIT_MS, ServiceClock
from doublecross.server.shell.upkeep.histogram import LAG_S, Histogram

BEAT_S: Final = 0.025
"""Seconds between two beats of the event loop."""
REPORT_MS: Final = 500
"""A stall that lasts longer is logged."""

STEP_BACK_MS: Final = 60_000
"""Dates stand still after a step back of the system time by up to this much."""

_MS: Final = 1_000_000
"""The service clock of a server counts nanoseconds, so that nothing is lost by rounding."""

_log = structlog.get_logger("server")


class Dates:
    """Give the date for people: the system time in milliseconds since 1970.

    Small steps back of the system time do not count, so that games keep their order.
    `system_ms` returns the system time.
    """

    def __init__(self, system_ms: Callable[[], int] = lambda: time.time_ns() // _MS) -> None:
        self._system_ms = system_ms
        self._last = 0

    def __call__(self) -> int:
        """Return the date."""
        now = self._system_ms()
        # A larger step back corrects a date that was wrong, so follow it.
        if not 0 < self._last - now <= STEP_BACK_MS:
            self._last = now
        return self._last


class CommitWatch(Protocol):
    """Follow the commits of several committers, one at a time of each, and their storage."""

    def commit_began(self, who: object) -> None:
        """Note that a commit begins."""

    def commit_ended(self, who: object) -> None:
        """Note that the commit has ended, stored or not."""

    def storage_works(self, who: object, works: bool) -> None:
        """Note whether the storage works now."""


@dataclass(frozen=True, slots=True)
class TimeSource:
    """The functions that tell the parts of a server the time.

    `now` returns milliseconds since 1970 for clocks and deadlines, and never goes back. `date`
    returns the date for people in milliseconds since 1970. `real_s` returns seconds for the limits
    of addresses, which must not stand still while the storage fails, as service time does. `watch`
    hears of every commit.
    """

    now: Callable[[], int]
    date: Callable[[], int]
    real_s: Callable[[], float]
    watch: CommitWatch | None = None

    @classmethod
    def simple(cls, now: Callable[[], int]) -> Self:
        """Return a source that takes everything from `now`."""
        return cls(now, now, lambda: now() / 1000)


class ServiceTime:
    """Give the service time; see `server/core/rooms/clock.py`.

    It starts at the system time and then ignores changes of the system time.
    """

    def __init__(self) -> None:
        real = time.monotonic_ns()
        self._unix = time.time_ns() - real
        self._clock = ServiceClock(real, LIMIT_MS * _MS)
        self._offset_at_first_beat: int | None = None
        """Until then the server opens its database, and has no players."""
        self._under_way: dict[object, None] = {}
        """Who commits, beginning with the oldest commit."""
        self._failing: set[object] = set()
        """Those whose storage fails."""
        self.lags = Histogram(LAG_S)
        """How much later than planned the event loop came to each beat, in seconds."""

    def now(self) -> int:
        """Return the service time in milliseconds since 1970."""
        # Every move asks several times, so this repeats `ServiceClock.now` without a call.
        real, clock = time.monotonic_ns(), self._clock
        until = clock.until
        return ((real if real < until else until) + clock.offset + self._unix) // _MS

    def is_stalled(self) -> bool:
        """Return whether the event loop is behind: messages that have arrived may be unread."""
        return self._clock.stalled(time.monotonic_ns()) > 0

    def spared_ms(self) -> int:
        """Return how much time all stalls since the first beat have not cost the players."""
        return ((self._offset_at_first_beat or 0) - self._clock.offset) // _MS

    async def run(self) -> None:
        """Beat until cancelled.

        After a stall two turns of the event loop pass before the beat, so that what has arrived
        meanwhile is read at the time at which the stall began.
        """
        clock = self._clock
        clock.beat(time.monotonic_ns())
        # A supervisor may start this again. The first beat still is the first one.
        if self._offset_at_first_beat is None:
            self._offset_at_first_beat = clock.offset
        while True:
            asleep = time.monotonic_ns()
            await asyncio.sleep(BEAT_S)
            awake = time.monotonic_ns()
            # A sleep may end a little early.
            self.lags.observe(max(0.0, (awake - asleep) / 1e9 - BEAT_S))
            stalled = clock.stalled(awake)
            if stalled:
                await asyncio.sleep(0)
                await asyncio.sleep(0)
                if stalled > REPORT_MS * _MS:
                    _log.warning("stalled", ms=stalled // _MS)
            clock.beat(time.monotonic_ns())

    def commit_began(self, who: object) -> None:
        """Let the time stand still if this commit takes too long, or one that began before."""
        self._under_way[who] = None
        if len(self._under_way) == 1:
            self._clock.commit_began(time.monotonic_ns())

    def commit_ended(self, who: object) -> None:
        """Let the time go on after a commit, unless another one takes too long."""
        was_oldest = next(iter(self._under_way), None) is who
        self._under_way.pop(who, None)
        if was_oldest:
            self._clock.commit_ended(time.monotonic_ns())
            if self._under_way:
                self._clock.commit_began(time.monotonic_ns())

    def storage_works(self, who: object, works: bool) -> None:
        """Let the time stand still while the storage fails for anybody."""
        failed = bool(self._failing)
        if works:
            self._failing.discard(who)
        else:
            self._failing.add(who)
        if bool(self._failing) != failed:
            self._clock.storage_works(time.monotonic_ns(), not self._failing)
