"""Write about a trouble that lasts: when it begins, once a minute, and when it is over."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, Final

import structlog

LOG_EVERY_S: Final = 60.0
"""The shortest time between two lines about failures, in seconds."""

_log = structlog.get_logger("storage")


class TroubleLog:
    """Log the failures of the storage without filling the log, which may be on the same disk.

    Failures between two lines are counted; the next line has the number as `failures`. `now_s`
    returns seconds and never goes back.
    """

    def __init__(self, now_s: Callable[[], float] = time.monotonic) -> None:
        self._now_s = now_s
        self._logged_s: float | None = None
        self._failures = 0
        """Those since the last line."""
        self.lasts = False
        """True while a trouble lasts about which a line was written."""

    def failed(self, event: str, reason: str, **fields: Any) -> None:
        """Count a failure, and write a line if the last one was written a minute ago or earlier."""
        self._failures += 1
        now = self._now_s()
        if self._logged_s is None or now - self._logged_s >= LOG_EVERY_S:
            self._logged_s = now
            self.lasts = True
            _log.error(event, reason=reason, failures=self._failures, **fields)
            self._failures = 0

    def over(self) -> None:
        """Write that the storage works again, if a line said that it does not."""
        if self.lasts:
            self.lasts = False
            _log.warning("storage_works_again", failures=self._failures)
            self._failures = 0
