"""Do something again and again, even when it fails now and then, or for long, with breaks."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from typing import Final

import structlog

from doublecross.server.core.storage import StoreError

FAILURES_IN_A_ROW: Final = 20
"""After so many errors in a row, periodic work counts as failed."""

_log = structlog.get_logger("server")


async def every(seconds: float, act: Callable[[], None]) -> None:
    """Call `act` every `seconds` seconds; log its errors and go on.

    Raises:
        Exception: `act` has failed `FAILURES_IN_A_ROW` times in a row.
    """
    failures = 0
    while True:
        await asyncio.sleep(seconds)
        try:
            act()
            failures = 0
        except Exception:  # an error in one room must not stop all clocks
            failures += 1
            if failures == FAILURES_IN_A_ROW:
                raise
            _log.exception("periodic_work_failed")


async def repeat(seconds: float, act: Callable[[], Awaitable[None]]) -> None:
    """Do something with the storage every `seconds` seconds; commits report if it fails."""
    while True:
        await asyncio.sleep(seconds)
        with contextlib.suppress(StoreError):
            await act()


class Breaks:
    """Let the event loop serve others after every `step_s` seconds of some work."""

    def __init__(self, step_s: float) -> None:
        self._step_s = step_s
        self._time = asyncio.get_running_loop().time
        self._until_s = self._time() + step_s

    async def take(self) -> None:
        """Take a break, if one is due."""
        if self._time() >= self._until_s:
            await asyncio.sleep(0)
            self._until_s = self._time() + self._step_s
