"""Run the service clock on the machine's clock: beat in the event loop, and watch the commits."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final, Protocol

import structlog

from server.core.clock import ServiceClock

BEAT_S: Final = 0.02
"""Seconds between two beats of the event loop."""
REPORT_MS: Final = 500
"""A stall that lasts longer is logged."""

_log = structlog.get_logger("server")


class CommitWatch(Protocol):
    """Follow the commits and the state of the storage."""

    def commit_began(self) -> None:
        """Note that a commit begins."""

    def commit_ended(self) -> None:
        """Note that the commit has ended, stored or not."""

    def storage_works(self, works: bool) -> None:
        """Note whether the storage works now."""


class ServiceTime:
    """Give the service time; see `server/core/clock.py`.

    `real` returns milliseconds since 1970 and never goes back.
    """

    def __init__(self, real: Callable[[], int]) -> None:
        self._real = real
        self._clock = ServiceClock(real())

    def now(self) -> int:
        """Return the service time in milliseconds since 1970."""
        return self._clock.now(self._real())

    def is_stalled(self) -> bool:
        """Return whether the event loop is behind: messages that have arrived may be unread."""
        return self._clock.stalled_ms(self._real()) > 0

    def spared_ms(self) -> int:
        """Return how much time all stalls together have not cost the players."""
        return self._clock.behind_ms(self._real())

    async def run(self) -> None:
        """Beat until cancelled.

        After a stall two turns of the event loop pass before the beat, so that what has arrived
        meanwhile is read at the time at which the stall began.
        """
        while True:
            await asyncio.sleep(BEAT_S)
            stalled_ms = self._clock.stalled_ms(self._real())
            if stalled_ms:
                await asyncio.sleep(0)
                await asyncio.sleep(0)
                if stalled_ms > REPORT_MS:
                    _log.warning("stalled", ms=stalled_ms)
            self._clock.beat(self._real())

    def commit_began(self) -> None:
        """See `CommitWatch`."""
        self._clock.commit_began(self._real())

    def commit_ended(self) -> None:
        """See `CommitWatch`."""
        self._clock.commit_ended(self._real())

    def storage_works(self, works: bool) -> None:
        """See `CommitWatch`."""
        self._clock.storage_works(self._real(), works)
