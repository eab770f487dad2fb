"""Decide which tokens and bans have ended for certain, although the date may be wrong.

A machine may start with any date. What lasts until a date is checked against the date as it is, so
a mistake there ends with the mistake. To delete something needs more: the newest date that earlier
runs have stored, and the time for which this run has gone on since. Their sum is never late.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Final

import structlog

BEFORE_DELETING_S: Final = 86_400.0
"""So long a server runs before it deletes, and again before the next time.

A wrong date is noticed by then.
"""
MOST_AHEAD_MS: Final = 30 * 86_400_000
"""A date that is further ahead looks wrong. Somebody may stop a server for a few weeks."""
MOST_BEHIND_MS: Final = 3_600_000
"""A date that is further behind looks wrong."""

_log = structlog.get_logger("server")


class Expiry:
    """Compare the date with the dates in the database.

    `date` returns milliseconds since 1970, UTC; `real_s` returns seconds and never goes back.
    """

    def __init__(self, date: Callable[[], int], real_s: Callable[[], float]) -> None:
        self._date = date
        self._real_s = real_s
        self._began_s = self._deleted_s = real_s()
        self._newest = date()
        self._looks_wrong = False

    def begin(self, newest: int | None) -> None:
        """Begin a run with this newest stored date, or None if nothing is stored."""
        self._began_s = self._deleted_s = self._real_s()
        self._newest = self._date() if newest is None else newest
        self.warn()

    def _expected(self) -> int:
        """Return the newest stored date, and the time since."""
        return self._newest + round((self._real_s() - self._began_s) * 1000)

    def past(self) -> int:
        """Return a date that is over for certain."""
        return min(self._date(), self._expected())

    def due(self) -> int | None:
        """Return `past` when it is time to delete what ended before it, or None."""
        now_s = self._real_s()
        if now_s - self._deleted_s < BEFORE_DELETING_S:
            return None
        self._deleted_s = now_s
        return self.past()

    def warn(self) -> None:
        """Log when the date begins to look wrong."""
        now, expected = self._date(), self._expected()
        looks_wrong = not -MOST_BEHIND_MS <= now - expected <= MOST_AHEAD_MS
        if looks_wrong and not self._looks_wrong:
            _log.warning("clock_looks_wrong", what=_sentence(now, expected))
        self._looks_wrong = looks_wrong


def _sentence(now: int, expected: int) -> str:
    way = "far ahead of" if now > expected else "behind"
    return (
        f"The clock of this machine says {_shown(now)}, {way} {_shown(expected)}, which is what the"
        " newest date in the database lets expect. If the clock is wrong, set it right: nothing"
        " was deleted, and tokens and bans last as long as they should. If it is right, do nothing."
    )


def _shown(date_ms: int) -> str:
    return f"{datetime.fromtimestamp(date_ms / 1000, UTC):%Y-%m-%d %H:%M} UTC"
