"""Compare two readings of a server: rates, and what has changed between them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

REFUSING: Final = (("limit_hits", "limit"), ("refusals", "refused"), ("dropped", "dropped"))
"""The counters of what the server refused, and the words for them."""


@dataclass(frozen=True, slots=True)
class Reading:
    """The answers of a server at a time of the monotonic clock, in seconds.

    `overview` is the answer of ``/api/admin/overview``; `rooms` and `players` are the first lines
    of their lists.
    """

    at_s: float
    overview: Mapping[str, Any]
    rooms: Sequence[Mapping[str, Any]]
    players: Sequence[Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class Counted:
    """A counter: what it counts, its value, and by how much it has grown since the last reading."""

    kind: str
    name: str
    total: int
    change: int


def comparable(now: Reading, before: Reading | None) -> Reading | None:
    """Return `before` if the server has not been started again since then, otherwise None."""
    if before is None or before.overview["epoch"] != now.overview["epoch"]:
        return None
    return before


def rate(name: str, now: Reading, before: Reading | None) -> float:
    """Return by how much a counter grows in a second.

    It is that between the two readings. If there is no earlier one of the same run of the server,
    it is the mean since the start of the server.
    """
    last = comparable(now, before)
    if last is not None and now.at_s > last.at_s:
        grown = now.overview[name] - last.overview[name]
        return float(grown) / (now.at_s - last.at_s)
    uptime_s = now.overview["uptime_s"]
    return float(now.overview[name] / uptime_s) if uptime_s > 0 else 0.0


def change(name: str, now: Reading, before: Reading | None) -> int:
    """Return the change of a number since the last reading of the same run; 0 if there is none."""
    last = comparable(now, before)
    return 0 if last is None else int(now.overview[name] - last.overview[name])


def refusing(now: Reading, before: Reading | None) -> list[Counted]:
    """Return the counters of limits, refusals and drops that are not 0.

    Those that have grown most since the last reading come first, then the largest.
    """
    last = comparable(now, before)
    found = []
    for field, kind in REFUSING:
        earlier = {} if last is None else last.overview[field]
        for name, total in now.overview[field].items():
            if total:
                grown = 0 if last is None else total - earlier.get(name, 0)
                found.append(Counted(kind, name, total, grown))
    return sorted(found, key=lambda each: (-each.change, -each.total, each.kind, each.name))
