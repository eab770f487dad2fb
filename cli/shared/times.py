"""Format moments and durations for people."""

from __future__ import annotations

from datetime import datetime
from typing import Final

_MINUTE_S: Final = 60
_HOUR_S: Final = 3600
_DAY_S: Final = 86_400


def moment(ms: int | None, never: str = "") -> str:
    """Return a date in milliseconds since 1970 in local time, or `never` for None."""
    if ms is None:
        return never
    return datetime.fromtimestamp(ms / 1000).astimezone().strftime("%Y-%m-%d %H:%M")


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
