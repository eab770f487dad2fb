"""Format moments and durations for people, and read moments that they write."""

from __future__ import annotations

from datetime import datetime, time, timedelta
from typing import Final

from doublecross.cli.shared.console import Problem

_MINUTE_S: Final = 60
_HOUR_S: Final = 3600
_DAY_S: Final = 86_400


def moment(ms: int | None, never: str = "") -> str:
    """Return a date in milliseconds since 1970 in local time, or `never` for None."""
    if ms is None:
        return never
    return datetime.fromtimestamp(ms / 1000).astimezone().strftime("%Y-%m-%d %H:%M")


def moment_of(text: str, now: datetime) -> int:
    """Return the moment in local time that a text such as ``19:30`` means, in UNIX milliseconds.

    Without a date it is the next such time after `now`.
    """
    try:
        try:
            found = datetime.combine(now.date(), time.fromisoformat(text)).astimezone()
            found += timedelta(days=found <= now)
        except ValueError:
            found = datetime.fromisoformat(text)
    except ValueError:
        raise Problem(
            f'A moment looks like 19:30 or "2027-01-31 19:30", in local time, not {text}.'
        ) from None
    return int(found.timestamp() * 1000)


def duration(seconds: float) -> str:
    """Return a duration in its two largest units, such as ``3 d 4 h`` or ``12 s``."""
    whole = max(0, int(seconds))
    if whole >= _DAY_S:
        return f"{whole // _DAY_S} d {whole % _DAY_S // _HOUR_S} h"
    if whole >= _HOUR_S:
        return f"{whole // _HOUR_S} h {whole % _HOUR_S // _MINUTE_S} min"
    if whole >= _MINUTE_S:
        return f"{whole // _MINUTE_S} min {whole % _MINUTE_S} s"
    return f"{whole} s"
